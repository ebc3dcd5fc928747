//! What a value's tag says of its components: those that its variant does not use are zero
//! (`docs/book/src/decisions/0008`).
//!
//! In: loads and stores of components, and the tags that guards show. Out: components that are
//! constants: they need not be loaded, nor stored where they are already, and no guard describes
//! them. Invariant: a component is related to a tag only if both were in memory, or went there, as
//! parts of one value. So what is said of them holds wherever either has gone since, as long as the
//! facts of the label hold that say where they were.

use crate::node::{Node, NodeId};
use crate::section::{Cx, Section};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use verdigris_ops::{ClassId, DataOp, Descrs, FieldId, HeapSlot, Ty};
use verdigris_trace::{Const, Descr};

/// Which values of a tag use a component.
#[derive(Clone, Copy)]
pub(crate) struct Use {
    tag: NodeId,
    /// The tags, as bits.
    tags: u64,
    /// The facts of the label's state that this rests on.
    facts: [Option<u32>; 2],
}

/// The components of values whose tags are not known yet.
#[derive(Clone, Default)]
pub(crate) struct Components(FxHashMap<NodeId, SmallVec<[(NodeId, Use); 4]>>);

/// Whether a value with this tag leaves a component zero that these use.
fn is_unused(tags: u64, tag: Const) -> bool {
    matches!(tag, Const::Int(tag @ 0..64) if tags >> tag & 1 == 0)
}

impl Section {
    /// The tag of the value that a component belongs to which is about to be loaded or stored, if
    /// something is known of it.
    pub fn tag_beside(
        &self,
        cx: &Cx<'_>,
        data: DataOp,
        descr: Descr,
        args: &[NodeId],
    ) -> Option<Use> {
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
        let (tag, fact) = if let Some(place) = self.place(data, tag, args) {
            let known = self.lookup_unmarked(place, args[0])?;
            (known.value, known.fact)
        } else {
            let tag = self.known_item(tag.class(), args[0], args[1])?;
            (tag, None)
        };
        Some(Use {
            tag: self.nodes.find(tag),
            tags,
            facts: [fact, None],
        })
    }

    /// Whether a component with this use is known to be zero; then the caller relies on it.
    pub fn is_zero_by_tag(&mut self, by: Use) -> bool {
        let unused = self
            .nodes
            .as_const(by.tag)
            .is_some_and(|tag| is_unused(by.tags, tag));
        if unused {
            self.rely_on_use(by);
        }
        unused
    }

    /// A component has been loaded from the value with this tag, or goes where it goes.
    pub fn relate_to_tag(&mut self, by: Use, component: NodeId) {
        let component = self.nodes.find(component);
        let open = |n| matches!(self.nodes.get(n), Node::Real(_));
        if open(by.tag) && open(component) {
            self.components
                .0
                .entry(by.tag)
                .or_default()
                .push((component, by));
        }
    }

    /// A place holds a component when the label is entered: relates it to its tag, which another
    /// place of the object holds.
    pub fn relate_place(
        &mut self,
        descrs: &Descrs,
        place: HeapSlot,
        base: NodeId,
        component: NodeId,
        fact: Option<u32>,
    ) {
        let found = match place {
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
            self.relate_to_tag(Use { tag, tags, facts }, component);
        }
    }

    /// The components that the value with this tag leaves zero, once the tag is known to be this
    /// constant.
    pub fn unused_with(&mut self, tag: NodeId, constant: Const) -> SmallVec<[NodeId; 4]> {
        let related = self.components.0.remove(&tag).unwrap_or_default();
        let mut unused = SmallVec::new();
        for (component, by) in related {
            if is_unused(by.tags, constant) {
                self.rely_on_use(by);
                unused.push(component);
            }
        }
        unused
    }

    fn rely_on_use(&mut self, by: Use) {
        for fact in by.facts.into_iter().flatten() {
            self.used_facts[fact as usize] = true;
        }
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
