//! Phase timers of one VM, and the [`Balance`] of the cost and gain of compiling.
//!
//! Invariants: seconds are exclusive: a nested phase (a trace within a residual call of a trace)
//! counts for itself alone. Statistics are in wall time; what the policy decides by is in processor
//! time of the thread, which other programs on a busy machine do not change.
//!
//! Two looks at the clock take as long as entering compiled code, so only some short entries are
//! measured, and stand for the others ([`crate::policy::profitability`] decides which); so do some
//! exits. A long one stands for itself.

use crate::policy::profitability::{ENTRY, GOLDEN, extrapolated};
use rustix::time::{ClockId, clock_gettime};
use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Instant;
use verdigris_report::CompilerKind;
use verdigris_report::{CompilerStats, Stats};

/// The first exits are all measured: most guards soon have bridges.
const ALL_EXITS: u32 = 64;

/// Of the others, one in this many is.
const EXIT_SHARE: u32 = 8;

/// What the VM is busy with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Phase {
    /// Native code, which interprets the guest program or does something else.
    Interpreting,
    /// Running compiled code.
    Running(CompilerKind),
    /// Finding the interpreter's state behind an exit.
    Leaving,
    Tracing,
    Optimising,
    Compiling,
}

impl Phase {
    const COUNT: usize = 8;

    /// All, by their indices.
    const ALL: [Phase; Phase::COUNT] = [
        Phase::Interpreting,
        Phase::Running(CompilerKind::Specialiser),
        Phase::Running(CompilerKind::Tracer),
        Phase::Leaving,
        Phase::Tracing,
        Phase::Optimising,
        Phase::Compiling,
        Phase::Running(CompilerKind::Threaded),
    ];

    /// Its index in tables and in [`PhaseClock::shown`].
    pub(crate) fn index(self) -> usize {
        match self {
            Phase::Interpreting => 0,
            Phase::Running(CompilerKind::Specialiser) => 1,
            Phase::Running(CompilerKind::Tracer) => 2,
            Phase::Leaving => 3,
            Phase::Tracing => 4,
            Phase::Optimising => 5,
            Phase::Compiling => 6,
            Phase::Running(CompilerKind::Threaded) => 7,
        }
    }

    /// Whether code is made.
    fn makes_code(self) -> bool {
        matches!(self, Phase::Tracing | Phase::Optimising | Phase::Compiling)
    }
}

/// The clock that phases are measured with.
enum Clock {
    /// Wall time since the VM was made.
    Wall(Instant),
    /// The clock of the options.
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

/// Processor time of the thread, in seconds.
fn processor_time() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

/// Cost and gain of compiling, in seconds of processor time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Balance {
    /// Tracing, optimising and compiling.
    pub(crate) cost: f64,
    /// Running compiled code.
    pub(crate) compiled: f64,
    /// Everything else.
    pub(crate) interpreted: f64,
}

/// Measures phases.
pub(crate) struct PhaseClock {
    /// Entries of compiled code, by compiler.
    entries: [Cell<u64>; CompilerKind::ALL.len()],
    /// Exits so far.
    exits: Cell<u32>,
    phase: Cell<Phase>,
    /// The index of the phase, for a sampler on another thread. Short entries of compiled code do
    /// not always show.
    shown: Arc<AtomicU8>,
    /// How many entries the current one stands for.
    weight: Cell<f64>,
    clock: Clock,
    start: f64,
    since: Cell<f64>,
    /// Seconds by phase. [`Phase::Interpreting`] is what remains of all.
    spent: [Cell<f64>; Phase::COUNT],
    /// Processor time when the VM was made.
    processor_start: f64,
    /// Processor time when code began to be made that is still being made.
    making_since: Cell<f64>,
    /// Processor time spent on making code.
    made: Cell<f64>,
}

/// Returns to the previous phase when dropped, also when a panic passes through.
pub(crate) struct InPhase<'a> {
    clock: &'a PhaseClock,
    before: Phase,
    weight: f64,
}

impl Drop for InPhase<'_> {
    fn drop(&mut self) {
        self.clock.switch(self.before);
        self.clock.weight.set(self.weight);
    }
}

impl PhaseClock {
    pub(crate) fn new(clock: Option<fn() -> f64>) -> PhaseClock {
        let clock = clock.map_or_else(|| Clock::Wall(Instant::now()), Clock::Given);
        let start = clock.seconds();
        let processor_start = match clock {
            Clock::Wall(_) => processor_time(),
            Clock::Given(_) => start,
        };
        PhaseClock {
            processor_start,
            making_since: Cell::new(0.0),
            made: Cell::new(0.0),
            entries: Default::default(),
            exits: Cell::new(0),
            phase: Cell::new(Phase::Interpreting),
            shown: Arc::default(),
            weight: Cell::new(1.0),
            start,
            since: Cell::new(start),
            clock,
            spent: Default::default(),
        }
    }

    /// Starts a phase of the JIT's own work.
    pub(crate) fn enter(&self, phase: Phase) -> InPhase<'_> {
        self.begin(phase, Some(1.0))
    }

    /// Native code enters compiled code. `weight` is the number of entries that this one stands
    /// for, if it is measured. Nested entries do not look at the clock.
    #[inline]
    pub(crate) fn enter_code(&self, compiler: CompilerKind, weight: Option<f64>) -> InPhase<'_> {
        let entries = &self.entries[compiler as usize];
        entries.set(entries.get() + 1);
        let weight = match self.phase.get() {
            Phase::Interpreting => weight,
            Phase::Running(_) => None,
            // Without a look at the clock, the time would count for that phase.
            _ => Some(1.0),
        };
        self.begin(Phase::Running(compiler), weight)
    }

    /// Counts an entry that is not measured. False, and nothing is counted, if the time would be
    /// that of another phase.
    #[inline]
    pub(crate) fn count_entry(&self, compiler: CompilerKind) -> bool {
        let counts = matches!(self.phase.get(), Phase::Interpreting | Phase::Running(_));
        if counts {
            let entries = &self.entries[compiler as usize];
            entries.set(entries.get() + 1);
        }
        counts
    }

    /// The interpreter's state is found behind an exit.
    pub(crate) fn leave_code(&self) -> InPhase<'_> {
        let exits = self.exits.get();
        self.exits.set(exits.wrapping_add(1).max(1));
        self.begin(Phase::Leaving, self.exit_weight(exits))
    }

    /// How many exits the next one stands for, if it is measured.
    fn exit_weight(&self, exits: u32) -> Option<f64> {
        // Without a look at the clock, the time would count for another phase.
        let all = self.phase.get() != Phase::Interpreting;
        let is_drawn = || exits.wrapping_mul(GOLDEN) < u32::MAX / EXIT_SHARE;
        match all || exits < ALL_EXITS {
            true => Some(1.0),
            false => is_drawn().then_some(f64::from(EXIT_SHARE)),
        }
    }

    /// Native code is called while an exit is completed or a run is recorded. It may run the guest
    /// program.
    pub(crate) fn call_native(&self) -> InPhase<'_> {
        let before = self.phase.get();
        let is_measured = matches!(before, Phase::Leaving | Phase::Tracing);
        let native = self.begin(Phase::Interpreting, is_measured.then_some(1.0));
        if before == Phase::Tracing {
            // A sampler sees that a run is recorded: of the guest's calls it sees the outermost.
            self.shown.store(before.index() as u8, Ordering::Relaxed);
        }
        native
    }

    /// Whether compiled code is running.
    #[inline]
    pub(crate) fn is_running(&self) -> bool {
        matches!(self.phase.get(), Phase::Running(_))
    }

    /// Wall time, in seconds.
    pub(crate) fn now(&self) -> f64 {
        self.clock.seconds()
    }

    #[inline]
    fn begin(&self, phase: Phase, weight: Option<f64>) -> InPhase<'_> {
        let before = InPhase {
            clock: self,
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
        let from = self.phase.get();
        if from != to {
            self.book();
            if from.makes_code() || to.makes_code() {
                self.book_made();
            }
            self.phase.set(to);
            self.shown.store(to.index() as u8, Ordering::Relaxed);
        }
    }

    /// The phase of a stack that is left, as words.
    #[inline]
    pub(crate) fn parked(&self) -> (u64, u64) {
        (self.phase.get().index() as u64, self.weight.get().to_bits())
    }

    /// Goes on with the phase of a stack that was left before. Time is booked only where code is
    /// made: looks at the clock would take longer than the switch.
    #[inline]
    pub(crate) fn unpark(&self, phase: u64, weight: u64) {
        let from = self.phase.get();
        if phase != from.index() as u64 {
            let to = Phase::ALL[phase as usize % Phase::COUNT];
            match from.makes_code() || to.makes_code() {
                true => self.switch(to),
                false => {
                    self.phase.set(to);
                    self.shown.store(phase as u8, Ordering::Relaxed);
                }
            }
        }
        self.weight.set(f64::from_bits(weight));
    }

    /// The index of the phase, at any time.
    pub(crate) fn shown(&self) -> &Arc<AtomicU8> {
        &self.shown
    }

    /// Does not count the next entry: it continues one that a sample has interrupted.
    pub(crate) fn continue_entry(&self, compiler: CompilerKind) {
        let entries = &self.entries[compiler as usize];
        entries.set(entries.get().wrapping_sub(1));
    }

    /// Books the time of an unfinished phase. Returns the time.
    fn book(&self) -> f64 {
        let phase = self.phase.get();
        let now = self.clock.seconds();
        let seconds = now - self.since.replace(now);
        let spent = &self.spent[phase.index()];
        spent.set(spent.get() + extrapolated(seconds, self.weight.get()));
        now
    }

    /// Processor time of the thread. By a given clock, it is the time of the last look at it.
    fn processor_seconds(&self) -> f64 {
        match self.clock {
            Clock::Wall(_) => processor_time(),
            Clock::Given(_) => self.since.get(),
        }
    }

    /// Books the processor time since code began to be made, if it is.
    fn book_made(&self) {
        let now = self.processor_seconds();
        let since = self.making_since.replace(now);
        if self.phase.get().makes_code() {
            self.made.set(self.made.get() + (now - since));
        }
    }

    /// Seconds in a phase.
    pub(crate) fn seconds(&self, phase: Phase) -> f64 {
        self.spent[phase.index()].get()
    }

    /// Seconds spent on making code, as far as they are booked.
    pub(crate) fn spent(&self) -> f64 {
        let made = [Phase::Tracing, Phase::Optimising, Phase::Compiling];
        made.into_iter().map(|phase| self.seconds(phase)).sum()
    }

    /// Cost and gain of compiling so far.
    pub(crate) fn balance(&self) -> Balance {
        let elapsed = self.book() - self.start;
        self.book_made();
        let cost = self.made.get();
        let used = self.making_since.get() - self.processor_start - cost;
        let used = used.max(0.0);
        // Entries are too short for the clock of processor time, so their share of the wall time
        // stands for it. An extrapolation may exceed the total.
        let share = self.running_seconds() / (elapsed - self.spent()).max(1e-9);
        let compiled = used * share.min(1.0);
        Balance {
            cost,
            compiled,
            interpreted: used - compiled,
        }
    }

    /// Seconds in compiled code.
    fn running_seconds(&self) -> f64 {
        let compilers = CompilerKind::ALL.into_iter();
        let seconds = compilers.map(|compiler| self.seconds(Phase::Running(compiler)));
        seconds.sum()
    }

    /// Wall time that is neither compiled code's nor the JIT's.
    fn interpreted_seconds(&self) -> f64 {
        let elapsed = self.book() - self.start;
        let entries: u64 = self.entries.iter().map(Cell::get).sum();
        let entering = entries as f64 * ENTRY;
        let others =
            self.spent() + self.seconds(Phase::Leaving) + entering + self.running_seconds();
        (elapsed - others).max(0.0)
    }

    /// Adds seconds and entries to statistics.
    pub(crate) fn add_to(&self, stats: &mut Stats) {
        let interpreted = self.interpreted_seconds();
        stats.seconds.tracing = self.seconds(Phase::Tracing);
        stats.seconds.optimising = self.seconds(Phase::Optimising);
        stats.seconds.compiling = self.seconds(Phase::Compiling);
        stats.tiers.interpreted_seconds = interpreted;
        stats.tiers.leaving_seconds = self.seconds(Phase::Leaving);
        let figures = &mut stats.tiers;
        let all = [
            (CompilerKind::Specialiser, &mut figures.specialised),
            (CompilerKind::Tracer, &mut figures.traced),
            (CompilerKind::Threaded, &mut figures.threaded),
        ];
        for (compiler, of_maker) in all {
            *of_maker = CompilerStats {
                seconds: self.seconds(Phase::Running(compiler)),
                entries: self.entries[compiler as usize].get(),
                ..*of_maker
            };
        }
        let all = [figures.specialised, figures.traced, figures.threaded];
        stats.entries = all.iter().map(|figures| figures.entries).sum();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::profitability::LONG;

    thread_local!(static NOW: Cell<f64> = const { Cell::new(0.0) });

    fn stats(clock: &PhaseClock) -> Stats {
        let mut stats = Stats::default();
        clock.add_to(&mut stats);
        stats
    }

    /// A clock that is moved by hand.
    fn meter() -> PhaseClock {
        NOW.set(0.0);
        PhaseClock::new(Some(|| NOW.get()))
    }

    fn pass(seconds: f64) {
        NOW.set(NOW.get() + seconds);
    }

    /// Cost, compiled and interpreted seconds are these.
    #[track_caller]
    fn check(meter: &PhaseClock, expected: [f64; 3]) {
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
        let seconds = stats(&meter).seconds;
        assert_eq!((seconds.tracing, seconds.compiling), (6.0, 3.0));
        assert_eq!(seconds.optimising, 0.0);
    }

    #[test]
    fn phases_have_their_indices() {
        for (n, phase) in Phase::ALL.into_iter().enumerate() {
            assert_eq!(phase.index(), n);
        }
    }

    #[test]
    fn a_stack_goes_on_with_its_own_phase() {
        let meter = meter();
        let _running = meter.enter_code(CompilerKind::Tracer, Some(2.0));
        let (phase, weight) = meter.parked();
        let tracing = meter.enter(Phase::Tracing);
        pass(2.0);
        meter.unpark(phase, weight);
        assert!(meter.is_running());
        assert_eq!((meter.weight.get(), meter.spent()), (2.0, 2.0));
        drop(tracing);
        assert!(meter.is_running());
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
        let running = meter.enter_code(CompilerKind::Tracer, Some(1.0));
        pass(4.0);
        // A call of the guest program becomes hot meanwhile.
        let compiling = meter.enter(Phase::Compiling);
        pass(2.0);
        drop(compiling);
        pass(4.0);
        drop(running);
        let leaving = meter.leave_code();
        pass(1.0);
        check(&meter, [2.0, 8.0, 9.0]);
        let calling = meter.call_native();
        pass(4.0);
        drop(calling);
        check(&meter, [2.0, 8.0, 13.0]);
        drop(leaving);
        check(&meter, [2.0, 8.0, 13.0]);
    }

    #[test]
    fn an_entry_counts_for_others_unless_it_is_long() {
        let meter = meter();
        let run = |weight, seconds| {
            let running = meter.enter_code(CompilerKind::Tracer, weight);
            pass(seconds);
            drop(running);
        };
        let short = LONG / 2.0;
        pass(1.0);
        run(Some(16.0), short);
        run(None, short);
        let figures = stats(&meter);
        assert!((figures.tiers.traced.seconds - 16.0 * short).abs() < 1e-9);
        run(Some(16.0), 1.0);
        let figures = stats(&meter);
        assert!((figures.tiers.traced.seconds - 1.0 - 16.0 * short).abs() < 1e-9);
        assert_eq!(
            (figures.entries, figures.tiers.specialised.seconds),
            (3, 0.0)
        );
    }

    #[test]
    fn no_more_counts_than_has_passed() {
        let meter = meter();
        let running = meter.enter_code(CompilerKind::Tracer, Some(16.0));
        pass(LONG / 2.0);
        drop(running);
        let balance = meter.balance();
        assert!(
            balance.compiled < LONG && balance.interpreted == 0.0,
            "{balance:?}"
        );
    }
}
