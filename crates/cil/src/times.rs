//! How long making methods has taken: apart what this crate and `DynamicMethod` take, and Mono's
//! compiler.

use rustix::time::{ClockId, clock_gettime};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// What the methods of this process have taken so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Times {
    /// How many there were.
    pub methods: u64,
    /// The operations in them, with the ends of blocks.
    pub operations: u64,
    /// Making their instructions: processor time of the threads that wanted them.
    pub lowering: Duration,
    /// Making methods of the instructions: processor time of Mono's thread.
    pub emission: Duration,
    /// Compiling them: processor time of Mono's thread.
    pub compilation: Duration,
}

static METHODS: AtomicU64 = AtomicU64::new(0);
static OPERATIONS: AtomicU64 = AtomicU64::new(0);
static LOWERING: AtomicU64 = AtomicU64::new(0);
static EMISSION: AtomicU64 = AtomicU64::new(0);
static COMPILATION: AtomicU64 = AtomicU64::new(0);

/// What the methods of this process have taken so far.
pub fn times() -> Times {
    let duration = |nanos: &AtomicU64| Duration::from_nanos(nanos.load(Ordering::Relaxed));
    Times {
        methods: METHODS.load(Ordering::Relaxed),
        operations: OPERATIONS.load(Ordering::Relaxed),
        lowering: duration(&LOWERING),
        emission: duration(&EMISSION),
        compilation: duration(&COMPILATION),
    }
}

fn add(nanos: &AtomicU64, duration: Duration) {
    nanos.fetch_add(duration.as_nanos() as u64, Ordering::Relaxed);
}

/// Processor time of this thread.
pub(crate) fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// The instructions of a method with so many operations have been made.
pub(crate) fn note_lowering(duration: Duration, operations: usize) {
    METHODS.fetch_add(1, Ordering::Relaxed);
    OPERATIONS.fetch_add(operations as u64, Ordering::Relaxed);
    add(&LOWERING, duration);
}

/// A method has been made of its instructions, and compiled.
pub(crate) fn note_making(emission: Duration, compilation: Duration) {
    add(&EMISSION, emission);
    add(&COMPILATION, compilation);
}
