//! What the JIT of one VM does, and how long it takes. In: what the engine does, as it does it.
//! Out: [`Stats`], and the [`Balance`] of what compiling has cost and what there was to gain.
//! Invariant: seconds are exclusive: time in a phase that was started within another (a trace
//! within a residual call of a trace) is counted once, for the inner phase.
//!
//! To look at the clock twice takes as long as to enter compiled code, so of many short entries
//! only a part is measured, and counts for the others ([`crate::policy::profitability`] decides
//! which). What takes long stands for itself.

use crate::observe::stats::{CompilerStats, Maker, OpCounts, Stats};
use crate::policy::profitability::ENTRY;
use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Instant;
use verdigris_opt::Remark;
use verdigris_specialise::LeaveReason;

/// An entry that takes more seconds stands for no others.
pub(crate) const LONG: f64 = 10e-6;

/// What the JIT is busy with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Phase {
    /// Nothing: native code interprets the guest program, or does something else.
    Interpreting,
    /// Running compiled code.
    Running(Maker),
    /// Finding the interpreter's state behind an exit.
    Leaving,
    Tracing,
    Optimising,
    Compiling,
}

impl Phase {
    const COUNT: usize = 8;

    /// Its number, for tables and for [`Meter::shown`].
    pub(crate) fn index(self) -> usize {
        match self {
            Phase::Interpreting => 0,
            Phase::Running(Maker::Specialiser) => 1,
            Phase::Running(Maker::Tracer) => 2,
            Phase::Leaving => 3,
            Phase::Tracing => 4,
            Phase::Optimising => 5,
            Phase::Compiling => 6,
            Phase::Running(Maker::Threader) => 7,
        }
    }
}

/// What the time of a phase is measured with.
enum Clock {
    /// Wall time, from when the VM was made.
    Wall(Instant),
    /// The one that the options gave.
    Given(fn() -> f64),
}

impl Clock {
    fn seconds(&self) -> f64 {
        match self {
            Clock::Wall(start) => start.elapsed().as_secs_f64(),
            Clock::Given(clock) => clock(),
        }
    }
}

/// What compiling costs, and what there was to gain; in seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Balance {
    /// Tracing, optimising, compiling, and leaving compiled code.
    pub(crate) cost: f64,
    /// Running compiled code.
    pub(crate) compiled: f64,
    /// Everything else.
    pub(crate) interpreted: f64,
}

/// Collects the figures.
pub(crate) struct Meter {
    figures: RefCell<Stats>,
    /// Entries of compiled code, by tier; apart from the figures, since they change so often.
    entries: [Cell<u64>; Maker::ALL.len()],
    phase: Cell<Phase>,
    /// The number of the phase, for a sampler, which may look at any time. As with the phase, short
    /// entries of compiled code do not always show.
    shown: Arc<AtomicU8>,
    /// For how many the entry counts that is being measured.
    weight: Cell<f64>,
    clock: Clock,
    start: f64,
    since: Cell<f64>,
    /// Seconds by phase. Those of [`Phase::Interpreting`] are what is left of all.
    spent: [Cell<f64>; Phase::COUNT],
}

/// Returns to the phase before when dropped, also when a panic passes through.
pub(crate) struct InPhase<'a> {
    meter: &'a Meter,
    before: Phase,
    weight: f64,
}

impl Drop for InPhase<'_> {
    fn drop(&mut self) {
        self.meter.switch(self.before);
        self.meter.weight.set(self.weight);
    }
}

impl Meter {
    pub(crate) fn new(backend: &str, clock: Option<fn() -> f64>) -> Meter {
        let figures = Stats {
            backend: backend.to_string(),
            ..Stats::default()
        };
        let clock = clock.map_or_else(|| Clock::Wall(Instant::now()), Clock::Given);
        let start = clock.seconds();
        Meter {
            figures: RefCell::new(figures),
            entries: Default::default(),
            phase: Cell::new(Phase::Interpreting),
            shown: Arc::default(),
            weight: Cell::new(1.0),
            start,
            since: Cell::new(start),
            clock,
            spent: Default::default(),
        }
    }

    /// Changes the figures.
    pub(crate) fn note(&self, change: impl FnOnce(&mut Stats)) {
        change(&mut self.figures.borrow_mut());
    }

    /// Counts an attempt that was given up.
    pub(crate) fn abort(&self, reason: &str) {
        self.note(|s| *s.aborts.entry(reason.to_string()).or_insert(0) += 1);
    }

    /// Counts a compiled trace: its operations, and the bytes of its machine code.
    pub(crate) fn compiled(
        &self,
        maker: Maker,
        recorded: OpCounts,
        optimised: OpCounts,
        bytes: usize,
    ) {
        self.note(|s| {
            s.recorded.add(recorded);
            s.optimised.add(optimised);
            s.guards += optimised.guards;
            let of_maker = match maker {
                Maker::Specialiser => &mut s.tiers.specialised,
                Maker::Tracer => &mut s.tiers.traced,
                Maker::Threader => &mut s.tiers.threaded,
            };
            of_maker.code_bytes += bytes as u64;
        });
    }

    /// Counts what a compiled trace could not keep out of memory.
    pub(crate) fn lost(&self, notes: &[Remark]) {
        self.note(|s| {
            for note in notes {
                *s.lost.entry(note.missed.name().to_string()).or_insert(0) += 1;
            }
        });
    }

    /// Counts a piece of code of the second compiler: what the optimiser was given for it, its
    /// labels, and its exits.
    pub(crate) fn specialised(
        &self,
        operations: usize,
        labels: usize,
        left: &[(LeaveReason, u32)],
    ) {
        self.note(|s| {
            let figures = &mut s.specialised;
            figures.pieces += 1;
            figures.operations += operations as u64;
            figures.labels += labels as u64;
            for &(why, count) in left {
                *figures.left.entry(why.name().to_string()).or_insert(0) += u64::from(count);
            }
        });
    }

    /// Starts a phase of the JIT's own work.
    pub(crate) fn enter(&self, phase: Phase) -> InPhase<'_> {
        self.begin(phase, Some(1.0))
    }

    /// Native code enters compiled code. `weight`: for how many entries this one counts, if it is
    /// measured. Within compiled code that costs no look at the clock.
    #[inline]
    pub(crate) fn enter_code(&self, maker: Maker, weight: Option<f64>) -> InPhase<'_> {
        let entries = &self.entries[maker as usize];
        entries.set(entries.get() + 1);
        let weight = match self.phase.get() {
            Phase::Interpreting => weight,
            Phase::Running(_) => None,
            // Without a look, the time would count for that phase.
            _ => Some(1.0),
        };
        self.begin(Phase::Running(maker), weight)
    }

    /// The interpreter's state is found behind an exit.
    pub(crate) fn leave_code(&self) -> InPhase<'_> {
        self.begin(Phase::Leaving, Some(1.0))
    }

    /// Native code is called in the instruction that is finished behind an exit. It may run the
    /// guest program.
    pub(crate) fn call_native(&self) -> InPhase<'_> {
        let is_measured = self.phase.get() == Phase::Leaving;
        self.begin(Phase::Interpreting, is_measured.then_some(1.0))
    }

    #[inline]
    fn begin(&self, phase: Phase, weight: Option<f64>) -> InPhase<'_> {
        let before = InPhase {
            meter: self,
            before: self.phase.get(),
            weight: self.weight.get(),
        };
        if let Some(weight) = weight {
            self.switch(phase);
            self.weight.set(weight);
        }
        before
    }

    /// Books the time since the last switch.
    fn switch(&self, to: Phase) {
        if self.phase.get() != to {
            self.book();
            self.phase.set(to);
            self.shown.store(to.index() as u8, Ordering::Relaxed);
        }
    }

    /// The number of the phase at any time.
    pub(crate) fn shown(&self) -> &Arc<AtomicU8> {
        &self.shown
    }

    /// The entry that comes next does not count: it continues one that a sample has interrupted.
    pub(crate) fn continue_entry(&self, maker: Maker) {
        let entries = &self.entries[maker as usize];
        entries.set(entries.get().wrapping_sub(1));
    }

    /// Books the time of an unfinished phase. Answers what the clock says.
    fn book(&self) -> f64 {
        let phase = self.phase.get();
        let now = self.clock.seconds();
        let seconds = now - self.since.replace(now);
        let weight = if seconds < LONG {
            self.weight.get()
        } else {
            1.0
        };
        let spent = &self.spent[phase.index()];
        spent.set(spent.get() + seconds * weight);
        now
    }

    /// Seconds in a phase.
    pub(crate) fn seconds(&self, phase: Phase) -> f64 {
        self.spent[phase.index()].get()
    }

    /// What the JIT has spent on making code so far, as far as it is booked.
    pub(crate) fn spent(&self) -> f64 {
        let made = [Phase::Tracing, Phase::Optimising, Phase::Compiling];
        made.into_iter().map(|phase| self.seconds(phase)).sum()
    }

    /// What compiling has cost so far, and what there was to gain.
    pub(crate) fn balance(&self) -> Balance {
        let elapsed = self.book() - self.start;
        let made = self.spent();
        let entries: u64 = self.entries.iter().map(Cell::get).sum();
        // What was measured of a part may say more than there was of all.
        let cost = made + self.seconds(Phase::Leaving) + entries as f64 * ENTRY;
        let cost = cost.min(elapsed);
        let run: f64 = (Maker::ALL.into_iter())
            .map(|maker| self.seconds(Phase::Running(maker)))
            .sum();
        let compiled = run.min(elapsed - cost);
        Balance {
            cost,
            compiled,
            interpreted: elapsed - cost - compiled,
        }
    }

    /// The figures so far.
    pub(crate) fn figures(&self) -> Stats {
        let balance = self.balance();
        let mut stats = self.figures.borrow().clone();
        stats.seconds.tracing = self.seconds(Phase::Tracing);
        stats.seconds.optimising = self.seconds(Phase::Optimising);
        stats.seconds.compiling = self.seconds(Phase::Compiling);
        stats.tiers.interpreted_seconds = balance.interpreted;
        stats.tiers.leaving_seconds = self.seconds(Phase::Leaving);
        let figures = &mut stats.tiers;
        let all = [
            (Maker::Specialiser, &mut figures.specialised),
            (Maker::Tracer, &mut figures.traced),
            (Maker::Threader, &mut figures.threaded),
        ];
        for (maker, of_maker) in all {
            *of_maker = CompilerStats {
                seconds: self.seconds(Phase::Running(maker)),
                entries: self.entries[maker as usize].get(),
                ..*of_maker
            };
        }
        let all = [figures.specialised, figures.traced, figures.threaded];
        stats.entries = all.iter().map(|figures| figures.entries).sum();
        stats
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    thread_local!(static NOW: Cell<f64> = const { Cell::new(0.0) });

    /// A meter with a clock that is moved by hand.
    fn meter() -> Meter {
        NOW.set(0.0);
        Meter::new("oracle", Some(|| NOW.get()))
    }

    fn pass(seconds: f64) {
        NOW.set(NOW.get() + seconds);
    }

    /// Cost, compiled and interpreted seconds are these, but for what entries cost.
    #[track_caller]
    fn check(meter: &Meter, expected: [f64; 3]) {
        let balance = meter.balance();
        let found = [balance.cost, balance.compiled, balance.interpreted];
        let differ = |(a, b): (&f64, &f64)| (a - b).abs() > 1e-6;
        assert!(!found.iter().zip(&expected).any(differ), "{balance:?}");
    }

    #[test]
    fn nested_phases_are_counted_once() {
        let meter = meter();
        {
            let _outer = meter.enter(Phase::Tracing);
            pass(2.0);
            {
                let _inner = meter.enter(Phase::Compiling);
                pass(3.0);
            }
            pass(4.0);
        }
        let seconds = meter.figures().seconds;
        assert_eq!((seconds.tracing, seconds.compiling), (6.0, 3.0));
        assert_eq!(seconds.optimising, 0.0);
    }

    #[test]
    fn a_panic_ends_the_phase() {
        let meter = meter();
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let _phase = meter.enter(Phase::Tracing);
            std::panic::resume_unwind(Box::new(()));
        }));
        assert!(result.is_err());
        assert_eq!(meter.phase.get(), Phase::Interpreting);
    }

    #[test]
    fn the_balance_has_all_that_has_passed() {
        let meter = meter();
        pass(8.0);
        let running = meter.enter_code(Maker::Tracer, Some(1.0));
        pass(4.0);
        // A call of the guest program becomes hot meanwhile.
        let compiling = meter.enter(Phase::Compiling);
        pass(2.0);
        drop(compiling);
        pass(4.0);
        drop(running);
        let leaving = meter.leave_code();
        pass(1.0);
        check(&meter, [3.0, 8.0, 8.0]);
        let calling = meter.call_native();
        pass(4.0);
        drop(calling);
        check(&meter, [3.0, 8.0, 12.0]);
        drop(leaving);
        check(&meter, [3.0, 8.0, 12.0]);
    }

    #[test]
    fn an_entry_counts_for_others_unless_it_is_long() {
        let meter = meter();
        let run = |weight, seconds| {
            let running = meter.enter_code(Maker::Tracer, weight);
            pass(seconds);
            drop(running);
        };
        let short = LONG / 2.0;
        pass(1.0);
        run(Some(16.0), short);
        run(None, short);
        let figures = meter.figures();
        assert!((figures.tiers.traced.seconds - 16.0 * short).abs() < 1e-9);
        run(Some(16.0), 1.0);
        let figures = meter.figures();
        assert!((figures.tiers.traced.seconds - 1.0 - 16.0 * short).abs() < 1e-9);
        assert_eq!(
            (figures.entries, figures.tiers.specialised.seconds),
            (3, 0.0)
        );
    }

    #[test]
    fn no_more_counts_than_has_passed() {
        let meter = meter();
        let running = meter.enter_code(Maker::Tracer, Some(16.0));
        pass(LONG / 2.0);
        drop(running);
        let balance = meter.balance();
        assert!(
            balance.compiled < LONG && balance.interpreted == 0.0,
            "{balance:?}"
        );
    }
}
