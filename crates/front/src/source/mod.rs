//! Source files, and what can be said of them without knowing what names mean.
//!
//! In: paths. Out: syntax trees with places, diagnostics, conditions. Invariant: nothing here
//! depends on another part of the front end but for the places of the typed tree.

mod alternatives;
pub(crate) mod cfg;
pub(crate) mod diag;
pub(crate) mod extent;
pub(crate) mod known_names;
pub(crate) mod load;
pub(crate) mod syntax;
pub(crate) mod trip_count;
