//! Exhaustion of the heap or a stack: a panic at an exact state of the guest program.
//!
//! Invariant: code that catches it finds the guest's heap as the program left it, delayed stores
//! done, and may run on.
//!
//! Native code panics where it allocates. Compiled code allocates beyond the limit
//! ([`verdigris_heap`] says how far) and leaves at the end of the iteration, or at a call of the
//! portal; then the engine collects, and panics if there is still no room.

use crate::code::guard_info::GuardInfo;
use crate::code::roots::rooted;
use crate::engine::Engine;
use crate::observe::event::GuardExit;
use crate::policy::reasons::FreeReason;
use crate::run::stack;
use crate::run::virtualizable::owners::Taken;
use std::any::Any;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use verdigris_heap::{Context, HeapExhausted, StackExhausted, detector, handle_exhaustion};
use verdigris_resume::flush;
use verdigris_trace::GuardId;

/// The resource that is used up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExhaustedError {
    /// The heap has reached its limit.
    Heap,
    /// The guest program has recursed too deeply for the native stack.
    Stack,
}

impl ExhaustedError {
    /// The exhaustion that a panic payload stands for, if it does.
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
/// language. It looks for room on the stack first, so that protected calls within each other end as
/// well. Everything else that stops guest code, such as interrupts and other panics, passes
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
    let checked = AssertUnwindSafe(|| {
        check_room();
        f()
    });
    catch_unwind(checked).map_err(|payload| {
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

/// Panics if there is no room for guest code, on the stack or in the heap.
fn check_room() {
    // SAFETY: the current context is alive, and so is its engine if it has one.
    unsafe {
        let engine = Context::current().as_ref().map(|ctx| ctx.engine);
        if let Some(engine) = engine.and_then(|engine| engine.cast::<Engine>().as_ref()) {
            engine.check_room();
        }
    }
}

/// The heap was used up by code that has been stopped: collects its garbage. If that is too little,
/// frees compiled code, whose constants may be what fills the heap.
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
    /// Frees all compiled code, for the memory of its constants, and forgets the places that have
    /// none, for that of their greens. Not while the optimiser is at work, which may have called
    /// the function that runs out of memory.
    pub(crate) fn give_way(&self) {
        let _own = detector::own();
        if !self.pipeline.is_optimising() {
            self.free_all(FreeReason::HeapExhausted);
            self.code.cells.borrow_mut().forget_cold();
        }
    }

    /// Whether objects of compiled code lie beyond the heap's limit.
    #[inline]
    fn is_exhausted(&self) -> bool {
        // SAFETY: the context outlives the engine.
        unsafe { (*self.ctx).is_exhausted() }
    }

    /// Panics if this is not the stack that the VM was entered on, if that or the shadow stack is
    /// used up, or if the heap has no room for objects that compiled code has made already.
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

    /// Panics if the heap is used up, in front of compiled code. Keeps the objects among `words`
    /// alive.
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

    /// If the heap is used up, does the delayed stores of a failed guard, and panics.
    pub(crate) fn exhausted_at(
        &self,
        guard: GuardId,
        info: &GuardInfo,
        exit: &[u64],
        taken: Option<&Taken>,
    ) {
        // SAFETY: the context is current, and the words are rooted.
        if !self.is_exhausted() || !unsafe { (*self.ctx).stays_exhausted() } {
            return;
        }
        self.tell_exit(guard, info, GuardExit::HeapExhausted, None);
        self.flush(info, exit, taken);
        HeapExhausted::raise()
    }

    /// Does the delayed stores of a guard after which nothing continues.
    pub(crate) fn flush(&self, info: &GuardInfo, exit: &[u64], taken: Option<&Taken>) {
        if taken.is_some() {
            return;
        }
        // SAFETY: as for `rebuild`.
        if unsafe { flush(self.ctx, &self.program.unit, &info.resume, exit) }.is_err() {
            self.raise_lost();
        }
    }

    /// Panics if the guest's heap can no longer be trusted.
    pub(crate) fn check_heap(&self) {
        if self.run.broken.get() {
            self.raise_lost();
        }
    }

    /// The system has refused memory beyond the heap's limit: stores of the guest program may be
    /// lost, so nothing runs in this VM any more.
    pub(crate) fn raise_lost(&self) -> ! {
        self.run.broken.set(true);
        HeapExhausted::raise()
    }
}
