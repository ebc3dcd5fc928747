//! The command `objmodel`. In: a command line. Out: what the program prints on standard output,
//! messages on standard error, and the exit status: 0; 1 if a program or file is faulty; 2 if the
//! command line is. Invariant: all work is the library's.

#![forbid(unsafe_code)]

use clap::{Parser, Subcommand};
use objmodel::machine::{MAX_DEPTH, Machine, Stage, load};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;
use verdigris::explain::ReportForm;
use verdigris::profile::Output;
use verdigris::{Options, Profiling, StatsForm};

/// A class-based language with three object models and a JIT.
#[derive(Parser)]
#[command(version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Runs a program.
    Run(Box<RunArgs>),
    /// Prints a program's bytecode.
    Disasm {
        /// The program.
        file: PathBuf,
    },
    /// Shows what the JIT makes of the 2011 paper's expression on each stage of the object model.
    Figures,
}

#[derive(clap::Args)]
struct RunArgs {
    /// The program.
    file: PathBuf,
    /// The values of its `args`; those that are missing are 0.
    #[arg(allow_negative_numbers = true)]
    args: Vec<i64>,
    /// The object model: dict, maps or versions.
    #[arg(long, default_value = "versions")]
    stage: Stage,
    /// Parameters of the JIT, as `off` or `threshold=7,trace_eagerness=3,backend=oracle`.
    #[arg(long, value_name = "KEY=VALUE,...", default_value = "", value_parser = Options::parse)]
    jit: Options,
    /// Prints statistics on standard error: a table, or one JSON object with `--stats=json`.
    #[arg(long, value_name = "FORM", num_args = 0..=1, require_equals = true, default_missing_value = "table", value_parser = StatsForm::parse)]
    stats: Option<StatsForm>,
    /// Says on standard error why the program is slow: as text, or as one JSON object with
    /// `--explain=json`.
    #[arg(long, value_name = "FORM", num_args = 0..=1, require_equals = true, default_missing_value = "text", value_parser = ReportForm::parse)]
    explain: Option<ReportForm>,
    /// Writes where the time goes to a file for the Firefox Profiler, and to standard error as a
    /// table; with `-`, the table alone.
    #[arg(long, value_name = "FILE")]
    profile: Option<PathBuf>,
    /// The time between two samples of the profile, in microseconds.
    #[arg(long, value_name = "MICROSECONDS", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(50..))]
    profile_interval: u64,
    /// How many frames a program may have at once.
    #[arg(long, value_name = "FRAMES", default_value_t = MAX_DEPTH, value_parser = clap::value_parser!(i64).range(1..))]
    max_depth: i64,
}

fn main() -> ExitCode {
    silence_stops();
    let result = match Cli::parse().command {
        Command::Run(args) => run(*args),
        Command::Disasm { file } => disasm(&file),
        Command::Figures => figures(),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(1)
        }
    }
}

/// No hook message for the panics by which the VM says that heap or stack are used up; they are
/// caught.
fn silence_stops() {
    let default = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        let payload = info.payload();
        if payload.is::<&str>() || payload.is::<String>() {
            default(info);
        }
    }));
}

fn read(file: &Path) -> Result<objmodel::image::Image, String> {
    let name = file.display().to_string();
    let bytes = fs::read(file).map_err(|error| format!("{name}: {error}"))?;
    load(&bytes, &name)
}

fn run(args: RunArgs) -> Result<(), String> {
    let image = read(&args.file)?;
    let output = args.profile.as_deref().map(Output::open).transpose()?;
    let profiling = Profiling::every(Duration::from_micros(args.profile_interval));
    let options = args
        .jit
        .keep_places(args.stats.is_some())
        .explain(args.explain.is_some())
        .profile(output.is_some().then_some(profiling))
        .with_env()
        .map_err(|error| error.to_string())?;
    let machine = Machine::new(options, args.stage, args.max_depth)?;
    let outcome = machine.run(&image, &args.args, false);
    if let Some(form) = args.stats {
        eprintln!("{}", machine.stats().text(form));
    }
    if let (Some(form), Some(report)) = (args.explain, machine.explain()) {
        eprintln!("{}", report.show(form));
    }
    let written = output.map_or(Ok(()), |output| output.write(machine.profile().as_ref()));
    outcome.error.map_or(written, Err)
}

fn disasm(file: &Path) -> Result<(), String> {
    write(&objmodel::disasm::disassemble(&read(file)?))
}

fn figures() -> Result<(), String> {
    write(&objmodel::figures::render(&objmodel::figures::measure()?))
}

fn write(text: &str) -> Result<(), String> {
    let mut out = io::stdout();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    written.map_err(|error| format!("cannot write the output: {error}"))
}
