//! The ways out of a trace's main line: stubs of guards, and cold paths, which come back.
//!
//! A guard branches to its stub, which calls a handler that all code shares; a bridge replaces that
//! call by a jump. Stubs and cold paths are collected here while the main line is compiled, and
//! emitted behind it.

pub(crate) mod cold_paths;
pub(crate) mod guards;
pub(crate) mod side_exits;
pub(crate) mod stubs;

use crate::asm::Asm;
use crate::asm::operands::{Gpr, Label, Mem, RmImm, Xmm};
use crate::code::GuardTable;
use crate::locations::{Loc, ValueLoc};
use verdigris_trace::ValRef;

/// The exits of the guards of a trace.
#[derive(Default)]
pub(crate) struct Exits {
    pub(crate) guards: GuardTable,
    pub(crate) stubs: Vec<Stub>,
    /// The values that guards pass to labels of the same trace.
    pub(crate) side_values: Vec<ValueLoc>,
}

impl Exits {
    pub(crate) fn clear(&mut self) {
        self.guards.clear();
        self.stubs.clear();
        self.side_values.clear();
    }
}

/// The code that a failing guard branches to.
pub(crate) struct Stub {
    pub(crate) label: Label,
    pub(crate) target: ExitTarget,
    pub(crate) action: StubAction,
    /// The address of the word that makes the guard fail although it holds.
    pub(crate) forced: Option<usize>,
}

/// Where a stub leads.
#[derive(Clone, Copy)]
pub(crate) enum ExitTarget {
    /// Out of the trace, through the guard with this number.
    Out(usize),
    /// To a label of the same trace.
    Side(SideExit),
}

/// A way to a label of the same trace.
#[derive(Clone, Copy)]
pub(crate) struct SideExit {
    /// Which of the trace's labels.
    pub(crate) label: usize,
    /// Where its values begin in [`Exits::side_values`]; there is one for each parameter.
    pub(crate) first: u32,
}

/// The work of a stub before it leaves.
#[derive(Clone, Copy)]
pub(crate) enum StubAction {
    Nothing,
    /// Takes back a sum (by `sub`) or a difference (by `add`, if the first field is true).
    Undo(bool, Gpr, RmImm),
    /// Leaves the state of a call's record, which is in this slot, in the context.
    State(Loc),
}

/// A value that the failure of a guard determines, and where the exit finds it.
pub(crate) type KnownIfFails = (ValRef, ValueLoc);

/// The cold paths of a trace.
#[derive(Default)]
pub(crate) struct ColdPaths {
    pub(crate) list: Vec<ColdPath>,
    /// The arguments of calls on cold paths.
    pub(crate) arguments: Vec<ValueLoc>,
}

/// Code that is rarely executed and goes back to the main line.
#[derive(Clone, Copy)]
pub(crate) struct ColdPath {
    pub(crate) enter: Label,
    pub(crate) back: Label,
    pub(crate) work: ColdWork,
}

/// The work of a cold path. It changes no place of a value but its result's, since handlers
/// preserve all registers, where the collector sees them.
#[derive(Clone, Copy)]
pub(crate) enum ColdWork {
    /// Allocates an object that the bump allocator cannot serve.
    Alloc {
        object: Gpr,
        size: u32,
        class_word: i32,
        /// Whether doubles are in registers.
        keeps_doubles: bool,
    },
    /// Converts a double that fits no integer.
    Saturate(Gpr, Xmm),
    /// Asks the runtime whether there is room for an array, and fails a guard otherwise.
    Room { len: Gpr, stride: u32, stub: Label },
    /// Lets suspended code give an object back.
    Reclaim(Gpr),
    /// Tells the runtime that a quasi-immutable field has been written.
    Invalidate(Mem),
    /// The same of a field with this address.
    InvalidateConstant(u64),
    /// Leaves because the heap is exhausted.
    OutOfMemory,
    /// Calls a function by its thunk, with the arguments in the frame.
    Invoke {
        target: usize,
        invoke: usize,
        /// The arguments among [`ColdPaths::arguments`]: the first, and how many.
        arguments: (u32, u32),
    },
    /// Calls the portal's runner, because there is no code or no room on the stack.
    Runner {
        target: usize,
        invoke: usize,
        results: u32,
    },
    /// Lets the engine finish a call whose code has been left.
    Left,
}

impl ColdPaths {
    pub(crate) fn clear(&mut self) {
        self.list.clear();
        self.arguments.clear();
    }

    pub(crate) fn add(&mut self, (enter, back): (Label, Label), work: ColdWork) {
        self.list.push(ColdPath { enter, back, work });
    }

    /// The label of the path that leaves because the heap is exhausted, which all share.
    pub(crate) fn out_of_memory(&mut self, asm: &mut Asm) -> Label {
        let known = (self.list.iter()).find(|path| matches!(path.work, ColdWork::OutOfMemory));
        if let Some(path) = known {
            return path.enter;
        }
        let labels = asm.new_labels();
        self.add(labels, ColdWork::OutOfMemory);
        labels.0
    }
}
