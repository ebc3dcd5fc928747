//! The events of the engine. Observers are told of each by reference and change nothing of the
//! engine, so what is observed never depends on who observes it.

use crate::code::guard_info::GuardInfo;
use crate::code::trace_id::TraceId;
use crate::code::trees::{InUse, Tree, TreeId};
use crate::compile::target::{Failed, TraceOrigin, TraceTarget};
use crate::policy::reasons::{FreeReason, TierChange};
use std::rc::Rc;
use verdigris_backend::{CompileOutput, journal};
use verdigris_heap::EntryKind;
use verdigris_opt::{BuilderInput, Optimised};
use verdigris_report::{CompilerKind, OpCounts, WhyInterpreted};
use verdigris_resume::FrameStack;
use verdigris_specialise::LeaveReason;
use verdigris_trace::{GuardId, Opcode, OptimisedTrace, RecordedTrace, TargetId};

/// Something that the engine has done. Greens are those of the place that an event is about.
#[derive(Clone, Copy)]
pub(crate) enum Event<'a> {
    /// A run has been recorded and goes to the optimiser.
    Recorded {
        start: &'a TraceStart<'a>,
        trace: &'a RecordedTrace,
    },
    /// The specialiser has written a trace.
    Specialised {
        start: &'a TraceStart<'a>,
        specialised: &'a SpecialisedSections,
        trace: &'a OptimisedTrace,
    },
    /// The optimiser has returned a trace, whose guards have their numbers. `next_label` is the
    /// label that it will use next.
    Optimised {
        trace: &'a OptimisedTrace,
        next_label: TargetId,
    },
    /// The specialiser has looked for an arm that a stencil lacks.
    ArmSought { is_new: bool, next_label: TargetId },
    /// An optimised trace is set aside until the loop that it leads to has another version.
    SetAside,
    /// The optimiser or the backend has failed.
    Failed(&'a Failed),
    /// The optimiser has forgotten labels.
    LabelsForgotten(&'a [TargetId]),
    /// An optimised trace goes to the backend.
    Compiling(&'a TraceInfo<'a>),
    /// A trace has been compiled and installed.
    Compiled(&'a TraceInfo<'a>, &'a InstalledCode<'a>),
    /// The tracer has given up in these frames; [`Event::Aborted`] follows.
    RecordingAborted { frames: &'a FrameStack },
    /// An attempt to compile something has led to nothing.
    Aborted(&'a AbortInfo<'a>),
    /// The code of an instruction could not be compiled for threaded code.
    StencilAborted {
        title: &'a str,
        greens: &'a [u64],
        failed: &'a Failed,
        spent: f64,
    },
    /// There was too little stack to trace. `spent` as in [`AbortInfo`].
    TooLittleStack {
        origin: Option<GuardId>,
        greens: Option<&'a [u64]>,
        bytes_left: usize,
        spent: f64,
    },
    /// Trees of compiled code have been freed. `bytes` counts machine code and records.
    Freed {
        reason: FreeReason,
        trees: &'a [Tree],
        guards: &'a [GuardId],
        bytes: usize,
        journal: &'a [journal::CodeEvent],
    },
    /// Other machine code than that of traces has changed.
    CodeChanged { journal: &'a [journal::CodeEvent] },
    /// Traces have been invalidated by a write to a quasi-immutable field.
    Invalidated { traces: &'a [TraceId] },
    /// Native code enters the code of a tree. Told only if [`Observers::watches_runs`] holds.
    /// `interpreted` are the seconds in native code so far.
    ///
    /// [`Observers::watches_runs`]: crate::observe::observers::Observers::watches_runs
    Entered { tree: TreeId, interpreted: f64 },
    /// The code that was entered last has been left. Told as [`Event::Entered`].
    Left { interpreted: f64 },
    /// A guard has led out of compiled code. Told as [`Event::Entered`]. `value` is the one that
    /// has come, if the guard is on a promotion.
    GuardFailed {
        guard: GuardId,
        info: &'a GuardInfo,
        greens: Option<&'a [u64]>,
        exit: GuardExit,
        value: Option<u64>,
        interpreted: f64,
    },
    /// A place was interpreted for `passed` passes that had no other reason than that it was not
    /// hot yet, and is interpreted from now on for the reason `then`. Told only if
    /// [`Observers::watches_passes`] holds.
    ///
    /// [`Observers::watches_passes`]: crate::observe::observers::Observers::watches_passes
    Passed {
        hash: u64,
        greens: &'a [u64],
        passed: u32,
        then: Option<InterpretedFor>,
    },
    /// A place goes over to another compiler, or its code is suspended.
    TierChanged {
        greens: &'a [u64],
        change: &'a TierChange,
    },
    /// No bridge or arm is tried again at this guard of threaded code.
    GuardBlocked {
        guard: GuardId,
        greens: Option<&'a [u64]>,
        why: &'a str,
    },
    /// Compiling has to wait: it has cost so many seconds, and may have cost this many.
    CompilingWaits {
        cost: f64,
        allowed: f64,
        interpreted: f64,
    },
    /// Compiling does not wait any longer.
    CompilingGoesOn { interpreted: f64 },
}

/// Why a place is interpreted from now on, and for how long.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct InterpretedFor {
    pub(crate) why: WhyInterpreted,
    /// What counts it: one of the tables of counters, or both.
    pub(crate) pass: Option<EntryKind>,
    /// Passes until it is looked at again.
    pub(crate) passes: u32,
}

/// Why a guard has led out of compiled code.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum GuardExit {
    /// Its condition does not hold, for the `n`-th time.
    Failed(u32),
    /// A call has panicked.
    Panic,
    /// The heap is used up.
    HeapExhausted,
}

/// A trace of which the code is not known yet.
#[derive(Clone, Copy)]
pub(crate) struct TraceStart<'a> {
    pub(crate) id: TraceId,
    pub(crate) title: &'a str,
    pub(crate) target: TraceTarget,
    pub(crate) compiler: CompilerKind,
    pub(crate) greens: Option<&'a [u64]>,
    pub(crate) from: Option<TraceId>,
}

/// A trace on its way through optimiser and backend.
#[derive(Clone, Copy)]
pub(crate) struct TraceInfo<'a> {
    pub(crate) id: TraceId,
    /// The title in the log.
    pub(crate) title: &'a str,
    pub(crate) target: TraceTarget,
    pub(crate) compiler: CompilerKind,
    /// The greens of the place where it starts, if they are known.
    pub(crate) greens: Option<&'a [u64]>,
    /// The trace that a bridge starts in.
    pub(crate) from: Option<TraceId>,
    /// Empty if nothing was recorded.
    pub(crate) recorded: &'a RecordedTrace,
    pub(crate) optimised: &'a Optimised,
    pub(crate) specialised: Option<&'a SpecialisedSections>,
    /// Operations as recorded and as optimised.
    pub(crate) counts: [OpCounts; 2],
}

/// The machine code of a trace, and where it has been installed.
#[derive(Clone, Copy)]
pub(crate) struct InstalledCode<'a> {
    pub(crate) machine_code: &'a CompileOutput,
    pub(crate) journal: &'a [journal::CodeEvent],
    pub(crate) tree: TreeId,
    /// The entries of the tree.
    pub(crate) in_use: &'a Rc<InUse>,
    /// Bytes that the descriptions of its guards take.
    pub(crate) guard_bytes: usize,
    /// Seconds that the JIT has spent on making code so far.
    pub(crate) spent: f64,
}

/// An attempt that has led to nothing.
#[derive(Clone, Copy)]
pub(crate) struct AbortInfo<'a> {
    pub(crate) origin: TraceOrigin,
    /// The greens of the place where it started, if they are known.
    pub(crate) greens: Option<&'a [u64]>,
    pub(crate) failed: &'a Failed,
    pub(crate) trace: &'a RecordedTrace,
    /// Whether it is not tried again.
    pub(crate) blocked: bool,
    /// Seconds that the JIT has spent on making code so far.
    pub(crate) spent: f64,
}

/// The specialiser's part of a trace.
pub(crate) struct SpecialisedSections {
    /// Operations that the optimiser was given.
    pub(crate) operations: usize,
    /// Exits to the interpreter, by reason.
    pub(crate) exits: Vec<(LeaveReason, u32)>,
    /// The optimiser's input, if the log asks for it.
    pub(crate) sections: Vec<BuilderInput>,
}

impl TraceInfo<'_> {
    pub(crate) fn start(&self) -> TraceStart<'_> {
        TraceStart {
            id: self.id,
            title: self.title,
            target: self.target,
            compiler: self.compiler,
            greens: self.greens,
            from: self.from,
        }
    }

    /// The number of its labels.
    pub(crate) fn labels(&self) -> usize {
        let ops = self.optimised.trace.ops().iter();
        ops.filter(|op| op.opcode() == Opcode::Label).count()
    }

    /// Whether native code enters the trace.
    pub(crate) fn is_entered(&self) -> bool {
        matches!(self.target, TraceTarget::Loop | TraceTarget::Header(..))
    }
}
