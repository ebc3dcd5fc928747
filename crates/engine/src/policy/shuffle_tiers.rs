//! Changes of tier at random, for tests: what the clock decides otherwise
//! ([`crate::policy::tiers`]). In: entries of compiled code, questions whether something may be
//! compiled. Out: code that rests, places that go over to the other compiler, refusals. Invariant:
//! the same seed and the same guest program give the same changes.

use crate::code::jit_cells::Code;
use crate::engine::Engine;
use crate::params::Compiler;

/// In so many questions one is refused.
const REFUSALS: u64 = 4;

/// After so many entries, one change of each kind.
const CHANGES: u64 = 12;

impl Engine {
    /// A random number, if there is a seed.
    fn draw(&self) -> Option<u64> {
        if self.params.shuffle_tiers == 0 {
            return None;
        }
        // Knuth's MMIX generator, of which the high bits are good.
        let next = self.shuffled.get().wrapping_mul(6364136223846793005);
        let next = next.wrapping_add(1442695040888963407);
        self.shuffled.set(next);
        Some(next >> 33)
    }

    /// Whether something that could be compiled is not, this time.
    pub(crate) fn is_refused_at_random(&self) -> bool {
        self.draw()
            .is_some_and(|number| number.is_multiple_of(REFUSALS))
    }

    /// Code was entered, and left: maybe it is not entered the next time, or it is the other
    /// compiler's turn.
    #[inline(never)]
    pub(crate) fn shuffle(&self, code: &Code) {
        let Some(number) = self.draw() else { return };
        let Some((cell, greens)) = self.place_with(code.tree) else {
            return;
        };
        match number % CHANGES {
            0 => self.rest(cell, &greens, number as u32 / 64 % 3),
            1 if self.params.compiler == Compiler::Auto && self.can_specialise() => {
                self.drop_code(cell, &greens, code.tree);
                let settled = &mut self.cells.borrow_mut()[cell].settled;
                *settled = !*settled;
            }
            _ => {}
        }
    }
}
