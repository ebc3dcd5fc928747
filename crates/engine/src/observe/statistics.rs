//! Counting events for [`Stats`].

use crate::code::compiler_kind::CompilerKind;
use crate::compile::target::TraceTarget;
use crate::observe::event::{Event, InstalledCode, TraceInfo};
use crate::observe::observers::Observers;
use crate::observe::stats::Stats;
use crate::policy::reasons::{FreeReason, TierChange};

impl Observers {
    /// Changes the counts of what happens too often for an event.
    #[inline]
    pub(crate) fn count(&self, change: impl FnOnce(&mut Stats)) {
        change(&mut self.statistics.borrow_mut());
    }

    /// The counts so far, with those by place.
    pub(crate) fn stats(&self) -> Stats {
        let mut stats = self.statistics.borrow().clone();
        if let Some(places) = &self.places {
            (stats.locations, stats.given_up) = places.borrow().figures();
        }
        stats
    }

    pub(super) fn count_event(&self, event: &Event<'_>) {
        let stats = &mut *self.statistics.borrow_mut();
        match *event {
            Event::Compiled(trace, code) => count_trace(stats, trace, code),
            Event::Aborted(abort) => {
                count_by(&mut stats.aborts, abort.reason, 1);
                stats.blocked += u64::from(abort.blocked);
            }
            Event::StencilAborted { failed, .. } => count_by(&mut stats.aborts, failed.reason, 1),
            Event::TooLittleStack { .. } => {
                count_by(
                    &mut stats.aborts,
                    verdigris_record::AbortReason::TooLittleStack.name(),
                    1,
                );
            }
            Event::Freed { reason, trees, .. } => {
                *match reason {
                    FreeReason::OverBudget => &mut stats.evicted,
                    FreeReason::Unused
                    | FreeReason::NotInterruptible
                    | FreeReason::HeapExhausted => &mut stats.freed,
                } += trees.len() as u64;
            }
            Event::Invalidated { traces } => {
                stats.invalidations += 1;
                stats.invalidated += traces.len() as u64;
            }
            Event::TierChanged { change, .. } => match change {
                TierChange::Specialised => stats.tiers.settled += 1,
                TierChange::LeftToInterpreter => stats.tiers.left_alone += 1,
                _ => {}
            },
            Event::CompilingWaits { .. } => stats.tiers.waits += 1,
            _ => {}
        }
    }
}

fn count_trace(stats: &mut Stats, trace: &TraceInfo<'_>, code: &InstalledCode<'_>) {
    match trace.target {
        TraceTarget::Loop | TraceTarget::Version(_) => {
            stats.traces += 1;
            stats.loops += 1;
        }
        TraceTarget::Header(..) => stats.traces += 1,
        TraceTarget::Bridge(_) => stats.bridges += 1,
        TraceTarget::Stencil => stats.tiers.stencils += 1,
    }
    let [recorded, optimised] = trace.counts;
    stats.recorded.add(recorded);
    stats.optimised.add(optimised);
    stats.guards += optimised.guards;
    stats.guard_bytes += code.guard_bytes as u64;
    let tier = match trace.compiler {
        CompilerKind::Specialiser => &mut stats.tiers.specialised,
        CompilerKind::Tracer => &mut stats.tiers.traced,
        CompilerKind::Threaded => &mut stats.tiers.threaded,
    };
    tier.code_bytes += code.machine_code.code_bytes as u64;
    for remark in &trace.optimised.remarks {
        count_by(&mut stats.lost, remark.missed.name(), 1);
    }
    if let Some(specialised) = trace.specialised {
        let figures = &mut stats.specialised;
        figures.pieces += 1;
        figures.operations += specialised.operations as u64;
        figures.labels += trace.labels() as u64;
        for &(why, count) in &specialised.exits {
            count_by(&mut figures.left, why.name(), count.into());
        }
    }
}

/// Adds to a count.
fn count_by(counts: &mut std::collections::BTreeMap<String, u64>, key: &str, more: u64) {
    *counts.entry(key.to_string()).or_insert(0) += more;
}
