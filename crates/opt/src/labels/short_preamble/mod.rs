//! The short preamble of a trace that jumps to an existing loop: the loads and guards that make it
//! fit the loop's specialised body.
//!
//! Loads give values that the body takes as known. Guards, which resume at the merge point that the
//! jump goes to, establish classes, constants and bounds.
//!
//! Invariant: a guard is only emitted if it held during recording, and a load only where an object
//! is known to exist, of the right class where there can be several. So the worst that can happen
//! is that a guard fails another time.
//!
//! Source: "Loop-Aware Optimizations in PyPy's Tracing JIT" (2012), section 5; here it is made for
//! each arrival instead of being kept beside the loop.

mod gap;
mod missing;
mod words;

use super::label_join::{Joined, jump_to, prepare_jump};
use crate::section::{Cx, Section};
use crate::state::label::VirtualState;
use crate::state::node::NodeId;
use gap::MAX_REPAIRS;
use missing::Missing;
use verdigris_trace::TargetId;
use words::Words;

/// What may be done to make a section fit.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Repair {
    /// Nothing: it fits or does not.
    Nothing,
    /// Look into objects whose header tells their class ([`verdigris_ops::ClassInfo::is_unique`]).
    Objects,
    /// Look into arrays and structs with parameters too.
    Arrays,
}

/// A section that is prepared for a jump into a specialised body.
#[derive(Clone)]
pub(crate) struct Arrival {
    section: Section,
    /// The nodes that it passes.
    roots: Vec<NodeId>,
    joined: Joined,
}

impl Arrival {
    /// A copy of a section, prepared for a jump to a body that assumes this state.
    pub fn new(cx: &mut Cx<'_>, section: &Section, state: &VirtualState) -> Arrival {
        let mut section = section.clone();
        let roots = section.jump_nodes(cx);
        let joined = prepare_jump(cx, state, &mut section, &roots);
        Arrival {
            section,
            roots,
            joined,
        }
    }

    fn fits(&self, state: &VirtualState) -> bool {
        self.joined.fits_facts() && !self.joined.needs_phantom(state, &self.section)
    }

    /// Finds the first gap that `repair` can close, and closes it.
    fn close_gap(&mut self, cx: &mut Cx<'_>, state: &VirtualState, repair: Repair) -> Option<()> {
        let words = Words::new(
            cx,
            state,
            &self.joined,
            &self.section,
            &self.roots,
            repair == Repair::Arrays,
        )?;
        let missing = Missing {
            cx,
            state,
            joined: &self.joined,
            section: &self.section,
            words: &words,
            depth: 0,
        };
        missing.first().ok()??.close(cx, &mut self.section)?;
        self.joined = prepare_jump(cx, state, &mut self.section, &self.roots);
        Some(())
    }
}

/// Ends a section with a jump into a specialised body, if its state fits, or with `repair` can be
/// made to fit.
pub(crate) fn into_body(
    cx: &mut Cx<'_>,
    arrival: &Arrival,
    target: TargetId,
    state: &VirtualState,
    repair: Repair,
) -> Option<Section> {
    if repair == Repair::Nothing && !arrival.fits(state) {
        return None;
    }
    let mut arrival = arrival.clone();
    for _ in 0..MAX_REPAIRS {
        if arrival.fits(state) {
            break;
        }
        arrival.close_gap(cx, state, repair)?;
    }
    if !arrival.fits(state) {
        return None;
    }
    let mut section = arrival.section;
    jump_to(&mut section, &arrival.joined, state, target);
    Some(section)
}
