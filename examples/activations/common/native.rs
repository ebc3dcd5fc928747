//! The native function. In: what the embedder has set, and a number. Out: what it answers.
//! Invariant: the translator cannot know what it does, so compiled code takes it that it may do
//! anything.

use crate::frame;
use crate::program::Program;
use std::cell::Cell;
use verdigris::Gc;
use verdigris::prelude::opaque;

/// A native function: it is given a way to look at the registers of the function that has called
/// it, which answers nothing where looking is impossible, and its argument.
pub type Native = fn(look: &dyn Fn(usize) -> Option<i64>, i64) -> i64;

thread_local! {
    static NATIVE: Cell<Native> = const { Cell::new(|_, value| value) };
}

/// Runs `f` with this native function.
pub fn with_native<R>(native: Native, f: impl FnOnce() -> R) -> R {
    let before = NATIVE.replace(native);
    let result = f();
    NATIVE.set(before);
    result
}

#[opaque]
pub fn call(program: Gc<Program>, value: i64) -> i64 {
    let native = NATIVE.get();
    native(&|register| frame::look(program, register), value)
}
