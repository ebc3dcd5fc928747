//! The compile budget's state, with random refusals for tests.

use std::cell::Cell;

/// One in this many requests for the budget is refused at random.
const REFUSALS: u64 = 4;

/// The state of the compile budget.
pub(crate) struct CompileBudget {
    /// Whether compiling waits because it has cost too much.
    pub(crate) is_waiting: Cell<bool>,
    /// The wall time before which compiling cannot go on. It waits for processor time, which passes
    /// no faster.
    pub(crate) waits_until: Cell<f64>,
    /// The state of the random generator; 0 if nothing is random.
    random: Cell<u64>,
}

impl CompileBudget {
    /// A budget with this seed for random changes; 0 for none.
    pub(crate) fn new(seed: u64) -> CompileBudget {
        CompileBudget {
            is_waiting: Cell::new(false),
            waits_until: Cell::new(0.0),
            random: Cell::new(seed),
        }
    }

    /// A random number, if `shuffles`.
    pub(crate) fn draw(&self, shuffles: bool) -> Option<u64> {
        if !shuffles {
            return None;
        }
        // Knuth's MMIX generator, of which the high bits are good.
        let next = self.random.get().wrapping_mul(6364136223846793005);
        let next = next.wrapping_add(1442695040888963407);
        self.random.set(next);
        Some(next >> 33)
    }

    /// Whether an affordable compilation is refused, this time.
    pub(crate) fn is_refused_at_random(&self, shuffles: bool) -> bool {
        let number = self.draw(shuffles);
        number.is_some_and(|number| number.is_multiple_of(REFUSALS))
    }
}
