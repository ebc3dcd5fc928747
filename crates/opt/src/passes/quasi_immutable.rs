//! Quasi-immutable fields: loads from constant objects are constants, and a write invalidates the
//! trace.
//!
//! Invariant: between an assumption and any later use of it, a `guard_not_invalidated` stands
//! behind every operation that may write the field. These guards are recorded, and dropped if
//! neither the trace nor the loop that it leads to assumes anything.
//!
//! Source: the quasi-immutable fields of RPython.

use crate::section::{Cx, Section};
use crate::state::node::NodeId;
use smallvec::smallvec;
use verdigris_ops::{DataOp, DescrKind, Effect, HeapSlot, Ty};
use verdigris_trace::{Const, Descr, Opcode, OptimisedOp, RecordedOp};

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
        let host = &mut cx.host;
        let register = || host.assume(object, field);
        if !cx.descrs.fields[field].quasi || !cx.whole.assumptions.assume(object, field, register) {
            return None;
        }
        if data.ret() == Some(Ty::Word) {
            // The constant's type is known where it is cast.
            return Some(self.load_immutable(cx, data, descr, smallvec![base]));
        }
        let word = cx.host.load(data, &[object], descr);
        let known = self.constant(data.ret().expect("loads have results"), word);
        Some(self.known_load(cx, data, descr, &[base], known))
    }

    /// Behind a store to a quasi-immutable field. No compiled code assumes anything about a
    /// virtual.
    pub fn invalidate(&mut self, cx: &mut Cx<'_>, op: RecordedOp<'_>) {
        let base = self.arg_nodes(op)[0];
        if self.nodes.as_virtual(base).is_some() {
            return;
        }
        let slot = HeapSlot::Field(op.field());
        self.flush_slot(cx, slot, base);
        let val = self.force(cx, base);
        self.code.trace.push(op.opcode(), &[val], op.descr());
    }

    /// Drops the guards on invalidation if the trace assumes nothing, and those on exhausted memory
    /// if it allocates nothing.
    pub fn drop_idle_checks(&mut self, cx: &Cx<'_>) {
        let makes_objects = cx.has_made_objects || self.allocates();
        self.drop_checks(cx.whole.assumptions.matter(), makes_objects);
    }

    /// Whether it allocates objects.
    pub fn allocates(&self) -> bool {
        let is_allocation = |op: OptimisedOp<'_>| match op.opcode() {
            Opcode::Data(data) => data.effect() == Effect::Alloc,
            _ => false,
        };
        self.code.trace.ops().iter().any(is_allocation)
    }

    /// The same for one of several sections: whether any of them assumes something, and allocates.
    pub fn drop_checks(&mut self, assumes: bool, allocates: bool) {
        let is_idle = |opcode| match opcode {
            Opcode::GuardNotInvalidated => !assumes,
            Opcode::GuardNotExhausted => !allocates,
            _ => false,
        };
        let guards = self.code.trace.ops().iter().map(|op| op.opcode());
        let mut guards = guards.filter(|opcode| opcode.is_guard());
        self.guards
            .knowledge
            .retain(|_| !is_idle(guards.next().expect("facts are of a guard")));
        drop(guards);
        self.code.retain(|op| !is_idle(op.opcode()));
    }
}
