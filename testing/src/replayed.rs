//! Whether the code of a guest program is made again from a recording alone. In: a guest. Out:
//! nothing, or the first difference. Invariant: every compiler is recorded, with bridges, and so is
//! code whose guards fail.

use crate::run::Run;
use crate::turns::all_settings;
use std::path::Path;
use verdigris::{BackendKind, Options};
use verdigris_replay::{BadRecording, Recording, ReplayReport, ReplaySettings, replay};

/// The parameters under which guests are recorded.
const RECORDED: &[&str] = &[
    "threshold=3,function_threshold=5,trace_eagerness=2,max_retrace_guards=1000000",
    "threshold=2,function_threshold=2,trace_eagerness=2,compiler=both",
    "threshold=1,function_threshold=1,thread_threshold=1,trace_eagerness=1,fail_guards=1",
];

/// Records a guest, and gives what a replay with these passes says; all that ran if there are none.
///
/// # Panics
/// If the recording cannot be read.
pub fn recorded(guest: impl Fn(Options) -> Run, jit: &str, passes: Option<&str>) -> ReplayReport {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("recording");
    let options = Options::parse(jit).expect("parameters");
    guest(options.record(file.clone()));
    replay_of(&file, passes).unwrap_or_else(|error| panic!("under `{jit}`: {error}"))
}

/// What a replay of a file says, by the backend that made the code, with these passes; with those
/// that ran if there are none.
///
/// # Errors
/// If the recording cannot be read.
///
/// # Panics
/// If there is no such backend here, or there are no such passes.
pub fn replay_of(file: &Path, passes: Option<&str>) -> Result<ReplayReport, BadRecording> {
    let recording = Recording::read(file)?;
    let settings = ReplaySettings { passes, repeat: 0 };
    let kind = BackendKind::parse(&recording.backend).expect("it has made code on this machine");
    let backend = || kind.create();
    Ok(replay(&recording, &backend, &settings).expect("passes that there are"))
}

/// Records the guest `number` in one of several ways, the next one in another, and replays that.
///
/// # Panics
/// If a replay makes other traces or other code.
#[track_caller]
pub fn replayed(number: usize, name: &str, guest: impl Fn(Options) -> Run) {
    let turn = if all_settings() { 1 } else { RECORDED.len() };
    for jit in RECORDED.iter().skip(number % turn).step_by(turn) {
        let report = recorded(&guest, jit, None);
        assert!(report.is_same(), "{name} under `{jit}`:\n{report}");
    }
}
