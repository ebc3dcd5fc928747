//! The errors of making a virtual machine. Each says what to do.

use crate::observe::log::LogError;
use crate::params::ParamError;
use std::fmt;
use verdigris_backend::BackendError;
use verdigris_heap::LinkError;

/// Why a VM could not be made.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum VmError {
    /// The jitcode in the binary cannot be read.
    Unit(String),
    /// The translated interpreter and the compiled one do not fit together.
    Link(LinkError),
    /// The log cannot be written, or was asked for something it does not know.
    Log(LogError),
    /// The backend does not work on this machine.
    Backend(BackendError),
    /// A parameter that was set by hand makes no sense.
    Params(ParamError),
    /// The interpreter was to be specialised, but it does not know its instructions before the
    /// program runs: what the translator says of that.
    RedDispatch(&'static str),
    /// Profilers cannot be told of machine code.
    Inspect(String),
    /// What the JIT decides cannot be recorded.
    Record(String),
    /// The guest program cannot be profiled.
    Profile(String),
}

impl fmt::Display for VmError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            VmError::Unit(error) => write!(
                f,
                "the jitcode in this program cannot be read ({error}): rebuild it from scratch"
            ),
            VmError::Link(error) => error.fmt(f),
            VmError::Log(error) => error.fmt(f),
            VmError::Backend(error) => write!(f, "the backend does not work here: {}", error.0),
            VmError::Params(error) => error.fmt(f),
            VmError::RedDispatch(why) => write!(
                f,
                "this interpreter cannot be specialised: repair what the translator says of it, or leave it to `compiler=tracing`\n{why}"
            ),
            VmError::Inspect(error) | VmError::Record(error) | VmError::Profile(error) => {
                f.write_str(error)
            }
        }
    }
}

impl std::error::Error for VmError {}

impl From<LinkError> for VmError {
    fn from(error: LinkError) -> VmError {
        VmError::Link(error)
    }
}

impl From<LogError> for VmError {
    fn from(error: LogError) -> VmError {
        VmError::Log(error)
    }
}

impl From<ParamError> for VmError {
    fn from(error: ParamError) -> VmError {
        VmError::Params(error)
    }
}

impl From<BackendError> for VmError {
    fn from(error: BackendError) -> VmError {
        VmError::Backend(error)
    }
}
