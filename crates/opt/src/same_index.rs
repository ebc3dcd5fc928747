//! Which indices of arrays may be the same. In: two indices, what the label's facts say of sums,
//! bounds. Out: whether the indices may be equal. Invariant: what is said to differ differs on
//! every run that gets here. Two indices differ if they are sums of one value and different
//! constants (integers wrap, so this holds whatever the value is), or if their bounds have no
//! number in common: so the operands of a stack, at `base + 1` and `base + 2`, do not hide one
//! another.

use crate::bounds::{IntBound, Range, Relation};
use crate::node::{NodeId, Nodes};
use crate::sabotage::Sabotage;
use crate::section::Section;
use rustc_hash::FxHashMap;
use verdigris_ops::DataOp;
use verdigris_trace::Const;

/// As many sums are looked through.
const MAX_SUMS: usize = 8;

/// A value and a constant, whose sum another value is.
#[derive(Clone, Copy)]
struct Sum {
    value: NodeId,
    constant: i64,
    /// The fact of the label's state that says so.
    fact: u32,
}

/// The label's parameters that are sums. Their operations have been done elsewhere.
#[derive(Clone, Default)]
pub(crate) struct Sums(FxHashMap<NodeId, Sum>);

impl Section {
    /// A fact of the label's state says what a sum gives.
    pub fn learn_sum(&mut self, args: &[NodeId], result: NodeId, fact: u32) {
        for (value, constant) in [(args[0], args[1]), (args[1], args[0])] {
            if let Some(Const::Int(constant)) = self.nodes.as_const(constant) {
                let (value, sum) = (self.nodes.find(value), self.nodes.find(result));
                let sums = &mut self.heap.sums.0;
                sums.insert(
                    sum,
                    Sum {
                        value,
                        constant,
                        fact,
                    },
                );
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

    /// An index as a value and the constant that has been added to it.
    fn as_sum(&self, index: NodeId) -> (NodeId, i64) {
        let (mut value, mut constant) = (self.nodes.find(index), 0_i64);
        // What has been checked not to wrap is not added up by the rules of algebra.
        for _ in 0..MAX_SUMS {
            let Some((x, c)) = self.sum_of(value) else {
                break;
            };
            value = self.nodes.find(x);
            constant = constant.wrapping_add(c);
        }
        (value, constant)
    }

    /// The value and the constant that a value is the sum of, if it is one.
    fn sum_of(&self, value: NodeId) -> Option<(NodeId, i64)> {
        if let Some((DataOp::IntAdd, &[x, y])) = self.nodes.def(value)
            && let Some(Const::Int(constant)) = self.nodes.as_const(y)
        {
            return Some((x, constant));
        }
        // A fact that has not been used otherwise is not worth a demand on who jumps to the label.
        let sum = self.heap.sums.0.get(&value)?;
        self.used_facts[sum.fact as usize].then_some((sum.value, sum.constant))
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
