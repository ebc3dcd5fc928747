//! Where heaps lie: reserved addresses with their cards, chunks of blocks, and runs of pages; and
//! the reserve of what lies elsewhere.

pub(crate) mod address_space;
pub(crate) mod chunk;
pub(crate) mod pages;
pub(crate) mod reserve;
