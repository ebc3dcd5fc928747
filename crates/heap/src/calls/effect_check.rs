//! What native code touches while it runs: which cells of the heap it reads and writes. In: a call.
//! Out: the objects that were there before it, with the places in them that it has looked at or
//! written. For checks of what functions are said to touch (`check_hints`).
//!
//! Cells note their accesses in builds with debug assertions; in others nothing is noted, and that
//! costs nothing. Invariant: what is reported was touched, in an object that was there before the
//! call; an object that the call has made is its own. If the heap is collected during the call
//! nobody can tell these apart afterwards, and nothing is reported.

use crate::collector::Scope;
use crate::context::Context;
use crate::context::call_sampler::Touched;
use crate::detector;
use crate::fields::access_log::{AccessLogging, is_logging, take_accesses};
use crate::layout::descr::class_word_of;
use verdigris_ops::{FnInfo, FnKind};

/// Makes a call and has what it touches checked, if that is to be done. Answers what is wrong,
/// beside the result.
///
/// # Safety
/// `ctx` is the current context of this thread, and what `call` needs is where the collector finds
/// it.
pub(crate) unsafe fn checked<R>(
    ctx: *mut Context,
    info: &FnInfo,
    call: impl FnOnce() -> R,
) -> (R, Option<String>) {
    // SAFETY: the caller's promise; nobody refers to the context's fields while others run.
    unsafe {
        let check = (*ctx)
            .check_touched
            .filter(|_| !is_logging() && declares(info.kind));
        let Some(check) = check.filter(|_| (*ctx).counts_as_checked(info)) else {
            return (call(), None);
        };
        // What is there now is old from now on.
        (*ctx).collect_quietly(Scope::Young);
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

/// Whether a function of this kind is one of which somebody says what it touches, and cells tell.
/// Others are believed to compute something from what they read, which is compared. The portal's
/// words are not where the collector would find them while nothing is allocated.
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
