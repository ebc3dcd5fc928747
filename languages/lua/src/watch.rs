//! What looks at a program from outside while it runs: interrupts. In: a wish. Out: a fault where
//! the program is. Invariant: a program that is not looked at pays nothing in compiled code, where
//! [`World::watched`] is a constant; a wish takes it back, and compiled code is left where it next
//! looks for signals.

use crate::fault::{self, Fault};
use crate::string::LuaStr;
use crate::value::{Value, World};
use verdigris::prelude::*;

/// The program gets an error as soon as it comes to a call or to the end of a loop's turn.
pub fn interrupt(world: Gc<World>) {
    world.interrupted.set(true);
    world.watched.set(true);
}

/// Looks what is wished, at a call or at the end of a loop's turn.
#[opaque]
pub fn look(world: Gc<World>) -> Result<(), Gc<Fault>> {
    if world.interrupted.replace(false) {
        world.watched.set(false);
        return Err(interrupted());
    }
    Ok(())
}

/// The fault of an interrupt. It has the place of the function that has called the one which was
/// interrupted, as in the reference.
fn interrupted() -> Gc<Fault> {
    fault::raised(Value::Str(LuaStr::new(b"interrupted!")), 2)
}
