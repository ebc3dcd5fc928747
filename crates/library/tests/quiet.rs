//! Panics that are part of a test, which need not be shown. Those of other threads are, since other
//! tests run beside.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

thread_local! {
    /// Whether a panic of this thread would be part of its test.
    static EXPECTED: Cell<bool> = const { Cell::new(false) };
}

/// Calls a function that may panic, silently.
pub fn attempt<R>(f: impl FnOnce() -> R) -> std::thread::Result<R> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let shown = take_hook();
        set_hook(Box::new(move |info| {
            if !EXPECTED.get() {
                shown(info);
            }
        }));
    });
    EXPECTED.set(true);
    let result = catch_unwind(AssertUnwindSafe(f));
    EXPECTED.set(false);
    result
}
