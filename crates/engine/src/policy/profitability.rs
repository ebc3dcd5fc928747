//! Whether it is worth to enter the code of a tree. In: entries, how long they took, how long it
//! took to find the interpreter's state behind them. Out: which entries are measured, and a verdict
//! now and then. Invariant: a verdict is about what has been since the one before.
//!
//! The same work takes the interpreter at least twice as long, or compiling was of little use
//! anyway: so code has saved as much time as it ran, and it has cost the way in and the way out.

use crate::policy::meter::LONG;
use std::cell::Cell;

/// Entries between two verdicts.
const ENTRIES: u32 = 256;

/// Seconds that an entry takes beside what runs there: it was measured by `bench entries`.
pub(crate) const ENTRY: f64 = 25e-9;

/// As long as a tree had a long entry among so many, and in the beginning, all are measured.
const ALL_AFTER: u32 = 64;

/// Of others one in so many.
const SHARE: u32 = 16;

/// The golden ratio as a share of all numbers: its multiples are spread evenly, whatever comes in
/// turns.
const GOLDEN: u32 = 0x9e37_79b9;

/// What a tree has cost and saved since the last verdict.
#[derive(Default)]
pub(crate) struct Account {
    entries: Cell<u32>,
    /// Entries before the last verdict.
    earlier: Cell<u64>,
    /// Short entries since the last long one.
    short: Cell<u32>,
    inside: Cell<f64>,
    /// Seconds inside before the last verdict.
    earlier_inside: Cell<f64>,
    leaving: Cell<f64>,
}

/// What became of a tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    /// It is worth its entries.
    Worth,
    /// To interpret takes less time.
    Futile,
}

impl Account {
    /// For how many entries the next one counts, if it is measured.
    #[inline]
    pub(crate) fn weight(&self) -> Option<f64> {
        match self.short.get() {
            short if short < ALL_AFTER => Some(1.0),
            short if short.wrapping_mul(GOLDEN) < u32::MAX / SHARE => Some(f64::from(SHARE)),
            _ => None,
        }
    }

    /// Counts an entry, and what it has taken as far as it was measured, with this weight. True if
    /// a verdict is due.
    #[inline]
    pub(crate) fn entered(&self, inside: f64, weight: Option<f64>) -> bool {
        self.inside.set(self.inside.get() + inside);
        let is_long = inside >= LONG * weight.unwrap_or(1.0);
        self.short.set(match is_long {
            true => 0,
            false => self.short.get().wrapping_add(1).max(1),
        });
        self.entries.set(self.entries.get() + 1);
        self.entries.get() >= ENTRIES
    }

    /// An entry that was interrupted has gone on for so long.
    pub(crate) fn went_on(&self, inside: f64) {
        self.inside.set(self.inside.get() + inside);
    }

    /// What it has taken to find the interpreter's state behind an exit that will never lead on.
    pub(crate) fn left(&self, leaving: f64) {
        self.leaving.set(self.leaving.get() + leaving);
    }

    /// All entries so far.
    pub(crate) fn all_entries(&self) -> u64 {
        self.earlier.get() + u64::from(self.entries.get())
    }

    /// Seconds inside in all entries so far.
    pub(crate) fn all_inside(&self) -> f64 {
        self.earlier_inside.get() + self.inside.get()
    }

    /// The verdict. The account starts over.
    pub(crate) fn verdict(&self) -> Verdict {
        let entries = self.entries.replace(0);
        self.earlier.set(self.earlier.get() + u64::from(entries));
        let cost = f64::from(entries) * ENTRY + self.leaving.replace(0.0);
        let saved = self.inside.replace(0.0);
        (self.earlier_inside).set(self.earlier_inside.get() + saved);
        match cost > saved {
            true => Verdict::Futile,
            false => Verdict::Worth,
        }
    }

    /// Seconds inside and behind exits since the last verdict, for the log.
    pub(crate) fn seconds(&self) -> [f64; 2] {
        [self.inside.get(), self.leaving.get()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The verdict about entries that take so many seconds each, with this much to find the
    /// interpreter's state.
    fn verdict(inside: f64, leaving: f64) -> Verdict {
        let account = Account::default();
        for _ in 1..ENTRIES {
            assert!(!account.entered(inside, Some(1.0)));
            account.left(leaving);
        }
        assert!(account.entered(inside, Some(1.0)));
        let verdict = account.verdict();
        account.entered(inside, None);
        assert_eq!(account.all_entries(), u64::from(ENTRIES) + 1);
        verdict
    }

    #[test]
    fn code_has_to_save_more_than_its_entries_and_exits_take() {
        assert_eq!(verdict(10e-9, 0.0), Verdict::Futile);
        assert_eq!(verdict(50e-9, 0.0), Verdict::Worth);
        assert_eq!(verdict(500e-9, 1e-6), Verdict::Futile);
        assert_eq!(verdict(2e-6, 1e-6), Verdict::Worth);
    }

    #[test]
    fn a_part_of_short_entries_is_measured() {
        let account = Account::default();
        let mut weights = 0.0;
        for n in 0..16_000 {
            let weight = account.weight();
            assert!(n >= ALL_AFTER || weight == Some(1.0));
            // Another tree is entered in between: it does not matter which ones.
            weights += weight.unwrap_or(0.0);
            account.entered(50e-9 * weight.unwrap_or(0.0), weight);
        }
        assert!((15_500.0..16_500.0).contains(&weights), "{weights}");
        account.entered(1.0, Some(16.0));
        for _ in 0..1000 {
            assert_eq!(
                account.weight(),
                Some(1.0),
                "long ones stand for themselves"
            );
            account.entered(1.5 * LONG, Some(1.0));
        }
    }
}
