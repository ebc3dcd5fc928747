//! The command. In: the file of a program, numbers for its first function. Out: what the program
//! prints, then what it returns, on standard output; or an error and status 1.

#![forbid(unsafe_code)]

use clap::Parser;
use std::error::Error;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;
use verdigris::explain::ReportForm;
use verdigris::profile::Output;
use verdigris::{Options, Profiling, StatsForm};

/// Runs a program of the stack machine.
#[derive(Parser)]
struct Cli {
    /// The program.
    file: PathBuf,
    /// The arguments of its first function.
    #[arg(allow_negative_numbers = true)]
    args: Vec<i64>,
    /// Parameters of the JIT, as `threshold=7,backend=oracle`, or `off`.
    #[arg(long, default_value = "", value_parser = Options::parse)]
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
}

fn run(cli: &Cli) -> Result<String, Box<dyn Error>> {
    let text = std::fs::read_to_string(&cli.file)?;
    let output = cli.profile.as_deref().map(Output::open).transpose()?;
    let profiling = Profiling::every(Duration::from_micros(cli.profile_interval));
    let options = cli
        .jit
        .clone()
        .keep_places(cli.stats.is_some())
        .explain(cli.explain.is_some())
        .profile(output.is_some().then_some(profiling))
        .with_env()?;
    let vm = stackvm::machine(options)?;
    let answer = stackvm::answer(&vm, &text, &cli.args);
    if let Some(form) = cli.stats {
        eprintln!("{}", vm.stats().text(form));
    }
    if let (Some(form), Some(report)) = (cli.explain, vm.explain()) {
        eprintln!("{}", report.show(form));
    }
    let written = output.map_or(Ok(()), |output| output.write(vm.profile().as_ref()));
    written?;
    answer
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let written = run(&cli).and_then(|answer| {
        let written = writeln!(std::io::stdout(), "{answer}");
        written.map_err(|error| format!("cannot write the output: {error}").into())
    });
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{}: {error}", cli.file.display());
            ExitCode::FAILURE
        }
    }
}
