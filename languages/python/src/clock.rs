//! The clocks of a program, as nanoseconds. In: which clocks it has. Out: what they show, waits.

use std::cell::Cell;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Which clocks a program reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Clock {
    /// The system's.
    #[default]
    System,
    /// One of its own, for all. It goes forward when the program waits, at once by as much, and by
    /// a microsecond whenever it is read: what the program does depends on no other.
    Virtual,
}

/// When virtual clocks begin: the 1st of January 2000.
const VIRTUAL_BEGIN: i64 = 946_684_800_000_000_000;

/// How much later it is when a virtual clock is read again. So what waits for a time in a loop
/// comes to an end.
const VIRTUAL_READING: i64 = 1_000;

thread_local! {
    /// What the virtual clock shows, if that is the clock of this thread's program.
    static VIRTUAL: Cell<Option<i64>> = const { Cell::new(None) };
}

/// Begins the clock of the program that this thread will run.
pub fn begin(clock: Clock) {
    VIRTUAL.set((clock == Clock::Virtual).then_some(VIRTUAL_BEGIN));
}

/// Since 1970.
pub fn since_epoch() -> i64 {
    read_virtual().unwrap_or_else(|| {
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        since.map_or(0, |since| since.as_nanos() as i64)
    })
}

/// Of a clock that always goes forward.
pub fn running() -> i64 {
    read_virtual().unwrap_or_else(|| of(rustix::time::ClockId::Monotonic))
}

/// Of the processor's time for this process.
pub fn of_process() -> i64 {
    read_virtual().unwrap_or_else(|| of(rustix::time::ClockId::ProcessCPUTime))
}

/// Waits.
pub fn sleep(seconds: f64) {
    let time = Duration::from_secs_f64(seconds.min(1e9));
    match VIRTUAL.get() {
        Some(now) => VIRTUAL.set(Some(now + time.as_nanos() as i64)),
        None => std::thread::sleep(time),
    }
}

fn read_virtual() -> Option<i64> {
    let now = VIRTUAL.get()? + VIRTUAL_READING;
    VIRTUAL.set(Some(now));
    Some(now)
}

fn of(clock: rustix::time::ClockId) -> i64 {
    let now = rustix::time::clock_gettime(clock);
    now.tv_sec * 1_000_000_000 + now.tv_nsec
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn virtual_clocks_wait_for_nobody() {
        begin(Clock::Virtual);
        let start = running();
        sleep(3600.0);
        let waited = running() - start;
        assert_eq!(waited, 3_600_000_000_000 + VIRTUAL_READING);
        assert!(since_epoch() > VIRTUAL_BEGIN);
        begin(Clock::System);
        assert!(since_epoch() > VIRTUAL_BEGIN + waited);
    }
}
