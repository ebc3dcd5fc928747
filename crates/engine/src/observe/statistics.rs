//! Counting events for [`Stats`].

use crate::compile::target::TraceTarget;
use crate::observe::event::{Event, InstalledCode, TraceInfo};
use crate::observe::observers::Observers;
use crate::policy::reasons::{FreeReason, TierChange};
use std::collections::BTreeMap;
use verdigris_ops::{DataOp, Effect};
use verdigris_report::CompilerKind;
use verdigris_report::{AbortReason, OpCounts, Stats};
use verdigris_trace::{Opcode, Trace};

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
                count_by(&mut stats.aborts, abort.failed.reason, 1);
                stats.blocked += u64::from(abort.blocked);
            }
            Event::StencilAborted { failed, .. } => count_by(&mut stats.aborts, failed.reason, 1),
            Event::TooLittleStack { .. } => {
                count_by(&mut stats.aborts, AbortReason::TooLittleStack, 1);
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
                TierChange::Generalised => stats.tiers.generalised += 1,
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
        count_by(&mut stats.lost, remark.missed.name().to_string(), 1);
    }
    if let Some(specialised) = trace.specialised {
        let figures = &mut stats.specialised;
        figures.pieces += 1;
        figures.operations += specialised.operations as u64;
        figures.labels += trace.labels() as u64;
        for &(why, count) in &specialised.exits {
            count_by(&mut figures.left, why.name().to_string(), count.into());
        }
    }
}

/// Adds to a count.
fn count_by<K: Ord>(counts: &mut BTreeMap<K, u64>, key: K, more: u64) {
    *counts.entry(key).or_insert(0) += more;
}

/// The operations of a trace, by kind. Labels and merge points count nowhere.
pub(crate) fn op_counts<F>(trace: &Trace<F>) -> OpCounts {
    let mut counts = OpCounts::default();
    for op in trace.ops().iter() {
        if let Some(count) = op_count(&mut counts, op.opcode()) {
            *count += 1;
        }
    }
    counts
}

fn op_count(counts: &mut OpCounts, opcode: Opcode) -> Option<&mut u64> {
    match opcode {
        Opcode::Data(op) => Some(data_count(counts, op)),
        Opcode::Call => Some(&mut counts.calls),
        Opcode::Label | Opcode::MergePoint => None,
        Opcode::Jump | Opcode::Finish | Opcode::Thread => Some(&mut counts.ends),
        _ => Some(&mut counts.guards),
    }
}

fn data_count(counts: &mut OpCounts, op: DataOp) -> &mut u64 {
    match op.effect() {
        Effect::Pure => &mut counts.pure,
        Effect::Read | Effect::Write => &mut counts.getset,
        Effect::Alloc => &mut counts.new,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_are_counted_by_kind() {
        let mut counts = OpCounts::default();
        let kinds = [
            Opcode::Data(DataOp::IntAdd),
            Opcode::Data(DataOp::New),
            Opcode::Data(DataOp::GetFieldI),
            Opcode::Data(DataOp::ArrayLen),
            Opcode::GuardTrue,
            Opcode::Call,
            Opcode::Jump,
        ];
        for opcode in kinds {
            *op_count(&mut counts, opcode).expect("no marker") += 1;
        }
        assert!(op_count(&mut counts, Opcode::Label).is_none());
        assert!(op_count(&mut counts, Opcode::MergePoint).is_none());
        let expected = OpCounts {
            new: 1,
            guards: 1,
            getset: 2,
            calls: 1,
            pure: 1,
            ends: 1,
        };
        assert_eq!(counts, expected);
        assert_eq!(counts.total(), 7);
    }
}
