//! Optimiser, specialiser's memory and backend of one VM, and what is under way in them.

use crate::code::trace_id::TraceId;
use crate::params::JitParams;
use std::cell::{Cell, RefCell};
use verdigris_backend::Backend;
use verdigris_opt::Optimiser;
use verdigris_specialise::SpecialiserHistory;

/// The stages that make code.
pub(crate) struct Pipeline {
    pub(crate) optimiser: RefCell<Optimiser>,
    /// Borrowed only while the optimiser is.
    pub(crate) history: RefCell<SpecialiserHistory>,
    pub(crate) backend: RefCell<Box<dyn Backend>>,
    /// Attempts to make code that are under way.
    pub(crate) depth: Cell<u32>,
    /// The number of the next trace.
    next_trace: Cell<u32>,
    /// Whether the next merge point is compiled and not run.
    pub(crate) is_ahead: Cell<bool>,
}

impl Pipeline {
    pub(crate) fn new(params: &JitParams, mut backend: Box<dyn Backend>) -> Pipeline {
        if params.fail_guards {
            backend.force_guard_failures();
        }
        let mut passes = params.enable_opts;
        // A guard that is made to fail says nothing about its value.
        passes.exits &= !params.fail_guards;
        Pipeline {
            optimiser: RefCell::new(Optimiser::new(passes)),
            history: RefCell::default(),
            backend: RefCell::new(backend),
            depth: Cell::new(0),
            next_trace: Cell::new(0),
            is_ahead: Cell::new(false),
        }
    }

    /// The number of a new trace.
    pub(crate) fn number_trace(&self) -> TraceId {
        TraceId::from_u32(self.next_trace.replace(self.next_trace.get() + 1))
    }

    /// The number that the next trace will get.
    pub(crate) fn next_trace(&self) -> TraceId {
        TraceId::from_u32(self.next_trace.get())
    }

    /// Whether the optimiser is at work; it may call guest code.
    pub(crate) fn is_optimising(&self) -> bool {
        self.optimiser.try_borrow_mut().is_err()
    }
}
