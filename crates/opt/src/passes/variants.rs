//! What a value's tag says of its components: those that its variant does not use are zero
//! (`docs/book/src/decisions/0008`).
//!
//! Such components are neither loaded nor stored again, and no guard describes them.
//!
//! Invariant: a component is related to a tag only if both were in memory, or went there, as parts
//! of one value. So the relation holds wherever either has gone since, as long as the label's facts
//! hold that say where they were.

use crate::section::{Cx, Section};
use crate::state::components::ComponentUse;
use crate::state::node::{Node, NodeId};
use smallvec::SmallVec;
use verdigris_ops::{ClassId, DataOp, Descrs, FieldId, HeapSlot, Ty};
use verdigris_trace::{Const, Descr};

impl Section {
    /// The tag beside a component that is about to be loaded or stored, if its node is known.
    pub fn tag_beside(
        &self,
        cx: &Cx<'_>,
        data: DataOp,
        descr: Descr,
        args: &[NodeId],
    ) -> Option<ComponentUse> {
        use DataOp::*;
        // A word that its value does not use holds anything.
        if !cx.passes.heap || data.ret().or(data.params().last().copied()) == Some(Ty::Word) {
            return None;
        }
        let is_item = match data {
            GetFieldI | GetFieldR | GetFieldF | GetFieldW | SetFieldI | SetFieldR | SetFieldF
            | SetFieldW => false,
            ArrayLen => return None,
            _ => true,
        };
        let (tag, tags) = match is_item {
            true => tag_of_items(cx.descrs, descr.class())?,
            false => tag_of_field(cx.descrs, descr.field())?,
        };
        let (tag, fact) = if let Some(slot) = self.slot(data, tag, args) {
            let known = self.lookup_unmarked(slot, args[0])?;
            (known.value, known.fact)
        } else {
            let tag = self.known_item(tag.class(), args[0], args[1])?;
            (tag, None)
        };
        Some(ComponentUse {
            tag: self.nodes.find(tag),
            tags,
            facts: [fact, None],
        })
    }

    /// Whether the tag implies that a component is zero. If so, the caller relies on it.
    pub fn is_zero_by_tag(&mut self, by: ComponentUse) -> bool {
        let unused = self
            .nodes
            .as_const(by.tag)
            .is_some_and(|tag| by.is_unused(tag));
        if unused {
            self.rely_on_use(by);
        }
        unused
    }

    /// Relates a component to the tag with which it has been loaded or stored.
    pub fn relate_to_tag(&mut self, by: ComponentUse, component: NodeId) {
        let component = self.nodes.find(component);
        let open = |n| matches!(self.nodes.get(n), Node::Real(_));
        if open(by.tag) && open(component) {
            self.relations.components.add(component, by);
        }
    }

    /// Relates a component that a slot holds at the label to its tag in another slot of the object.
    pub fn relate_slot(
        &mut self,
        descrs: &Descrs,
        slot: HeapSlot,
        base: NodeId,
        component: NodeId,
        fact: Option<u32>,
    ) {
        let found = match slot {
            HeapSlot::Field(field) => {
                tag_of_field(descrs, field).map(|(tag, tags)| (HeapSlot::Field(tag.field()), tags))
            }
            HeapSlot::Item(class, index) => tag_of_items(descrs, class)
                .map(|(tag, tags)| (HeapSlot::Item(tag.class(), index), tags)),
        };
        if let Some((tag, tags)) = found
            && let Some(known) = self.lookup_unmarked(tag, base)
        {
            let tag = self.nodes.find(known.value);
            let facts = [known.fact, fact];
            self.relate_to_tag(ComponentUse { tag, tags, facts }, component);
        }
    }

    /// The components that are zero now that the tag is known to be this constant.
    pub fn unused_with(&mut self, tag: NodeId, constant: Const) -> SmallVec<[NodeId; 4]> {
        let related = self.relations.components.take(tag);
        let mut unused = SmallVec::new();
        for (component, by) in related {
            if by.is_unused(constant) {
                self.rely_on_use(by);
                unused.push(component);
            }
        }
        unused
    }

    fn rely_on_use(&mut self, by: ComponentUse) {
        by.facts
            .into_iter()
            .for_each(|fact| self.facts.rely_on(fact));
    }
}

fn tag_of_field(descrs: &Descrs, field: FieldId) -> Option<(Descr, u64)> {
    let used = descrs.used_fields.get(&field)?;
    Some((used.tag.into(), used.tags))
}

fn tag_of_items(descrs: &Descrs, class: ClassId) -> Option<(Descr, u64)> {
    let used = descrs.used_items.get(&class)?;
    Some((used.tag.into(), used.tags))
}
