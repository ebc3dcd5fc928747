//! Checks of what called functions read and write (`check_hints`), in builds with debug assertions.
//!
//! Only objects that were there before the call count: what it made is its own. If the heap is
//! collected during the call, the two cannot be told apart, and nothing is reported.

use crate::collector::CollectScope;
use crate::context::Context;
use crate::context::call_sampler::Touched;
use crate::detector;
use crate::fields::access_log::{AccessLogging, is_logging, take_accesses};
use crate::layout::descr::class_word_of;
use verdigris_ops::{FnInfo, FnKind};

/// Makes a call, and checks what it touches if it is one of those that are checked. Returns the
/// result, and what is wrong.
///
/// # Safety
/// `ctx` is the current context of this thread, and what `call` needs is where the collector finds
/// it.
pub(crate) unsafe fn checked<R>(
    ctx: *mut Context,
    info: &FnInfo,
    call: impl FnOnce() -> R,
) -> (R, Option<String>) {
    // SAFETY: the caller's promise; nothing of the context is borrowed while other code runs.
    unsafe {
        let check = (*ctx)
            .check_touched
            .filter(|_| !is_logging() && declares(info.kind));
        let Some(check) = check.filter(|_| (*ctx).counts_as_checked(info)) else {
            return (call(), None);
        };
        // What is there now is old from now on.
        (*ctx).collect_quietly(CollectScope::Young);
        let before = collections(ctx);
        let logging = AccessLogging::begin();
        let result = call();
        drop(logging);
        if collections(ctx) != before {
            return (result, None);
        }
        let _own = detector::own();
        let mut touched: Vec<Touched> = (take_accesses().into_iter())
            .filter_map(|(cell, written)| {
                let object = (*ctx).old_object_at(cell)?;
                Some(Touched {
                    object: object.addr() as u64,
                    class: class_word_of(object.expose_provenance() as u64),
                    offset: (cell - object.addr()) as u32,
                    written,
                })
            })
            .collect();
        // The same message for the same mistake.
        touched.sort_unstable_by_key(|t| (!t.written, t.class, t.offset));
        let wrong = check(ctx, info, &touched);
        (result, wrong)
    }
}

/// Whether functions of this kind declare what they touch. The results of others are compared. The
/// portal's words are not where the collector would find them while nothing is allocated.
fn declares(kind: FnKind) -> bool {
    cfg!(debug_assertions) && matches!(kind, FnKind::Opaque | FnKind::Conditional)
}

/// # Safety
/// The context is alive.
unsafe fn collections(ctx: *mut Context) -> u64 {
    // SAFETY: the caller's promise.
    let stats = unsafe { (*ctx).heap_stats() };
    stats.collections + stats.young_collections
}
