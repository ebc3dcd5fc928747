//! Taking samples of a thread. Samples are taken only while a [`Running`] lives; behind each one,
//! the watched thread is told to collect it ([`Watched::raise`]).
//!
//! On Linux for x86-64, a timer of the system sends a signal to the thread, whose handler reads
//! registers and stack. Elsewhere, another thread notes the time, and the position is that where
//! the watched thread collects the sample.

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
use crate::elsewhere::{Installed, Timer};
use crate::ring::{HEAD, Ring};
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
use crate::signal::{Installed, Timer};
use std::cell::RefCell;
use std::fmt;
use std::marker::PhantomData;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

pub use crate::ring::STACK_WORDS;

/// The default time between samples.
pub const INTERVAL: Duration = Duration::from_millis(1);

/// The state of the watched thread. A signal handler calls these functions, so they may only read
/// and write atomic words.
pub trait Watched: Send + Sync {
    /// The thread's activity, in a byte that the sampler does not interpret.
    fn state(&self) -> u8;
    /// The address up to which the stack is of interest.
    fn stack_end(&self) -> usize;
    /// A sample waits.
    fn raise(&self);
}

/// The registers of the processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Machine {
    /// The instruction.
    pub pc: u64,
    /// The stack pointer.
    pub sp: u64,
    /// The frame pointer.
    pub fp: u64,
}

/// A sample as it was found.
#[derive(Clone, Copy, Debug)]
pub struct RawSample<'a> {
    /// The time since the sampler was started.
    pub at: Duration,
    /// The processor time of the thread, if the system tells.
    pub cpu: Option<Duration>,
    /// The number of samples that it stands for.
    pub weight: u32,
    /// The thread's activity.
    pub state: u8,
    /// The registers, if they are known.
    pub machine: Option<Machine>,
    /// The words of the stack from the stack pointer on, at most [`STACK_WORDS`].
    pub stack: &'a [u64],
}

/// Why no samples can be taken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SamplerError {
    /// There is one profile at a time because the signal belongs to the whole process.
    AlreadyProfiled,
    /// The system provides no timer, for this reason.
    NoTimer(String),
}

impl fmt::Display for SamplerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SamplerError::AlreadyProfiled => f.write_str(
                "another VM of this process is being profiled, and there can be one at a time: drop that one first",
            ),
            SamplerError::NoTimer(why) => write!(f, "the system gives no timer for a profile: {why}"),
        }
    }
}

impl std::error::Error for SamplerError {}

/// What the signal handler shares with the sampler.
pub(crate) struct Shared {
    watched: Box<dyn Watched>,
    began: Instant,
    /// The number of living [`Running`]s.
    running: AtomicU32,
    ring: Ring,
}

impl Shared {
    /// Notes a sample. Called in a signal handler as well.
    pub(crate) fn note(
        &self,
        cpu: Option<Duration>,
        machine: Option<Machine>,
        stack: impl Iterator<Item = u64>,
    ) {
        let nanos = |time: Duration| time.as_nanos() as u64;
        let [pc, sp, fp] = machine.map_or([0; 3], |m| [m.pc, m.sp, m.fp]);
        let state = self.watched.state().into();
        let head: [u64; HEAD] = [
            nanos(self.began.elapsed()),
            cpu.map_or(u64::MAX, nanos),
            state,
            u64::from(machine.is_some()),
            pc,
            sp,
            fp,
        ];
        self.ring.put(head, stack);
        self.watched.raise();
    }

    /// The address up to which the stack is of interest.
    #[cfg_attr(
        not(all(target_os = "linux", target_arch = "x86_64")),
        expect(dead_code)
    )]
    pub(crate) fn stack_end(&self) -> usize {
        self.watched.stack_end()
    }

    pub(crate) fn is_running(&self) -> bool {
        self.running.load(Ordering::Relaxed) != 0
    }
}

/// Samples the thread that has started it, until it is dropped on that thread.
pub struct Sampler {
    shared: Arc<Shared>,
    /// Dropped before the handler that it triggers.
    _timer: Option<Timer>,
    installed: Installed,
    words: RefCell<Vec<u64>>,
    _of_this_thread: PhantomData<*const ()>,
}

/// Samples are taken for as long as this lives.
pub struct Running<'a>(&'a Sampler);

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.0.shared.running.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Sampler {
    /// Watches the calling thread, whose stack is at these addresses. Without an interval, only
    /// [`Sampler::sample`] takes samples.
    ///
    /// # Errors
    /// If there is a sampler already, for this or another thread, or if the system has no timer.
    pub fn start(
        interval: Option<Duration>,
        stack: Range<usize>,
        watched: Box<dyn Watched>,
    ) -> Result<Sampler, SamplerError> {
        let shared = Arc::new(Shared {
            watched,
            began: Instant::now(),
            running: AtomicU32::new(0),
            ring: Ring::new(),
        });
        let installed = Installed::new(Arc::clone(&shared), stack)?;
        Ok(Sampler {
            _timer: interval
                .map(|interval| Timer::start(&installed, interval))
                .transpose()?,
            installed,
            shared,
            words: RefCell::default(),
            _of_this_thread: PhantomData,
        })
    }

    /// Takes samples until the result is dropped.
    pub fn run(&self) -> Running<'_> {
        self.shared.running.fetch_add(1, Ordering::Relaxed);
        Running(self)
    }

    /// Takes a sample now, as if the clock had come to it.
    pub fn sample(&self) {
        self.installed.sample();
    }

    /// Passes the waiting samples to a function, in order.
    pub fn take(&self, mut give: impl FnMut(RawSample<'_>)) {
        let mut words = self.words.borrow_mut();
        while let Some((head, missed)) = self.shared.ring.take(&mut words) {
            let [at, cpu, state, has_machine, pc, sp, fp] = head;
            give(RawSample {
                at: Duration::from_nanos(at),
                cpu: (cpu != u64::MAX).then(|| Duration::from_nanos(cpu)),
                weight: missed + 1,
                state: state as u8,
                machine: (has_machine != 0).then_some(Machine { pc, sp, fp }),
                stack: &words,
            });
        }
    }

    /// The time since it was started.
    pub fn elapsed(&self) -> Duration {
        self.shared.began.elapsed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    /// Samplers exclude each other, and tests run at the same time.
    static ONE: Mutex<()> = Mutex::new(());

    #[derive(Default)]
    struct Counted(Arc<AtomicU32>);

    impl Watched for Counted {
        fn state(&self) -> u8 {
            7
        }
        fn stack_end(&self) -> usize {
            usize::MAX
        }
        fn raise(&self) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// A sampler of a thread whose stack is thought to end at this local of the caller.
    fn sampler(interval: Option<Duration>, end: &u64) -> (Sampler, Arc<AtomicU32>) {
        let raised = Arc::<AtomicU32>::default();
        let watched = Box::new(Counted(Arc::clone(&raised)));
        let end = (&raw const *end).addr() + 8;
        let stack = end - (1 << 16)..end;
        (Sampler::start(interval, stack, watched).unwrap(), raised)
    }

    #[test]
    fn a_sample_says_where_the_thread_is() {
        let _one = ONE.lock().unwrap_or_else(|e| e.into_inner());
        let mark = std::hint::black_box(0x1234_5678_9ABC_DEF0u64);
        let (sampler, raised) = sampler(None, &mark);
        sampler.sample();
        assert_eq!(raised.load(Ordering::Relaxed), 0, "nothing runs");
        let running = sampler.run();
        sampler.sample();
        drop(running);
        sampler.sample();
        assert_eq!(raised.load(Ordering::Relaxed), 1);
        let mut count = 0;
        sampler.take(|raw| {
            count += 1;
            assert_eq!((raw.state, raw.weight), (7, 1));
            if cfg!(all(target_os = "linux", target_arch = "x86_64")) {
                let machine = raw.machine.expect("the handler has it");
                let depth = (&raw const mark as u64).wrapping_sub(machine.sp);
                assert!(depth < 1 << 14, "this frame is near the top: {depth}");
                assert_eq!(raw.stack.last(), Some(&mark));
                assert!(raw.cpu.is_some());
            }
        });
        assert_eq!(count, 1);
    }

    #[test]
    fn there_is_one_at_a_time_and_then_another() {
        let _one = ONE.lock().unwrap_or_else(|e| e.into_inner());
        for _ in 0..3 {
            let (first, _) = sampler(None, &0);
            if cfg!(all(target_os = "linux", target_arch = "x86_64")) {
                let second = Sampler::start(None, 0..0, Box::new(Counted::default()));
                assert_eq!(second.err(), Some(SamplerError::AlreadyProfiled));
            }
            drop(first);
        }
    }

    #[test]
    fn the_clock_takes_samples_while_it_runs() {
        let _one = ONE.lock().unwrap_or_else(|e| e.into_inner());
        let (sampler, raised) = sampler(Some(Duration::from_micros(100)), &0);
        let running = sampler.run();
        let mut taken = 0;
        while raised.load(Ordering::Relaxed) < 50 {
            sampler.take(|raw| taken += raw.weight);
        }
        drop(running);
        sampler.take(|raw| taken += raw.weight);
        assert!(taken >= 50, "{taken}");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn another_thread_is_not_disturbed() {
        let _one = ONE.lock().unwrap_or_else(|e| e.into_inner());
        let (sampler, raised) = sampler(Some(Duration::from_micros(50)), &0);
        let _running = sampler.run();
        let other = std::thread::spawn(|| std::thread::sleep(Duration::from_millis(5)));
        other.join().unwrap();
        assert!(raised.load(Ordering::Relaxed) > 0, "waiting counts");
    }
}
