//! Known array items at indices that are not constant.
//!
//! They are known within one section only: a loop's next iteration usually looks elsewhere.

use super::node::NodeId;
use verdigris_ops::ClassId;

/// Items that are remembered; the oldest go first.
const MAX_ITEMS: usize = 32;

/// An item of an array of this class, and its value.
#[derive(Clone, Copy)]
pub(crate) struct VariableItem {
    pub class: ClassId,
    pub base: NodeId,
    pub index: NodeId,
    pub value: NodeId,
}

/// The items that the last loads and stores have accessed.
#[derive(Clone, Default)]
pub(crate) struct VariableItems(Vec<VariableItem>);

impl VariableItems {
    /// Forgets the items of the classes for which `changed` holds.
    pub fn forget(&mut self, changed: impl Fn(ClassId) -> bool) {
        self.0.retain(|item| !changed(item.class));
    }

    /// Adds an item.
    pub fn add(&mut self, item: VariableItem) {
        if self.0.len() == MAX_ITEMS {
            self.0.remove(0);
        }
        self.0.push(item);
    }

    /// Keeps the items for which `keep` holds.
    pub fn retain(&mut self, keep: impl FnMut(&VariableItem) -> bool) {
        self.0.retain(keep);
    }

    /// All items, oldest first.
    pub fn iter(&self) -> impl Iterator<Item = &VariableItem> {
        self.0.iter()
    }
}
