//! Recordings for a replay. Every request to the optimiser goes through here: otherwise the
//! replay's optimiser would not know the same.

use crate::code::trace_id::TraceId;
use crate::compile::target::Failed;
use crate::errors::VmError;
use crate::observe::event::Event;
use crate::observe::observers::Observers;
use std::path::Path;
use verdigris_opt::{Host, Optimiser};
use verdigris_replay::{JobName, JobOutcome, Recorder, RecordingHost, RecordingSettings};
use verdigris_specialise::{OptAnswer, OptRequest, OptRequestError, SpecialiserHistory};

impl Observers {
    /// Starts a recording.
    pub(crate) fn record(
        &mut self,
        path: &Path,
        setting: &RecordingSettings<'_>,
    ) -> Result<(), VmError> {
        let recorder = Recorder::create(path, setting);
        self.recorder = Some(recorder.map_err(VmError::Record)?);
        Ok(())
    }

    /// Performs a request to the optimiser, and records it with the queries about the program.
    pub(crate) fn perform(
        &self,
        request: &OptRequest<'_>,
        (number, title): (TraceId, &str),
        history: &mut SpecialiserHistory,
        optimiser: &mut Optimiser,
        host: &mut dyn Host,
    ) -> Result<OptAnswer, OptRequestError> {
        let unit = &self.program.unit;
        let Some(recorder) = &self.recorder else {
            return request.perform(unit, history, optimiser, host);
        };
        let job = JobName {
            number: number.as_u32(),
            title,
            labels: optimiser.next_label(),
        };
        let descrs = &unit.descrs;
        recorder.request(descrs, host, job, request);
        let mut host = RecordingHost {
            inner: host,
            recorder,
            descrs,
        };
        request.perform(unit, history, optimiser, &mut host)
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
            Event::SetAside => recorder.came(&JobOutcome::Kept),
            Event::Failed(Failed { reason, detail }) => {
                recorder.came(&JobOutcome::Failed(reason.to_string(), detail.clone()));
            }
            Event::Compiled(_, code) => {
                let code = code.machine_code;
                let asm = code.asm.as_deref().unwrap_or("").trim_end();
                recorder.came(&JobOutcome::Code(code.code_bytes, asm.to_string()));
            }
            Event::LabelsForgotten(labels) => recorder.forgets(labels),
            _ => {}
        }
    }
}
