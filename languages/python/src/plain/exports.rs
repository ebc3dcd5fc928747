//! Whether a bytearray may be resized. In: arrays. Out: that it may, or a `BufferError`. Invariant:
//! a program without views of bytearrays pays one comparison for it.

use crate::heap::exception::Thrown;
use crate::heap::export;
use crate::heap::world::{World, classes};
use crate::plain::fault;
use verdigris::{CollectScope, List, collect_garbage, prelude::*};

/// Looks whether an array may get another length.
///
/// # Errors
/// A `BufferError` if something looks at its bytes.
#[inline]
pub fn check(world: Gc<World>, array: Gc<List<u8>>) -> Result<(), Thrown> {
    match world.exports.is_empty() {
        true => Ok(()),
        false => look(world, array),
    }
}

#[opaque]
fn look(world: Gc<World>, array: Gc<List<u8>>) -> Result<(), Thrown> {
    if !export::has(world.exports, array) {
        return Ok(());
    }
    // A view that the program has dropped is there until it is collected.
    collect_garbage(CollectScope::All);
    if !export::has(world.exports, array) {
        return Ok(());
    }
    let message = "Existing exports of data: object cannot be re-sized";
    Err(fault::new(world, classes::BUFFER_ERROR, message))
}
