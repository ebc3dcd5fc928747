//! Hooks, by which an embedder is told of the JIT's work. A hook sees the VM from outside: it
//! cannot run guest code or make objects, because it is called in the middle of a trace.

use std::fmt;
use std::sync::Arc;
use verdigris_report::{AbortReason, OpCounts};

/// Callbacks for the JIT's work. Each method does nothing by default.
///
/// A hook may ask the VM for its statistics and its traces and may use other VMs. If it enters its
/// own VM, that panics; objects cannot be made, since no VM is entered as far as a hook can tell. A
/// panic in a hook goes through the guest program to the embedder, which has entered the VM.
pub trait Hooks {
    /// A trace has been compiled that the interpreter can enter, or another version of a loop.
    fn on_compile(&self, event: &CompiledEvent<'_>) {
        let _ = event;
    }

    /// A bridge has been compiled, and attached to its guard.
    fn on_bridge(&self, event: &CompiledEvent<'_>) {
        let _ = event;
    }

    /// A trace was given up while it was recorded, optimised or compiled.
    fn on_abort(&self, event: &AbortedEvent<'_>) {
        let _ = event;
    }

    /// Compiled code has been invalidated, since the guest program has written a
    /// [`Quasi`](verdigris_heap::Quasi) field that it assumed not to change. Called before the
    /// write returns. A panic comes out there, or, if it was compiled code that wrote, when that is
    /// left next.
    fn on_invalidate(&self, event: &InvalidatedEvent<'_>) {
        let _ = event;
    }
}

/// A trace was compiled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct CompiledEvent<'a> {
    /// The trace in words, as the log has it: `trace 3: loop at fib.lua:12 in fib (0, ref)`, or
    /// `trace 3: loop at (0, ref)` if the guest language does not say where that is.
    pub title: &'a str,
    /// Its number, from 0.
    pub trace: u32,
    /// The trace that a bridge starts in.
    pub from: Option<u32>,
    /// Operations as recorded.
    pub recorded: OpCounts,
    /// Operations as optimised.
    pub optimised: OpCounts,
    /// Bytes of machine code; 0 if the backend makes none.
    pub code_bytes: usize,
}

/// An attempt was given up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct AbortedEvent<'a> {
    /// Where the trace started: `header fib.lua:12 in fib (0, ref)` or
    /// `guard g7 at fib.lua:13 in fib`; `header (0, ref)` or `guard g7` if the guest language does
    /// not say where that is.
    pub place: &'a str,
    /// The reason, as [`crate::Stats::aborts`] counts it.
    pub reason: AbortReason,
    /// The reason in a sentence, with advice.
    pub detail: &'a str,
    /// Whether this place is not tried again.
    pub blocked: bool,
}

/// Code was invalidated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct InvalidatedEvent<'a> {
    /// The traces that are not entered any more, by their numbers ([`CompiledEvent::trace`]): those
    /// that made the assumption, and those that lead to them.
    pub traces: &'a [u32],
}

/// Hooks in [`crate::Options`]: shared by all VMs that are made with these options.
#[derive(Clone)]
pub struct SharedHooks(pub(crate) Arc<dyn Hooks + Send + Sync>);

impl SharedHooks {
    /// Hooks to put into options.
    pub fn new(hooks: impl Hooks + Send + Sync + 'static) -> SharedHooks {
        SharedHooks(Arc::new(hooks))
    }
}

impl fmt::Debug for SharedHooks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SharedHooks")
    }
}
