//! `check_hints`: what a trace knows because the program promised it is found out again each time.
//!
//! In: a recorded trace with `guard_same` behind each operation that a hint is about. Out: where
//! the optimiser does without the operation, the operation after all, and a `guard_same` of its
//! result and of what is taken for it. Invariant: what follows is optimised as if the promise held,
//! so the code is that without checks, with checks in it.

use crate::guards::Guard;
use crate::node::NodeId;
use crate::section::{Cx, Section};
use verdigris_ops::{DataOp, Ty};
use verdigris_trace::{Descr, RecordedOp};

impl Section {
    /// The result of a load is known; answers it.
    pub fn known_load(
        &mut self,
        cx: &mut Cx<'_>,
        data: DataOp,
        descr: Descr,
        args: &[NodeId],
        known: NodeId,
    ) -> NodeId {
        // What a word means is for its tag to say, which is compared.
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

    /// Guards that what was found out again is what the trace takes it for.
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
