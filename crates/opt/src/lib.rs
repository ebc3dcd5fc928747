//! The trace optimiser.
//!
//! In: a recorded [`Trace`] (guards carry snapshots). Out: an equivalent trace whose guards carry resume data
//! ([`Optimised`]): a loop becomes `label entry ... label body ... jump body`, where the entry section runs the first
//! iterations and the body is specialised to the state that they leave behind; a bridge becomes straight-line code that
//! jumps to the most specialised label whose state it satisfies.
//!
//! Invariant: results, heap effects, and the interpreter's state at every exit are those of the recorded trace; the trace
//! interpreter is the judge. Sources: "Allocation Removal by Partial Evaluation in a Tracing JIT" (2011), sections 4
//! to 6; "Loop-Aware Optimizations in PyPy's Tracing JIT" (2012) for the idea of peeling.

#![forbid(unsafe_code)]

mod assemble;
mod bounds;
mod calls;
mod dce;
mod guards;
mod heap;
mod host;
mod knowledge;
mod learn;
mod node;
mod passes;
mod peel;
mod pure;
mod resume;
mod rules;
mod section;
mod simplify;
mod state;
mod transfer;
mod virtuals;

pub use host::{GuardFacts, Host, OptError, Optimised};
pub use passes::Passes;

use rules::Fired;
use rustc_hash::FxHashMap;
use section::{Cx, Section};
use state::LabelState;
use std::rc::Rc;
use verdigris_ops::Descrs;
use verdigris_trace::{TargetId, Trace};

/// The optimiser of one VM: knows the labels it handed out and the states they expect.
pub struct Optimiser {
    passes: Passes,
    next_target: u32,
    /// For each entry label, the specialised label behind it.
    bodies: FxHashMap<TargetId, (TargetId, Rc<LabelState>)>,
    /// Which rules of algebra have been applied.
    fired: Fired,
}

impl Optimiser {
    /// An optimiser that runs these passes.
    pub fn new(passes: Passes) -> Optimiser {
        Optimiser {
            passes,
            next_target: 0,
            bodies: FxHashMap::default(),
            fired: Fired::default(),
        }
    }

    /// Optimises a trace that starts at a merge point: a loop, or an entry trace that ends in another loop or in `finish`.
    ///
    /// # Errors
    /// If the trace contradicts itself, which a correct recording never does.
    pub fn optimise_loop(
        &mut self,
        trace: &Trace,
        descrs: &Descrs,
        host: &mut dyn Host,
    ) -> Result<Optimised, OptError> {
        let mut cx = Cx::new(trace, descrs, host, self.passes);
        let done = self.entry_or_loop(&mut cx);
        self.fired.add(&cx.fired);
        done
    }

    fn entry_or_loop(&mut self, cx: &mut Cx<'_>) -> Result<Optimised, OptError> {
        let entry = self.fresh_target();
        if !section::closes_own_loop(cx.trace) {
            let start = Section::at_start(cx);
            let section = section::straight(cx, start, |cx, s| self.leave(cx, s))?;
            return Ok(assemble::entry(entry, section));
        }
        if !self.passes.peel {
            let section = peel::unpeeled(cx, entry)?;
            return Ok(assemble::entry(entry, section));
        }
        let body = self.fresh_target();
        let peeled = peel::peel(cx, body)?;
        self.bodies
            .insert(entry, (body, Rc::new(peeled.state.clone())));
        Ok(assemble::peeled(entry, body, peeled))
    }

    /// Optimises a trace that starts where a guard failed, with what was known there.
    ///
    /// # Errors
    /// As [`Optimiser::optimise_loop`].
    pub fn optimise_bridge(
        &mut self,
        trace: &Trace,
        facts: &GuardFacts,
        descrs: &Descrs,
        host: &mut dyn Host,
    ) -> Result<Optimised, OptError> {
        let mut cx = Cx::new(trace, descrs, host, self.passes);
        let start = knowledge::at_bridge(&cx, facts);
        let section = section::straight(&mut cx, start, |cx, s| self.leave(cx, s));
        self.fired.add(&cx.fired);
        Ok(assemble::bridge(section?))
    }

    /// The rules of algebra that have been applied, and how often.
    pub fn rules_fired(&self) -> impl Iterator<Item = (&'static str, u32)> + '_ {
        self.fired.iter()
    }

    /// Forgets labels whose code does not exist (any more): no later trace jumps to their specialised bodies.
    pub fn forget(&mut self, targets: &[TargetId]) {
        self.bodies
            .retain(|entry, (body, _)| !targets.contains(entry) && !targets.contains(body));
    }

    fn fresh_target(&mut self) -> TargetId {
        self.next_target += 1;
        TargetId::from_u32(self.next_target - 1)
    }

    /// Ends a section whose recorded trace leaves for another loop's entry label: into that loop's body if the state
    /// fits, else through its entry.
    fn leave(&self, cx: &mut Cx<'_>, section: Section) -> Result<Section, OptError> {
        let target = TargetId::from_u32(section::last(cx.trace).descr);
        if let Some((body, state)) = self.bodies.get(&target)
            && let Some(done) = transfer::into_body(cx, &section, *body, state)
        {
            return Ok(done);
        }
        Ok(transfer::into_entry(cx, section, target))
    }
}
