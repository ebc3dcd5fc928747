//! When a place is hot, which compiler gets it, whether its code pays, and what is freed.

pub(crate) mod asides;
pub(crate) mod bridges;
pub(crate) mod budget;
pub(crate) mod code_gc;
pub(crate) mod compiler_choice;
pub(crate) mod counters;
pub(crate) mod megamorphic;
pub(crate) mod phase_clock;
pub(crate) mod profitability;
pub(crate) mod reasons;
pub(crate) mod shuffle_tiers;
pub(crate) mod ticks;
pub(crate) mod tiers;
