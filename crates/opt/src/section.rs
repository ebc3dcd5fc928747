//! A section in the making: the emitted operations and what is known behind the last of them. The
//! driver of the forward pass.
//!
//! In: operations of the recorded trace, one after the other. Out: emitted operations. Invariant:
//! the emitted operations followed by "do the delayed stores and allocate the virtuals" have done
//! exactly what the recorded ones did.

use crate::assume::Assumptions;
use crate::bounds;
use crate::heap::{Heap, Limits};
use crate::host::{GuardKnowledge, Host, OptError};
use crate::knowledge::FactKey;
use crate::node::{Node, NodeId, Nodes, Real};
use crate::order::Orders;
use crate::origins::Origins;
use crate::passes::Passes;
use crate::pure::PureTable;
use crate::remarks::{MissedOptimisation, Remark};
use crate::resume::Builder;
use crate::strengthen::Tests;
use crate::variants::Components;
use crate::words::ConstantLoad;
use cranelift_entity::SecondaryMap;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::ops::Range;
use verdigris_ops::{ClassId, DataOp, Descrs, Effect, HeapSlot, Ty};
use verdigris_trace::{
    Arg, Const, Descr, Opcode, OptimisedTrace, RecordedOp, RecordedTrace, ValRef,
};

/// What every pass may look at.
pub(crate) struct Cx<'a> {
    /// The recorded trace.
    pub trace: &'a RecordedTrace,
    /// Classes, fields, functions.
    pub descrs: &'a Descrs,
    /// Folding services.
    pub host: &'a mut dyn Host,
    /// Which passes run.
    pub passes: Passes,
    /// The words that the jump at the end passed when the trace was recorded, if it leads to
    /// another loop.
    pub arrival: Option<&'a [u64]>,
    /// Objects may have been made in front of where the trace starts: see [`GuardKnowledge`].
    pub has_made_objects: bool,
    /// What quasi-immutable fields are assumed to hold.
    pub assumptions: Assumptions,
    /// Whether what is known by a hint is found out again, and compared.
    pub check_hints: bool,
    /// The recorded operation at hand.
    pub at: usize,
    /// How many values may wait to be stored.
    pub limits: Limits,
    /// The places of values that may wait but for a moment, since there were too many.
    pub late: FxHashSet<HeapSlot>,
    /// What was lost on the way.
    pub remarks: Vec<Remark>,
    /// Whether the operations are written and not recorded: what follows an exit is compiled
    /// without a run.
    pub is_written: bool,
}

impl<'a> Cx<'a> {
    pub fn new(
        trace: &'a RecordedTrace,
        descrs: &'a Descrs,
        host: &'a mut dyn Host,
        passes: Passes,
    ) -> Cx<'a> {
        Cx {
            trace,
            descrs,
            host,
            passes,
            arrival: None,
            has_made_objects: false,
            assumptions: Assumptions::new(trace),
            check_hints: trace
                .ops()
                .iter()
                .any(|op| op.opcode() == Opcode::GuardSame),
            at: 0,
            limits: Limits::new(passes.delayed),
            late: FxHashSet::default(),
            remarks: Vec::new(),
            is_written: false,
        }
    }

    /// An object of this class holds too much for a virtual.
    pub fn note_crowded(&mut self, class: ClassId) {
        let what = format!("a {}", self.descrs.classes[class].name);
        let note = Remark::new(MissedOptimisation::Crowded, what);
        if !self.remarks.contains(&note) {
            self.remarks.push(note);
        }
    }
}

/// A section in the making.
#[derive(Clone)]
pub(crate) struct Section {
    /// What has been emitted. The section's parameters come first among its values.
    pub out: OptimisedTrace,
    /// The section's parameters.
    pub params: Vec<ValRef>,
    /// What is known of values.
    pub nodes: Nodes,
    /// What is known of the heap, and delayed stores.
    pub heap: Heap,
    /// Known results of operations that always give the same.
    pub pure: PureTable,
    /// Components of values whose tags are not known yet.
    pub components: Components,
    /// Which integers are known to be less than others.
    pub orders: Orders,
    /// Guards that may do the work of a later one.
    pub tests: Tests,
    /// Which facts of the label's state have been used (see `state`).
    pub used_facts: Vec<bool>,
    /// The facts of the label's state, by the operation or place they are about.
    pub label_facts: Vec<FactKey>,
    /// For each emitted guard, what a bridge from it may assume.
    pub guard_knowledge: Vec<GuardKnowledge>,
    /// With `check_hints`: what the last operation gave when it was done again, and what the trace
    /// takes it for.
    pub unchecked: Vec<(NodeId, NodeId)>,
    /// Whether the call before a `guard_no_panic` was removed.
    pub call_removed: bool,
    /// The objects of which virtualizable places were kept across the call before a
    /// `guard_no_panic`.
    pub kept: Vec<NodeId>,
    /// Words of values that are loaded from constants.
    pub constant_loads: FxHashMap<NodeId, ConstantLoad>,
    /// What describes the next guard.
    pub exits: Builder,
    /// How many delayed stores its guards list together, but for constants.
    pub listed: usize,
    /// Where what has been emitted comes from.
    pub origins: Origins,
    /// Where the guest program is: see [`GuardKnowledge`].
    pub place: Option<u32>,
    /// The node of each value of the recorded trace.
    map: SecondaryMap<ValRef, Option<NodeId>>,
}

/// The last operation of a recorded trace.
pub(crate) fn last(trace: &RecordedTrace) -> RecordedOp<'_> {
    let last = trace.ops().last();
    last.expect("a trace ends in jump or finish")
}

/// The types of the values that a recorded trace passes at its end.
pub(crate) fn end_types(trace: &RecordedTrace) -> Vec<Ty> {
    let args = last(trace).args().iter();
    args.map(|arg| trace.ty(arg)).collect()
}

/// Whether a recorded trace is a loop of its own.
pub(crate) fn closes_own_loop(trace: &RecordedTrace) -> bool {
    last(trace).opcode() == Opcode::Close
}

/// Optimises a trace that is not a loop of its own; `leave` ends a section whose trace jumps away.
pub(crate) fn straight(
    cx: &mut Cx<'_>,
    mut section: Section,
    leave: impl FnOnce(&mut Cx<'_>, Section) -> Result<Section, OptError>,
) -> Result<Section, OptError> {
    section.run(cx)?;
    if last(cx.trace).opcode() == Opcode::Jump {
        return leave(cx, section);
    }
    section.finish(cx);
    Ok(section)
}

impl Section {
    /// An empty section without parameters.
    pub fn empty() -> Section {
        Section {
            out: OptimisedTrace::default(),
            params: Vec::new(),
            nodes: Nodes::default(),
            heap: Heap::default(),
            pure: PureTable::default(),
            components: Components::default(),
            orders: Orders::default(),
            tests: Tests::default(),
            used_facts: Vec::new(),
            label_facts: Vec::new(),
            guard_knowledge: Vec::new(),
            unchecked: Vec::new(),
            call_removed: false,
            kept: Vec::new(),
            constant_loads: FxHashMap::default(),
            exits: Builder::default(),
            listed: 0,
            origins: Origins::default(),
            place: None,
            map: SecondaryMap::new(),
        }
    }

    /// A section that knows the same and has done nothing: only what it learns is of interest. What
    /// this one has done is not copied.
    pub fn knowing_the_same(&mut self) -> Section {
        let done = (
            std::mem::take(&mut self.out),
            std::mem::take(&mut self.guard_knowledge),
            std::mem::take(&mut self.exits),
            std::mem::take(&mut self.tests),
            std::mem::take(&mut self.map),
        );
        let same = self.clone();
        (
            self.out,
            self.guard_knowledge,
            self.exits,
            self.tests,
            self.map,
        ) = done;
        same
    }

    /// A section whose parameters are the inputs of the recorded trace, of which nothing is known.
    pub fn at_start(cx: &Cx<'_>) -> Section {
        let mut section = Section::empty();
        let roots: Vec<NodeId> = cx
            .trace
            .inputs
            .iter()
            .map(|&v| section.param(cx.trace.types[v]))
            .collect();
        section.bind_inputs(cx, &roots);
        section
    }

    /// Adds a parameter.
    pub fn param(&mut self, ty: Ty) -> NodeId {
        let val = self.out.value(ty);
        self.params.push(val);
        self.nodes.add(Node::Real(real(val, ty, 0)))
    }

    /// Makes these nodes the inputs of the recorded trace, for (another) run over it.
    pub fn bind_inputs(&mut self, cx: &Cx<'_>, roots: &[NodeId]) {
        self.bind(&cx.trace.inputs, roots);
    }

    /// Makes these nodes the inputs of a recorded trace.
    pub fn bind(&mut self, inputs: &[ValRef], roots: &[NodeId]) {
        self.map.clear();
        self.exits.clear();
        // What an iteration tests is not done in the one before.
        self.tests.clear();
        for (&input, &node) in inputs.iter().zip(roots) {
            self.map[input] = Some(node);
        }
    }

    /// The forward pass: every operation but the last.
    pub fn run(&mut self, cx: &mut Cx<'_>) -> Result<(), OptError> {
        let end = cx.trace.ops().len() - 1;
        self.run_over(cx, 0..end)
    }

    /// The forward pass over some of the operations, the next ones.
    pub fn run_over(&mut self, cx: &mut Cx<'_>, ops: Range<usize>) -> Result<(), OptError> {
        let trace = cx.trace;
        if trace.exits.keeps_origins() {
            self.origins.start();
        }
        for (at, op) in ops.clone().zip(trace.ops().slice(ops).iter()) {
            cx.at = at;
            self.step(cx, op)?;
            self.origins.note(self.out.ops().len(), at);
        }
        Ok(())
    }

    /// The nodes that the recorded trace passes at its end.
    pub fn jump_nodes(&mut self, cx: &Cx<'_>) -> Vec<NodeId> {
        let trace = cx.trace;
        let args = last(trace).args().iter();
        args.map(|a| self.node(a)).collect()
    }

    fn step(&mut self, cx: &mut Cx<'_>, op: RecordedOp<'_>) -> Result<(), OptError> {
        if !op.opcode().is_guard() {
            self.unchecked.clear();
        }
        match op.opcode() {
            Opcode::Data(data) => {
                let result = self.data(cx, data, op);
                if let (Some(v), Some(node)) = (op.result(), result) {
                    self.map[v] = Some(node);
                }
            }
            Opcode::Call => {
                let results = self.call(cx, op);
                if !self.call_removed {
                    self.tests.clear();
                }
                for (v, node) in op.definitions().zip(results) {
                    self.map[v] = Some(node);
                }
            }
            Opcode::GuardSame => self.check_same(cx, op),
            Opcode::Hole => {
                let args: SmallVec<[Arg; 2]> =
                    self.arg_nodes(op).iter().map(|&n| self.val(n)).collect();
                let seq = self.next_seq();
                for v in op.definitions() {
                    let ty = cx.trace.types[v];
                    let val = self.out.push_def(Opcode::Hole, &args, Descr::None, ty);
                    self.map[v] = Some(self.nodes.add(Node::Real(real(val, ty, seq))));
                }
            }
            Opcode::MergePoint => {
                let greens = op.args().iter().filter(|a| a.as_const().is_some());
                let greens: SmallVec<[Arg; 8]> = greens.collect();
                self.out.push(Opcode::MergePoint, &greens, Descr::None);
            }
            Opcode::Label
            | Opcode::Jump
            | Opcode::Close
            | Opcode::Finish
            | Opcode::Thread
            | Opcode::GuardNotForced => {
                unreachable!("a recorded trace has one end and no labels, and keeps nothing")
            }
            _ => self.guard(cx, op)?,
        }
        Ok(())
    }

    fn data(&mut self, cx: &mut Cx<'_>, data: DataOp, op: RecordedOp<'_>) -> Option<NodeId> {
        match data.effect() {
            Effect::Pure => Some(self.pure_op(cx, data, op)),
            Effect::Read if data == DataOp::HasClass => Some(self.has_class(cx, op)),
            Effect::Read => Some(self.load(cx, data, op)),
            Effect::Write => {
                match data {
                    DataOp::Invalidate => self.invalidate(cx, op),
                    DataOp::Reclaim => {
                        let object = self.arg_nodes(op)[0];
                        self.reclaim(cx, object);
                    }
                    _ => self.store(cx, data, op),
                }
                None
            }
            Effect::Alloc => Some(self.alloc(cx, data, op)),
        }
    }

    /// Ends the section with a jump to the code that a record names, with what the recorded trace
    /// ends in.
    pub fn thread(&mut self, cx: &mut Cx<'_>) {
        let nodes = self.jump_nodes(cx);
        let args = self.force_all_as(cx, &nodes, &end_types(cx.trace));
        self.flush_all(cx);
        self.out.push(Opcode::Thread, &args, Descr::None);
    }

    /// Ends the section with the results that the recorded trace ends in.
    pub fn finish(&mut self, cx: &mut Cx<'_>) {
        let nodes = self.jump_nodes(cx);
        let args = self.force_all_as(cx, &nodes, &end_types(cx.trace));
        self.flush_all(cx);
        self.out.push(Opcode::Finish, &args, Descr::None);
    }

    /// The node of a recorded argument.
    pub fn node(&mut self, val: Arg) -> NodeId {
        match val {
            Arg::Const(c) => self.nodes.constant(c),
            Arg::Ref(v) => {
                let n = self.map[v].expect("a recorded value is defined before it is used");
                self.nodes.find(n)
            }
        }
    }

    /// The node of a recorded value, if it is defined.
    pub fn node_of(&self, v: ValRef) -> Option<NodeId> {
        self.map[v].map(|n| self.nodes.find(n))
    }

    /// The nodes of an operation's arguments.
    pub fn arg_nodes(&mut self, op: RecordedOp<'_>) -> SmallVec<[NodeId; 3]> {
        op.args().iter().map(|a| self.node(a)).collect()
    }

    /// The emitted value or constant of a node that is not virtual.
    pub fn val(&self, n: NodeId) -> Arg {
        match self.nodes.get(n) {
            Node::Const(c) => Arg::Const(*c),
            Node::Real(r) => Arg::Ref(r.val),
            Node::Virtual(_) | Node::Forward(_) => unreachable!("a virtual has no value"),
        }
    }

    /// Emits an operation that defines a value, and gives its node.
    pub fn emit_def(&mut self, data: DataOp, vals: &[Arg], descr: Descr, ty: Ty) -> NodeId {
        let seq = self.next_seq();
        let val = self.out.push_def(Opcode::Data(data), vals, descr, ty);
        self.nodes.add(Node::Real(real(val, ty, seq)))
    }

    /// Where the next emitted operation will stand; parameters stand at 0.
    pub fn next_seq(&self) -> u32 {
        self.out.ops().len() as u32 + 1
    }

    /// Refines what is known of a real value; constants and virtuals know better already.
    pub fn refine(&mut self, n: NodeId, f: impl FnOnce(&mut Real)) {
        if let Node::Real(r) = self.nodes.get_mut(n) {
            f(r);
        }
    }

    /// The node of a constant.
    pub fn constant(&mut self, ty: Ty, word: u64) -> NodeId {
        self.nodes.constant(Const::new(ty, word))
    }
}

/// A real value of which nothing is known.
pub(crate) fn real(val: ValRef, ty: Ty, seq: u32) -> Real {
    Real {
        val,
        ty,
        class: None,
        nonnull: false,
        range: bounds::Range::TOP,
        taught: 0,
        seq,
        fresh: false,
        def: None,
    }
}
