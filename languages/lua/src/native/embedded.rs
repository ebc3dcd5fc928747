//! Functions of the program that embeds the machine. In: arguments. Out: results, or a fault.
//! Invariant: such a function may do anything, so compiled code knows nothing behind its call that
//! it knew before.

use crate::embed;
use crate::fault::Fault;
use crate::value::{Args, Returned, Values, World};
use verdigris::prelude::*;

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
    embed::callback::run(world, id, args, depth)
}
