//! What is recorded for a replay. In: what the engine is about to give to optimiser and backend,
//! and what came of it. Out: lines of a recording, if the options ask for one. Invariant: whatever uses the optimiser goes through here, or the
//! replay's optimiser would not know the same.

use crate::compile::attempt::{Failed, Place};
use crate::engine::Engine;
use crate::errors::VmError;
use std::path::Path;
use verdigris_backend::CompileOutput;
use verdigris_opt::{Host, Optimiser};
use verdigris_replay::{AskedHost, Given, Kind, Outcome, Recorder, Setting};
use verdigris_trace::{OptimisedTrace, TargetId};

/// A trace that is about to be optimised.
#[derive(Clone, Copy)]
pub(crate) struct Job<'a> {
    pub(crate) place: Place,
    /// Its number.
    pub(crate) piece: u32,
    pub(crate) title: &'a str,
}

impl Engine {
    /// From now on, what the JIT decides is recorded.
    pub(crate) fn record(&mut self, path: &Path) -> Result<(), VmError> {
        let setting = Setting {
            unit: &self.linked.unit,
            parameters: &self.params.to_string(),
            passes: &self.params.enable_opts.to_string(),
            backend: self.backend.borrow().name(),
            fails_guards: self.params.fail_guards,
        };
        let recorder = Recorder::create(path, &setting);
        self.recorder = Some(recorder.map_err(VmError::Record)?);
        Ok(())
    }

    /// Lets the optimiser work on what it is given.
    pub(crate) fn recorded<'g, T>(
        &self,
        optimiser: &mut Optimiser,
        host: &mut dyn Host,
        given: impl FnOnce(TargetId) -> Given<'g>,
        work: impl FnOnce(&mut Optimiser, &mut dyn Host) -> T,
    ) -> T {
        let Some(recorder) = &self.recorder else {
            return work(optimiser, host);
        };
        let descrs = &self.linked.unit.descrs;
        recorder.given(descrs, host, &given(optimiser.next_label()));
        let mut host = AskedHost {
            inner: host,
            recorder,
            descrs,
        };
        work(optimiser, &mut host)
    }

    /// Records what the optimiser has made, with the numbers that its guards will have.
    pub(crate) fn record_made(&self, optimiser: &Optimiser, trace: &mut OptimisedTrace) {
        if let Some(recorder) = &self.recorder {
            self.guards.borrow().number(trace);
            recorder.optimised(&self.linked.unit.descrs, trace, optimiser.next_label());
        }
    }

    /// Records that the optimiser has learnt something, or has not.
    pub(crate) fn record_learnt(&self, optimiser: &Optimiser, is_new: bool) {
        if let Some(recorder) = &self.recorder {
            recorder.learnt(is_new, optimiser.next_label());
        }
    }

    /// Records that a trace is not compiled now.
    pub(crate) fn record_kept(&self) {
        if let Some(recorder) = &self.recorder {
            recorder.came(&Outcome::Kept);
        }
    }

    /// Records why a trace is given up.
    pub(crate) fn record_failed(&self, failed: &Failed) {
        if let Some(recorder) = &self.recorder {
            let Failed { reason, detail } = failed;
            recorder.came(&Outcome::Failed((*reason).to_string(), detail.clone()));
        }
    }

    /// Records what the backend has made.
    pub(crate) fn record_code(&self, compiled: &CompileOutput) {
        if let Some(recorder) = &self.recorder {
            let asm = compiled.asm.as_deref().unwrap_or("").trim_end();
            recorder.came(&Outcome::Code(compiled.code_bytes, asm.to_string()));
        }
    }

    /// Lets the optimiser and the specialiser forget labels.
    pub(crate) fn forget(&self, optimiser: &mut Optimiser, targets: &[TargetId]) {
        if let Some(recorder) = &self.recorder {
            recorder.forgets(targets);
        }
        optimiser.forget(targets);
        self.history.borrow_mut().forget(targets);
    }

    /// An optimised trace is not put to use: its labels are forgotten.
    pub(crate) fn drop_made(&self, failed: &Failed, targets: &[TargetId]) {
        self.record_failed(failed);
        self.forget(&mut self.optimiser.borrow_mut(), targets);
    }
}

impl Place {
    /// What the optimiser does with a recorded trace for this place.
    pub(crate) fn kind_of_recorded(self) -> Kind {
        match self {
            Place::Bridge(guard) => Kind::Bridge(guard),
            Place::Version(of) => Kind::Version(of),
            Place::Loop | Place::Header(..) | Place::Stencil => Kind::Loop,
        }
    }

    /// What the second compiler does for this place.
    pub(crate) fn kind_of_written(self) -> Kind {
        match self {
            Place::Bridge(guard) => Kind::SpecialiseFrom(guard),
            Place::Stencil => Kind::Stencil,
            Place::Loop | Place::Version(_) | Place::Header(..) => Kind::Specialise,
        }
    }
}
