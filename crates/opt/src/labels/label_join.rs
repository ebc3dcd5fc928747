//! Jumps to a label: does the state at the end of a section satisfy what the label's body assumes,
//! and which weaker state do both satisfy if not?
//!
//! Invariant: a jump is emitted only if every assumption of the state holds.

use crate::bounds::IntBound;
use crate::sabotage::Sabotage;
use crate::section::{Cx, Section, end_types};
use crate::state::contents::Contents;
use crate::state::gather::gather;
use crate::state::heap_table::Entry;
use crate::state::label::{Fact, Sid, StateNode, StatePure, StateSlot, StateValue, VirtualState};
use crate::state::label_paths::Paths;
use crate::state::label_ways::Ways;
use crate::state::node::{Node, NodeId};
use crate::state::pure_table::PureKey;
use crate::state::remarks::{MissedOptimisation, Remark};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use smallvec::SmallVec;
use verdigris_ops::{Descrs, HeapSlot, Ty};
use verdigris_trace::{Arg, Opcode, TargetId};

/// The comparison of a section's end with a label's state.
#[derive(Clone)]
pub(crate) struct Joined {
    /// The state that both satisfy.
    pub state: VirtualState,
    /// Constants, virtuals, delayed stores or sharing were given up.
    pub shape_changed: bool,
    /// Knowledge of values (class, not null) was given up.
    pub weakened: bool,
    /// Bounds of integers were given up.
    pub bounds_weakened: bool,
    /// For each fact of the old state, whether it holds here too.
    pub fact_holds: Vec<bool>,
    /// For each node of the old state, the section's node.
    pub nodes: Vec<Option<NodeId>>,
    /// The nodes and delayed stores of the old state that were given up, and why.
    lost: Vec<(Lost, MissedOptimisation)>,
    /// The nodes of the old state with their counterparts in the section.
    pairs: Vec<(Sid, NodeId)>,
    reasons: Reasons,
}

/// The facts of the section's own label that its end rests on.
#[derive(Clone)]
struct Reasons {
    /// For each fact of the old state.
    facts: Vec<Option<u32>>,
    /// For the contents of slots to which the old state delays stores.
    delayed: Vec<u32>,
}

/// A part of a state.
#[derive(Clone, Copy, PartialEq)]
enum Lost {
    /// A node.
    Node(Sid),
    /// A slot, as the index of its delayed store.
    Slot(usize),
}

impl Joined {
    /// Remarks on what was given up of the shape of `old`.
    pub fn remarks(&self, old: &VirtualState, descrs: &Descrs) -> Vec<Remark> {
        if self.lost.is_empty() {
            return Vec::new();
        }
        let paths = Paths::of(old, descrs);
        let lost = self.lost.iter();
        let remarks = lost.map(|&(lost, loss)| {
            let what = match lost {
                Lost::Node(s) => paths.to(s),
                Lost::Slot(n) => {
                    let StateSlot { slot, base, .. } = old.delayed[n];
                    paths.slot(descrs, base, slot)
                }
            };
            Remark::new(loss, what)
        });
        remarks.collect()
    }

    /// The section's node for one of the old state.
    pub fn node(&self, s: Sid) -> Option<NodeId> {
        self.nodes[s.0 as usize]
    }

    /// The nodes of the old state with their counterparts in the section, in a stable order.
    pub fn pairs(&self) -> impl Iterator<Item = (Sid, NodeId)> + '_ {
        self.pairs.iter().copied()
    }

    /// Whether the section satisfies the old state with all its facts.
    pub fn fits_facts(&self) -> bool {
        self.fits() && !self.fact_holds.contains(&false)
    }

    /// The facts that a loop's label must keep: those that its body has used, and those without
    /// which these would not hold at the body's end. What is known of the next object of a chain is
    /// what is known of the first one an iteration later. Those that lead to the objects and
    /// operands of needed ones are needed too.
    pub fn needed_facts(&self, old: &VirtualState, used: &[bool]) -> Vec<bool> {
        let mut needed = used.to_vec();
        for &fact in &self.reasons.delayed {
            needed[fact as usize] = true;
        }
        self.add_causes(&mut needed, |_| None);
        let mut ways = Ways::through(old, &needed);
        ways.go_on_through(&self.fact_holds);
        self.add_causes(&mut needed, |fact| {
            let subjects = old.facts[fact as usize].subjects().iter();
            subjects.filter_map(|&s| ways.fact_before(s))
        });
        needed
    }

    /// Adds the facts that these rest on at the section's end, and those that lead to them.
    fn add_causes<I>(&self, needed: &mut [bool], leading_to: impl Fn(u32) -> I)
    where
        I: IntoIterator<Item = u32>,
    {
        let mut open: Vec<u32> = (0..)
            .zip(&*needed)
            .filter(|(_, n)| **n)
            .map(|(n, _)| n)
            .collect();
        while let Some(fact) = open.pop() {
            let reason = self.reasons.facts[fact as usize];
            for cause in reason.into_iter().chain(leading_to(fact)) {
                if !std::mem::replace(&mut needed[cause as usize], true) {
                    open.push(cause);
                }
            }
        }
    }

    /// Whether the section satisfies the old state, apart from its facts.
    pub fn fits(&self) -> bool {
        !self.shape_changed && !self.weakened && !self.bounds_weakened
    }
}

struct Join<'a> {
    old: &'a VirtualState,
    state: VirtualState,
    pairs: FxHashMap<(Sid, NodeId), Sid>,
    nodes: Vec<Option<NodeId>>,
    owners: FxHashMap<NodeId, Sid>,
    lost: Vec<(Lost, MissedOptimisation)>,
    weakened: bool,
    bounds_weakened: bool,
    reasons: Reasons,
}

/// Compares a section's end with a state.
pub(crate) fn join(
    cx: &Cx<'_>,
    old: &VirtualState,
    section: &mut Section,
    roots: &[NodeId],
) -> Joined {
    let mut join = Join {
        old,
        state: VirtualState::default(),
        pairs: FxHashMap::with_capacity_and_hasher(old.nodes.len(), FxBuildHasher),
        nodes: vec![None; old.nodes.len()],
        owners: FxHashMap::default(),
        lost: Vec::new(),
        weakened: false,
        bounds_weakened: false,
        reasons: Reasons {
            facts: vec![None; old.facts.len()],
            delayed: Vec::new(),
        },
    };
    join.state.nodes.reserve(old.nodes.len());
    join.state.roots.reserve(roots.len());
    join.constants(section);
    for &(ty, s) in &old.zeros {
        let zero = section.zero_node(ty);
        let zero = join.pair(cx, section, s, zero);
        join.state.zeros.push((ty, zero));
    }
    for (&s, &n) in old.roots.iter().zip(roots) {
        let s = join.pair(cx, section, s, n);
        join.state.roots.push(s);
    }
    let fact_holds = join.heap_and_facts(cx, section);
    let mut pairs: Vec<(Sid, NodeId)> = join.pairs.keys().copied().collect();
    pairs.sort_unstable();
    Joined {
        pairs,
        state: join.state,
        shape_changed: !join.lost.is_empty(),
        lost: join.lost,
        weakened: join.weakened,
        bounds_weakened: join.bounds_weakened,
        fact_holds,
        nodes: join.nodes,
        reasons: join.reasons,
    }
}

impl Join<'_> {
    /// Constants are the same everywhere: facts about them need no path to them.
    fn constants(&mut self, section: &mut Section) {
        for (i, node) in self.old.nodes.iter().enumerate() {
            if let StateNode::Const(c) = node {
                self.nodes[i] = Some(section.nodes.constant(*c));
            }
        }
    }

    fn pair(&mut self, cx: &Cx<'_>, section: &mut Section, s: Sid, n: NodeId) -> Sid {
        let n = section.nodes.find(n);
        if let Some(&new) = self.pairs.get(&(s, n)) {
            return new;
        }
        let old = self.old;
        match self.nodes[s.0 as usize] {
            None => self.nodes[s.0 as usize] = Some(n),
            Some(first) if section.nodes.find(first) != n => {
                // One value has become two. (Constants fall through to the comparison below.)
                if !matches!(old.node(s), StateNode::Const(_)) {
                    self.lose(s, MissedOptimisation::Split);
                }
            }
            Some(_) => {}
        }
        let new = Sid(self.state.nodes.len() as u32);
        self.pairs.insert((s, n), new);
        let joined = self.join_node(cx, section, s, n);
        self.state.nodes.push(joined);
        if matches!(self.state.nodes[new.0 as usize], StateNode::Virtual { .. }) {
            let joined = self.contents(cx, section, s, n);
            if let StateNode::Virtual { contents, .. } = &mut self.state.nodes[new.0 as usize] {
                *contents = joined;
            }
        }
        new
    }

    /// The joined contents of two virtuals of one shape. A word that only one of them lists is zero
    /// in the other.
    fn contents(&mut self, cx: &Cx<'_>, section: &mut Section, s: Sid, n: NodeId) -> Contents<Sid> {
        let old = self.old;
        let (StateNode::Virtual { contents, .. }, Some(v)) =
            (old.node(s), section.nodes.as_virtual(n))
        else {
            unreachable!("joined as virtual");
        };
        let mut joined = Contents::zeros(contents.len());
        for (slot, ours, theirs) in contents.both(&v.contents) {
            let ours = ours.unwrap_or_else(|| old.zero(slot.ty(cx.descrs)));
            let theirs = match theirs {
                Some(theirs) => theirs,
                None => section.new_word(cx.descrs, slot),
            };
            let word = self.pair(cx, section, ours, theirs);
            joined.set(slot, Some(word));
        }
        joined
    }

    /// Joins two nodes; a virtual's contents are left to the caller.
    fn join_node(&mut self, cx: &Cx<'_>, section: &mut Section, s: Sid, n: NodeId) -> StateNode {
        let theirs = StateValue {
            ty: section.nodes.ty(n),
            class: section.class_of(cx, n),
            nonnull: section.nodes.is_nonnull(n),
            bound: section.nodes.range(n).assumed,
            needed: true,
        };
        let ours = match self.old.node(s) {
            StateNode::Const(c) => {
                let theirs = section.nodes.as_const(n);
                if theirs == Some(*c) || theirs.is_some() && Sabotage::TrustConstant.is_on() {
                    return StateNode::Const(*c);
                }
                self.lose(s, MissedOptimisation::NotConstant);
                StateValue {
                    ty: c.ty(),
                    class: None,
                    nonnull: c.word() != 0,
                    bound: IntBound::of_const(*c),
                    needed: true,
                }
            }
            StateNode::Virtual { class, contents } => {
                let Some(loss) = self.other_shape(section, s, n) else {
                    return StateNode::Virtual {
                        class: *class,
                        contents: Contents::zeros(contents.len()),
                    };
                };
                self.lose(s, loss);
                StateValue {
                    ty: Ty::Ref,
                    class: cx.descrs.testable(Some(*class)),
                    nonnull: true,
                    bound: IntBound::TOP,
                    needed: true,
                }
            }
            StateNode::Value(v) => *v,
        };
        if ours.ty != theirs.ty && ours.ty != Ty::Word {
            // Values of different types join as a word, of which only a tag tells the type.
            self.lose(s, MissedOptimisation::OtherType);
            return StateNode::Value(StateValue {
                ty: Ty::Word,
                class: None,
                nonnull: false,
                bound: IntBound::TOP,
                needed: ours.needed,
            });
        }
        let both = StateValue {
            ty: ours.ty,
            class: ours.class.filter(|_| ours.class == theirs.class),
            nonnull: ours.nonnull && theirs.nonnull,
            bound: ours.bound.widen(theirs.bound),
            needed: ours.needed,
        };
        self.weakened |= (both.class, both.nonnull) != (ours.class, ours.nonnull);
        self.bounds_weakened |= both.bound != ours.bound;
        StateNode::Value(both)
    }

    fn lose(&mut self, s: Sid, loss: MissedOptimisation) {
        self.lost.push((Lost::Node(s), loss));
    }

    /// Why a node does not match a virtual of the state, if it does not.
    fn other_shape(&mut self, section: &Section, s: Sid, n: NodeId) -> Option<MissedOptimisation> {
        let StateNode::Virtual { class, contents } = self.old.node(s) else {
            unreachable!("asked of virtuals");
        };
        let Some(theirs) = section.nodes.as_virtual(n) else {
            return Some(MissedOptimisation::Made);
        };
        if theirs.class != *class || theirs.contents.len() != contents.len() {
            return Some(MissedOptimisation::OtherShape);
        }
        // One object must not become two.
        (*self.owners.entry(n).or_insert(s) != s).then_some(MissedOptimisation::Shared)
    }

    /// Joins the delayed stores and facts whose objects have been paired. Pairing their values can
    /// bring more.
    fn heap_and_facts(&mut self, cx: &Cx<'_>, section: &mut Section) -> Vec<bool> {
        let old = self.old;
        let mut delayed: Vec<Option<StateSlot>> = vec![None; old.delayed.len()];
        let mut facts: Vec<Option<Fact>> = vec![None; old.facts.len()];
        loop {
            let before = self.pairs.len();
            let mut progress = false;
            for (i, d) in old.delayed.iter().enumerate() {
                if delayed[i].is_none() {
                    delayed[i] = self.holds(cx, section, d).map(|(p, entry)| {
                        self.reasons.delayed.extend(entry.fact);
                        p
                    });
                    progress |= delayed[i].is_some();
                }
            }
            for (i, fact) in facts.iter_mut().enumerate() {
                if fact.is_none() {
                    *fact = self.fact(cx, section, i);
                    progress |= fact.is_some();
                }
            }
            if !progress && self.pairs.len() == before {
                break;
            }
        }
        for (n, _) in delayed.iter().enumerate().filter(|d| d.1.is_none()) {
            self.lost.push((Lost::Slot(n), MissedOptimisation::Unknown));
        }
        self.state.delayed.extend(delayed.into_iter().flatten());
        let holds = facts.iter().map(Option::is_some).collect();
        self.state.facts = facts.into_iter().flatten().collect();
        holds
    }

    /// The contents of a slot of the state in the section.
    fn holds(
        &mut self,
        cx: &Cx<'_>,
        section: &mut Section,
        p: &StateSlot,
    ) -> Option<(StateSlot, Entry)> {
        let base = self.nodes[p.base.0 as usize]?;
        let entry = section.lookup_unmarked(p.slot, base)?;
        let slot = StateSlot {
            slot: p.slot,
            base: self.pair(cx, section, p.base, base),
            value: self.pair(cx, section, p.value, entry.value),
        };
        Some((slot, entry))
    }

    /// Joins a fact of the state, if it holds.
    fn fact(&mut self, cx: &Cx<'_>, section: &mut Section, n: usize) -> Option<Fact> {
        let fact = &self.old.facts[n];
        match fact {
            Fact::Holds(p) => {
                let base = self.nodes[p.base.0 as usize]?;
                let entry = section.lookup_unmarked(p.slot, base)?;
                // `prepare_jump` does a store that is delayed here but not in the state.
                if entry.delayed || self.differs(section, p.value, entry.value) {
                    return None;
                }
                self.reasons.facts[n] = entry.fact;
                self.holds(cx, section, p).map(|(p, _)| Fact::Holds(p))
            }
            Fact::Result(p) => {
                let mut args: SmallVec<[NodeId; 3]> = SmallVec::new();
                for s in &p.args {
                    args.push(section.nodes.find(self.nodes[s.0 as usize]?));
                }
                let key = PureKey {
                    opcode: p.opcode,
                    descr: p.descr,
                    args,
                };
                let (result, reason) = match section.pure.get(&key) {
                    Some(known) => (known.result, known.fact),
                    None => (section.implied(&key)?, None),
                };
                if self.differs(section, p.result, result) {
                    return None;
                }
                self.reasons.facts[n] = reason;
                let args = p.args.iter().zip(key.args);
                let args = gather(args.map(|(&s, n)| self.pair(cx, section, s, n)));
                Some(Fact::Result(StatePure {
                    opcode: p.opcode,
                    descr: p.descr,
                    args,
                    result: self.pair(cx, section, p.result, result),
                }))
            }
        }
    }

    /// Whether joining a fact's value with the section's would change the shape of the state: a
    /// fact is given up sooner than the shape.
    fn differs(&self, section: &Section, s: Sid, n: NodeId) -> bool {
        let n = section.nodes.find(n);
        if let Some(first) = self.nodes[s.0 as usize] {
            return section.nodes.find(first) != n;
        }
        match self.old.node(s) {
            StateNode::Const(c) => section.nodes.as_const(n) != Some(*c),
            StateNode::Virtual { class, .. } => {
                section.nodes.as_virtual(n).map(|v| v.class) != Some(*class)
            }
            StateNode::Value(v) => {
                matches!(section.nodes.get(n), Node::Virtual(_))
                    || v.ty != Ty::Word && v.ty != section.nodes.ty(n)
            }
        }
    }
}

/// Whether the state takes a virtual of the section as a value.
pub(crate) fn takes_virtual(
    cx: &Cx<'_>,
    state: &VirtualState,
    section: &mut Section,
    roots: &[NodeId],
) -> bool {
    let joined = join(cx, state, section, roots);
    joined.virtuals_to_force(state, section).next().is_some()
}

/// Does what a jump to this state requires: stores that it does not delay, and allocation of the
/// virtuals that it takes as values. Returns how the section compares with the state then.
pub(crate) fn prepare_jump(
    cx: &mut Cx<'_>,
    state: &VirtualState,
    section: &mut Section,
    roots: &[NodeId],
) -> Joined {
    loop {
        let joined = join(cx, state, section, roots);
        let due = due(&joined, state, section);
        let escaping: Vec<NodeId> = joined.virtuals_to_force(state, section).collect();
        if due.is_empty() && escaping.is_empty() {
            return joined;
        }
        // What is due stays due, whatever is done for the others: one comparison serves for all.
        for &(slot, base) in &due {
            section.flush_value(cx, slot.whole(cx.descrs), base);
        }
        if due.is_empty() {
            for n in escaping {
                section.force(cx, n);
            }
        }
    }
}

/// Whether a jump to this state requires nothing.
pub(crate) fn is_prepared(joined: &Joined, state: &VirtualState, section: &mut Section) -> bool {
    joined.virtuals_to_force(state, section).next().is_none()
        && due(joined, state, section).is_empty()
}

/// The delayed stores that the state does not delay.
fn due(joined: &Joined, state: &VirtualState, section: &Section) -> Vec<(HeapSlot, NodeId)> {
    let at = |s: Sid| joined.nodes[s.0 as usize].map(|n| section.nodes.find(n));
    let covered: FxHashSet<(HeapSlot, NodeId)> = state
        .delayed
        .iter()
        .filter_map(|d| Some((d.slot, at(d.base)?)))
        .collect();
    let is_due = |&(slot, base): &(HeapSlot, NodeId)| {
        !covered.contains(&(slot, section.nodes.find(base)))
            || section.lookup_unmarked(slot, base).is_none()
    };
    let delayed = section.heap.delayed();
    delayed
        .map(|(slot, base, _)| (slot, base))
        .filter(is_due)
        .collect()
}

impl Joined {
    /// The virtuals that the state takes as values.
    fn virtuals_to_force<'a>(
        &'a self,
        state: &'a VirtualState,
        section: &'a Section,
    ) -> impl Iterator<Item = NodeId> + 'a {
        state
            .nodes
            .iter()
            .zip(&self.nodes)
            .filter(|(s, _)| matches!(s, StateNode::Value(_)))
            .filter_map(|(_, n)| *n)
            .filter(|&n| section.nodes.as_virtual(n).is_some())
    }

    /// Whether the jump would have to pass a phantom: the section has facts about it, but not the
    /// value.
    pub fn needs_phantom(&self, state: &VirtualState, section: &Section) -> bool {
        state
            .params()
            .filter_map(|s| self.nodes[s.0 as usize])
            .any(|n| section.nodes.is_phantom(n))
    }

    /// The values that a jump to the state passes: zero for values that nothing led to, and so
    /// nothing needs.
    fn args(&self, state: &VirtualState, section: &mut Section) -> Vec<Arg> {
        let params = state.params().map(|s| {
            let StateNode::Value(v) = state.node(s) else {
                unreachable!("parameters are values")
            };
            let n = match self.nodes[s.0 as usize] {
                Some(n) => n,
                None => section.zero_node(v.ty),
            };
            section.val_as(n, v.ty)
        });
        params.collect()
    }
}

impl Section {
    /// Ends the section with a jump to a label.
    pub fn jump(&mut self, target: TargetId, args: &[Arg]) {
        self.code.trace.push(Opcode::Jump, args, target.into());
    }
}

/// Ends a settled section with a jump to a label whose state it satisfies (`joined` fits).
pub(crate) fn jump_to(
    section: &mut Section,
    joined: &Joined,
    state: &VirtualState,
    target: TargetId,
) {
    let args = joined.args(state, section);
    section.jump(target, &args);
}

/// Ends a section with a jump to an entry label, which assumes nothing.
pub(crate) fn into_entry(cx: &mut Cx<'_>, mut section: Section, target: TargetId) -> Section {
    let roots = section.jump_nodes(cx);
    let args = section.force_all_as(cx, &roots, &end_types(cx.trace));
    section.flush_all(cx);
    section.jump(target, &args);
    section
}

/// Ends a section with a jump into a specialised body.
///
/// # Errors
/// The comparison, if the section does not satisfy the state: one object is taken both as a virtual
/// and as a value, or a store that the state does not delay has to be done behind one that it does.
pub(crate) fn close(
    cx: &mut Cx<'_>,
    mut section: Section,
    roots: &[NodeId],
    target: TargetId,
    state: &VirtualState,
) -> Result<Section, Box<Joined>> {
    let joined = prepare_jump(cx, state, &mut section, roots);
    if !joined.fits_facts() {
        return Err(Box::new(joined));
    }
    jump_to(&mut section, &joined, state, target);
    Ok(section)
}
