//! The state of lowering one section: the places of values, the cold blocks still to fill, and what
//! the last operations have computed. A slot is read only behind the operation that has written it.

use crate::enter::ExitDescr;
use crate::trampolines::ExitShape;
use cranelift_codegen::ir::{Block, SigRef, SourceLoc, StackSlot, Value};
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
use verdigris_trace::{Arg, OptimisedTrace, TargetId, ValRef};

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

/// The things that a section refers to outside its operations.
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
    /// The compiled code that the section may call directly.
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

impl Slot {
    pub(crate) fn word(word: Value) -> Slot {
        Slot {
            word: word.into(),
            ..Slot::default()
        }
    }

    pub(crate) fn bit(bit: Value) -> Slot {
        Slot {
            bit: bit.into(),
            ..Slot::default()
        }
    }

    pub(crate) fn float(float: Value) -> Slot {
        Slot {
            float: float.into(),
            ..Slot::default()
        }
    }
}

/// The cold blocks of a function.
pub(crate) struct Exits {
    pub(super) shapes: FxHashMap<ExitShape, SharedCall>,
    pub(super) guards: Vec<GuardExit>,
    /// The exit for exhausted memory.
    pub(super) out_of_memory: Option<Block>,
    /// Slow paths of allocations.
    pub(super) slow: Vec<SlowPath>,
}

pub(super) struct SharedCall {
    pub(super) guards: u32,
    /// The tail call that guards share, and how many do.
    pub(super) shared: Option<(Block, u32)>,
}

pub(super) struct GuardExit {
    pub(super) block: Block,
    /// The source location of the guard.
    pub(super) origin: SourceLoc,
    pub(super) goes: Goes,
    pub(super) args: ExitArgs,
    /// Of a `guard_not_forced`: the state of the record that its call used.
    pub(super) state: Option<Value>,
}

/// Where a guard leads.
#[derive(Clone, Copy)]
pub(crate) enum Goes {
    /// Out of the trace: which of the section's guards that do.
    Out(usize),
    /// To a label of the same trace.
    Side(TargetId),
}

impl Goes {
    /// Which guard it is, if it can only be one that leads out.
    pub(crate) fn out(self) -> usize {
        match self {
            Goes::Out(index) => index,
            Goes::Side(target) => unreachable!("a guard of this kind goes to {target}"),
        }
    }
}

/// The values that an exit hands over, in the order of the exit's signature.
pub(crate) type ExitArgs = SmallVec<[ExitArg; 16]>;

/// A value that an exit hands over.
#[derive(Clone, Copy)]
pub(crate) enum ExitArg {
    /// A value of the main line.
    Value(Value),
    /// A word that is known if the guard fails.
    Word(i64),
    /// The word of a comparison, which is made again.
    Again(Value),
    /// The first minus the second, which was added to it.
    Difference(Value, Value),
    /// The bits of a double.
    Bits(Value),
}

/// An allocation that the bump allocator cannot serve.
pub(crate) struct SlowPath {
    /// The block.
    pub(crate) block: Block,
    /// The source location of the operation.
    pub(crate) origin: SourceLoc,
    /// Where to go on with the objects as the parameters.
    pub(crate) done: Block,
    /// Bytes of each object.
    pub(crate) sizes: SmallVec<[u32; 4]>,
    /// The class word of the first.
    pub(crate) class_word: i32,
}

impl Exits {
    /// Counts how many guards there are of each shape.
    pub(crate) fn new(links: &Links<'_>) -> Exits {
        let mut shapes = FxHashMap::default();
        for guard in links.guards {
            let shape = ExitShape::of(&guard.types);
            let entry = shapes.entry(shape).or_insert(SharedCall {
                guards: 0,
                shared: None,
            });
            entry.guards += 1;
        }
        Exits {
            shapes,
            guards: Vec::with_capacity(links.guards.len()),
            out_of_memory: None,
            slow: Vec::new(),
        }
    }

    /// The last guard leaves this state of its call's record in the context.
    pub(crate) fn hand_over_state(&mut self, state: Option<Value>) {
        if let Some(exit) = self.guards.last_mut() {
            exit.state = state;
        }
    }

    /// Remembers a slow path, to be filled at the end.
    pub(crate) fn add_slow(&mut self, path: SlowPath) {
        self.slow.push(path);
    }
}

/// How many distances are remembered.
const MAX_DISTANCES: usize = 4;

/// The last distances computed: an index times a stride. The components of an item lie at the same.
#[derive(Default)]
pub(crate) struct Distances(pub(super) SmallVec<[((Value, u32), Value); MAX_DISTANCES]>);

impl Distances {
    pub(super) fn remember(&mut self, of: (Value, u32), distance: Value) {
        if self.0.len() == MAX_DISTANCES {
            self.0.remove(0);
        }
        self.0.push((of, distance));
    }
}

/// The record of a function: its calls use one place after the other.
#[derive(Clone, Copy)]
pub(crate) struct SuspendedRecord {
    pub(super) slot: StackSlot,
    pub(super) size: u32,
}

/// Lowers one section. Its methods are in the files beside this one.
pub(crate) struct Lower<'a, 'f> {
    pub(crate) b: &'a mut FunctionBuilder<'f>,
    pub(crate) links: &'a Links<'a>,
    pub(crate) exits: Exits,
    pub(crate) trace: &'a OptimisedTrace,
    pub(super) slots: &'a mut Slots,
    /// The source location of the operation that is lowered.
    pub(crate) origin: SourceLoc,
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
    pub(crate) record: Option<SuspendedRecord>,
    /// The state of the record after the last call that used it.
    pub(super) state: Option<Value>,
    /// How far items are from the starts of their arrays.
    pub(crate) distances: Distances,
    /// Objects that have been allocated before their operations: results and addresses.
    pub(crate) reserved: SmallVec<[(ValRef, Value); 4]>,
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
            origin: SourceLoc::default(),
            next_guard: 0,
            calls: FxHashMap::default(),
            runtime: [None; 6],
            pair: None,
            checked: None,
            carried: &[],
            record: None,
            state: None,
            distances: Distances::default(),
            reserved: SmallVec::new(),
            small_array: None,
            addresses: SmallVec::new(),
            barriers: Barriers::default(),
        }
    }
}
