//! Operations: how a trace stores and reads them.
//!
//! An operation is 16 bytes without a pointer, whatever it is. So recording one is an append, a
//! trace is read in the order of its memory, and copying a trace copies a few arrays.
//!
//! Source: RPython's compact traces since 2016 (`opencoder.py`), a stream of numbers.

use crate::constants::{Constants, Val};
use crate::descr::Descr;
use crate::resume::Resume;
use crate::table::Opcode;
use crate::trace::Trace;
use crate::trace::exits::{Exit, ExitId, Exits};
use crate::trace::snapshots::{SnapshotId, Snapshots};
use crate::value::{Arg, Const, GuardId, TargetId, ValRef};
use smallvec::SmallVec;
use std::fmt;
use std::ops::Range;
use verdigris_ops::{ClassId, FieldId, FnId};

/// An operation as a trace stores it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Op {
    pub opcode: Opcode,
    /// How many values it defines, from `word` on; 0 for labels.
    pub results: u8,
    /// How many arguments it has.
    pub arity: u16,
    /// Where its arguments start in the trace's table of them.
    pub args: u32,
    /// The raw descriptor ([`Opcode::refers`] says of which kind).
    pub refers: u32,
    /// Its first result; of a guard its [`ExitId`]; of a label its place in the table of labels'
    /// definitions.
    pub word: u32,
}

const _: () = assert!(size_of::<Op>() <= 16);

/// An operation of a trace, to be looked at. `F` is the trace's form ([`Snapshots`] or [`Exits`]).
pub struct Operation<'t, F> {
    trace: &'t Trace<F>,
    op: Op,
}

/// An operation of a recorded trace.
pub type RecordedOp<'t> = Operation<'t, Snapshots>;
/// An operation of an optimised trace.
pub type OptimisedOp<'t> = Operation<'t, Exits>;
/// Consecutive operations of an optimised trace.
pub type OptimisedOps<'t> = Operations<'t, Exits>;

impl<F> Clone for Operation<'_, F> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<F> Copy for Operation<'_, F> {}

impl<'t, F> Operation<'t, F> {
    #[inline]
    pub(crate) fn new(trace: &'t Trace<F>, op: Op) -> Self {
        Operation { trace, op }
    }

    /// The opcode.
    #[inline]
    pub fn opcode(self) -> Opcode {
        self.op.opcode
    }

    /// Its arguments.
    #[inline]
    pub fn args(self) -> OpArgs<'t> {
        let start = self.op.args as usize;
        OpArgs {
            vals: &self.trace.args[start..start + usize::from(self.op.arity)],
            constants: &self.trace.constants,
        }
    }

    /// An argument.
    ///
    /// # Panics
    /// If there are not so many.
    #[inline]
    pub fn arg(self, n: usize) -> Arg {
        self.args().at(n)
    }

    /// The descriptor.
    #[inline]
    pub fn descr(self) -> Descr {
        Descr::of_row(self.op.opcode.refers(), self.op.refers)
    }

    /// The field that it refers to.
    ///
    /// # Panics
    /// If it refers to something else; so do the others.
    pub fn field(self) -> FieldId {
        self.descr().field()
    }

    /// The class that it refers to.
    pub fn class(self) -> ClassId {
        self.descr().class()
    }

    /// The function that it refers to.
    pub fn function(self) -> FnId {
        self.descr().function()
    }

    /// The label that it refers to.
    pub fn label(self) -> TargetId {
        self.descr().label()
    }

    /// The value that it gives, if it gives one; of a call the first.
    #[inline]
    pub fn result(self) -> Option<ValRef> {
        (self.op.results > 0).then(|| ValRef::from_u32(self.op.word))
    }

    /// The values that a label defines; empty for other operations.
    #[inline]
    pub fn params(self) -> &'t [ValRef] {
        match self.op.opcode {
            Opcode::Label => &self.trace.labels[self.op.word as usize],
            _ => &[],
        }
    }

    /// All values that it defines, in order: the results, or what a label gives names to.
    #[inline]
    pub fn definitions(self) -> Definitions<'t> {
        let results = match self.op.results {
            0 => 0..0,
            count => self.op.word..self.op.word + u32::from(count),
        };
        Definitions {
            results,
            listed: self.params().iter(),
        }
    }

    /// Where it leaves the trace, if it is a guard.
    #[inline]
    pub fn exit_id(self) -> Option<ExitId> {
        let is_guard = self.op.opcode.is_guard();
        is_guard.then(|| ExitId::from_u32(self.op.word))
    }
}

impl RecordedOp<'_> {
    /// The frames at a guard.
    #[inline]
    pub fn snapshot(self) -> Option<SnapshotId> {
        Some(self.trace.exits.guards[self.exit_id()?])
    }
}

impl<'t> OptimisedOp<'t> {
    /// Its exit, if it is a guard.
    #[inline]
    fn exit(self) -> Option<&'t Exit> {
        Some(&self.trace.exits[self.exit_id()?])
    }

    /// How to rebuild the frames when it fails, if it is a guard that leads out of the trace.
    pub fn resume(self) -> Option<&'t Resume> {
        self.exit()?.resume()
    }

    /// Its identity, if it is a guard that leads out of the trace and that the engine has
    /// registered.
    pub fn guard(self) -> Option<GuardId> {
        match self.exit()? {
            Exit::Out { guard, .. } => *guard,
            Exit::Side { .. } => None,
        }
    }

    /// The label where the trace goes on when it fails, if it is a guard that does not lead out of
    /// the trace.
    #[inline]
    pub fn side(self) -> Option<TargetId> {
        match self.exit()? {
            Exit::Out { .. } => None,
            Exit::Side { target, .. } => Some(*target),
        }
    }

    /// The values that it hands over when it fails, to a bridge or to deoptimisation. Empty for
    /// operations that cannot fail.
    #[inline]
    pub fn fail_args(self) -> &'t [ValRef] {
        self.exit().map_or(&[], Exit::args)
    }
}

/// The arguments of an operation.
#[derive(Clone, Copy)]
pub struct OpArgs<'t> {
    vals: &'t [Val],
    constants: &'t Constants,
}

impl<'t> OpArgs<'t> {
    /// How many there are.
    #[inline]
    pub fn len(self) -> usize {
        self.vals.len()
    }

    /// Whether there are none.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.vals.is_empty()
    }

    /// An argument.
    ///
    /// # Panics
    /// If there are not so many.
    #[inline]
    pub fn at(self, n: usize) -> Arg {
        self.constants.arg(self.vals[n])
    }

    /// An argument, if there are so many.
    #[inline]
    pub fn get(self, n: usize) -> Option<Arg> {
        Some(self.constants.arg(*self.vals.get(n)?))
    }

    /// The first one.
    #[inline]
    pub fn first(self) -> Option<Arg> {
        self.get(0)
    }

    /// The last one.
    #[inline]
    pub fn last(self) -> Option<Arg> {
        self.get(self.len().checked_sub(1)?)
    }

    /// All of them, in order.
    #[inline]
    pub fn iter(self) -> impl DoubleEndedIterator<Item = Arg> + ExactSizeIterator + Clone + 't {
        let OpArgs { vals, constants } = self;
        vals.iter().map(move |&val| constants.arg(val))
    }

    /// Those that are no constants.
    #[inline]
    pub fn values(self) -> impl DoubleEndedIterator<Item = ValRef> + Clone + 't {
        self.vals.iter().filter_map(|val| val.as_ref())
    }

    /// An argument, if there are so many and it is a constant.
    #[inline]
    pub fn constant(self, n: usize) -> Option<Const> {
        self.get(n)?.as_const()
    }

    /// All of them, for patterns.
    #[inline]
    pub fn list(self) -> SmallVec<[Arg; 4]> {
        let mut all = SmallVec::new();
        for arg in self.iter() {
            all.push(arg);
        }
        all
    }
}

impl PartialEq for OpArgs<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

/// The values that an operation defines.
#[derive(Clone)]
pub struct Definitions<'t> {
    results: Range<u32>,
    listed: std::slice::Iter<'t, ValRef>,
}

impl Iterator for Definitions<'_> {
    type Item = ValRef;

    #[inline]
    fn next(&mut self) -> Option<ValRef> {
        match self.results.next() {
            Some(result) => Some(ValRef::from_u32(result)),
            None => self.listed.next().copied(),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = self.results.len() + self.listed.len();
        (len, Some(len))
    }
}

impl ExactSizeIterator for Definitions<'_> {}

/// Consecutive operations of a trace.
pub struct Operations<'t, F> {
    trace: &'t Trace<F>,
    ops: &'t [Op],
    /// Where the first of them stands in the trace.
    start: usize,
}

impl<F> Clone for Operations<'_, F> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<F> Copy for Operations<'_, F> {}

impl<'t, F> Operations<'t, F> {
    pub(crate) fn new(trace: &'t Trace<F>) -> Self {
        Operations {
            trace,
            ops: &trace.ops,
            start: 0,
        }
    }

    /// Where they stand in the trace.
    pub fn range(self) -> Range<usize> {
        self.start..self.start + self.ops.len()
    }

    /// How many there are.
    pub fn len(self) -> usize {
        self.ops.len()
    }

    /// Whether there are none.
    pub fn is_empty(self) -> bool {
        self.ops.is_empty()
    }

    /// An operation.
    ///
    /// # Panics
    /// If there are not so many.
    pub fn at(self, n: usize) -> Operation<'t, F> {
        Operation::new(self.trace, self.ops[n])
    }

    /// An operation, if there are so many.
    pub fn get(self, n: usize) -> Option<Operation<'t, F>> {
        let op = self.ops.get(n)?;
        Some(Operation::new(self.trace, *op))
    }

    /// The first one.
    pub fn first(self) -> Option<Operation<'t, F>> {
        self.get(0)
    }

    /// The last one.
    pub fn last(self) -> Option<Operation<'t, F>> {
        self.get(self.len().checked_sub(1)?)
    }

    /// A part of them.
    ///
    /// # Panics
    /// If there are not so many.
    pub fn slice(self, range: Range<usize>) -> Operations<'t, F> {
        Operations {
            trace: self.trace,
            start: self.start + range.start,
            ops: &self.ops[range],
        }
    }

    /// Those from the `n`-th on.
    ///
    /// # Panics
    /// If there are not so many.
    pub fn skip_to(self, n: usize) -> Operations<'t, F> {
        self.slice(n..self.len())
    }

    /// All of them, in order.
    pub fn iter(
        self,
    ) -> impl DoubleEndedIterator<Item = Operation<'t, F>> + ExactSizeIterator + Clone + 't {
        let Operations { trace, ops, .. } = self;
        ops.iter().map(move |&op| Operation::new(trace, op))
    }
}

/// Operations are equal if they look the same, wherever their traces keep their parts.
impl<F> PartialEq for Operation<'_, F> {
    fn eq(&self, other: &Self) -> bool {
        self.opcode() == other.opcode()
            && self.descr() == other.descr()
            && self.args() == other.args()
            && self.definitions().eq(other.definitions())
            && self.exit_id() == other.exit_id()
    }
}

impl<F> fmt::Debug for Operation<'_, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.opcode().name())?;
        f.debug_list().entries(self.args().iter()).finish()
    }
}
