//! Builds a trace of several sections without a run: the optimiser side of partial evaluation.
//!
//! The caller pushes operations on an [`OpenSection`] and decides where it splits, where sections
//! meet at a label, and how each ends; it can ask what the optimiser knows of a value. The result
//! is an [`Optimised`] trace whose guards may lead to sides. Both sides of a branch exist, and a
//! guard that cannot hold ends its section instead of being a contradiction.
//!
//! Invariants: a section has done the operations of its trace up to where it was
//! [advanced](TraceBuilder::advance); a side starts with the knowledge at its guard and what the
//! guard's failure shows; a label is entered only with a state of the label's shape.
//!
//! Source: "Get Your Own Just-In-Time Specializing Compiler For Free" (2007), section 2, for what
//! is kept across splits and merges: constants, virtual structures, locations.

use super::open_section::{Ended, Label, OpenSection, Split};
use crate::builder_sabotage::Sabotage;
use crate::finish::assemble::assemble;
use crate::finish::dce;
use crate::host::{Host, OptError, Optimised};
use crate::labels::export::{Extent, export_with};
use crate::labels::label_join;
use crate::labels::shape::LabelShape;
use crate::labels::split::SplitTest;
use crate::optimiser::Optimiser;
use crate::passes::Passes;
use crate::passes::heap::is_immutable;
use crate::section::{Cx, Section, WholeTrace};
use crate::state::guard_table::Guard;
use crate::state::knowledge::GuardKnowledge;
use crate::state::label::VirtualState;
use crate::state::node::NodeId;
use crate::state::origins::{BuilderInput, Origins};
use smallvec::SmallVec;
use std::rc::Rc;
use verdigris_ops::{ClassId, DataOp, Descrs, FnId, Ty};
use verdigris_trace::{Arg, Const, Descr, Exit, Opcode, RecordedTrace, SnapshotId, TargetId};

/// A trace that is being built.
pub struct TraceBuilder<'a> {
    optimiser: &'a mut Optimiser,
    descrs: &'a Descrs,
    host: &'a mut dyn Host,
    whole: WholeTrace,
    /// The sections that have ended, with their labels, in the order of their ends.
    done: Vec<(Option<TargetId>, Section)>,
    /// Their inputs, if they are kept.
    inputs: Vec<BuilderInput>,
    /// `None` for a bridge.
    entry: Option<TargetId>,
    /// Objects may have been allocated in front of the trace: see [`GuardKnowledge`].
    has_made_objects: bool,
}

impl<'a> TraceBuilder<'a> {
    /// Starts a trace that takes values of these types, and its first section, whose trace has them
    /// as inputs.
    pub fn new(
        optimiser: &'a mut Optimiser,
        descrs: &'a Descrs,
        host: &'a mut dyn Host,
        types: &[Ty],
    ) -> (TraceBuilder<'a>, OpenSection) {
        let entry = Some(optimiser.fresh_target());
        let state = VirtualState::generic(types);
        TraceBuilder::start(optimiser, descrs, host, entry, &state, types)
    }

    /// Starts a bridge from a guard whose fail arguments have these types, and its first section,
    /// whose trace has them as inputs.
    pub fn bridge(
        optimiser: &'a mut Optimiser,
        descrs: &'a Descrs,
        host: &'a mut dyn Host,
        knowledge: &GuardKnowledge,
        types: &[Ty],
    ) -> (TraceBuilder<'a>, OpenSection) {
        let generic;
        let state = match &knowledge.known {
            Some(known) => &known.state,
            None => {
                generic = VirtualState::generic(types);
                &generic
            }
        };
        let (mut builder, mut open) =
            TraceBuilder::start(optimiser, descrs, host, None, state, types);
        builder.has_made_objects = knowledge.has_made_objects;
        open.place = knowledge.place;
        (builder, open)
    }

    fn start(
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
            whole: WholeTrace::default(),
            done: Vec::new(),
            inputs: Vec::new(),
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

    /// Optimises the operations that have been pushed since the last call.
    ///
    /// # Errors
    /// If a guard among them cannot hold: the section ends with an exit in its place.
    pub fn advance(&mut self, open: &mut OpenSection) -> Result<(), Ended> {
        let ops = open.advanced..open.trace.ops().len();
        open.advanced = ops.end;
        let failed = self.with(open, |cx, section| match section.run_over(cx, ops) {
            Ok(()) => None,
            Err(OptError::Contradiction | OptError::PromotesNew) => {
                cx.trace.ops().at(cx.at).snapshot()
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

    /// The result of a load from a live object, if it never changes. The object is not null, and an
    /// index is within bounds.
    pub fn load(&mut self, op: DataOp, words: &[u64], descr: Descr) -> Option<u64> {
        is_immutable(self.descrs, op, descr).then(|| self.host.load(op, words, descr))
    }

    /// The results of an elidable function. `None` if it panics.
    pub fn call(&mut self, function: FnId, words: &[u64]) -> Option<Vec<u64>> {
        self.host.call(function, words)
    }

    /// Whether a predicate holds of these values. False if it panics.
    pub fn predicate(&mut self, function: FnId, values: &[Const]) -> bool {
        let words: Vec<u64> = values.iter().map(|value| value.word()).collect();
        let result = self.host.call(function, &words);
        result.is_some_and(|words| words[0] != 0)
    }

    /// Whether this trace may continue at the merge point with these greens, which the guest
    /// program calls or jumps back to.
    pub fn may_specialise(&mut self, greens: &[Const]) -> bool {
        let words: Vec<u64> = greens.iter().map(|green| green.word()).collect();
        self.host.may_specialise(&words)
    }

    /// Splits an advanced section at a test. The new section's trace has these values as inputs, in
    /// this order, with the types of the registers that hold them.
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

    /// The shape that an advanced section would give a label at its end.
    pub fn shape(&mut self, open: &mut OpenSection, values: &[Arg]) -> LabelShape {
        self.with(open, |cx, section| {
            let roots = section.nodes_of(values);
            LabelShape::of(export_with(cx, section, &roots, Extent::Shape).0)
        })
    }

    /// The shape that both `shape` and the section satisfy.
    pub fn join(
        &mut self,
        open: &mut OpenSection,
        values: &[Arg],
        shape: &LabelShape,
    ) -> LabelShape {
        self.with(open, |cx, section| {
            let roots = section.nodes_of(values);
            LabelShape::of(label_join::join(cx, &shape.state, section, &roots).state)
        })
    }

    /// A new label, and the section behind it. Its inputs are the values that make the shape.
    pub fn label(&mut self, shape: LabelShape, types: &[Ty]) -> (Label, OpenSection) {
        let target = self.optimiser.fresh_target();
        let open = self.enter(&shape.state, Some(target), types);
        let shape = Rc::new(shape);
        (Label { target, shape }, open)
    }

    /// Ends a section with a jump to a label.
    ///
    /// # Errors
    /// Returns the section unchanged if it does not satisfy the label's shape and cannot be made
    /// to.
    pub fn jump(
        &mut self,
        mut open: Box<OpenSection>,
        values: &[Arg],
        label: &Label,
    ) -> Result<(), Box<OpenSection>> {
        let shape = Rc::clone(&label.shape);
        let state = &shape.state;
        let roots = open.section.nodes_of(values);
        // What does not fit now never will: preparing a jump only allocates objects and does
        // stores.
        let is_prepared = self.with(&mut open, |cx, section| {
            let joined = label_join::join(cx, state, section, &roots);
            joined
                .fits_facts()
                .then(|| label_join::is_prepared(&joined, state, section))
        });
        let Some(is_prepared) = is_prepared else {
            return Err(open);
        };
        let before = (!is_prepared).then(|| open.section.clone());
        let fits = self.with(&mut open, |cx, section| {
            let joined = label_join::prepare_jump(cx, state, section, &roots);
            let fits = joined.fits_facts() && !joined.needs_phantom(state, section);
            if fits {
                label_join::jump_to(section, &joined, state, label.target);
            }
            fits
        });
        if !fits {
            if let Some(before) = before {
                open.section = before;
            }
            return Err(open);
        }
        self.lead_to(label);
        self.end(*open);
        Ok(())
    }

    /// Ends a section with a jump to a label that assumes nothing ([`LabelShape::any`]).
    pub fn jump_to_any(&mut self, mut open: OpenSection, values: &[(Arg, Ty)], label: &Label) {
        self.lead_to(label);
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

    fn lead_to(&mut self, label: &Label) {
        self.optimiser.lead_to(&mut self.whole, label.target);
    }

    /// Ends a section with the results of the portal: the arguments of the `finish` at the end of
    /// its trace.
    pub fn finish(&mut self, mut open: OpenSection) {
        self.with(&mut open, |cx, section| section.finish(cx));
        self.end(open);
    }

    /// Ends a section with a jump to the code that a record names: its trace ends in this `thread`.
    pub fn thread(&mut self, mut open: OpenSection) {
        self.with(&mut open, |cx, section| section.thread(cx));
        self.end(open);
    }

    /// Ends an advanced section with an exit: the interpreter continues from these frames.
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

    /// Adds a section that has [`Ended`].
    pub fn end(&mut self, open: OpenSection) {
        if let Some(steps) = open.steps {
            self.inputs.push(BuilderInput {
                label: open.label,
                trace: open.trace,
                steps,
                origins: Vec::new(),
            });
        }
        self.done.push((open.label, open.section));
    }

    /// The trace, when all sections have ended.
    pub fn done(mut self) -> Optimised {
        let passes = self.passes();
        let mut sections = std::mem::take(&mut self.done);
        // The interpreter enters at the start.
        let first = sections.iter().position(|(label, _)| *label == self.entry);
        let first = first.expect("the first section has ended");
        sections[..=first].rotate_right(1);
        if !self.inputs.is_empty() {
            self.inputs[..=first].rotate_right(1);
        }
        let makes_objects = self.has_made_objects || sections.iter().any(|(_, s)| s.allocates());
        let matters = self.whole.assumptions.matter();
        for (_, section) in &mut sections {
            section.drop_checks(matters, makes_objects);
            dce::remove_dead(section);
        }
        for (input, (_, section)) in self.inputs.iter_mut().zip(&mut sections) {
            let origins = std::mem::take(&mut section.code.origins);
            input.origins = origins.steps(&input.steps);
        }
        let mut optimised = assemble(self.entry, sections);
        let trace = RecordedTrace::default();
        self.optimiser.set_inputs(self.inputs);
        let mut cx = Cx::built(&trace, self.descrs, self.host, passes, self.whole);
        // Every section can lead to every other.
        cx.has_made_objects = makes_objects;
        optimised = self.optimiser.complete(&cx, optimised);
        // No bridge starts at a side.
        let mut exits = optimised.trace.exits.values();
        let mut leads_out = || matches!(exits.next(), Some(Exit::Out { .. }));
        optimised.guard_knowledge.retain(|_| leads_out());
        optimised
    }

    /// The passes that run. Without folding, the caller would never learn which instruction is
    /// next.
    fn passes(&self) -> Passes {
        Passes {
            fold: true,
            ..self.optimiser.passes()
        }
    }

    /// Runs a function on an open section.
    fn with<R>(
        &mut self,
        open: &mut OpenSection,
        f: impl FnOnce(&mut Cx<'_>, &mut Section) -> R,
    ) -> R {
        let whole = std::mem::take(&mut self.whole);
        let passes = self.passes();
        let mut cx = Cx::built(&open.trace, self.descrs, self.host, passes, whole);
        let section = &mut open.section;
        section.guards.place = open.place;
        let result = f(&mut cx, section);
        let emitted = section.code.trace.ops().len();
        (section.code.origins).record(emitted, open.trace.ops().len());
        self.whole = cx.whole;
        result
    }

    /// A section behind a label at which this state is known to hold.
    fn enter(&self, state: &VirtualState, label: Option<TargetId>, types: &[Ty]) -> OpenSection {
        let (mut section, roots) = state.rely(self.descrs);
        let keeps_inputs = self.optimiser.keeps_inputs();
        section.code.origins = Origins::new(keeps_inputs);
        let mut trace = RecordedTrace::default();
        trace.inputs = types.iter().map(|&ty| trace.value(ty)).collect();
        section.bind(&trace.inputs, &roots);
        OpenSection {
            trace,
            section,
            label,
            advanced: 0,
            steps: keeps_inputs.then(Vec::new),
            place: None,
        }
    }
}
