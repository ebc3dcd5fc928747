//! Quasi-immutable fields: their loads from constant objects are constants, and the trace is
//! invalid when one is written.
//!
//! In: loads of such fields, and what may write them. Out: constants, the list of what is assumed,
//! and `guard_not_invalidated` behind calls that may write. Invariant: between an assumption and
//! any use of it in the future stands such a guard behind every operation that may write the field.
//! The guards are recorded; they are dropped where nothing is assumed, neither by the trace nor by
//! the loop that it leads to. Source: the quasi-immutable fields of RPython.

use crate::node::NodeId;
use crate::section::{Cx, Section};
use smallvec::smallvec;
use verdigris_ops::{DataOp, DescrKind, Effect, FieldId, HeapSlot, Ty};
use verdigris_trace::{Const, Descr, Opcode, OptimisedOp, RecordedOp, RecordedTrace};

/// What a trace assumes.
#[derive(Default)]
pub(crate) struct Assumptions {
    /// The fields, with their objects.
    made: Vec<(u64, FieldId)>,
    /// Fields that the trace writes itself: it would invalidate itself each time.
    written: Vec<FieldId>,
    /// The trace leads to a loop that assumes something.
    leads_there: bool,
}

impl Assumptions {
    /// Nothing is assumed of this trace yet.
    pub fn new(trace: &RecordedTrace) -> Assumptions {
        let invalidates = Opcode::Data(DataOp::Invalidate);
        let writes = trace.ops().iter().filter(|op| op.opcode() == invalidates);
        Assumptions {
            written: writes.map(|op| op.field()).collect(),
            ..Assumptions::default()
        }
    }

    /// The trace leads to a loop that assumes something.
    pub fn lead_there(&mut self) {
        self.leads_there = true;
    }

    /// Whether the trace must not run on when it has been invalidated.
    pub fn matter(&self) -> bool {
        self.leads_there || !self.made.is_empty()
    }

    /// The fields that are assumed to stay as they are, with their objects.
    pub fn made(&self) -> &[(u64, FieldId)] {
        &self.made
    }
}

impl Section {
    /// A load of a quasi-immutable field from an object that is a constant.
    pub fn load_assumed(
        &mut self,
        cx: &mut Cx<'_>,
        data: DataOp,
        descr: Descr,
        base: NodeId,
    ) -> Option<NodeId> {
        if !cx.passes.fold || data.descr_kind() != DescrKind::Field {
            return None;
        }
        let field = descr.field();
        let Some(Const::Ref(object @ 1..)) = self.nodes.as_const(base) else {
            return None;
        };
        if !cx.descrs.fields[field].quasi || cx.assumptions.written.contains(&field) {
            return None;
        }
        let made = cx.assumptions.made.contains(&(object, field));
        if !made {
            if !cx.host.assume(object, field) {
                return None;
            }
            cx.assumptions.made.push((object, field));
        }
        if data.ret() == Some(Ty::Word) {
            // What type the constant has is known where it is cast.
            return Some(self.load_immutable(cx, data, descr, smallvec![base]));
        }
        let word = cx.host.load(data, &[object], descr);
        let known = self.constant(data.ret().expect("loads have results"), word);
        Some(self.known_load(cx, data, descr, &[base], known))
    }

    /// Behind a store to a quasi-immutable field. No compiled code can have assumed what a virtual
    /// holds.
    pub fn invalidate(&mut self, cx: &mut Cx<'_>, op: RecordedOp<'_>) {
        let base = self.arg_nodes(op)[0];
        if self.nodes.as_virtual(base).is_some() {
            return;
        }
        let place = HeapSlot::Field(op.field());
        self.flush_place(cx, place, base);
        let val = self.force(cx, base);
        self.out.push(op.opcode(), &[val], op.descr());
    }

    /// Drops the guards that would find out whether the trace has been invalidated, if it cannot
    /// be, and whether its objects lie beyond the heap's limit, if it makes none.
    pub fn drop_idle_checks(&mut self, cx: &Cx<'_>) {
        let makes_objects = cx.has_made_objects || self.allocates();
        self.drop_checks(cx.assumptions.matter(), makes_objects);
    }

    /// Whether it makes objects.
    pub fn allocates(&self) -> bool {
        let is_allocation = |op: OptimisedOp<'_>| match op.opcode() {
            Opcode::Data(data) => data.effect() == Effect::Alloc,
            _ => false,
        };
        self.out.ops().iter().any(is_allocation)
    }

    /// The same for a part of what is compiled together: whether all of it can be invalidated, and
    /// makes objects.
    pub fn drop_checks(&mut self, assumes: bool, allocates: bool) {
        let is_idle = |opcode| match opcode {
            Opcode::GuardNotInvalidated => !assumes,
            Opcode::GuardNotExhausted => !allocates,
            _ => false,
        };
        let guards = self.out.ops().iter().map(|op| op.opcode());
        let mut guards = guards.filter(|opcode| opcode.is_guard());
        self.guard_knowledge
            .retain(|_| !is_idle(guards.next().expect("facts are of a guard")));
        drop(guards);
        self.retain(|op| !is_idle(op.opcode()));
    }
}
