//! Items at indices that are not constant: what the last load or store of them has shown.
//!
//! In: loads and stores of items. Out: loads that need not be done again, and stores of what is
//! there already. Invariant: an entry's item holds the entry's value; a store that may change it,
//! or a call, removes it. Entries are known within one section only: a loop's next iteration
//! usually looks elsewhere.

use crate::node::NodeId;
use crate::section::{Cx, Section};
use smallvec::SmallVec;
use verdigris_ops::{ClassId, DataOp};
use verdigris_trace::Descr;

/// As many are remembered; the oldest go first.
const MAX_SCATTERED: usize = 32;

/// An item of an array of this class.
#[derive(Clone, Copy)]
struct VariableItem {
    class: ClassId,
    base: NodeId,
    index: NodeId,
    value: NodeId,
}

/// What is known of items at indices that are not constant.
#[derive(Clone, Default)]
pub(crate) struct VariableItems(Vec<VariableItem>);

impl VariableItems {
    /// Forgets the items of the classes for which `changed` holds.
    pub fn forget(&mut self, changed: impl Fn(ClassId) -> bool) {
        self.0.retain(|s| !changed(s.class));
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
        let list = &mut self.heap.variable_items.0;
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

    /// A store to an item, at any index if there is none here, changes what is known of those that
    /// it may be.
    pub fn forget_variable(&mut self, class: ClassId, base: NodeId, index: Option<NodeId>) {
        let mut items = std::mem::take(&mut self.heap.variable_items.0);
        items.retain(|s| {
            s.class != class
                || !self.nodes.may_alias(s.base, base)
                || index.is_some_and(|i| !self.may_be_same_index(s.index, i))
        });
        self.heap.variable_items.0 = items;
    }

    /// What is known of an item.
    pub fn known_item(&self, class: ClassId, base: NodeId, index: NodeId) -> Option<NodeId> {
        let (base, index) = (self.nodes.find(base), self.nodes.find(index));
        let same = |s: &&VariableItem| {
            s.class == class && self.nodes.find(s.base) == base && self.nodes.find(s.index) == index
        };
        let found = self.heap.variable_items.0.iter().find(same)?;
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
