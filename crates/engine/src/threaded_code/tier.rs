//! Threaded code, the first tier: its interface to the rest of the engine.
//!
//! Invariants: a place runs as threaded code as long as it has no code of another tier; where
//! threaded code leaves, the interpreter's state is rebuilt as behind any exit, and the place it
//! comes to is entered again; when there is no time to compile, native code does not enter. Source:
//! "Two-level Just-in-Time Compilation with One Interpreter and One Engine" (2022), section 3.

#![forbid(unsafe_code)]

use crate::code::jit_cells::Code;
use crate::code::trees::{Held, InUse, Tree, TreeId};
use crate::engine::Engine;
use crate::policy::reasons::{FreeReason, TierChange};
use crate::policy::tiers::{LONGER, SUSPENSIONS};
use crate::run::enter::{Next, Outcome};
use crate::threaded_code::places::ThreadedCode;
use std::rc::Rc;
use verdigris_heap::{Tier, hash_greens};

/// A count of arrivals that never runs out.
const FOREVER: u64 = u64::MAX;

/// The threaded tier of a VM.
#[derive(Clone, Copy)]
pub(crate) struct ThreadedTier<'e> {
    pub(super) engine: &'e Engine,
}

impl Engine {
    /// The threaded tier.
    pub(crate) fn threaded(&self) -> ThreadedTier<'_> {
        ThreadedTier { engine: self }
    }
}

impl<'e> ThreadedTier<'e> {
    /// The places that run as threaded code.
    pub(super) fn places(self) -> &'e ThreadedCode {
        &self.engine.code.threaded
    }

    /// The generation of code that there is now.
    fn generation(self) -> u64 {
        self.engine.code.trees.borrow().generation()
    }

    /// Keeps all threaded code until the result is dropped.
    pub(crate) fn hold(self) -> Held<Rc<InUse>> {
        let common = self.places().common();
        self.engine
            .code
            .trees
            .borrow()
            .hold(Rc::clone(&common.enter.in_use))
    }

    /// The tree of all threaded code, if it was begun more than `longevity` generations ago.
    pub(crate) fn outlived(self, longevity: u32) -> Option<TreeId> {
        let since = self.places().begun().filter(|_| longevity > 0)?.since;
        let age = self.generation() - since;
        (self.places().tree.get()).filter(|_| age > u64::from(longevity))
    }

    /// Forgets all places and records if the tree of threaded code is among those that are freed.
    pub(crate) fn forget_freed(self, freed: &[Tree], reason: FreeReason) {
        let tree = self.places().tree.get();
        if !freed.iter().any(|freed| tree == Some(freed.id)) {
            return;
        }
        if let FreeReason::OverBudget | FreeReason::Unused = reason {
            self.places().evict(self.generation());
        }
        let code = &self.engine.code;
        self.places().clear(code.pin_greens(&[]));
        let hashes = code.cells.borrow_mut().drop_threaded();
        for hash in hashes {
            code.counters.release(hash);
        }
    }

    /// The arrivals before a place may get code of another tier.
    pub(super) fn arrivals(self) -> u64 {
        match self.engine.params.compiler.is_threaded_only() {
            true => FOREVER,
            false => self.engine.params.threshold.into(),
        }
    }

    /// Whether a place that is hot should get threaded code.
    fn is_wanted_at(self, greens: &[u64]) -> bool {
        let is_first = self.engine.params.thread_threshold > 0
            || self.engine.params.compiler.is_threaded_only();
        if !is_first || self.engine.params.check_hints || self.engine.program.red_dispatch.is_some()
        {
            return false;
        }
        let cells = self.engine.code.cells.borrow();
        let is_out = |cell| cells[cell].unthreaded || cells[cell].code().is_some();
        let is_blocked = |thread| self.places().is_blocked(thread);
        !(cells.find(greens).is_some_and(is_out)
            || self.places().find(greens).is_some_and(is_blocked))
    }

    /// A place is hot: gives it threaded code, which native code enters from now on, if it should
    /// have some.
    #[inline(never)]
    pub(crate) fn begin(self, hash: u64, state: &[u64]) -> Option<Next> {
        let engine = self.engine;
        let greens = engine.greens(state);
        if !self.is_wanted_at(greens) {
            return None;
        }
        let cell = engine.code.cell_for(greens);
        if engine.code.resume_entry(cell, hash) {
            self.places().is_waiting.set(false);
            return Some(Next::Header(state.to_vec()));
        }
        if let Some(code) = self.threaded(state) {
            engine.code.install_threaded(cell, hash, code);
            return Some(Next::Header(state.to_vec()));
        }
        engine.code.counters.delay(hash, engine.params.threshold);
        Some(Next::Interpreter(state.to_vec()))
    }

    /// Threaded code has come to a merge point: the code in which the guest program goes on there,
    /// none if the interpreter takes over. An error if the place has just gone over to another
    /// tier.
    pub(crate) fn go_on(self, state: &[u64]) -> Result<Option<Code>, Next> {
        match self.promote(state) {
            Some(next) => Err(next),
            None => Ok(self.code_to_go_on_in(state)),
        }
    }

    fn code_to_go_on_in(self, state: &[u64]) -> Option<Code> {
        let greens = self.engine.greens(state);
        let code = self.engine.code.find(greens);
        if let Some(code) = code.as_ref().filter(|code| !code.is_threaded()) {
            if let Some(thread) = self.places().find(greens) {
                self.places().close(thread);
            }
            return Some(code.clone());
        }
        if self.places().is_waiting.get() {
            return None;
        }
        self.threaded(state)
    }

    /// Native code has entered threaded code at a place too often without gain: suspends the entry,
    /// or ends it for good.
    pub(crate) fn suspend(self, record: u64) {
        let Some(greens) = self.places().greens_of(record) else {
            return;
        };
        let cell = self.engine.code.cell_for(&greens);
        self.engine
            .tell_tier(&greens, TierChange::ThreadedLeftTooSoon);
        let suspensions = self.engine.code.cells.borrow()[cell].suspensions;
        if suspensions < SUSPENSIONS {
            self.engine.code.cells.borrow_mut()[cell].suspensions += 1;
            return self
                .engine
                .suspend_entry(cell, &greens, LONGER.pow(suspensions) - 1);
        }
        self.engine.code.cells.borrow_mut()[cell].suspensions = 0;
        self.engine.code.cells.borrow_mut()[cell].unthreaded = true;
        if self
            .engine
            .code
            .cells
            .borrow_mut()
            .set_code(cell, None)
            .is_some()
        {
            self.engine.code.counters.release(hash_greens(&greens));
        }
    }

    /// Native code has come to a place with threaded code. None if it enters that.
    #[inline]
    pub(crate) fn arrive(self, state: &[u64]) -> Option<Outcome> {
        let greens = self.engine.greens(state);
        if self.places().is_waiting.get() {
            self.wait_at(greens);
            return Some(Outcome::Interpret);
        }
        let is_hot = self.counts_down(greens);
        is_hot.then(|| self.engine.drive(Next::Thread(state.to_vec())))
    }

    /// There was no time to compile for this place: suspends its entry.
    #[inline(never)]
    fn wait_at(self, greens: &[u64]) {
        let cell = self.engine.code.cell_for(greens);
        self.engine.suspend_entry(cell, greens, 0);
    }

    /// Counts an entry by native code. True if there were enough for another tier.
    fn counts_down(self, greens: &[u64]) -> bool {
        let Some(thread) = self.places().find(greens) else {
            return false;
        };
        match self.places().count(thread) {
            FOREVER => false,
            0 => true,
            count => {
                self.places().set_count(thread, count - 1);
                count == 1
            }
        }
    }

    /// Compiles a place by another tier if it is hot enough.
    fn promote(self, state: &[u64]) -> Option<Next> {
        let greens = self.engine.greens(state);
        let thread = self.places().find(greens)?;
        if self.places().count(thread) != 0 {
            return None;
        }
        self.places().set_count(thread, self.arrivals());
        let tier = self.engine.tier(greens);
        let is_blocked = {
            let cells = self.engine.code.cells.borrow();
            cells.find(greens).is_some_and(|cell| cells[cell].blocked)
        };
        if tier == Tier::Interpreter
            || is_blocked
            || self.engine.params.compiler.is_threaded_only()
            || !self.engine.may_compile()
            || !self.engine.has_room_at_header(greens)
            || !self.engine.make_room_for_trace()
        {
            return None;
        }
        // `make_room_for_trace` forgets cells.
        let (hash, cell) = (hash_greens(greens), self.engine.code.cell_for(greens));
        Some(match self.engine.specialises_place(tier, cell) {
            true => self.engine.specialise_header(hash, cell, state),
            false => self.engine.trace_header(hash, cell, state),
        })
    }

    /// The threaded code of a place, if there can be any.
    fn threaded(self, state: &[u64]) -> Option<Code> {
        self.engine.make_room();
        if self.places().begun().is_none() && self.places().rests(self.generation()) {
            return None;
        }
        self.begin_threads(state)?;
        let _held = self.hold();
        let thread = self.thread(self.engine.greens(state));
        if !self.places().has_code(thread) && !self.give_code(thread, state) {
            return None;
        }
        Some(Code {
            record: Some(self.places().address(thread)),
            // Profitability is per place.
            in_use: Rc::default(),
            ..self.places().common().enter.clone()
        })
    }
}
