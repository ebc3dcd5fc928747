//! Where a path is, and the merge points that paths have come to.

pub(crate) mod frame;
pub(crate) mod history;
pub(crate) mod merge_places;
pub(crate) mod path;
