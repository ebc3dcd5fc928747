//! Whether there is room to trace. In: a place that is hot, and how much is left of the native
//! stack and of the shadow stack. Out: a yes, or a no that the statistics and the log know of.
//! Invariant: a no costs nothing but time: the place is not given up, its counter starts over, and
//! it is asked again, maybe where the guest program has returned from its recursion.

use crate::code::guard_info::GuardSite;
use crate::engine::Engine;
use crate::observe::log::Stage;
use crate::run::stack;
use verdigris_heap::Location;
use verdigris_record::AbortReason;
use verdigris_resume::frames_fit;
use verdigris_trace::GuardId;

impl Engine {
    /// Whether a trace from the header with these greens has the stack that it takes.
    pub(crate) fn has_room_at_header(&self, greens: &[u64]) -> bool {
        let has_room = self.has_room();
        if !has_room {
            let place = || format!("header {}", self.show_place(greens));
            self.note_no_room(place, || self.location(greens));
        }
        has_room
    }

    /// Whether a bridge from this guard, which has failed so many times, has the stack that it
    /// takes.
    pub(crate) fn has_room_at_guard(&self, guard: GuardId, site: &GuardSite, count: u32) -> bool {
        // SAFETY: the context outlives the engine.
        let fits = unsafe { frames_fit(self.ctx, &self.linked.unit, &site.resume) };
        let has_room = fits && self.has_room();
        // It is asked at each further failure.
        if !has_room && count == self.eagerness(site) {
            self.note_no_room(
                || format!("guard {}", self.show_guard(guard)),
                || self.guard_location(guard),
            );
        }
        has_room
    }

    /// Whether there is room to trace here.
    pub(crate) fn has_room(&self) -> bool {
        // SAFETY: the context outlives the engine, and no reference to it lives now.
        stack::room() >= stack::TRACING
            && unsafe { !(*self.ctx).is_shadow_full() && (*self.ctx).shadow_fits(1) }
    }

    fn note_no_room(
        &self,
        place: impl Fn() -> String,
        location: impl FnOnce() -> Option<Location>,
    ) {
        let reason = AbortReason::TooLittleStack;
        self.meter.abort(reason.name());
        if self.places.is_some() {
            let texts = [reason.name(), &reason.to_string()];
            self.note_given_up(&place(), location(), texts, false);
        }
        self.log.piece(Stage::Trace, || {
            let (left, takes) = (stack::room() >> 10, stack::TRACING >> 10);
            let title = format!("not traced at {}: {reason}", place());
            let body = match left < takes {
                true => format!("{left} kB are left, and a trace takes up to {takes}\n"),
                false => "the shadow stack is used up, or the system refuses addresses for it\n"
                    .to_owned(),
            };
            (title, body)
        });
    }
}
