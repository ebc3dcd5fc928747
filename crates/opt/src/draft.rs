//! Code that is not recorded but written: sections that grow while somebody decides what comes
//! next.
//!
//! In: operations, which are pushed on the recorded trace of a [`OpenSection`], and decisions: where a
//! open splits, where several meet at a label, how it ends. Out: [`Optimised`], a trace of
//! several sections, in which guards have sides. Whoever decides can ask what the optimiser knows
//! of a value. Invariants: a open's section does what its trace says as far as it was
//! [advanced](TraceBuilder::advance); a side starts with what was known at its guard and what the guard's
//! failure says; a label is entered only with a state of the label's shape.
//!
//! This is what partial evaluation needs of an optimiser: there has been no run, so both sides of a
//! branch are there, and a guard that cannot hold is an end and no contradiction. Source: "Get Your
//! Own Just-In-Time Specializing Compiler For Free" (2007), section 2, for what is kept across
//! splits and merges: constants, virtual structures, locations.

use crate::assemble;
use crate::assume::Assumptions;
use crate::draft_sabotage::Sabotage;
use crate::guards::Guard;
use crate::heap::{Limits, is_immutable};
use crate::host::{GuardKnowledge, Host, OptError, Optimised};
use crate::node::NodeId;
use crate::origins::{BuilderInput, BuilderStep};
use crate::remarks::Remark;
use crate::section::{Cx, Section};
use crate::shape::LabelShape;
use crate::split::SplitTest;
use crate::transfer;
use crate::virtual_state::{Extent, VirtualState, export_with};
use crate::{Optimiser, Passes};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;
use std::rc::Rc;
use verdigris_ops::{ClassId, DataOp, Descrs, FnId, HeapSlot, Ty};
use verdigris_trace::{Arg, Const, Descr, Exit, Opcode, RecordedTrace, SnapshotId, TargetId};

/// A section in the making, and the operations that lead there.
pub struct OpenSection {
    /// What the section does, beside what its start has established. Operations are pushed here;
    /// guards with snapshots of the frames.
    pub trace: RecordedTrace,
    section: Section,
    /// None at the start of a bridge.
    label: Option<TargetId>,
    /// So many operations are in the section.
    advanced: usize,
    /// What has been done, if somebody has asked for it.
    steps: Option<Vec<BuilderStep>>,
    /// A number for where the guest program is: guards hand it on to code that goes on behind them,
    /// which has nothing else to know it by.
    pub place: Option<u32>,
}

impl OpenSection {
    /// The constant that a value is known to be.
    pub fn constant(&self, value: Arg) -> Option<Const> {
        match value {
            Arg::Const(c) => Some(c),
            Arg::Ref(v) => self.section.nodes.as_const(self.section.node_of(v)?),
        }
    }

    /// Whether a value is an object that has not been made yet.
    pub fn is_virtual(&self, value: Arg) -> bool {
        let node = value.as_ref().and_then(|v| self.section.node_of(v));
        node.is_some_and(|n| self.section.nodes.as_virtual(n).is_some())
    }

    /// What is pushed from here on comes from this instruction of the interpreter.
    pub fn step(&mut self, code: u32, pc: u32) {
        if let Some(steps) = &mut self.steps {
            let ops = self.trace.ops().len() as u32;
            steps.push(BuilderStep { code, pc, ops });
            self.section.origins.step();
        }
    }

    /// How many operations of the trace the section has done.
    pub fn advanced(&self) -> usize {
        self.advanced
    }
}

/// A place in code that several strands may go to.
#[derive(Clone, Debug)]
pub struct Label {
    pub(crate) target: TargetId,
    /// What is assumed there.
    pub shape: Rc<LabelShape>,
}

impl Label {
    /// The label's number in traces.
    pub fn target(&self) -> TargetId {
        self.target
    }
}

/// What a split leads to.
pub enum Split {
    /// The test is known to hold.
    Holds,
    /// The test is known to fail.
    Fails,
    /// The open goes on where the test holds, and this one where it fails.
    Side(Box<OpenSection>),
}

/// The open has ended: a guard in it cannot hold, so it leaves there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ended;

/// What outlives the open at hand.
#[derive(Default)]
struct Carried {
    assumptions: Assumptions,
    late: FxHashSet<HeapSlot>,
    remarks: Vec<Remark>,
}

/// Code in the making.
pub struct TraceBuilder<'a> {
    optimiser: &'a mut Optimiser,
    descrs: &'a Descrs,
    host: &'a mut dyn Host,
    carried: Carried,
    /// The sections that have ended, with their labels, in the order of their ends.
    done: Vec<(Option<TargetId>, Section)>,
    /// What they were given, if somebody has asked for it.
    given: Vec<BuilderInput>,
    /// None for a bridge.
    entry: Option<TargetId>,
    /// Objects may have been made in front of where it starts: see [`GuardKnowledge`].
    has_made_objects: bool,
}

impl<'a> TraceBuilder<'a> {
    /// Begins code that takes values of these types; and its first open, whose trace has them as
    /// inputs.
    pub fn new(
        optimiser: &'a mut Optimiser,
        descrs: &'a Descrs,
        host: &'a mut dyn Host,
        types: &[Ty],
    ) -> (TraceBuilder<'a>, OpenSection) {
        let entry = Some(optimiser.fresh_target());
        TraceBuilder::begin(
            optimiser,
            descrs,
            host,
            entry,
            &VirtualState::generic(types),
            types,
        )
    }

    /// Begins a bridge from a guard whose fail arguments have these types; and its first open,
    /// whose trace has them as inputs.
    pub fn bridge(
        optimiser: &'a mut Optimiser,
        descrs: &'a Descrs,
        host: &'a mut dyn Host,
        facts: &GuardKnowledge,
        types: &[Ty],
    ) -> (TraceBuilder<'a>, OpenSection) {
        let generic;
        let state = match &facts.known {
            Some(known) => &known.state,
            None => {
                generic = VirtualState::generic(types);
                &generic
            }
        };
        let (mut builder, mut open) =
            TraceBuilder::begin(optimiser, descrs, host, None, state, types);
        builder.has_made_objects = facts.has_made_objects;
        open.place = facts.place;
        (builder, open)
    }

    fn begin(
        optimiser: &'a mut Optimiser,
        descrs: &'a Descrs,
        host: &'a mut dyn Host,
        entry: Option<TargetId>,
        state: &VirtualState,
        types: &[Ty],
    ) -> (TraceBuilder<'a>, OpenSection) {
        let builder = TraceBuilder {
            optimiser,
            descrs,
            host,
            carried: Carried::default(),
            done: Vec::new(),
            given: Vec::new(),
            entry,
            has_made_objects: false,
        };
        let open = builder.enter(state, entry, types);
        (builder, open)
    }

    /// The label at the start, which assumes nothing.
    ///
    /// # Panics
    /// If this is a bridge.
    pub fn entry(&self, types: &[Ty]) -> Label {
        Label {
            target: self.entry.expect("a bridge starts without a label"),
            shape: Rc::new(LabelShape::any(types)),
        }
    }

    /// Brings the section up to the end of the trace.
    ///
    /// # Errors
    /// If a guard of the trace cannot hold: the section leaves in its place.
    pub fn advance(&mut self, open: &mut OpenSection) -> Result<(), Ended> {
        let ops = open.advanced..open.trace.ops().len();
        open.advanced = ops.end;
        let failed = self.with(open, |cx, section| {
            let result = section.run_over(cx, ops);
            match result {
                Ok(()) => None,
                Err(OptError::Contradiction) => cx.trace.ops().at(cx.at).snapshot(),
            }
        });
        match failed {
            None => Ok(()),
            Some(snapshot) => {
                self.leave_from(open, snapshot);
                Err(Ended)
            }
        }
    }

    /// The class that an object is known to have.
    pub fn class_of(&mut self, open: &mut OpenSection, object: Arg) -> Option<ClassId> {
        self.with(open, |cx, section| {
            let n = section.node(object);
            section.class_of(cx, n)
        })
    }

    /// The class of a live object.
    pub fn class_of_live(&self, object: u64) -> Option<ClassId> {
        self.host.class_of(object)
    }

    /// What a load from a live object gives, if that never changes. The object is not null, and an
    /// index within bounds.
    pub fn load(&mut self, op: DataOp, words: &[u64], descr: Descr) -> Option<u64> {
        is_immutable(self.descrs, op, descr).then(|| self.host.load(op, words, descr))
    }

    /// The results of an elidable function; none if it panics.
    pub fn call(&mut self, function: FnId, words: &[u64]) -> Option<Vec<u64>> {
        self.host.call(function, words)
    }

    /// Whether a function says yes to these values; no if it panics.
    pub fn asks(&mut self, function: FnId, values: &[Const]) -> bool {
        let words: Vec<u64> = values.iter().map(|value| value.word()).collect();
        let answer = self.host.call(function, &words);
        answer.is_some_and(|words| words[0] != 0)
    }

    /// Whether this code may go on at the place with these greens, to which the guest program calls
    /// or jumps back.
    pub fn may_go_on_at(&mut self, greens: &[Const]) -> bool {
        let words: Vec<u64> = greens.iter().map(|green| green.word()).collect();
        self.host.may_specialise(&words)
    }

    /// Splits a open that is advanced. The inputs of the new open's trace are these values, in
    /// this order; the types are those of the registers that hold them.
    pub fn split(
        &mut self,
        open: &mut OpenSection,
        test: SplitTest<'_>,
        values: &[(Arg, Ty)],
    ) -> Split {
        let nodes = |section: &mut Section| -> SmallVec<[NodeId; 3]> {
            test.args.iter().map(|&arg| section.node(arg)).collect()
        };
        let known = self.with(open, |cx, section| {
            let args = nodes(section);
            section.decide(cx, test, &args)
        });
        match known {
            Some(true) => return Split::Holds,
            Some(false) => return Split::Fails,
            None => {}
        }
        let label = self.optimiser.fresh_target();
        let state = self.with(open, |cx, section| {
            let args = nodes(section);
            let roots: Vec<NodeId> = values.iter().map(|&(arg, _)| section.node(arg)).collect();
            section.split(cx, test, &args, &roots, label)
        });
        let types: Vec<Ty> = values.iter().map(|&(_, ty)| ty).collect();
        let mut side = self.enter(&state, Some(label), &types);
        side.place = open.place;
        Split::Side(Box::new(side))
    }

    /// The shape that a open, which is advanced, would give a label at its end.
    pub fn shape(&mut self, open: &mut OpenSection, values: &[Arg]) -> LabelShape {
        self.with(open, |cx, section| {
            let roots: Vec<NodeId> = values.iter().map(|&arg| section.node(arg)).collect();
            LabelShape::of(export_with(cx, section, &roots, Extent::Shape).0)
        })
    }

    /// The shape that both this one and the open satisfy.
    pub fn join(
        &mut self,
        open: &mut OpenSection,
        values: &[Arg],
        shape: &LabelShape,
    ) -> LabelShape {
        self.with(open, |cx, section| {
            let roots: Vec<NodeId> = values.iter().map(|&arg| section.node(arg)).collect();
            LabelShape::of(transfer::join(cx, &shape.state, section, &roots).state)
        })
    }

    /// A label of this shape, and the open behind it. Its inputs are the values that make the
    /// shape.
    pub fn label(&mut self, shape: LabelShape, types: &[Ty]) -> (Label, OpenSection) {
        let target = self.optimiser.fresh_target();
        let open = self.enter(&shape.state, Some(target), types);
        let shape = Rc::new(shape);
        (Label { target, shape }, open)
    }

    /// Ends a open with a jump to a label, if it satisfies the label's shape or can be made to;
    /// else gives it back.
    pub fn jump(
        &mut self,
        mut open: Box<OpenSection>,
        values: &[Arg],
        label: &Label,
    ) -> Result<(), Box<OpenSection>> {
        let shape = Rc::clone(&label.shape);
        let state = &shape.state;
        let roots: Vec<NodeId> = values.iter().map(|&arg| open.section.node(arg)).collect();
        // What does not fit now never will: settling makes objects and does stores, which is all
        // that it changes.
        let is_settled = self.with(&mut open, |cx, section| {
            let joined = transfer::join(cx, state, section, &roots);
            joined
                .fits_facts()
                .then(|| transfer::is_settled(&joined, state, section))
        });
        let Some(is_settled) = is_settled else {
            return Err(open);
        };
        let before = (!is_settled).then(|| open.section.clone());
        let fits = self.with(&mut open, |cx, section| {
            transfer::settle(cx, state, section, &roots);
            let joined = transfer::join(cx, state, section, &roots);
            let fits = joined.fits_facts() && !joined.needs_phantom(state, section);
            if fits {
                transfer::jump_to(section, &joined, state, label.target);
            }
            fits
        });
        if !fits {
            if let Some(before) = before {
                open.section = before;
            }
            return Err(open);
        }
        if self.optimiser.assuming.contains(&label.target) {
            self.carried.assumptions.lead_there();
        }
        self.end(*open);
        Ok(())
    }

    /// Ends a open with a jump to a label that assumes nothing ([`LabelShape::any`]).
    pub fn jump_to_any(&mut self, mut open: OpenSection, values: &[(Arg, Ty)], label: &Label) {
        if self.optimiser.assuming.contains(&label.target) {
            self.carried.assumptions.lead_there();
        }
        self.with(&mut open, |cx, section| {
            let roots: Vec<NodeId> = values.iter().map(|&(arg, _)| section.node(arg)).collect();
            let types: Vec<Ty> = values.iter().map(|&(_, ty)| ty).collect();
            let args = section.force_all_as(cx, &roots, &types);
            if !Sabotage::JoinStores.is_on() {
                section.flush_all(cx);
            }
            section.jump(label.target, &args);
        });
        self.end(open);
    }

    /// Ends a open with the results of the portal, which are the arguments of the `finish` that
    /// its trace ends in.
    pub fn finish(&mut self, mut open: OpenSection) {
        self.with(&mut open, |cx, section| section.finish(cx));
        self.end(open);
    }

    /// Ends a open with a jump to the code that a record names: its trace ends in this `thread`.
    pub fn thread(&mut self, mut open: OpenSection) {
        self.with(&mut open, |cx, section| section.thread(cx));
        self.end(open);
    }

    /// Ends a open, which is advanced: whoever comes here goes on outside, from these frames.
    pub fn leave(&mut self, mut open: OpenSection, snapshot: SnapshotId) {
        self.leave_from(&mut open, snapshot);
        self.end(open);
    }

    fn leave_from(&mut self, open: &mut OpenSection, snapshot: SnapshotId) {
        self.with(open, |cx, section| {
            let guard = Guard {
                opcode: Opcode::Leave,
                descr: Descr::None,
                snapshot,
            };
            section.emit_guard(cx, guard, &[]);
        });
    }

    /// Ends a open that has [`Ended`].
    pub fn end(&mut self, open: OpenSection) {
        if let Some(steps) = open.steps {
            self.given.push(BuilderInput {
                label: open.label,
                trace: open.trace,
                steps,
                origins: Vec::new(),
            });
        }
        self.done.push((open.label, open.section));
    }

    /// The code, when all strands have ended.
    pub fn done(mut self) -> Optimised {
        let passes = self.passes();
        let mut sections = std::mem::take(&mut self.done);
        // The interpreter enters at the start.
        let first = sections.iter().position(|(label, _)| *label == self.entry);
        let first = first.expect("the first open has ended");
        sections[..=first].rotate_right(1);
        if !self.given.is_empty() {
            self.given[..=first].rotate_right(1);
        }
        let makes_objects = self.has_made_objects || sections.iter().any(|(_, s)| s.allocates());
        let matters = self.carried.assumptions.matter();
        for (_, section) in &mut sections {
            section.drop_checks(matters, makes_objects);
        }
        let trace = RecordedTrace::default();
        let (mut optimised, origins) = assemble::sections(self.entry, sections);
        for (given, origins) in self.given.iter_mut().zip(origins) {
            given.origins = origins.steps(&given.steps);
        }
        if let Some(given) = &mut self.optimiser.given {
            *given = self.given;
        }
        let mut cx = self.carried.into_cx(&trace, self.descrs, self.host, passes);
        // Ways lead from anywhere to anywhere.
        cx.has_made_objects = makes_objects;
        optimised = self.optimiser.done(&cx, optimised);
        // No bridge starts at a side.
        let mut exits = optimised.trace.exits.values();
        let mut leads_out = || matches!(exits.next(), Some(Exit::Out { .. }));
        optimised.guard_knowledge.retain(|_| leads_out());
        optimised
    }

    /// What is done. Code that is written is about constants: without folding, whoever writes would
    /// not find out which instruction is next.
    fn passes(&self) -> Passes {
        Passes {
            fold: true,
            ..self.optimiser.passes
        }
    }

    /// Does something to a open's section.
    fn with<R>(
        &mut self,
        open: &mut OpenSection,
        f: impl FnOnce(&mut Cx<'_>, &mut Section) -> R,
    ) -> R {
        let carried = std::mem::take(&mut self.carried);
        let passes = self.passes();
        let mut cx = carried.into_cx(&open.trace, self.descrs, self.host, passes);
        open.section.place = open.place;
        let result = f(&mut cx, &mut open.section);
        let section = &mut open.section;
        (section.origins).note(section.out.ops().len(), open.trace.ops().len());
        self.carried = Carried::of(cx);
        result
    }

    /// The open behind a label at which this is known to hold.
    fn enter(&self, state: &VirtualState, label: Option<TargetId>, types: &[Ty]) -> OpenSection {
        let (mut section, roots) = state.rely(self.descrs);
        let keeps = self.optimiser.given.is_some();
        section.origins.keep(keeps);
        let mut trace = RecordedTrace::default();
        trace.inputs = types.iter().map(|&ty| trace.value(ty)).collect();
        section.bind(&trace.inputs, &roots);
        OpenSection {
            trace,
            section,
            label,
            advanced: 0,
            steps: keeps.then(Vec::new),
            place: None,
        }
    }
}

impl Carried {
    /// The context of the open at hand. [`Cx::new`] would go through the whole trace each time
    /// that it has grown.
    fn into_cx<'c>(
        self,
        trace: &'c RecordedTrace,
        descrs: &'c Descrs,
        host: &'c mut dyn Host,
        passes: Passes,
    ) -> Cx<'c> {
        Cx {
            trace,
            descrs,
            host,
            passes,
            arrival: None,
            has_made_objects: false,
            assumptions: self.assumptions,
            check_hints: false,
            at: 0,
            limits: Limits::new(passes.delayed),
            late: self.late,
            remarks: self.remarks,
            is_written: true,
        }
    }

    fn of(cx: Cx<'_>) -> Carried {
        Carried {
            assumptions: cx.assumptions,
            late: cx.late,
            remarks: cx.remarks,
        }
    }
}
