//! `verdigris`: tools for authors of interpreters. In: the name of a language to be, or the path of
//! an interpreter, or a recording, or the code of an error. Out: a workspace to start from, or what
//! the translator knows of the interpreter, what the second compiler makes of a program, what a
//! replay makes of a recording, or the error's page. Invariant: the status is 0 if and only if the
//! workspace was written, or the translator would accept the interpreter and the program ran, or
//! the replay made the same code, or there is such a page.

#![forbid(unsafe_code)]

mod colours;
mod effects;
mod error;
mod explain;
mod new;
mod observed;
mod replay;
mod source;
mod specialise;
mod view;

use clap::{Parser, Subcommand};
use std::io::{ErrorKind, Write};
use std::process::ExitCode;

/// Starts languages with a JIT, and looks at interpreters as the translator sees them.
#[derive(Parser)]
#[command(name = "verdigris", version)]
struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Start a language with a JIT: parser, compiler, interpreter, tests, fuzzing, benchmark.
    New(new::Args),
    /// Show which values of the interpreter are green (known to the compiler) and which are red.
    Colours(colours::Args),
    /// Show what functions that compiled code calls are believed to read and write, and which call
    /// is to blame.
    Effects(effects::Args),
    /// Show the page about an error of the build, or list all errors.
    Error(error::Args),
    /// Run a guest program, and say why it is slow: what costs most, where, and what to do about
    /// it.
    Explain(explain::Args),
    /// Run a guest program, and show the code that the second compiler makes of it, beside the
    /// interpreter's source.
    Specialise(specialise::Args),
    /// Run a guest program, and write a page that shows what became of it: source, jitcode, traces
    /// and machine code, tied to each other.
    View(view::Args),
    /// Make the code of a recording again, without the program, and say whether it is the same.
    Replay(replay::Args),
}

/// Writes to standard output.
fn write(text: &str) -> Result<(), String> {
    let mut out = std::io::stdout();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    match written {
        // The program that has closed the pipe has read enough.
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(format!("error: cannot write the output: {error}"))
        }
        _ => Ok(()),
    }
}

fn main() -> ExitCode {
    let result = match Args::parse().command {
        Command::New(args) => new::run(&args),
        Command::Colours(args) => colours::run(&args),
        Command::Effects(args) => effects::run(&args),
        Command::Error(args) => error::run(&args),
        Command::Explain(args) => explain::run(&args),
        Command::Specialise(args) => specialise::run(&args),
        Command::View(args) => view::run(&args),
        Command::Replay(args) => replay::run(&args),
    };
    match result {
        Ok(code) => code,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}
