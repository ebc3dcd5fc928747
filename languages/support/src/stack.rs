//! Threads with a native stack for deep guest recursion.

use rustix::process::{Resource, getrlimit};
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

/// Of the addresses that a process may have, a stack gets at most this part.
const PART_OF_ADDRESSES: u64 = 8;

impl NativeStack {
    /// For how many nested guest calls a stack may be that is no larger than an eighth of the
    /// addresses that the process is limited to (`ulimit -v`): `most` if it is not limited, and at
    /// least one.
    pub fn depth_within_limit(self, most: i64) -> i64 {
        let Some(addresses) = getrlimit(Resource::As).current else {
            return most;
        };
        let stack = addresses / PART_OF_ADDRESSES;
        let calls = stack.saturating_sub(self.base as u64) / (self.per_call as u64).max(1);
        most.min(i64::try_from(calls).unwrap_or(most)).max(1)
    }

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
