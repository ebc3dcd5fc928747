//! The exhaustion of a heap.
//!
//! Native code and the interpreting stages are told at the allocation. Compiled code is not: the
//! state of the guest program is known at its guards alone, and an allocation lies between them. So
//! objects of compiled code, and what the rebuilding of frames needs, may lie beyond the limit, and
//! [`Context::exhausted`] makes compiled code leave at its next header or call of the portal. The
//! flag is set while objects lie beyond the limit that the last collection of everything has not
//! made room for. How many that can be is bounded by the length of traces: arrays of more than
//! [`UNASKED_MAX`](verdigris_ops::UNASKED_MAX) bytes have a guard in front that asks for room
//! first.

use crate::collector::CollectScope;
use crate::context::Context;
use crate::context::payloads::HeapExhausted;
use crate::layout::descr::{MAX_ARRAY_LEN, array_size};

impl HeapExhausted {
    /// The result of an allocation that returned null: nothing; or a panic with a message, if the
    /// reason is that stress mode has found a bad reference.
    #[cold]
    #[inline(never)]
    pub(crate) fn answer<R>() -> Option<R> {
        let ctx = Context::current();
        // SAFETY: the current context is alive.
        if let Some(message) = unsafe { ctx.as_mut() }.and_then(Context::take_bad_reference) {
            panic!("{message}")
        }
        None
    }

    /// Panics with this payload; or with a message, if the reason is that stress mode has found a
    /// bad reference.
    #[cold]
    #[inline(never)]
    pub fn raise() -> ! {
        HeapExhausted::answer::<()>();
        // Without the panic hook's message: the caller of `Vm::enter` reports this in words.
        std::panic::resume_unwind(Box::new(HeapExhausted))
    }
}

/// To be called where a [`HeapExhausted`] has been caught and the VM goes on:
/// what only the stopped code referred to is garbage, but if everything else is still in use, there
/// is a quarter of a megabyte beyond the limit for whatever drops some of it. Until a collection
/// finds room within the limit again, which is as much or an eighth of the limit, there is half as
/// much more each further time.
pub fn handle_exhaustion() {
    // SAFETY: the current context is alive.
    if let Some(ctx) = unsafe { Context::current().as_mut() } {
        ctx.heap.allow_handling();
    }
}

impl Context {
    /// Whether the heap is used up, and objects of compiled code may lie beyond its limit.
    pub fn is_exhausted(&self) -> bool {
        self.exhausted != 0
    }

    /// Whether the last collection of everything has left so little room that native code gets no
    /// more.
    pub fn is_at_limit(&self) -> bool {
        self.heap.is_at_limit()
    }

    /// Collects everything, if the heap is used up. Returns whether it still is.
    ///
    /// # Panics
    /// As [`Context::collect`].
    pub fn stays_exhausted(&mut self) -> bool {
        if self.is_exhausted() {
            self.collect();
        }
        self.is_exhausted()
    }

    /// Sets the address that the native stack must stay above, 0 for nowhere. Returns the previous
    /// one.
    pub fn set_stack_limit(&mut self, limit: usize) -> usize {
        let before = std::mem::replace(&mut self.stack.limit, limit);
        self.show_stack_limit();
        before
    }

    /// The address that the native stack must stay above; 0 while the VM is not entered.
    pub fn own_stack_limit(&self) -> usize {
        self.stack.limit
    }

    /// Publishes the stack limit. While the heap is used up it is above everything: calls of the
    /// portal look at it anyway, and the engine knows why.
    pub(crate) fn show_stack_limit(&mut self) {
        self.stack_limit = match self.is_exhausted() && self.stack.limit != 0 {
            true => usize::MAX,
            false => self.stack.limit,
        };
        self.stack.room = self.stack.base.room_above(self.stack_limit);
    }

    pub(crate) fn set_exhausted(&mut self, exhausted: bool) {
        self.exhausted = u64::from(exhausted);
        self.stack.has_dead_words |= exhausted;
        self.show_stack_limit();
    }

    /// Overwrites what is scanned conservatively and means nothing any more, when the context is
    /// entered again after its heap was exhausted.
    pub(crate) fn clear_dead_words(&mut self) {
        self.exits.fill(0);
        self.results.fill(0);
        self.stack.base.clear_below();
    }

    /// Whether an object of this size can be allocated. Collects if it is time, and at the limit.
    pub(crate) fn has_room(&mut self, size: usize) -> bool {
        if self.is_exhausted() {
            return false;
        }
        let mut collected = self.collect_if_due(size);
        // A bad reference is reported by the next allocation.
        while !self.heap.has_bad_reference() && !self.heap.make_room(size) {
            if collected == Some(CollectScope::All) {
                return false;
            }
            self.collect_quietly(CollectScope::All);
            collected = Some(CollectScope::All);
        }
        true
    }
}

/// Whether there is room for an array: what the guard in front of a large one calls. 0 if not.
///
/// # Safety
/// `ctx` is a live context of this thread; `item_size` is that of an array class.
pub unsafe extern "C" fn vd_has_room(ctx: *mut Context, item_size: u64, len: u64) -> u64 {
    if len >= MAX_ARRAY_LEN {
        return 0;
    }
    let size = array_size(item_size, len) as usize;
    // SAFETY: the caller's promise.
    u64::from(unsafe { (*ctx).has_room(size) })
}
