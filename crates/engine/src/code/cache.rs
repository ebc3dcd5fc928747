//! The code cache: what the engine knows of hot places, and the code that they have.
//!
//! Invariant: cells, counters and callee words agree: a counter is held at 0 exactly as long as
//! native code enters code there, and a callee word holds the address of the code of its cell.

use crate::code::assumed::{Assumed, AssumingTrace};
use crate::code::callee_words::CalleeWords;
use crate::code::guards::Guards;
use crate::code::jit_cells::{Code, Dropped, JitCellId, JitCells};
use crate::code::roots::Pins;
use crate::code::trace_id::TraceId;
use crate::code::trees::{Held, InUse, Tree, TreeId, Trees};
use crate::compile::target::{TraceOrigin, TraceTarget};
use crate::policy::counters::Counters;
use crate::program::LinkedProgram;
use crate::threaded_code::places::ThreadedCode;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use verdigris_heap::{Context, Tier, hash_greens};
use verdigris_report::LiveStats;
use verdigris_trace::GuardId;

/// The compiled code of one VM, by place.
pub(crate) struct CodeCache {
    ctx: *mut Context,
    program: Rc<LinkedProgram>,
    pub(crate) counters: Counters,
    pub(crate) cells: RefCell<JitCells>,
    /// Whether any cell was ever the start of a segment: while none was, traces ask for none.
    pub(crate) has_segments: Cell<bool>,
    pub(crate) guards: RefCell<Guards>,
    pub(crate) trees: RefCell<Trees>,
    /// Code that may be invalidated.
    pub(crate) assumed: RefCell<Assumed>,
    /// The addresses by which compiled code calls other code.
    pub(crate) callees: CalleeWords,
    pub(crate) threaded: ThreadedCode,
}

impl CodeCache {
    /// # Safety
    /// `ctx` outlives the result.
    pub(crate) unsafe fn new(
        ctx: *mut Context,
        program: Rc<LinkedProgram>,
        counters: Counters,
    ) -> CodeCache {
        // SAFETY: the caller's promise.
        let threaded = ThreadedCode::new(program.greens.len(), unsafe { Pins::new(ctx) });
        CodeCache {
            ctx,
            program,
            counters,
            cells: RefCell::default(),
            has_segments: Cell::new(false),
            guards: RefCell::default(),
            trees: RefCell::default(),
            assumed: RefCell::default(),
            callees: CalleeWords::default(),
            threaded,
        }
    }

    /// Pins for the objects among greens.
    pub(crate) fn pin_greens(&self, greens: &[u64]) -> Pins {
        // SAFETY: the context outlives the engine.
        let mut pins = unsafe { Pins::new(self.ctx) };
        let objects = self.program.objects(greens);
        objects.for_each(|object| pins.add(object));
        pins
    }

    /// The code for these greens that native code enters.
    pub(crate) fn find(&self, greens: &[u64]) -> Option<Code> {
        self.cells.borrow().code(greens).cloned()
    }

    /// The cell for these greens, a new one if they have none.
    pub(crate) fn cell_for(&self, greens: &[u64]) -> JitCellId {
        let cell = self.cells.borrow().find(greens);
        cell.unwrap_or_else(|| {
            let pins = self.pin_greens(greens);
            let mut cells = self.cells.borrow_mut();
            let cell = cells.add(greens, Some(pins));
            cells[cell].used = self.trees.borrow().generation();
            cell
        })
    }

    /// The greens of a cell.
    pub(crate) fn greens_of(&self, cell: JitCellId) -> Box<[u64]> {
        self.cells.borrow().greens(cell).into()
    }

    /// The greens of the last merge point in front of a guard, if they were kept.
    pub(crate) fn greens_at(&self, guard: GuardId) -> Option<Box<[u64]>> {
        self.guards.borrow().greens_at(guard).map(Into::into)
    }

    /// The greens of the place where a trace starts whose recording has led to the greens `end`.
    pub(crate) fn greens_of_target(&self, target: TraceTarget, end: &[u64]) -> Option<Box<[u64]>> {
        match target {
            TraceTarget::Loop | TraceTarget::Version(_) | TraceTarget::Stencil => Some(end.into()),
            TraceTarget::Header(cell, _) => Some(self.greens_of(cell)),
            TraceTarget::Bridge(guard) => self.greens_at(guard),
        }
    }

    /// The greens of the place where an attempt starts.
    pub(crate) fn greens_of_origin(&self, origin: TraceOrigin) -> Option<Box<[u64]>> {
        match origin {
            TraceOrigin::Header(cell, _) => Some(self.greens_of(cell)),
            TraceOrigin::Guard(guard) => self.greens_at(guard),
        }
    }

    /// Installs code at a place: native code and callers enter it from now on.
    pub(crate) fn install(&self, cell: JitCellId, hash: u64, code: Code) {
        let mut cells = self.cells.borrow_mut();
        let greens = cells.greens(cell);
        self.callees.moved(greens, code.callee_address());
        self.trees.borrow_mut().called(greens, code.tree);
        if cells.set_code(cell, Some(code)).is_none() {
            self.counters.hold(hash);
        }
    }

    /// Lets native code enter threaded code at a place. Other code cannot call it.
    pub(crate) fn install_threaded(&self, cell: JitCellId, hash: u64, code: Code) {
        let before = self.cells.borrow_mut().set_code(cell, Some(code));
        if before.is_none() {
            self.counters.hold(hash);
        }
    }

    /// Removes the code of a place, which is freed as soon as no activation runs it.
    pub(crate) fn remove(&self, cell: JitCellId, greens: &[u64], tree: TreeId) {
        self.cells.borrow_mut().set_code(cell, None);
        self.callees.moved(greens, 0);
        self.counters.release(hash_greens(greens));
        self.trees.borrow_mut().abandon(tree);
    }

    /// Neither native code nor other code enters the code of a place until it has become hot
    /// again, and was passed `passes` times more.
    pub(crate) fn suspend_entry(&self, cell: JitCellId, greens: &[u64], passes: u32) {
        self.cells.borrow_mut().suspend(cell);
        self.callees.moved(greens, 0);
        let hash = hash_greens(greens);
        self.counters.release(hash);
        self.counters.delay(hash, passes);
    }

    /// Lets native code enter suspended code again. False if the place has none.
    pub(crate) fn resume_entry(&self, cell: JitCellId, hash: u64) -> bool {
        let Some(code) = self.cells.borrow_mut().resume(cell) else {
            return false;
        };
        self.counters.hold(hash);
        let cells = self.cells.borrow();
        let greens = cells.greens(cell);
        self.callees.moved(greens, code.callee_address());
        // Code that was compiled meanwhile calls it from now on.
        self.trees.borrow_mut().called(greens, code.tree);
        true
    }

    /// Nothing is compiled for these greens any more.
    pub(crate) fn block(&self, hash: u64, greens: &[u64]) {
        let cell = self.cell_for(greens);
        self.cells.borrow_mut()[cell].blocked = true;
        self.counters.silence(hash);
    }

    /// The guest function that begins with these greens is compiled by itself soon, unless that was
    /// in vain before, and no longer inlined.
    pub(crate) fn never_inline(&self, greens: &[u64]) {
        let cell = self.cell_for(greens);
        let cell = &mut self.cells.borrow_mut()[cell];
        cell.never_inlined = true;
        if cell.evictions == 0 {
            self.counters.hurry(hash_greens(greens));
        }
    }

    /// The place that has the code of a tree, with its greens.
    pub(crate) fn place_with(&self, tree: TreeId) -> Option<(JitCellId, Box<[u64]>)> {
        let trees = self.trees.borrow();
        let cells = self.cells.borrow();
        let greens = &trees.get(tree)?.greens;
        let cell = cells.find(greens)?;
        // It may have other code meanwhile.
        let is_there = cells[cell].code().is_some_and(|code| code.tree == tree);
        is_there.then(|| (cell, greens.clone()))
    }

    /// Detaches a tree that is freed from its place, which may get hot again: with a delay, after
    /// so many more passes, which double each time.
    pub(crate) fn detach(&self, tree: &Tree, delay: Option<u32>) {
        let is_its = |code: &Code| code.tree == tree.id;
        let mut cells = self.cells.borrow_mut();
        let Some(cell) = cells.find(&tree.greens) else {
            return;
        };
        let dropped = cells.drop_code(cell, is_its);
        if dropped != Dropped::None {
            self.callees.moved(&tree.greens, 0);
        }
        if dropped == Dropped::Entered {
            self.counters.release(tree.hash);
            if let Some(passes) = delay {
                let passes = passes.saturating_mul(cells[cell].evict());
                self.counters.delay(tree.hash, passes);
            }
        }
    }

    /// Detaches an invalid trace, which starts with its label, from its place.
    pub(crate) fn detach_invalid(&self, trace: &AssumingTrace) {
        let mut trees = self.trees.borrow_mut();
        let Some(tree) = trees.get(trace.tree) else {
            return;
        };
        let mut cells = self.cells.borrow_mut();
        let Some(id) = cells.find(&tree.greens) else {
            return;
        };
        cells[id].invalidations += 1;
        let dropped = cells.drop_code(id, |code| trace.targets.contains(&code.target));
        if dropped == Dropped::None {
            return;
        }
        cells[id].retraces = 0;
        if dropped == Dropped::Entered {
            self.counters.release(tree.hash);
        }
        self.callees.moved(&tree.greens, 0);
        trees.abandon(trace.tree);
    }

    /// Keeps the code that a trace starts from until the result is dropped.
    pub(crate) fn hold_origin(&self, origin: TraceOrigin) -> Option<Held<Rc<InUse>>> {
        let trees = self.trees.borrow();
        let in_use = match origin {
            TraceOrigin::Header(cell, _) => self.cells.borrow()[cell].code()?.in_use.clone(),
            TraceOrigin::Guard(guard) => trees.in_use(self.guards.borrow()[guard].home.tree),
        };
        Some(trees.hold(in_use))
    }

    /// The tree that a compiled trace is freed with: its own, unless it continues or completes
    /// one. `end` are the greens that its recording has led to.
    pub(crate) fn tree_for(&self, target: TraceTarget, title: &str, end: &[u64]) -> TreeId {
        let mut trees = self.trees.borrow_mut();
        let cells = self.cells.borrow();
        match target {
            TraceTarget::Loop => {
                // A trace has led there, so the tier is known.
                let tier = cells.find(end).and_then(|cell| cells[cell].tier);
                trees.add(title, end, hash_greens(end), tier.unwrap_or_default())
            }
            TraceTarget::Header(cell, hash) => {
                let tier = cells[cell].tier.unwrap_or_default();
                trees.add(title, cells.greens(cell), hash, tier)
            }
            TraceTarget::Version(of) => {
                (trees.of_target(of)).expect("a loop with another version lives")
            }
            TraceTarget::Stencil => {
                let known = self.threaded.tree.get();
                let tree = known.unwrap_or_else(|| trees.add("threaded code", &[], 0, Tier::Any));
                self.threaded.tree.set(Some(tree));
                tree
            }
            TraceTarget::Bridge(guard) => {
                let tree = self.guards.borrow()[guard].home.tree;
                trees.count_bridge(tree);
                tree
            }
        }
    }

    /// The code that was compiled last keeps alive what it calls.
    pub(crate) fn link_callees(&self, tree: TreeId) {
        let callees = self.callees.take_wanted();
        if callees.is_empty() {
            return;
        }
        let cells = self.cells.borrow();
        // Suspended code will be called again.
        let code = callees.iter().filter_map(|callee| {
            let cell = cells.find(&callee.greens)?;
            cells[cell].code_to_jump_to()
        });
        let code: Vec<TreeId> = code.map(|code| code.tree).collect();
        self.trees.borrow_mut().calls(tree, callees, &code);
    }

    /// Whether the trace that a guard is in is valid.
    pub(crate) fn is_valid(&self, trace: TraceId) -> bool {
        self.assumed.borrow().is_valid(trace)
    }

    /// The sizes of the tables.
    pub(crate) fn live_stats(&self) -> LiveStats {
        let trees = self.trees.borrow();
        let (cells, pinned) = self.cells.borrow().count();
        let mut alive = LiveStats {
            cells: cells as u64,
            pinned: pinned as u64,
            watched: self.assumed.borrow().watched() as u64,
            ..LiveStats::default()
        };
        for tree in trees.iter() {
            alive.trees += 1;
            alive.bridges += u64::from(tree.bridges);
            alive.guards += tree.guards.len() as u64;
            alive.pinned += tree.pinned() as u64;
        }
        alive
    }
}
