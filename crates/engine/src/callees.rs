//! Calls of compiled code by compiled code. In: greens that a trace calls the portal with. Out: a word that leads to their code,
//! and what remains to be done of a call that left that code. Invariant: a word holds the address of the code that a cell has, 0
//! if it has none.

use crate::enter::{Next, Outcome};
use crate::state::Engine;
use crate::state::callee_words::Callee;
use std::cell::Cell;
use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::rc::{Rc, Weak};
use verdigris_backend::{Callees, Exit};
use verdigris_heap::{Context, Panicked, detector, exec_call, result_word};
use verdigris_ops::FnInfo;

impl Callees for Engine {
    fn greens(&self) -> usize {
        self.linked.greens.len()
    }

    fn code_of(&self, greens: &[u64]) -> u64 {
        let mut words = self.callees.words.borrow_mut();
        let known = words.get(greens).and_then(Weak::upgrade);
        let word = known.unwrap_or_else(|| {
            let address = self.code(greens).map_or(0, |code| code.callee_address());
            let word = Rc::new(Cell::new(address));
            words.insert(greens.into(), Rc::downgrade(&word));
            word
        });
        let address = Rc::as_ptr(&word).expose_provenance() as u64;
        self.callees.wanted.borrow_mut().push(Callee {
            greens: greens.into(),
            _word: word,
        });
        address
    }

    fn entrance(&self, function: &FnInfo) -> Option<u64> {
        let run_thread = &self.linked.unit.descrs.fns[self.linked.run_thread];
        let is_it = function.invoke == run_thread.invoke;
        let common = self.threads.common.get().filter(|_| is_it)?;
        Some((&raw const common.entrance).expose_provenance() as u64)
    }
}

/// Code that compiled code has called was left by this exit: does the rest of the call.
///
/// # Safety
/// `ctx` is the current context and has an engine; `exit` is an [`Exit`] that has just been taken.
pub(crate) unsafe fn finish_call(ctx: *mut Context, exit: *const c_void) {
    // SAFETY: the caller's promise; the engine lives as long as its context is current.
    let (engine, exit) = unsafe { (&*(*ctx).engine.cast::<Engine>(), *exit.cast::<Exit>()) };
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
    fn rest_of_call(&self, exit: Exit) -> Vec<u64> {
        let next = self.leave(exit);
        match self.drive(next) {
            Outcome::Return(words) => words,
            Outcome::Resume(state) => self.interpret(&state),
            Outcome::Interpret => unreachable!("compiled code has been left"),
        }
    }

    /// Runs the portal from a state of the merge point. Gives the words of its result.
    pub(crate) fn run_from(&self, state: Vec<u64>) -> Vec<u64> {
        self.check_room();
        self.check_heap();
        match self.drive(Next::Thread(state)) {
            Outcome::Return(words) => words,
            Outcome::Resume(state) => self.interpret(&state),
            Outcome::Interpret => unreachable!("compiled code has been left"),
        }
    }

    /// Runs the native interpreter from a state of the merge point. Gives the words of its result.
    fn interpret(&self, state: &[u64]) -> Vec<u64> {
        let unit = &self.linked.unit;
        let runner = unit.runner().expect("what calls the portal has a runner");
        // SAFETY: the context is current, and the words are a state of the merge point. They are in use only until the portal has
        // read them, before which nothing is allocated.
        unsafe {
            match exec_call(self.ctx, &unit.descrs.fns[runner], state) {
                Ok(first) => (0..self.linked.result.len())
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
