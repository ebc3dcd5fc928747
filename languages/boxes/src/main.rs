//! The command `boxes`. In: a command line. Out: a number or the figures on standard output,
//! messages on standard error, and the exit status: 0; 1 if the work cannot be done; 2 if the
//! command line is faulty. Invariant: all work is the library's.

#![forbid(unsafe_code)]

use boxes::figures;
use boxes::machine::Machine;
use boxes::number::Number;
use clap::{Parser, Subcommand};
use std::io::{self, Write};
use std::process::ExitCode;
use verdigris::{Options, StatsForm};

/// Boxed numbers with a JIT.
#[derive(Parser)]
#[command(version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Prints `f(N)`: counts N down by 1 while it is positive, and sums up N - 100 each time.
    Run(Box<RunArgs>),
    /// Prints what the JIT makes of the loop: the trace as recorded, without allocations, and after
    /// everything.
    Figures,
}

#[derive(clap::Args)]
struct RunArgs {
    /// An integer such as `1000`, or a float such as `1000.5`.
    #[arg(value_name = "N", allow_negative_numbers = true)]
    y: Number,
    /// Parameters of the JIT, as `off` or `threshold=7,trace_eagerness=3,backend=oracle`.
    #[arg(long, value_name = "KEY=VALUE,...", default_value = "", value_parser = Options::parse)]
    jit: Options,
    /// Prints statistics on standard error: a table, or one JSON object with `--stats=json`.
    #[arg(long, value_name = "FORM", num_args = 0..=1, require_equals = true, default_missing_value = "table", value_parser = StatsForm::parse)]
    stats: Option<StatsForm>,
}

fn main() -> ExitCode {
    let text = match Cli::parse().command {
        Command::Run(args) => run(*args),
        Command::Figures => figures::print(),
    };
    let printed = text.and_then(|text| {
        let mut out = io::stdout();
        let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
        written.map_err(|error| format!("cannot write the output: {error}"))
    });
    match printed {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("boxes: {message}");
            ExitCode::from(1)
        }
    }
}

fn run(args: RunArgs) -> Result<String, String> {
    let options = args.jit.keep_places(args.stats.is_some()).with_env();
    let options = options.map_err(|error| error.to_string())?;
    let machine = Machine::new(options)?;
    let result = machine.run(args.y)?;
    if let Some(form) = args.stats {
        eprintln!("{}", machine.stats().text(form));
    }
    Ok(format!("{result}\n"))
}
