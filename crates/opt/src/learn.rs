//! What a known result teaches about the operands that it was computed from.
//!
//! In: a value that a guard has shown to be a constant. Out: nodes refined, results entered in the table of known results.
//! Invariant: everything learned follows from the guard and from what was known before it.

use crate::node::{Node, NodeId};
use crate::pure::PureKey;
use crate::section::Section;
use crate::simplify;
use smallvec::SmallVec;
use verdigris_ops::{DataOp, Ty};
use verdigris_trace::{Const, Opcode};

impl Section {
    /// A guard has shown that `n` is this constant: enters that, and what it says about the operands of the
    /// comparison that computed `n`.
    pub fn learn(&mut self, n: NodeId, c: Const) {
        let n = self.nodes.find(n);
        let def = match self.nodes.get(n) {
            Node::Real(r) => r.def.clone(),
            _ => return,
        };
        let constant = self.nodes.constant(c);
        self.nodes.forward(n, constant);
        if let Some((data, args)) = def {
            self.learn_operands(data, &args, c.word() != 0);
        }
    }

    fn learn_operands(&mut self, data: DataOp, args: &[NodeId], holds: bool) {
        match (data, holds) {
            (DataOp::IntIsZero, true) | (DataOp::IntIsTrue, false) => {
                self.learn(args[0], Const::Int(0));
            }
            (DataOp::IntIsZero, false) | (DataOp::IntIsTrue, true)
                if self.nodes.is_boolean(args[0]) =>
            {
                self.learn(args[0], Const::Int(1));
            }
            (DataOp::IntEq | DataOp::PtrEq, true) | (DataOp::IntNe | DataOp::PtrNe, false) => {
                match (self.nodes.as_const(args[0]), self.nodes.as_const(args[1])) {
                    (None, Some(c)) => self.learn(args[0], c),
                    (Some(c), None) => self.learn(args[1], c),
                    _ => {}
                }
            }
            (DataOp::PtrEq, false) | (DataOp::PtrNe, true) => {
                for (a, b) in [(args[0], args[1]), (args[1], args[0])] {
                    if self.nodes.as_const(b) == Some(Const::Ref(0)) {
                        self.refine(a, |r| r.nonnull = true);
                    }
                }
            }
            _ => {}
        }
        if let Some(opposite) = simplify::opposite(data) {
            let result = self.constant(Ty::Int, u64::from(!holds));
            let key = PureKey {
                opcode: Opcode::Data(opposite),
                descr: 0,
                args: SmallVec::from_slice(args),
            };
            self.pure.insert(key, result, None);
        }
    }
}
