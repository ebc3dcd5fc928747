//! What a bridge may assume: the knowledge at its guard, carried from the trace that the guard is
//! in.
//!
//! In: a section at a guard. Out: [`GuardKnowledge`], a label state whose parameters are the guard's
//! fail arguments; later, the section that the bridge starts with. Invariant: only facts that held
//! at the guard, about values that the guard hands over or about constants; a value that is only
//! known of becomes a phantom, which code must compute before it uses it. The facts considered are
//! those that the loop's body was entered with: what a bridge must know to jump back into it; and
//! in code that was not recorded, what places hold of which the guard hands over object and value.

use crate::bounds::Range;
use crate::host::{GuardKnowledge, Known};
use crate::node::{Node, NodeId, Real};
use crate::numbering::Numbering;
use crate::pure::PureKey;
use crate::section::{Cx, Section};
use crate::virtual_state::{Fact, Sid, StateNode, StatePlace, StatePure, StateValue, VirtualState};
use smallvec::SmallVec;
use std::rc::Rc;
use verdigris_ops::{Effect, HeapSlot};
use verdigris_trace::Opcode;

/// What a fact is about.
#[derive(Clone, Debug)]
pub(crate) enum FactKey {
    /// What a place holds.
    Place(HeapSlot, NodeId),
    /// The result of an operation.
    Result(PureKey),
}

/// The knowledge at a guard that has just been emitted. `goes_on`: what is compiled behind it is
/// the same code going on, so that whatever the guard hands over is known to be what it was read
/// from.
pub(crate) fn at_guard(
    section: &Section,
    fail_nodes: &[NodeId],
    ids: &mut Numbering<NodeId>,
    goes_on: bool,
) -> GuardKnowledge {
    ids.truncate(0);
    let facts = section.label_facts.len();
    let mut collector = Collector {
        section,
        state: VirtualState::default(),
        ids,
        sources: Vec::with_capacity(facts),
        assumed: Vec::new(),
    };
    collector.state.nodes.reserve(fail_nodes.len() + facts);
    collector.state.facts.reserve(facts);
    for &n in fail_nodes {
        let s = collector.value(n, true);
        collector.state.roots.push(s);
    }
    if goes_on {
        collector.places();
        collector.constants();
    }
    collector.facts();
    let known = Known {
        state: collector.state,
        sources: collector.sources,
        assumed: collector.assumed,
    };
    GuardKnowledge {
        known: Some(Rc::new(known)),
        place: section.place,
        has_made_objects: false,
    }
}

/// The section that a bridge starts with: its parameters are the guard's fail arguments.
pub(crate) fn at_bridge(cx: &Cx<'_>, facts: &GuardKnowledge) -> Section {
    let Some(known) = &facts.known else {
        return Section::at_start(cx);
    };
    let (mut section, roots) = known.state.rely(cx.descrs);
    section.bind_inputs(cx, &roots);
    section
}

struct Collector<'a> {
    section: &'a Section,
    state: VirtualState,
    /// Every node of the state gets its number when it is added.
    ids: &'a mut Numbering<NodeId>,
    /// For each fact collected, the fact of the label that it comes from.
    sources: Vec<Option<u32>>,
    /// What is known of integers only if the label's bounds hold.
    assumed: Vec<(Sid, Range)>,
}

impl Collector<'_> {
    fn add(&mut self, n: NodeId, node: StateNode) -> Sid {
        let (number, first) = self.ids.number(n);
        debug_assert!(first && number as usize == self.state.nodes.len());
        self.state.nodes.push(node);
        Sid(number)
    }

    /// A value of the state: a parameter, or a phantom.
    fn value(&mut self, n: NodeId, needed: bool) -> Sid {
        let n = self.section.nodes.find(n);
        let Node::Real(r) = self.section.nodes.get(n) else {
            unreachable!("fail arguments and phantoms are values");
        };
        let Real {
            ty,
            class,
            nonnull,
            range,
            ..
        } = *r;
        let s = self.add(
            n,
            StateNode::Value(StateValue {
                ty,
                class,
                nonnull,
                bound: range.sure,
                needed,
            }),
        );
        if !range.needs.is_empty() {
            self.assumed.push((s, range));
        }
        s
    }

    /// The number of a constant or of a value that is part of the state.
    fn named(&mut self, n: NodeId) -> Option<Sid> {
        let n = self.section.nodes.find(n);
        if let Some(number) = self.ids.get(n) {
            return Some(Sid(number));
        }
        let c = self.section.nodes.as_const(n)?;
        Some(self.add(n, StateNode::Const(c)))
    }

    /// The number of a fact's value, which becomes a phantom if the guard does not hand it over.
    fn known(&mut self, n: NodeId) -> Option<Sid> {
        if let Some(s) = self.named(n) {
            return Some(s);
        }
        matches!(self.section.nodes.get(n), Node::Real(_)).then(|| self.value(n, false))
    }

    /// Adds what was found in places since the label, as far as the guard hands over the object and
    /// the value.
    fn places(&mut self) {
        for (place, entry) in self.section.heap.entries() {
            if entry.delayed || !entry.known || entry.fact.is_some() {
                continue;
            }
            if let (Some(base), Some(value)) = (self.named(entry.base), self.named(entry.value)) {
                let holds = StatePlace { place, base, value };
                self.state.facts.push(Fact::Holds(holds));
                self.sources.push(None);
            }
        }
    }

    /// The same for places that never change.
    fn constants(&mut self) {
        for (key, entry) in self.section.pure.entries() {
            let is_load = match key.opcode {
                Opcode::Data(op) => op.effect() == Effect::Read,
                _ => false,
            };
            if !is_load || entry.fact.is_some() {
                continue;
            }
            let args: Option<SmallVec<[Sid; 3]>> =
                key.args.iter().map(|&n| self.named(n)).collect();
            if let (Some(args), Some(result)) = (args, self.named(entry.result)) {
                self.state.facts.push(Fact::Result(StatePure {
                    opcode: key.opcode,
                    descr: key.descr,
                    args,
                    result,
                }));
                self.sources.push(None);
            }
        }
    }

    /// Adds facts until their values lead to no new ones.
    fn facts(&mut self) {
        let section = self.section;
        let mut open: Vec<&FactKey> = section.label_facts.iter().collect();
        loop {
            let before = open.len();
            open.retain(|key| match self.fact(key) {
                Some((fact, source)) => {
                    self.state.facts.push(fact);
                    self.sources.push(source);
                    false
                }
                None => true,
            });
            if open.len() == before {
                return;
            }
        }
    }

    /// What is known about a key, and the fact of the label that it comes from.
    fn fact(&mut self, key: &FactKey) -> Option<(Fact, Option<u32>)> {
        match key {
            FactKey::Place(place, base) => {
                let entry = self.section.lookup_unmarked(*place, *base)?;
                if entry.delayed {
                    return None;
                }
                let base = self.named(*base)?;
                let value = self.known(entry.value)?;
                Some((
                    Fact::Holds(StatePlace {
                        place: *place,
                        base,
                        value,
                    }),
                    entry.fact,
                ))
            }
            FactKey::Result(key) => {
                let known = self.section.pure.get(key)?;
                let result = known.result;
                let args: SmallVec<[Sid; 3]> = key
                    .args
                    .iter()
                    .map(|&n| self.named(n))
                    .collect::<Option<_>>()?;
                let result = self.known(result)?;
                Some((
                    Fact::Result(StatePure {
                        opcode: key.opcode,
                        descr: key.descr,
                        args,
                        result,
                    }),
                    known.fact,
                ))
            }
        }
    }
}
