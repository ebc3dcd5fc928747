//! Methods: what a host makes code of, once. A method is a value that never changes. What does
//! change about its guards is in their [`Switch`]es, which it refers to.
//!
//! Operations are those of optimised traces, with the types and the meaning that the tables of
//! `crates/trace/src/table.rs` and `crates/ops/src/table.rs` give them. Where they lead is spelled
//! out as links.

use crate::block_id::{MethodBlockId, MethodNumber};
use crate::switch::Switch;
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::rc::Rc;
use verdigris_backend::interpret::keeping_guard;
use verdigris_ops::{Descrs, Ty};
use verdigris_trace::{Arg, GuardId, Opcode, OptimisedOp, OptimisedTrace, TargetId, ValRef};

/// A method.
#[derive(Clone)]
pub struct Method {
    pub(crate) number: MethodNumber,
    pub(crate) trace: Rc<OptimisedTrace>,
    pub(crate) descrs: Rc<Descrs>,
    pub(crate) blocks: Box<[MethodBlock]>,
    pub(crate) switches: FxHashMap<GuardId, Rc<Switch>>,
    /// The links to the sides of regions.
    pub(crate) sides: FxHashMap<TargetId, Link>,
}

/// A block of a method: one section of a trace. It sees no values of other blocks.
#[derive(Clone)]
pub struct MethodBlock {
    /// Its label, if traces compiled later can jump to it.
    pub label: Option<TargetId>,
    /// The values that it starts with.
    pub params: Box<[ValRef]>,
    /// Its operations among the trace's.
    pub(crate) ops: Range<usize>,
    /// The code that its calls may call directly, for each call in order.
    pub(crate) callees: Box<[Option<DirectCall>]>,
    /// What it ends with.
    pub end: BlockEnd,
}

/// A way to another block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Link {
    /// To a block of the same method: a jump, whose arguments stay in local variables.
    Internal(u16),
    /// To a block of another method: the arguments are written to the
    /// [`InputArgs`](crate::InputArgs), and the id is returned to the dispatcher, or the other
    /// method is called in the place of this one.
    External(MethodBlockId),
}

/// What a block ends with.
#[derive(Clone)]
pub enum BlockEnd {
    /// Goes on at another block with these arguments.
    Goto(Link, Box<[Arg]>),
    /// The portal returns these words: writes them to the context's exit buffer, 0 to its first
    /// word if there are none, and returns [`MethodBlockId::FINISH`].
    Finish(Box<[Arg]>),
    /// Goes on at the block whose id is in the first word of the record that is the first of these
    /// arguments: an external link that the record decides.
    Thread(Box<[Arg]>),
    /// The last operation is a guard that never holds.
    Leave,
}

/// Where a guard goes that does not hold.
pub enum GuardLink<'m> {
    /// To a block of the same region, with its fail arguments.
    Side(Link),
    /// To where its switch says: writes the fail arguments to the
    /// [`InputArgs`](crate::InputArgs) and takes the external link to [`Switch::next`].
    Switch(&'m Rc<Switch>),
}

/// Code that a call may call in the place of its function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DirectCall {
    /// The address of a word with the id of the block to start with, 0 while there is none.
    pub word: u64,
    /// How many of the call's first arguments the code does not take.
    pub greens: usize,
}

/// A step of a block.
pub enum MethodStep<'m> {
    /// An operation that is neither a call nor a guard.
    Compute(OptimisedOp<'m>),
    /// A call of a function.
    Call {
        /// The operation.
        op: OptimisedOp<'m>,
        /// The guard that says what is kept meanwhile, if anything is.
        keeps: Option<OptimisedOp<'m>>,
        /// The code to call instead, if there is any.
        callee: Option<DirectCall>,
    },
    /// A guard.
    Guard(OptimisedOp<'m>, GuardLink<'m>),
}

impl Method {
    /// Its number, which no other method has at the same time.
    pub fn number(&self) -> MethodNumber {
        self.number
    }

    /// The descriptors that its operations name.
    pub fn descrs(&self) -> &Descrs {
        &self.descrs
    }

    /// The trace of which it is a part; its operations are among the trace's.
    pub fn trace(&self) -> &OptimisedTrace {
        &self.trace
    }

    /// The blocks, by their numbers.
    pub fn blocks(&self) -> &[MethodBlock] {
        &self.blocks
    }

    /// The type of a value.
    pub fn ty(&self, value: ValRef) -> Ty {
        self.trace.types[value]
    }

    /// The types of values.
    pub fn types<'m>(&'m self, values: &'m [ValRef]) -> impl Iterator<Item = Ty> + Clone + 'm {
        values.iter().map(|&value| self.trace.types[value])
    }

    /// What a block does, in order.
    pub fn steps<'m>(&'m self, block: &'m MethodBlock) -> impl Iterator<Item = MethodStep<'m>> {
        let ops = self.trace.ops().slice(block.ops.clone());
        let mut callees = block.callees.iter();
        ops.iter().enumerate().filter_map(move |(n, op)| {
            Some(match op.opcode() {
                Opcode::MergePoint => return None,
                Opcode::Call => MethodStep::Call {
                    op,
                    keeps: keeping_guard(ops.get(n + 1)),
                    callee: callees.next().copied().flatten(),
                },
                opcode if opcode.is_guard() => MethodStep::Guard(op, self.guard_link(op)),
                _ => MethodStep::Compute(op),
            })
        })
    }

    pub(crate) fn guard_link(&self, op: OptimisedOp<'_>) -> GuardLink<'_> {
        match (op.side(), op.guard()) {
            (Some(side), _) => GuardLink::Side(self.sides[&side]),
            (None, Some(guard)) => GuardLink::Switch(&self.switches[&guard]),
            (None, None) => unreachable!("a checked guard has an identity"),
        }
    }
}
