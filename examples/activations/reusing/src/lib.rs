//! An interpreter that recurses, and uses the registers of calls that have ended again. In:
//! programs. Out: results. Invariant: as that of the one which recurses; registers that wait for a
//! call hold nil.

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
