//! Compiling ahead of time: [`Vm::compile`].
//!
//! The call of the portal runs up to its merge point, whose greens decide what is compiled: so only
//! greens that the interpreter has can be passed. Source: "Get Your Own Just-In-Time Specializing
//! Compiler For Free" (2007), where code is made for a given position and not because of a run.

use crate::engine::Engine;
use crate::run::exhaustion::ExhaustedError;
use crate::run::interrupt::Interrupted;
use crate::vm::{StoppedError, Vm};
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use verdigris_heap::{Tier, hash_greens};

/// Why nothing was compiled ahead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotCompiledError {
    /// The JIT is off.
    Off,
    /// The parameter `check_hints` compares with a run, and there is none.
    ChecksHints,
    /// The interpreter cannot be specialised ([`crate::VmError::RedDispatch`]); this is why.
    RedDispatch(&'static str),
    /// The call has returned before it came to a merge point, or ran on another thread or in
    /// another VM.
    NoMergePoint,
    /// There is too little room: too much code in use ([`crate::JitParams::code_budget`]), too
    /// little native stack, or the JIT is at work further out.
    NoRoom,
    /// The portal's `tier` function returns this for the place, which the specialiser makes no code
    /// for.
    Refused(Tier),
    /// The attempt failed; the log says why (`VERDIGRIS_LOG=trace`).
    GivenUp,
    /// The program was stopped in front of the merge point.
    Stopped(StoppedError),
}

impl fmt::Display for NotCompiledError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            NotCompiledError::Off => "the JIT is off, so nothing is compiled",
            NotCompiledError::ChecksHints => {
                "with check_hints all code is compared with a run, so none is made ahead"
            }
            NotCompiledError::RedDispatch(why) => {
                return write!(f, "{}", crate::VmError::RedDispatch(why));
            }
            NotCompiledError::NoMergePoint => {
                "the call has come to no merge point of this VM: pass `compile` a closure that calls the portal"
            }
            NotCompiledError::NoRoom => {
                "there is no room for more code: raise code_budget, or compile where less of the native stack is in use, and not in a function that the JIT has called"
            }
            NotCompiledError::Refused(tier) => {
                return write!(
                    f,
                    "the portal's function for the tier answers `{tier}` for this place, and only `any` and `specialised` are compiled ahead"
                );
            }
            NotCompiledError::GivenUp => "the attempt was given up; VERDIGRIS_LOG=trace says why",
            NotCompiledError::Stopped(stopped) => return stopped.fmt(f),
        };
        f.write_str(text)
    }
}

impl std::error::Error for NotCompiledError {}

/// The payload of the panic that ends a call which is compiled and not run.
struct Ahead(Result<(), NotCompiledError>);

impl Vm {
    /// Compiles the guest program by partial evaluation, from the place where this call of the
    /// portal begins, without running it. The code is there when the place is next reached, as if
    /// it had become hot. `call` runs up to the portal's merge point, from where it unwinds: its
    /// effects up to there remain, such as a first frame. The chosen [`Compiler`](crate::Compiler)
    /// makes no difference.
    ///
    /// Can be called within [`Vm::enter`] and outside. Places that have code are left as they are.
    ///
    /// # Errors
    ///
    /// Why there is no code.
    ///
    /// # Panics
    ///
    /// If the call panics in front of its merge point.
    pub fn compile<R>(&self, call: impl FnOnce() -> R) -> Result<(), NotCompiledError> {
        let engine = &self.engine;
        engine.lead_ahead()?;
        let result = catch_unwind(AssertUnwindSafe(|| self.enter_quietly(call)));
        engine.pipeline.is_ahead.set(false);
        engine.count_again();
        let payload = match result {
            Ok(_) => return Err(NotCompiledError::NoMergePoint),
            Err(payload) => payload,
        };
        let stopped = match ExhaustedError::of(&*payload) {
            Some(ExhaustedError::Heap) => StoppedError::HeapExhausted,
            Some(ExhaustedError::Stack) => StoppedError::StackExhausted,
            None if payload.is::<Interrupted>() => StoppedError::Interrupted,
            None => match payload.downcast::<Ahead>() {
                Ok(ahead) => return ahead.0,
                Err(payload) => resume_unwind(payload),
            },
        };
        Err(NotCompiledError::Stopped(stopped))
    }
}

impl Engine {
    /// From here on, the next merge point is compiled and not run.
    fn lead_ahead(&self) -> Result<(), NotCompiledError> {
        if !self.params.on {
            return Err(NotCompiledError::Off);
        }
        if self.params.check_hints {
            return Err(NotCompiledError::ChecksHints);
        }
        if let Some(why) = self.program.red_dispatch {
            return Err(NotCompiledError::RedDispatch(why));
        }
        if self.observers.is_asking() {
            return Err(NotCompiledError::NoRoom);
        }
        self.pipeline.is_ahead.set(true);
        self.run.signals.lead_in();
        Ok(())
    }

    /// Lets native code count again.
    fn count_again(&self) {
        if !self.run.signals.is_raised() {
            self.run.signals.take(self.native_counters());
        }
    }

    /// Ends the call if it was to be compiled and not run.
    pub(crate) fn compile_ahead(&self, state: &[u64]) {
        if self.pipeline.is_ahead.replace(false) {
            resume_unwind(Box::new(Ahead(self.compiled_ahead(state))));
        }
    }

    fn compiled_ahead(&self, state: &[u64]) -> Result<(), NotCompiledError> {
        let greens = self.greens(state);
        if self.code.find(greens).is_some() {
            return Ok(());
        }
        if !self.may_trace() || !self.has_room_at_header(greens) {
            return Err(NotCompiledError::NoRoom);
        }
        match self.tier(greens) {
            Tier::Any | Tier::Specialised => {}
            tier => return Err(NotCompiledError::Refused(tier)),
        }
        if !self.make_room_for_trace() {
            return Err(NotCompiledError::NoRoom);
        }
        let cell = self.code.cell_for(greens);
        self.specialise_header(hash_greens(greens), cell, state);
        match self.code.find(greens) {
            Some(_) => Ok(()),
            None => Err(NotCompiledError::GivenUp),
        }
    }
}
