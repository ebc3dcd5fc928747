//! Loads and stores of array items at indices that are not constant: repeated loads and stores of
//! the same value are removed.

use crate::section::{Cx, Section};
use crate::state::node::NodeId;
use crate::state::variable_items::VariableItem;
use smallvec::SmallVec;
use verdigris_ops::{ClassId, DataOp};
use verdigris_trace::Descr;

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
        self.heap.variable_items.add(VariableItem {
            class,
            base,
            index,
            value,
        });
    }

    /// Forgets the items that a store at this index, or at any, may change.
    pub fn forget_variable(&mut self, class: ClassId, base: NodeId, index: Option<NodeId>) {
        let mut items = std::mem::take(&mut self.heap.variable_items);
        items.retain(|s| {
            s.class != class
                || !self.nodes.may_alias(s.base, base)
                || index.is_some_and(|i| !self.may_be_same_index(s.index, i))
        });
        self.heap.variable_items = items;
    }

    /// The known value of an item.
    pub fn known_item(&self, class: ClassId, base: NodeId, index: NodeId) -> Option<NodeId> {
        let (base, index) = (self.nodes.find(base), self.nodes.find(index));
        let same = |s: &&VariableItem| {
            s.class == class && self.nodes.find(s.base) == base && self.nodes.find(s.index) == index
        };
        let found = self.heap.variable_items.iter().find(same)?;
        Some(self.nodes.find(found.value))
    }

    /// Whether an item is known to hold this value already.
    pub fn holds(&self, class: ClassId, base: NodeId, index: NodeId, value: NodeId) -> bool {
        self.known_item(class, base, index).is_some_and(|known| {
            let constant = self.nodes.as_const(known);
            known == self.nodes.find(value)
                || constant.is_some() && constant == self.nodes.as_const(value)
        })
    }
}
