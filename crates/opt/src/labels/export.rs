//! Exports a section's state at its end as that of a label.

use crate::section::{Cx, Section};
use crate::state::contents::Contents;
use crate::state::heap_table::Entry;
use crate::state::label::{Fact, Sid, StateNode, StatePure, StateSlot, StateValue, VirtualState};
use crate::state::node::{Node, NodeId};
use crate::state::op_symmetry::makes_word;
use crate::state::pure_table::PureKey;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use verdigris_ops::{ClassId, ClassKind, DataOp, Descrs, Effect, HeapSlot, Ty};
use verdigris_trace::Opcode;

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

/// How much of a section's knowledge is exported.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Extent {
    /// Everything that the values of the state lead to; these become values of the state.
    All,
    /// What is known of the state's own values, and of the objects of delayed stores.
    Own,
    /// Only the values, the delayed stores, and the slots that lead to the objects of those.
    Shape,
}

/// The state at the end of a section, for the values that its loop passes around. First does the
/// delayed stores to objects that the next iteration cannot name.
pub(crate) fn export(cx: &mut Cx<'_>, section: &mut Section, roots: &[NodeId]) -> VirtualState {
    export_with(cx, section, roots, Extent::All).0
}

/// The same for a part of the knowledge, with the section's node of each node of the state.
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
            .filter(|&(slot, base, _)| !exporter.covers(section, slot, base))
            .collect();
        if uncovered.is_empty() {
            return exporter.finish(section);
        }
        for (slot, base, _) in uncovered {
            section.flush_value(cx, slot.whole(cx.descrs), base);
        }
    }
}

struct Exporter<'a> {
    descrs: &'a Descrs,
    state: VirtualState,
    ids: FxHashMap<NodeId, Sid>,
    /// The section's node of each node of the state.
    nodes: Vec<NodeId>,
    /// The objects of delayed stores. If they are not values of the state, slots lead to them.
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

    /// The loads from immutable slots that have led to these objects.
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

    /// Adds the zeros of the words of a class.
    fn zeros(&mut self, section: &mut Section, class: ClassId) {
        for ty in word_types(self.descrs, class) {
            if self.state.zeros.iter().all(|zero| zero.0 != ty) {
                let zero = section.zero_node(ty);
                let zero = self.id(section, zero);
                self.state.zeros.push((ty, zero));
            }
        }
    }

    /// The number of a constant, or of a node that is part of the state already.
    fn named(&mut self, section: &mut Section, n: NodeId) -> Option<Sid> {
        let n = section.nodes.find(n);
        match section.nodes.get(n) {
            Node::Const(_) => Some(self.id(section, n)),
            _ => self.ids.get(&n).copied(),
        }
    }

    /// Adds the known contents of objects of the state and the known results of operations on its
    /// values, until nothing is new. This moves loop-invariant computations out of the loop.
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

    fn covers(&self, section: &Section, slot: HeapSlot, base: NodeId) -> bool {
        self.ids.contains_key(&section.nodes.find(base))
            && section.lookup_unmarked(slot, base).is_some()
    }

    fn finish(mut self, section: &mut Section) -> (VirtualState, Vec<NodeId>) {
        let delayed: Vec<_> = section.heap.delayed().collect();
        for (slot, base, value) in delayed {
            let (base, value) = (self.id(section, base), self.id(section, value));
            self.state.delayed.push(StateSlot { slot, base, value });
        }
        for (slot, e) in section.heap.entries() {
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
                    .push(Fact::Holds(StateSlot { slot, base, value }));
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
        // A word is its operand's node; the cast is emitted where an operation needs a word.
        if makes_word(key.opcode) {
            return;
        }
        let args: Option<SmallVec<[Sid; 3]>> =
            key.args.iter().map(|&n| self.named(section, n)).collect();
        let (Some(args), Some(result)) = (args, self.named(section, result)) else {
            return;
        };
        // What folds needs no fact. Read-only calls, `reclaim`, and what gives words do not fold.
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
