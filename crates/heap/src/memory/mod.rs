//! Where heaps lie: reserved addresses with their cards, chunks of blocks, and runs of pages.

pub(crate) mod address_space;
pub(crate) mod chunk;
pub(crate) mod pages;
