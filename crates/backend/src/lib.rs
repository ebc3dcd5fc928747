//! The interface between optimised traces and machine code, and the interpreting backend, which is
//! the oracle.
//!
//! In: an [`OptimisedTrace`] whose guards and labels carry the identities the engine gave them.
//! Out: code that can be entered at a label and left at a guard, at `finish`, or on a panic.
//! Invariants: a backend changes nothing of a trace's meaning; at an exit, word `i` of
//! [`Context`]'s exit buffer is fail argument `i` of the guard.

#![warn(clippy::undocumented_unsafe_blocks)]

pub mod arena;
pub mod barriers;
#[cfg(any(target_os = "linux", target_os = "android", target_os = "freebsd"))]
mod forked;
pub mod groups;
pub mod journal;
pub mod listing;
pub mod magic;
mod oracle;
mod retired;
pub mod sabotage;
mod sections;

pub use oracle::Oracle;
pub use retired::{Retired, RunningCode};
pub use sections::{
    LabelTypes, MAX_FAIL_ARGS, Section, SectionEnd, bridge_sections, loop_sections,
};

use crate::journal::CodeEvent;
use std::rc::Rc;
use verdigris_heap::Context;
use verdigris_ops::{Descrs, FnInfo, FnKind};
use verdigris_trace::{Const, GuardId, OpArgs, OptimisedTrace, TargetId};

/// How compiled code was left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CodeExit {
    /// A guard failed; the fail arguments are in the context's exit buffer.
    Guard(GuardId),
    /// The portal returns: the first word of its result, 0 if it returns nothing. All of them are
    /// in the context's exit buffer.
    Finish(u64),
    /// The heap limit was reached. Stores that the optimiser had delayed are lost, so the VM must
    /// not run guest code again.
    OutOfMemory,
}

/// What a compilation cost and produced.
#[derive(Clone, Debug, Default)]
pub struct CompileOutput {
    /// Bytes of machine code (0 for interpreting backends).
    pub code_bytes: usize,
    /// The backend's own input form (CLIF), if [`Env::dump_ir`] asked for it.
    pub ir: Option<String>,
    /// Disassembly, if [`Env::dump_asm`] asked for it.
    pub asm: Option<String>,
}

/// Bytes of the native stack that a function of compiled code may take, its parameters with it, but
/// not what it calls. Compiled code looks at the stack in front of the calls that it makes, not
/// behind; so the engine, which sets the limit, keeps as much free.
pub const MAX_FRAME: usize = 16 << 10;

/// The word of a record that `guard_count` counts down. The word in front of it says where the code
/// is ([`Backend::thread_word`]), and what the words behind it are is for those to know who make
/// records and the traces that read them.
pub const COUNT: usize = 1;

/// Why a trace could not be compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BackendError(pub String);

impl std::fmt::Display for BackendError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the backend cannot compile this trace: {}", self.0)
    }
}

impl std::error::Error for BackendError {}

/// What a backend may look at while it compiles.
pub struct Env<'a> {
    /// Linked descriptors.
    pub descrs: &'a Descrs,
    /// What compiled code can call directly, if anything.
    pub callees: Option<&'a dyn Callees>,
    /// Produce [`CompileOutput::ir`].
    pub dump_ir: bool,
    /// Produce [`CompileOutput::asm`].
    pub dump_asm: bool,
}

/// What the engine tells of the portal's compiled code, for calls of the runner.
pub trait Callees {
    /// How many of the runner's arguments are greens.
    fn greens(&self) -> usize;

    /// The address of a word that holds the address of the code for these greens
    /// ([`Entry::address`]), 0 while there is none. The code takes the reds. The word lives as long
    /// as the engine.
    fn code_of(&self, greens: &[u64]) -> u64;

    /// The address of a word with the address of code that takes a record and the reds, if this
    /// function is for calls of threaded code: it takes greens, their record, and the reds.
    fn entrance(&self, _function: &FnInfo) -> Option<u64> {
        None
    }
}

/// The address of the word with a callee's code ([`Callees::code_of`]), and the number of its
/// greens, if a call of this function with these arguments can go there directly: it is the
/// runner's, and all greens are constant.
pub fn direct_callee(
    callees: &dyn Callees,
    info: &FnInfo,
    args: OpArgs<'_>,
) -> Option<(u64, usize)> {
    let count = callees.greens();
    if let Some(word) = callees.entrance(info) {
        return Some((word, count));
    }
    if info.kind != FnKind::Runner {
        return None;
    }
    let greens: Option<Vec<u64>> = (0..count)
        .map(|n| args.constant(n).map(Const::word))
        .collect();
    Some((callees.code_of(&greens?), count))
}

/// A place where compiled code can be entered from Rust.
pub trait Entry {
    /// Runs from the label with these raw words until an exit. Nothing of the backend is borrowed
    /// meanwhile: code may be compiled, attached and entered from residual calls.
    ///
    /// # Safety
    /// `ctx` is the current context of this thread; `args` match the label's definitions in number
    /// and type.
    unsafe fn run(&self, ctx: *mut Context, args: &[u64]) -> CodeExit;

    /// The address of the machine code, which code of the same backend can call; 0 if there is
    /// none.
    fn address(&self) -> usize {
        0
    }
}

/// A compiler of optimised traces.
pub trait Backend {
    /// The name in parameters and statistics.
    fn name(&self) -> &'static str;

    /// Compiles a loop or entry trace. Every `label` in it becomes a target that later traces may
    /// jump to; every `jump` goes to a label of this trace or of one compiled before.
    ///
    /// # Errors
    /// If the trace exceeds a limit of the backend; nothing has changed then.
    fn compile_loop(
        &mut self,
        env: &Env<'_>,
        trace: &OptimisedTrace,
    ) -> Result<CompileOutput, BackendError>;

    /// Compiles a trace that records name, as [`Backend::compile_loop`]: its first label is entered
    /// with a record in front of what else it takes.
    ///
    /// # Errors
    /// As [`Backend::compile_loop`].
    fn compile_stencil(
        &mut self,
        env: &Env<'_>,
        trace: &OptimisedTrace,
    ) -> Result<CompileOutput, BackendError> {
        self.compile_loop(env, trace)
    }

    /// Compiles a trace that continues where `guard` fails (its inputs are the guard's fail
    /// arguments), and attaches it: from now on the guard goes there instead of leaving. Replaces
    /// an earlier bridge.
    ///
    /// # Errors
    /// As [`Backend::compile_loop`].
    fn compile_bridge(
        &mut self,
        env: &Env<'_>,
        guard: GuardId,
        trace: &OptimisedTrace,
    ) -> Result<CompileOutput, BackendError>;

    /// The entry for a label, if it has been compiled.
    fn entry(&self, target: TargetId) -> Option<Rc<dyn Entry>>;

    /// The word that the record begins with of a place of the guest program whose code starts at
    /// this label: `thread` goes there. 0 if the label has not been compiled.
    fn thread_word(&self, target: TargetId) -> u64;

    /// Invalidates a compiled trace: from now on `checks`, its guards of the kind
    /// `guard_not_invalidated`, fail. If it is a bridge, its guard leaves again as it did before.
    /// The engine neither enters it nor compiles a jump to its labels any more; activations of it
    /// run on to their next check.
    fn invalidate(&mut self, checks: &[GuardId], bridge_of: Option<GuardId>);

    /// Frees the code of these labels, and the bridges of these guards. Neither is known any more.
    ///
    /// # Safety
    /// The labels and guards are those of whole traces, compiled as loops, with all their bridges.
    /// No activation of compiled code is in them or can get there, and no [`Entry`] to them is run
    /// any more.
    unsafe fn free(&mut self, targets: &[TargetId], guards: &[GuardId]);

    /// Makes every guard compiled from now on fail once although it holds (`fail_guards=1`); it
    /// counts as failed and the next time it behaves. `guard_no_panic` included.
    fn force_guard_failures(&mut self);

    /// Bytes of machine code in use.
    fn code_bytes(&self) -> usize;

    /// From now on, notes what code it makes and frees, beginning with what there is. A backend
    /// without machine code does nothing.
    fn keep_journal(&mut self) {}

    /// What has been noted since the last time.
    fn take_journal(&mut self) -> Vec<CodeEvent> {
        Vec::new()
    }
}
