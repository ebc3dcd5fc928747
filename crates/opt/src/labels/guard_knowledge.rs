//! Collects what a bridge may assume at a guard.
//!
//! Only facts that hold at the guard, about values that the guard hands over or about constants. A
//! value that is known but not handed over becomes a phantom, which code must compute before it
//! uses it. The facts considered are those that the loop's body was entered with, which a bridge
//! must know to jump back into it; in a built trace also the slots whose object and value the guard
//! hands over.

use crate::bounds::Range;
use crate::section::{Cx, Section};
use crate::state::knowledge::{FactKey, GuardKnowledge, KnownState};
use crate::state::label::{Fact, Sid, StateNode, StatePure, StateSlot, StateValue, VirtualState};
use crate::state::node::{Node, NodeId};
use crate::state::numbering::Numbering;
use smallvec::SmallVec;
use std::rc::Rc;
use verdigris_ops::Effect;
use verdigris_trace::Opcode;

/// The knowledge at a guard that has just been emitted. If `goes_on`, the code behind its exit
/// continues this trace, so what the guard hands over is still what slots hold.
pub(crate) fn at_guard(
    section: &Section,
    fail_nodes: &[NodeId],
    ids: &mut Numbering<NodeId>,
    goes_on: bool,
) -> GuardKnowledge {
    ids.truncate(0);
    let facts = section.facts.keys.len();
    let mut collector = Collector {
        section,
        state: VirtualState::default(),
        ids,
        sources: Vec::with_capacity(facts),
        assumed: Vec::new(),
    };
    collector
        .state
        .nodes
        .reserve_exact(fail_nodes.len() + facts);
    collector.state.facts.reserve_exact(facts);
    collector.state.roots.reserve_exact(fail_nodes.len());
    for &n in fail_nodes {
        let s = collector.value(n, true);
        collector.state.roots.push(s);
    }
    if goes_on {
        collector.slots();
        collector.constants();
    }
    collector.facts();
    let known = KnownState {
        state: collector.state,
        sources: collector.sources,
        assumed: collector.assumed,
    };
    GuardKnowledge {
        known: Some(Rc::new(known)),
        place: section.guards.place,
        has_made_objects: false,
    }
}

/// The section that a bridge starts with. Its parameters are the guard's fail arguments.
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
    /// The numbers of the state's nodes.
    ids: &'a mut Numbering<NodeId>,
    /// For each fact collected, the fact of the label that it comes from.
    sources: Vec<Option<u32>>,
    /// Ranges of integers that hold only under the label's bounds.
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
        let value = StateValue {
            ty: r.ty,
            class: r.class,
            nonnull: r.nonnull,
            bound: r.range.sure,
            needed,
        };
        let s = self.add(n, StateNode::Value(value));
        if !r.range.needs.is_empty() {
            self.assumed.push((s, r.range));
        }
        s
    }

    /// The number of a constant, or of a value of the state.
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
    fn slots(&mut self) {
        for (slot, entry) in self.section.heap.entries() {
            if entry.delayed || !entry.known || entry.fact.is_some() {
                continue;
            }
            if let (Some(base), Some(value)) = (self.named(entry.base), self.named(entry.value)) {
                let holds = StateSlot { slot, base, value };
                self.state.facts.push(Fact::Holds(holds));
                self.sources.push(None);
            }
        }
    }

    /// The same for slots that never change.
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
        let mut open: Vec<&FactKey> = section.facts.keys.iter().collect();
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

    /// The current fact about a key, and the fact of the label that it comes from.
    fn fact(&mut self, key: &FactKey) -> Option<(Fact, Option<u32>)> {
        match key {
            FactKey::Slot(slot, base) => {
                let entry = self.section.lookup_unmarked(*slot, *base)?;
                if entry.delayed {
                    return None;
                }
                let base = self.named(*base)?;
                let value = self.known(entry.value)?;
                Some((
                    Fact::Holds(StateSlot {
                        slot: *slot,
                        base,
                        value,
                    }),
                    entry.fact,
                ))
            }
            FactKey::Result(key) => {
                let known = self.section.pure.get(key)?;
                let result = known.result;
                let mut args: SmallVec<[Sid; 3]> = SmallVec::new();
                for &n in &key.args {
                    args.push(self.named(n)?);
                }
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
