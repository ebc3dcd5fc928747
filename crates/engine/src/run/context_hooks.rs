//! The functions of the engine that the heap's context calls.

#![allow(unsafe_code)]

use crate::engine::Engine;
use crate::observe::effect_check::check_touched;
use crate::run::callees::finish_call;
use crate::run::enter::can_enter;
use crate::run::invalidate::invalidate;
use crate::run::switch::switch_stack;
use crate::run::virtualizable::access::claim;
use std::rc::Rc;

impl Engine {
    /// Registers the engine with its context: the functions to call, and the counters if the JIT is
    /// on.
    ///
    /// # Safety
    /// The context is alive and not in use yet; the engine does not move from here on.
    pub(crate) unsafe fn attach(&self) {
        // SAFETY: the caller's promise.
        let ctx = unsafe { &mut *self.ctx };
        ctx.engine = (&raw const *self).cast_mut().cast();
        ctx.can_enter = Some(can_enter);
        ctx.activations =
            (self.observers.profiled.as_ref()).map(|profiled| Rc::clone(&profiled.activations));
        ctx.invalidate = Some(invalidate);
        ctx.claim = Some(claim);
        ctx.switch_stack = Some(switch_stack);
        ctx.finish_call = Some(finish_call);
        ctx.check_touched = self.params.check_hints.then_some(check_touched);
        ctx.signals().take(self.native_counters());
    }
}
