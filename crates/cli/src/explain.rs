//! `verdigris explain`: runs a program in a language made with Verdigris, and shows why it is slow,
//! as text or for programs; or prints what the book says about a topic. The status is that of the
//! program.

use crate::book::without_links;
use crate::observed;
use crate::out::write;
use std::ffi::OsString;
use std::process::ExitCode;
use verdigris_explain::{Render, Report, ReportForm, Terminal, Topic};
use verdigris_report::did_you_mean;

/// The arguments.
#[derive(clap::Args)]
pub struct ExplainArgs {
    /// The form: text, all (text with everything), json, sarif (for editors and services), or notes
    /// (a line `file:line: note: ..` for each finding).
    #[arg(long, value_name = "FORM", default_value = "text", value_parser = ReportForm::parse)]
    form: ReportForm,
    /// The same as `--form json`: one JSON object for each VM, on a line each.
    #[arg(long, conflicts_with = "form")]
    json: bool,
    /// How many findings the text has.
    #[arg(long, value_name = "N", default_value_t = Render::with_files().most)]
    top: usize,
    /// Print what the book says about a topic, the word in brackets behind a finding, and run
    /// nothing.
    #[arg(long, value_name = "TOPIC", conflicts_with_all = ["form", "json", "top", "command"])]
    about: Option<String>,
    /// The command of the language, with a program. What it prints goes to standard error.
    #[arg(last = true, required_unless_present = "about", value_name = "COMMAND")]
    command: Vec<OsString>,
}

/// Runs the command, and shows why it was slow.
///
/// # Errors
/// With a message.
pub fn run(args: &ExplainArgs) -> Result<ExitCode, String> {
    if let Some(topic) = &args.about {
        return about(topic);
    }
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
        more: &|all| format!("--top {all}"),
        terminal: Terminal::stdout(),
        ..Render::with_files()
    };
    let form = match args.json {
        true => ReportForm::Json,
        false => args.form,
    };
    write(&format!("{}\n", render.form(&reports, form)))?;
    Ok(observed.finish())
}

/// Prints the section of the book about a topic.
fn about(name: &str) -> Result<ExitCode, String> {
    let topic = Topic::named(name).ok_or_else(|| {
        let names = Topic::ALL.iter().map(|topic| topic.anchor());
        match did_you_mean(name, names.clone()) {
            question if question.is_empty() => {
                let names = names.collect::<Vec<_>>().join("\n    ");
                format!("error: there is no topic `{name}`; the topics are\n    {names}")
            }
            question => format!("error: there is no topic `{name}`{question}"),
        }
    })?;
    write(&format!("{}\n", without_links(topic.page())))?;
    Ok(ExitCode::SUCCESS)
}
