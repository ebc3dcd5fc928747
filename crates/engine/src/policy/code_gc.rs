//! Freeing compiled code. In: the moment before code is made, for it grows only then. Out: less
//! code: what has not been entered for `loop_longevity` traces is freed, and what was not entered
//! for longest as long as there is more than `code_budget`. Threaded code is freed all at once:
//! when it is that old, whether or not it is entered, for nobody knows of its places which are, and
//! they are soon made anew. Invariant: what is freed is freed everywhere at once: the cell of its
//! green values is cold again, the optimiser knows its labels no more, its guards, machine code and
//! pinned objects are gone. Source: RPython's `memmgr`.

#![allow(unsafe_code)]

use crate::code::jit_cells::{Code, Dropped};
use crate::code::roots::Pins;
use crate::code::trees::{Tree, TreeId};
use crate::engine::Engine;
use crate::observe::log::Stage;
use crate::observe::stats::LiveStats;
use verdigris_trace::TargetId;

/// Why code is freed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Why {
    Unused,
    NoRoom,
    NotInterruptible,
    HeapExhausted,
}

impl Engine {
    /// A trace is about to be made: frees what is old and what there is no room for. False if there
    /// is still too much code, all of it in use: then tracing has to wait.
    pub(crate) fn tidy(&self) -> bool {
        self.trees.borrow_mut().next_generation();
        let longevity = self.params.loop_longevity;
        if let Some(tree) = self.old_threads(longevity) {
            self.trees.borrow_mut().abandon(tree);
        }
        let aged = self.trees.borrow().aged(longevity);
        self.free(&aged, Why::Unused);
        if longevity > 0 {
            let now = self.trees.borrow().generation();
            let oldest = now.saturating_sub(u64::from(longevity));
            self.cells.borrow_mut().forget_before(oldest);
        }
        self.make_room()
    }

    /// As [`Engine::tidy`], for a bridge of this tree, which stays.
    pub(crate) fn tidy_for(&self, tree: TreeId) -> bool {
        let in_use = self.trees.borrow().in_use(tree);
        let _held = self.trees.borrow().hold(in_use);
        self.tidy()
    }

    /// All threaded code, if it was begun more than so many generations ago.
    fn old_threads(&self, longevity: u32) -> Option<TreeId> {
        let since = self.threads.begun().filter(|_| longevity > 0)?.since;
        let age = self.trees.borrow().generation() - since;
        (self.threads.tree.get()).filter(|_| age > u64::from(longevity))
    }

    /// Bytes of machine code, and of what threaded code has instead.
    fn room_taken(&self) -> usize {
        self.backend.borrow().code_bytes() + self.threads.bytes()
    }

    /// Frees code until there is room for more. False if all of it is in use.
    pub(crate) fn make_room(&self) -> bool {
        let budget = self.params.code_budget;
        while budget > 0 && self.room_taken() >= budget {
            let group = self.trees.borrow().least_recent();
            if group.is_empty() {
                return false;
            }
            self.free(&group, Why::NoRoom);
        }
        true
    }

    /// Frees all code that does not run.
    pub(crate) fn free_all(&self, why: Why) {
        loop {
            let group = self.trees.borrow().least_recent();
            if group.is_empty() {
                return;
            }
            self.free(&group, why);
        }
    }

    /// Frees trees that no activation runs and no other tree jumps to.
    fn free(&self, ids: &[TreeId], why: Why) {
        if ids.is_empty() {
            return;
        }
        let before = self.room_taken();
        self.free_pieces(ids);
        let trees = self.trees.borrow_mut().remove(ids);
        for tree in &trees {
            self.cool(tree);
        }
        if trees
            .iter()
            .any(|tree| self.threads.tree.get() == Some(tree.id))
        {
            // SAFETY: the context outlives the engine.
            self.forget_threads(unsafe { Pins::new(self.ctx) });
        }
        let targets: Vec<TargetId> = trees.iter().flat_map(|t| t.targets.clone()).collect();
        let guards: Vec<_> = trees.iter().flat_map(|t| t.guards.clone()).collect();
        self.forget(&mut self.optimiser.borrow_mut(), &targets);
        self.guards.borrow_mut().remove(&guards);
        if let Some(profiled) = &self.profiled {
            profiled.forget_guards(guards.iter().map(|guard| guard.as_u32()));
        }
        // SAFETY: every activation of compiled code holds the tree that it entered, what that one
        // can reach is not freed, and what is not freed jumps to nothing that is.
        unsafe { self.backend.borrow_mut().free(&targets, &guards) };
        self.tell_inspector(None);
        let freed = before - self.room_taken();
        self.meter.note(|s| {
            *match why {
                Why::Unused | Why::NotInterruptible | Why::HeapExhausted => &mut s.freed,
                Why::NoRoom => &mut s.evicted,
            } += trees.len() as u64;
        });
        self.log.piece(Stage::Free, || {
            let why = match why {
                Why::Unused => "unused",
                Why::NoRoom => "no room",
                Why::NotInterruptible => "cannot be interrupted",
                Why::HeapExhausted => "keeps objects alive for which there is no room",
            };
            let lines = trees.iter().map(|tree| {
                let (bridges, guards) = (tree.bridges, tree.guards.len());
                format!("{}, {bridges} bridges, {guards} guards\n", tree.title)
            });
            (format!("{why}, {freed} bytes"), lines.collect())
        });
        drop(trees);
        self.callees.forget_unused();
    }

    /// The loop that a tree was compiled for may get hot again.
    pub(crate) fn cool(&self, tree: &Tree) {
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
        }
    }

    /// What there is now, for statistics.
    pub(crate) fn alive(&self) -> LiveStats {
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
