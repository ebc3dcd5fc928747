//! Threads with a native stack for deep guest recursion.

use std::panic::resume_unwind;
use std::thread::{Builder, scope};

/// The native stack of a language whose guest calls are native calls.
#[derive(Clone, Copy, Debug)]
pub struct NativeStack {
    /// The name of the thread.
    pub name: &'static str,
    /// Bytes for each guest call: a frame of the interpreter, of compiled code or of the blackhole.
    pub per_call: usize,
    /// Bytes besides those, for the system, the tracer and the compilers.
    pub base: usize,
}

impl NativeStack {
    /// Runs `f` on a thread whose stack has room for `max_depth` nested guest calls.
    ///
    /// # Errors
    /// If the system refuses a stack of this size.
    ///
    /// # Panics
    /// If `f` does.
    pub fn run<R: Send>(self, max_depth: i64, f: impl FnOnce() -> R + Send) -> Result<R, String> {
        let depth = usize::try_from(max_depth).unwrap_or(0);
        let size = depth
            .saturating_mul(self.per_call)
            .saturating_add(self.base);
        let thread = Builder::new().name(self.name.to_string()).stack_size(size);
        scope(|scope| {
            let handle = thread.spawn_scoped(scope, f).map_err(|error| {
                format!("no native stack of {size} bytes for {max_depth} calls within each other: {error}")
            })?;
            handle.join().or_else(|payload| resume_unwind(payload))
        })
    }
}
