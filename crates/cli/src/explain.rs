//! `verdigris explain`: runs a program in a language made with Verdigris, and shows why it is slow,
//! as text or JSON.

use crate::observed;
use crate::out::write;
use std::ffi::OsString;
use std::process::ExitCode;
use verdigris_explain::{Render, Report, ReportForm};

/// The arguments.
#[derive(clap::Args)]
pub struct ExplainArgs {
    /// One JSON object for each VM, on a line each, instead of text.
    #[arg(long)]
    json: bool,
    /// How many findings the text has.
    #[arg(long, value_name = "N", default_value_t = 12)]
    top: usize,
    /// The command of the language, with a program. What it prints goes to standard error.
    #[arg(last = true, required = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

/// Runs the command, and shows why it was slow.
///
/// # Errors
/// With a message.
pub fn run(args: &ExplainArgs) -> Result<ExitCode, String> {
    let observed = observed::run(&args.command, |command, file| {
        command.env("VERDIGRIS_EXPLAIN", file);
    })?;
    let (name, status) = (&observed.name, observed.status);
    let reports = observed.written.lines().map(Report::from_json);
    let reports: Result<Vec<Report>, String> = reports.collect();
    let reports = reports.map_err(|e| {
        format!("error: {name} has written a report of another version of Verdigris: {e}")
    })?;
    if reports.is_empty() {
        return Err(format!(
            "error: {name} has written no report ({status}); is it a language made with this version of Verdigris, and did it drop its VM before it \
             ended?"
        ));
    }
    let render = Render {
        most: args.top,
        ..Render::with_files()
    };
    let form = match args.json {
        true => ReportForm::Json,
        false => ReportForm::Text,
    };
    let texts: Vec<String> = reports.iter().map(|r| render.form(r, form)).collect();
    let between = match form {
        ReportForm::Json => "\n",
        ReportForm::Text => "\n\n",
    };
    write(&format!("{}\n", texts.join(between)))?;
    Ok(observed.finish())
}
