//! The state of one VM's JIT. In: a linked program and parameters. Out: [`Engine`], which the other
//! modules teach to count and enter ([`crate::run::enter`]), trace ([`crate::compile::record`]),
//! compile ([`crate::compile::install`]) and deoptimise ([`crate::run::deopt`]).
//!
//! Invariant: guest code, which may come back into the engine, never runs while one of the cells
//! here is borrowed, except for the optimiser, whose folding calls elidable functions: while it is
//! busy, nothing is traced.

use crate::code::assumed::Assumed;
use crate::code::callee_words::CalleeWords;
use crate::code::guards::Guards;
use crate::code::jit_cells::{CellId, Cells, Code};
use crate::code::roots::Pins;
use crate::code::trees::Trees;
use crate::observe::explain::state::Explained;
use crate::observe::hooks::{Hooks, SharedHooks};
use crate::observe::log::{Log, Stage};
use crate::observe::places::Places;
use crate::observe::profile::state::Profiled;
use crate::observe::stats::{CollectorStats, Stats};
use crate::observe::trace_text::KeptTrace;
use crate::params::JitParams;
use crate::policy::counters::Counters;
use crate::policy::meter::Meter;
use crate::program::Linked;
use crate::run::stack;
use crate::run::virtualizable::owners::Keepers;
use crate::threaded_code::places::Threads;
use std::cell::{Cell, RefCell};
use std::sync::Arc;
use verdigris_backend::Backend;
use verdigris_heap::{Context, Signals, Tier, detector, hash_greens};
use verdigris_inspect::Inspector;
use verdigris_ops::FnKind;
use verdigris_opt::Optimiser;
use verdigris_record::Targets;
use verdigris_replay::Recorder;
use verdigris_specialise::SpecialiserHistory;
use verdigris_trace::TargetId;

/// What is in the way of entering a portal at its merge point.
const NO_RUNNER: &str = "Native code cannot begin at its merge point: make the loop a statement of the portal's body, and let the loop and what \
                         is behind it mention no variables from before it but the greens and reds.\n";

/// The JIT of one VM.
pub(crate) struct Engine {
    pub(crate) ctx: *mut Context,
    pub(crate) linked: Linked,
    pub(crate) params: JitParams,
    pub(crate) log: Log,
    pub(crate) meter: Meter,
    pub(crate) counters: Counters,
    pub(crate) cells: RefCell<Cells>,
    pub(crate) guards: RefCell<Guards>,
    /// What tells profilers and debuggers of machine code, if the parameters ask for it. It comes
    /// before the code, which it must not outlive.
    pub(crate) inspector: Option<RefCell<Inspector>>,
    pub(crate) backend: RefCell<Box<dyn Backend>>,
    pub(crate) optimiser: RefCell<Optimiser>,
    /// Borrowed only while the optimiser is.
    pub(crate) history: RefCell<SpecialiserHistory>,
    /// What writes down what optimiser and backend are given, if somebody wants that.
    pub(crate) recorder: Option<Recorder>,
    /// The compiled code.
    pub(crate) trees: RefCell<Trees>,
    /// The code that may be invalidated.
    pub(crate) assumed: RefCell<Assumed>,
    /// What suspended code keeps to itself.
    pub(crate) keepers: RefCell<Keepers>,
    /// Whether the portal's variables have been found to be those that the translator has read.
    pub(crate) is_shape_checked: Cell<bool>,
    /// Whether the next merge point is compiled, and not run.
    pub(crate) is_ahead: Cell<bool>,
    /// Traces under way.
    pub(crate) depth: Cell<u32>,
    /// Traces recorded so far, for the log.
    pub(crate) pieces: Cell<u32>,
    /// The traces compiled so far, if the embedder wants them.
    kept: Option<RefCell<Vec<KeptTrace>>>,
    /// Collections when counters last decayed.
    collections: Cell<u64>,
    /// Where compiled code finds what it calls.
    pub(crate) callees: CalleeWords,
    /// The hooks of the embedder, which are told what happens.
    pub(crate) hooks: Option<SharedHooks>,
    /// Whether a hook is running.
    pub(crate) in_hook: Cell<bool>,
    /// Stops guest code from outside.
    pub(crate) signals: Arc<Signals>,
    /// Whether code that is compiled from now on can be interrupted.
    pub(crate) interruptible: Cell<bool>,
    /// Whether the system has refused memory for what has to be made at a guard, so that stores may
    /// be lost and the guest's heap can no longer be trusted.
    pub(crate) broken: Cell<bool>,
    /// Whether compiling waits, since it has cost too much.
    pub(crate) is_waiting: Cell<bool>,
    /// The state of the generator of random changes of tier.
    pub(crate) shuffled: Cell<u64>,
    /// The places that run as threaded code.
    pub(crate) threads: Threads,
    /// What was made for which place of the guest program, if the embedder wants to know.
    pub(crate) places: Option<RefCell<Places>>,
    /// What explains the run, if somebody wants to know why it is slow.
    pub(crate) explained: Option<Explained>,
    /// What is known of the run, if the guest program is profiled.
    pub(crate) profiled: Option<Profiled>,
    /// Whether the function runs that says where places are.
    pub(crate) is_asking: Cell<bool>,
}

impl Engine {
    /// An engine without code.
    ///
    /// # Safety
    /// `ctx` outlives the engine.
    pub(crate) unsafe fn new(
        ctx: *mut Context,
        linked: Linked,
        params: JitParams,
        log: Log,
        mut backend: Box<dyn Backend>,
        clock: Option<fn() -> f64>,
    ) -> Engine {
        if params.fail_guards {
            backend.force_guard_failures();
        }
        let mut passes = params.enable_opts;
        // A guard that fails although it holds says nothing of its value.
        passes.exits &= !params.fail_guards;
        // SAFETY: the caller's promise.
        let threads = Threads::new(linked.greens.len(), unsafe { Pins::new(ctx) });
        Engine {
            ctx,
            linked,
            log,
            meter: Meter::new(backend.name(), clock),
            counters: Counters::new(params.threshold, params.function_threshold, params.decay),
            cells: RefCell::default(),
            guards: RefCell::default(),
            backend: RefCell::new(backend),
            optimiser: RefCell::new(Optimiser::new(passes)),
            history: RefCell::default(),
            inspector: None,
            recorder: None,
            trees: RefCell::default(),
            assumed: RefCell::default(),
            keepers: RefCell::default(),
            is_shape_checked: Cell::new(false),
            is_ahead: Cell::new(false),
            depth: Cell::new(0),
            pieces: Cell::new(0),
            kept: None,
            collections: Cell::new(0),
            callees: CalleeWords::default(),
            broken: Cell::new(false),
            is_waiting: Cell::new(false),
            shuffled: Cell::new(params.shuffle_tiers.into()),
            threads,
            places: None,
            explained: None,
            profiled: None,
            is_asking: Cell::new(false),
            hooks: None,
            in_hook: Cell::new(false),
            // SAFETY: the caller's promise.
            signals: Arc::clone(unsafe { (*ctx).signals() }),
            interruptible: Cell::new(params.interruptible),
            params,
        }
    }

    /// From now on, the text of every compiled trace is kept.
    pub(crate) fn keep_traces(&mut self) {
        self.kept = Some(RefCell::default());
    }

    /// From now on, what is made is noted by place.
    pub(crate) fn keep_places(&mut self) {
        self.places = Some(RefCell::default());
    }

    /// From now on, what is left in code is noted, and what becomes of it.
    pub(crate) fn keep_explanations(&mut self) {
        self.keep_places();
        self.explained = Some(Explained::default());
    }

    /// The traces kept so far.
    pub(crate) fn kept_traces(&self) -> Vec<KeptTrace> {
        self.kept
            .as_ref()
            .map_or(Vec::new(), |kept| kept.borrow().clone())
    }

    /// Whether the embedder wants the text of compiled traces.
    pub(crate) fn keeps_traces(&self) -> bool {
        self.kept.is_some()
    }

    /// Keeps the text of a trace that was compiled.
    pub(crate) fn keep_trace(&self, trace: Option<KeptTrace>) {
        if let Some(kept) = &self.kept {
            kept.borrow_mut().extend(trace);
        }
    }

    /// The green part of a state.
    pub(crate) fn greens<'a>(&self, state: &'a [u64]) -> &'a [u64] {
        &state[..self.linked.greens.len()]
    }

    /// The red part of a state.
    pub(crate) fn reds<'a>(&self, state: &'a [u64]) -> &'a [u64] {
        &state[self.linked.greens.len()..]
    }

    /// The code for these greens, if there is any.
    pub(crate) fn code(&self, greens: &[u64]) -> Option<Code> {
        self.cells.borrow().code(greens).cloned()
    }

    /// The guest function that begins with these greens is not inlined from now on, but soon
    /// compiled by itself.
    pub(crate) fn leave_alone(&self, greens: &[u64]) {
        let cell = self.cell_for(greens);
        self.cells.borrow_mut()[cell].alone = true;
        self.counters.hurry(hash_greens(greens));
    }

    /// Which compiler may make code for these greens, as the author of the guest language says. The
    /// objects among the greens live. It is the author's code that answers, so nothing here is
    /// borrowed meanwhile; a panic in it is the guest program's.
    pub(crate) fn tier(&self, greens: &[u64]) -> Tier {
        if !self.linked.has_tiers() {
            return Tier::Any;
        }
        // The cell keeps the objects alive while the function runs.
        let cell = self.cell_for(greens);
        if let Some(tier) = self.cells.borrow()[cell].tier {
            return tier;
        }
        let tier = {
            let _guests = detector::guests();
            // SAFETY: the caller has them from a merge point, and the pins of the cell keep their
            // objects.
            unsafe { self.linked.ask_tier(greens) }
        };
        // If the function has run guest code, the cell may have been forgotten meanwhile.
        let cell = self.cell_for(greens);
        self.cells.borrow_mut()[cell].tier = Some(tier);
        tier
    }

    /// The cell for these greens, new if they have none.
    pub(crate) fn cell_for(&self, greens: &[u64]) -> CellId {
        let cell = self.cells.borrow().find(greens);
        cell.unwrap_or_else(|| self.add_cell(greens))
    }

    /// Lets counters decay for the collections since the last time.
    pub(crate) fn decay_for_collections(&self) {
        // SAFETY: the context outlives the engine.
        let heap = unsafe { (*self.ctx).heap_stats() };
        let now = heap.collections + heap.young_collections;
        let before = self.collections.replace(now);
        self.counters
            .decay(now.saturating_sub(before).min(1000) as u32);
    }

    /// From here on the native stack may be used down to the limit that the options gave.
    pub(crate) fn set_stack_limit(&self, size: Option<usize>) -> usize {
        self.replace_stack_limit(stack::limit(size))
    }

    /// Returns to the limit before.
    pub(crate) fn restore_stack_limit(&self, limit: usize) {
        self.replace_stack_limit(limit);
    }

    fn replace_stack_limit(&self, limit: usize) -> usize {
        // SAFETY: the context outlives the engine.
        unsafe { (*self.ctx).set_stack_limit(limit) }
    }

    /// Whether the VM has been entered.
    pub(crate) fn is_entered(&self) -> bool {
        // SAFETY: the context outlives the engine.
        unsafe { (*self.ctx).own_stack_limit() != 0 }
    }

    /// The figures so far.
    pub(crate) fn stats(&self) -> Stats {
        let mut stats = self.meter.figures();
        stats.machine_code_bytes = self.backend.borrow().code_bytes() as u64;
        stats.tiers.threads = self.threads.len() as u64;
        stats.tiers.thread_bytes = self.threads.bytes() as u64;
        stats.alive = self.alive();
        if let Some(places) = &self.places {
            (stats.locations, stats.given_up) = places.borrow().figures();
        }
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

    /// Writes the figures to the log, and how often each guard has led out of compiled code.
    pub(crate) fn log_stats(&self) {
        self.log.piece(Stage::Stats, || {
            let mut text = self.stats().to_json();
            text.push('\n');
            if let Some(places) = &self.places {
                text.push_str(&places.borrow().failures());
            }
            ("at the end".to_string(), text)
        });
    }

    /// Writes the interpreter itself to the log.
    pub(crate) fn log_program(&self, graphs: &str) {
        self.log.piece(Stage::Graph, || {
            (
                "the interpreter's flow graphs".to_string(),
                graphs.to_string(),
            )
        });
        self.log.piece(Stage::Jitcode, || {
            let text = verdigris_jitcode::print_unit(&self.linked.unit);
            ("the interpreter's jitcode".to_string(), text)
        });
        let unit = &self.linked.unit;
        let recurses = unit.descrs.fns.values().any(|f| f.kind == FnKind::Portal);
        if recurses && unit.runner().is_none() {
            self.log.piece(Stage::Trace, || {
                let title = "calls of the portal by itself are not inlined".to_string();
                (title, NO_RUNNER.to_string())
            });
        }
    }
}

/// The time in which a hook runs; ends when dropped, also when a panic passes through.
struct InHook<'a>(&'a Engine);

impl Drop for InHook<'_> {
    fn drop(&mut self) {
        self.0.in_hook.set(false);
    }
}

impl Engine {
    /// Calls a hook, if there are any.
    pub(crate) fn tell(&self, call: impl FnOnce(&dyn Hooks)) {
        if let Some(SharedHooks(hooks)) = &self.hooks {
            self.in_hook.set(true);
            let _in_hook = InHook(self);
            Context::outside(|| call(&**hooks));
        }
    }

    /// Panics if a hook is running.
    pub(crate) fn check_hook(&self) {
        assert!(
            !self.in_hook.get(),
            "a hook of the JIT has entered its own VM, which is in the middle of a trace: note what there is to do, and do it \
             when the VM has been left"
        );
    }
}

impl Targets for Engine {
    fn lookup(&self, greens: &[u64]) -> Option<TargetId> {
        let cells = self.cells.borrow();
        let code = cells[cells.find(greens)?].code_to_jump_to()?;
        Some(code.target)
    }

    fn traces(&self, greens: &[u64]) -> bool {
        self.may_be_traced(self.tier(greens))
    }

    fn blocked(&self, greens: &[u64]) -> bool {
        let cells = self.cells.borrow();
        cells.find(greens).is_some_and(|id| cells[id].blocked)
    }

    fn inlines(&self, greens: &[u64], depth: usize) -> bool {
        let cell = self.cells.borrow().find(greens);
        if cell.is_some_and(|cell| self.cells.borrow()[cell].alone) {
            return false;
        }
        if !self.traces(greens) {
            return false;
        }
        let recurses = depth >= self.params.max_unroll_recursion as usize;
        if recurses {
            self.leave_alone(greens);
        }
        !recurses
    }
}
