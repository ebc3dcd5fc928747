//! The front end: reads the interpreter's source, and checks the part of it that the JIT can look inside.
//!
//! In: the root file of a crate that rustc accepts (or soon will). Out: [`tast::Program`], everything reachable from the
//! `#[portal]` function, typed and resolved; or [`Diagnostics`], all mistakes with their places and the way out.
//! Invariants: code that the portal does not reach is never judged; no input makes the front end panic.

#![forbid(unsafe_code)]

mod adt;
mod arithmetic;
mod callee;
mod callees;
mod cfg;
mod check;
mod classes;
mod collect;
mod compare;
mod consteval;
mod construn;
mod cover;
mod cx;
mod declared;
mod diag;
mod effects;
mod exhaust;
mod expand;
mod finish;
mod finish_pat;
mod foreign;
mod generic_args;
mod generics;
mod hidden;
mod hir;
mod infer;
mod instances;
mod items;
mod known_names;
pub mod layout;
mod library;
mod load;
mod lower_sig;
mod lower_ty;
mod macro_paths;
mod named;
mod names;
mod objects;
mod off_heap;
mod parts;
mod places;
mod plain;
mod pointers;
mod print;
mod program;
mod recursion;
mod resolve;
mod sabotage;
mod scalars;
mod signatures;
mod sources;
mod substs;
mod support;
mod syntax;
mod targets;
pub mod tast;
mod texts;
mod traits;
mod ty;

pub use callee::Callee;
pub use callees::{Origin, Resolved};
pub use cfg::Cfg;
pub use cover::{Cover, covers};
pub use diag::{Code, Diagnostic, Diagnostics};
pub use print::print;
pub use program::{
    callees, callees_of_source, check_configured, check_crate, check_source, explain_effects,
    explain_effects_of_source,
};
pub use sabotage::Sabotage;
