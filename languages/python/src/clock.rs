//! The clocks of the system, as nanoseconds.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Since 1970.
pub fn since_epoch() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_nanos() as i64)
}

/// Of a clock that always goes forward.
pub fn running() -> i64 {
    of(rustix::time::ClockId::Monotonic)
}

/// Of the processor's time for this process.
pub fn of_process() -> i64 {
    of(rustix::time::ClockId::ProcessCPUTime)
}

fn of(clock: rustix::time::ClockId) -> i64 {
    let now = rustix::time::clock_gettime(clock);
    now.tv_sec * 1_000_000_000 + now.tv_nsec
}

/// Waits.
pub fn sleep(seconds: f64) {
    std::thread::sleep(Duration::from_secs_f64(seconds.min(1e9)));
}
