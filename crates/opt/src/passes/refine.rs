//! What a known result teaches about the operands that it was computed from.
//!
//! Everything learned follows from the guard and from what was known before it. Emitted values keep
//! their identity; only the knowledge of them changes.

use crate::bounds::{IntBound, Range, Relation, checked, exact, operand, taught};
use crate::passes::Passes;
use crate::section::Section;
use crate::state::node::{Node, NodeId};
use crate::state::op_symmetry;
use crate::state::order_table::OrderReason;
use crate::state::pure_table::PureKey;
use smallvec::{SmallVec, smallvec};
use verdigris_ops::{DataOp, Ty};
use verdigris_trace::{Const, Descr, Opcode};

/// How far back through definitions a guard teaches.
const MAX_DEPTH: u32 = 5;

/// Propagates what follows from one guard.
struct Refinement<'a> {
    section: &'a mut Section,
    passes: Passes,
}

impl Section {
    /// A guard has shown that `n` is this constant.
    pub fn learn(&mut self, passes: Passes, n: NodeId, c: Const) {
        self.refinement(passes).constant(n, c, MAX_DEPTH);
    }

    /// A guard has shown that `n` is in this range.
    pub fn learn_range(&mut self, passes: Passes, n: NodeId, range: Range) {
        self.refinement(passes).range(n, range, MAX_DEPTH);
    }

    /// The library promises that a word is at most another, as unsigned numbers. Returns the word.
    pub fn promised(&mut self, passes: Passes, args: &[NodeId]) -> NodeId {
        let (x, most) = (self.nodes.find(args[0]), self.nodes.find(args[1]));
        if passes.bounds && self.nodes.as_const(x).is_none() {
            self.refinement(passes)
                .comparison(Relation::UintLe, x, most, MAX_DEPTH);
        }
        self.nodes.find(x)
    }

    fn refinement(&mut self, passes: Passes) -> Refinement<'_> {
        Refinement {
            section: self,
            passes,
        }
    }

    /// Learns from a fact of the label about the result of an operation.
    pub fn learn_fact(&mut self, key: &PureKey, result: NodeId, fact: u32) {
        if key.opcode == Opcode::Data(DataOp::IntAdd) {
            self.learn_sum(&key.args, result, fact);
        }
        if let Opcode::Data(data) = key.opcode
            && let Some(relation) = Relation::of_op(data)
            && let Some(c) = self.nodes.as_const(result)
        {
            let known = if c.word() != 0 {
                relation
            } else {
                relation.opposite()
            };
            self.learn_relation(known, key.args[0], key.args[1], Some(fact));
        }
    }

    /// Enters the order that a relation means; an unsigned relation must be between non-negative
    /// integers.
    fn learn_relation(&mut self, relation: Relation, x: NodeId, y: NodeId, fact: Option<u32>) {
        let mut reason = OrderReason {
            fact,
            ..OrderReason::default()
        };
        if relation.is_unsigned() {
            let (Some(a), Some(b)) = (self.nodes.natural(x), self.nodes.natural(y)) else {
                return;
            };
            reason.needs = a.and(b);
        }
        self.learn_order(relation.signed(), x, y, reason);
    }

    /// Learns the range of arithmetic that is known not to overflow.
    pub fn learn_exact(&mut self, passes: Passes, check: DataOp, args: &[NodeId], n: NodeId) {
        let operands = [self.nodes.range(args[0]), self.nodes.range(args[1])];
        let range = Range::lift(operands, |[a, b]| exact(check, a, b));
        self.learn_range(passes, n, range);
    }
}

impl Refinement<'_> {
    fn constant(&mut self, n: NodeId, c: Const, depth: u32) {
        let nodes = &mut self.section.nodes;
        let n = nodes.find(n);
        let def = match nodes.get(n) {
            Node::Real(r) => r.def.clone(),
            _ => return,
        };
        let constant = nodes.constant(c);
        nodes.forward(n, constant);
        for component in self.section.unused_with(n, c) {
            let zero = Const::new(self.section.nodes.ty(component), 0);
            self.constant(component, zero, depth);
        }
        let Some((data, args)) = def else { return };
        self.outcome(data, &args, c.word() != 0, depth);
        if self.passes.bounds && data.ret() == Some(Ty::Int) {
            self.operands(data, &args, Range::sure(IntBound::of_const(c)), depth);
        }
    }

    fn range(&mut self, n: NodeId, more: Range, depth: u32) {
        let section = &mut *self.section;
        let Node::Real(r) = section.nodes.get(n) else {
            return;
        };
        let range = r.range.and(more);
        if range == r.range || r.ty != Ty::Int {
            return;
        }
        if let Some(word) = range.assumed.as_word() {
            section.nodes.rely_on(range.needs);
            return self.constant(n, Const::Int(word), depth);
        }
        let def = r.def.clone();
        let taught = section.guards.knowledge.len() as u32;
        section.refine(n, |r| {
            r.range = range;
            r.taught = taught;
        });
        if let Some((data, args)) = def {
            self.operands(data, &args, range, depth);
        }
    }

    /// Learns the ranges of operands from that of the result.
    fn operands(&mut self, data: DataOp, args: &[NodeId], result: Range, depth: u32) {
        if depth == 0 {
            return;
        }
        for (which, &n) in args.iter().enumerate() {
            let nodes = &self.section.nodes;
            if nodes.as_const(n).is_some() {
                continue;
            }
            let learned = match *args {
                [x] => Range::lift([nodes.range(x), result], |[x, r]| {
                    operand(data, which, &[x], r)
                }),
                [x, y] => Range::lift([nodes.range(x), nodes.range(y), result], |[x, y, r]| {
                    operand(data, which, &[x, y], r)
                }),
                _ => return,
            };
            self.range(n, learned, depth - 1);
        }
    }

    /// Learns from the outcome of a test.
    fn outcome(&mut self, data: DataOp, args: &[NodeId], holds: bool, depth: u32) {
        match (data, holds) {
            (DataOp::IntIsZero, true) | (DataOp::IntIsTrue, false) => {
                self.constant(args[0], Const::Int(0), depth);
            }
            (DataOp::IntIsZero, false) | (DataOp::IntIsTrue, true) => {
                if self.section.nodes.is_boolean(args[0]) {
                    self.constant(args[0], Const::Int(1), depth);
                } else if self.passes.bounds {
                    let zero = self.section.constant(Ty::Int, 0);
                    self.comparison(Relation::Ne, args[0], zero, depth);
                }
            }
            (DataOp::IntEq | DataOp::PtrEq, true) | (DataOp::IntNe | DataOp::PtrNe, false) => {
                let nodes = &self.section.nodes;
                match (nodes.as_const(args[0]), nodes.as_const(args[1])) {
                    (None, Some(c)) => self.constant(args[0], c, depth),
                    (Some(c), None) => self.constant(args[1], c, depth),
                    _ => {}
                }
            }
            (DataOp::PtrEq, false) | (DataOp::PtrNe, true) => {
                for (a, b) in [(args[0], args[1]), (args[1], args[0])] {
                    if self.section.nodes.as_const(b) == Some(Const::Ref(0)) {
                        self.section.refine(a, |r| r.nonnull = true);
                    }
                }
            }
            _ => {}
        }
        self.opposite(data, args, holds);
        if self.passes.bounds {
            match Relation::of_op(data) {
                Some(relation) if holds => self.comparison(relation, args[0], args[1], depth),
                Some(r) => self.comparison(r.opposite(), args[0], args[1], depth),
                None => self.overflow_check(data, args, holds, depth),
            }
        }
    }

    /// Enters the result of the opposite comparison.
    fn opposite(&mut self, data: DataOp, args: &[NodeId], holds: bool) {
        if let Some(opposite) = op_symmetry::opposite(data) {
            let result = self.section.constant(Ty::Int, u64::from(!holds));
            let key = PureKey::data(opposite, args);
            self.section.pure.insert(key, result, None);
        }
    }

    /// Learns the ranges of both sides of a comparison, and their order.
    fn comparison(&mut self, relation: Relation, x: NodeId, y: NodeId, depth: u32) {
        for (relation, n, other) in [(relation, x, y), (relation.swapped(), y, x)] {
            let sides = [self.section.nodes.range(n), self.section.nodes.range(other)];
            let learned = Range::lift(sides, |[a, b]| taught(relation, a, b));
            self.range(n, learned, depth);
        }
        self.section.learn_relation(relation, x, y, None);
    }

    /// Learns from an overflow check: the operands, and the result if it has been computed.
    fn overflow_check(&mut self, check: DataOp, args: &[NodeId], overflows: bool, depth: u32) {
        let data = match check {
            DataOp::IntAddOverflows => DataOp::IntAdd,
            DataOp::IntSubOverflows => DataOp::IntSub,
            DataOp::IntMulOverflows => DataOp::IntMul,
            _ => return,
        };
        for (which, &n) in args.iter().enumerate() {
            let nodes = &self.section.nodes;
            let operands = [nodes.range(args[0]), nodes.range(args[1])];
            let learned = Range::lift(operands, |a| checked(check, which, &a, overflows));
            self.range(n, learned, depth);
        }
        if !overflows && let Some(n) = self.section.computed(data, args) {
            self.section.learn_exact(self.passes, check, args, n);
        }
    }
}

impl Section {
    /// The value of an operation that this section has executed.
    fn computed(&mut self, data: DataOp, args: &[NodeId]) -> Option<NodeId> {
        let (mut data, mut args) = (data, SmallVec::<[NodeId; 3]>::from_slice(args));
        if let (DataOp::IntSub, Some(c)) = (data, self.nodes.as_const(args[1])) {
            // The simplified form.
            let minus = self.constant(Ty::Int, c.word().wrapping_neg());
            (data, args) = (DataOp::IntAdd, smallvec![args[0], minus]);
        }
        let key = PureKey {
            opcode: Opcode::Data(data),
            descr: Descr::None,
            args,
        };
        let entry = self.pure.get(&key)?;
        entry.fact.is_none().then_some(entry.result)
    }
}
