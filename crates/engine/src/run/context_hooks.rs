//! Where the heap finds the engine. In: an engine that does not move any more. Out: a context that
//! calls it. Invariant: what the context calls are the verbs of this crate, which the state itself
//! knows nothing of.

#![allow(unsafe_code)]

use crate::engine::Engine;
use crate::observe::effect_check::check_touched;
use crate::run::callees::finish_call;
use crate::run::enter::can_enter;
use crate::run::invalidate::invalidate;
use crate::run::virtualizable::access::claim;
use std::rc::Rc;

impl Engine {
    /// Tells the context where its engine is, what to call when a counter has run out, and, if the
    /// JIT is on, where the counters are.
    ///
    /// # Safety
    /// The context is alive and not in use yet; the engine does not move from here on.
    pub(crate) unsafe fn attach(&self) {
        // SAFETY: the caller's promise.
        let ctx = unsafe { &mut *self.ctx };
        ctx.engine = (&raw const *self).cast_mut().cast();
        ctx.can_enter = Some(can_enter);
        ctx.activations = (self.profiled.as_ref()).map(|profiled| Rc::clone(&profiled.activations));
        ctx.invalidate = Some(invalidate);
        ctx.claim = Some(claim);
        ctx.finish_call = Some(finish_call);
        ctx.check_touched = self.params.check_hints.then_some(check_touched);
        ctx.signals().take(self.native_counters());
    }
}
