//! What a backend implements, and what it is given.

use crate::journal::CodeEvent;
use std::rc::Rc;
use verdigris_heap::Context;
use verdigris_ops::{Descrs, FnInfo, FnKind};
use verdigris_trace::{Const, GuardId, OpArgs, OptimisedTrace, TargetId};

/// How compiled code was left: see the contract of [exits](crate#exits).
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

/// The result of a compilation, apart from the code.
#[derive(Clone, Debug, Default)]
pub struct CompileOutput {
    /// Bytes of machine code (0 for interpreting backends).
    pub code_bytes: usize,
    /// The backend's own input form (CLIF, or methods), if [`Env::dump_ir`] asked for it.
    pub ir: Option<String>,
    /// Disassembly, if [`Env::dump_asm`] asked for it.
    pub asm: Option<String>,
}

/// The largest frame of compiled code on the native stack, in bytes, parameters included. Compiled
/// code checks the stack in front of the calls that it makes; so the engine, which sets the limit,
/// keeps as much free.
pub const MAX_FRAME: usize = 16 << 10;

/// The word of a record that `guard_count` counts down. The word in front of it names the code
/// ([`Backend::thread_word`]); the layout of the remaining words is private to the specialiser.
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

/// The environment of a compilation.
pub struct Env<'a> {
    /// Linked descriptors.
    pub descrs: &'a Descrs,
    /// The compiled code that the trace may call directly, if there is any.
    pub callees: Option<&'a dyn Callees>,
    /// Produce [`CompileOutput::ir`].
    pub dump_ir: bool,
    /// Produce [`CompileOutput::asm`].
    pub dump_asm: bool,
}

/// The compiled code of the portal, for calls of the runner.
pub trait Callees {
    /// The number of greens among the runner's arguments.
    fn greens(&self) -> usize;

    /// The address of a word that holds the address of the code for these greens
    /// ([`Entry::address`]), 0 while there is none. The code takes the reds. The word lives as long
    /// as the engine.
    fn code_of(&self, greens: &[u64]) -> u64;

    /// For a function that calls threaded code, which takes greens, their record and the reds: the
    /// address of a word with the address of code that takes the record and the reds.
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
///
/// Nothing of a backend is borrowed while its code runs: a residual call may compile, attach,
/// invalidate and enter code, also the code that has made the call. So code that is replaced or
/// invalidated lives until no activation can be in it ([`Retired`](crate::Retired)), and entries
/// keep alive what they run.
pub trait Backend {
    /// The name in parameters and statistics.
    fn name(&self) -> &'static str;

    /// Compiles a loop or entry trace. Every `label` in it becomes a target for later traces; every
    /// `jump` goes to a label of this trace or of one compiled before.
    ///
    /// # Errors
    /// If the trace exceeds a limit of the backend. Then nothing has changed.
    fn compile_loop(
        &mut self,
        env: &Env<'_>,
        trace: &OptimisedTrace,
    ) -> Result<CompileOutput, BackendError>;

    /// Compiles a trace that records name, as [`Backend::compile_loop`] does. Its first label takes
    /// a record in front of its other parameters, by a convention that depends on their types only,
    /// since a `thread` does not know which code its record names.
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

    /// Compiles a trace whose inputs are the fail arguments of `guard`, and attaches it: from now
    /// on the guard goes there instead of leaving. Replaces an earlier bridge.
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

    /// The first word of a record whose code starts at this label, to which `thread` goes. 0 if the
    /// label has not been compiled.
    fn thread_word(&self, target: TargetId) -> u64;

    /// Invalidates a compiled trace: from now on `checks`, its guards of the kind
    /// `guard_not_invalidated`, fail. If it is a bridge, its guard leaves again as it did before.
    /// The engine neither enters it nor compiles a jump to its labels any more; activations of it
    /// run on to their next check.
    fn invalidate(&mut self, checks: &[GuardId], bridge_of: Option<GuardId>);

    /// Frees the code of these labels and the bridges of these guards, which are then unknown.
    ///
    /// # Safety
    /// The labels and guards are those of whole traces, compiled as loops, with all their bridges.
    /// No activation of compiled code is in them or can get there, and no [`Entry`] to them is run
    /// any more.
    unsafe fn free(&mut self, targets: &[TargetId], guards: &[GuardId]);

    /// Makes every guard compiled from now on fail once although it holds (`fail_guards=1`),
    /// `guard_no_panic` included. The failure is an ordinary exit; after it the guard behaves.
    fn force_guard_failures(&mut self);

    /// Bytes of machine code in use; 0 for a backend without machine code.
    fn code_bytes(&self) -> usize;

    /// Starts a [`journal`](crate::journal) of the code that is made and freed. A backend without
    /// machine code keeps none.
    fn keep_journal(&mut self) {}

    /// Takes the events since the last call from the journal.
    fn take_journal(&mut self) -> Vec<CodeEvent> {
        Vec::new()
    }
}
