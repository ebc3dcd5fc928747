//! The front end: reads the interpreter's source, and checks the part of it that the JIT can look inside.
//!
//! In: the root file of a crate that rustc accepts (or soon will). Out: [`tast::Program`], everything reachable from the
//! `#[portal]` function, typed and resolved; or [`Diagnostics`], all mistakes with their places and the way out.
//! Invariants: code that the portal does not reach is never judged; no input makes the front end panic.

#![forbid(unsafe_code)]

mod callee;
mod callees;
mod check;
mod collect;
pub(crate) mod constants;
mod cover;
mod cx;
mod effects;
mod expand;
pub(crate) mod glue;
mod items;
pub mod layout;
pub(crate) mod names;
mod off_heap;
mod print;
mod program;
mod recursion;
mod sabotage;
pub(crate) mod source;
pub(crate) mod std_model;
pub mod tast;
pub(crate) mod types;

pub use crate::callee::Callee;
pub use crate::callees::Origin;
pub use crate::callees::Resolved;
pub use crate::cover::Cover;
pub use crate::cover::covers;
pub use crate::print::print;
pub use crate::program::callees;
pub use crate::program::callees_of_source;
pub use crate::program::check_configured;
pub use crate::program::check_crate;
pub use crate::program::check_source;
pub use crate::program::explain_effects;
pub use crate::program::explain_effects_of_source;
pub use crate::sabotage::Sabotage;
pub use crate::source::cfg::Cfg;
pub use crate::source::diag::Code;
pub use crate::source::diag::Diagnostic;
pub use crate::source::diag::Diagnostics;
