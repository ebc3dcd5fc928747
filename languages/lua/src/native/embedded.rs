//! Functions of the program that embeds the machine. In: arguments. Out: results, or a fault.
//! Invariants: such a function may do anything, so compiled code knows nothing behind its call that
//! it knew before; what it is, the interpreter does not know.

use crate::fault::{self, Fault};
use crate::value::{Args, Returned, Values, World};
use std::sync::OnceLock;
use verdigris::prelude::*;

/// Calls a function by its number, at this depth of calls.
pub type Runner = fn(Gc<World>, usize, Args, i64) -> Result<Returned, Gc<Fault>>;

static RUNNER: OnceLock<Runner> = OnceLock::new();

/// Says what calls the embedder's functions. The first one counts.
pub fn set_runner(runner: Runner) {
    RUNNER.get_or_init(|| runner);
}

/// Calls a function of the embedder.
#[opaque]
pub fn call(
    world: Gc<World>,
    id: usize,
    values: Values,
    first: usize,
    count: usize,
    depth: i64,
) -> Result<Returned, Gc<Fault>> {
    let args = Args {
        values,
        first,
        count,
    };
    match RUNNER.get() {
        Some(run) => run(world, id, args, depth),
        None => Err(fault::message("no machine has this function")),
    }
}
