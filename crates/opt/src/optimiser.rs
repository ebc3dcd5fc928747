//! The optimiser of one VM: its entry points for recorded traces, and the labels it has handed out.

use crate::finish::assemble::assemble;
use crate::finish::{dce, guard_outcomes};
use crate::host::{Host, OptError, Optimised};
use crate::labels::short_preamble::{self, Arrival, Repair};
use crate::labels::{guard_knowledge, label_join, peel};
use crate::passes::Passes;
use crate::section::{self, Cx, Section, WholeTrace};
use crate::state::knowledge::GuardKnowledge;
use crate::state::label::VirtualState;
use crate::state::origins::BuilderInput;
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;
use std::rc::Rc;
use verdigris_ops::Descrs;
use verdigris_trace::{Opcode, RecordedTrace, TargetId};

/// The optimiser of one VM.
pub struct Optimiser {
    passes: Passes,
    labels: LabelNumbers,
    /// The specialised versions of each loop, oldest first, by the label of the loop's first entry.
    loops: FxHashMap<TargetId, Vec<Version>>,
    /// The labels whose code assumes values of quasi-immutable fields, or leads to code that does.
    assuming: FxHashSet<TargetId>,
    /// The inputs of the last built trace, if they are kept.
    inputs: Option<Vec<BuilderInput>>,
}

/// Hands out label numbers.
#[derive(Default)]
struct LabelNumbers {
    next: u32,
    /// From the first number on, continue with the second.
    skip: Option<(u32, u32)>,
}

impl LabelNumbers {
    fn fresh(&mut self) -> TargetId {
        if let Some((end, spare)) = self.skip
            && self.next == end
        {
            self.skip = None;
            self.next = spare;
        }
        self.next += 1;
        TargetId::from_u32(self.next - 1)
    }
}

/// A specialised version of a loop.
struct Version {
    /// The label of its entry, which assumes nothing.
    entry: TargetId,
    /// The label of its body.
    body: TargetId,
    /// The state that the body assumes.
    state: Rc<VirtualState>,
}

impl Optimiser {
    /// An optimiser that runs these passes.
    pub fn new(passes: Passes) -> Optimiser {
        Optimiser {
            passes,
            labels: LabelNumbers::default(),
            loops: FxHashMap::default(),
            assuming: FxHashSet::default(),
            inputs: None,
        }
    }

    /// The passes that it runs.
    pub fn passes(&self) -> Passes {
        self.passes
    }

    /// Optimises a trace that starts at a merge point: a loop, or an entry trace that ends in
    /// another loop or in `finish`. `arrival` are the words that the jump to another loop passed
    /// during recording.
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
        self.straight(&mut cx, Some(entry), start)
    }

    /// Optimises another version of a loop, for values of other shapes: `of` is the loop's first
    /// entry label. Traces that jump to it choose the version whose state they satisfy.
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

    /// Optimises a trace that starts at a failed guard, with the knowledge there. `arrival` is as
    /// for [`Optimiser::optimise_loop`].
    ///
    /// # Errors
    /// As [`Optimiser::optimise_loop`].
    pub fn optimise_bridge(
        &mut self,
        trace: &RecordedTrace,
        knowledge: &GuardKnowledge,
        arrival: Option<&[u64]>,
        descrs: &Descrs,
        host: &mut dyn Host,
    ) -> Result<Optimised, OptError> {
        let mut cx = Cx::new(trace, descrs, host, self.passes);
        cx.arrival = arrival;
        cx.has_made_objects = knowledge.has_made_objects;
        let start = guard_knowledge::at_bridge(&cx, knowledge);
        self.straight(&mut cx, None, start)
    }

    /// The number of versions of a loop, given its first entry label.
    pub fn versions(&self, of: TargetId) -> usize {
        self.loops.get(&of).map_or(0, Vec::len)
    }

    /// Forgets labels whose code no longer exists: no later trace jumps to their specialised
    /// bodies.
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

    /// From now on, keeps the inputs of the last trace that was built.
    pub fn keep_inputs(&mut self) {
        self.inputs.get_or_insert_default();
    }

    /// Takes the inputs of the last built trace, section by section in the order of the code. Empty
    /// if they are not kept.
    pub fn take_inputs(&mut self) -> Vec<BuilderInput> {
        self.inputs.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// The next label.
    pub fn next_label(&self) -> TargetId {
        TargetId::from_u32(self.labels.next)
    }

    /// For replays: the next labels get these numbers, and further ones those from `spare` on.
    pub fn number_labels(&mut self, numbers: Range<u32>, spare: u32) {
        self.labels = LabelNumbers {
            next: numbers.start,
            skip: Some((numbers.end, spare)),
        };
    }

    pub(crate) fn fresh_target(&mut self) -> TargetId {
        self.labels.fresh()
    }

    pub(crate) fn keeps_inputs(&self) -> bool {
        self.inputs.is_some()
    }

    /// Sets the inputs of a built trace, if they are kept.
    pub(crate) fn set_inputs(&mut self, inputs: Vec<BuilderInput>) {
        if let Some(kept) = &mut self.inputs {
            *kept = inputs;
        }
    }

    /// Optimises a trace that is a loop of its own.
    fn own_loop(
        &mut self,
        cx: &mut Cx<'_>,
        entry: TargetId,
        of: TargetId,
    ) -> Result<Optimised, OptError> {
        if !self.passes.peel {
            let section = peel::unpeeled(cx, entry)?;
            let optimised = assemble(Some(entry), [(Some(entry), section)]);
            return Ok(self.complete(cx, optimised));
        }
        let body = self.fresh_target();
        let mut peeled = peel::peel(cx, body)?;
        cx.whole.remarks.append(&mut peeled.remarks);
        self.loops.entry(of).or_default().push(Version {
            entry,
            body,
            state: Rc::new(peeled.state),
        });
        let sections = [(Some(entry), peeled.entry), (Some(body), peeled.body)];
        Ok(self.complete(cx, assemble(Some(entry), sections)))
    }

    /// Optimises a trace that is not a loop of its own, and starts with this section.
    fn straight(
        &mut self,
        cx: &mut Cx<'_>,
        entry: Option<TargetId>,
        mut section: Section,
    ) -> Result<Optimised, OptError> {
        section.run(cx)?;
        let mut missed_loop = None;
        let last = section::last(cx.trace);
        match last.opcode() {
            Opcode::Jump => (section, missed_loop) = self.leave(cx, section),
            Opcode::Leave => {
                cx.at = cx.trace.ops().len() - 1;
                section.guard(cx, last)?;
            }
            _ => section.finish(cx),
        }
        section.drop_idle_checks(cx);
        dce::remove_dead(&mut section);
        let optimised = Optimised {
            missed_loop,
            ..assemble(entry, [(entry, section)])
        };
        Ok(self.complete(cx, optimised))
    }

    /// Ends a section whose recorded trace jumps to another loop, and returns that loop if it
    /// should get another version.
    ///
    /// The jump goes into the body of the first version whose state fits or can be made to fit;
    /// else through the entry of the newest version, which was recorded for the latest values. A
    /// version that keeps array items in values, such as an operand stack, is so much better than
    /// one for which arrays must be looked into that the latter counts as a miss too.
    fn leave(&self, cx: &mut Cx<'_>, section: Section) -> (Section, Option<TargetId>) {
        let target = section::last(cx.trace).label();
        let versions = self.loops.get(&target).map_or(&[][..], |v| v);
        let repairs: &[Repair] = match cx.passes.short_preamble {
            true => &[Repair::Nothing, Repair::Objects, Repair::Arrays],
            false => &[Repair::Nothing],
        };
        let mut arrivals = Vec::new();
        for &repair in repairs {
            for (n, v) in versions.iter().enumerate() {
                if n == arrivals.len() {
                    arrivals.push(Arrival::new(cx, &section, &v.state));
                }
                let done = short_preamble::into_body(cx, &arrivals[n], v.body, &v.state, repair);
                if let Some(done) = done {
                    self.lead_to(&mut cx.whole, v.body);
                    return (done, (repair == Repair::Arrays).then_some(target));
                }
            }
        }
        let entry = versions.last().map_or(target, |v| v.entry);
        self.lead_to(&mut cx.whole, entry);
        let section = label_join::into_entry(cx, section, entry);
        (section, (!versions.is_empty()).then_some(target))
    }

    /// A trace that leads to code with assumptions must stop running when that is invalidated.
    pub(crate) fn lead_to(&self, whole: &mut WholeTrace, target: TargetId) {
        if self.assuming.contains(&target) {
            whole.assumptions.lead_to_assuming();
        }
    }

    /// Completes an assembled trace with what is known of it as a whole.
    pub(crate) fn complete(&mut self, cx: &Cx<'_>, mut optimised: Optimised) -> Optimised {
        optimised.assumptions = cx.whole.assumptions.made().to_vec();
        optimised.remarks = cx.whole.remarks.clone();
        if cx.whole.assumptions.matter() {
            self.assuming.extend(&optimised.targets);
        }
        guard_outcomes::know_allocations(&mut optimised, cx.has_made_objects);
        if self.passes.exits {
            guard_outcomes::know_outcomes(&mut optimised);
        }
        optimised
    }
}
