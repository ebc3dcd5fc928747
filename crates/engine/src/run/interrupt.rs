//! Interrupting guest code. In: a handle, on any thread. Out: a panic with the payload
//! [`Interrupted`] at the next back edge or portal call of the guest program, where its state is
//! exact; [`crate::Vm::try_enter`] answers it as an error.
//!
//! The interpreter is led to the engine by its counters ([`Signals`]); compiled code has a guard at
//! each loop's header, once the embedder has asked for a handle. Invariant: the VM is as good as
//! before.

use crate::engine::Engine;
use crate::policy::code_gc::Why;
use std::fmt;
use std::sync::Arc;
use verdigris_heap::{EntryKind, Signals};

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
        if self.is_asking() {
            // It would stop nothing but the report.
            return;
        }
        self.raise_late();
        if self.signals.take(self.native_counters()) {
            self.meter.note(|s| s.interrupts += 1);
            std::panic::resume_unwind(Box::new(Interrupted));
        }
    }

    /// From now on compiled code can be interrupted; what cannot is freed, unless it runs.
    pub(crate) fn make_interruptible(&self) {
        if !self.interruptible.replace(true) {
            self.free_all(Why::NotInterruptible);
        }
    }

    /// The counters that native code uses; none if the JIT is off. While the guest program is
    /// profiled, calls are noted before they are counted.
    pub(crate) fn native_counters(&self) -> [*mut u16; 2] {
        let [back_edges, calls] = self.plain_counters();
        match self.profiled {
            Some(_) => [back_edges, Signals::noted()],
            None => [back_edges, calls],
        }
    }

    /// The same without a profile.
    fn plain_counters(&self) -> [*mut u16; 2] {
        match self.params.on {
            true => self.counters.as_ptrs(),
            false => [std::ptr::null_mut(); 2],
        }
    }

    /// Where calls are counted that were noted before; null if the JIT is off.
    pub(crate) fn call_counters(&self) -> *mut u16 {
        self.plain_counters()[EntryKind::Function as usize]
    }
}
