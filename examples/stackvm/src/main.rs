//! The command. In: the file of a program, numbers for its first function. Out: what the program
//! prints, then what it returns, on standard output; or an error and status 1.

#![forbid(unsafe_code)]

use clap::Parser;
use language_support::cli::{self, JitArgs};
use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;

/// Runs a program of the stack machine.
#[derive(Parser)]
struct Cli {
    /// The program.
    file: PathBuf,
    /// The arguments of its first function.
    #[arg(allow_negative_numbers = true)]
    args: Vec<i64>,
    #[command(flatten)]
    jit: JitArgs,
}

fn run(cli: Cli) -> Result<String, Box<dyn Error>> {
    let text = std::fs::read_to_string(&cli.file)?;
    let (options, reports) = cli.jit.begin()?;
    let vm = stackvm::machine(options)?;
    reports.watch(&vm)?;
    let answer = stackvm::answer(&vm, &text, &cli.args);
    reports.write(&vm)?;
    answer
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let file = cli.file.display().to_string();
    let answer = run(cli).map_err(|error| error.to_string());
    let printed = answer.and_then(|answer| cli::print(&format!("{answer}\n")));
    cli::exit(printed.map_err(|error| format!("{file}: {error}")))
}
