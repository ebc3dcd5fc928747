//! What is recorded for a replay. In: what the engine is about to give to optimiser and backend,
//! and what came of it. Out: lines of a recording, if the options ask for one. Invariant: whatever uses the optimiser goes through here, or the
//! replay's optimiser would not know the same.

use crate::compile::target::{Failed, TraceTarget};
use crate::errors::VmError;
use crate::observe::event::Event;
use crate::observe::observers::Observers;
use std::path::Path;
use verdigris_opt::{Host, Optimiser};
use verdigris_replay::{AskedHost, Given, Kind, Outcome, Recorder, Setting};
use verdigris_trace::TargetId;

impl Observers {
    /// From now on, what the JIT decides is recorded.
    pub(crate) fn record(&mut self, path: &Path, setting: &Setting<'_>) -> Result<(), VmError> {
        let recorder = Recorder::create(path, setting);
        self.recorder = Some(recorder.map_err(VmError::Record)?);
        Ok(())
    }

    /// Lets the optimiser work, and records what it is given and what it asks the host.
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
        let descrs = &self.program.unit.descrs;
        recorder.given(descrs, host, &given(optimiser.next_label()));
        let mut host = AskedHost {
            inner: host,
            recorder,
            descrs,
        };
        work(optimiser, &mut host)
    }

    pub(super) fn record_event(&self, event: &Event<'_>) {
        let Some(recorder) = &self.recorder else {
            return;
        };
        match *event {
            Event::Optimised { trace, next_label } => {
                recorder.optimised(&self.program.unit.descrs, trace, next_label);
            }
            Event::ArmSought { is_new, next_label } => recorder.learnt(is_new, next_label),
            Event::SetAside => recorder.came(&Outcome::Kept),
            Event::Failed(Failed { reason, detail }) => {
                recorder.came(&Outcome::Failed((*reason).to_string(), detail.clone()));
            }
            Event::Compiled(_, code) => {
                let code = code.machine_code;
                let asm = code.asm.as_deref().unwrap_or("").trim_end();
                recorder.came(&Outcome::Code(code.code_bytes, asm.to_string()));
            }
            Event::LabelsForgotten(labels) => recorder.forgets(labels),
            _ => {}
        }
    }
}

impl TraceTarget {
    /// What the optimiser does with a recorded trace for this place.
    pub(crate) fn kind_of_recorded(self) -> Kind {
        match self {
            TraceTarget::Bridge(guard) => Kind::Bridge(guard),
            TraceTarget::Version(of) => Kind::Version(of),
            TraceTarget::Loop | TraceTarget::Header(..) | TraceTarget::Stencil => Kind::Loop,
        }
    }

    /// What the second compiler does for this place.
    pub(crate) fn kind_of_written(self) -> Kind {
        match self {
            TraceTarget::Bridge(guard) => Kind::SpecialiseFrom(guard),
            TraceTarget::Stencil => Kind::Stencil,
            TraceTarget::Loop | TraceTarget::Version(_) | TraceTarget::Header(..) => {
                Kind::Specialise
            }
        }
    }
}
