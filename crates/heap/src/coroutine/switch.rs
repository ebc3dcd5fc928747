//! Going from one native stack to another, with everything in the context that belongs to one.
//!
//! Invariant: what resumes a coroutine changes the state of the context, before and after, so that
//! no code of the guest runs with that of another stack. Compiled code that waits keeps
//! nothing to itself that code on the other stack may look at.

use crate::context::Context;
use crate::context::claim::give_up_everything;
use crate::context::native_stack::{runs_on, with_registers_here};
use crate::coroutine::table::{CoroutineStatus, Head, StackState};
use crate::detector;
use std::any::Any;

/// The payload of the panic that ends a coroutine which nothing refers to any more. Let it pass: a
/// function that catches it and goes on is stopped again where it next yields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CoroutineUnwound;

/// Runs `run`, which switches to the stack of a coroutine and back.
///
/// # Safety
/// `ctx` is the current context, on its own stack; the coroutine is suspended, and `run` does what
/// it should and does not unwind.
#[inline(never)]
pub(crate) unsafe fn on_stack_of<R>(
    ctx: *mut Context,
    head: *mut Head,
    run: impl FnOnce() -> R,
) -> R {
    // SAFETY: the caller's promise; no reference to parts of the context lives while `run` does.
    with_registers_here(|top| unsafe {
        let outer = (*ctx).coroutines.running;
        if let Some(outer) = outer.as_ref() {
            outer.status.set(CoroutineStatus::Normal);
        }
        (*head).status.set(CoroutineStatus::Running);
        (*head).outer.set(outer);
        (*head).top.set(top);
        let state = (*head).state.get();
        (*ctx).coroutines.ran(&*head);
        (*ctx).coroutines.lend_shadow(&mut (*state).shadow);
        (*ctx).exchange(&mut *state);
        (*ctx).coroutines.running = head;
        if let Some(switch) = (*ctx).switch_stack {
            switch(ctx, &mut (*state).engine);
        }
        let outer_stack = runs_on(((*head).stack.start, (*head).stack.end));
        let result = run();
        runs_on(outer_stack);
        if let Some(switch) = (*ctx).switch_stack {
            switch(ctx, &mut (*state).engine);
        }
        (*ctx).exchange(&mut *state);
        (*ctx).coroutines.running = outer;
        (*ctx)
            .coroutines
            .take_shadow(&mut (*state).shadow, &(*head).stack);
        (*head).outer.set(std::ptr::null_mut());
        (*head).status.set(CoroutineStatus::Suspended);
        if let Some(outer) = outer.as_ref() {
            outer.status.set(CoroutineStatus::Running);
        }
        result
    })
}

/// Runs `run`, which switches from the stack of the coroutine that runs to what has resumed it, and
/// back.
///
/// # Safety
/// The coroutine runs, and `run` does what it should.
#[inline(never)]
pub(crate) unsafe fn off_stack_of<R>(head: *mut Head, run: impl FnOnce() -> R) -> R {
    with_registers_here(|top| {
        // The resumer's is not needed any more: nothing can collect until it has gone on. SAFETY:
        // the caller's promise.
        unsafe { (*head).top.set(top) };
        run()
    })
}

impl Context {
    /// Exchanges what belongs to the current stack for what belongs to another.
    #[inline]
    fn exchange(&mut self, state: &mut StackState) {
        std::mem::swap(&mut self.stack, &mut state.entered);
        std::mem::swap(&mut self.suspended, &mut state.suspended);
        std::mem::swap(&mut self.shadow, &mut state.shadow);
        self.show_stack_limit();
    }

    /// Whether there are coroutines that have not ended.
    pub fn has_coroutines(&self) -> bool {
        self.coroutines.all().next().is_some()
    }

    /// Coroutines that are made from now on have this many bytes of native stack.
    pub fn set_coroutine_stack(&mut self, bytes: usize) {
        self.coroutines.pool.set_size(bytes);
    }

    /// The context is about to be dropped: frees the stacks of coroutines that have not been
    /// unwound.
    pub(crate) fn abandon_coroutines(&mut self) {
        while let Some(head) = { self.coroutines.all().next() } {
            // SAFETY: a coroutine of this context, which does not run: no code does.
            unsafe { free(self, head) };
        }
    }

    /// Ends all coroutines that have not ended. Panics of their code are dropped.
    ///
    /// # Safety
    /// `ctx` is the current context, which is about to be dropped, and none of its coroutines runs.
    pub unsafe fn unwind_coroutines(ctx: *mut Context) {
        // SAFETY: the caller's promise. One that is unwound may make others.
        unsafe {
            while let Some(head) = { (*ctx).coroutines.all().next() } {
                (*head).holder.set(0);
                drop(end(ctx, head));
            }
        }
    }
}

/// What a switch needs of whatever leaves the current stack.
///
/// # Safety
/// `ctx` is the current context.
///
/// # Panics
/// If this is not the stack that the context is on, or if the heap is exhausted.
#[inline]
pub(crate) unsafe fn prepare(ctx: *mut Context) {
    // SAFETY: the caller's promise.
    unsafe { (*ctx).check_runs_here() };
    give_up_everything(ctx);
}

/// Unwinds the coroutines that nothing refers to any more.
///
/// # Safety
/// `ctx` is the current context.
#[inline]
pub(crate) unsafe fn end_abandoned(ctx: *mut Context) {
    // SAFETY: the caller's promise.
    unsafe {
        while let Some(head) = { (*ctx).coroutines.next_abandoned() } {
            prepare(ctx);
            drop(end(ctx, head));
        }
    }
}

/// Unwinds a suspended coroutine and frees it. Returns with what it has panicked, if it has.
///
/// # Safety
/// `ctx` is the current context; the coroutine is suspended.
#[cold]
pub(crate) unsafe fn end(ctx: *mut Context, head: *mut Head) -> Result<(), Box<dyn Any + Send>> {
    // SAFETY: the caller's promise.
    unsafe {
        (*head).unwinds.set(true);
        let result = ((*head).operations.unwind)(head);
        free(ctx, head);
        result
    }
}

/// Frees a coroutine that has ended.
///
/// # Safety
/// It is one of this context, and does not run.
pub(crate) unsafe fn free(ctx: *mut Context, head: *mut Head) {
    let _own = detector::own();
    // SAFETY: the caller's promise.
    unsafe {
        (*ctx).coroutines.remove((*head).number);
        ((*head).operations.free)(head);
    }
}
