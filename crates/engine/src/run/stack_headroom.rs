//! Whether there is enough native and shadow stack to trace.
//!
//! Invariant: a refusal costs nothing but time: the place is not given up, its counter starts over,
//! and it is tried again, maybe when the guest program has returned from its recursion.

use crate::code::guard_info::GuardInfo;
use crate::engine::Engine;
use crate::observe::event::Event;
use crate::run::stack;
use verdigris_resume::frames_fit;
use verdigris_trace::GuardId;

impl Engine {
    /// Whether a trace from the header with these greens has the stack that it needs.
    pub(crate) fn has_room_at_header(&self, greens: &[u64]) -> bool {
        let has_room = self.has_room();
        if !has_room {
            self.tell_no_headroom(None, Some(greens));
        }
        has_room
    }

    /// Whether a bridge from this guard, which has failed `count` times, has the stack that it
    /// needs.
    pub(crate) fn has_room_at_guard(&self, guard: GuardId, info: &GuardInfo, count: u32) -> bool {
        // SAFETY: the context outlives the engine.
        let fits = unsafe { frames_fit(self.ctx, &self.program.unit, &info.resume) };
        let has_room = fits && self.has_room();
        // This is called at each further failure.
        if !has_room && count == self.eagerness(info) {
            let greens = self.code.greens_at(guard);
            self.tell_no_headroom(Some(guard), greens.as_deref());
        }
        has_room
    }

    /// Whether there is room to trace here.
    pub(crate) fn has_room(&self) -> bool {
        // SAFETY: the context outlives the engine, and no reference to it lives now.
        stack::room() >= stack::TRACING
            && unsafe { !(*self.ctx).is_shadow_full() && (*self.ctx).shadow_fits(1) }
    }

    #[cold]
    #[inline(never)]
    fn tell_no_headroom(&self, origin: Option<GuardId>, greens: Option<&[u64]>) {
        self.observers.emit(Event::TooLittleStack {
            origin,
            greens,
            bytes_left: stack::room(),
            spent: self.clock.spent(),
        });
    }
}
