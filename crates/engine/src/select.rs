//! The one place that knows which backends exist. In: a name. Out: a [`Backend`].

use std::fmt;
use verdigris_backend::{Backend, BackendError, Oracle};

/// Who compiles and runs traces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BackendKind {
    /// Machine code, by Cranelift.
    #[cfg(feature = "cranelift")]
    Cranelift,
    /// Machine code, by our own compiler for x86-64.
    #[cfg(all(feature = "x64", target_arch = "x86_64"))]
    X64,
    /// The interpreting backend, which is the oracle for the others.
    Oracle,
}

impl Default for BackendKind {
    #[cfg(feature = "cranelift")]
    fn default() -> BackendKind {
        BackendKind::Cranelift
    }

    #[cfg(not(feature = "cranelift"))]
    fn default() -> BackendKind {
        BackendKind::Oracle
    }
}

impl fmt::Display for BackendKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            #[cfg(feature = "cranelift")]
            BackendKind::Cranelift => "cranelift",
            #[cfg(all(feature = "x64", target_arch = "x86_64"))]
            BackendKind::X64 => "x64",
            BackendKind::Oracle => "oracle",
        })
    }
}

impl BackendKind {
    /// The accepted names, for messages.
    pub(crate) const NAMES: &'static str = match (
        cfg!(feature = "cranelift"),
        cfg!(all(feature = "x64", target_arch = "x86_64")),
    ) {
        (true, true) => "cranelift, x64 or oracle",
        (true, false) => "cranelift or oracle",
        (false, true) => "x64 or oracle",
        (false, false) => "oracle",
    };

    /// The backend with this name.
    ///
    /// # Errors
    /// If there is none in this build.
    pub(crate) fn parse(name: &str) -> Result<BackendKind, String> {
        match name {
            #[cfg(feature = "cranelift")]
            "cranelift" => Ok(BackendKind::Cranelift),
            #[cfg(all(feature = "x64", target_arch = "x86_64"))]
            "x64" => Ok(BackendKind::X64),
            "oracle" => Ok(BackendKind::Oracle),
            _ => Err("there is no such backend in this build".to_string()),
        }
    }

    /// A fresh backend.
    ///
    /// # Errors
    /// If it does not work on this machine.
    pub(crate) fn create(self) -> Result<Box<dyn Backend>, BackendError> {
        match self {
            #[cfg(feature = "cranelift")]
            BackendKind::Cranelift => Ok(Box::new(verdigris_cranelift::Cranelift::new()?)),
            #[cfg(all(feature = "x64", target_arch = "x86_64"))]
            BackendKind::X64 => Ok(Box::new(verdigris_x64::X64::new()?)),
            BackendKind::Oracle => Ok(Box::new(Oracle::new())),
        }
    }
}
