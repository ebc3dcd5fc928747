//! The command `mylang`. In: a file and options. Out: what the program prints; messages on standard error; the status 0, 1 if the
//! program is faulty, 2 if the command line is. Invariant: all work is the library's.

#![forbid(unsafe_code)]

use clap::Parser;
use std::process::ExitCode;
use verdigris::Options;

/// Runs a program.
#[derive(Parser)]
#[command(name = "mylang", version)]
struct Args {
    /// The program.
    file: std::path::PathBuf,
    /// Parameters of the JIT: `off`, or pairs as in `threshold=7,trace_eagerness=3`.
    #[arg(long, value_name = "PARAMETERS", default_value = "", value_parser = Options::parse)]
    jit: Options,
    /// Says on standard error what was compiled, as a JSON object.
    #[arg(long)]
    stats: bool,
}

fn main() -> ExitCode {
    let args = Args::parse();
    let name = args.file.display().to_string();
    let text = match std::fs::read_to_string(&args.file) {
        Ok(text) => text,
        Err(error) => return failed(&format!("{name}: {error}")),
    };
    let run = mylang::run(&text, args.jit, false);
    if args.stats {
        eprintln!("{}", run.stats.to_json());
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
