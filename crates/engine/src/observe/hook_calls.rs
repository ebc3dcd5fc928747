//! Calls of the embedder's hooks.

use crate::code::trace_id::TraceId;
use crate::observe::event::Event;
use crate::observe::hooks::{AbortedEvent, CompiledEvent, Hooks, InvalidatedEvent, SharedHooks};
use crate::observe::observers::Observers;
use verdigris_heap::Context;

/// The time in which a hook runs; ends when dropped, also when a panic passes through.
struct InHook<'a>(&'a Observers);

impl Drop for InHook<'_> {
    fn drop(&mut self) {
        self.0.in_hook.set(false);
    }
}

impl Observers {
    pub(super) fn hook_event(&self, event: &Event<'_>) {
        if self.hooks.is_none() {
            return;
        }
        match *event {
            Event::Compiled(trace, code) => {
                let [recorded, optimised] = trace.counts;
                let event = CompiledEvent {
                    title: trace.title,
                    trace: trace.id.as_u32(),
                    from: trace.from.map(TraceId::as_u32),
                    recorded,
                    optimised,
                    code_bytes: code.machine_code.code_bytes,
                };
                self.call_hook(|hooks| match trace.from {
                    Some(_) => hooks.on_bridge(&event),
                    None => hooks.on_compile(&event),
                });
            }
            Event::Aborted(abort) => {
                let event = AbortedEvent {
                    place: &self.show_origin(abort.origin.guard(), abort.greens),
                    reason: abort.failed.reason,
                    detail: &abort.failed.detail,
                    blocked: abort.blocked,
                };
                self.call_hook(|hooks| hooks.on_abort(&event));
            }
            Event::Invalidated { traces } => {
                let traces: Vec<u32> = traces.iter().map(|trace| trace.as_u32()).collect();
                let event = InvalidatedEvent { traces: &traces };
                self.call_hook(|hooks| hooks.on_invalidate(&event));
            }
            _ => {}
        }
    }

    fn call_hook(&self, call: impl FnOnce(&dyn Hooks)) {
        if let Some(SharedHooks(hooks)) = &self.hooks {
            self.in_hook.set(true);
            let _in_hook = InHook(self);
            Context::outside(|| call(&**hooks));
        }
    }

    /// Panics if a hook is running.
    pub(crate) fn check_hook(&self) {
        assert!(
            !self.in_hook.get(),
            "a hook of the JIT has entered its own VM, which is in the middle of a trace: note what there is to do, and do it \
             when the VM has been left"
        );
    }
}
