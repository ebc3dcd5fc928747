//! One register language and five interpreters of it, which differ in nothing but where frames are.
//! In: a program, an alternative, and how often the program turns. Out: its result. Invariant: a
//! program knows nothing of the alternatives, and computes the same in all of them.
//!
//! What they cost is measured by `bench -- activations`, and said in
//! `docs/book/src/reference/frame.md`.

#![forbid(unsafe_code)]

mod programs;

pub use activations_recursive::Native;
pub use programs::{Function, PROGRAMS, Program, Text};
use verdigris::{Options, Vm, VmError};

/// Where frames are.
pub struct Layout {
    pub name: &'static str,
    machine: fn(Options) -> Result<Vm, VmError>,
    run: fn(&Vm, Text, usize, Native, i64) -> Result<String, String>,
}

/// The alternatives.
pub static LAYOUTS: [Layout; 5] = [
    Layout {
        name: "recursive",
        machine: activations_recursive::machine,
        run: activations_recursive::run,
    },
    Layout {
        name: "reusing",
        machine: activations_reusing::machine,
        run: activations_reusing::run,
    },
    Layout {
        name: "heap",
        machine: activations_heap::machine,
        run: activations_heap::run,
    },
    Layout {
        name: "virtualizable",
        machine: activations_virtualizable::machine,
        run: activations_virtualizable::run,
    },
    Layout {
        name: "shared stack",
        machine: activations_shared::machine,
        run: activations_shared::run,
    },
];

/// How many calls can be within each other on the native stack of [`on_stack`].
pub const MAX_DEPTH: usize = 6_000;

/// Bytes of native stack for each call that can be within others, in the alternatives that recurse,
/// and for everything else.
const STACK_PER_CALL: usize = 8 << 10;
const STACK_BASE: usize = 16 << 20;

impl Layout {
    /// A VM for the language.
    ///
    /// # Errors
    /// If the options make no sense; see [`Vm::new`].
    pub fn machine(&self, options: Options) -> Result<Vm, VmError> {
        (self.machine)(options)
    }

    /// Runs a program in which at most this many calls are within each other.
    ///
    /// # Errors
    /// The fault that it ends with.
    pub fn run(
        &self,
        vm: &Vm,
        text: Text,
        max_depth: usize,
        native: Native,
        arg: i64,
    ) -> Result<String, String> {
        (self.run)(vm, text, max_depth, native, arg)
    }
}

/// Runs `f` on a thread whose stack has room for [`MAX_DEPTH`] calls within each other.
///
/// # Panics
/// If `f` does, or there is no such stack.
pub fn on_stack<R: Send>(f: impl FnOnce() -> R + Send) -> R {
    let thread = std::thread::Builder::new().stack_size(MAX_DEPTH * STACK_PER_CALL + STACK_BASE);
    std::thread::scope(|scope| {
        let started = thread.spawn_scoped(scope, f).expect("a native stack");
        let result = started.join();
        result.unwrap_or_else(|payload| std::panic::resume_unwind(payload))
    })
}
