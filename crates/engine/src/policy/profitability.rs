//! Whether entering the code of a tree pays.
//!
//! The interpreter takes three times as long for the same work, or longer, in most programs: so
//! code has saved twice the time that it ran, and cost the way in and the way out.

use std::cell::Cell;

/// The time that code saves, as a multiple of the time that it runs.
const GAIN: f64 = 2.0;

/// Entries between two decisions.
const ENTRIES: u32 = 256;

/// Seconds that entering takes, as `bench entries` measures it.
pub(crate) const ENTRY: f64 = 25e-9;

/// Seconds behind one exit that count at most: a thread that was interrupted there has not paid
/// more.
const MOST_LEAVING: f64 = 80e-6;

/// Refused bridges between two decisions.
const REFUSED: u32 = 64;

/// With a failure in this many seconds, leaving compiled code takes more than half of the time.
const OFTEN: f64 = 5e-6;

/// What a tree has cost and saved since the last decision.
#[derive(Default)]
pub(crate) struct Profitability {
    entries: Cell<u32>,
    /// Entries before the last decision.
    earlier: Cell<u64>,
    inside: Cell<f64>,
    /// Seconds inside before the last decision.
    earlier_inside: Cell<f64>,
    leaving: Cell<f64>,
    /// Failures since the last decision whose bridges had to wait, and when the first one was.
    refused: Cell<u32>,
    refused_since: Cell<f64>,
}

impl Profitability {
    /// Counts an entry of so many seconds. True if a decision is due.
    #[inline]
    pub(crate) fn entered(&self, inside: f64) -> bool {
        self.inside.set(self.inside.get() + inside);
        self.entries.set(self.entries.get() + 1);
        self.entries.get() >= ENTRIES
    }

    /// Counts an entry that is not measured: no decision hangs on it.
    #[inline]
    pub(crate) fn entered_aside(&self) {
        self.earlier.set(self.earlier.get() + 1);
    }

    /// Adds the seconds of an interrupted entry that has continued.
    pub(crate) fn went_on(&self, inside: f64) {
        self.inside.set(self.inside.get() + inside);
    }

    /// Adds the seconds to find the interpreter's state behind an exit that will never have a
    /// bridge.
    pub(crate) fn left(&self, leaving: f64) {
        self.leaving
            .set(self.leaving.get() + leaving.min(MOST_LEAVING));
    }

    /// A guard has failed whose bridge has to wait. True if guards fail so often that the
    /// interpreter is faster meanwhile. `now` is in seconds.
    pub(crate) fn refused(&self, now: f64) -> bool {
        let refused = self.refused.get();
        if refused == 0 {
            self.refused_since.set(now);
        }
        let is_due = refused >= REFUSED;
        self.refused.set(if is_due { 0 } else { refused + 1 });
        is_due && now - self.refused_since.get() < f64::from(REFUSED) * OFTEN
    }

    /// The number of entries so far.
    pub(crate) fn all_entries(&self) -> u64 {
        self.earlier.get() + u64::from(self.entries.get())
    }

    /// Seconds inside, in all entries so far.
    pub(crate) fn all_inside(&self) -> f64 {
        self.earlier_inside.get() + self.inside.get()
    }

    /// Whether the entries since the last call have saved more time than they cost. Starts over.
    pub(crate) fn pays(&self) -> bool {
        let entries = self.entries.replace(0);
        self.earlier.set(self.earlier.get() + u64::from(entries));
        let cost = f64::from(entries) * ENTRY + self.leaving.replace(0.0);
        let saved = self.inside.replace(0.0);
        (self.earlier_inside).set(self.earlier_inside.get() + saved);
        cost <= GAIN * saved
    }

    /// Seconds inside and behind exits since the last decision, for the log.
    pub(crate) fn seconds(&self) -> [f64; 2] {
        [self.inside.get(), self.leaving.get()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether entries pay that take so many seconds each, with this much to find the interpreter's
    /// state.
    fn pays(inside: f64, leaving: f64) -> bool {
        let account = Profitability::default();
        for _ in 1..ENTRIES {
            assert!(!account.entered(inside));
            account.left(leaving);
        }
        assert!(account.entered(inside));
        let pays = account.pays();
        account.entered(inside);
        assert_eq!(account.all_entries(), u64::from(ENTRIES) + 1);
        pays
    }

    #[test]
    fn code_has_to_save_more_than_its_entries_and_exits_take() {
        assert!(!pays(10e-9, 0.0));
        assert!(pays(15e-9, 0.0));
        assert!(!pays(500e-9, 1.2e-6));
        assert!(pays(1e-6, 1e-6));
    }

    #[test]
    fn code_rests_that_fails_all_the_time_while_its_bridges_wait() {
        let rests = |seconds: f64| {
            let account = Profitability::default();
            (0..=REFUSED).any(|n| account.refused(f64::from(n) * seconds))
        };
        assert!(rests(2e-6));
        assert!(!rests(20e-6));
    }
}
