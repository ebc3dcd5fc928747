//! Comparisons that are decided by the order of their operands.
//!
//! What guards and additions show is a table of differences `low - high <= by`; the outcome of
//! another comparison is a bounded search for a path through them. Using an entry marks the facts
//! and bounds that it rests on as used.
//!
//! Source: a small form of "ABCD: Eliminating Array Bounds Checks on Demand" (2000), section 4.

use crate::bounds::{Needs, Relation, sum_is_exact};
use crate::section::Section;
use crate::state::node::NodeId;
use crate::state::order_table::{Order, OrderReason};
use verdigris_ops::DataOp;

/// Steps of a path.
const MAX_DEPTH: u32 = 4;

/// Differences that one search looks at.
const MAX_VISITS: u32 = 64;

/// The search for a path of differences.
struct Search<'a> {
    section: &'a mut Section,
    goal: NodeId,
    visits: u32,
}

impl Section {
    /// `x` stands in this (signed) relation to `y`.
    pub fn learn_order(&mut self, relation: Relation, x: NodeId, y: NodeId, reason: OrderReason) {
        let (x, y) = (self.nodes.find(x), self.nodes.find(y));
        if self.nodes.as_const(x).is_some() || self.nodes.as_const(y).is_some() {
            return;
        }
        let mut add = |low, high, by| {
            self.relations.orders.add(Order {
                low,
                high,
                by,
                reason,
            });
        };
        match relation {
            Relation::Lt => add(x, y, -1),
            Relation::Le => add(x, y, 0),
            Relation::Gt => add(y, x, -1),
            Relation::Ge => add(y, x, 0),
            Relation::Eq => {
                add(x, y, 0);
                add(y, x, 0);
            }
            _ => {}
        }
    }

    /// `n` is the sum of a variable and a constant: an order if it does not wrap. (What follows
    /// from `n`'s definition towards its operands is looked up there; this is the way back.)
    pub fn relate_sum(&mut self, data: DataOp, args: &[NodeId], n: NodeId) {
        if data != DataOp::IntAdd || self.nodes.as_const(args[1]).is_none() {
            return;
        }
        let (x, c) = (self.nodes.range(args[0]), self.nodes.range(args[1]));
        if !sum_is_exact(x.assumed, c.assumed) {
            return;
        }
        let needs = if sum_is_exact(x.sure, c.sure) {
            Needs::default()
        } else {
            x.needs
        };
        if let Some(by) = c.sure.lo.checked_neg() {
            let (low, high) = (self.nodes.find(args[0]), n);
            let reason = OrderReason { fact: None, needs };
            self.relations.orders.add(Order {
                low,
                high,
                by,
                reason,
            });
        }
    }

    /// Whether known orders decide a signed relation.
    pub fn order_decides(&mut self, relation: Relation, x: NodeId, y: NodeId) -> Option<bool> {
        let less = |s: &mut Section, x, y| s.differs_by(x, y, -1);
        let at_most = |s: &mut Section, x, y| s.differs_by(x, y, 0);
        match relation {
            Relation::Lt if less(self, x, y) => Some(true),
            Relation::Lt if at_most(self, y, x) => Some(false),
            Relation::Le if at_most(self, x, y) => Some(true),
            Relation::Le if less(self, y, x) => Some(false),
            Relation::Gt | Relation::Ge => self.order_decides(relation.swapped(), y, x),
            Relation::Eq if less(self, x, y) || less(self, y, x) => Some(false),
            Relation::Ne => self.order_decides(Relation::Eq, x, y).map(|equal| !equal),
            _ => None,
        }
    }

    /// Whether `x - y <= by` is known. Marks what that rests on as used.
    fn differs_by(&mut self, x: NodeId, y: NodeId, by: i128) -> bool {
        let (x, goal) = (self.nodes.find(x), self.nodes.find(y));
        let mut search = Search {
            section: self,
            goal,
            visits: 0,
        };
        search.reaches(x, by, MAX_DEPTH)
    }

    fn rely_on_reason(&mut self, reason: OrderReason) {
        self.nodes.rely_on(reason.needs);
        self.facts.rely_on(reason.fact);
    }
}

impl Search<'_> {
    /// Whether `x - goal <= by`, by a path of at most this many steps.
    fn reaches(&mut self, x: NodeId, by: i128, depth: u32) -> bool {
        if x == self.goal {
            return by >= 0;
        }
        self.visits += 1;
        if self.bounds_suffice(x, by) {
            return true;
        }
        if depth == 0 || self.visits > MAX_VISITS {
            return false;
        }
        self.through_definition(x, by, depth) || self.through_table(x, by, depth)
    }

    fn bounds_suffice(&mut self, x: NodeId, by: i128) -> bool {
        let nodes = &self.section.nodes;
        let (a, b) = (nodes.range(x), nodes.range(self.goal));
        let apart = |hi: i64, lo: i64| i128::from(hi) - i128::from(lo) <= by;
        if apart(a.sure.hi, b.sure.lo) {
            return true;
        }
        let assumed = apart(a.assumed.hi, b.assumed.lo);
        if assumed {
            nodes.rely_on(a.needs.and(b.needs));
        }
        assumed
    }

    fn through_table(&mut self, x: NodeId, by: i128, depth: u32) -> bool {
        let mut n = 0;
        while let Some(order) = self.section.relations.orders.get(n) {
            n += 1;
            if self.section.nodes.find(order.low) != x {
                continue;
            }
            let high = self.section.nodes.find(order.high);
            if self.reaches(high, by - i128::from(order.by), depth - 1) {
                self.section.rely_on_reason(order.reason);
                return true;
            }
        }
        false
    }

    /// Follows the definition of `x`, where the result is at most a known distance above an
    /// operand.
    fn through_definition(&mut self, x: NodeId, by: i128, depth: u32) -> bool {
        let Some((op, &[a, b])) = self.section.nodes.def(x) else {
            return false;
        };
        let (a, b) = (self.section.nodes.find(a), self.section.nodes.find(b));
        (0..2).any(|which| {
            let (operand, other) = if which == 0 { (a, b) } else { (b, a) };
            let Some((above, needs)) = self.distance(op, which, operand, other) else {
                return false;
            };
            let reaches = self.reaches(operand, by - above, depth - 1);
            if reaches {
                self.section.nodes.rely_on(needs);
            }
            reaches
        })
    }

    /// How far the result of an operation can lie above an operand, and the label's bounds that
    /// this rests on.
    fn distance(
        &self,
        op: DataOp,
        which: usize,
        operand: NodeId,
        other: NodeId,
    ) -> Option<(i128, Needs)> {
        let (x, y) = (
            self.section.nodes.range(operand),
            self.section.nodes.range(other),
        );
        let by_sign = |b: crate::bounds::IntBound, least| (b.lo >= least).then_some(0);
        let by_bounds = |x: crate::bounds::IntBound, y: crate::bounds::IntBound| match (op, which) {
            (DataOp::IntAdd, _) => sum_is_exact(x, y).then_some(i128::from(y.hi)),
            // `x - y` does not wrap for two naturals.
            (DataOp::IntSub, 0) if x.lo >= 0 && y.lo >= 0 => Some(-i128::from(y.lo)),
            (DataOp::IntAnd, _) => by_sign(x, 0),
            (DataOp::IntShr | DataOp::UintShr, 0) => by_sign(x, 0),
            (DataOp::IntDiv | DataOp::UintDiv, 0) => by_sign(x, 0).filter(|_| y.lo >= 1),
            (DataOp::IntRem | DataOp::UintRem, 0) => by_sign(x, 0),
            (DataOp::IntRem | DataOp::UintRem, _) => by_sign(x, 1).map(|_| -1),
            _ => None,
        };
        if let Some(above) = by_bounds(x.sure, y.sure) {
            return Some((above, Needs::default()));
        }
        let above = by_bounds(x.assumed, y.assumed)?;
        Some((above, x.needs.and(y.needs)))
    }
}
