//! The trace optimiser.
//!
//! In: a [`RecordedTrace`], whose guards have snapshots. Out: an equivalent trace whose guards
//! carry resume data ([`Optimised`]): a loop becomes `label entry ... label body ... jump body`,
//! where the entry section runs the first iterations and the body is specialised to the state that
//! they leave behind; a bridge becomes straight-line code that jumps to the most specialised label
//! whose state it satisfies.
//!
//! Invariant: results, heap effects, and the interpreter's state at every exit are those of the
//! recorded trace; the trace interpreter is the judge. Sources: "Allocation Removal by Partial
//! Evaluation in a Tracing JIT" (2011), sections 4 to 6; "Loop-Aware Optimizations in PyPy's
//! Tracing JIT" (2012) for the idea of peeling.

#![forbid(unsafe_code)]

mod assemble;
mod assume;
mod bounds;
mod calls;
mod contents;
mod dce;
mod draft;
mod draft_sabotage;
mod exits;
mod facts;
mod guards;
mod heap;
mod hints;
mod host;
mod knowledge;
mod lift;
mod node;
mod numbering;
mod order;
mod origins;
mod passes;
mod peel;
mod pure;
mod ranges;
mod refine;
mod remains;
mod remarks;
mod resume;
mod rules;
mod sabotage;
mod same_index;
mod section;
mod shape;
mod short_preamble;
mod simplify;
mod split;
mod strengthen;
mod transfer;
mod variable_index;
mod variants;
mod virtual_state;
mod virtualizable;
mod virtuals;
mod words;

pub use contents::MAX_WORDS as MAX_VIRTUAL_WORDS;
pub use draft::{Ended, Label, OpenSection, Split, TraceBuilder};
pub use draft_sabotage::Sabotage as BuilderSabotage;
pub use host::{GuardKnowledge, Host, OptError, Optimised};
pub use origins::{BuilderInput, BuilderStep};
pub use passes::Passes;
pub use remains::{
    EscapeReason, Residual, ResidualAllocation, ResidualCall, ResidualEscape, ResidualGuard,
    ResidualStore, StoreObserver,
};
pub use remarks::{MissedOptimisation, Remark};
pub use sabotage::Sabotage;
pub use shape::LabelShape;
pub use split::SplitTest;

use rustc_hash::{FxHashMap, FxHashSet};
use section::{Cx, Section};
use short_preamble::Repair;
use std::rc::Rc;
use verdigris_ops::Descrs;
use verdigris_trace::{RecordedTrace, TargetId};
use virtual_state::VirtualState;

/// The optimiser of one VM: knows the labels it handed out and the states they expect.
pub struct Optimiser {
    passes: Passes,
    next_target: u32,
    /// Numbers that are for others than the labels at hand, which go on with the second one.
    skip: Option<(u32, u32)>,
    /// The specialised versions of each loop, by the label of the loop's first entry; the oldest
    /// first.
    loops: FxHashMap<TargetId, Vec<Version>>,
    /// The labels whose code is invalid when a quasi-immutable field is written, or leads to code
    /// that is.
    assuming: FxHashSet<TargetId>,
    /// What the last draft was given, if somebody wants to know.
    given: Option<Vec<BuilderInput>>,
}

/// A specialised version of a loop.
struct Version {
    /// The label of its entry, which assumes nothing.
    entry: TargetId,
    /// The label of its body.
    body: TargetId,
    /// What the body assumes.
    state: Rc<VirtualState>,
}

impl Optimiser {
    /// The passes that it runs.
    pub fn passes(&self) -> Passes {
        self.passes
    }

    /// An optimiser that runs these passes.
    pub fn new(passes: Passes) -> Optimiser {
        Optimiser {
            passes,
            next_target: 0,
            skip: None,
            loops: FxHashMap::default(),
            assuming: FxHashSet::default(),
            given: None,
        }
    }

    /// From now on, what the last [`TraceBuilder`] was given is kept.
    pub fn keep_inputs(&mut self) {
        self.given.get_or_insert_default();
    }

    /// What the last draft was given, section by section in the order of the code; nothing if it
    /// was not kept.
    pub fn take_inputs(&mut self) -> Vec<BuilderInput> {
        self.given.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Optimises a trace that starts at a merge point: a loop, or an entry trace that ends in
    /// another loop or in `finish`. `arrival` are the words that the jump to another loop passed
    /// when the trace was recorded.
    ///
    /// # Errors
    /// If the trace contradicts itself, which a correct recording never does.
    pub fn optimise_loop(
        &mut self,
        trace: &RecordedTrace,
        arrival: Option<&[u64]>,
        descrs: &Descrs,
        host: &mut dyn Host,
    ) -> Result<Optimised, OptError> {
        let mut cx = Cx::new(trace, descrs, host, self.passes);
        cx.arrival = arrival;
        let entry = self.fresh_target();
        if section::closes_own_loop(trace) {
            return self.own_loop(&mut cx, entry, entry);
        }
        let start = Section::at_start(&cx);
        let mut missed_loop = None;
        let mut section =
            section::straight(&mut cx, start, |cx, s| self.leave(cx, s, &mut missed_loop))?;
        section.drop_idle_checks(&cx);
        Ok(self.done(&cx, assemble::entry(entry, section, missed_loop)))
    }

    /// Optimises another version of a loop that has been optimised before, for values of other
    /// shapes: `of` is the loop's first entry label. Traces that end in a jump to it choose the
    /// version whose state they satisfy.
    ///
    /// # Errors
    /// As [`Optimiser::optimise_loop`].
    pub fn optimise_version(
        &mut self,
        trace: &RecordedTrace,
        of: TargetId,
        descrs: &Descrs,
        host: &mut dyn Host,
    ) -> Result<Optimised, OptError> {
        let entry = self.fresh_target();
        let mut cx = Cx::new(trace, descrs, host, self.passes);
        self.own_loop(&mut cx, entry, of)
    }

    /// The versions that a loop has, by its first entry label.
    pub fn versions(&self, of: TargetId) -> usize {
        self.loops.get(&of).map_or(0, Vec::len)
    }

    fn own_loop(
        &mut self,
        cx: &mut Cx<'_>,
        entry: TargetId,
        of: TargetId,
    ) -> Result<Optimised, OptError> {
        if !self.passes.peel {
            let section = peel::unpeeled(cx, entry)?;
            return Ok(self.done(cx, assemble::entry(entry, section, None)));
        }
        let body = self.fresh_target();
        let mut peeled = peel::peel(cx, body)?;
        cx.remarks.append(&mut peeled.remarks);
        self.loops.entry(of).or_default().push(Version {
            entry,
            body,
            state: Rc::new(peeled.state.clone()),
        });
        Ok(self.done(cx, assemble::peeled(entry, body, peeled)))
    }

    /// Optimises a trace that starts where a guard failed, with what was known there. `arrival` are
    /// the words that the jump at its end, if it has one, passed when the trace was recorded.
    ///
    /// # Errors
    /// As [`Optimiser::optimise_loop`].
    pub fn optimise_bridge(
        &mut self,
        trace: &RecordedTrace,
        facts: &GuardKnowledge,
        arrival: Option<&[u64]>,
        descrs: &Descrs,
        host: &mut dyn Host,
    ) -> Result<Optimised, OptError> {
        let mut cx = Cx::new(trace, descrs, host, self.passes);
        cx.arrival = arrival;
        cx.has_made_objects = facts.has_made_objects;
        let start = knowledge::at_bridge(&cx, facts);
        let mut missed_loop = None;
        let mut section =
            section::straight(&mut cx, start, |cx, s| self.leave(cx, s, &mut missed_loop))?;
        section.drop_idle_checks(&cx);
        Ok(self.done(&cx, assemble::bridge(section, missed_loop)))
    }

    /// Forgets labels whose code does not exist (any more): no later trace jumps to their
    /// specialised bodies.
    pub fn forget(&mut self, targets: &[TargetId]) {
        if targets.is_empty() {
            return;
        }
        targets.iter().for_each(|target| {
            self.assuming.remove(target);
        });
        for versions in self.loops.values_mut() {
            versions.retain(|v| !targets.contains(&v.entry) && !targets.contains(&v.body));
        }
        self.loops
            .retain(|of, versions| !targets.contains(of) && !versions.is_empty());
    }

    /// What is done to every trace when it is finished.
    fn done(&mut self, cx: &Cx<'_>, mut optimised: Optimised) -> Optimised {
        optimised.assumptions = cx.assumptions.made().to_vec();
        optimised.remarks = cx.remarks.clone();
        if cx.assumptions.matter() {
            self.assuming.extend(&optimised.targets);
        }
        exits::know_allocations(&mut optimised, cx.has_made_objects);
        if self.passes.exits {
            exits::know_outcomes(&mut optimised);
        }
        optimised
    }

    /// A trace that leads to code that assumes something must not run on either when that is
    /// invalidated.
    fn lead_to(&self, cx: &mut Cx<'_>, target: TargetId) {
        if self.assuming.contains(&target) {
            cx.assumptions.lead_there();
        }
    }

    /// The label that comes next.
    pub fn next_label(&self) -> TargetId {
        TargetId::from_u32(self.next_target)
    }

    /// For replays: the labels that come next have these numbers, and if there are more of them,
    /// those from `spare` on.
    pub fn number_labels(&mut self, numbers: std::ops::Range<u32>, spare: u32) {
        self.next_target = numbers.start;
        self.skip = Some((numbers.end, spare));
    }

    fn fresh_target(&mut self) -> TargetId {
        if let Some((end, spare)) = self.skip
            && self.next_target == end
        {
            self.skip = None;
            self.next_target = spare;
        }
        self.next_target += 1;
        TargetId::from_u32(self.next_target - 1)
    }

    /// Ends a section whose recorded trace leaves for another loop: into the body of the first
    /// version whose state fits, or can be made to fit; else through the entry of the newest, which
    /// was recorded for what came last. A version that keeps in values what was in arrays (an
    /// operand stack, say) is so much better than one for which arrays have to be looked into that
    /// this counts as a miss too, for a loop that may have another version.
    fn leave(
        &self,
        cx: &mut Cx<'_>,
        section: Section,
        missed_loop: &mut Option<TargetId>,
    ) -> Result<Section, OptError> {
        let target = section::last(cx.trace).label();
        let versions = self.loops.get(&target).map_or(&[][..], |v| v);
        let ways: &[Repair] = match cx.passes.short_preamble {
            true => &[Repair::Nothing, Repair::Objects, Repair::Arrays],
            false => &[Repair::Nothing],
        };
        for &repair in ways {
            for v in versions {
                let done = short_preamble::into_body(cx, &section, v.body, &v.state, repair);
                if let Some(done) = done {
                    self.lead_to(cx, v.body);
                    *missed_loop = (repair == Repair::Arrays).then_some(target);
                    return Ok(done);
                }
            }
        }
        *missed_loop = (!versions.is_empty()).then_some(target);
        let entry = versions.last().map_or(target, |v| v.entry);
        self.lead_to(cx, entry);
        Ok(transfer::into_entry(cx, section, entry))
    }
}
