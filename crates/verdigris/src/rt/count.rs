//! Counts the operations of guest programs that the interpreter executes: the merge points that
//! native code passes on this thread. Without the feature `count` the call is nothing, so that only
//! tests pay for it.
//!
//! Compiled code, the tracer and the blackhole are not counted. A run without the JIT executes all
//! of a program here.

#[cfg(feature = "count")]
thread_local! {
    static OPERATIONS: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

/// A merge point is passed.
#[inline(always)]
pub fn count_operation() {
    #[cfg(feature = "count")]
    OPERATIONS.set(OPERATIONS.get().wrapping_add(1));
}

/// How many merge points interpreters have passed on this thread: operations of guest programs,
/// where each has a merge point.
#[cfg(feature = "count")]
pub fn operations() -> u64 {
    OPERATIONS.get()
}
