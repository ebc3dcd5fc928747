//! The forward pass: one section of a trace, and the driver that optimises it.
//!
//! Invariant: the emitted operations, followed by the delayed stores and the allocation of the
//! virtuals, do exactly what the recorded operations did.

use crate::host::{Host, OptError};
use crate::passes::Passes;
use crate::state::assumptions::Assumptions;
use crate::state::components::Components;
use crate::state::gather::gather;
use crate::state::guard_table::GuardTable;
use crate::state::heap_table::{DelayLimits, HeapTable};
use crate::state::index_sums::IndexSums;
use crate::state::knowledge::LabelFacts;
use crate::state::node::{Node, NodeId, Nodes, Real};
use crate::state::order_table::OrderTable;
use crate::state::origins::Origins;
use crate::state::pure_table::PureTable;
use crate::state::remarks::{MissedOptimisation, Remark};
use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;
use std::ops::Range;
use verdigris_ops::{ClassId, DataOp, Descrs, Effect, HeapSlot, Ty};
use verdigris_trace::{
    Arg, Const, Descr, Opcode, OptimisedOp, OptimisedTrace, RecordedOp, RecordedTrace, ValRef,
};

/// The context of all passes.
pub(crate) struct Cx<'a> {
    /// The recorded trace.
    pub trace: &'a RecordedTrace,
    /// Classes, fields, functions.
    pub descrs: &'a Descrs,
    /// Folding services.
    pub host: &'a mut dyn Host,
    /// Which passes run.
    pub passes: Passes,
    /// The current recorded operation.
    pub at: usize,
    /// The words that the jump to another loop at the end passed during recording.
    pub arrival: Option<&'a [u64]>,
    /// Objects may have been allocated in front of the trace: see
    /// [`GuardKnowledge`](crate::GuardKnowledge).
    pub has_made_objects: bool,
    /// Whether operations that fold because of a hint are done again, and compared.
    pub check_hints: bool,
    /// Whether the trace is built and not recorded: code behind an exit is compiled without a run.
    pub is_built: bool,
    /// How many values may be delayed.
    pub limits: DelayLimits,
    /// The state shared by all sections of the trace.
    pub whole: WholeTrace,
}

/// The state shared by all sections of a trace.
#[derive(Default)]
pub(crate) struct WholeTrace {
    /// The values that quasi-immutable fields are assumed to hold.
    pub assumptions: Assumptions,
    /// The slots whose values may be delayed only for a moment, because there were too many.
    pub late: FxHashSet<HeapSlot>,
    /// Missed optimisations so far.
    pub remarks: Vec<Remark>,
}

impl<'a> Cx<'a> {
    /// The context of a recorded trace.
    pub fn new(
        trace: &'a RecordedTrace,
        descrs: &'a Descrs,
        host: &'a mut dyn Host,
        passes: Passes,
    ) -> Cx<'a> {
        let opcodes = || trace.ops().iter().map(|op| op.opcode());
        let whole = WholeTrace {
            assumptions: Assumptions::new(trace),
            ..WholeTrace::default()
        };
        Cx {
            check_hints: opcodes().any(|opcode| opcode == Opcode::GuardSame),
            is_built: false,
            ..Cx::built(trace, descrs, host, passes, whole)
        }
    }

    /// The context of a section that is being built. It does not look through the trace, which
    /// grows each time.
    pub fn built(
        trace: &'a RecordedTrace,
        descrs: &'a Descrs,
        host: &'a mut dyn Host,
        passes: Passes,
        whole: WholeTrace,
    ) -> Cx<'a> {
        Cx {
            trace,
            descrs,
            host,
            passes,
            at: 0,
            arrival: None,
            has_made_objects: false,
            check_hints: false,
            is_built: true,
            limits: DelayLimits::new(passes.delayed),
            whole,
        }
    }

    /// Remarks that an object of this class holds too much for a virtual.
    pub fn remark_crowded(&mut self, class: ClassId) {
        let what = format!("a {}", self.descrs.classes[class].name);
        let remark = Remark::new(MissedOptimisation::Crowded, what);
        if !self.whole.remarks.contains(&remark) {
            self.whole.remarks.push(remark);
        }
    }
}

/// A section that is being optimised.
#[derive(Clone)]
pub(crate) struct Section {
    /// The emitted code.
    pub code: SectionCode,
    /// Knowledge of values.
    pub nodes: Nodes,
    /// Knowledge of the heap, and delayed stores.
    pub heap: HeapTable,
    /// Known results of operations that always give the same.
    pub pure: PureTable,
    /// How values relate to each other.
    pub relations: Relations,
    /// The facts of the label that starts the section.
    pub facts: LabelFacts,
    /// The emitted guards.
    pub guards: GuardTable,
    /// The call in front of a `guard_no_panic`.
    pub call: LastCall,
    /// With `check_hints`: results of the last operation when it was done again, and what they are
    /// expected to be.
    pub unchecked: Vec<(NodeId, NodeId)>,
    /// The node of each value of the recorded trace.
    map: SecondaryMap<ValRef, Option<NodeId>>,
}

/// The code that a section has emitted.
#[derive(Clone, Default)]
pub(crate) struct SectionCode {
    /// The operations. The section's parameters are their first values.
    pub trace: OptimisedTrace,
    /// The section's parameters.
    pub params: Vec<ValRef>,
    /// Where the operations come from.
    pub origins: Origins,
}

/// Knowledge of values in relation to others.
#[derive(Clone, Default)]
pub(crate) struct Relations {
    /// Which integers are less than others.
    pub orders: OrderTable,
    /// Which label parameters are sums.
    pub sums: IndexSums,
    /// Which components belong to tags that are not known yet.
    pub components: Components,
}

/// The last call, for the guard behind it.
#[derive(Clone, Default)]
pub(crate) struct LastCall {
    /// The call was removed.
    pub removed: bool,
    /// The objects whose virtualizable slots were kept across it.
    pub kept: Vec<NodeId>,
}

impl SectionCode {
    /// Keeps the operations for which `keep` holds.
    pub fn retain(&mut self, mut keep: impl FnMut(OptimisedOp<'_>) -> bool) {
        if !self.origins.is_kept() {
            return self.trace.retain(keep);
        }
        let mut flags = Vec::with_capacity(self.trace.ops().len());
        self.trace.retain(|op| {
            flags.push(keep(op));
            flags[flags.len() - 1]
        });
        self.origins.retain(&flags);
    }
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

impl Section {
    /// An empty section without parameters.
    pub fn empty() -> Section {
        Section {
            code: SectionCode::default(),
            nodes: Nodes::default(),
            heap: HeapTable::default(),
            pure: PureTable::default(),
            relations: Relations::default(),
            facts: LabelFacts::default(),
            guards: GuardTable::default(),
            call: LastCall::default(),
            unchecked: Vec::new(),
            map: SecondaryMap::new(),
        }
    }

    /// A copy with the same knowledge, but without code, guards and recorded values.
    pub fn knowing_the_same(&mut self) -> Section {
        let done = (
            std::mem::take(&mut self.code),
            std::mem::take(&mut self.guards),
            std::mem::take(&mut self.map),
        );
        let same = self.clone();
        (self.code, self.guards, self.map) = done;
        same
    }

    /// A section whose parameters are the inputs of the recorded trace. Nothing is known of them.
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
        let val = self.code.trace.value(ty);
        self.code.params.push(val);
        self.nodes.add(Node::Real(Real::new(val, ty, 0)))
    }

    /// Binds the inputs of the recorded trace to these nodes, for a run over it.
    pub fn bind_inputs(&mut self, cx: &Cx<'_>, roots: &[NodeId]) {
        self.bind(&cx.trace.inputs, roots);
        let (ops, values) = (cx.trace.ops().len(), cx.trace.types.len());
        self.map.resize(values);
        self.nodes.reserve(values);
        self.pure.reserve(values / 4);
        self.code.trace.reserve(ops / 2);
    }

    /// Binds inputs of a recorded trace to these nodes.
    pub fn bind(&mut self, inputs: &[ValRef], roots: &[NodeId]) {
        self.map.clear();
        self.guards.exits.clear();
        // An iteration's tests are not moved into the one before.
        self.guards.tests.clear();
        for (&input, &node) in inputs.iter().zip(roots) {
            self.map[input] = Some(node);
        }
    }

    /// Runs the forward pass over all operations but the last.
    pub fn run(&mut self, cx: &mut Cx<'_>) -> Result<(), OptError> {
        let end = cx.trace.ops().len() - 1;
        self.run_over(cx, 0..end)
    }

    /// Runs the forward pass over the next operations.
    pub fn run_over(&mut self, cx: &mut Cx<'_>, ops: Range<usize>) -> Result<(), OptError> {
        let trace = cx.trace;
        if trace.exits.keeps_origins() {
            self.code.origins.start();
        }
        for (at, op) in ops.clone().zip(trace.ops().slice(ops).iter()) {
            cx.at = at;
            self.step(cx, op)?;
            let emitted = self.code.trace.ops().len();
            self.code.origins.record(emitted, at);
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
                if !self.call.removed {
                    self.guards.tests.clear();
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
                    let val = self
                        .code
                        .trace
                        .push_def(Opcode::Hole, &args, Descr::None, ty);
                    self.map[v] = Some(self.nodes.add(Node::Real(Real::new(val, ty, seq))));
                }
            }
            Opcode::MergePoint => {
                let greens = op.args().iter().filter(|a| a.as_const().is_some());
                let greens: SmallVec<[Arg; 8]> = gather(greens);
                self.code
                    .trace
                    .push(Opcode::MergePoint, &greens, Descr::None);
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

    /// Ends the section with a jump to the code that a record names.
    pub fn thread(&mut self, cx: &mut Cx<'_>) {
        let nodes = self.jump_nodes(cx);
        let args = self.force_all_as(cx, &nodes, &end_types(cx.trace));
        self.flush_all(cx);
        self.code.trace.push(Opcode::Thread, &args, Descr::None);
    }

    /// Ends the section with the results of the recorded trace.
    pub fn finish(&mut self, cx: &mut Cx<'_>) {
        let nodes = self.jump_nodes(cx);
        let args = self.force_all_as(cx, &nodes, &end_types(cx.trace));
        self.flush_all(cx);
        self.code.trace.push(Opcode::Finish, &args, Descr::None);
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

    /// The nodes of recorded values.
    pub fn nodes_of(&mut self, values: &[Arg]) -> Vec<NodeId> {
        values.iter().map(|&value| self.node(value)).collect()
    }

    /// The nodes of an operation's arguments.
    pub fn arg_nodes(&mut self, op: RecordedOp<'_>) -> SmallVec<[NodeId; 3]> {
        gather(op.args().iter().map(|a| self.node(a)))
    }

    /// The emitted value or constant of a node that is not virtual.
    pub fn val(&self, n: NodeId) -> Arg {
        match self.nodes.get(n) {
            Node::Const(c) => Arg::Const(*c),
            Node::Real(r) => Arg::Ref(r.val),
            Node::Virtual(_) | Node::Forward(_) => unreachable!("a virtual has no value"),
        }
    }

    /// Emits an operation, and returns the node of its result.
    pub fn emit_def(&mut self, data: DataOp, vals: &[Arg], descr: Descr, ty: Ty) -> NodeId {
        let seq = self.next_seq();
        let val = self
            .code
            .trace
            .push_def(Opcode::Data(data), vals, descr, ty);
        self.nodes.add(Node::Real(Real::new(val, ty, seq)))
    }

    /// The position of the next emitted operation. Parameters have position 0.
    pub fn next_seq(&self) -> u32 {
        self.code.trace.ops().len() as u32 + 1
    }

    /// Refines what is known of a real value. Constants and virtuals are known already.
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
