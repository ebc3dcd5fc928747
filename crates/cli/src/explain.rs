//! `verdigris explain`: why a guest program is slow. In: a command that runs a program in a
//! language made with Verdigris. Out: what costs most, first, each with what to do about it; or
//! JSON. Invariant: the command runs as it is, with its own output and status; what it is told, it
//! is told by an environment variable, so its options need not be known.

use crate::{observed, write};
use std::ffi::OsString;
use std::process::ExitCode;
use verdigris_explain::{Form, Render, Report};

/// What the user asks for.
#[derive(clap::Args)]
pub struct Args {
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
pub fn run(args: &Args) -> Result<ExitCode, String> {
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
        true => Form::Json,
        false => Form::Text,
    };
    let texts: Vec<String> = reports.iter().map(|r| render.form(r, form)).collect();
    let between = match form {
        Form::Json => "\n",
        Form::Text => "\n\n",
    };
    write(&format!("{}\n", texts.join(between)))?;
    Ok(observed.finish())
}
