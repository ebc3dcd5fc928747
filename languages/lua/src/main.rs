//! The command `verdigris-lua`. In: a command line. Out: what the program prints on standard
//! output, messages on standard error, and the exit status: 0; 1 if a program or file is faulty; 2
//! if the command line is. Invariant: all work is the library's.

#![forbid(unsafe_code)]

use clap::Parser;
use language_support::cli::{self, JitArgs};
use std::io::Read;
use std::process::ExitCode;
use verdigris_lua::machine::{MAX_DEPTH, Machine, load, on_stack};

/// Lua 5.4 with a JIT.
#[derive(Parser)]
#[command(version)]
struct Cli {
    #[command(flatten)]
    jit: JitArgs,
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
    cli::silence_stops();
    let cli = Cli::parse();
    let result = on_stack(cli.max_depth, || run(cli)).and_then(|result| result);
    cli::exit(result.map_err(|message| format!("verdigris-lua: {message}")))
}

fn run(cli: Cli) -> Result<(), String> {
    let (text, file, args) = match (&cli.execute, cli.script.split_first()) {
        (Some(text), _) => (
            text.clone().into_bytes(),
            "=(command line)".to_string(),
            &cli.script[..],
        ),
        (None, Some((file, args))) if file == "-" => {
            let mut text = Vec::new();
            let read = std::io::stdin().read_to_end(&mut text);
            read.map_err(|error| format!("standard input: {error}"))?;
            (text, "=stdin".to_string(), args)
        }
        (None, Some((file, args))) => {
            let text =
                std::fs::read(file).map_err(|error| format!("cannot open {file}: {error}"))?;
            (text, file.clone(), args)
        }
        (None, None) => return Err("no program: give a file, `-`, or `-e TEXT`".to_string()),
    };
    let program = load(&text, &file)?;
    let (options, reports) = cli.jit.begin()?;
    let machine = Machine::new(options, cli.max_depth)?;
    let outcome = machine.run(&program, args, false);
    let written = reports.write(machine.vm());
    outcome.error.map_or(written, Err)
}
