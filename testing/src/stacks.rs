//! Threads with stacks of all sizes. The panic of a failed check is passed on.
//! Invariant: the check runs on a thread of its own for each size, with nothing on the stack but
//! what runs it.

use std::thread::{Builder, scope};

/// Bytes of stacks, from the smallest to the largest that is likely. On the
/// smallest, nothing is compiled.
pub const STACKS: &[usize] = &[
    64 << 10,
    96 << 10,
    128 << 10,
    256 << 10,
    1 << 20,
    8 << 20,
    64 << 20,
    1 << 30,
];

/// Runs a check on a thread with a stack of this many bytes.
///
/// # Panics
/// If the check does, or if the system does not give such a stack.
pub fn on_stack<R: Send>(bytes: usize, check: impl FnOnce() -> R + Send) -> R {
    let thread = Builder::new().name(format!("{} kB of stack", bytes >> 10));
    scope(|scope| {
        let started = thread.stack_size(bytes).spawn_scoped(scope, check);
        let handle = started.expect("the system gives a stack of this size");
        let result = handle.join();
        result.unwrap_or_else(|payload| std::panic::resume_unwind(payload))
    })
}
