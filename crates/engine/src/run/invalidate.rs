//! Code that assumes what quasi-immutable fields hold. In: traces with what they assume, and writes
//! to such fields. Out: code that is not entered any more, and that is left at its next
//! `guard_not_invalidated` where it runs. Invariants: when a write returns to guest code,
//! everything that assumed otherwise, and everything that jumps to it, is unlinked; a field is
//! watched exactly as long as there is valid code that assumes what it holds, and that code keeps
//! its object alive. Source: RPython's `quasiimmut`.

#![allow(unsafe_code)]

use crate::code::assumed::{Piece, Watching, unwatch};
use crate::code::jit_cells::{Code, Dropped};
use crate::code::trees::TreeId;
use crate::compile::attempt::{Failed, Place, Site};
use crate::engine::Engine;
use crate::observe::hooks::InvalidatedEvent;
use crate::observe::log::Stage;
use verdigris_heap::{Context, detector};
use verdigris_trace::{GuardId, OnFailure, Opcode, OptimisedOp, OptimisedTrace, TargetId, Trace};

/// What the heap calls when a quasi-immutable field has been written.
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
    /// A field has been written that these traces assumed not to change.
    fn invalidate(&self, codes: &[u32]) {
        let doomed = self.assumed.borrow_mut().stop(codes);
        if doomed.is_empty() {
            return;
        }
        self.meter.note(|s| {
            s.invalidations += 1;
            s.invalidated += doomed.len() as u64;
        });
        for &code in &doomed {
            self.unlink(code);
        }
        self.forget_invalid();
        if let Some(explained) = &self.explained {
            explained.invalidated(&doomed);
        }
        self.log.piece(Stage::Free, || {
            let lines = doomed.iter().map(|code| format!("trace {code}\n"));
            (
                format!("invalidated, {} traces", doomed.len()),
                lines.collect(),
            )
        });
        let event = InvalidatedEvent { traces: &doomed };
        self.tell(|hooks| hooks.on_invalidate(&event));
    }

    /// Lets a panic go on that had to wait because machine code was between it and the guest
    /// program's caller.
    pub(crate) fn raise_late(&self) {
        // SAFETY: the context outlives the engine, and no reference to its fields lives now.
        if let Some(payload) = unsafe { (*self.ctx).take_late() } {
            std::panic::resume_unwind(payload);
        }
    }

    /// Makes an invalid trace unreachable.
    fn unlink(&self, code: u32) {
        let assumed = &mut *self.assumed.borrow_mut();
        let Some(piece) = assumed.pieces.get_mut(&code) else {
            return;
        };
        // SAFETY: the context outlives the engine.
        unsafe { unwatch(self.ctx, code, &std::mem::take(&mut piece.watched)) };
        assumed.forgotten.extend(&piece.targets);
        let mut backend = self.backend.borrow_mut();
        backend.invalidate(&piece.checks, piece.bridge_of);
        match piece.bridge_of {
            Some(guard) => self.guards.borrow_mut().bridge_is_invalid(guard),
            None => self.cut(piece),
        }
    }

    /// Takes a trace that starts with its label away from its loop.
    fn cut(&self, piece: &Piece) {
        let mut trees = self.trees.borrow_mut();
        let Some(tree) = trees.get(piece.tree) else {
            return;
        };
        let mut cells = self.cells.borrow_mut();
        let Some(id) = cells.find(&tree.greens) else {
            return;
        };
        let cell = &mut cells[id];
        cell.invalidations += 1;
        let is_cut = |code: &Code| piece.targets.contains(&code.target);
        let dropped = cells.drop_code(id, is_cut);
        if dropped == Dropped::None {
            return;
        }
        cells[id].retraces = 0;
        if dropped == Dropped::Entered {
            self.counters.release(tree.hash);
        }
        self.callees.moved(&tree.greens, 0);
        trees.abandon(piece.tree);
    }

    /// No new trace jumps to these labels.
    pub(crate) fn forget_targets(&self, targets: &[TargetId]) {
        self.assumed.borrow_mut().forgotten.extend(targets);
        self.forget_invalid();
    }

    /// Lets the optimiser forget invalid labels, unless it is busy; then it will have to before the
    /// next trace.
    fn forget_invalid(&self) {
        if let Ok(mut optimiser) = self.optimiser.try_borrow_mut() {
            let forgotten = std::mem::take(&mut self.assumed.borrow_mut().forgotten);
            self.forget(&mut optimiser, &forgotten);
        }
    }

    /// Whether the trace that a guard is in is valid.
    pub(crate) fn is_valid(&self, piece: u32) -> bool {
        self.assumed.borrow().is_valid(piece)
    }

    /// Whether a trace for this place may assume that quasi-immutable fields do not change: not if
    /// that has been wrong too often.
    pub(crate) fn may_assume(&self, place: Place, state: &[u64]) -> bool {
        let cells = self.cells.borrow();
        let of_cell = |cell| cells[cell].invalidations;
        let before = match place {
            // It assumes nothing.
            Place::Stencil => 0,
            Place::Bridge(guard) => self.guards.borrow()[guard].invalidations,
            Place::Header(cell, _) => of_cell(cell),
            Place::Loop | Place::Version(_) => cells.find(self.greens(state)).map_or(0, of_cell),
        };
        before < self.params.max_invalidations
    }

    /// A trace was not compiled because what it assumed was wrong already: no fault of its place,
    /// unless that happens too often.
    pub(crate) fn postpone(&self, site: Site) -> bool {
        let most = self.params.max_invalidations;
        match site {
            Site::Header(cell, hash) => {
                let cell = &mut self.cells.borrow_mut()[cell];
                cell.invalidations = cell.invalidations.saturating_add(1);
                self.counters.rearm(hash);
                cell.invalidations <= most
            }
            Site::Guard(guard) => {
                let mut guards = self.guards.borrow_mut();
                guards.bridge_is_invalid(guard);
                guards[guard].invalidations <= most
            }
        }
    }

    /// Fails if code that the trace continues or leads to has been invalidated.
    pub(crate) fn check_valid<F>(
        &self,
        place: Place,
        trace: &Trace<F>,
        piece: u32,
    ) -> Result<(), Failed> {
        self.forget_invalid();
        let mut assumed = self.assumed.borrow_mut();
        let stillborn = assumed.is_stillborn(piece);
        let continues = match place {
            Place::Bridge(guard) => assumed.is_valid(self.guards.borrow()[guard].home.piece),
            Place::Version(of) => assumed.may_jump_to(of),
            Place::Loop | Place::Header(..) | Place::Stencil => true,
        };
        let mut jumps = (trace.ops().iter()).filter(|op| op.opcode() == Opcode::Jump);
        if continues && !stillborn && jumps.all(|op| assumed.may_jump_to(op.label())) {
            return Ok(());
        }
        Err(Failed::invalidated())
    }

    /// A trace has been compiled, as part of a tree.
    pub(crate) fn adopt_piece(
        &self,
        piece: u32,
        place: Place,
        tree: TreeId,
        trace: &OptimisedTrace,
        watching: Watching,
    ) {
        let watched = watching.hand_over();
        let assumed = &mut *self.assumed.borrow_mut();
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
            assumed.by_target.insert(target, piece);
        }
        let bridge_of = match place {
            Place::Bridge(guard) => Some(guard),
            _ => None,
        };
        let new = Piece {
            tree,
            targets,
            checks,
            bridge_of,
            leads_to,
            watched,
            valid: true,
        };
        assumed.pieces.insert(piece, new);
    }

    /// Trees are freed, and their traces with them.
    pub(crate) fn free_pieces(&self, trees: &[TreeId]) {
        let assumed = &mut *self.assumed.borrow_mut();
        assumed.pieces.retain(|&id, piece| {
            let keep = !trees.contains(&piece.tree);
            if !keep {
                // SAFETY: the context outlives the engine.
                unsafe { unwatch(self.ctx, id, &piece.watched) };
                for target in &piece.targets {
                    assumed.by_target.remove(target);
                }
            }
            keep
        });
    }
}
