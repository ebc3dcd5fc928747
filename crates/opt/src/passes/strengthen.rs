//! Guards that do the work of later ones: an earlier test is made stricter in place, and the later
//! guard is dropped.
//!
//! Why this is sound: a guard may fail at any time. Its resume data describe the interpreter's
//! state where it stands, in front of everything emitted behind it, stores included; the
//! interpreter does those stores itself and finds its own path. So only two things must be shown.
//! The operands of the stricter test exist where the earlier guard stands: they are values, which
//! never change, defined in front of it. And the stricter test implies both guards *there*: a
//! length that only a guard between them shows to be non-negative cannot be used.
//!
//! Whether it pays is another question: an execution that fails early hands everything behind to
//! the interpreter. So no guard takes over work from behind a residual call, from the next
//! iteration, or from another section.

use crate::bounds::{IntBound, Relation, taught};
use crate::section::{Cx, Section};
use crate::state::guard_table::{Guard, GuardTest, TestedGuard};
use crate::state::node::{Node, NodeId};
use smallvec::{SmallVec, smallvec};
use verdigris_ops::{DataOp, Ty};
use verdigris_trace::{Arg, Const, ExitId, Opcode};

/// The operation that an earlier guard becomes.
enum Stricter {
    /// `guard_value` of the subject.
    Value(Const),
    /// This guard on a comparison of the subject.
    Compare(Opcode, DataOp, Arg),
}

impl Section {
    /// The test of a guard, if an earlier guard could do it too.
    pub fn test_of(&self, guard: Guard, args: &[NodeId]) -> Option<(NodeId, GuardTest)> {
        match guard.opcode {
            Opcode::GuardClass => Some((args[0], GuardTest::Class(guard.descr.class()))),
            Opcode::GuardValue => Some((args[0], GuardTest::Value(self.nodes.as_const(args[1])?))),
            Opcode::GuardTrue | Opcode::GuardFalse => {
                let (data, operands) = self.nodes.def(args[0])?;
                let &[x, y] = operands else {
                    return match (guard.opcode, data) {
                        (Opcode::GuardTrue, DataOp::IntIsTrue)
                        | (Opcode::GuardFalse, DataOp::IntIsZero) => {
                            Some((operands[0], GuardTest::Not(0)))
                        }
                        _ => None,
                    };
                };
                let relation = match guard.opcode {
                    Opcode::GuardTrue => Relation::of_op(data)?,
                    _ => Relation::of_op(data)?.opposite(),
                };
                self.comparison_test(relation, x, y)
            }
            _ => None,
        }
    }

    fn comparison_test(
        &self,
        relation: Relation,
        x: NodeId,
        y: NodeId,
    ) -> Option<(NodeId, GuardTest)> {
        let (x, y) = (self.nodes.find(x), self.nodes.find(y));
        match (self.nodes.as_const(x), self.nodes.as_const(y)) {
            (None, Some(Const::Int(c))) if relation == Relation::Ne => Some((x, GuardTest::Not(c))),
            (Some(Const::Int(c)), None) if relation == Relation::Ne => Some((y, GuardTest::Not(c))),
            (None, Some(Const::Int(c))) => Some((x, GuardTest::Within(interval(relation, c)?))),
            (Some(Const::Int(c)), None) => {
                Some((y, GuardTest::Within(interval(relation.swapped(), c)?)))
            }
            (None, None) if relation == Relation::Lt => Some((x, GuardTest::Less(y))),
            (None, None) if relation == Relation::Gt => Some((y, GuardTest::Less(x))),
            _ => None,
        }
    }

    /// Makes an earlier guard test this too. False if none can.
    pub fn strengthen(&mut self, cx: &Cx<'_>, guard: Guard, args: &[NodeId]) -> bool {
        let Some((subject, test)) = self.test_of(guard, args) else {
            return false;
        };
        let subject = self.nodes.find(subject);
        for i in (0..self.guards.tests.len()).rev() {
            let tested = self.guards.tests[i];
            if self.nodes.find(tested.subject) != subject {
                continue;
            }
            let Some((stricter, both)) = self.stricter(cx, tested, test) else {
                continue;
            };
            if self.replace(tested.guard, subject, stricter) {
                match both {
                    Some(test) => self.guards.tests[i].test = test,
                    None => drop(self.guards.tests.remove(i)),
                }
                return true;
            }
        }
        false
    }

    /// The guard that implies an earlier test and a later one, and its test, if that can be made
    /// stricter again.
    fn stricter(
        &mut self,
        cx: &Cx<'_>,
        earlier: TestedGuard,
        later: GuardTest,
    ) -> Option<(Stricter, Option<GuardTest>)> {
        match (earlier.test, later) {
            (GuardTest::Class(class), GuardTest::Value(c @ Const::Ref(object))) => {
                if object == 0 || cx.host.class_of(object) != Some(class) {
                    cov_mark::hit!(value_is_of_another_class);
                    return None;
                }
                Some((Stricter::Value(c), None))
            }
            (GuardTest::Within(bound), GuardTest::Value(c @ Const::Int(word))) => {
                bound.contains(word).then_some((Stricter::Value(c), None))
            }
            (GuardTest::Not(other), GuardTest::Value(c @ Const::Int(word))) => {
                (word != other).then_some((Stricter::Value(c), None))
            }
            (GuardTest::Not(other), GuardTest::Within(bound)) if !bound.contains(other) => {
                Some((within(bound)?, Some(later)))
            }
            (GuardTest::Within(a), GuardTest::Within(b)) => {
                let both = a.meet(b)?;
                Some((within(both)?, Some(GuardTest::Within(both))))
            }
            (GuardTest::Less(limit), GuardTest::Within(IntBound::NATURAL))
            | (GuardTest::Within(IntBound::NATURAL), GuardTest::Less(limit)) => {
                let limit = self.natural_before(earlier.guard, limit)?;
                let less = Stricter::Compare(Opcode::GuardTrue, DataOp::UintLt, limit);
                Some((less, None))
            }
            _ => None,
        }
    }

    /// The value, if it was known not to be negative where an earlier guard stands.
    fn natural_before(&self, guard: u32, n: NodeId) -> Option<Arg> {
        let Node::Real(r) = self.nodes.get(n) else {
            return None;
        };
        if r.taught > guard || r.is_phantom() {
            cov_mark::hit!(limit_turns_out_natural_later);
            return None;
        }
        let needs = self.nodes.natural(n)?;
        self.nodes.rely_on(needs);
        Some(Arg::Ref(r.val))
    }

    /// Replaces the test of a guard but keeps its resume data. False if an operand does not exist
    /// there.
    fn replace(&mut self, guard: u32, subject: NodeId, stricter: Stricter) -> bool {
        let exit = Some(ExitId::from_u32(guard));
        let mut ops = self.code.trace.ops().iter();
        let mut at = ops
            .position(|op| op.exit_id() == exit)
            .expect("it has been emitted");
        drop(ops);
        let subject = self.val(subject);
        let (opcode, args): (Opcode, SmallVec<[Arg; 3]>) = match stricter {
            Stricter::Value(c) if self.exists_before(at, subject) => {
                (Opcode::GuardValue, smallvec![subject, Arg::Const(c)])
            }
            Stricter::Compare(opcode, data, other)
                if self.exists_before(at, subject) && self.exists_before(at, other) =>
            {
                let args = [subject, other];
                let result = self
                    .code
                    .trace
                    .insert_def(at, Opcode::Data(data), &args, Ty::Int);
                self.code.origins.insert(at);
                at += 1;
                (opcode, smallvec![Arg::Ref(result)])
            }
            _ => {
                cov_mark::hit!(operand_is_defined_later);
                return false;
            }
        };
        self.code.trace.replace_guard(at, opcode, &args);
        true
    }

    fn exists_before(&self, at: usize, val: Arg) -> bool {
        match val {
            Arg::Const(_) => true,
            Arg::Ref(v) => {
                let defined = self.code.trace.ops().skip_to(at).iter();
                let mut defined = defined.flat_map(|op| op.definitions());
                defined.all(|d| d != v)
            }
        }
    }
}

/// The words that stand in this relation to a constant, if they are a proper interval.
fn interval(relation: Relation, c: i64) -> Option<IntBound> {
    let is_interval = match relation {
        Relation::Lt | Relation::Le | Relation::Gt | Relation::Ge => true,
        Relation::UintLt | Relation::UintLe => c >= 0,
        _ => false,
    };
    let words = taught(relation, IntBound::TOP, IntBound::constant(c));
    (is_interval && words != IntBound::TOP).then_some(words)
}

/// A comparison that tests an interval which is open, or starts at 0.
fn within(bound: IntBound) -> Option<Stricter> {
    let compare = |data, c| Stricter::Compare(Opcode::GuardTrue, data, Arg::Const(Const::Int(c)));
    Some(match (bound.lo, bound.hi) {
        (i64::MIN, i64::MAX) => return None,
        (i64::MIN, hi) => compare(DataOp::IntLe, hi),
        (lo, i64::MAX) => compare(DataOp::IntGe, lo),
        (0, hi) => compare(DataOp::UintLe, hi),
        _ => {
            cov_mark::hit!(interval_takes_two_comparisons);
            return None;
        }
    })
}
