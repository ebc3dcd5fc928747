//! The words that values had during recording: those that the jump passed, and those in the objects
//! they lead to. The heap is still as it was then.
//!
//! Invariant: only objects of the class that a slot belongs to are looked into, and only at items
//! that they have.

use crate::labels::label_join::Joined;
use crate::section::{Cx, Section};
use crate::state::label::{Fact, StatePure, VirtualState};
use crate::state::node::NodeId;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use verdigris_ops::{ClassId, DataOp, Descrs, Effect, HeapSlot, eval};
use verdigris_trace::{Const, Descr, Opcode};

/// A load from an object.
#[derive(Clone, Copy)]
pub(super) struct Load {
    pub op: DataOp,
    pub descr: Descr,
    /// The index of an item.
    pub index: Option<u32>,
}

impl Load {
    pub fn of_slot(descrs: &Descrs, slot: HeapSlot) -> (ClassId, Load) {
        match slot {
            HeapSlot::Field(field) => {
                let info = &descrs.fields[field];
                let load = Load {
                    op: DataOp::get_field(info.ty),
                    descr: field.into(),
                    index: None,
                };
                (info.class, load)
            }
            HeapSlot::Item(class, index) => {
                let load = Load {
                    op: DataOp::get_item(descrs.item(class).0),
                    descr: class.into(),
                    index: Some(index),
                };
                (descrs.item_part(class).0, load)
            }
        }
    }

    /// The load of a fact about a result, and the class of its object.
    fn of_result(descrs: &Descrs, op: DataOp, descr: Descr, index: Option<u32>) -> (ClassId, Load) {
        let class = match op {
            DataOp::GetFieldI | DataOp::GetFieldR | DataOp::GetFieldF | DataOp::GetFieldW => {
                descrs.fields[descr.field()].class
            }
            _ => descrs.item_part(descr.class()).0,
        };
        (class, Load { op, descr, index })
    }
}

/// The words of values during recording, as far as they can be found from what the jump passed.
pub(super) struct Words {
    words: FxHashMap<NodeId, u64>,
    /// Whether arrays and structs with parameters are looked into.
    arrays: bool,
}

impl Words {
    pub fn new(
        cx: &mut Cx<'_>,
        state: &VirtualState,
        joined: &Joined,
        section: &Section,
        roots: &[NodeId],
        arrays: bool,
    ) -> Option<Words> {
        let passed = cx.arrival?;
        let mut words = Words {
            words: FxHashMap::default(),
            arrays,
        };
        for (&n, &word) in roots.iter().zip(passed) {
            words.words.insert(section.nodes.find(n), word);
        }
        while words.grow(cx, state, joined, section) {}
        Some(words)
    }

    pub fn get(&self, section: &Section, n: NodeId) -> Option<u64> {
        let n = section.nodes.find(n);
        let constant = section.nodes.as_const(n).map(Const::word);
        constant.or_else(|| self.words.get(&n).copied())
    }

    /// Follows the state's slots from objects whose words are known. Returns whether it found a new
    /// word.
    fn grow(
        &mut self,
        cx: &mut Cx<'_>,
        state: &VirtualState,
        joined: &Joined,
        section: &Section,
    ) -> bool {
        let before = self.words.len();
        let slots = state.facts.iter().filter_map(|fact| match fact {
            Fact::Holds(slot) => Some(slot),
            Fact::Result(_) => None,
        });
        for p in slots.chain(&state.delayed) {
            if let Some(base) = joined.node(p.base)
                && let Some(entry) = section.lookup_unmarked(p.slot, base)
            {
                let (class, load) = Load::of_slot(cx.descrs, p.slot);
                self.follow(cx, section, base, class, load, entry.value);
            }
        }
        for (_, n) in joined.pairs() {
            self.contents(cx, section, n);
        }
        for fact in &state.facts {
            if let Fact::Result(p) = fact
                && let Some(args) = arguments(joined, p)
                && let Some(result) = section.result_unmarked(p.opcode, p.descr, &args)
            {
                self.result(cx, section, joined, p, &args, result);
            }
        }
        self.words.len() > before
    }

    /// The contents of a virtual: the recorded trace has allocated the object, so it can be looked
    /// into.
    fn contents(&mut self, cx: &mut Cx<'_>, section: &Section, n: NodeId) {
        let Some(v) = section.nodes.as_virtual(n) else {
            return;
        };
        for (slot, value) in v.contents.words() {
            let (class, load) = Load::of_slot(cx.descrs, slot);
            self.follow(cx, section, n, class, load, value);
        }
    }

    fn result(
        &mut self,
        cx: &mut Cx<'_>,
        section: &Section,
        joined: &Joined,
        p: &StatePure,
        args: &[NodeId],
        result: NodeId,
    ) {
        if let Some((class, load, base)) = result_load(cx.descrs, section, joined, p) {
            self.follow(cx, section, base, class, load, result);
            return;
        }
        let words: Option<SmallVec<[u64; 3]>> =
            args.iter().map(|&n| self.get(section, n)).collect();
        if let (Opcode::Data(op), Some(words)) = (p.opcode, words)
            && let Some(word) = eval(op, &words)
        {
            self.words.entry(result).or_insert(word);
        }
    }

    fn follow(
        &mut self,
        cx: &mut Cx<'_>,
        section: &Section,
        base: NodeId,
        class: ClassId,
        load: Load,
        value: NodeId,
    ) {
        let value = section.nodes.find(value);
        if self.words.contains_key(&value) {
            return;
        }
        if let Some(word) = self.loaded(cx, section, base, class, load) {
            self.words.insert(value, word);
        }
    }

    /// The result of a load now, if its object is known, of the right class, and has such an item.
    pub fn loaded(
        &self,
        cx: &mut Cx<'_>,
        section: &Section,
        base: NodeId,
        class: ClassId,
        load: Load,
    ) -> Option<u64> {
        let object = self.get(section, base)?;
        let may_look = self.arrays || cx.descrs.classes[class].is_unique();
        if object == 0 || !may_look || cx.host.class_of(object) != Some(class) {
            return None;
        }
        let Some(index) = load.index else {
            return Some(cx.host.load(load.op, &[object], load.descr));
        };
        let len = cx.host.load(DataOp::ArrayLen, &[object], load.descr);
        let index = u64::from(index);
        (index < len).then(|| cx.host.load(load.op, &[object, index], load.descr))
    }
}

/// The section's nodes for the arguments of a fact about a result.
pub(super) fn arguments(joined: &Joined, p: &StatePure) -> Option<SmallVec<[NodeId; 3]>> {
    let mut args = SmallVec::new();
    for &s in &p.args {
        args.push(joined.node(s)?);
    }
    Some(args)
}

/// The load that a fact about a result describes, if its arguments are known here.
pub(super) fn result_load(
    descrs: &Descrs,
    section: &Section,
    joined: &Joined,
    p: &StatePure,
) -> Option<(ClassId, Load, NodeId)> {
    let Opcode::Data(op) = p.opcode else {
        return None;
    };
    if op.effect() != Effect::Read {
        return None;
    }
    let index = match p.args.get(1) {
        Some(&s) => Some(u32::try_from(section.nodes.as_const(joined.node(s)?)?.word()).ok()?),
        None => None,
    };
    let (class, load) = Load::of_result(descrs, op, p.descr, index);
    Some((class, load, joined.node(p.args[0])?))
}
