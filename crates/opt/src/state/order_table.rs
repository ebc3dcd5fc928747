//! A bounded table of differences `low - high <= by`, as numbers without wrapping.

use super::node::NodeId;
use crate::bounds::Needs;

/// Entries of the table; the oldest go first.
const MAX_ORDERS: usize = 48;

/// `low - high <= by`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Order {
    pub low: NodeId,
    pub high: NodeId,
    pub by: i64,
    pub reason: OrderReason,
}

/// The reason for an order.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct OrderReason {
    /// A fact of the label.
    pub fact: Option<u32>,
    /// The label's bounds.
    pub needs: Needs,
}

/// Known orders.
#[derive(Clone, Default)]
pub(crate) struct OrderTable {
    table: Vec<Order>,
    /// Where the next entry goes once the table is full.
    next: usize,
}

impl OrderTable {
    /// Adds an order.
    pub fn add(&mut self, order: Order) {
        if self.table.len() < MAX_ORDERS {
            self.table.push(order);
            return;
        }
        self.table[self.next] = order;
        self.next = (self.next + 1) % MAX_ORDERS;
    }

    /// The `n`-th order.
    pub fn get(&self, n: usize) -> Option<Order> {
        self.table.get(n).copied()
    }
}
