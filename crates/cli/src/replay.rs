//! `verdigris replay`: makes the code of a recording again, and reports differences and times. The
//! status is 0 only if everything is as it was recorded.

use std::path::PathBuf;
use std::process::ExitCode;
use verdigris_engine::BackendKind;
use verdigris_replay::{Recording, ReplaySettings, replay};

/// The arguments.
#[derive(clap::Args)]
pub struct ReplayArgs {
    /// The recording.
    file: PathBuf,
    /// Who makes machine code, in place of the backend that has made it.
    #[arg(long, value_name = "NAME", value_parser = BackendKind::parse)]
    backend: Option<BackendKind>,
    /// The optimiser's passes, in place of those that have run: as the parameter `enable_opts`
    /// takes them.
    #[arg(long, value_name = "PASSES")]
    enable_opts: Option<String>,
    /// How often everything is done again to measure it; the least time of each piece counts.
    #[arg(long, value_name = "TIMES", default_value_t = 1)]
    repeat: u32,
}

/// Replays the recording.
pub fn run(args: &ReplayArgs) -> Result<ExitCode, String> {
    let file = args.file.display();
    let recording =
        Recording::read(&args.file).map_err(|error| format!("error: {file}: {error}"))?;
    let kind = match args.backend {
        Some(kind) => kind,
        None => BackendKind::parse(&recording.backend).map_err(|error| {
            let name = &recording.backend;
            format!("error: {file}: it was recorded with backend={name}: {error}; `--backend` names another")
        })?,
    };
    let settings = ReplaySettings {
        passes: args.enable_opts.as_deref(),
        repeat: args.repeat,
    };
    let report = replay(&recording, &|| kind.create(), &settings);
    let report = report.map_err(|error| format!("error: {error}"))?;
    crate::out::write(&report.to_string())?;
    Ok(match report.is_same() {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    })
}
