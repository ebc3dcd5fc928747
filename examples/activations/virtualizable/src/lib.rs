//! An interpreter that recurses, and whose frames native functions may look at. In: programs. Out:
//! results. Invariant: `Room::top` is the frame of the function that runs; a frame holds the truth
//! whenever a native function looks.

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
