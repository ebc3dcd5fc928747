//! Calls of compiled code by compiled code: callee words, and the rest of a call that has left its
//! code.
//!
//! Invariant: a callee word holds the address of the code of its cell, 0 if the cell has none.

use crate::code::callee_words::Callee;
use crate::engine::Engine;
use crate::run::enter::{Next, Outcome};
use std::cell::Cell;
use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::rc::{Rc, Weak};
use verdigris_backend::{Callees, CodeExit};
use verdigris_heap::{Context, Panicked, detector, exec_call, result_word};
use verdigris_ops::FnInfo;

impl Callees for Engine {
    fn greens(&self) -> usize {
        self.program.greens.len()
    }

    fn code_of(&self, greens: &[u64]) -> u64 {
        let mut words = self.code.callees.words.borrow_mut();
        let known = words.get(greens).and_then(Weak::upgrade);
        let word = known.unwrap_or_else(|| {
            let address = self
                .code
                .find(greens)
                .map_or(0, |code| code.callee_address());
            let word = Rc::new(Cell::new(address));
            words.insert(greens.into(), Rc::downgrade(&word));
            word
        });
        let address = Rc::as_ptr(&word).expose_provenance() as u64;
        self.code.callees.wanted.borrow_mut().push(Callee {
            greens: greens.into(),
            _word: word,
        });
        address
    }

    fn entrance(&self, function: &FnInfo) -> Option<u64> {
        let run_thread = &self.program.unit.descrs.fns[self.program.run_thread];
        let is_it = function.invoke == run_thread.invoke;
        self.code.threaded.entrance().filter(|_| is_it)
    }
}

/// Completes a call of compiled code by compiled code that was left by this exit.
///
/// # Safety
///
/// `ctx` is the current context and has an engine; `exit` is a [`CodeExit`] that has just been
/// taken.
pub(crate) unsafe fn finish_call(ctx: *mut Context, exit: *const c_void) {
    // SAFETY: the caller's promise; the engine lives as long as its context is current.
    let (engine, exit) = unsafe { (&*(*ctx).engine.cast::<Engine>(), *exit.cast::<CodeExit>()) };
    let _own = detector::own();
    // No panic unwinds through compiled code.
    let result = catch_unwind(AssertUnwindSafe(|| engine.rest_of_call(exit)));
    // SAFETY: the caller's promise.
    unsafe {
        match result {
            Ok(words) => (&mut (*ctx).exits)[..words.len()].copy_from_slice(&words),
            Err(payload) => (*ctx).set_payload(payload),
        }
    }
}

impl Engine {
    /// The words of the portal's result, after an exit.
    fn rest_of_call(&self, exit: CodeExit) -> Vec<u64> {
        let next = self.leave(exit);
        self.run_to_return(next)
    }

    /// Follows an activation of the portal to its end. Returns the words of its result.
    pub(crate) fn run_to_return(&self, next: Next) -> Vec<u64> {
        match self.drive(next) {
            Outcome::Return(words) => words,
            Outcome::Resume(state) => self.interpret(&state),
            Outcome::Interpret => unreachable!("compiled code has been left"),
        }
    }

    /// Runs the native interpreter from a state of the merge point. Returns the words of its
    /// result.
    fn interpret(&self, state: &[u64]) -> Vec<u64> {
        let unit = &self.program.unit;
        let runner = unit.runner().expect("what calls the portal has a runner");
        // SAFETY: the context is current, and the words are a state of the merge point. They are in
        // use only until the portal has read them, before which nothing is allocated.
        unsafe {
            match exec_call(self.ctx, &unit.descrs.fns[runner], state) {
                Ok(first) => (0..self.program.result.len())
                    .map(|n| result_word(self.ctx, first, n))
                    .collect(),
                Err(Panicked) => {
                    let payload = (*self.ctx).take_payload();
                    resume_unwind(payload.expect("a thunk keeps the payload it catches"))
                }
            }
        }
    }
}
