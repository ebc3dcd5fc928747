//! Stopping a VM from another thread, or for a moment. [`Signals::raise`], [`Signals::ask`] and
//! [`Signals::raise_sample`] send the guest program to the engine at its next back edge. That calls
//! [`Signals::take`], [`Signals::take_question`] and [`Signals::take_sample`]. A signal is taken
//! once, and none is lost.
//!
//! Native code pays nothing for it: it looks into the table of counters at every back edge anyway,
//! and while a signal is up, that is a table in which all have run out. Compiled code looks at a
//! word.

use crate::context::state::EntryKind;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU16, AtomicU64, Ordering};

/// Slots of a table of counters.
pub const COUNTER_SLOTS: usize = 1 << 13;

/// A table in which every counter has run out. It is never written.
static RUN_OUT: [AtomicU16; COUNTER_SLOTS] = [const { AtomicU16::new(0) }; COUNTER_SLOTS];

/// The address that no table is at: the only one that is negative, as a signed number.
const NOTED: usize = 1 << (usize::BITS - 1);

/// The guest program is to stop.
const STOP: u64 = 1;

/// A sample waits for the engine.
const SAMPLE: u64 = 2;

/// The engine is to say what the guest program has done so far.
const QUESTION: u64 = 4;

/// The part of a VM that other threads and signal handlers may touch.
#[derive(Debug, Default)]
pub struct Signals {
    /// Not 0 while a signal waits to be taken: [`STOP`], [`SAMPLE`], [`QUESTION`].
    raised: AtomicU64,
    /// Whether the collector is at work.
    collecting: AtomicBool,
    /// The counters of each kind of [`EntryKind`]; null if there are none.
    counters: [AtomicPtr<u16>; 2],
}

impl Signals {
    /// Sends the guest program to the engine at its next back edge.
    pub fn raise(&self) {
        // In this order, so that the signal is seen where all counters have run out.
        self.raised.fetch_or(STOP, Ordering::SeqCst);
        self.lead_in();
    }

    /// The same for a question.
    pub fn ask(&self) {
        self.raised.fetch_or(QUESTION, Ordering::SeqCst);
        self.lead_in();
    }

    /// The same for a sample.
    pub fn raise_sample(&self) {
        self.raised.fetch_or(SAMPLE, Ordering::SeqCst);
        self.lead_in();
    }

    /// The table in which every counter has run out: native code that counts in it always goes to
    /// the engine.
    pub fn run_out() -> *mut u16 {
        RUN_OUT.as_ptr().cast_mut().cast()
    }

    /// What stands for a table of counters of calls while calls are noted
    /// ([`Activations`](crate::Activations)) before they are counted.
    pub fn noted() -> *mut u16 {
        std::ptr::without_provenance_mut(NOTED)
    }

    /// Whether that is what this stands for.
    #[inline(always)]
    pub(crate) fn is_noted(counters: *mut u16) -> bool {
        // One look tells null, a table, and this.
        counters.addr().cast_signed() < 0
    }

    /// Sends the guest program to the engine at its next pass of a merge point, without a signal.
    pub fn lead_in(&self) {
        for counters in &self.counters {
            counters.store(Self::run_out(), Ordering::SeqCst);
        }
    }

    /// Whether [`Signals::raise`] was called since the last time. From now on `counters` are used
    /// again, unless something else waits.
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
        // In this order: a signal that is raised in between is seen now or at the next back edge,
        // maybe without effect then.
        for (kept, now) in self.counters.iter().zip(counters) {
            kept.store(now, Ordering::SeqCst);
        }
        let before = self.raised.fetch_and(!STOP, Ordering::SeqCst);
        if before & !STOP != 0 {
            self.lead_in();
        }
        before & STOP != 0
    }

    /// Whether [`Signals::ask`] was called since the last time. The counters are used again after
    /// the next [`Signals::take`].
    #[inline]
    pub fn take_question(&self) -> bool {
        self.raised.load(Ordering::Relaxed) & QUESTION != 0
            && self.raised.fetch_and(!QUESTION, Ordering::SeqCst) & QUESTION != 0
    }

    /// Whether [`Signals::raise_sample`] was called since the last time. The counters are used
    /// again after the next [`Signals::take`].
    #[inline]
    pub fn take_sample(&self) -> bool {
        self.has_sample() && self.raised.fetch_and(!SAMPLE, Ordering::SeqCst) & SAMPLE != 0
    }

    /// Whether a signal waits to be taken.
    #[inline(always)]
    pub fn is_raised(&self) -> bool {
        self.raised.load(Ordering::Relaxed) != 0
    }

    /// Whether the guest program is to stop.
    #[inline]
    pub fn is_stopping(&self) -> bool {
        self.raised.load(Ordering::Relaxed) & STOP != 0
    }

    /// Whether a sample waits.
    #[inline]
    pub fn has_sample(&self) -> bool {
        self.raised.load(Ordering::Relaxed) & SAMPLE != 0
    }

    /// Whether the collector is at work.
    pub fn is_collecting(&self) -> bool {
        self.collecting.load(Ordering::Relaxed)
    }

    /// The collector starts, or has ended.
    pub(crate) fn set_collecting(&self, is_at_work: bool) {
        self.collecting.store(is_at_work, Ordering::Relaxed);
    }

    /// The table that native code counts in: [`COUNTER_SLOTS`] slots, or null.
    #[inline(always)]
    pub(crate) fn counters_of(&self, pass: EntryKind) -> *mut u16 {
        self.counters[pass as usize].load(Ordering::Relaxed)
    }

    /// The tables of both kinds.
    fn counters(&self) -> [*mut u16; 2] {
        [EntryKind::BackEdge, EntryKind::Function].map(|pass| self.counters_of(pass))
    }

    /// The word that compiled code looks at.
    pub(crate) fn word(&self) -> *const AtomicU64 {
        &raw const self.raised
    }

    /// No signal, and no counters.
    pub(crate) const fn new() -> Signals {
        Signals {
            raised: AtomicU64::new(0),
            collecting: AtomicBool::new(false),
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
    fn a_sample_stops_nothing_and_waits_for_whoever_takes_it() {
        let signals = Signals::new();
        let mut counters = [7u16; 2];
        let counters = [counters.as_mut_ptr(); 2];
        signals.take(counters);
        signals.raise_sample();
        assert!(signals.is_raised() && signals.has_sample() && !signals.is_stopping());
        assert!(!signals.take(counters), "that is no wish to stop");
        assert_eq!(
            signals.counters(),
            [Signals::run_out(); 2],
            "it still waits"
        );
        signals.raise();
        assert!(signals.take(counters) && signals.has_sample());
        assert!(signals.take_sample() && !signals.take_sample());
        assert!(!signals.take(counters));
        assert_eq!(signals.counters(), counters);
    }

    #[test]
    fn a_question_stops_nothing_and_is_answered_once() {
        let signals = Signals::new();
        let mut counters = [7u16; 2];
        let counters = [counters.as_mut_ptr(); 2];
        signals.ask();
        assert!(signals.is_raised() && !signals.is_stopping() && !signals.has_sample());
        assert!(!signals.take(counters), "that is no wish to stop");
        assert_eq!(signals.counters(), [Signals::run_out(); 2]);
        assert!(signals.take_question() && !signals.take_question());
        assert!(!signals.take(counters));
        assert_eq!(signals.counters(), counters);
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
