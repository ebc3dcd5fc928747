//! An interpreter that recurses. In: programs. Out: results. Invariant: a guest call is a Rust call
//! of the portal; its registers are an array of its own, which no other activation sees.

#![forbid(unsafe_code)]

mod frame;
#[path = "../../common/machine.rs"]
mod machine;
#[path = "../../common/native.rs"]
mod native;
#[path = "../../common/program.rs"]
mod program;
#[path = "../../common/step.rs"]
mod step;

pub use machine::{machine, run};
pub use native::Native;
pub use program::op;

verdigris::include_jit!();
