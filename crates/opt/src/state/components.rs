//! Components of values whose tags are not known yet.

use super::node::NodeId;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use verdigris_trace::Const;

/// Which tags of a value use a component.
#[derive(Clone, Copy)]
pub(crate) struct ComponentUse {
    pub tag: NodeId,
    /// The tags, as bits.
    pub tags: u64,
    /// The label's facts that this rests on.
    pub facts: [Option<u32>; 2],
}

impl ComponentUse {
    /// Whether a value with this tag leaves the component zero.
    pub fn is_unused(&self, tag: Const) -> bool {
        matches!(tag, Const::Int(tag @ 0..64) if self.tags >> tag & 1 == 0)
    }
}

/// The components that belong to each tag.
#[derive(Clone, Default)]
pub(crate) struct Components(FxHashMap<NodeId, SmallVec<[(NodeId, ComponentUse); 4]>>);

impl Components {
    /// Adds a component.
    pub fn add(&mut self, component: NodeId, by: ComponentUse) {
        self.0.entry(by.tag).or_default().push((component, by));
    }

    /// Removes and returns the components of a tag.
    pub fn take(&mut self, tag: NodeId) -> SmallVec<[(NodeId, ComponentUse); 4]> {
        self.0.remove(&tag).unwrap_or_default()
    }
}
