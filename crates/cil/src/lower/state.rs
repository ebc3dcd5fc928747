//! The state of lowering a method: what has been written, where values are, and what is still to be
//! written behind the blocks.

use crate::activation::CallSite;
use crate::code::{Code, Kind, Label, Signature};
use crate::locals::{Local, Locals, kind_of};
use crate::lower::uses::{ResultPlace, Uses};
use smallvec::SmallVec;
use std::mem::{offset_of, size_of};
use std::rc::Rc;
use verdigris_backend::barriers::Barriers;
use verdigris_heap::{Context, Suspended};
use verdigris_layered::{GuardLink, Method, MethodStep};
use verdigris_ops::Ty;
use verdigris_trace::{Arg, OptimisedOp, ValRef};

/// The memory of a method's frame: arguments of calls that take them in memory, and behind them the
/// record of what is kept during a call.
#[derive(Clone, Copy, Default)]
pub(super) struct Memory {
    pub(super) args: usize,
    pub(super) record: usize,
}

/// Lowers a method.
pub(crate) struct Lower<'m> {
    pub(super) method: &'m Method,
    pub(super) code: Code,
    pub(super) locals: Locals,
    pub(super) signatures: Vec<Signature>,
    pub(super) sites: Vec<Rc<CallSite>>,
    /// For each block, the variables of its parameters and where its operations begin.
    pub(super) blocks: Vec<(Vec<Local>, Label)>,
    /// The ways out still to be written.
    pub(super) exits: Vec<Exit<'m>>,
    pub(super) slow_allocations: Vec<SlowAllocation>,
    pub(super) out_of_memory: Option<Label>,
    pub(super) memory: Memory,
    /// The address of the memory.
    pub(super) memory_local: Option<Local>,
    /// A variable by whose address the bits of doubles are read and written.
    pub(super) bits: Option<Local>,
    /// The variables for the starts of slots.
    pub(super) slot_starts: [Option<Local>; 3],
    pub(super) barriers: Barriers,
    pub(super) uses: Uses,
    /// The value that is on the stack.
    pub(super) on_stack: Option<ValRef>,
    /// What becomes of the result of this step.
    pub(super) result_place: ResultPlace,
    /// The comparison that the next guard makes.
    pub(super) pending: Option<OptimisedOp<'m>>,
    /// The state of the record of the last call that kept something.
    pub(super) state: Option<Local>,
}

/// A way out that a guard takes.
pub(super) struct Exit<'m> {
    pub(super) label: Label,
    pub(super) types: Vec<Ty>,
    /// What it hands over.
    pub(super) args: Vec<Source>,
    pub(super) link: GuardLink<'m>,
    /// Of a `guard_not_forced`: the state of the record that its call used.
    pub(super) state: Option<Local>,
}

/// Where something that is handed over is.
#[derive(Clone, Copy)]
pub(super) enum Source {
    Local(Local),
    /// A test that has failed.
    Zero,
    Arg(Arg),
}

/// An allocation that the bump allocator cannot serve.
pub(super) struct SlowAllocation {
    pub(super) label: Label,
    pub(super) done: Label,
    pub(super) object: Local,
    pub(super) size: u32,
    pub(super) class_word: i32,
}

impl<'m> Lower<'m> {
    /// Nothing has been written yet.
    pub(super) fn new(method: &'m Method) -> Lower<'m> {
        let mut lower = Lower {
            method,
            code: Code::default(),
            locals: Locals::default(),
            signatures: Vec::new(),
            sites: Vec::new(),
            blocks: Vec::new(),
            exits: Vec::new(),
            slow_allocations: Vec::new(),
            out_of_memory: None,
            memory: Memory::of(method),
            memory_local: None,
            bits: None,
            slot_starts: [None; 3],
            barriers: Barriers::default(),
            uses: Uses::default(),
            on_stack: None,
            result_place: ResultPlace::Variable,
            pending: None,
            state: None,
        };
        if lower.memory.bytes() > 0 {
            lower.memory_local = Some(lower.locals.take(Kind::Address));
        }
        for block in method.blocks() {
            let kinds = method.types(&block.params).map(kind_of);
            let params: Vec<Local> = kinds.map(|kind| lower.locals.take(kind)).collect();
            // Blocks share variables: at a link, none of the values of the one is needed any more.
            params
                .iter()
                .rev()
                .for_each(|&local| lower.locals.give_back(local));
            let label = lower.code.label();
            lower.blocks.push((params, label));
        }
        lower
    }
}

impl Memory {
    /// What the calls of a method need.
    pub(super) fn of(method: &Method) -> Memory {
        let mut memory = Memory::default();
        for step in method.blocks().iter().flat_map(|block| method.steps(block)) {
            if let MethodStep::Call { op, keeps, callee } = step {
                if callee.is_some() || method.descrs().fns[op.function()].thunk == 0 {
                    memory.args = memory.args.max(8 * op.args().len().max(1));
                }
                if let Some(resume) = keeps.and_then(|guard| guard.resume()) {
                    let bytes = size_of::<Suspended>() + 8 * resume.kept_args().len();
                    memory.record = memory.record.max(bytes);
                }
            }
        }
        memory
    }

    /// How large it is.
    pub(super) fn bytes(&self) -> usize {
        self.args + self.record
    }
}

/// Where a word of the exit buffer is.
pub(super) fn exit_word(n: usize) -> usize {
    offset_of!(Context, exits) + 8 * n
}

/// Kinds of parameters.
pub(super) type Kinds = SmallVec<[Kind; 12]>;
