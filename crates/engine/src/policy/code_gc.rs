//! Freeing compiled code, whenever a trace is about to be made.
//!
//! A tree that was not entered for `loop_longevity` traces, or a sixteenth more, is freed, and, as
//! long as there is more code than `code_budget`, the one that was entered longest ago. Threaded
//! code is freed all at once at that age, entered or not, because usage is not tracked per place,
//! and rebuilding is cheap. A place whose code was freed takes longer to get hot, twice as long
//! each time: code that gets old before it is needed again was made too early. Invariant: freed
//! code is gone everywhere at once: from its cell, which is cold again, the optimiser's labels,
//! guards, machine code and pins.
//!
//! Source: RPython's `memmgr`.

#![allow(unsafe_code)]

use crate::code::trees::TreeId;
use crate::engine::Engine;
use crate::observe::event::Event;
use crate::policy::reasons::FreeReason;
use verdigris_trace::TargetId;

impl Engine {
    /// Makes room for a new trace: frees old code, and code over the budget. False if there is
    /// still too much, all of it in use: then tracing has to wait.
    pub(crate) fn make_room_for_trace(&self) -> bool {
        self.code.trees.borrow_mut().next_generation();
        let longevity = self.params.loop_longevity;
        if let Some(tree) = self.threaded().outlived(longevity) {
            self.code.trees.borrow_mut().abandon(tree);
        }
        if self.code.trees.borrow_mut().is_look_due(longevity) {
            self.free_old(longevity);
        }
        self.make_room()
    }

    /// Frees the trees that are old, and forgets places that got no code for as long.
    fn free_old(&self, longevity: u32) {
        let aged = self.code.trees.borrow().aged(longevity);
        self.free(&aged, FreeReason::Unused);
        if longevity > 0 {
            let now = self.code.trees.borrow().generation();
            let oldest = now.saturating_sub(u64::from(longevity));
            self.code.cells.borrow_mut().forget_before(oldest);
        }
    }

    /// As [`Engine::make_room_for_trace`], for a bridge of this tree, which is kept.
    pub(crate) fn make_room_for_bridge(&self, tree: TreeId) -> bool {
        let in_use = self.code.trees.borrow().in_use(tree);
        let _held = self.code.trees.borrow().hold(in_use);
        self.make_room_for_trace()
    }

    /// Bytes of machine code and of records.
    fn room_taken(&self) -> usize {
        self.pipeline.backend.borrow().code_bytes() + self.code.threaded.bytes()
    }

    /// Frees code until there is room for more. False if all of it is in use.
    pub(crate) fn make_room(&self) -> bool {
        let budget = self.params.code_budget;
        while budget > 0 && self.room_taken() >= budget {
            let group = self.code.trees.borrow().least_recent();
            if group.is_empty() {
                return false;
            }
            self.free(&group, FreeReason::OverBudget);
        }
        true
    }

    /// Frees all code that does not run.
    pub(crate) fn free_all(&self, reason: FreeReason) {
        loop {
            let group = self.code.trees.borrow().least_recent();
            if group.is_empty() {
                return;
            }
            self.free(&group, reason);
        }
    }

    /// Frees trees that no activation runs and no other tree jumps to.
    fn free(&self, ids: &[TreeId], reason: FreeReason) {
        if ids.is_empty() {
            return;
        }
        let before = self.room_taken();
        self.free_assumptions(ids);
        let trees = self.code.trees.borrow_mut().remove(ids);
        for tree in &trees {
            let is_too_early = matches!(reason, FreeReason::OverBudget | FreeReason::Unused);
            let delay = is_too_early.then_some(self.params.threshold);
            self.code.detach(tree, delay);
        }
        self.threaded().forget_freed(&trees, reason);
        let labels: Vec<TargetId> = trees.iter().flat_map(|t| t.targets.clone()).collect();
        let guards: Vec<_> = trees.iter().flat_map(|t| t.guards.clone()).collect();
        self.forget_labels(&mut self.pipeline.optimiser.borrow_mut(), &labels);
        self.code.guards.borrow_mut().remove(&guards);
        // SAFETY: every activation of compiled code holds the tree that it entered, what that one
        // can reach is not freed, and what is not freed jumps to nothing that is.
        unsafe { self.pipeline.backend.borrow_mut().free(&labels, &guards) };
        self.observers.emit(Event::Freed {
            reason,
            trees: &trees,
            guards: &guards,
            bytes: before - self.room_taken(),
            journal: &self.take_journal(),
        });
        drop(trees);
        self.code.callees.forget_unused();
    }
}
