//! Trees of compiled code, the unit that is freed: a trace that native code can enter, its other
//! versions, and the bridges of their guards.
//!
//! Invariant: what a living tree jumps to lives. So code on the native stack is safe as long as the
//! tree that was entered is held ([`Held`]). Source: RPython's `memmgr` for the ages; there the
//! host's collector finds out which code jumps where.

use crate::code::callee_words::Callee;
use crate::code::roots::Pins;
use crate::policy::profitability::Profitability;
use cranelift_entity::entity_impl;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::Cell;
use std::ops::Deref;
use std::rc::Rc;
use verdigris_heap::Tier;
use verdigris_trace::{GuardId, Opcode, OptimisedTrace, TargetId};

/// A tree of compiled code. Never reused in a VM.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct TreeId(u32);
entity_impl!(TreeId, "tree");

/// When code was entered last, and whether it runs.
#[derive(Default)]
pub(crate) struct InUse {
    /// The time of the last entry, on a clock that counts entries.
    last: Cell<u64>,
    /// The generation of the last entry.
    generation: Cell<u64>,
    /// Activations that entered here, and attempts under way that start here.
    held: Cell<u32>,
    /// Whether entering it pays.
    pub(crate) profitability: Profitability,
}

impl InUse {
    /// The generation of the last entry.
    pub(crate) fn generation(&self) -> u64 {
        self.generation.get()
    }
}

/// A tree of compiled code.
pub(crate) struct Tree {
    pub(crate) id: TreeId,
    /// Its title in the log.
    pub(crate) title: String,
    /// The greens that it was compiled for, with their hash.
    pub(crate) greens: Box<[u64]>,
    pub(crate) hash: u64,
    /// The tier of that place.
    tier: Tier,
    /// Whether it can no longer be entered.
    abandoned: bool,
    pub(crate) targets: Vec<TargetId>,
    pub(crate) guards: Vec<GuardId>,
    /// The number of its bridges.
    pub(crate) bridges: u32,
    /// Failures of its guards, each counted until it was to have a bridge.
    pub(crate) early_failures: Cell<u64>,
    /// The objects that its code mentions.
    pins: Vec<Pins>,
    /// The trees that its code jumps to, calls, or has called.
    jumps: FxHashSet<TreeId>,
    /// The callees of its code.
    callees: Vec<Callee>,
    in_use: Rc<InUse>,
}

/// The trees of one VM.
#[derive(Default)]
pub(crate) struct Trees {
    trees: FxHashMap<TreeId, Tree>,
    by_target: FxHashMap<TargetId, TreeId>,
    next: u32,
    clock: Cell<u64>,
    generation: u64,
    /// Whether a tree was abandoned since old trees were last looked for.
    is_any_abandoned: bool,
}

/// How often old trees are looked for while a tree gets old. It takes a look at all of them, which
/// was a third of the time of a program with more than a thousand loops when each trace did it.
const LOOKS: u32 = 16;

impl Trees {
    /// Adds a tree without traces.
    pub(crate) fn add(&mut self, title: &str, greens: &[u64], hash: u64, tier: Tier) -> TreeId {
        let id = TreeId(self.next);
        self.next += 1;
        let tree = Tree {
            id,
            title: title.to_string(),
            greens: greens.into(),
            hash,
            tier,
            abandoned: false,
            targets: Vec::new(),
            guards: Vec::new(),
            bridges: 0,
            early_failures: Cell::new(0),
            pins: Vec::new(),
            jumps: FxHashSet::default(),
            callees: Vec::new(),
            in_use: Rc::default(),
        };
        self.touch(&tree.in_use);
        self.trees.insert(id, tree);
        id
    }

    /// Adds a compiled trace to a tree.
    pub(crate) fn grow(&mut self, id: TreeId, trace: &OptimisedTrace, pins: Pins) {
        for op in trace.ops().iter().filter(|op| op.opcode() == Opcode::Label) {
            self.by_target.insert(op.label(), id);
        }
        let jumps = trace.ops().iter().filter(|op| op.opcode() == Opcode::Jump);
        let to: Vec<TreeId> = jumps
            .filter_map(|op| self.of_target(op.label()))
            .filter(|&to| to != id)
            .collect();
        let tree = self.get_mut(id);
        tree.jumps.extend(to);
        tree.pins.push(pins);
        for op in trace.ops().iter() {
            match op.opcode() {
                Opcode::Label => tree.targets.push(op.label()),
                _ => tree.guards.extend(op.guard()),
            }
        }
        let in_use = Rc::clone(&tree.in_use);
        self.touch(&in_use);
    }

    /// Adds callees to a tree; `code` are the trees of those that have code.
    pub(crate) fn calls(&mut self, id: TreeId, callees: Vec<Callee>, code: &[TreeId]) {
        let tree = self.get_mut(id);
        tree.jumps.extend(code.iter().filter(|&&to| to != id));
        tree.callees.extend(callees);
    }

    /// Calls of these greens lead to a tree from now on. The code that they led to before may still
    /// run.
    pub(crate) fn called(&mut self, greens: &[u64], to: TreeId) {
        for (&id, tree) in &mut self.trees {
            if id != to && tree.callees.iter().any(|callee| *callee.greens == *greens) {
                tree.jumps.insert(to);
            }
        }
    }

    /// The tier of the place that a tree was made for.
    pub(crate) fn tier(&self, id: TreeId) -> Tier {
        self.get(id).map_or(Tier::Any, |tree| tree.tier)
    }

    /// The tree of a label.
    pub(crate) fn of_target(&self, target: TargetId) -> Option<TreeId> {
        self.by_target.get(&target).copied()
    }

    /// Counts a bridge.
    pub(crate) fn count_bridge(&mut self, id: TreeId) {
        self.get_mut(id).bridges += 1;
    }

    /// A tree, unless it has been freed.
    pub(crate) fn get(&self, id: TreeId) -> Option<&Tree> {
        self.trees.get(&id)
    }

    /// A tree can no longer be entered: it is freed once no activation runs it and no other tree
    /// jumps to it.
    pub(crate) fn abandon(&mut self, id: TreeId) {
        self.get_mut(id).abandoned = true;
        self.is_any_abandoned = true;
    }

    fn get_mut(&mut self, id: TreeId) -> &mut Tree {
        self.trees.get_mut(&id).expect("a tree in use lives")
    }

    /// Records an entry.
    #[inline]
    fn touch(&self, in_use: &InUse) {
        self.clock.set(self.clock.get() + 1);
        in_use.last.set(self.clock.get());
        in_use.generation.set(self.generation);
    }

    /// The entry record of a tree.
    pub(crate) fn in_use(&self, id: TreeId) -> Rc<InUse> {
        let tree = self.trees.get(&id).expect("a tree in use lives");
        Rc::clone(&tree.in_use)
    }

    /// Keeps a tree, and all that it can reach, until the result is dropped.
    #[inline]
    pub(crate) fn hold<R: Deref<Target = InUse>>(&self, in_use: R) -> Held<R> {
        self.touch(&in_use);
        in_use.held.set(in_use.held.get() + 1);
        Held(in_use)
    }

    /// Starts a new generation: a trace is about to be made.
    pub(crate) fn next_generation(&mut self) {
        self.generation += 1;
    }

    /// Whether it is time to look for old trees, which get old in so many generations (0 for
    /// never): once in a sixteenth of them, or where one has been abandoned.
    pub(crate) fn is_look_due(&mut self, longevity: u32) -> bool {
        let step = u64::from((longevity / LOOKS).max(1));
        let is_time = longevity > 0 && self.generation.is_multiple_of(step);
        std::mem::take(&mut self.is_any_abandoned) || is_time
    }

    /// The current generation.
    pub(crate) fn generation(&self) -> u64 {
        self.generation
    }

    /// The trees that are abandoned, or were not entered for more than `longevity` generations (0
    /// for ever), and that no tree in use jumps to; oldest first.
    pub(crate) fn aged(&self, longevity: u32) -> Vec<TreeId> {
        let old = |tree: &Tree| {
            let age = self.generation - tree.in_use.generation.get();
            let aged = longevity > 0 && age > u64::from(longevity);
            (aged || tree.abandoned) && !tree.in_use.is_held()
        };
        if !self.trees.values().any(old) {
            return Vec::new();
        }
        let mut alive = FxHashSet::default();
        for (&id, tree) in &self.trees {
            if !old(tree) {
                self.reach(id, &mut alive);
            }
        }
        let mut dead = self.by_use();
        dead.retain(|id| !alive.contains(id));
        dead
    }

    /// The group of trees that was entered longest ago: a tree that was entered, with those that
    /// were only jumped to since. Empty if everything is held.
    pub(crate) fn least_recent(&self) -> Vec<TreeId> {
        let mut seen = FxHashSet::default();
        for (&id, tree) in &self.trees {
            if tree.in_use.is_held() {
                self.reach(id, &mut seen);
            }
        }
        // A tree that jumps into the last group was entered before that group's own tree, so it is
        // in the group.
        let mut last = Vec::new();
        for id in self.by_use().into_iter().rev() {
            if !seen.contains(&id) {
                last = self.reach(id, &mut seen);
            }
        }
        last
    }

    /// All trees, by their last entry.
    fn by_use(&self) -> Vec<TreeId> {
        let mut ids: Vec<TreeId> = self.trees.keys().copied().collect();
        ids.sort_unstable_by_key(|id| self.trees[id].in_use.last.get());
        ids
    }

    /// Adds all that is reachable from a tree to `seen`. Returns the new ones.
    fn reach(&self, from: TreeId, seen: &mut FxHashSet<TreeId>) -> Vec<TreeId> {
        let mut found = Vec::new();
        if seen.insert(from) {
            found.push(from);
        }
        let mut at = 0;
        while let Some(id) = found.get(at) {
            let new: Vec<TreeId> = (self.trees[id].jumps.iter().copied())
                .filter(|&to| seen.insert(to))
                .collect();
            found.extend(new);
            at += 1;
        }
        found
    }

    /// Removes trees. No activation may be running them, and no other tree may jump to them.
    pub(crate) fn remove(&mut self, ids: &[TreeId]) -> Vec<Tree> {
        let gone: Vec<Tree> = ids.iter().filter_map(|id| self.trees.remove(id)).collect();
        for tree in &gone {
            assert!(
                !tree.in_use.is_held(),
                "code in use is freed: {}",
                tree.title
            );
            for target in &tree.targets {
                self.by_target.remove(target);
            }
        }
        gone
    }

    /// All trees.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Tree> {
        self.trees.values()
    }
}

impl Tree {
    /// The number of objects that its code keeps alive.
    pub(crate) fn pinned(&self) -> usize {
        self.pins.iter().map(Pins::len).sum()
    }
}

impl InUse {
    fn is_held(&self) -> bool {
        self.held.get() > 0
    }
}

/// Keeps a tree in use until it is dropped, also when a panic passes through.
pub(crate) struct Held<R: Deref<Target = InUse>>(R);

impl<R: Deref<Target = InUse>> Drop for Held<R> {
    fn drop(&mut self) {
        self.0.held.set(self.0.held.get() - 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    /// Runs a script: `a` makes a tree, `a>b` lets it jump to another, `+a` and `-a` enter and
    /// leave it, `.` is a generation, `a!` enters and leaves. Checks which trees have aged with a
    /// longevity of two, and the order of eviction.
    fn check(script: &str, expected: Expect) {
        let mut trees = Trees::default();
        let mut ids: Vec<(String, TreeId)> = Vec::new();
        let mut held: Vec<(String, Held<Rc<InUse>>)> = Vec::new();
        let find = |ids: &[(String, TreeId)], name: &str| {
            let found = ids.iter().find(|(n, _)| n == name);
            found.expect("trees are made before they are used").1
        };
        for word in script.split_whitespace() {
            if word == "." {
                trees.next_generation();
            } else if let Some((from, to)) = word.split_once('>') {
                let to = find(&ids, to);
                trees.get_mut(find(&ids, from)).jumps.insert(to);
            } else if let Some(name) = word.strip_prefix('+') {
                let in_use = trees.in_use(find(&ids, name));
                held.push((name.to_string(), trees.hold(in_use)));
            } else if let Some(name) = word.strip_prefix('-') {
                let last = held.iter().rposition(|(n, _)| n == name).unwrap();
                held.remove(last);
            } else if let Some(name) = word.strip_suffix('!') {
                trees.touch(&trees.in_use(find(&ids, name)));
            } else {
                ids.push((word.to_string(), trees.add(word, &[], 0, Tier::Any)));
            }
        }
        let names = |found: &[TreeId], trees: &Trees| {
            let mut names: Vec<&str> = found.iter().map(|id| &*trees.trees[id].title).collect();
            names.sort_unstable();
            names.join(" ")
        };
        let mut text = format!("aged: {}\nevicted:", names(&trees.aged(2), &trees));
        loop {
            let group = trees.least_recent();
            if group.is_empty() {
                break;
            }
            text.push_str(&format!(" ({})", names(&group, &trees)));
            trees.remove(&group);
        }
        expected.assert_eq(&text);
    }

    #[test]
    fn old_trees_are_looked_for_a_few_times_while_they_get_old() {
        let looks = |longevity| {
            let mut trees = Trees::default();
            let is_due = |_: &u32| {
                trees.next_generation();
                trees.is_look_due(longevity)
            };
            (0..1000).filter(is_due).count()
        };
        assert_eq!([0, 1, 31, 100, 1000].map(looks), [0, 1000, 1000, 166, 16]);
        let mut trees = Trees::default();
        let id = trees.add("a", &[], 0, Tier::Any);
        trees.next_generation();
        trees.abandon(id);
        assert_eq!([(); 2].map(|()| trees.is_look_due(1000)), [true, false]);
    }

    #[test]
    fn what_is_not_entered_ages() {
        check(
            "a b . . .",
            expect![[r#"
            aged: a b
            evicted: (a) (b)"#]],
        );
        check(
            "a b . . a! . b! .",
            expect![[r#"
            aged: 
            evicted: (a) (b)"#]],
        );
        check(
            "a b . . .  b!",
            expect![[r#"
            aged: a
            evicted: (a) (b)"#]],
        );
    }

    #[test]
    fn what_is_jumped_to_is_in_use() {
        check(
            "a b c a>b b>c . . . a!",
            expect![[r#"
            aged: 
            evicted: (a b c)"#]],
        );
        check(
            "a b c a>b b>c . . . b!",
            expect![[r#"
            aged: a
            evicted: (a) (b c)"#]],
        );
        check(
            "a b c d a>b b>a b>c . . . c! d!",
            expect![[r#"
            aged: a b
            evicted: (a b) (c) (d)"#]],
        );
    }

    #[test]
    fn what_runs_stays() {
        check(
            "a b c +a a>b . . . .",
            expect![[r#"
            aged: c
            evicted: (c)"#]],
        );
        check(
            "a b c +a a>b . . . . -a",
            expect![[r#"
            aged: a b c
            evicted: (c) (a b)"#]],
        );
        check(
            "a +a +a -a . . . .",
            expect![[r#"
            aged: 
            evicted:"#]],
        );
    }
}
