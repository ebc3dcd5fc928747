//! Statistics by place: feeds [`Places`](crate::observe::places::Places) with events.

use crate::code::trace_id::TraceId;
use crate::compile::target::Failed;
use crate::observe::event::{Event, GuardExit};
use crate::observe::observers::Observers;
use std::rc::Rc;
use verdigris_report::{AbortReason, AbortStats, CodeStats};

impl Observers {
    pub(super) fn place_event(&self, event: &Event<'_>) {
        let Some(places) = &self.places else {
            return;
        };
        match *event {
            Event::Compiled(trace, code) => {
                let [recorded, optimised] = trace.counts;
                let stats = CodeStats {
                    trace: trace.id.as_u32(),
                    title: trace.title.to_string(),
                    kind: trace.target.code_kind(),
                    compiler: trace.compiler,
                    from: trace.from.map(TraceId::as_u32),
                    location: trace.greens.and_then(|greens| self.source_pos(greens)),
                    recorded: recorded.total(),
                    optimised: optimised.total(),
                    code_bytes: code.machine_code.code_bytes as u64,
                    ..CodeStats::default()
                };
                let in_use = trace.is_entered().then(|| Rc::clone(code.in_use));
                places.borrow_mut().made(stats, in_use, code.spent);
            }
            Event::Aborted(abort) => {
                let place = self.show_origin(abort.origin.guard(), abort.greens);
                let given_up = self.given_up(place, abort.greens, abort.failed, abort.blocked);
                places.borrow_mut().given_up(given_up, abort.spent);
            }
            Event::StencilAborted {
                title,
                greens,
                failed,
                spent,
            } => {
                let given_up = self.given_up(title.to_string(), Some(greens), failed, false);
                places.borrow_mut().given_up(given_up, spent);
            }
            Event::TooLittleStack {
                origin,
                greens,
                spent,
                ..
            } => {
                let failed = Failed::from(AbortReason::TooLittleStack);
                let place = self.show_origin(origin, greens);
                let given_up = self.given_up(place, greens, &failed, false);
                places.borrow_mut().given_up(given_up, spent);
            }
            Event::GuardFailed {
                guard,
                info,
                exit: GuardExit::Failed(_),
                ..
            } => places.borrow_mut().failed(info.trace.as_u32(), guard),
            _ => {}
        }
    }

    fn given_up(
        &self,
        place: String,
        greens: Option<&[u64]>,
        failed: &Failed,
        blocked: bool,
    ) -> AbortStats {
        AbortStats {
            place,
            location: greens.and_then(|greens| self.source_pos(greens)),
            reason: failed.reason,
            detail: failed.detail.clone(),
            blocked,
            ..AbortStats::default()
        }
    }
}
