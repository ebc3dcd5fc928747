//! Programs in Lua, made up. In: a tape. Out: their texts. Invariant: programs end. Loops have
//! constant bounds; a function calls those before it, closures call no functions that variables
//! hold, and recursion counts down, but for one that runs into the limit of the depth.
//!
//! What is printed depends neither on addresses nor on the order of hashing, nor on the sign of a
//! NaN, so that `lua5.4` prints the same.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod classes;
mod exprs;
mod faults;
pub mod polymorphic;
mod statements;
mod values;
mod writer;

use fuzz_tape::Tape;
use writer::Writer;

/// A program of all constructs, with a hot loop in `main`, which prints what it computes. Its
/// argument says how often that goes around.
pub fn program(tape: &mut Tape<'_>) -> String {
    Writer::new(tape).program(Writer::main)
}
