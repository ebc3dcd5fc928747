//! Traces that are built and not recorded: the specialiser's interface to the optimiser.

pub(crate) mod open_section;
pub(crate) mod trace_builder;
