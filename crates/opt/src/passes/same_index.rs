//! Which array indices may be equal.
//!
//! Two indices differ if they are sums of one value and different constants (integers wrap, so this
//! holds whatever the value is), or if their bounds have no number in common. So the operands of a
//! stack, at `base + 1` and `base + 2`, do not hide one another.

use crate::bounds::{IntBound, Range, Relation};
use crate::sabotage::Sabotage;
use crate::section::Section;
use crate::state::index_sums::IndexSum;
use crate::state::node::{NodeId, Nodes};
use verdigris_ops::DataOp;
use verdigris_trace::Const;

/// How many sums are looked through.
const MAX_SUMS: usize = 8;

impl Section {
    /// Learns a sum from a fact of the label.
    pub fn learn_sum(&mut self, args: &[NodeId], result: NodeId, fact: u32) {
        for (value, constant) in [(args[0], args[1]), (args[1], args[0])] {
            if let Some(Const::Int(constant)) = self.nodes.as_const(constant) {
                let (value, result) = (self.nodes.find(value), self.nodes.find(result));
                let sum = IndexSum {
                    value,
                    constant,
                    fact,
                };
                self.relations.sums.add(result, sum);
            }
        }
    }

    /// Whether two indices may be the same.
    pub fn may_be_same_index(&self, a: NodeId, b: NodeId) -> bool {
        if Sabotage::ForgetIndex.is_on() {
            return self.nodes.find(a) == self.nodes.find(b);
        }
        let ((x, c), (y, d)) = (self.as_sum(a), self.as_sum(b));
        match x == y {
            true => c == d,
            false => !self.nodes.are_apart(a, b),
        }
    }

    /// An index as a value and the constant added to it.
    fn as_sum(&self, index: NodeId) -> (NodeId, i64) {
        let (mut value, mut constant) = (self.nodes.find(index), 0_i64);
        // The rules of algebra do not combine sums that were checked for overflow.
        for _ in 0..MAX_SUMS {
            let Some((x, c)) = self.sum_of(value) else {
                break;
            };
            value = self.nodes.find(x);
            constant = constant.wrapping_add(c);
        }
        (value, constant)
    }

    /// The value and the constant whose sum a value is.
    fn sum_of(&self, value: NodeId) -> Option<(NodeId, i64)> {
        if let Some((DataOp::IntAdd, &[x, y])) = self.nodes.def(value)
            && let Some(Const::Int(constant)) = self.nodes.as_const(y)
        {
            return Some((x, constant));
        }
        // An unused fact is not worth a demand on every jump to the label.
        let sum = self.relations.sums.get(value)?;
        self.facts.used[sum.fact as usize].then_some((sum.value, sum.constant))
    }
}

impl Nodes {
    /// Whether bounds say that two integers differ.
    fn are_apart(&self, a: NodeId, b: NodeId) -> bool {
        let (a, b) = (self.range(a), self.range(b));
        let differ =
            |of: fn(&Range) -> IntBound| Relation::Ne.decided(of(&a), of(&b)) == Some(true);
        if differ(|r| r.sure) {
            return true;
        }
        let differ = differ(|r| r.assumed);
        if differ {
            self.rely_on(a.needs.and(b.needs));
        }
        differ
    }
}
