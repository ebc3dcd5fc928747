//! The words that values had when a trace was recorded.
//!
//! In: the words that the jump at its end passed, and a heap that is still as it was then. Out: the
//! words of values that objects lead to from there. Invariant: only objects of the class that a
//! place belongs to are looked into, and only at items that they have.

use super::Repair;
use crate::node::NodeId;
use crate::section::{Cx, Section};
use crate::transfer::Joined;
use crate::virtual_state::{Fact, StatePure, VirtualState};
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
    pub fn of_place(descrs: &Descrs, place: HeapSlot) -> (ClassId, Load) {
        match place {
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

/// The words that values had when the trace was recorded, as far as they can be found from what the
/// jump passed.
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
        repair: Repair,
    ) -> Option<Words> {
        let passed = cx.arrival?;
        let mut words = Words {
            words: FxHashMap::default(),
            arrays: repair == Repair::Arrays,
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

    /// Follows what the state says of objects whose words are known; whether that has brought a new
    /// word.
    fn grow(
        &mut self,
        cx: &mut Cx<'_>,
        state: &VirtualState,
        joined: &Joined,
        section: &Section,
    ) -> bool {
        let before = self.words.len();
        let places = state.facts.iter().filter_map(|fact| match fact {
            Fact::Holds(place) => Some(place),
            Fact::Result(_) => None,
        });
        for p in places.chain(&state.delayed) {
            if let Some(base) = joined.node(p.base)
                && let Some(entry) = section.lookup_unmarked(p.place, base)
            {
                let (class, load) = Load::of_place(cx.descrs, p.place);
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

    /// What a virtual holds: the recorded trace has made the object, so it can be looked into.
    fn contents(&mut self, cx: &mut Cx<'_>, section: &Section, n: NodeId) {
        let Some(v) = section.nodes.as_virtual(n) else {
            return;
        };
        for (place, value) in v.contents.words() {
            let (class, load) = Load::of_place(cx.descrs, place);
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

    /// What a load gives now, if its object's word is known, of the right class, and has such an
    /// item.
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

/// The nodes here that a fact about a result is about.
pub(super) fn arguments(joined: &Joined, p: &StatePure) -> Option<SmallVec<[NodeId; 3]>> {
    p.args.iter().map(|&s| joined.node(s)).collect()
}

/// The load that a fact about a result describes, if it is one with arguments that are known here.
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
