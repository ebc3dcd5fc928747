//! A heap or a stack that is used up. In: guest code for which there is no room. Out: a panic at an
//! exact state of the guest program, and what catches it. Invariant: code that catches it finds the
//! guest's heap as the program left it, delayed stores done, and may run on.
//!
//! Native code panics where it allocates. Compiled code allocates beyond the limit
//! ([`verdigris_heap`] says how much that can be) and is left at the end of the iteration, or where
//! it calls the portal; then the engine collects, and panics if there is still no room.

use crate::code::guard_info::GuardSite;
use crate::code::roots::rooted;
use crate::engine::Engine;
use crate::policy::code_gc::Why;
use crate::run::stack;
use crate::run::virtualizable::owners::Taken;
use std::any::Any;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use verdigris_heap::{Context, HeapExhausted, StackExhausted, detector, handle_exhaustion};
use verdigris_resume::flush;
use verdigris_trace::GuardId;

/// What there was not enough of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExhaustedError {
    /// The heap has reached its limit.
    Heap,
    /// The guest program has recursed too deeply for the native stack.
    Stack,
}

impl ExhaustedError {
    /// What a panic with this payload says is used up, if it says so.
    pub(crate) fn of(payload: &(dyn Any + Send)) -> Option<ExhaustedError> {
        match payload {
            _ if payload.is::<HeapExhausted>() => Some(ExhaustedError::Heap),
            _ if payload.is::<StackExhausted>() => Some(ExhaustedError::Stack),
            _ => None,
        }
    }
}

impl fmt::Display for ExhaustedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExhaustedError::Heap => f.write_str("the guest program has used up its heap"),
            ExhaustedError::Stack => StackExhausted.fmt(f),
        }
    }
}

impl std::error::Error for ExhaustedError {}

/// Runs guest code for which there may be too little memory: the way to a protected call of a guest
/// language. Everything else that stops guest code, such as interrupts and other panics, passes
/// through. The VM goes on: what the guest program has done until then is done, and nothing else.
///
/// Call it in an `#[opaque]` function: traced code catches nothing. What only the guest code
/// referred to that was stopped is garbage then; if all the rest is still in use, the handler of
/// the error has a quarter of a megabyte beyond the heap's limit to drop some of it, and half as
/// much more each further time until that has been done.
///
/// # Errors
/// What was used up.
pub fn protect<R>(f: impl FnOnce() -> R) -> Result<R, ExhaustedError> {
    catch_unwind(AssertUnwindSafe(f)).map_err(|payload| {
        let Some(exhausted) = ExhaustedError::of(&*payload) else {
            resume_unwind(payload)
        };
        if exhausted == ExhaustedError::Heap {
            make_way();
            handle_exhaustion();
        }
        exhausted
    })
}

/// The heap was used up by code that has been stopped: collects what it left. If that is too
/// little, compiled code is freed, which keeps the objects alive that it knows: they may be all
/// that is in the way.
fn make_way() {
    // SAFETY: the current context is alive, and so is its engine if it has one.
    unsafe {
        let Some(ctx) = Context::current().as_mut() else {
            return;
        };
        ctx.collect();
        if let (true, Some(engine)) = (ctx.is_at_limit(), ctx.engine.cast::<Engine>().as_ref()) {
            engine.give_way();
        }
    }
}

impl Engine {
    /// Frees the code of a program whose heap was used up: it knows objects, for whose memory there
    /// is better use. Not while the optimiser, which may have called the function that this happens
    /// in, is at work.
    pub(crate) fn give_way(&self) {
        let _own = detector::own();
        if self.optimiser.try_borrow_mut().is_ok() {
            self.free_all(Why::HeapExhausted);
        }
    }

    /// Whether objects of compiled code lie beyond the heap's limit.
    #[inline]
    fn is_exhausted(&self) -> bool {
        // SAFETY: the context outlives the engine.
        unsafe { (*self.ctx).is_exhausted() }
    }

    /// Panics if this is not the stack that the VM was entered on, if there is no room on it or on
    /// the shadow stack, or none in the heap for what compiled code has made already.
    #[inline]
    pub(crate) fn check_room(&self) {
        // SAFETY: the context outlives the engine.
        let ctx = unsafe { &*self.ctx };
        if !ctx.has_stack_at(stack::here()) || ctx.is_shadow_full() {
            self.no_room();
        }
    }

    #[cold]
    #[inline(never)]
    fn no_room(&self) {
        // SAFETY: the context outlives the engine, and no reference to it lives now.
        let ctx = unsafe { &mut *self.ctx };
        ctx.check_runs_at(stack::here());
        if stack::here() < ctx.own_stack_limit() || ctx.is_shadow_full() {
            StackExhausted::raise();
        }
        self.check_exhaustion();
    }

    /// In front of compiled code: panics if the heap is used up. The guest program has these words,
    /// which nothing else keeps alive.
    #[inline]
    pub(crate) fn check_exhaustion_with(&self, words: &[u64]) {
        if self.is_exhausted() {
            // SAFETY: the context is current.
            unsafe { rooted(self.ctx, words, |_| self.check_exhaustion()) }
        }
    }

    fn check_exhaustion(&self) {
        // SAFETY: the context is current.
        if unsafe { (*self.ctx).stays_exhausted() } {
            HeapExhausted::raise();
        }
    }

    /// A guard has failed, with these values: if the heap is used up, makes the guest's heap what
    /// it would be, and panics.
    pub(crate) fn exhausted_at(
        &self,
        guard: GuardId,
        site: &GuardSite,
        exit: &[u64],
        taken: Option<&Taken>,
    ) {
        // SAFETY: the context is current, and the words are rooted.
        if !self.is_exhausted() || !unsafe { (*self.ctx).stays_exhausted() } {
            return;
        }
        self.log_exit(guard, site, "is left because the heap is used up");
        self.flush(site, exit, taken);
        HeapExhausted::raise()
    }

    /// Makes the guest's heap what it would be at a guard where nothing goes on.
    pub(crate) fn flush(&self, site: &GuardSite, exit: &[u64], taken: Option<&Taken>) {
        if taken.is_some() {
            return;
        }
        // SAFETY: as for `rebuild`.
        if unsafe { flush(self.ctx, &self.linked.unit, &site.resume, exit) }.is_err() {
            self.raise_lost();
        }
    }

    /// Panics if the guest's heap can no longer be trusted.
    pub(crate) fn check_heap(&self) {
        if self.broken.get() {
            self.raise_lost();
        }
    }

    /// The system has refused memory where the heap's limit does not count: stores of the guest
    /// program may have been lost, and nothing runs in this VM any more.
    pub(crate) fn raise_lost(&self) -> ! {
        self.broken.set(true);
        HeapExhausted::raise()
    }
}
