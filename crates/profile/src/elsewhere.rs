//! Samples without signals: a thread of its own notes when a sample is due, without registers. It
//! stops when the clock is dropped.

use crate::sampler::{SamplerError, Shared};
use std::iter::empty;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{Builder, JoinHandle, park_timeout};
use std::time::Duration;

/// Takes samples on request.
pub(crate) struct Installed(Arc<Shared>);

impl Installed {
    /// There can be any number, and no stack is looked at.
    pub(crate) fn new(shared: Arc<Shared>, _: Range<usize>) -> Result<Installed, SamplerError> {
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
    pub(crate) fn start(installed: &Installed, interval: Duration) -> Result<Timer, SamplerError> {
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
        let thread = thread.map_err(|error| SamplerError::NoTimer(error.to_string()))?;
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
