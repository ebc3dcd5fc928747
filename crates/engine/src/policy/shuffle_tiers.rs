//! Random changes of tier, for tests, instead of those that depend on the clock
//! ([`crate::policy::tiers`]).
//!
//! Invariant: the same seed and guest program give the same changes.

use crate::code::jit_cells::Code;
use crate::engine::Engine;
use crate::params::Compiler;

/// One change of each kind in this many entries.
const CHANGES: u64 = 12;

impl Engine {
    /// After an entry: maybe suspends the code, or switches the compiler of its place.
    #[inline(never)]
    pub(crate) fn shuffle(&self, code: &Code) {
        let Some(number) = self.budget.draw(self.params.shuffle_tiers != 0) else {
            return;
        };
        let Some((cell, greens)) = self.code.place_with(code.tree) else {
            return;
        };
        match number % CHANGES {
            0 => self.suspend_entry(cell, &greens, number as u32 / 64 % 3),
            1 if self.params.compiler == Compiler::Auto && self.can_specialise() => {
                self.code.remove(cell, &greens, code.tree);
                let cell = &mut self.code.cells.borrow_mut()[cell];
                cell.is_specialised = !cell.is_specialised;
            }
            _ => {}
        }
    }
}
