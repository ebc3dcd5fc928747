//! The front end: reads the interpreter's source, and checks the part of it that the JIT can look
//! inside.
//!
//! In: the root file of a crate that rustc accepts (or soon will). Out: [`tast::TypedProgram`],
//! everything reachable from the `#[portal]` function, typed and resolved; or [`Diagnostics`], all
//! mistakes with their places and the way out. Invariants: code that the portal does not reach is
//! never judged; no input makes the front end panic.

#![forbid(unsafe_code)]

mod attribute_spans;
mod blame;
mod callee;
mod callees;
mod check;
mod collect;
mod constants;
mod cx;
mod effects;
mod expand;
mod glue;
mod items;
pub mod layout;
mod names;
mod off_heap;
mod print;
mod program;
mod recursion;
mod sabotage;
mod source;
mod std_model;
pub mod tast;
mod types;

pub use attribute_spans::{AttributeSpan, attribute_spans};
pub use callee::Callee;
pub use callees::{FuncOrigin, Resolved};
pub use print::print;
pub use program::{
    callees, callees_of_source, check_configured, check_crate, check_source,
    check_source_configured, explain_effects, explain_effects_of_source,
};
pub use sabotage::Sabotage;
pub use source::cfg::Cfg;
pub use source::diag::{DiagCode, Diagnostic, Diagnostics};
