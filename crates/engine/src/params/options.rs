//! The options of a VM, and what the environment says of them.

use crate::observe::hooks::SharedHooks;
use crate::params::jit_params::{JitParams, ParamError};
use crate::params::profiling::Profiling;
use std::env::VarError;
use std::path::PathBuf;
use verdigris_heap::HeapOptions;

macro_rules! options {
    ($( $(#[$doc:meta])* $name:ident: $ty:ty, )*) => {
        /// Everything a VM can be told when it is made.
        ///
        /// ```
        /// # use verdigris_engine::Options;
        /// # fn options() -> Result<Options, verdigris_engine::ParamError> {
        /// Ok(Options::parse("threshold=7")?.keep_places(true).native_stack(1 << 20))
        /// # }
        /// ```
        #[derive(Clone, Debug, Default)]
        #[non_exhaustive]
        pub struct Options {
            $( $(#[$doc])* pub $name: $ty, )*
        }

        impl Options {
            $(
                #[doc = concat!("With [`Options::", stringify!($name), "`].")]
                #[must_use]
                pub fn $name(mut self, value: impl Into<$ty>) -> Options {
                    self.$name = value.into();
                    self
                }
            )*
        }
    };
}

options! {
    /// The JIT.
    jit: JitParams,
    /// The heap.
    heap: HeapOptions,
    /// What to log: `stage,stage[:FILE]`, as the environment variable `VERDIGRIS_LOG` has it.
    log: Option<String>,
    /// The file to record what the JIT decides in, for `verdigris replay`.
    record: Option<PathBuf>,
    /// Bytes of the native stack that guest code may use. `None`: all that the thread has.
    native_stack: Option<usize>,
    /// Bytes of the native stack that each coroutine gets, of which it costs what it touches.
    /// `None`: 8 MB.
    coroutine_stack: Option<usize>,
    /// Whether the VM keeps the text of every trace it compiles, for [`crate::Vm::traces`].
    keep_traces: bool,
    /// Whether the VM notes what it makes and gives up by place, for [`crate::Stats::locations`]
    /// and [`crate::Stats::given_up`].
    keep_places: bool,
    /// Whether the VM notes why the guest program is slow, for [`crate::Vm::explain`].
    explain: bool,
    /// The file that a report of why the guest program is slow is added to when the VM is dropped,
    /// as a line. VMs of one process that name the same file share it; the first one empties it.
    explain_file: Option<PathBuf>,
    /// How the VM notes where the time of the guest program goes, for [`crate::Vm::profile`], if it
    /// does. One VM of a process can at a time.
    profile: Option<Profiling>,
    /// What is called when the JIT has done something.
    hooks: Option<SharedHooks>,
    /// Gives the seconds that phases are measured with, as processor time; it must never go
    /// backwards. It is asked at every entry and exit of compiled code, so one that takes a system
    /// call makes programs slower. `None`: the thread's processor time.
    clock: Option<fn() -> f64>,
}

impl Options {
    /// Options with parameters from a text, everything else by default.
    ///
    /// # Errors
    /// As [`JitParams::parse`].
    pub fn parse(text: &str) -> Result<Options, ParamError> {
        Ok(Options::default().jit(JitParams::parse(text)?))
    }

    /// The default options with what the environment says: [`Options::with_env`].
    ///
    /// # Errors
    /// If a variable makes no sense.
    pub fn from_env() -> Result<Options, ParamError> {
        Options::default().with_env()
    }

    /// These options, changed by the environment. For a language's command, so that tools which
    /// start it can observe it without knowing its own options; nothing else reads these variables.
    ///
    /// * `VERDIGRIS_JIT` sets parameters of the JIT, in place of what the program has chosen.
    /// * `VERDIGRIS_LOG`, `VERDIGRIS_RECORD` and `VERDIGRIS_EXPLAIN` are [`Options::log`],
    ///   [`Options::record`] and [`Options::explain_file`], unless the program has set them.
    ///
    /// # Errors
    /// If a variable makes no sense.
    pub fn with_env(mut self) -> Result<Options, ParamError> {
        if let Some(text) = text_of("VERDIGRIS_JIT")? {
            let set = self.jit.set_all(&text);
            set.map_err(|error| ParamError(format!("VERDIGRIS_JIT: {error}")))?;
        }
        if self.log.is_none() {
            self.log = text_of("VERDIGRIS_LOG")?;
        }
        self.record = (self.record).or_else(|| path_of("VERDIGRIS_RECORD"));
        self.explain_file = self.explain_file.or_else(|| path_of("VERDIGRIS_EXPLAIN"));
        Ok(self)
    }

    /// The heap's options with what the parameters override.
    pub(crate) fn heap_options(&self) -> HeapOptions {
        let mut heap = self.heap;
        heap.stress = self.jit.stress.unwrap_or(heap.stress);
        heap.limit = self.jit.heap_limit.unwrap_or(heap.limit);
        heap
    }
}

/// An environment variable, if it is set.
fn text_of(variable: &str) -> Result<Option<String>, ParamError> {
    match std::env::var(variable) {
        Ok(text) => Ok(Some(text)),
        Err(VarError::NotPresent) => Ok(None),
        Err(error) => Err(ParamError(format!("{variable}: {error}"))),
    }
}

/// The file that an environment variable names; none if it is not set, or empty.
fn path_of(variable: &str) -> Option<PathBuf> {
    let path = std::env::var_os(variable)?;
    (!path.is_empty()).then(|| path.into())
}
