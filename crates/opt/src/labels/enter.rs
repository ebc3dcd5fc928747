//! A section that starts at a label, from the state that the label assumes.

use crate::bounds::Range;
use crate::section::Section;
use crate::state::contents::Contents;
use crate::state::heap_table::{DelayedWord, Entry};
use crate::state::knowledge::FactKey;
use crate::state::label::{Fact, Sid, StateNode, VirtualState};
use crate::state::node::{Node, NodeId, Real, Virtual};
use crate::state::pure_table::PureKey;
use cranelift_entity::packed_option::ReservedValue;
use rustc_hash::FxHashMap;
use verdigris_ops::Descrs;
use verdigris_trace::{Opcode, ValRef};

impl VirtualState {
    /// A section that starts where this state is assumed, and the nodes of the roots.
    pub fn assume(&self, descrs: &Descrs) -> (Section, Vec<NodeId>) {
        let numbers = (0..).zip(self.bounds()).map(|(i, (s, _))| (s, i)).collect();
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
        let nodes: Vec<NodeId> = (0..)
            .map(Sid)
            .zip(&self.nodes)
            .map(|(s, node)| enter_node(&mut section, node, assumptions.get(&s).copied()))
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
            let word = DelayedWord {
                slot: d.slot,
                whole: d.slot.whole(descrs),
                base: at(d.base),
            };
            section.heap.push_delayed(word, at(d.value));
        }
        for (fact, n) in self.facts.iter().zip(0..) {
            match fact {
                Fact::Holds(p) => {
                    let (base, value) = (at(p.base), at(p.value));
                    section.facts.keys.push(FactKey::Slot(p.slot, base));
                    let entry = Entry::stored(base, value, Some(n));
                    section.heap.add(p.slot, entry);
                }
                Fact::Result(p) => {
                    let key = PureKey {
                        opcode: p.opcode,
                        descr: p.descr,
                        args: p.args.iter().map(|&s| at(s)).collect(),
                    };
                    section.facts.keys.push(FactKey::Result(key.clone()));
                    section.learn_fact(&key, at(p.result), n);
                    section.pure.insert(key, at(p.result), Some(n));
                    if p.opcode == Opcode::Call {
                        section.pure.watch_call(descrs, p.descr.function());
                    }
                }
            }
        }
        section.facts.used = vec![false; self.facts.len()];
        self.relate_components(descrs, &mut section, &nodes);
        let roots = self.roots.iter().map(|&s| at(s)).collect();
        (section, roots)
    }

    /// Relates the components that slots hold to their tags.
    fn relate_components(&self, descrs: &Descrs, section: &mut Section, nodes: &[NodeId]) {
        let facts = self.facts.iter().zip(0..);
        let facts = facts.filter_map(|(fact, n)| match fact {
            Fact::Holds(held) => Some((held, Some(n))),
            Fact::Result(_) => None,
        });
        let delayed = self.delayed.iter().map(|held| (held, None));
        for (held, fact) in delayed.chain(facts) {
            let [base, value] = [held.base, held.value].map(|s| nodes[s.0 as usize]);
            section.relate_slot(descrs, held.slot, base, value, fact);
        }
    }
}

fn enter_node(section: &mut Section, node: &StateNode, assumption: Option<usize>) -> NodeId {
    match node {
        StateNode::Const(c) => section.nodes.constant(*c),
        StateNode::Value(v) => {
            let n = match v.needed {
                true => section.param(v.ty),
                false => {
                    let phantom = Real::new(ValRef::reserved_value(), v.ty, 0);
                    section.nodes.add(Node::Real(phantom))
                }
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
