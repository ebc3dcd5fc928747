//! Recipe: generators. In: closures and registers. Out: generators. Invariant: a generator that is
//! not running has in `pc` where it goes on; one that runs or has ended has [`NOWHERE`] there.

use crate::closures::Closure;
use crate::interp::Registers;
use verdigris::prelude::*;

/// No instruction.
pub const NOWHERE: usize = usize::MAX;

// ANCHOR: generator
/// A call that can be left and entered again: its registers outlive the activation of the portal.
#[gc]
pub struct Generator {
    pub closure: Gc<Closure>,
    pub registers: Registers,
    pub pc: Cell<usize>,
}

/// Where a generator goes on. It is a constant behind this, and with it the code there.
pub fn enter(generator: Gc<Generator>) -> usize {
    let pc = promote(generator.pc.get());
    generator.pc.set(NOWHERE);
    pc
}
// ANCHOR_END: generator
