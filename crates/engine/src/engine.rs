//! The state of one VM's JIT, as parts that own what changes together.
//!
//! Invariant: guest code, which may re-enter the engine, never runs while one of the cells here is
//! borrowed, except for the optimiser's, whose folding calls elidable functions: while it is busy,
//! nothing is traced.

use crate::code::cache::CodeCache;
use crate::code::guard_info::GuardInfo;
use crate::compile::pipeline::Pipeline;
use crate::observe::observers::Observers;
use crate::params::JitParams;
use crate::policy::budget::CompileBudget;
use crate::policy::counters::Counters;
use crate::policy::phase_clock::PhaseClock;
use crate::program::LinkedProgram;
use crate::run::stack;
use crate::run::virtualizable::owners::SuspendedOwners;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;
use verdigris_backend::Backend;
use verdigris_heap::{Context, Signals, Tier, detector};
use verdigris_record::Targets;
use verdigris_report::{CollectorStats, Stats};
use verdigris_trace::TargetId;

/// The JIT of one VM.
pub(crate) struct Engine {
    pub(crate) ctx: *mut Context,
    pub(crate) program: Rc<LinkedProgram>,
    pub(crate) params: JitParams,
    pub(crate) clock: PhaseClock,
    pub(crate) budget: CompileBudget,
    pub(crate) code: CodeCache,
    /// They come before the machine code, which an inspector must not outlive.
    pub(crate) observers: Observers,
    pub(crate) pipeline: Pipeline,
    pub(crate) run: RunState,
}

/// What answers a question.
type Answer = Rc<dyn Fn(&Engine)>;

/// The state of the guest program's run.
pub(crate) struct RunState {
    /// Stops guest code from outside.
    pub(crate) signals: Arc<Signals>,
    /// Whether code that is compiled from now on can be interrupted.
    pub(crate) interruptible: Cell<bool>,
    /// What an interrupt does, if it does not stop the guest program.
    pub(crate) on_interrupt: RefCell<Option<Rc<dyn Fn()>>>,
    /// What answers a question.
    pub(crate) on_question: RefCell<Option<Answer>>,
    /// Whether the portal's variables have been compared with those that were translated.
    pub(crate) is_shape_checked: Cell<bool>,
    /// Whether no observer asks when code is entered, and a decision then only takes a measurement.
    pub(crate) is_unwatched: bool,
    /// Whether the system has refused memory where a guard needed it: stores may be lost, and the
    /// guest's heap can no longer be trusted.
    pub(crate) broken: Cell<bool>,
    /// The virtualizable objects of suspended code.
    pub(crate) suspended: RefCell<SuspendedOwners>,
}

impl Engine {
    /// An engine without code.
    ///
    /// # Safety
    /// `ctx` outlives the engine.
    pub(crate) unsafe fn new(
        ctx: *mut Context,
        program: Rc<LinkedProgram>,
        params: JitParams,
        observers: Observers,
        backend: Box<dyn Backend>,
        clock: Option<fn() -> f64>,
    ) -> Engine {
        let is_unwatched =
            !observers.watches_runs() && observers.profiled.is_none() && params.shuffle_tiers == 0;
        let counters = Counters::new(params.threshold, params.function_threshold, params.decay);
        // SAFETY: the caller's promise.
        let (code, signals) = unsafe {
            let code = CodeCache::new(ctx, Rc::clone(&program), counters);
            (code, Arc::clone((*ctx).signals()))
        };
        Engine {
            ctx,
            program,
            clock: PhaseClock::new(clock),
            budget: CompileBudget::new(params.shuffle_tiers.into()),
            code,
            observers,
            pipeline: Pipeline::new(&params, backend),
            run: RunState {
                signals,
                interruptible: Cell::new(params.interruptible),
                on_interrupt: RefCell::default(),
                on_question: RefCell::default(),
                is_shape_checked: Cell::new(false),
                is_unwatched,
                broken: Cell::new(false),
                suspended: RefCell::default(),
            },
            params,
        }
    }

    /// The green part of a state.
    pub(crate) fn greens<'a>(&self, state: &'a [u64]) -> &'a [u64] {
        &state[..self.program.greens.len()]
    }

    /// The red part of a state.
    pub(crate) fn reds<'a>(&self, state: &'a [u64]) -> &'a [u64] {
        &state[self.program.greens.len()..]
    }

    /// Which compiler may make code for these greens, as the author of the guest language says. The
    /// objects among the greens live. The author's function runs with nothing borrowed; a panic in
    /// it is the guest program's.
    pub(crate) fn tier(&self, greens: &[u64]) -> Tier {
        if !self.program.has_tiers() {
            return Tier::Any;
        }
        // The cell keeps the objects alive while the function runs.
        let cell = self.code.cell_for(greens);
        if let Some(tier) = self.code.cells.borrow()[cell].tier {
            return tier;
        }
        let tier = {
            let _guests = detector::guests();
            // SAFETY: the caller has them from a merge point, and the pins of the cell keep their
            // objects.
            unsafe { self.program.ask_tier(greens) }
        };
        // If the function has run guest code, the cell may have been forgotten meanwhile.
        let cell = self.code.cell_for(greens);
        self.code.cells.borrow_mut()[cell].tier = Some(tier);
        tier
    }

    /// The tier of the place that an exit's code was made for.
    pub(crate) fn tier_of(&self, info: &GuardInfo) -> Tier {
        match self.program.has_tiers() {
            true => self.code.trees.borrow().tier(info.tree),
            false => Tier::Any,
        }
    }

    /// Lets counters decay for the collections since the last time.
    pub(crate) fn decay_for_collections(&self) {
        // SAFETY: the context outlives the engine.
        let heap = unsafe { (*self.ctx).heap_stats() };
        (self.code.counters).decay_for(heap.collections + heap.young_collections);
    }

    /// From here on the native stack may be used down to the limit that the options gave. Returns
    /// the limit before.
    pub(crate) fn set_stack_limit(&self, size: Option<usize>) -> usize {
        self.replace_stack_limit(stack::limit(size))
    }

    /// Replaces the limit of the native stack. Returns the limit before.
    pub(crate) fn replace_stack_limit(&self, limit: usize) -> usize {
        // SAFETY: the context outlives the engine.
        unsafe { (*self.ctx).set_stack_limit(limit) }
    }

    /// Whether the VM has been entered.
    pub(crate) fn is_entered(&self) -> bool {
        // SAFETY: the context outlives the engine.
        unsafe { (*self.ctx).own_stack_limit() != 0 }
    }

    /// The statistics so far.
    pub(crate) fn stats(&self) -> Stats {
        let mut stats = self.observers.stats();
        self.clock.add_to(&mut stats);
        let backend = self.pipeline.backend.borrow();
        stats.backend = backend.name().to_string();
        stats.machine_code_bytes = backend.code_bytes() as u64;
        stats.tiers.threads = self.code.threaded.len() as u64;
        stats.tiers.thread_bytes = self.code.threaded.bytes() as u64;
        stats.alive = self.code.live_stats();
        // SAFETY: the context outlives the engine.
        let heap = unsafe { (*self.ctx).heap_stats() };
        stats.heap = CollectorStats {
            collections: heap.collections,
            young_collections: heap.young_collections,
            allocated_bytes: heap.bytes_allocated,
            live_bytes: heap.live_bytes,
            heap_bytes: heap.heap_bytes,
            seconds: heap.pause_nanos as f64 * 1e-9,
            longest_pause_seconds: heap.max_pause_nanos as f64 * 1e-9,
            longest_young_pause_seconds: heap.max_young_pause_nanos as f64 * 1e-9,
        };
        stats
    }
}

impl Targets for Engine {
    fn lookup(&self, greens: &[u64]) -> Option<TargetId> {
        let cells = self.code.cells.borrow();
        let code = cells[cells.find(greens)?].code_to_jump_to()?;
        Some(code.target)
    }

    fn segment(&self, greens: &[u64]) -> Option<TargetId> {
        if !self.code.has_segments.get() {
            return None;
        }
        let cells = self.code.cells.borrow();
        let cell = &cells[cells.find(greens)?];
        let code = cell.code_to_jump_to().filter(|_| cell.is_segment)?;
        Some(code.target)
    }

    fn traces(&self, greens: &[u64]) -> bool {
        self.may_be_traced(self.tier(greens))
    }

    fn blocked(&self, greens: &[u64]) -> bool {
        let cells = self.code.cells.borrow();
        cells.find(greens).is_some_and(|id| cells[id].blocked)
    }

    fn call_native(&self, call: &mut dyn FnMut()) {
        let _phase = self.clock.call_native();
        call();
    }

    fn inlines(&self, greens: &[u64], depth: usize) -> bool {
        let cells = self.code.cells.borrow();
        if (cells.find(greens)).is_some_and(|cell| cells[cell].never_inlined) {
            return false;
        }
        drop(cells);
        if !self.traces(greens) {
            return false;
        }
        let recurses = depth >= self.params.max_unroll_recursion as usize;
        if recurses {
            self.code.never_inline(greens);
        }
        !recurses
    }
}
