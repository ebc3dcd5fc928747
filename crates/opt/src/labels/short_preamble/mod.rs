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

use super::label_join::{join, jump_to, prepare_jump};
use crate::section::{Cx, Section};
use crate::state::label::VirtualState;
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

/// Ends a section with a jump into a specialised body, if its state fits, or with `repair` can be
/// made to fit.
pub(crate) fn into_body(
    cx: &mut Cx<'_>,
    section: &Section,
    target: TargetId,
    state: &VirtualState,
    repair: Repair,
) -> Option<Section> {
    let mut section = section.clone();
    let roots = section.jump_nodes(cx);
    for _ in 0..=MAX_REPAIRS {
        prepare_jump(cx, state, &mut section, &roots);
        let joined = join(cx, state, &mut section, &roots);
        if joined.fits_facts() && !joined.needs_phantom(state, &section) {
            jump_to(&mut section, &joined, state, target);
            return Some(section);
        }
        if repair == Repair::Nothing {
            return None;
        }
        let words = Words::new(
            cx,
            state,
            &joined,
            &section,
            &roots,
            repair == Repair::Arrays,
        )?;
        let missing = Missing {
            cx,
            state,
            joined: &joined,
            section: &section,
            words: &words,
            depth: 0,
        };
        missing.first().ok()??.close(cx, &mut section)?;
    }
    None
}
