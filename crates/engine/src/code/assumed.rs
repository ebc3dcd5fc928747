//! Assumptions of compiled code about quasi-immutable fields.
//!
//! Invariant: a field is watched exactly as long as there is valid id, or a trace under way, that
//! assumes its value.

#![allow(unsafe_code)]

use crate::code::trace_id::TraceId;
use crate::code::trees::TreeId;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use verdigris_heap::Context;
use verdigris_trace::{GuardId, TargetId};

/// A compiled trace that may be invalidated.
pub(crate) struct AssumingTrace {
    /// The tree that it is freed with.
    pub(crate) tree: TreeId,
    pub(crate) targets: Vec<TargetId>,
    /// Its `guard_not_invalidated`s.
    pub(crate) checks: Vec<GuardId>,
    /// The guard that it starts from, if it is a bridge.
    pub(crate) bridge_of: Option<GuardId>,
    /// The other trace that it jumps to, if that may be invalidated too.
    pub(crate) leads_to: Option<TraceId>,
    /// The addresses of the fields that it watches.
    pub(crate) watched: Vec<u64>,
    pub(crate) valid: bool,
}

/// The traces of one VM that may be invalidated, by number.
#[derive(Default)]
pub(crate) struct Assumed {
    pub(crate) traces: FxHashMap<TraceId, AssumingTrace>,
    pub(crate) by_target: FxHashMap<TargetId, TraceId>,
    /// Traces that were invalidated before they were compiled.
    pub(crate) stillborn: FxHashSet<TraceId>,
    /// Labels that the optimiser must still forget.
    pub(crate) forgotten: Vec<TargetId>,
}

impl Assumed {
    /// Whether a trace is valid. A bridge of an invalid one would be useless.
    pub(crate) fn is_valid(&self, trace: TraceId) -> bool {
        self.traces.get(&trace).is_none_or(|p| p.valid)
    }

    /// Whether a trace may jump to this label.
    pub(crate) fn may_jump_to(&self, target: TargetId) -> bool {
        let trace = self.by_target.get(&target);
        trace.is_none_or(|&trace| self.is_valid(trace))
    }

    /// The number of watched fields over all traces.
    pub(crate) fn watched(&self) -> usize {
        self.traces.values().map(|trace| trace.watched.len()).sum()
    }

    /// Whether a trace was invalidated before it was compiled. Forgets it.
    pub(crate) fn is_stillborn(&mut self, trace: TraceId) -> bool {
        self.stillborn.remove(&trace)
    }

    /// Marks these traces, and all that lead to them, as invalid. Returns those that were valid.
    pub(crate) fn stop(&mut self, ids: &[TraceId]) -> Vec<TraceId> {
        let mut doomed: Vec<TraceId> = Vec::new();
        for id in ids {
            match self.traces.get(id) {
                Some(trace) if trace.valid => doomed.push(*id),
                Some(_) => {}
                None => drop(self.stillborn.insert(*id)),
            }
        }
        let mut next = 0;
        while let Some(&id) = doomed.get(next) {
            next += 1;
            let leads = self.traces.iter().filter(|(_, p)| p.leads_to == Some(id));
            let leads: Vec<TraceId> = leads.filter(|(_, p)| p.valid).map(|(&id, _)| id).collect();
            doomed.extend(
                leads
                    .into_iter()
                    .filter(|id| !doomed.contains(id))
                    .collect::<Vec<_>>(),
            );
        }
        doomed.sort_unstable();
        for id in &doomed {
            if let Some(trace) = self.traces.get_mut(id) {
                trace.valid = false;
            }
        }
        doomed
    }
}

/// The fields that a trace under way assumes. Dropping it withdraws the assumptions.
pub(crate) struct Watching {
    pub(crate) ctx: *mut Context,
    pub(crate) trace: TraceId,
    pub(crate) watched: RefCell<Vec<u64>>,
}

impl Watching {
    /// No assumptions yet, for the trace of this number.
    ///
    /// # Safety
    /// `ctx` outlives the result.
    pub(crate) unsafe fn new(ctx: *mut Context, trace: TraceId) -> Watching {
        Watching {
            ctx,
            trace,
            watched: RefCell::default(),
        }
    }

    /// From now on, a write to this address invalidates the trace.
    pub(crate) fn add(&self, address: u64) {
        // SAFETY: the context outlives us, and no other reference to its fields lives now.
        unsafe { (*self.ctx).watches.add(address, self.trace.as_u32()) };
        self.watched.borrow_mut().push(address);
    }

    /// Whether anything is assumed.
    pub(crate) fn is_any(&self) -> bool {
        !self.watched.borrow().is_empty()
    }

    /// Hands the addresses over to a compiled trace, which watches them from now on.
    pub(crate) fn hand_over(self) -> Vec<u64> {
        self.watched.take()
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        // SAFETY: the context outlives us.
        unsafe { unwatch(self.ctx, self.trace, &self.watched.take()) };
    }
}

/// # Safety
/// The context is alive, and no reference to its fields lives.
pub(crate) unsafe fn unwatch(ctx: *mut Context, trace: TraceId, watched: &[u64]) {
    for &address in watched {
        // SAFETY: the caller's promise.
        unsafe { (*ctx).watches.remove(address, trace.as_u32()) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trace(leads_to: Option<TraceId>) -> AssumingTrace {
        AssumingTrace {
            tree: TreeId::from_u32(0),
            targets: Vec::new(),
            checks: Vec::new(),
            bridge_of: None,
            leads_to,
            watched: Vec::new(),
            valid: true,
        }
    }

    #[test]
    fn what_leads_to_invalid_code_is_invalid() {
        fn ids<const N: usize>(numbers: [u32; N]) -> [TraceId; N] {
            numbers.map(TraceId::from_u32)
        }
        let mut assumed = Assumed::default();
        let leads = [
            (1, None),
            (2, Some(1)),
            (3, Some(2)),
            (4, None),
            (5, Some(4)),
        ];
        for (id, to) in leads {
            assumed
                .traces
                .insert(TraceId::from_u32(id), trace(to.map(TraceId::from_u32)));
        }
        assert_eq!(assumed.stop(&ids([1, 9])), ids([1, 2, 3]));
        assert!(!assumed.is_valid(TraceId::from_u32(3)) && assumed.is_valid(TraceId::from_u32(5)));
        assert!(assumed.stillborn.contains(&TraceId::from_u32(9)));
        assert_eq!(assumed.stop(&ids([1])), []);
    }
}
