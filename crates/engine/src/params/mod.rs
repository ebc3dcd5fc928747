//! The parameters of a VM: those of the JIT, and everything else that it is told when it is made.

mod allowance;
mod compiler;
mod jit_params;
mod options;
mod profiling;
mod value;

pub use allowance::Allowance;
pub use compiler::{Compiler, LazyArms};
pub use jit_params::{JitParams, ParamError};
pub use options::Options;
pub use profiling::Profiling;
