//! Threads with stacks of all sizes. The panic of a failed check is passed on.
//! Invariant: the check runs on a thread of its own for each size, with nothing on the stack but
//! what runs it.

use crate::settings::Setting;
use crate::turns::all_settings;
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

/// These settings with stacks: each with one size, so that eight neighbours have them all.
/// Neighbours are alike, and what a size is too small for does not depend on the rest.
pub fn with_stacks<'a>(settings: &[&'a Setting]) -> Vec<(&'a Setting, usize)> {
    let turn = if all_settings() { 1 } else { STACKS.len() };
    let of = |(number, &setting)| {
        let sizes = STACKS.iter().skip(number % turn).step_by(turn);
        sizes.map(move |&bytes| (setting, bytes))
    };
    settings.iter().enumerate().flat_map(of).collect()
}

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
