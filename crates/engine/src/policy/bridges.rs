//! When a guard that fails gets a bridge, and of which kind.
//!
//! Invariant: code grows by what is gained. Where there are more ways than a tree of traces suits,
//! bridges inline nothing, then promote nothing, or the place goes over to the other compiler.

use crate::code::guard_info::GuardInfo;
use crate::code::trees::TreeId;
use crate::engine::Engine;
use crate::policy::reasons::TierChange;
use std::rc::Rc;
use verdigris_report::CompilerKind;
use verdigris_trace::GuardId;

/// The bridges of a tree before it is asked whether they lead anywhere.
const FIRST_BRIDGES: u32 = 16;

/// Where a loop takes few ways, its guards fail hardly more often than it takes to get their
/// bridges: behind sixteen of them 1.2 to 3.4 times as often, at 32 places of ten programs in Lua.
/// Where it takes another way in nearly every turn, failures spread over ever more guards: 4.8
/// times as often in 100 random branches, up to 7.3 times where records have hundreds of shapes.
const SPREAD: u64 = 4;

/// The bridges of a tree that inline what they call. (What other numbers give is in
/// `docs/book/src/decisions/0028-long-loops-are-cut.md`.)
const INLINING_BRIDGES: u32 = 4;

impl Engine {
    /// How often an exit is taken before the code behind it is compiled.
    pub(crate) fn eagerness(&self, info: &GuardInfo) -> u32 {
        match info.compiler == CompilerKind::Threaded || self.specialises_exit(info) {
            true => self.params.arm_eagerness,
            // A trace was cut: what follows is as hot as the trace.
            false if info.leaves => 1,
            false => self.params.trace_eagerness,
        }
    }

    /// Whether a guard that has failed `count` times gets a bridge now, or one for any value if
    /// `generalise` is set.
    pub(crate) fn wants_bridge(&self, id: GuardId, count: u32, generalise: bool) -> bool {
        let mut guards = self.code.guards.borrow_mut();
        let guard = &mut guards[id];
        if count < self.eagerness(guard.info())
            || guard.blocked
            || guard.tracing
            || !guard.info().bridgeable
            || !self.code.is_valid(guard.home.trace)
        {
            return false;
        }
        let promotion = guard.info().promotion.filter(|_| !generalise);
        if promotion.is_some_and(|p| p.bridges >= self.params.promotion_limit) {
            guard.blocked = true;
            self.observers.count(|s| s.blocked += 1);
            return false;
        }
        if !self.may_trace() {
            return false;
        }
        let info = Rc::clone(guard.info());
        drop(guards);
        if self.exceeds_bridges(info.tree) {
            return false;
        }
        if !self.can_afford() {
            match info.compiler {
                CompilerKind::Threaded => self.code.threaded.is_waiting.set(true),
                _ => self.wait_for_bridge(info.tree),
            }
            return false;
        }
        self.has_room_at_guard(id, &info, count)
    }

    /// Another bridge is wanted in a tree that has many: there are more ways through its place than
    /// traces suit. True if the place goes over to the other compiler, so that there is nothing to
    /// continue.
    pub(crate) fn exceeds_bridges(&self, tree: TreeId) -> bool {
        let trees = self.code.trees.borrow();
        let tree_of = trees.get(tree);
        let bridges = tree_of.map_or(0, |tree| tree.bridges);
        let failures = tree_of.map_or(0, |tree| tree.early_failures.get());
        drop(trees);
        let usual = u64::from(bridges) * u64::from(self.params.trace_eagerness);
        let spreads = bridges >= FIRST_BRIDGES && failures > SPREAD * usual;
        if bridges < self.params.max_bridges && !spreads {
            return false;
        }
        let Some((cell, greens)) = self.code.place_with(tree) else {
            return false;
        };
        if !self.can_switch_compiler(cell) {
            return false;
        }
        self.tell_tier(&greens, TierChange::TooManyBridges { bridges, failures });
        self.switch_compiler(cell, &greens, tree);
        true
    }

    /// Whether a tree has as many bridges as it should have: further ones promote nothing. Where
    /// each of several promotions in a row has a few values, every value of one would get code for
    /// every value of the next.
    pub(crate) fn has_many_bridges(&self, tree: TreeId) -> bool {
        self.bridges_of(tree) >= self.params.max_bridges
    }

    /// Whether a bridge of this tree inlines the guest functions that it calls. Behind a few
    /// bridges it calls their code: what goes many ways inside of them comes together where they
    /// return, and not in each copy of the caller by itself.
    pub(crate) fn bridges_inline(&self, tree: TreeId) -> bool {
        self.bridges_of(tree) < INLINING_BRIDGES
    }

    fn bridges_of(&self, tree: TreeId) -> u32 {
        let trees = self.code.trees.borrow();
        trees.get(tree).map_or(0, |tree| tree.bridges)
    }
}
