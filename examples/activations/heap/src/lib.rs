//! An interpreter whose frames are on the heap. In: programs. Out: results. Invariant: there is one
//! activation of the portal; a frame is an object that knows its caller.

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
