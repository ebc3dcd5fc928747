//! The state at a label: what a specialised body may assume, and which values it takes.
//!
//! In: a section at its end ([`export`]). Out: a [`VirtualState`], from which
//! [`VirtualState::enter`] starts a section. Invariant: the state is a graph with its own
//! numbering, independent of the section it came from: constants, values (the label's parameters,
//! in order), virtuals; delayed stores, which code that jumps here has not done; and facts, which a
//! section that jumps here must know to hold.

use crate::bounds::{IntBound, MAX_ASSUMPTIONS, Needs, Range};
use crate::contents::Contents;
use crate::heap::Entry;
use crate::knowledge::FactKey;
use crate::node::{Node, NodeId, Virtual};
use crate::pure::PureKey;
use crate::section::{Cx, Section, real};
use crate::words::makes_word;
use cranelift_entity::packed_option::ReservedValue;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use verdigris_ops::{ClassId, ClassKind, DataOp, Descrs, Effect, HeapSlot, Ty};
use verdigris_trace::{Const, Descr, Opcode, ValRef};

/// A node of a state.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub(crate) struct Sid(pub u32);

/// What a node of a state is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum StateNode {
    /// A constant.
    Const(Const),
    /// A value, passed as a parameter unless it turned out to be unused.
    Value(StateValue),
    /// An object that has not been allocated.
    Virtual {
        class: ClassId,
        contents: Contents<Sid>,
    },
}

/// What the body assumes of a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct StateValue {
    pub ty: Ty,
    pub class: Option<ClassId>,
    pub nonnull: bool,
    pub bound: IntBound,
    /// Whether the body takes it as a parameter. Otherwise there are only facts about it.
    pub needed: bool,
}

/// A place of an object and the value it holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct StatePlace {
    pub place: HeapSlot,
    pub base: Sid,
    pub value: Sid,
}

/// An operation and its known result.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct StatePure {
    pub opcode: Opcode,
    pub descr: Descr,
    pub args: SmallVec<[Sid; 3]>,
    pub result: Sid,
}

/// A fact that a section that jumps to the label must know to hold.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Fact {
    /// What a place holds.
    Holds(StatePlace),
    /// The result of an operation.
    Result(StatePure),
}

/// The state at a label.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct VirtualState {
    pub nodes: Vec<StateNode>,
    /// What the recorded trace passes around its loop.
    pub roots: Vec<Sid>,
    /// Stores that have not been done, oldest first.
    pub delayed: Vec<StatePlace>,
    pub facts: Vec<Fact>,
    /// The zeros of the types that words of its virtuals have.
    pub zeros: Vec<(Ty, Sid)>,
}

impl StateNode {
    /// A value of which nothing is known.
    pub fn any(ty: Ty) -> StateNode {
        StateNode::Value(StateValue {
            ty,
            class: None,
            nonnull: false,
            bound: IntBound::TOP,
            needed: true,
        })
    }
}

impl VirtualState {
    /// The state that assumes nothing.
    pub fn generic(types: &[Ty]) -> VirtualState {
        VirtualState {
            nodes: types.iter().map(|&ty| StateNode::any(ty)).collect(),
            roots: (0..types.len() as u32).map(Sid).collect(),
            delayed: Vec::new(),
            facts: Vec::new(),
            zeros: Vec::new(),
        }
    }

    /// What a word of this type of a virtual of the state is if it is not listed.
    pub fn zero(&self, ty: Ty) -> Sid {
        let found = self.zeros.iter().find(|zero| zero.0 == ty);
        found.expect("a state with virtuals has their zeros").1
    }

    /// A node.
    pub fn node(&self, s: Sid) -> &StateNode {
        &self.nodes[s.0 as usize]
    }

    /// The values that the label takes as parameters, in order.
    pub fn params(&self) -> impl Iterator<Item = Sid> + '_ {
        self.nodes.iter().enumerate().filter_map(|(i, n)| match n {
            StateNode::Value(v) if v.needed => Some(Sid(i as u32)),
            _ => None,
        })
    }

    /// Drops parameters that the body turned out not to need.
    pub fn keep_params(&mut self, needed: &[bool]) {
        let mut needed = needed.iter();
        for node in &mut self.nodes {
            if let StateNode::Value(v) = node
                && v.needed
            {
                v.needed = *needed.next().expect("one flag a parameter");
            }
        }
    }

    /// Keeps the facts for which `keep` holds.
    pub fn retain_facts(&mut self, keep: &[bool]) {
        let mut keep = keep.iter();
        self.facts
            .retain(|_| *keep.next().expect("one flag a fact"));
    }

    /// The bounds that the state assumes, in the order in which [`Needs`] numbers them.
    pub fn bounds(&self) -> impl Iterator<Item = (Sid, IntBound)> + '_ {
        let sids = (0..self.nodes.len() as u32).map(Sid);
        sids.filter_map(|s| match self.node(s) {
            StateNode::Value(v) if v.bound != IntBound::TOP => Some((s, v.bound)),
            _ => None,
        })
    }

    /// Assumes of the integers only those bounds that are needed.
    pub fn keep_bounds(&mut self, needs: Needs) {
        let dropped: Vec<Sid> = self
            .bounds()
            .enumerate()
            .filter(|&(number, _)| {
                number >= MAX_ASSUMPTIONS || !Needs::one(number).are_among(needs)
            })
            .map(|(_, (s, _))| s)
            .collect();
        for s in dropped {
            self.set_bound(s, IntBound::TOP);
        }
    }

    /// Assumes this of an integer.
    pub fn set_bound(&mut self, s: Sid, bound: IntBound) {
        if let StateNode::Value(v) = &mut self.nodes[s.0 as usize] {
            v.bound = bound;
        }
    }

    /// A section that starts where this state is assumed, and the nodes of the roots.
    pub fn assume(&self, descrs: &Descrs) -> (Section, Vec<NodeId>) {
        let numbers = self
            .bounds()
            .enumerate()
            .map(|(i, (s, _))| (s, i))
            .collect();
        self.enter(descrs, &numbers)
    }

    /// A section that starts where this state is known to hold, and the nodes of the roots.
    pub fn rely(&self, descrs: &Descrs) -> (Section, Vec<NodeId>) {
        self.enter(descrs, &FxHashMap::default())
    }

    fn enter(
        &self,
        descrs: &Descrs,
        assumptions: &FxHashMap<Sid, usize>,
    ) -> (Section, Vec<NodeId>) {
        let mut section = Section::empty();
        let nodes: Vec<NodeId> = self
            .nodes
            .iter()
            .enumerate()
            .map(|(i, n)| enter_node(&mut section, n, assumptions.get(&Sid(i as u32)).copied()))
            .collect();
        let at = |s: Sid| nodes[s.0 as usize];
        for (node, &id) in self.nodes.iter().zip(&nodes) {
            if let StateNode::Virtual { class, contents } = node {
                let contents = contents.map(|_, s| Some(at(s)));
                *section.nodes.get_mut(id) = Node::Virtual(Virtual {
                    class: *class,
                    contents,
                });
            }
        }
        for d in &self.delayed {
            let entry = entry(at(d.base), at(d.value), None);
            section.heap.wait(d.place, d.place.whole(descrs), entry);
        }
        for (i, fact) in self.facts.iter().enumerate() {
            let fact_index = Some(i as u32);
            match fact {
                Fact::Holds(p) => {
                    let about = FactKey::Place(p.place, at(p.base));
                    section.label_facts.push(about);
                    section
                        .heap
                        .add(p.place, entry(at(p.base), at(p.value), fact_index));
                }
                Fact::Result(p) => {
                    let key = PureKey {
                        opcode: p.opcode,
                        descr: p.descr,
                        args: p.args.iter().map(|&s| at(s)).collect(),
                    };
                    section.label_facts.push(FactKey::Result(key.clone()));
                    section.learn_fact(&key, at(p.result), i as u32);
                    section.pure.insert(key, at(p.result), fact_index);
                    if p.opcode == Opcode::Call {
                        section.pure.watch_call(descrs, p.descr.function());
                    }
                }
            }
        }
        section.used_facts = vec![false; self.facts.len()];
        self.relate_components(descrs, &mut section, &nodes);
        let roots = self.roots.iter().map(|&s| at(s)).collect();
        (section, roots)
    }

    /// What places are known to hold says which values belong together.
    fn relate_components(&self, descrs: &Descrs, section: &mut Section, nodes: &[NodeId]) {
        let facts = self.facts.iter().zip(0..);
        let facts = facts.filter_map(|(fact, n)| match fact {
            Fact::Holds(place) => Some((place, Some(n))),
            Fact::Result(_) => None,
        });
        let delayed = self.delayed.iter().map(|place| (place, None));
        for (p, fact) in delayed.chain(facts) {
            let (base, value) = (nodes[p.base.0 as usize], nodes[p.value.0 as usize]);
            section.relate_place(descrs, p.place, base, value, fact);
        }
    }
}

fn entry(base: NodeId, value: NodeId, fact: Option<u32>) -> Entry {
    Entry {
        base,
        value,
        delayed: fact.is_none(),
        known: true,
        fact,
    }
}

fn enter_node(section: &mut Section, node: &StateNode, assumption: Option<usize>) -> NodeId {
    match node {
        StateNode::Const(c) => section.nodes.constant(*c),
        StateNode::Value(v) => {
            let n = if v.needed {
                section.param(v.ty)
            } else {
                section
                    .nodes
                    .add(Node::Real(real(ValRef::reserved_value(), v.ty, 0)))
            };
            section.refine(n, |r| {
                r.class = v.class;
                r.nonnull = v.nonnull;
                r.range = match assumption {
                    Some(number) => Range::assumption(v.bound, number),
                    None => Range::sure(v.bound),
                };
            });
            n
        }
        StateNode::Virtual { class, .. } => section.nodes.add(Node::Virtual(Virtual {
            class: *class,
            contents: Contents::zeros(None),
        })),
    }
}

/// The types of the words of objects of a class.
fn word_types(descrs: &Descrs, class: ClassId) -> Vec<Ty> {
    match &descrs.classes[class].kind {
        ClassKind::Struct { fields } => fields.iter().map(|&f| descrs.fields[f].ty).collect(),
        ClassKind::Array { .. } => {
            let words = (0..descrs.item_words(class)).filter_map(|n| descrs.item_word(class, n));
            words.map(|class| descrs.item(class).0).collect()
        }
    }
}

/// How much of what a section knows is part of its state.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Extent {
    /// What is known of everything that the values of the state lead to, which become values of the
    /// state.
    All,
    /// What is known of the values that the state has anyway, and of the objects that stores wait
    /// for.
    Own,
    /// Nothing but what the values are, the stores that wait, and which places lead to the objects
    /// that they wait for.
    Shape,
}

/// The state at the end of a section, for the values that its loop passes around. Delayed stores to
/// objects that the next iteration cannot name are done first.
pub(crate) fn export(cx: &mut Cx<'_>, section: &mut Section, roots: &[NodeId]) -> VirtualState {
    export_with(cx, section, roots, Extent::All).0
}

/// The same, for a part of what is known; and the section's node of each node of the state.
pub(crate) fn export_with(
    cx: &mut Cx<'_>,
    section: &mut Section,
    roots: &[NodeId],
    extent: Extent,
) -> (VirtualState, Vec<NodeId>) {
    loop {
        let mut exporter = Exporter {
            descrs: cx.descrs,
            state: VirtualState::default(),
            ids: FxHashMap::default(),
            nodes: Vec::new(),
            bases: FxHashSet::default(),
            extent,
        };
        exporter.find_bases(section);
        exporter.roots(section, roots);
        exporter.close(section);
        let covered: Vec<_> = section.heap.delayed().collect();
        let uncovered: Vec<_> = covered
            .into_iter()
            .filter(|&(place, base, _)| !exporter.covers(section, place, base))
            .collect();
        if uncovered.is_empty() {
            return exporter.finish(section);
        }
        for (place, base, _) in uncovered {
            section.flush_value(cx, place.whole(cx.descrs), base);
        }
    }
}

struct Exporter<'a> {
    descrs: &'a Descrs,
    state: VirtualState,
    ids: FxHashMap<NodeId, Sid>,
    /// The section's node of each node of the state.
    nodes: Vec<NodeId>,
    /// The objects that stores wait for. If the state does not have them anyway, places that are
    /// known to hold them lead there.
    bases: FxHashSet<NodeId>,
    extent: Extent,
}

impl Exporter<'_> {
    fn find_bases(&mut self, section: &Section) {
        let delayed = section.heap.delayed();
        self.bases = delayed
            .map(|(_, base, _)| section.nodes.find(base))
            .collect();
    }

    fn leads_to_base(&self, section: &Section, e: &Entry) -> bool {
        e.known && !e.delayed && self.bases.contains(&section.nodes.find(e.value))
    }

    /// The loads from places that never change which have led to these objects.
    fn loads_of_bases(&self, section: &Section) -> Vec<(PureKey, NodeId)> {
        let loads = section.pure.entries().into_iter().filter(|(key, e)| {
            let is_load = match key.opcode {
                Opcode::Data(op) => op.effect() == Effect::Read,
                _ => false,
            };
            is_load && self.bases.contains(&section.nodes.find(e.result))
        });
        loads.map(|(key, e)| (key.clone(), e.result)).collect()
    }

    fn roots(&mut self, section: &mut Section, roots: &[NodeId]) {
        for &n in roots {
            let s = self.id(section, n);
            self.state.roots.push(s);
        }
    }

    fn id(&mut self, section: &mut Section, n: NodeId) -> Sid {
        let n = section.nodes.find(n);
        if let Some(&s) = self.ids.get(&n) {
            return s;
        }
        let s = Sid(self.state.nodes.len() as u32);
        self.ids.insert(n, s);
        self.nodes.push(n);
        let node = match section.nodes.get(n) {
            Node::Const(c) => StateNode::Const(*c),
            Node::Real(r) => StateNode::Value(StateValue {
                ty: r.ty,
                class: self.descrs.testable(r.class),
                nonnull: r.nonnull,
                bound: r.range.assumed,
                needed: true,
            }),
            Node::Virtual(v) => StateNode::Virtual {
                class: v.class,
                contents: Contents::zeros(None),
            },
            Node::Forward(_) => unreachable!("find follows forwards"),
        };
        self.state.nodes.push(node);
        if let Some(v) = section.nodes.as_virtual(n).cloned() {
            let ids = v.contents.map(|_, n| {
                let is_zero = section.nodes.is_zero(n);
                (!is_zero).then(|| self.id(section, n))
            });
            if let StateNode::Virtual { contents, .. } = &mut self.state.nodes[s.0 as usize] {
                *contents = ids;
            }
            self.zeros(section, v.class);
        }
        s
    }

    /// The zeros that words of objects of a class are.
    fn zeros(&mut self, section: &mut Section, class: ClassId) {
        for ty in word_types(self.descrs, class) {
            if self.state.zeros.iter().all(|zero| zero.0 != ty) {
                let zero = section.zero_node(ty);
                let zero = self.id(section, zero);
                self.state.zeros.push((ty, zero));
            }
        }
    }

    /// The node's number if it is part of the state already or a constant.
    fn named(&mut self, section: &mut Section, n: NodeId) -> Option<Sid> {
        let n = section.nodes.find(n);
        match section.nodes.get(n) {
            Node::Const(_) => Some(self.id(section, n)),
            _ => self.ids.get(&n).copied(),
        }
    }

    /// Adds what objects of the state are known to hold and what is known of operations on values
    /// of the state, until nothing is new. What depends on nothing that changes in the loop is not
    /// computed in the loop that way.
    fn close(&mut self, section: &mut Section) {
        loop {
            let before = self.ids.len();
            for (_, e) in section.heap.entries() {
                let is_wanted =
                    e.delayed || self.extent == Extent::All || self.leads_to_base(section, &e);
                if e.known && is_wanted && self.named(section, e.base).is_some() {
                    self.id(section, e.value);
                }
            }
            if self.extent != Extent::All {
                for (key, result) in self.loads_of_bases(section) {
                    if key.args.iter().all(|&n| self.named(section, n).is_some()) {
                        self.id(section, result);
                    }
                }
                if self.ids.len() == before {
                    return;
                }
                continue;
            }
            let results: Vec<_> = section
                .pure
                .entries()
                .into_iter()
                .filter(|(key, _)| !makes_word(key.opcode))
                .map(|(key, e)| (key.args.clone(), e.result))
                .collect();
            for (args, result) in results {
                if args.iter().all(|&n| self.named(section, n).is_some()) {
                    self.id(section, result);
                }
            }
            if self.ids.len() == before {
                return;
            }
        }
    }

    fn covers(&self, section: &Section, place: HeapSlot, base: NodeId) -> bool {
        self.ids.contains_key(&section.nodes.find(base))
            && section.lookup_unmarked(place, base).is_some()
    }

    fn finish(mut self, section: &mut Section) -> (VirtualState, Vec<NodeId>) {
        let delayed: Vec<_> = section.heap.delayed().collect();
        for (place, base, value) in delayed {
            let (base, value) = (self.id(section, base), self.id(section, value));
            self.state.delayed.push(StatePlace { place, base, value });
        }
        for (place, e) in section.heap.entries() {
            if e.delayed || !e.known {
                continue;
            }
            if self.extent == Extent::Shape && !self.leads_to_base(section, &e) {
                continue;
            }
            if self.extent == Extent::Own && self.named(section, e.value).is_none() {
                continue;
            }
            if let Some(base) = self.named(section, e.base) {
                let value = self.id(section, e.value);
                self.state
                    .facts
                    .push(Fact::Holds(StatePlace { place, base, value }));
            }
        }
        if self.extent == Extent::Shape {
            for (key, result) in self.loads_of_bases(section) {
                self.result_fact(section, &key, result);
            }
            return (self.state, self.nodes);
        }
        let entries: Vec<_> = section
            .pure
            .entries()
            .into_iter()
            .map(|(k, e)| (k.clone(), e.result))
            .collect();
        for (key, result) in entries {
            self.result_fact(section, &key, result);
        }
        (self.state, self.nodes)
    }

    fn result_fact(&mut self, section: &mut Section, key: &PureKey, result: NodeId) {
        // A word is its operand's node here; the cast is made where an operation needs a word.
        if makes_word(key.opcode) {
            return;
        }
        let args: Option<SmallVec<[Sid; 3]>> =
            key.args.iter().map(|&n| self.named(section, n)).collect();
        let (Some(args), Some(result)) = (args, self.named(section, result)) else {
            return;
        };
        // What folds anyway needs no fact; a read-only call does not fold, nor does `reclaim`, nor
        // what gives words of values.
        let all_const = args
            .iter()
            .all(|&s| matches!(self.state.node(s), StateNode::Const(_)));
        let gives_words = match key.opcode {
            Opcode::Call => (self.descrs.fns[key.descr.function()].ret).contains(&Ty::Word),
            opcode => opcode.data_ret() == Some(Ty::Word),
        };
        let folds = key.opcode != Opcode::Data(DataOp::Reclaim)
            && !section.pure.is_watched(key)
            && !gives_words;
        if !(all_const && folds) {
            self.state.facts.push(Fact::Result(StatePure {
                opcode: key.opcode,
                descr: key.descr,
                args,
                result,
            }));
        }
    }
}
