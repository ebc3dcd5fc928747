//! Interrupts from other threads: the guest program panics with [`Interrupted`] at its next back
//! edge or portal call, where its state is exact. [`crate::Vm::try_enter`] returns that as an
//! error, and the VM stays usable. If the embedder has a function for it
//! ([`crate::Vm::on_interrupt`]), that is called there instead, and the guest program goes on.
//!
//! Counters lead the interpreter to the engine ([`Signals`]); compiled loops have a guard at their
//! headers, once the embedder has asked for a handle.

use crate::engine::Engine;
use crate::policy::reasons::FreeReason;
use std::fmt;
use std::sync::Arc;
use verdigris_heap::{EntryKind, Signals, detector};

/// Interrupts a VM, from any thread, also from a signal handler. It may outlive the VM.
#[derive(Clone, Debug)]
pub struct InterruptHandle(Arc<Signals>);

impl InterruptHandle {
    pub(crate) fn new(signals: Arc<Signals>) -> InterruptHandle {
        InterruptHandle(signals)
    }

    /// Stops the guest program at its next back edge, or where it next calls the portal. If none
    /// runs, the next one is stopped, unless [`crate::Vm::clear_interrupt`] is called before.
    pub fn interrupt(&self) {
        self.0.raise();
    }

    /// Asks what the guest program has done so far: the function of [`crate::Vm::on_question`] is
    /// called at its next back edge, or where it next calls the portal, and it goes on. If none
    /// runs, that is when the next one does.
    pub fn ask(&self) {
        self.0.ask();
    }

    /// Whether an interrupt waits to be seen.
    pub fn is_pending(&self) -> bool {
        self.0.is_stopping()
    }
}

/// The payload of the panic that stops a guest program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Interrupted;

impl fmt::Display for Interrupted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the guest program was interrupted")
    }
}

impl Engine {
    /// Panics if an interrupt is pending.
    pub(crate) fn poll(&self) {
        if self.observers.is_asking() {
            // It would only stop the report.
            return;
        }
        self.raise_late();
        if self.run.signals.take_question() {
            let answer = self.run.on_question.borrow().clone();
            if let Some(answer) = answer {
                let _own = detector::own();
                answer(self);
            }
        }
        if self.run.signals.take(self.native_counters()) {
            self.observers.count(|s| s.interrupts += 1);
            let action = self.run.on_interrupt.borrow().clone();
            match action {
                Some(action) => {
                    let _guests = detector::guests();
                    action();
                }
                None => std::panic::resume_unwind(Box::new(Interrupted)),
            }
        }
    }

    /// From now on, compiled code can be interrupted; code that cannot is freed, unless it runs.
    pub(crate) fn make_interruptible(&self) {
        if !self.run.interruptible.replace(true) {
            self.free_all(FreeReason::NotInterruptible);
        }
    }

    /// The counters for native code; null if the JIT is off. Under a profile, calls are noted
    /// before they are counted.
    pub(crate) fn native_counters(&self) -> [*mut u16; 2] {
        let [back_edges, calls] = self.plain_counters();
        match self.observers.profiled {
            Some(_) => [back_edges, Signals::noted()],
            None => [back_edges, calls],
        }
    }

    /// The counters without a profile.
    fn plain_counters(&self) -> [*mut u16; 2] {
        match self.params.on {
            true => self.code.counters.as_ptrs(),
            false => [std::ptr::null_mut(); 2],
        }
    }

    /// The counters of calls that were noted before; null if the JIT is off.
    pub(crate) fn call_counters(&self) -> *mut u16 {
        self.plain_counters()[EntryKind::Function as usize]
    }
}
