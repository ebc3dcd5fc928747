//! Invalidation of code that assumes values of quasi-immutable fields.
//!
//! Invariants: when a write returns to guest code, all code that assumed otherwise, and all that
//! jumps to it, is unlinked, and code that runs leaves at its next `guard_not_invalidated`; a field
//! is watched as long as valid code assumes its value, and that code keeps its object alive.
//! Source: RPython's `quasiimmut`.

#![allow(unsafe_code)]

use crate::code::assumed::{AssumingTrace, Watching, unwatch};
use crate::code::trace_id::TraceId;
use crate::code::trees::TreeId;
use crate::compile::target::{Failed, TraceOrigin, TraceTarget};
use crate::engine::Engine;
use crate::observe::event::{Event, TraceInfo};
use verdigris_heap::{Context, detector};
use verdigris_report::AbortReason;
use verdigris_trace::{GuardId, OnFailure, Opcode, OptimisedOp, TargetId, Trace};

/// Called by the heap when a quasi-immutable field has been written.
///
/// # Safety
/// `ctx` is alive and has an engine.
pub(crate) unsafe fn invalidate(ctx: *mut Context, codes: &[u32]) {
    // SAFETY: the caller's promise; the engine lives as long as its context is in use.
    let engine = unsafe { &*(*ctx).engine.cast::<Engine>() };
    let _own = detector::own();
    engine.invalidate(codes);
}

impl Engine {
    /// Invalidates these traces.
    fn invalidate(&self, codes: &[u32]) {
        let traces: Vec<TraceId> = codes.iter().map(|&n| TraceId::from_u32(n)).collect();
        let doomed = self.code.assumed.borrow_mut().stop(&traces);
        if doomed.is_empty() {
            return;
        }
        for &trace in &doomed {
            self.unlink(trace);
        }
        self.forget_invalid();
        self.observers.emit(Event::Invalidated { traces: &doomed });
    }

    /// Resumes a panic that had to wait because machine code was between it and the guest program's
    /// caller.
    pub(crate) fn raise_late(&self) {
        // SAFETY: the context outlives the engine, and no reference to its fields lives now.
        if let Some(payload) = unsafe { (*self.ctx).take_late() } {
            std::panic::resume_unwind(payload);
        }
    }

    /// Makes an invalid trace unreachable.
    fn unlink(&self, id: TraceId) {
        let assumed = &mut *self.code.assumed.borrow_mut();
        let Some(trace) = assumed.traces.get_mut(&id) else {
            return;
        };
        // SAFETY: the context outlives the engine.
        unsafe { unwatch(self.ctx, id, &std::mem::take(&mut trace.watched)) };
        assumed.forgotten.extend(&trace.targets);
        let mut backend = self.pipeline.backend.borrow_mut();
        backend.invalidate(&trace.checks, trace.bridge_of);
        match trace.bridge_of {
            Some(guard) => self.code.guards.borrow_mut().bridge_is_invalid(guard),
            None => self.code.detach_invalid(trace),
        }
    }

    /// No new trace jumps to these labels.
    pub(crate) fn forget_targets(&self, targets: &[TargetId]) {
        self.code.assumed.borrow_mut().forgotten.extend(targets);
        self.forget_invalid();
    }

    /// Lets the optimiser forget invalid labels. If it is busy, that is done before the next trace.
    fn forget_invalid(&self) {
        if let Ok(mut optimiser) = self.pipeline.optimiser.try_borrow_mut() {
            let forgotten = std::mem::take(&mut self.code.assumed.borrow_mut().forgotten);
            self.forget_labels(&mut optimiser, &forgotten);
        }
    }

    /// Whether a trace for this target may assume that quasi-immutable fields do not change: not if
    /// that was wrong too often.
    pub(crate) fn may_assume(&self, target: TraceTarget, state: &[u64]) -> bool {
        let cells = self.code.cells.borrow();
        let of_cell = |cell| cells[cell].invalidations;
        let before = match target {
            // Stencils assume nothing.
            TraceTarget::Stencil => 0,
            TraceTarget::Bridge(guard) => self.code.guards.borrow()[guard].invalidations,
            TraceTarget::Header(cell, _) => of_cell(cell),
            TraceTarget::Loop | TraceTarget::Version(_) => {
                cells.find(self.greens(state)).map_or(0, of_cell)
            }
        };
        before < self.params.max_invalidations
    }

    /// A trace was not compiled because its assumptions were wrong already. True unless that
    /// happens too often: then it counts as a failed attempt.
    pub(crate) fn postpone(&self, origin: TraceOrigin) -> bool {
        let most = self.params.max_invalidations;
        match origin {
            TraceOrigin::Header(cell, hash) => {
                let cell = &mut self.code.cells.borrow_mut()[cell];
                cell.invalidations = cell.invalidations.saturating_add(1);
                self.code.counters.rearm(hash);
                cell.invalidations <= most
            }
            TraceOrigin::Guard(guard) => {
                let mut guards = self.code.guards.borrow_mut();
                guards.bridge_is_invalid(guard);
                guards[guard].invalidations <= most
            }
        }
    }

    /// Fails if code that the trace continues or leads to has been invalidated.
    pub(crate) fn check_valid<F>(
        &self,
        target: TraceTarget,
        trace: &Trace<F>,
        id: TraceId,
    ) -> Result<(), Failed> {
        self.forget_invalid();
        let mut assumed = self.code.assumed.borrow_mut();
        let stillborn = assumed.is_stillborn(id);
        let continues = match target {
            TraceTarget::Bridge(guard) => {
                assumed.is_valid(self.code.guards.borrow()[guard].home.trace)
            }
            TraceTarget::Version(of) => assumed.may_jump_to(of),
            TraceTarget::Loop | TraceTarget::Header(..) | TraceTarget::Stencil => true,
        };
        let mut jumps = (trace.ops().iter()).filter(|op| op.opcode() == Opcode::Jump);
        if continues && !stillborn && jumps.all(|op| assumed.may_jump_to(op.label())) {
            return Ok(());
        }
        Err(AbortReason::Invalidated.into())
    }

    /// Watches the fields that a compiled trace assumes not to change.
    pub(crate) fn assume(&self, info: &TraceInfo<'_>, tree: TreeId, watching: Watching) {
        let trace = &info.optimised.trace;
        let watched = watching.hand_over();
        let assumed = &mut *self.code.assumed.borrow_mut();
        let label = |op: OptimisedOp<'_>| op.label();
        let ops = |opcode| trace.ops().iter().filter(move |op| op.opcode() == opcode);
        let leads_to = ops(Opcode::Jump).find_map(|op| assumed.by_target.get(&label(op)).copied());
        let is_check = |op: &OptimisedOp<'_>| op.opcode().failing() == Some(OnFailure::Invalid);
        let checks = trace.ops().iter().filter(is_check);
        let checks: Vec<GuardId> = checks.filter_map(|op| op.guard()).collect();
        if watched.is_empty() && leads_to.is_none() {
            return;
        }
        let targets: Vec<TargetId> = ops(Opcode::Label).map(label).collect();
        for &target in &targets {
            assumed.by_target.insert(target, info.id);
        }
        let bridge_of = match info.target {
            TraceTarget::Bridge(guard) => Some(guard),
            _ => None,
        };
        let new = AssumingTrace {
            tree,
            targets,
            checks,
            bridge_of,
            leads_to,
            watched,
            valid: true,
        };
        assumed.traces.insert(info.id, new);
    }

    /// Forgets the assumptions of trees that are freed.
    pub(crate) fn free_assumptions(&self, trees: &[TreeId]) {
        let assumed = &mut *self.code.assumed.borrow_mut();
        assumed.traces.retain(|&id, trace| {
            let keep = !trees.contains(&trace.tree);
            if !keep {
                // SAFETY: the context outlives the engine.
                unsafe { unwatch(self.ctx, id, &trace.watched) };
                for target in &trace.targets {
                    assumed.by_target.remove(target);
                }
            }
            keep
        });
    }
}
