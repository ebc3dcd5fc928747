//! Samples without the system's help. In: the time, on a thread of its own. Out: a note that a
//! sample is due, without what the thread that is watched is at. Invariant: nobody notes anything
//! once the clock has been dropped.

use crate::sampler::{NoSampler, Shared};
use std::iter::empty;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{Builder, JoinHandle, park_timeout};
use std::time::Duration;

/// Who can be asked for samples.
pub(crate) struct Installed(Arc<Shared>);

impl Installed {
    /// There can be any number, and no stack is looked at.
    pub(crate) fn new(shared: Arc<Shared>, _: Range<usize>) -> Result<Installed, NoSampler> {
        Ok(Installed(shared))
    }

    /// Takes a sample now.
    pub(crate) fn sample(&self) {
        note(&self.0);
    }
}

fn note(shared: &Shared) {
    if shared.is_running() {
        shared.note(None, None, empty());
    }
}

/// The clock.
pub(crate) struct Timer {
    is_stopped: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Timer {
    pub(crate) fn start(installed: &Installed, interval: Duration) -> Result<Timer, NoSampler> {
        let shared = Arc::clone(&installed.0);
        let is_stopped = Arc::<AtomicBool>::default();
        let stop = Arc::clone(&is_stopped);
        let run = move || {
            loop {
                park_timeout(interval);
                if stop.load(Ordering::Relaxed) {
                    return;
                }
                note(&shared);
            }
        };
        let thread = Builder::new().name("profiler".to_owned()).spawn(run);
        let thread = thread.map_err(|error| NoSampler::NoTimer(error.to_string()))?;
        Ok(Timer {
            is_stopped,
            thread: Some(thread),
        })
    }
}

impl Drop for Timer {
    fn drop(&mut self) {
        self.is_stopped.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            // It does nothing that could panic.
            let _ = thread.join();
        }
    }
}
