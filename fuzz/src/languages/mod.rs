//! The languages. In: nothing. Out: a table of them. Invariant: each has a file here and a line in
//! [`ALL`], and is fuzzed, tested and replayed because of that alone.

mod frames;
mod globals;
mod lua;
mod objmodel;
mod stackvm;
mod text;
mod tla;
mod tlc;

pub use self::tlc::Tlc;

use crate::language::Language;
use std::fmt::Display;
use verdigris::Vm;
use verdigris_testing::{Outcome, Run};

/// All languages.
pub const ALL: &[&dyn Language] = &[
    &Tlc,
    &tla::Tla,
    &objmodel::ObjModel,
    &stackvm::StackVm,
    &frames::Frames,
    &globals::Globals,
    &lua::Lua,
];

/// What a VM did, which was entered with the result `entered`: output and error, or why it was
/// left.
fn run_of(vm: &Vm, entered: Result<(String, Option<String>), impl Display>) -> Run {
    let (output, error) = match entered {
        Ok(done) => done,
        Err(stopped) => (String::new(), Some(stopped.to_string())),
    };
    Run {
        outcome: Outcome { output, error },
        stats: vm.stats(),
        traces: vm.traces(),
    }
}
