//! Label parameters that are sums of another value and a constant, by a fact of the label.

use super::node::NodeId;
use rustc_hash::FxHashMap;

/// A value plus a constant.
#[derive(Clone, Copy)]
pub(crate) struct IndexSum {
    pub value: NodeId,
    pub constant: i64,
    /// The label's fact that says so.
    pub fact: u32,
}

/// The sums, by their result.
#[derive(Clone, Default)]
pub(crate) struct IndexSums(FxHashMap<NodeId, IndexSum>);

impl IndexSums {
    /// Adds a sum.
    pub fn add(&mut self, result: NodeId, sum: IndexSum) {
        self.0.insert(result, sum);
    }

    /// The sum that a value is.
    pub fn get(&self, value: NodeId) -> Option<IndexSum> {
        self.0.get(&value).copied()
    }
}
