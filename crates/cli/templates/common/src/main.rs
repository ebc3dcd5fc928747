//! The command `mylang`. In: a file and options. Out: what the program prints; messages on standard
//! error; the status 0, 1 if the program is faulty, 2 if the command line is. Invariant: all work
//! is the library's.

#![forbid(unsafe_code)]

use clap::Parser;
use std::process::ExitCode;
use verdigris::explain::ReportForm;
use verdigris::{Options, ReservingAllocator, StatsForm};

/// Runs a program.
#[derive(Parser)]
#[command(name = "mylang", version)]
struct Args {
    /// The program.
    file: std::path::PathBuf,
    /// Parameters of the JIT: `off`, or pairs as in `threshold=7,trace_eagerness=3`.
    #[arg(long, value_name = "PARAMETERS", default_value = "", value_parser = Options::parse)]
    jit: Options,
    /// Says on standard error what was compiled, where, and where time went: a table, or one JSON
    /// object with `--stats=json`.
    #[arg(long, value_name = "FORM", num_args = 0..=1, require_equals = true, default_missing_value = "table", value_parser = StatsForm::parse)]
    stats: Option<StatsForm>,
    /// Says on standard error why the program is slow, and what to do about it: as text
    /// (`--explain=all`: all of it), or as json, sarif, or notes (`file:line: note: ..`).
    #[arg(long, value_name = "FORM", num_args = 0..=1, require_equals = true, default_missing_value = "text", value_parser = ReportForm::parse)]
    explain: Option<ReportForm>,
}

/// Where the system refuses memory, that is an error of the program that runs.
#[global_allocator]
static ALLOCATOR: ReservingAllocator = ReservingAllocator::new();

fn main() -> ExitCode {
    let args = Args::parse();
    let name = args.file.display().to_string();
    let text = match std::fs::read_to_string(&args.file) {
        Ok(text) => text,
        Err(error) => return failed(&format!("{name}: {error}")),
    };
    let options = args
        .jit
        .keep_places(args.stats.is_some())
        .explain(args.explain.is_some());
    let options = match options.with_env() {
        Ok(options) => options,
        Err(error) => return failed(&error.to_string()),
    };
    let run = mylang::run(&name, &text, options, false);
    if let Some(form) = args.stats {
        eprintln!("{}", run.stats.show(form));
    }
    if let (Some(form), Some(report)) = (args.explain, run.explained) {
        eprintln!("{}", report.show(form));
    }
    match run.error {
        None => ExitCode::SUCCESS,
        Some(error) => failed(&format!("{name}:{error}")),
    }
}

fn failed(message: &str) -> ExitCode {
    eprintln!("{message}");
    ExitCode::FAILURE
}
