//! Decisions: when a place is hot, which compiler gets it, whether its code pays, what is freed.

pub(crate) mod code_gc;
pub(crate) mod compiler_choice;
pub(crate) mod counters;
pub(crate) mod meter;
pub(crate) mod profitability;
pub(crate) mod shuffle_tiers;
pub(crate) mod tiers;
