//! The clock of phases: ticks, and how long they are.
//!
//! On x86-64, ticks are those of the processor where it counts them at one rate: they take a third
//! of the time of a look at the system's clock. Elsewhere a tick is a nanosecond. Ticks pass while
//! the thread waits; [`processor_time`] does not.

use rustix::time::{ClockId, clock_gettime};
use std::sync::OnceLock;
use std::time::Instant;

/// Seconds of a tick that is a nanosecond.
const NANO: f64 = 1e-9;

/// Seconds over which the length of the processor's ticks is not measured any better.
const LONG_ENOUGH: f64 = 1.0;

enum Source {
    /// The processor's counter.
    Processor,
    /// Nanoseconds since the first clock of the process was made.
    System,
    /// The clock of the options, in seconds.
    Given(fn() -> f64),
}

/// A clock that counts ticks.
pub(crate) struct TickClock {
    source: Source,
}

/// When the first clock of the process was made.
struct Origin {
    time: Instant,
    ticks: Option<u64>,
}

fn origin() -> &'static Origin {
    static ORIGIN: OnceLock<Origin> = OnceLock::new();
    ORIGIN.get_or_init(|| Origin {
        time: Instant::now(),
        ticks: processor::has_ticks().then(processor::ticks),
    })
}

impl TickClock {
    /// The quickest clock there is, or one that is given.
    pub(crate) fn new(given: Option<fn() -> f64>) -> TickClock {
        let source = match given {
            Some(clock) => Source::Given(clock),
            None if origin().ticks.is_some() => Source::Processor,
            None => Source::System,
        };
        TickClock { source }
    }

    /// Ticks since some moment.
    #[inline(always)]
    pub(crate) fn ticks(&self) -> u64 {
        match self.source {
            Source::Processor => processor::ticks(),
            Source::System => origin().time.elapsed().as_nanos() as u64,
            Source::Given(clock) => (clock() / NANO).round() as u64,
        }
    }

    /// Seconds of a tick, and whether another look would not be more exact.
    pub(crate) fn tick_seconds(&self) -> (f64, bool) {
        let (Source::Processor, Some(first)) = (&self.source, origin().ticks) else {
            return (NANO, true);
        };
        let seconds = origin().time.elapsed().as_secs_f64();
        let ticks = processor::ticks().saturating_sub(first).max(1);
        (seconds / ticks as f64, seconds > LONG_ENOUGH)
    }

    /// Whether time passes that the thread does not use.
    pub(crate) fn is_wall(&self) -> bool {
        !matches!(self.source, Source::Given(_))
    }
}

/// Processor time of the thread, in seconds.
pub(crate) fn processor_time() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * NANO
}

#[cfg(target_arch = "x86_64")]
mod processor {
    use std::arch::x86_64::{__cpuid, _rdtsc};

    /// The leaf of `cpuid` with what the processor can do besides, and the bit for a counter that
    /// has one rate.
    const POWER_LEAF: u32 = 0x8000_0007;
    const INVARIANT: u32 = 1 << 8;

    pub(super) fn has_ticks() -> bool {
        let last = __cpuid(0x8000_0000).eax;
        last >= POWER_LEAF && __cpuid(POWER_LEAF).edx & INVARIANT != 0
    }

    #[inline(always)]
    pub(super) fn ticks() -> u64 {
        // SAFETY: every x86-64 processor has the instruction; it reads a counter.
        unsafe { _rdtsc() }
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod processor {
    pub(super) fn has_ticks() -> bool {
        false
    }

    pub(super) fn ticks() -> u64 {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_go_on_as_the_clock_does() {
        let clock = TickClock::new(None);
        let (ticks, time) = (clock.ticks(), Instant::now());
        while time.elapsed().as_secs_f64() < 1e-3 {}
        let passed = (clock.ticks() - ticks) as f64;
        let seconds = time.elapsed().as_secs_f64();
        // No upper bound: the thread may wait between the two looks at a time.
        let (tick, _) = clock.tick_seconds();
        assert!(passed * tick > 0.5e-3 && seconds > 0.0 && clock.is_wall());
        let given = TickClock::new(Some(|| 2.0));
        assert_eq!(
            (given.ticks(), given.tick_seconds().0),
            (2_000_000_000, NANO)
        );
        assert!(!given.is_wall() && processor_time() > 0.0);
    }
}
