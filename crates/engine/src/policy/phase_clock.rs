//! Phase timers of one VM, and the [`Balance`] of the cost and gain of compiling.
//!
//! Invariants: seconds are exclusive: a nested phase (a trace within a residual call of a trace)
//! counts for itself alone. They are processor time of the thread, which other programs on a busy
//! machine do not change: a look at that clock takes longer than most phases, so a short phase is
//! believed to have had the processor all the time, and the next long one makes up for what it had
//! not. Where native code is called only to enter compiled code again, the clock is not looked at
//! ([`Asides`]).

use crate::policy::asides::Asides;
use crate::policy::profitability::ENTRY;
use crate::policy::ticks::{TickClock, processor_time};
use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use verdigris_report::CompilerKind;
use verdigris_report::{CompilerStats, Stats};

/// Seconds from which a phase is so long that the processor time is looked at: a system call, which
/// took 0.2 to 2 µs in a virtual machine.
const LONG: f64 = 200e-6;

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
    phase: Cell<Phase>,
    /// The index of the phase, for a sampler on another thread.
    shown: Arc<AtomicU8>,
    clock: TickClock,
    /// Seconds of a tick, and whether that is exact.
    tick: Cell<(f64, bool)>,
    start: u64,
    since: Cell<u64>,
    /// Seconds by phase.
    spent: [Cell<f64>; Phase::COUNT],
    /// Processor time at the end of the last long phase.
    processor_since: Cell<f64>,
    /// Seconds of the short phases since then.
    short: Cell<f64>,
    asides: Asides,
}

/// Compiled code runs, until this is dropped.
pub(crate) struct InCode<'a> {
    clock: &'a PhaseClock,
    /// None if the clock does not know of the aside in which the code was entered.
    before: Option<Phase>,
    /// Whether it was entered as soon as the aside had begun.
    at_once: bool,
}

impl InCode<'_> {
    /// Whether its seconds can be told from those of the code around it.
    #[inline]
    pub(crate) fn is_measured(&self) -> bool {
        self.before.is_some()
    }
}

impl Drop for InCode<'_> {
    #[inline]
    fn drop(&mut self) {
        if self.at_once {
            self.clock.asides.entered_at_once();
        }
        match self.before {
            Some(before) => self.clock.switch(before),
            None => drop(self.clock.asides.set_untold(true)),
        }
    }
}

/// An aside is under way, until this is dropped.
pub(crate) struct Within<'a>(InPhase<'a>);

impl Drop for Within<'_> {
    #[inline]
    fn drop(&mut self) {
        self.0.clock.asides.end();
    }
}

/// Returns to the previous phase when dropped, also when a panic passes through.
pub(crate) struct InPhase<'a> {
    clock: &'a PhaseClock,
    before: Phase,
}

impl Drop for InPhase<'_> {
    #[inline]
    fn drop(&mut self) {
        if !self.clock.asides.set_untold(false) {
            self.clock.switch(self.before);
        }
    }
}

impl PhaseClock {
    pub(crate) fn new(clock: Option<fn() -> f64>) -> PhaseClock {
        let clock = TickClock::new(clock);
        let start = clock.ticks();
        PhaseClock {
            entries: Default::default(),
            phase: Cell::new(Phase::Interpreting),
            shown: Arc::default(),
            tick: Cell::new((0.0, false)),
            start,
            since: Cell::new(start),
            spent: Default::default(),
            processor_since: Cell::new(processor_time()),
            short: Cell::new(0.0),
            asides: Asides::default(),
            clock,
        }
    }

    /// Starts a phase of the JIT's own work.
    pub(crate) fn enter(&self, phase: Phase) -> InPhase<'_> {
        self.begin(phase)
    }

    /// Native code enters compiled code. `call` is the frame of the portal on the native stack, if
    /// it has just been called.
    #[inline]
    pub(crate) fn enter_code(&self, compiler: CompilerKind, call: Option<usize>) -> InCode<'_> {
        let entries = &self.entries[compiler as usize];
        entries.set(entries.get() + 1);
        let running = Phase::Running(compiler);
        let at_once = call.is_some_and(|frame| self.asides.is_first_call(frame));
        let stays = at_once && self.asides.is_untold() && self.phase.get() == running;
        let before = match stays {
            true => {
                self.asides.set_untold(false);
                None
            }
            false => {
                self.tell();
                let before = self.phase.get();
                self.switch(running);
                Some(before)
            }
        };
        InCode {
            clock: self,
            before,
            at_once,
        }
    }

    /// Tells the clock of an aside in which something else happens than that code is entered.
    #[inline]
    fn tell(&self) {
        if self.asides.set_untold(false) {
            self.switch(Phase::Interpreting);
        }
    }

    /// The interpreter's state is found behind an exit.
    pub(crate) fn leave_code(&self) -> InPhase<'_> {
        self.begin(Phase::Leaving)
    }

    /// Native code is called while an exit is completed or a run is recorded. It may run the guest
    /// program.
    pub(crate) fn call_native(&self) -> InPhase<'_> {
        let before = self.phase.get();
        let native = self.begin(Phase::Interpreting);
        if before == Phase::Tracing {
            // A sampler sees that a run is recorded: of the guest's calls it sees the outermost.
            self.shown.store(before.index() as u8, Ordering::Relaxed);
        }
        native
    }

    /// An aside begins at this address of the native stack. `is_watched` if the seconds of each one
    /// matter.
    pub(crate) fn interpret(&self, stack: usize, is_watched: bool) -> Within<'_> {
        let is_usual = self.asides.begin(stack) && !is_watched;
        Within(match is_usual && self.is_running() {
            true => {
                self.asides.set_untold(true);
                InPhase {
                    clock: self,
                    before: self.phase.get(),
                }
            }
            false => self.begin(Phase::Interpreting),
        })
    }

    /// Whether compiled code is running.
    #[inline]
    pub(crate) fn is_running(&self) -> bool {
        matches!(self.phase.get(), Phase::Running(_)) && !self.asides.is_untold()
    }

    /// Seconds since the VM was made, in which the thread may have waited.
    pub(crate) fn now(&self) -> f64 {
        (self.clock.ticks() - self.start) as f64 * self.tick_seconds()
    }

    #[inline]
    fn begin(&self, phase: Phase) -> InPhase<'_> {
        self.tell();
        let before = InPhase {
            clock: self,
            before: self.phase.get(),
        };
        self.switch(phase);
        before
    }

    /// Books the time since the last switch, also if the phase stays: its seconds are exact then.
    #[inline]
    fn switch(&self, to: Phase) {
        self.book();
        self.phase.set(to);
        self.shown.store(to.index() as u8, Ordering::Relaxed);
    }

    /// The phase of a stack that is left, as a word.
    #[inline]
    pub(crate) fn parked(&self) -> u64 {
        self.tell();
        self.phase.get().index() as u64
    }

    /// Goes on with the phase of a stack that was left before.
    #[inline]
    pub(crate) fn unpark(&self, phase: u64) {
        let to = Phase::ALL[phase as usize % Phase::COUNT];
        if to != self.phase.get() {
            self.switch(to);
        }
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

    /// Books the time of an unfinished phase.
    #[inline]
    fn book(&self) {
        let now = self.clock.ticks();
        let ticks = now.saturating_sub(self.since.replace(now));
        let (tick, _) = self.tick.get();
        let mut seconds = ticks as f64 * tick;
        match seconds < LONG && tick != 0.0 {
            true => self.short.set(self.short.get() + seconds),
            false => seconds = self.used(ticks),
        }
        let spent = &self.spent[self.phase.get().index()];
        spent.set(spent.get() + seconds);
    }

    /// The processor time of a phase that took so many ticks.
    #[cold]
    #[inline(never)]
    fn used(&self, ticks: u64) -> f64 {
        let seconds = ticks as f64 * self.tick_seconds();
        if !self.clock.is_wall() {
            return seconds;
        }
        let now = processor_time();
        let all = now - self.processor_since.replace(now);
        // The clocks do not tick together: what is too much now is left for the next time.
        let used = all - self.short.replace(0.0);
        self.short.set((-used).max(0.0));
        used.clamp(0.0, seconds)
    }

    /// Seconds of a tick, measured again as long as that makes them more exact.
    fn tick_seconds(&self) -> f64 {
        let (mut tick, is_exact) = self.tick.get();
        if !is_exact {
            self.tick.set(self.clock.tick_seconds());
            (tick, _) = self.tick.get();
        }
        tick
    }

    /// Seconds in a phase.
    pub(crate) fn seconds(&self, phase: Phase) -> f64 {
        self.spent[phase.index()].get()
    }

    /// Seconds in native code up to now.
    pub(crate) fn interpreted(&self) -> f64 {
        self.tell();
        self.book();
        self.seconds(Phase::Interpreting)
    }

    /// Seconds spent on making code, as far as they are booked.
    pub(crate) fn spent(&self) -> f64 {
        let made = [Phase::Tracing, Phase::Optimising, Phase::Compiling];
        made.into_iter().map(|phase| self.seconds(phase)).sum()
    }

    /// Cost and gain of compiling so far.
    pub(crate) fn balance(&self) -> Balance {
        self.tell();
        self.book();
        let compilers = CompilerKind::ALL.into_iter();
        let compiled = compilers.map(|compiler| self.seconds(Phase::Running(compiler)));
        Balance {
            cost: self.spent(),
            compiled: compiled.sum(),
            interpreted: self.seconds(Phase::Interpreting) + self.seconds(Phase::Leaving),
        }
    }

    /// Adds seconds and entries to statistics.
    pub(crate) fn add_to(&self, stats: &mut Stats) {
        self.tell();
        self.book();
        stats.seconds.tracing = self.seconds(Phase::Tracing);
        stats.seconds.optimising = self.seconds(Phase::Optimising);
        stats.seconds.compiling = self.seconds(Phase::Compiling);
        let entries: u64 = self.entries.iter().map(Cell::get).sum();
        let entering = entries as f64 * ENTRY;
        stats.tiers.interpreted_seconds = (self.seconds(Phase::Interpreting) - entering).max(0.0);
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
        let _running = meter.enter_code(CompilerKind::Tracer, None);
        let phase = meter.parked();
        let tracing = meter.enter(Phase::Tracing);
        pass(2.0);
        meter.unpark(phase);
        assert!(meter.is_running());
        assert_eq!(meter.spent(), 2.0);
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
        let running = meter.enter_code(CompilerKind::Tracer, None);
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
    fn every_entry_counts_for_itself() {
        let meter = meter();
        let run = |seconds| {
            let running = meter.enter_code(CompilerKind::Tracer, None);
            pass(seconds);
            drop(running);
        };
        pass(1.0);
        (0..100).for_each(|_| run(LONG / 2.0));
        run(1.0);
        let figures = stats(&meter);
        assert!((figures.tiers.traced.seconds - 1.0 - 50.0 * LONG).abs() < 1e-6);
        assert_eq!(
            (figures.entries, figures.tiers.specialised.seconds),
            (101, 0.0)
        );
    }

    #[test]
    fn what_compiled_code_lets_the_interpreter_do_is_the_interpreters() {
        let meter = meter();
        let running = meter.enter_code(CompilerKind::Tracer, None);
        pass(1.0);
        let interpreting = meter.interpret(0, true);
        pass(2.0);
        let nested = meter.enter_code(CompilerKind::Tracer, None);
        pass(4.0);
        drop(nested);
        drop(interpreting);
        pass(8.0);
        drop(running);
        check(&meter, [0.0, 13.0, 2.0]);
    }

    /// Where an aside begins on the native stack, and where the portal is that it calls.
    const STACK: usize = 10_000;
    const CALLED: usize = 9_000;

    /// An aside of compiled code: a second in native code, two in the code that a function has; the
    /// function is called by another one if not `at_once`.
    fn aside(meter: &PhaseClock, at_once: bool) {
        let within = meter.interpret(STACK, false);
        pass(1.0);
        assert!(!meter.is_running());
        let frame = if at_once { CALLED } else { CALLED - 1_000 };
        let running = meter.enter_code(CompilerKind::Tracer, Some(frame));
        assert!(meter.is_running());
        pass(2.0);
        drop(running);
        assert!(!meter.is_running());
        drop(within);
        assert!(meter.is_running());
    }

    #[test]
    fn asides_that_enter_code_at_once_are_the_codes() {
        let meter = meter();
        let _running = meter.enter_code(CompilerKind::Tracer, None);
        (0..8).for_each(|_| aside(&meter, true));
        check(&meter, [0.0, 16.0, 8.0]);
        (0..4).for_each(|_| aside(&meter, true));
        check(&meter, [0.0, 28.0, 8.0]);
        // The clock is told when the inner function's code is entered, and of all that follow.
        aside(&meter, false);
        check(&meter, [0.0, 31.0, 8.0]);
        (0..8).for_each(|_| aside(&meter, true));
        check(&meter, [0.0, 47.0, 16.0]);
        aside(&meter, true);
        check(&meter, [0.0, 50.0, 16.0]);
        assert_eq!(stats(&meter).entries, 23);
    }

    #[test]
    fn an_aside_in_which_code_is_left_is_told_from_there_on() {
        let meter = meter();
        let _running = meter.enter_code(CompilerKind::Tracer, None);
        (0..8).for_each(|_| aside(&meter, true));
        let within = meter.interpret(STACK, false);
        drop(meter.enter_code(CompilerKind::Tracer, Some(CALLED)));
        pass(1.0);
        let leaving = meter.leave_code();
        pass(2.0);
        drop(leaving);
        pass(4.0);
        drop(within);
        assert!(meter.is_running());
        check(&meter, [0.0, 17.0, 14.0]);
    }

    #[test]
    fn seconds_are_those_of_the_processor() {
        let meter = PhaseClock::new(None);
        let started = processor_time();
        let running = meter.enter_code(CompilerKind::Tracer, None);
        while processor_time() < started + 2e-3 {}
        let waiting = std::time::Duration::from_millis(20);
        std::thread::sleep(waiting);
        drop(running);
        let used = processor_time() - started;
        let seconds = stats(&meter).tiers.traced.seconds;
        // Whatever the machine does meanwhile, the thread cannot have used more.
        assert!(seconds <= used + LONG, "{seconds} of {used}");
    }
}
