//! How values and objects look: as words, as components, in memory, and to the collector.

pub(crate) mod borrow;
pub(crate) mod descr;
pub(crate) mod parts;
pub(crate) mod parts_layout;
pub(crate) mod refs;
pub(crate) mod stored;
pub(crate) mod value;
pub(crate) mod word;
