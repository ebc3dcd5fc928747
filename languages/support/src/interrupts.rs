//! Signals to a command that runs a guest program. In: SIGINT (Ctrl-C) and SIGUSR1. Out: the first
//! SIGINT interrupts the program, SIGUSR1 asks its VM. Invariant: if the program does not stop at
//! the first SIGINT, the second one ends the process.

use signal_hook::consts::{SIGINT, SIGUSR1};
use signal_hook::flag;
use signal_hook::iterator::Signals;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use verdigris::InterruptHandle;

/// The stack of the thread that waits for signals: it calls little.
const STACK: usize = 64 << 10;

/// What listens for signals, or does not: then the first one ends the process.
#[derive(Default)]
pub struct Interrupts {
    /// Whether a SIGINT has come that the program has not been asked about anew.
    has_come: Arc<AtomicBool>,
}

impl Interrupts {
    /// Listens from now on; for SIGUSR1 only if the questions that it stands for are answered.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn listen(handle: InterruptHandle, answers: bool) -> io::Result<Interrupts> {
        let has_come = Arc::new(AtomicBool::new(false));
        // In this order: the first signal finds the flag down, and raises it.
        flag::register_conditional_default(SIGINT, Arc::clone(&has_come))?;
        flag::register(SIGINT, Arc::clone(&has_come))?;
        let wanted = [SIGINT, SIGUSR1];
        let mut signals = Signals::new(&wanted[..1 + usize::from(answers)])?;
        let listener = thread::Builder::new().name("interrupts".to_string());
        listener.stack_size(STACK).spawn(move || {
            for signal in signals.forever() {
                match signal {
                    SIGUSR1 => handle.ask(),
                    _ => handle.interrupt(),
                }
            }
        })?;
        Ok(Interrupts { has_come })
    }

    /// Something else runs: the next SIGINT is the first one again.
    pub fn arm(&self) {
        self.has_come.store(false, Ordering::SeqCst);
    }
}
