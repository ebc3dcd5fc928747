//! What lowering a section keeps in hand. In: the trace, and what its sections refer to. Out: the
//! [`Lower`] whose verbs are in the files beside this one: the places of values, the guards still
//! to come, what the last operations have shown. Invariant: a slot is read only behind the
//! operation that has written it.

use crate::alloc::Reserved;
use crate::enter::ExitDescr;
use crate::exits::Exits;
use crate::memory::Distances;
use crate::suspended::Record;
use cranelift_codegen::ir::{SigRef, SourceLoc, Value};
use cranelift_codegen::isa::CallConv;
use cranelift_codegen::packed_option::PackedOption;
use cranelift_entity::SecondaryMap;
use cranelift_frontend::FunctionBuilder;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::rc::Rc;
use verdigris_backend::Callees;
use verdigris_backend::barriers::Barriers;
use verdigris_ops::{DataOp, Descrs, FnId, Ty};
use verdigris_trace::{Arg, OptimisedOps, OptimisedTrace, TargetId, ValRef};

/// Where a trace value is in the function.
#[derive(Clone, Copy, Default)]
pub(crate) struct Slot {
    /// The value itself: a word or a double.
    pub(super) word: PackedOption<Value>,
    /// The 8-bit truth value it is the extension of, if it is one.
    pub(super) bit: PackedOption<Value>,
    /// The double that its word has the bits of, if it is the word of one.
    pub(super) float: PackedOption<Value>,
}

/// Trace values in the current function. Reused from function to function; checked sections only
/// read what they wrote.
pub(crate) type Slots = SecondaryMap<ValRef, Slot>;

/// Where a label is, for code that jumps there.
#[derive(Clone)]
pub(crate) struct LabelPlace {
    /// The code, if it is known already.
    pub(crate) address: Option<usize>,
    /// The word that will hold the code's address.
    pub(crate) cell: u64,
    /// The types of the parameters.
    pub(crate) params: Box<[Ty]>,
}

/// What a section refers to outside its operations.
pub(crate) struct Links<'a> {
    pub(crate) descrs: &'a Descrs,
    /// The guards of the section in order.
    pub(crate) guards: &'a [Rc<ExitDescr>],
    /// The labels that the section goes to.
    pub(crate) targets: Vec<(TargetId, LabelPlace)>,
    /// The descriptor for `finish`.
    pub(crate) finish: u64,
    /// The descriptor for exhausted memory.
    pub(crate) out_of_memory: u64,
    /// The calling convention of residual calls.
    pub(crate) native: CallConv,
    /// What compiled code can call directly.
    pub(crate) callees: Option<&'a dyn Callees>,
    /// Whether guards look at the word that makes them fail once.
    pub(crate) forced: bool,
    /// Whether the journal or the log notes which operation an instruction is for.
    pub(crate) notes_ops: bool,
}

/// How the parameters arrive.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Entrance {
    /// As a label's: in order.
    Label,
    /// As an exit's: a descriptor, integers and references, floats.
    Bridge,
}

pub(crate) struct Lower<'a, 'f> {
    pub(crate) b: &'a mut FunctionBuilder<'f>,
    pub(crate) links: &'a Links<'a>,
    pub(crate) exits: Exits,
    pub(crate) trace: &'a OptimisedTrace,
    pub(super) slots: &'a mut Slots,
    /// The section's operations.
    pub(super) ops: OptimisedOps<'a>,
    /// What stands for the operation that is compiled.
    pub(crate) origin: SourceLoc,
    /// The loads that are done in exits, by their results.
    pub(super) late: FxHashMap<ValRef, usize>,
    pub(super) next_guard: usize,
    /// Residual calls by function, so that a signature is imported once.
    pub(crate) calls: FxHashMap<FnId, SigRef>,
    /// Signatures of runtime functions by the number of their arguments.
    pub(crate) runtime: [Option<SigRef>; 6],
    /// The last sum, difference or product computed together with its overflow.
    pub(super) pair: Option<(DataOp, [Arg; 2], Value)>,
    /// The last overflow check: its outcome, the operation and its operands, and the result.
    pub(crate) checked: Option<(Value, DataOp, [Arg; 2], Value)>,
    /// The section's parameters, if it is a loop.
    pub(super) carried: &'a [ValRef],
    /// Where calls say what they keep.
    pub(crate) record: Option<Record>,
    /// The state of the record after the last call that used it.
    pub(super) state: Option<Value>,
    /// How far items are from the starts of their arrays.
    pub(crate) distances: Distances,
    /// Objects that are there already.
    pub(crate) reserved: Reserved,
    /// The last small array of constant length that was made, and its length.
    pub(crate) small_array: Option<(ValRef, u32)>,
    /// Constant addresses that the last stores, with nothing between them, have stored.
    pub(crate) addresses: SmallVec<[(u64, Value); 2]>,
    /// Which stores need no barrier.
    pub(crate) barriers: Barriers,
}

impl<'a, 'f> Lower<'a, 'f> {
    pub(crate) fn new(
        b: &'a mut FunctionBuilder<'f>,
        trace: &'a OptimisedTrace,
        links: &'a Links<'a>,
        slots: &'a mut Slots,
    ) -> Self {
        Lower {
            b,
            exits: Exits::new(links),
            links,
            trace,
            slots,
            ops: trace.ops().slice(0..0),
            origin: SourceLoc::default(),
            late: FxHashMap::default(),
            next_guard: 0,
            calls: FxHashMap::default(),
            runtime: [None; 6],
            pair: None,
            checked: None,
            carried: &[],
            record: None,
            state: None,
            distances: Distances::default(),
            reserved: Reserved::new(),
            small_array: None,
            addresses: SmallVec::new(),
            barriers: Barriers::default(),
        }
    }
}
