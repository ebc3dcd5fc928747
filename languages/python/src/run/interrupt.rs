//! Interrupts. In: the wish that a program is interrupted, which [`World::interrupted`] says. Out:
//! a `KeyboardInterrupt` where the program next comes to a call or to the end of a loop's turn.
//! Invariant: compiled code takes that field for a constant, so looking costs it nothing.

use crate::heap::exception::{self, Thrown};
use crate::heap::world::{World, classes};
use verdigris::{check_stack, prelude::*};

/// The exception, where there is such a wish, which is fulfilled by it.
#[opaque]
pub fn taken(world: Gc<World>) -> Thrown {
    world.interrupted.set(false);
    exception::make(world.classes[classes::KEYBOARD_INTERRUPT], world.no_items)
}

/// Looks whether there is such a wish, for native code that waits.
///
/// # Errors
/// The `KeyboardInterrupt` if so.
pub fn look(world: Gc<World>) -> Result<(), Thrown> {
    check_stack();
    match world.interrupted.get() {
        true => Err(taken(world)),
        false => Ok(()),
    }
}
