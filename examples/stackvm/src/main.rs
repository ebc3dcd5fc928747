//! The command. In: the file of a program, numbers for its first function. Out: what the program prints, then what it
//! returns, on standard output; or an error and status 1.

#![forbid(unsafe_code)]

use clap::Parser;
use std::error::Error;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use verdigris::Options;

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
}

fn run(cli: &Cli) -> Result<String, Box<dyn Error>> {
    let text = std::fs::read_to_string(&cli.file)?;
    stackvm::answer(&stackvm::machine(cli.jit.clone())?, &text, &cli.args)
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
