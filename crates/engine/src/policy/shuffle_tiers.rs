//! Changes of tier at random, for tests: what the clock decides otherwise ([`crate::policy::tiers`]). In:
//! entries of compiled code, questions whether something may be compiled. Out: code that rests,
//! places that go over to the other compiler, refusals. Invariant: the same seed and the same guest
//! program give the same changes.

use crate::code::jit_cells::Code;
use crate::engine::Engine;
use crate::params::Compiler;

/// After so many entries, one change of each kind.
const CHANGES: u64 = 12;

impl Engine {
    /// Code was entered, and left: maybe it is not entered the next time, or it is the other
    /// compiler's turn.
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
