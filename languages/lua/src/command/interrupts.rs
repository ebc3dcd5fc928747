//! Ctrl-C. In: the signal SIGINT. Out: the program's error "interrupted!". Invariant: the first one
//! asks the program to stop; if it does not come to that, the second one ends the process.

use signal_hook::consts::SIGINT;
use signal_hook::flag;
use signal_hook::iterator::Signals;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use verdigris::InterruptHandle;

/// The stack of the thread that waits for signals: it calls little.
const STACK: usize = 64 << 10;

/// What listens for Ctrl-C, or does not: then the first one ends the process.
#[derive(Default)]
pub struct Interrupts {
    /// Whether one has come that the program has not been asked about anew.
    has_come: Arc<AtomicBool>,
}

impl Interrupts {
    /// Listens from now on.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn listen(handle: InterruptHandle) -> io::Result<Interrupts> {
        let has_come = Arc::new(AtomicBool::new(false));
        // In this order: the first signal finds the flag down, and raises it.
        flag::register_conditional_default(SIGINT, Arc::clone(&has_come))?;
        flag::register(SIGINT, Arc::clone(&has_come))?;
        let mut signals = Signals::new([SIGINT])?;
        let listener = thread::Builder::new().name("interrupts".to_string());
        listener.stack_size(STACK).spawn(move || {
            for _ in signals.forever() {
                handle.interrupt();
            }
        })?;
        Ok(Interrupts { has_come })
    }

    /// Something else runs: the next signal is the first one again.
    pub fn arm(&self) {
        self.has_come.store(false, Ordering::SeqCst);
    }
}
