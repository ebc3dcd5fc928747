//! The trace: operations, and the tables that they refer to.
//!
//! Invariants: an operation's arguments lie together in a table that only grows; the results of an
//! operation are consecutive values; the `n`-th guard has the `n`-th exit.

use crate::constants::{Constants, Val};
use crate::descr::Descr;
use crate::exits::{Exit, ExitId, ExitTable, Exits};
use crate::op::{Op, Operation, Operations, OptimisedOp};
use crate::snapshots::Snapshots;
use crate::table::Opcode;
use crate::value::{Arg, Const, TargetId, ValRef};
use cranelift_entity::{EntityRef, PrimaryMap};
use std::rc::Rc;
use verdigris_ops::{FnId, Ty};

/// A trace; `F` is its form: the table of what its guards carry.
#[derive(Clone, Debug, Default)]
pub struct Trace<F> {
    /// The values the trace starts with. A loop's optimised trace starts with a `label` that
    /// defines the inputs again; a bridge's inputs are the fail arguments of its guard.
    pub inputs: Vec<ValRef>,
    /// The type of every value.
    pub types: PrimaryMap<ValRef, Ty>,
    /// The exits of the guards.
    pub exits: F,
    pub(crate) ops: Vec<Op>,
    pub(crate) args: Vec<Val>,
    pub(crate) constants: Constants,
    /// The values that labels define.
    pub(crate) labels: Vec<Box<[ValRef]>>,
}

/// A trace as the tracer makes it.
pub type RecordedTrace = Trace<Snapshots>;
/// A trace as the optimiser makes it.
pub type OptimisedTrace = Trace<Exits>;

impl<F> Trace<F> {
    /// A fresh value of this type.
    pub fn value(&mut self, ty: Ty) -> ValRef {
        self.types.push(ty)
    }

    /// The type of an argument.
    pub fn ty(&self, val: Arg) -> Ty {
        match val {
            Arg::Ref(v) => self.types[v],
            Arg::Const(c) => c.ty(),
        }
    }

    /// All constants that it has mentioned.
    pub fn constants(&self) -> impl Iterator<Item = Const> {
        self.constants.iter()
    }

    /// The operations.
    pub fn ops(&self) -> Operations<'_, F> {
        Operations::new(self)
    }

    /// Makes room for so many operations more.
    pub fn reserve(&mut self, ops: usize) {
        self.ops.reserve(ops);
        self.args.reserve(2 * ops);
    }

    /// An operation without a result.
    pub fn push(&mut self, opcode: Opcode, args: &[Arg], descr: Descr) {
        self.push_defining(opcode, args, descr, ValRef::from_u32(0), 0);
    }

    /// An operation with a result of this type.
    pub fn push_def(&mut self, opcode: Opcode, args: &[Arg], descr: Descr, ty: Ty) -> ValRef {
        let result = self.value(ty);
        self.push_defining(opcode, args, descr, result, 1);
        result
    }

    /// A call, with as many results as there are types.
    pub fn push_call(
        &mut self,
        function: FnId,
        args: &[Arg],
        types: &[Ty],
    ) -> impl ExactSizeIterator<Item = ValRef> + Clone + use<F> {
        self.push_all(Opcode::Call, args, function.into(), types)
    }

    /// An operation with as many results as there are types.
    pub fn push_all(
        &mut self,
        opcode: Opcode,
        args: &[Arg],
        descr: Descr,
        types: &[Ty],
    ) -> impl ExactSizeIterator<Item = ValRef> + Clone + use<F> {
        let first = self.types.next_key();
        for &ty in types {
            self.value(ty);
        }
        self.push_defining(opcode, args, descr, first, types.len());
        (first.index()..first.index() + types.len()).map(ValRef::new)
    }

    /// An operation whose results are this value, which exists, and those that follow it.
    pub fn push_defining(
        &mut self,
        opcode: Opcode,
        args: &[Arg],
        descr: Descr,
        first: ValRef,
        count: usize,
    ) {
        debug_assert!(!opcode.is_guard() && opcode != Opcode::Label);
        let results = u8::try_from(count).expect("a call has at most 255 results");
        self.add(opcode, args, descr, results, first.as_u32());
    }

    /// A label: the start of a section in which these values are defined. `args` are what the
    /// section before it, if it goes on here, gives them.
    pub fn push_label(&mut self, target: TargetId, definitions: &[ValRef], args: &[Arg]) {
        let place = self.labels.len() as u32;
        self.labels.push(definitions.into());
        self.add(Opcode::Label, args, target.into(), 0, place);
    }

    fn add(&mut self, opcode: Opcode, args: &[Arg], descr: Descr, results: u8, word: u32) {
        let (start, arity) = self.add_args(args);
        debug_assert_eq!(Descr::of_row(opcode.refers(), descr.raw()), descr);
        self.ops.push(Op {
            opcode,
            results,
            arity,
            args: start,
            refers: descr.raw(),
            word,
        });
    }

    /// Where a list of arguments starts, and how long it is.
    fn add_args(&mut self, args: &[Arg]) -> (u32, u16) {
        let start = self.args.len() as u32;
        let constants = &mut self.constants;
        self.args.extend(args.iter().map(|&arg| constants.val(arg)));
        let arity = u16::try_from(args.len()).expect("an operation has at most 65535 arguments");
        (start, arity)
    }
}

impl<F: ExitTable> PartialEq for Trace<F> {
    fn eq(&self, other: &Self) -> bool {
        self.inputs == other.inputs
            && self.types == other.types
            && F::same(self, other)
            && self.ops().iter().eq(other.ops().iter())
    }
}

impl<F: ExitTable> Trace<F> {
    /// A guard, and what it carries.
    pub fn push_guard(
        &mut self,
        opcode: Opcode,
        args: &[Arg],
        descr: Descr,
        exit: F::Exit,
    ) -> ExitId {
        debug_assert!(opcode.is_guard());
        let exit = self.exits.add(exit);
        self.add(opcode, args, descr, 0, exit.as_u32());
        exit
    }
}

impl OptimisedTrace {
    /// Keeps the operations of which this is true, and the exits of the guards among them.
    pub fn retain(&mut self, mut keep: impl FnMut(OptimisedOp<'_>) -> bool) {
        let mut ops = std::mem::take(&mut self.ops);
        let mut dropped = Vec::new();
        ops.retain(|&op| {
            let kept = keep(Operation::new(self, op));
            if !kept && op.opcode.is_guard() {
                dropped.push(ExitId::from_u32(op.word));
            }
            kept
        });
        if !dropped.is_empty() {
            self.drop_exits(&dropped, &mut ops);
        }
        self.ops = ops;
    }

    /// Drops these exits, which are in ascending order, and numbers those of these operations
    /// through.
    fn drop_exits(&mut self, dropped: &[ExitId], ops: &mut [Op]) {
        let mut dropped = dropped.iter().peekable();
        let all = std::mem::take(&mut self.exits);
        let kept = all
            .into_iter()
            .filter(|(id, _)| dropped.next_if(|d| *d == id).is_none());
        self.exits = kept.map(|(_, exit)| exit).collect();
        let guards = ops.iter_mut().filter(|op| op.opcode.is_guard());
        for (guard, id) in guards.zip(self.exits.keys()) {
            guard.word = id.as_u32();
        }
    }

    /// Puts an operation in front of the `at`-th; gives its result.
    pub fn insert_def(&mut self, at: usize, opcode: Opcode, args: &[Arg], ty: Ty) -> ValRef {
        let result = self.push_def(opcode, args, Descr::None, ty);
        self.ops[at..].rotate_right(1);
        result
    }

    /// Puts another test in the place of the guard at `at`, which keeps its exit.
    pub fn replace_guard(&mut self, at: usize, opcode: Opcode, args: &[Arg]) {
        let (start, arity) = self.add_args(args);
        let guard = &mut self.ops[at];
        debug_assert!(guard.opcode.is_guard() && opcode.is_guard());
        guard.opcode = opcode;
        guard.refers = Descr::None.raw();
        (guard.args, guard.arity) = (start, arity);
    }

    /// Keeps those arguments of the last operation for which there is a true flag.
    pub fn retain_last_args(&mut self, flags: &[bool]) {
        let Some(&last) = self.ops.last() else { return };
        let args = Operation::new(self, last).args();
        let kept = args.iter().zip(flags).filter(|(_, flag)| **flag);
        let kept: Vec<Arg> = kept.map(|(arg, _)| arg).collect();
        let (start, arity) = self.add_args(&kept);
        if let Some(last) = self.ops.last_mut() {
            (last.args, last.arity) = (start, arity);
        }
    }

    /// Puts the operations of another trace behind these. Its values follow those that are there,
    /// and so do its exits.
    pub fn append(&mut self, other: OptimisedTrace) {
        let base = self.types.len() as u32;
        let shift = |v: ValRef| ValRef::from_u32(v.as_u32() + base);
        self.types.extend(other.types.values().copied());
        let args = self.args.len() as u32;
        let constants = self.constants.extend(&other.constants);
        let moved = other.args.into_iter().map(|val| match val.place() {
            Some(place) => constants[place],
            None => Val::value(shift(val.as_ref().expect("it is no constant"))),
        });
        self.args.extend(moved);
        let labels = self.labels.len() as u32;
        let definitions = other.labels.into_iter();
        self.labels
            .extend(definitions.map(|list| list.into_iter().map(shift).collect()));
        let exits = self.exits.len() as u32;
        for (_, mut exit) in other.exits {
            let args = match &mut exit {
                Exit::Out { resume, .. } => &mut Rc::make_mut(resume).fail_args[..],
                Exit::Side { args, .. } => args,
            };
            args.iter_mut().for_each(|v| *v = shift(*v));
            self.exits.push(exit);
        }
        self.ops.extend(other.ops.into_iter().map(|op| {
            let moved = match op.opcode {
                Opcode::Label => labels,
                opcode if opcode.is_guard() => exits,
                _ if op.results == 0 => 0,
                _ => base,
            };
            Op {
                args: op.args + args,
                word: op.word + moved,
                ..op
            }
        }));
    }
}
