//! Functions that threaded code calls: to find records, and to run code that it cannot jump to.

#![allow(unsafe_code)]

use crate::engine::Engine;
use crate::run::enter::Next;
use std::panic::{AssertUnwindSafe, catch_unwind};
use verdigris_heap::{Context, detector};

/// Returns the record of the place with these greens, for compiled code.
///
/// # Safety
/// `ctx` is the current context, exposed as a number; `greens` are as many words as the merge point
/// has greens.
pub(crate) unsafe extern "C" fn record_of(ctx: usize, greens: *const u64) -> u64 {
    let ctx = std::ptr::with_exposed_provenance_mut::<Context>(ctx);
    // SAFETY: the caller's promise; the engine lives as long as its context is current.
    let engine = unsafe { &*(*ctx).engine.cast::<Engine>() };
    // SAFETY: the caller's promise.
    let greens = unsafe { std::slice::from_raw_parts(greens, engine.program.greens.len()) };
    match engine.code.threaded.short(greens) {
        Some(record) => record,
        None => {
            let _own = detector::own();
            let thread = engine.threaded().thread(greens);
            engine.code.threaded.shorten(thread)
        }
    }
}

/// Runs the portal from a state of greens, their record, and reds: for compiled code that cannot
/// call threaded code.
///
/// # Safety
/// As [`record_of`]; `words` are as many as there are greens and reds, and one more.
pub(crate) unsafe extern "C" fn run_thread(ctx: usize, words: *const u64) -> u64 {
    let ctx = std::ptr::with_exposed_provenance_mut::<Context>(ctx);
    let _own = detector::own();
    // SAFETY: the caller's promise.
    let (engine, words) = unsafe {
        let engine = &*(*ctx).engine.cast::<Engine>();
        let greens = engine.program.greens.len();
        let len = greens + 1 + engine.program.reds.len();
        (engine, std::slice::from_raw_parts(words, len))
    };
    let greens = engine.program.greens.len();
    let state = [&words[..greens], &words[greens + 1..]].concat();
    // No panic unwinds through compiled code.
    let result = catch_unwind(AssertUnwindSafe(|| {
        engine.check_room();
        engine.check_heap();
        engine.run_to_return(Next::Thread(state))
    }));
    // SAFETY: the context is current; no other reference to its fields lives now.
    unsafe {
        match result {
            Ok(words) => {
                let results = &mut (*ctx).results;
                results[..words.len()].copy_from_slice(&words);
                words.first().copied().unwrap_or(0)
            }
            Err(payload) => {
                (*ctx).set_payload(payload);
                0
            }
        }
    }
}
