//! Programs in Python, made up. In: a tape. Out: their texts. Invariant: programs end. Loops have
//! bounds, lists that grow stop growing, integers that are kept are cut to a few hundred bits; a
//! function calls those before it, closures call no functions that variables hold, and recursion
//! counts down, but for one that runs into the limit of the depth.
//!
//! What is printed depends neither on addresses nor on the order of sets, nor on whether two equal
//! numbers are one object, so that CPython prints the same.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod blocks;
mod classes;
mod exprs;
mod faults;
mod forms;
mod functions;
mod statements;
mod writer;

use fuzz_tape::Tape;
use writer::Writer;

/// A program of all constructs, with a hot loop in `main`, which prints what it computes. Its
/// argument says how often that goes around.
pub fn program(tape: &mut Tape<'_>) -> String {
    Writer::new(tape).program()
}
