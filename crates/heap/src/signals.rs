//! Stopping a VM from outside. In: [`Signals::raise`], from any thread and at any time. Out: the next back edge of the guest program
//! goes to the engine, which asks [`Signals::take`]. Invariant: a signal that was raised is taken once, and none is lost.
//!
//! Native code pays nothing for it: it looks into the table of counters at every back edge anyway, and while a signal is up,
//! that is a table in which all have run out. Compiled code looks at a word.

use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, AtomicU16, AtomicU64, Ordering};

/// Slots of a table of counters.
pub const COUNTER_SLOTS: usize = 1 << 13;

/// A table in which every counter has run out. Nobody writes to it.
static RUN_OUT: [AtomicU16; COUNTER_SLOTS] = [const { AtomicU16::new(0) }; COUNTER_SLOTS];

/// What other threads may touch of a VM.
#[derive(Debug, Default)]
pub struct Signals {
    /// Not 0 while a signal waits to be taken.
    raised: AtomicU64,
    /// The counters of each kind of [`Pass`](crate::Pass); null if there are none.
    counters: [AtomicPtr<u16>; 2],
}

impl Signals {
    /// Sends the guest program to the engine at its next back edge.
    pub fn raise(&self) {
        // In this order: whoever finds all counters run out finds the signal too.
        self.raised.store(1, Ordering::SeqCst);
        self.lead_in();
    }

    /// Sends the guest program to the engine at its next pass of a merge point, without a signal.
    pub fn lead_in(&self) {
        let run_out = RUN_OUT.as_ptr().cast_mut().cast();
        for counters in &self.counters {
            counters.store(run_out, Ordering::SeqCst);
        }
    }

    /// Whether a signal was raised since the last time. From now on `counters` are used again.
    #[inline]
    pub fn take(&self, counters: [*mut u16; 2]) -> bool {
        if !self.is_raised() && self.counters() == counters {
            return false;
        }
        self.take_raised(counters)
    }

    #[cold]
    #[inline(never)]
    fn take_raised(&self, counters: [*mut u16; 2]) -> bool {
        // In this order: a signal that is raised in between is seen now or at the next back edge, maybe without effect then.
        for (kept, now) in self.counters.iter().zip(counters) {
            kept.store(now, Ordering::SeqCst);
        }
        self.raised.swap(0, Ordering::SeqCst) != 0
    }

    /// Whether a signal waits to be taken.
    #[inline(always)]
    pub fn is_raised(&self) -> bool {
        self.raised.load(Ordering::Relaxed) != 0
    }

    /// The tables that native code counts in: [`COUNTER_SLOTS`] slots, or null.
    #[inline(always)]
    pub(crate) fn counters(&self) -> [*mut u16; 2] {
        [0, 1].map(|n: usize| self.counters[n].load(Ordering::Relaxed))
    }

    /// The word that compiled code looks at.
    pub(crate) fn word(&self) -> *const AtomicU64 {
        &raw const self.raised
    }

    /// No signal, and no counters.
    pub(crate) const fn new() -> Signals {
        Signals {
            raised: AtomicU64::new(0),
            counters: [const { AtomicPtr::new(null_mut()) }; 2],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signal_is_taken_once() {
        let signals = Signals::new();
        let mut counters = [7u16; 2];
        let counters = [counters.as_mut_ptr(); 2];
        assert!(!signals.take(counters));
        assert_eq!(signals.counters(), counters);
        signals.raise();
        signals.raise();
        assert!(signals.is_raised() && signals.counters() != counters);
        assert!(signals.take(counters));
        assert_eq!(signals.counters(), counters);
        assert!(!signals.take(counters) && !signals.is_raised());
    }

    #[test]
    fn none_is_lost_between_threads() {
        let signals = Signals::new();
        let mut counters = [7u16; 2];
        let counters = [counters.as_mut_ptr(); 2];
        for _ in 0..200 {
            std::thread::scope(|scope| {
                let raiser = scope.spawn(|| signals.raise());
                let mut taken = 0;
                while !raiser.is_finished() {
                    taken += u32::from(signals.take(counters));
                }
                // What native code sees from now on leads it here again, if need be.
                taken += u32::from(signals.take(counters));
                assert_eq!(taken, 1);
                assert_eq!(signals.counters(), counters);
            });
        }
    }
}
