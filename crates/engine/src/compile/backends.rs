//! The backends of this build. On x86-64, our own compiler is the default, and Cranelift a feature;
//! other processors have Cranelift. CIL is for Linux on x86-64, and works where Mono is installed.

use std::fmt;
use verdigris_backend::{Backend, BackendError, Oracle};
use verdigris_layered::Layered;

/// A backend: it compiles and runs traces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BackendKind {
    /// Machine code, by our own compiler for x86-64.
    #[cfg(target_arch = "x86_64")]
    X64,
    /// Machine code, by Cranelift.
    #[cfg(any(feature = "cranelift", not(target_arch = "x86_64")))]
    Cranelift,
    /// Methods that are never changed, which the strict host interprets.
    Layered,
    /// The same methods as CIL, which Mono compiles.
    #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
    Cil,
    /// The interpreting backend, the oracle for the others.
    Oracle,
}

impl Default for BackendKind {
    fn default() -> BackendKind {
        BackendKind::ALL[0]
    }
}

impl fmt::Display for BackendKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl BackendKind {
    /// The backends of this build. The default comes first, the oracle last.
    pub const ALL: &'static [BackendKind] = &[
        #[cfg(target_arch = "x86_64")]
        BackendKind::X64,
        #[cfg(any(feature = "cranelift", not(target_arch = "x86_64")))]
        BackendKind::Cranelift,
        BackendKind::Layered,
        #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
        BackendKind::Cil,
        BackendKind::Oracle,
    ];

    /// The accepted names, for messages.
    pub(crate) const NAMES: &'static str = match (
        cfg!(target_arch = "x86_64"),
        cfg!(target_os = "linux"),
        cfg!(feature = "cranelift"),
    ) {
        (true, true, true) => "x64, cranelift, layered, cil or oracle",
        (true, true, false) => "x64, layered, cil or oracle",
        (true, false, true) => "x64, cranelift, layered or oracle",
        (true, false, false) => "x64, layered or oracle",
        (false, ..) => "cranelift, layered or oracle",
    };

    /// The name in parameters and statistics.
    pub const fn name(self) -> &'static str {
        match self {
            #[cfg(target_arch = "x86_64")]
            BackendKind::X64 => "x64",
            #[cfg(any(feature = "cranelift", not(target_arch = "x86_64")))]
            BackendKind::Cranelift => "cranelift",
            BackendKind::Layered => "layered",
            #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
            BackendKind::Cil => "cil",
            BackendKind::Oracle => "oracle",
        }
    }

    /// Whether it makes machine code by itself, which can be listed and is known to debuggers.
    pub const fn makes_machine_code(self) -> bool {
        match self {
            #[cfg(target_arch = "x86_64")]
            BackendKind::X64 => true,
            #[cfg(any(feature = "cranelift", not(target_arch = "x86_64")))]
            BackendKind::Cranelift => true,
            _ => false,
        }
    }

    /// The backend with this name.
    ///
    /// # Errors
    /// If there is none in this build.
    pub fn parse(name: &str) -> Result<BackendKind, String> {
        let found = BackendKind::ALL.iter().find(|kind| kind.name() == name);
        let help = match name {
            "cranelift" => "; the feature `cranelift` of the package `verdigris-jit` adds it",
            _ => "",
        };
        let missing = || format!("there is no such backend in this build{help}");
        found.copied().ok_or_else(missing)
    }

    /// A new backend.
    ///
    /// # Errors
    ///
    /// If it does not work on this machine.
    pub fn create(self) -> Result<Box<dyn Backend>, BackendError> {
        match self {
            #[cfg(target_arch = "x86_64")]
            BackendKind::X64 => Ok(Box::new(verdigris_x64::X64::new()?)),
            #[cfg(any(feature = "cranelift", not(target_arch = "x86_64")))]
            BackendKind::Cranelift => Ok(Box::new(verdigris_cranelift::Cranelift::new()?)),
            BackendKind::Layered => Ok(Box::new(Layered::default())),
            #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
            BackendKind::Cil => Ok(Box::new(verdigris_cil::CilHost::backend()?)),
            BackendKind::Oracle => Ok(Box::new(Oracle::new())),
        }
    }
}
