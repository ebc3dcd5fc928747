//! What happens to code, as marks on the timeline of a profile.

use crate::observe::event::Event;
use crate::observe::observers::Observers;
use verdigris_profile::MarkKind;
use verdigris_report::WhyInterpreted;
use verdigris_report::units::{bytes, count, time};

impl Observers {
    pub(in crate::observe) fn mark_event(&self, event: &Event<'_>) {
        let Some(profiled) = &self.profiled else {
            return;
        };
        match *event {
            Event::CompilingWaits { cost, allowed, .. } => {
                let (cost, allowed) = (time(cost), time(allowed));
                let title = format!("compiling has taken {cost} of {allowed}");
                profiled.mark(MarkKind::Waits, title);
            }
            Event::CompilingGoesOn { .. } => profiled.end_mark(MarkKind::Waits),
            Event::Passed {
                greens,
                then: Some(then),
                ..
            } if then.why == WhyInterpreted::Resting => {
                let (at, passes) = (self.show_place(greens), count(then.passes.into(), "pass"));
                profiled.mark(MarkKind::Rests, format!("{at}, for {passes}"));
            }
            Event::TierChanged { greens, change } => {
                let title = format!("{}: {change}", self.show_place(greens));
                profiled.mark(MarkKind::Tier, title);
            }
            Event::Aborted(abort) => {
                let at = self.show_origin(abort.origin.guard(), abort.greens);
                let title = format!("{at}: {}", abort.failed.reason);
                profiled.mark(MarkKind::GivenUp, title);
            }
            Event::Freed {
                reason,
                trees,
                bytes: size,
                ..
            } => {
                let trees = count(trees.len() as u64, "tree");
                let title = format!("{trees}, {}: {reason}", bytes(size as u64));
                profiled.mark(MarkKind::Freed, title);
            }
            _ => {}
        }
    }
}
