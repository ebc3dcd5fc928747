//! Results that are known by bounds, and the bounds of loads.
//!
//! Invariant: code that decides by a bound which rests on the label's assumptions says so, because
//! only assumptions that were used are kept.

use crate::bounds::{IntBound, Range, Relation, unchanged};
use crate::section::{Cx, Section};
use crate::state::gather::gather;
use crate::state::node::NodeId;
use crate::state::pure_table::PureKey;
use smallvec::SmallVec;
use verdigris_ops::{DataOp, Descrs, Ty};
use verdigris_trace::{Descr, Opcode};

/// The bound of a load: lengths are not negative, and narrow places hold narrow integers.
pub(crate) fn of_load(descrs: &Descrs, data: DataOp, descr: Descr) -> IntBound {
    match data {
        DataOp::ArrayLen => IntBound::NATURAL,
        DataOp::GetFieldI => IntBound::of_layout(descrs.fields[descr.field()].layout),
        DataOp::GetItemI => IntBound::of_layout(descrs.item(descr.class()).1),
        _ => IntBound::TOP,
    }
}

impl Section {
    /// The range of an operation's result.
    pub fn result_range(&self, cx: &Cx<'_>, data: DataOp, args: &[NodeId]) -> Range {
        if !cx.passes.bounds {
            let boolean = data.gives_boolean();
            return Range::sure(if boolean {
                IntBound::BOOL
            } else {
                IntBound::TOP
            });
        }
        self.range_of(data, args)
    }

    /// The range of an operation's result.
    pub fn range_of(&self, data: DataOp, args: &[NodeId]) -> Range {
        match *args {
            [x] => Range::lift([self.nodes.range(x)], |a| IntBound::of_op(data, &a)),
            [x, y] => {
                let operands = [self.nodes.range(x), self.nodes.range(y)];
                Range::lift(operands, |a| IntBound::of_op(data, &a))
            }
            _ => Range::TOP,
        }
    }

    /// The node of a result with only one possible word, or that equals an operand.
    pub fn known_by_range(
        &mut self,
        data: DataOp,
        args: &[NodeId],
        range: Range,
    ) -> Option<NodeId> {
        if let Some(word) = range.assumed.as_word() {
            // A fact of the label that says the same is as good.
            if !range.needs.is_empty()
                && let Some(n) = self.known_result(&PureKey::data(data, args))
            {
                return Some(n);
            }
            self.nodes.rely_on(range.needs);
            return Some(self.constant(Ty::Int, word as u64));
        }
        let ranges: SmallVec<[Range; 2]> = gather(args.iter().map(|&n| self.nodes.range(n)));
        let pick = |of: fn(&Range) -> IntBound| {
            let bounds: SmallVec<[IntBound; 2]> = gather(ranges.iter().map(of));
            unchanged(data, &bounds)
        };
        let which = match pick(|r| r.sure) {
            Some(which) => which,
            None => {
                let which = pick(|r| r.assumed)?;
                ranges.iter().for_each(|r| self.nodes.rely_on(r.needs));
                which
            }
        };
        Some(self.nodes.find(args[which]))
    }

    /// The outcome of a comparison that the order of its operands decides, whatever they are.
    pub fn known_by_order(&mut self, data: DataOp, args: &[NodeId]) -> Option<bool> {
        let relation = Relation::of_op(data)?;
        let (x, y) = (args[0], args[1]);
        if self.nodes.as_const(x).is_some() || self.nodes.as_const(y).is_some() {
            // Orders with constants are bounds.
            return None;
        }
        if !relation.is_unsigned() {
            return self.order_decides(relation, x, y);
        }
        // For what is not negative, both orders are the same.
        let needs = self.nodes.natural(x)?.and(self.nodes.natural(y)?);
        let holds = self.order_decides(relation.signed(), x, y)?;
        self.nodes.rely_on(needs);
        Some(holds)
    }

    /// The result that bounds imply for an operation that the trace has not executed.
    pub fn implied(&mut self, key: &PureKey) -> Option<NodeId> {
        let Opcode::Data(data) = key.opcode else {
            return None;
        };
        if data.params() == [Ty::Word] && self.nodes.ty(key.args[0]) != Ty::Word {
            // A cast from a word, whose operand is that value here and not a word.
            let n = self.nodes.find(key.args[0]);
            return (Some(self.nodes.ty(n)) == data.ret()).then_some(n);
        }
        let range = self.range_of(data, &key.args);
        let word = range.assumed.as_word()?;
        self.nodes.rely_on(range.needs);
        Some(self.constant(Ty::Int, word as u64))
    }

    /// Learns from a result that has just been computed: its order among its operands, and that
    /// arithmetic which has been checked did not wrap.
    pub fn relate_result(&mut self, cx: &Cx<'_>, data: DataOp, args: &[NodeId], n: NodeId) {
        let check = match data {
            DataOp::IntAdd => DataOp::IntAddOverflows,
            DataOp::IntSub => DataOp::IntSubOverflows,
            DataOp::IntMul => DataOp::IntMulOverflows,
            _ => return,
        };
        if self.known_not_to_overflow(check, args) {
            self.learn_exact(cx.passes, check, args, n);
        }
        self.relate_sum(data, args, n);
    }

    fn known_not_to_overflow(&self, check: DataOp, args: &[NodeId]) -> bool {
        if args.iter().any(|&n| self.nodes.as_const(n).is_some()) {
            // The check taught a bound of the other operand.
            return false;
        }
        self.pure
            .get(&PureKey::data(check, args))
            .is_some_and(|e| e.fact.is_none() && self.nodes.is_zero(e.result))
    }
}
