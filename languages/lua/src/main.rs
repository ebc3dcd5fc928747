//! The command `verdigris-lua`. In: a command line. Out: what the program prints on standard
//! output, messages on standard error, and the exit status: 0; 1 if a program or file is faulty; 2
//! if the command line is. Invariant: all work is the library's.

#![forbid(unsafe_code)]

use clap::Parser;
use std::io::Read;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;
use verdigris::explain::ReportForm;
use verdigris::profile::Output;
use verdigris::{Options, Profiling, StatsForm};
use verdigris_lua::machine::{MAX_DEPTH, Machine, load, on_stack};

/// Lua 5.4 with a JIT.
#[derive(Parser)]
#[command(version)]
struct Cli {
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
    /// How many calls can be within each other.
    #[arg(long, value_name = "CALLS", default_value_t = MAX_DEPTH, value_parser = clap::value_parser!(i64).range(1..))]
    max_depth: i64,
    /// Runs this text instead of a file.
    #[arg(short = 'e', value_name = "TEXT")]
    execute: Option<String>,
    /// The program, or `-` for standard input, and its arguments.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    script: Vec<String>,
}

fn main() -> ExitCode {
    silence_stops();
    let cli = Cli::parse();
    match on_stack(cli.max_depth, || run(cli)).and_then(|result| result) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("verdigris-lua: {message}");
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

fn run(cli: Cli) -> Result<(), String> {
    let (text, file, args) = match (&cli.execute, cli.script.split_first()) {
        (Some(text), _) => (
            text.clone().into_bytes(),
            "(command line)".to_string(),
            &cli.script[..],
        ),
        (None, Some((file, args))) if file == "-" => {
            let mut text = Vec::new();
            let read = std::io::stdin().read_to_end(&mut text);
            read.map_err(|error| format!("standard input: {error}"))?;
            (text, "stdin".to_string(), args)
        }
        (None, Some((file, args))) => {
            let text =
                std::fs::read(file).map_err(|error| format!("cannot open {file}: {error}"))?;
            (text, file.clone(), args)
        }
        (None, None) => return Err("no program: give a file, `-`, or `-e TEXT`".to_string()),
    };
    let program = load(&text, &file)?;
    let output = cli.profile.as_deref().map(Output::open).transpose()?;
    let profiling = Profiling::every(Duration::from_micros(cli.profile_interval));
    let options = cli
        .jit
        .keep_places(cli.stats.is_some())
        .explain(cli.explain.is_some())
        .profile(output.is_some().then_some(profiling))
        .with_env()
        .map_err(|error| error.to_string())?;
    let machine = Machine::new(options, cli.max_depth)?;
    let outcome = machine.run(&program, args, false);
    if let Some(form) = cli.stats {
        eprintln!("{}", machine.stats().text(form));
    }
    if let (Some(form), Some(report)) = (cli.explain, machine.explain()) {
        eprintln!("{}", report.show(form));
    }
    let written = output.map_or(Ok(()), |output| output.write(machine.profile().as_ref()));
    outcome.error.map_or(written, Err)
}
