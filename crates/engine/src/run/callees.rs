//! Calls of compiled code by compiled code, and what threaded code asks the engine for. In: greens
//! that code calls the portal with, or goes on with. Out: a word that leads to their code, or their
//! record; what remains to be done of a call that left that code. Invariant: a word holds the
//! address of the code that a cell has, 0 if it has none.

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
        let common = self.threads.begun().filter(|_| is_it)?;
        Some((&raw const common.entrance).expose_provenance() as u64)
    }
}

/// Code that compiled code has called was left by this exit: does the rest of the call.
///
/// # Safety
/// `ctx` is the current context and has an engine; `exit` is an [`CodeExit`] that has just been taken.
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

/// What compiled code calls to find the record of a place: it takes the greens.
///
/// # Safety
/// `ctx` is the current context, exposed as a number; `greens` are as many words as the merge point
/// has greens.
pub(crate) unsafe extern "C" fn record_of(ctx: usize, greens: *const u64) -> u64 {
    let ctx = std::ptr::with_exposed_provenance_mut::<Context>(ctx);
    // SAFETY: the caller's promise; the engine lives as long as its context is current.
    let engine = unsafe { &*(*ctx).engine.cast::<Engine>() };
    // SAFETY: the caller's promise.
    let greens = unsafe { std::slice::from_raw_parts(greens, engine.linked.greens.len()) };
    match engine.threads.short(greens) {
        Some(record) => record,
        None => {
            let _own = detector::own();
            let thread = engine.thread(greens);
            engine.threads.shorten(thread)
        }
    }
}

/// What compiled code calls where it cannot call threaded code: it takes the greens, their record
/// and the reds, and runs the portal from there.
///
/// # Safety
/// As [`record_of`]; `words` are as many as there are greens and reds, and one more.
pub(crate) unsafe extern "C" fn run_thread(ctx: usize, words: *const u64) -> u64 {
    let ctx = std::ptr::with_exposed_provenance_mut::<Context>(ctx);
    let _own = detector::own();
    // SAFETY: the caller's promise.
    let (engine, words) = unsafe {
        let engine = &*(*ctx).engine.cast::<Engine>();
        let greens = engine.linked.greens.len();
        let len = greens + 1 + engine.linked.reds.len();
        (engine, std::slice::from_raw_parts(words, len))
    };
    let greens = engine.linked.greens.len();
    let state = [&words[..greens], &words[greens + 1..]].concat();
    // No panic unwinds through compiled code.
    let result = catch_unwind(AssertUnwindSafe(|| engine.run_from(state)));
    // SAFETY: the context is current; no other reference to its fields lives now.
    unsafe {
        match result {
            Ok(words) => {
                let results = &mut (*ctx).results;
                results[..words.len()].copy_from_slice(&words);
                words.first().copied().unwrap_or(0)
            }
            Err(payload) => {
                (*ctx).set_payload(payload);
                0
            }
        }
    }
}

impl Engine {
    /// The words of the portal's result, after an exit.
    fn rest_of_call(&self, exit: CodeExit) -> Vec<u64> {
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
        // SAFETY: the context is current, and the words are a state of the merge point. They are in
        // use only until the portal has read them, before which nothing is allocated.
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
