//! What code assumes of quasi-immutable fields. In: traces with the addresses of fields that they
//! assume not to change. Out: which traces have to go when one of them is written. Invariant: a
//! field is watched exactly as long as there is valid code, or a trace under way, that assumes what
//! it holds.

#![allow(unsafe_code)]

use crate::code::trees::TreeId;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use verdigris_heap::Context;
use verdigris_trace::{GuardId, TargetId};

/// A compiled trace that may be invalidated.
pub(crate) struct Piece {
    /// What it is freed with.
    pub(crate) tree: TreeId,
    /// Its labels.
    pub(crate) targets: Vec<TargetId>,
    /// Its guards that find out whether it is valid.
    pub(crate) checks: Vec<GuardId>,
    /// Where it starts, unless it starts with its label.
    pub(crate) bridge_of: Option<GuardId>,
    /// The other trace that it jumps to, if that may be invalidated too.
    pub(crate) leads_to: Option<u32>,
    /// The addresses of the fields.
    pub(crate) watched: Vec<u64>,
    pub(crate) valid: bool,
}

/// The traces of one VM that may be invalidated, by their numbers.
#[derive(Default)]
pub(crate) struct Assumed {
    pub(crate) pieces: FxHashMap<u32, Piece>,
    pub(crate) by_target: FxHashMap<TargetId, u32>,
    /// Traces that were invalidated before they were compiled.
    pub(crate) stillborn: FxHashSet<u32>,
    /// Labels that the optimiser has still to forget.
    pub(crate) forgotten: Vec<TargetId>,
}

impl Assumed {
    /// Whether code may go on being extended: a bridge of an invalid trace would be of no use.
    pub(crate) fn is_valid(&self, piece: u32) -> bool {
        self.pieces.get(&piece).is_none_or(|p| p.valid)
    }

    /// Whether a trace may jump to this label.
    pub(crate) fn may_jump_to(&self, target: TargetId) -> bool {
        let piece = self.by_target.get(&target);
        piece.is_none_or(|&piece| self.is_valid(piece))
    }

    /// How many fields are watched, by all traces together.
    pub(crate) fn watched(&self) -> usize {
        self.pieces.values().map(|piece| piece.watched.len()).sum()
    }

    /// Whether a trace was invalidated before it was compiled. Forgets it.
    pub(crate) fn is_stillborn(&mut self, piece: u32) -> bool {
        self.stillborn.remove(&piece)
    }

    /// These traces and all that lead to them, as far as they are valid, which they are no more.
    pub(crate) fn stop(&mut self, codes: &[u32]) -> Vec<u32> {
        let mut doomed: Vec<u32> = Vec::new();
        for code in codes {
            match self.pieces.get(code) {
                Some(piece) if piece.valid => doomed.push(*code),
                Some(_) => {}
                None => drop(self.stillborn.insert(*code)),
            }
        }
        let mut next = 0;
        while let Some(&code) = doomed.get(next) {
            next += 1;
            let leads = self.pieces.iter().filter(|(_, p)| p.leads_to == Some(code));
            let leads: Vec<u32> = leads.filter(|(_, p)| p.valid).map(|(&id, _)| id).collect();
            doomed.extend(
                leads
                    .into_iter()
                    .filter(|id| !doomed.contains(id))
                    .collect::<Vec<_>>(),
            );
        }
        doomed.sort_unstable();
        for code in &doomed {
            if let Some(piece) = self.pieces.get_mut(code) {
                piece.valid = false;
            }
        }
        doomed
    }
}

/// The fields that a trace assumes while it is being made. Dropped, it assumes nothing.
pub(crate) struct Watching {
    pub(crate) ctx: *mut Context,
    pub(crate) piece: u32,
    pub(crate) watched: RefCell<Vec<u64>>,
}

impl Watching {
    /// Nothing is assumed so far by the trace of this number.
    ///
    /// # Safety
    /// `ctx` outlives the result.
    pub(crate) unsafe fn new(ctx: *mut Context, piece: u32) -> Watching {
        Watching {
            ctx,
            piece,
            watched: RefCell::default(),
        }
    }

    /// From now on a write to this address invalidates the trace.
    pub(crate) fn add(&self, address: u64) {
        // SAFETY: the context outlives us, and no other reference to its fields lives now.
        unsafe { (*self.ctx).watches.add(address, self.piece) };
        self.watched.borrow_mut().push(address);
    }

    /// Whether anything is assumed.
    pub(crate) fn is_any(&self) -> bool {
        !self.watched.borrow().is_empty()
    }

    /// The trace is compiled: from now on the caller, which gets the addresses, watches them.
    pub(crate) fn hand_over(self) -> Vec<u64> {
        self.watched.take()
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        // SAFETY: the context outlives us.
        unsafe { unwatch(self.ctx, self.piece, &self.watched.take()) };
    }
}

/// # Safety
/// The context is alive, and no reference to its fields lives.
pub(crate) unsafe fn unwatch(ctx: *mut Context, piece: u32, watched: &[u64]) {
    for &address in watched {
        // SAFETY: the caller's promise.
        unsafe { (*ctx).watches.remove(address, piece) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(leads_to: Option<u32>) -> Piece {
        Piece {
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
        let mut assumed = Assumed::default();
        let leads = [
            (1, None),
            (2, Some(1)),
            (3, Some(2)),
            (4, None),
            (5, Some(4)),
        ];
        for (id, to) in leads {
            assumed.pieces.insert(id, piece(to));
        }
        assert_eq!(assumed.stop(&[1, 9]), [1, 2, 3]);
        assert!(!assumed.is_valid(3) && assumed.is_valid(5));
        assert!(assumed.stillborn.contains(&9));
        assert_eq!(assumed.stop(&[1]), [0; 0]);
    }
}
