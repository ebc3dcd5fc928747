//! What the engine keeps of a native stack while the code of another one runs: a coroutine has been
//! resumed, or has yielded.
//!
//! A resume and a yield are calls of native functions for traced and for compiled code. A recording
//! goes on behind them, on its own stack; it has no part in what runs meanwhile.

#![allow(unsafe_code)]

use crate::engine::Engine;
use crate::observe::profile::state::{ParkedLevels, Profiled};
use verdigris_heap::{Context, EngineStack};

/// Exchanges what belongs to the current stack for what has been kept of another.
///
/// # Safety
/// `ctx` is the current context and has an engine.
pub(crate) unsafe fn switch_stack(ctx: *mut Context, other: &mut EngineStack) {
    // SAFETY: the caller's promise; the engine lives as long as its context is current.
    let engine = unsafe { &*(*ctx).engine.cast::<Engine>() };
    engine.switch_stack(other);
}

impl Engine {
    #[inline]
    fn switch_stack(&self, other: &mut EngineStack) {
        let [phase, depth] = other.words;
        let is_used = std::mem::replace(&mut other.is_used, true);
        let own_phase = self.clock.parked();
        let own_depth = self.pipeline.depth.replace(depth as u32);
        // A new stack goes on with the phase of its resumer.
        if is_used {
            self.clock.unpark(phase);
        }
        other.words = [own_phase, own_depth.into()];
        if let Some(profiled) = &self.observers.profiled {
            exchange_levels(profiled, other);
        }
    }
}

/// The levels of a profile are those of one stack.
#[cold]
fn exchange_levels(profiled: &Profiled, other: &mut EngineStack) {
    let levels = other.more.take();
    let levels = levels.and_then(|levels| levels.downcast::<ParkedLevels>().ok());
    let own = profiled.exchange(levels.map_or_else(ParkedLevels::default, |levels| *levels));
    other.more = Some(Box::new(own));
}
