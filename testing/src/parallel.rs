//! Checks of many things at once. The panic of a failed check is passed on.
//! Invariant: as many threads as the machine has processors; a VM belongs to one thread, so a check
//! makes its own.

use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Checks each of these, in no order.
///
/// # Panics
/// If a check does.
pub fn for_each<T: Sync>(items: &[T], check: impl Fn(&T) + Sync) {
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
            check(item);
        }
    };
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(work);
        }
    });
}
