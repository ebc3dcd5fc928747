//! The command `tla`. In: a command line. Out: the program's result on standard output, messages on
//! standard error, and the exit status: 0; 1 if a program or file is faulty; 2 if the command line
//! is. Invariant: all work is the library's.

#![forbid(unsafe_code)]

use clap::{Parser, Subcommand};
use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;
use tla::level::Level;
use tla::machine::{MAX_DEPTH, Machine, load, on_stack};
use verdigris::explain::ReportForm;
use verdigris::profile::Output;
use verdigris::{Options, Profiling, StatsForm};

/// TLA, a small stack language with a JIT, in which calls recurse.
#[derive(Parser)]
#[command(version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Runs a program and prints its result.
    Run(RunArgs),
}

#[derive(clap::Args)]
struct RunArgs {
    /// The program.
    file: PathBuf,
    /// The arguments of its first function.
    #[arg(allow_negative_numbers = true)]
    args: Vec<i64>,
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
    /// On which level the first function runs: any (the JIT's parameters say so), interpreter,
    /// baseline or tracing.
    #[arg(long, value_name = "LEVEL", default_value = "any", value_parser = Level::parse)]
    main_tier: Level,
    /// How many calls can be within each other.
    #[arg(long, value_name = "CALLS", default_value_t = MAX_DEPTH, value_parser = clap::value_parser!(i64).range(1..))]
    max_depth: i64,
}

fn main() -> ExitCode {
    silence_stops();
    let Command::Run(args) = Cli::parse().command;
    let max_depth = args.max_depth;
    let result = on_stack(max_depth, || run(args)).and_then(|result| result);
    let written = result.and_then(|result| {
        let written = writeln!(io::stdout(), "{result}");
        written.map_err(|error| format!("cannot write the output: {error}"))
    });
    match written {
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

fn run(args: RunArgs) -> Result<String, String> {
    let file = args.file.display().to_string();
    let text = fs::read_to_string(&args.file).map_err(|error| format!("{file}: {error}"))?;
    let image = load(&text, &file)?;
    let output = args.profile.as_deref().map(Output::open).transpose()?;
    let profiling = Profiling::every(Duration::from_micros(args.profile_interval));
    let options = args
        .jit
        .keep_places(args.stats.is_some())
        .explain(args.explain.is_some())
        .profile(output.is_some().then_some(profiling))
        .with_env()
        .map_err(|error| error.to_string())?;
    let machine = Machine::new(options, args.max_depth)?.with_main_level(args.main_tier);
    let result = machine.run(&image, &args.args);
    if let Some(form) = args.stats {
        eprintln!("{}", machine.stats().text(form));
    }
    if let (Some(form), Some(report)) = (args.explain, machine.explain()) {
        eprintln!("{}", report.show(form));
    }
    let written = output.map_or(Ok(()), |output| output.write(machine.profile().as_ref()));
    result.and_then(|result| written.map(|()| result))
}
