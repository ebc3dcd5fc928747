//! The languages. In: nothing. Out: a table of them. Invariant: each has a file here and a line in [`ALL`], and is fuzzed, tested
//! and replayed because of that alone.

mod frames;
mod globals;
mod objmodel;
mod stackvm;
mod text;
mod tla;
mod tlc;

pub use self::tlc::Tlc;

use crate::language::Language;

/// All languages.
pub const ALL: &[&dyn Language] = &[
    &Tlc,
    &tla::Tla,
    &objmodel::ObjModel,
    &stackvm::StackVm,
    &frames::Frames,
    &globals::Globals,
];
