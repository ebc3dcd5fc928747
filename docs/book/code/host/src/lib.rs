//! What all steps of the tutorial share that is no part of an interpreter: a thread with a large
//! stack, and the text that a program prints. In: a VM, and what to run in it. Out: a [`Run`].
//! Invariant: no object of a VM's heap is in here.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

use std::cell::RefCell;
use verdigris::{KeptTrace, Options, Stats, Vm, VmError};

thread_local! {
    static PRINTED: RefCell<String> = const { RefCell::new(String::new()) };
}

/// The stack of a run: 8 kB for each of 2,000 calls within each other, and 16 MB beside. What is
/// not touched costs nothing.
const STACK: usize = 2_000 * 8 * 1024 + 16 * 1024 * 1024;

/// What a run of a program has come to.
#[derive(Debug, Default)]
pub struct Run {
    /// What it printed.
    pub output: String,
    /// Its error: the line and a message.
    pub error: Option<String>,
    /// What the JIT did.
    pub stats: Stats,
    /// What was compiled, if the options say that it is kept.
    pub traces: Vec<KeptTrace>,
}

/// Prints a line.
pub fn line(text: &str) {
    PRINTED.with_borrow_mut(|printed| {
        printed.push_str(text);
        printed.push('\n');
    });
}

// ANCHOR: run
/// Runs a program inside of a VM, on a thread of its own.
pub fn run(
    machine: fn(Options) -> Result<Vm, VmError>,
    options: Options,
    program: impl FnOnce() -> Result<(), String> + Send,
) -> Run {
    let here = || {
        let vm = match machine(options) {
            Ok(vm) => vm,
            Err(error) => return failed(error.to_string()),
        };
        let result = vm.try_enter(program);
        Run {
            output: PRINTED.take(),
            // If it was stopped, the heap or the native stack is used up.
            error: result
                .unwrap_or_else(|stopped| Err(stopped.to_string()))
                .err(),
            stats: vm.stats(),
            traces: vm.traces(),
        }
    };
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK);
        match thread.spawn_scoped(scope, here) {
            Ok(running) => running
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            Err(error) => failed(format!("there is no stack of {STACK} bytes: {error}")),
        }
    })
}
// ANCHOR_END: run

/// A run that has not begun.
pub fn failed(error: String) -> Run {
    Run {
        error: Some(error),
        ..Run::default()
    }
}
