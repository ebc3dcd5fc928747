//! Guards that do the work of later ones: a test is made stricter in place, and the later guard
//! vanishes.
//!
//! In: guards as they are about to be emitted. Out: an earlier guard changed, or nothing.
//! Invariant: an earlier guard that is changed still implies what it implied, and implies the later
//! one.
//!
//! Why that is sound: a guard may fail whenever it likes. Its resume data describe the
//! interpreter's state where it stands, which is before everything that was emitted behind it,
//! stores included; from there the interpreter does those stores itself and finds its own way. So
//! only two things have to be shown. What the stricter test looks at exists where the earlier guard
//! stands: operands are values, which never change, and they are found in front of it. And the
//! stricter test implies both guards *there*: a length that only a guard in between shows not to be
//! negative cannot be used. Whether it pays is another question: an execution that fails early
//! hands everything behind to the interpreter, so a guard is not made to do work from behind a
//! residual call, nor from the next iteration, nor from another section.

use crate::bounds::{IntBound, Relation, taught};
use crate::guards::Guard;
use crate::node::{Node, NodeId};
use crate::section::{Cx, Section};
use smallvec::{SmallVec, smallvec};
use verdigris_ops::{ClassId, DataOp, Ty};
use verdigris_trace::{Arg, Const, ExitId, Opcode};

/// Tests that are remembered; the oldest go first.
const MAX_TESTS: usize = 16;

/// What a guard tests of a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Test {
    /// Its class.
    Class(ClassId),
    /// That it is this constant.
    Value(Const),
    /// That it is in this interval.
    Within(IntBound),
    /// That it is not this integer.
    Not(i64),
    /// That it is less than another, as signed numbers.
    Less(NodeId),
}

/// A guard that has been emitted.
#[derive(Clone, Copy, Debug)]
struct Tested {
    /// Its number among the section's guards.
    guard: u32,
    subject: NodeId,
    test: Test,
}

/// The tests of the last guards.
#[derive(Clone, Default)]
pub(crate) struct Tests {
    list: Vec<Tested>,
}

impl Tests {
    /// What follows shall not fail at the guards so far.
    pub fn clear(&mut self) {
        self.list.clear();
    }
}

/// The operation that an earlier guard becomes.
enum Stricter {
    /// `guard_value` of the subject.
    Value(Const),
    /// This guard on a comparison of the subject.
    Compare(Opcode, DataOp, Arg),
}

impl Section {
    /// What a guard tests, if it is something that an earlier guard could test.
    pub fn test_of(&self, guard: Guard, args: &[NodeId]) -> Option<(NodeId, Test)> {
        match guard.opcode {
            Opcode::GuardClass => Some((args[0], Test::Class(guard.descr.class()))),
            Opcode::GuardValue => Some((args[0], Test::Value(self.nodes.as_const(args[1])?))),
            Opcode::GuardTrue | Opcode::GuardFalse => {
                let (data, operands) = self.nodes.def(args[0])?;
                let &[x, y] = operands else {
                    return match (guard.opcode, data) {
                        (Opcode::GuardTrue, DataOp::IntIsTrue)
                        | (Opcode::GuardFalse, DataOp::IntIsZero) => {
                            Some((operands[0], Test::Not(0)))
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

    fn comparison_test(&self, relation: Relation, x: NodeId, y: NodeId) -> Option<(NodeId, Test)> {
        let (x, y) = (self.nodes.find(x), self.nodes.find(y));
        match (self.nodes.as_const(x), self.nodes.as_const(y)) {
            (None, Some(Const::Int(c))) if relation == Relation::Ne => Some((x, Test::Not(c))),
            (Some(Const::Int(c)), None) if relation == Relation::Ne => Some((y, Test::Not(c))),
            (None, Some(Const::Int(c))) => Some((x, Test::Within(interval(relation, c)?))),
            (Some(Const::Int(c)), None) => {
                Some((y, Test::Within(interval(relation.swapped(), c)?)))
            }
            (None, None) if relation == Relation::Lt => Some((x, Test::Less(y))),
            (None, None) if relation == Relation::Gt => Some((y, Test::Less(x))),
            _ => None,
        }
    }

    /// A guard has been emitted.
    pub fn remember_test(&mut self, subject: NodeId, test: Test) {
        if self.tests.list.len() == MAX_TESTS {
            self.tests.list.remove(0);
        }
        let guard = self.guard_knowledge.len() as u32 - 1;
        self.tests.list.push(Tested {
            guard,
            subject,
            test,
        });
    }

    /// Makes an earlier guard test this too; false if none can.
    pub fn strengthen(&mut self, cx: &Cx<'_>, guard: Guard, args: &[NodeId]) -> bool {
        let Some((subject, test)) = self.test_of(guard, args) else {
            return false;
        };
        let subject = self.nodes.find(subject);
        for i in (0..self.tests.list.len()).rev() {
            let tested = self.tests.list[i];
            if self.nodes.find(tested.subject) != subject {
                continue;
            }
            let Some((stricter, both)) = self.stricter(cx, tested, test) else {
                continue;
            };
            if self.replace(tested.guard, subject, stricter) {
                match both {
                    Some(test) => self.tests.list[i].test = test,
                    None => drop(self.tests.list.remove(i)),
                }
                return true;
            }
        }
        false
    }

    /// The guard that implies an earlier test and a later one, and what it tests, if that can be
    /// made stricter still.
    fn stricter(
        &mut self,
        cx: &Cx<'_>,
        earlier: Tested,
        later: Test,
    ) -> Option<(Stricter, Option<Test>)> {
        match (earlier.test, later) {
            (Test::Class(class), Test::Value(c @ Const::Ref(object))) => {
                if object == 0 || cx.host.class_of(object) != Some(class) {
                    cov_mark::hit!(value_is_of_another_class);
                    return None;
                }
                Some((Stricter::Value(c), None))
            }
            (Test::Within(bound), Test::Value(c @ Const::Int(word))) => {
                bound.contains(word).then_some((Stricter::Value(c), None))
            }
            (Test::Not(other), Test::Value(c @ Const::Int(word))) => {
                (word != other).then_some((Stricter::Value(c), None))
            }
            (Test::Not(other), Test::Within(bound)) if !bound.contains(other) => {
                Some((within(bound)?, Some(later)))
            }
            (Test::Within(a), Test::Within(b)) => {
                let both = a.meet(b)?;
                Some((within(both)?, Some(Test::Within(both))))
            }
            (Test::Less(limit), Test::Within(IntBound::NATURAL))
            | (Test::Within(IntBound::NATURAL), Test::Less(limit)) => {
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

    /// Puts another test in the place of a guard, whose resume data stay; false if an operand does
    /// not exist there.
    fn replace(&mut self, guard: u32, subject: NodeId, stricter: Stricter) -> bool {
        let exit = Some(ExitId::from_u32(guard));
        let mut ops = self.out.ops().iter();
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
                let result = self.out.insert_def(at, Opcode::Data(data), &args, Ty::Int);
                self.origins.insert(at);
                at += 1;
                (opcode, smallvec![Arg::Ref(result)])
            }
            _ => {
                cov_mark::hit!(operand_is_defined_later);
                return false;
            }
        };
        self.out.replace_guard(at, opcode, &args);
        true
    }

    fn exists_before(&self, at: usize, val: Arg) -> bool {
        match val {
            Arg::Const(_) => true,
            Arg::Ref(v) => {
                let defined = self.out.ops().skip_to(at).iter();
                let mut defined = defined.flat_map(|op| op.definitions());
                defined.all(|d| d != v)
            }
        }
    }
}

/// The words that stand in this relation to a constant, if they are an interval and not all (or
/// none).
fn interval(relation: Relation, c: i64) -> Option<IntBound> {
    let is_interval = match relation {
        Relation::Lt | Relation::Le | Relation::Gt | Relation::Ge => true,
        Relation::UintLt | Relation::UintLe => c >= 0,
        _ => false,
    };
    let words = taught(relation, IntBound::TOP, IntBound::constant(c));
    (is_interval && words != IntBound::TOP).then_some(words)
}

/// A comparison that tests an interval: an open one, or one that starts at 0.
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
