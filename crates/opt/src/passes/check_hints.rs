//! `check_hints`: what a trace knows because the program promised it is computed again, and
//! compared by `guard_same`.
//!
//! The recorded trace has a `guard_same` behind each operation that a hint is about. What follows
//! is optimised as if the promise held, so the code is that without checks, with checks in it.

use crate::section::{Cx, Section};
use crate::state::guard_table::Guard;
use crate::state::node::NodeId;
use verdigris_ops::{DataOp, Ty};
use verdigris_trace::{Descr, RecordedOp};

impl Section {
    /// Returns the known result of a load; with `check_hints`, the load is done all the same.
    pub fn known_load(
        &mut self,
        cx: &mut Cx<'_>,
        data: DataOp,
        descr: Descr,
        args: &[NodeId],
        known: NodeId,
    ) -> NodeId {
        // The meaning of a word depends on its tag, which is compared.
        if cx.check_hints && data.ret() != Some(Ty::Word) {
            let now = self.emit_load(cx, data, descr, args);
            self.unchecked.push((now, known));
        }
        known
    }

    /// Whether an object has a class, as the program promises: then no guard checks it, and the
    /// class is known.
    pub fn has_class(&mut self, cx: &mut Cx<'_>, op: RecordedOp<'_>) -> NodeId {
        let object = self.arg_nodes(op)[0];
        let class = op.class();
        if let Some(known) = self.class_of(cx, object) {
            return self.constant(Ty::Int, u64::from(known == class));
        }
        if !cx.passes.guards {
            return self.emit_load(cx, DataOp::HasClass, op.descr(), &[object]);
        }
        let known = self.constant(Ty::Int, 1);
        let known = self.known_load(cx, DataOp::HasClass, op.descr(), &[object], known);
        self.refine(object, |r| {
            r.class = Some(class);
            r.nonnull = true;
        });
        known
    }

    /// Guards that what was computed again is what the trace expects.
    pub fn check_same(&mut self, cx: &mut Cx<'_>, op: RecordedOp<'_>) {
        let args = self.arg_nodes(op);
        let mut pairs = std::mem::take(&mut self.unchecked);
        pairs.push((args[0], args[1]));
        for (now, before) in pairs {
            let (now, before) = (self.nodes.find(now), self.nodes.find(before));
            if self.nodes.ty(now) == Ty::Word {
                continue;
            }
            let constants = (self.nodes.as_const(now), self.nodes.as_const(before));
            let same = now == before || (constants.0.is_some() && constants.0 == constants.1);
            if !same {
                self.emit_guard(cx, Guard::of(op), &[now, before]);
            }
        }
    }
}
