//! The specialiser's tables: paths, frames, merge points, and the history across traces.

pub(crate) mod frame;
pub(crate) mod history;
pub(crate) mod meetings;
pub(crate) mod merge_key;
pub(crate) mod merge_places;
pub(crate) mod path;
