//! `verdigris view`: runs a program, or reads its log, and writes a page with the guest's source,
//! the interpreter's, jitcode, traces and machine code, tied to each other line by line.

mod build;
mod machine;
mod model;
mod page;
mod sources;

use crate::observed::{self, log_to};
use crate::source::{InterpreterSource, OptionalSource};
use model::ViewModel;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{ExitCode, Stdio};
use verdigris_explain::CodeKind;
use verdigris_report::LogEntry;

/// The arguments.
#[derive(clap::Args)]
pub struct ViewArgs {
    #[command(flatten)]
    source: OptionalSource,
    /// The file to write.
    #[arg(short, long, value_name = "FILE", default_value = "view.html")]
    output: PathBuf,
    /// A log that exists, instead of a command: what
    /// `VERDIGRIS_LOG=json:jitcode,trace,given,opt,asm,origins,stats:FILE` has written.
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Parameters of the JIT, as in `VERDIGRIS_JIT`.
    #[arg(long, value_name = "PARAMETERS")]
    jit: Option<String>,
    /// The command of the language, with a program.
    #[arg(
        last = true,
        required_unless_present = "log",
        conflicts_with = "log",
        value_name = "COMMAND"
    )]
    command: Vec<OsString>,
}

/// The stages that the page shows.
const STAGES: &str = "jitcode,trace,given,opt,asm,origins,stats";

/// Writes the page.
///
/// # Errors
/// With a message.
pub fn run(args: &ViewArgs) -> Result<ExitCode, String> {
    let source = args.source.given();
    let root = source.as_ref().map(InterpreterSource::root).transpose()?;
    let (mut model, code) = match &args.log {
        Some(file) => (of_log(file)?, ExitCode::SUCCESS),
        None => of_command(&args.command, args.jit.as_deref())?,
    };
    sources::add_guest(&mut model, Path::new(""));
    if let (Some(root), Some(source)) = (&root, &source)
        && let Some(why) = sources::add_interpreter(&mut model, root, &source.cfgs())
    {
        eprintln!("{why}\nthe page shows the interpreter without colours");
    }
    let file = args.output.display();
    std::fs::write(&args.output, page::html(&model))
        .map_err(|error| format!("error: cannot write {file}: {error}"))?;
    let bridges = model
        .pieces
        .iter()
        .filter(|p| p.kind == CodeKind::Bridge)
        .count();
    let others = model.pieces.len() - bridges;
    eprintln!("{file}: {others} traces, {bridges} bridges");
    Ok(code)
}

fn of_log(file: &Path) -> Result<ViewModel, String> {
    let name = file.display();
    let text =
        std::fs::read(file).map_err(|error| format!("error: cannot read {name}: {error}"))?;
    let how = format!("write it with VERDIGRIS_LOG=json:{STAGES}:{name}");
    let entries = LogEntry::read_log(&String::from_utf8_lossy(&text))
        .map_err(|error| format!("error: {name} is no log in JSON form: {error}; {how}"))?;
    let mut model = build::model(entries);
    if model.pieces.is_empty() {
        return Err(format!("error: {name} shows no optimised trace; {how}"));
    }
    model.title = name.to_string();
    Ok(model)
}

/// Runs a command. Returns the tool's status, too.
fn of_command(command: &[OsString], jit: Option<&str>) -> Result<(ViewModel, ExitCode), String> {
    let observed = observed::run(command, |process, file| {
        process.env("VERDIGRIS_LOG", log_to(STAGES, file));
        // Nothing else is printed there.
        process.stdout(Stdio::inherit());
        if let Some(jit) = jit {
            process.env("VERDIGRIS_JIT", jit);
        }
    })?;
    let mut model = build::model(observed.log()?);
    if model.pieces.is_empty() {
        return Err(observed.compiled_nothing(
            "the program run long enough? `--jit threshold=3` compiles what has run three times",
        ));
    }
    let words = command.iter().map(|word| word.to_string_lossy());
    let program = Path::new(&observed.name).file_name();
    let program = program.unwrap_or_default().to_string_lossy();
    let words: Vec<_> = std::iter::once(program).chain(words.skip(1)).collect();
    model.title = words.join(" ");
    Ok((model, observed.finish()))
}
