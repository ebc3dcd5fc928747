//! Items at indices that are not constant: what the last load or store of them has shown.
//!
//! In: loads and stores of items. Out: loads that need not be done again, and stores of what is there already.
//! Invariant: an entry's item holds the entry's value; a store that may change it, or a call, removes it. Two indices differ if
//! they are sums of one value and different constants (integers wrap, so this holds whatever the value is), or if their bounds have no number
//! in common: so the operands of a stack, at `base + 1` and `base + 2`, do not hide one another. Entries are known
//! within one section only: a loop's next iteration usually looks elsewhere.

use crate::bounds::{IntBound, Range, Relation};
use crate::node::{NodeId, Nodes};
use crate::sabotage::Sabotage;
use crate::section::{Cx, Section};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use verdigris_ops::{ClassId, DataOp};
use verdigris_trace::{Const, Descr};

/// As many are remembered; the oldest go first.
const MAX_SCATTERED: usize = 32;

/// As many sums are looked through.
const MAX_SUMS: usize = 8;

/// An item of an array of this class.
#[derive(Clone, Copy)]
struct VariableItem {
    class: ClassId,
    base: NodeId,
    index: NodeId,
    value: NodeId,
}

/// A value and a constant, whose sum another value is.
#[derive(Clone, Copy)]
struct Sum {
    value: NodeId,
    constant: i64,
    /// The fact of the label's state that says so.
    fact: u32,
}

/// What is known of items at indices that are not constant.
#[derive(Clone, Default)]
pub(crate) struct VariableItems {
    items: Vec<VariableItem>,
    /// The label's parameters that are sums. Their operations have been done elsewhere.
    sums: FxHashMap<NodeId, Sum>,
}

impl VariableItems {
    /// Forgets the items of the classes for which `changed` holds.
    pub fn forget(&mut self, changed: impl Fn(ClassId) -> bool) {
        self.items.retain(|s| !changed(s.class));
    }
}

impl Section {
    /// A fact of the label's state says what a sum gives.
    pub fn learn_sum(&mut self, args: &[NodeId], result: NodeId, fact: u32) {
        for (value, constant) in [(args[0], args[1]), (args[1], args[0])] {
            if let Some(Const::Int(constant)) = self.nodes.as_const(constant) {
                let (value, sum) = (self.nodes.find(value), self.nodes.find(result));
                let sums = &mut self.heap.variable_items.sums;
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
        let sum = self.heap.variable_items.sums.get(&value)?;
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

impl Section {
    /// A load of an item at an index that is not constant.
    pub fn load_variable(
        &mut self,
        cx: &mut Cx<'_>,
        data: DataOp,
        descr: Descr,
        args: SmallVec<[NodeId; 3]>,
    ) -> NodeId {
        let class = descr.class();
        if cx.passes.heap
            && let Some(known) = self.known_item(class, args[0], args[1])
        {
            return known;
        }
        self.flush_array(cx, class, args[0], Some(args[1]));
        let value = self.emit_load(cx, data, descr, &args);
        self.remember_variable(class, args[0], args[1], value);
        value
    }

    /// The item holds this value from now on.
    pub fn remember_variable(
        &mut self,
        class: ClassId,
        base: NodeId,
        index: NodeId,
        value: NodeId,
    ) {
        let list = &mut self.heap.variable_items.items;
        if list.len() == MAX_SCATTERED {
            list.remove(0);
        }
        list.push(VariableItem {
            class,
            base,
            index,
            value,
        });
    }

    /// A store to an item, at any index if there is none here, changes what is known of those that it may be.
    pub fn forget_variable(&mut self, class: ClassId, base: NodeId, index: Option<NodeId>) {
        let mut items = std::mem::take(&mut self.heap.variable_items.items);
        items.retain(|s| {
            s.class != class
                || !self.nodes.may_alias(s.base, base)
                || index.is_some_and(|i| !self.may_be_same_index(s.index, i))
        });
        self.heap.variable_items.items = items;
    }

    /// What is known of an item.
    pub fn known_item(&self, class: ClassId, base: NodeId, index: NodeId) -> Option<NodeId> {
        let (base, index) = (self.nodes.find(base), self.nodes.find(index));
        let same = |s: &&VariableItem| {
            s.class == class && self.nodes.find(s.base) == base && self.nodes.find(s.index) == index
        };
        let found = self.heap.variable_items.items.iter().find(same)?;
        Some(self.nodes.find(found.value))
    }

    /// Whether an item is known to have this value already.
    pub fn holds(&self, class: ClassId, base: NodeId, index: NodeId, value: NodeId) -> bool {
        self.known_item(class, base, index).is_some_and(|known| {
            let constant = self.nodes.as_const(known);
            known == self.nodes.find(value)
                || constant.is_some() && constant == self.nodes.as_const(value)
        })
    }
}
