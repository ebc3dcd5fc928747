//! `verdigris`: tools for authors of interpreters. The status is 0 only on success: the workspace
//! was written, the translator accepts the interpreter, the program ran, the replay made the same
//! code, or the error has a page.

#![forbid(unsafe_code)]

mod book;
mod colours;
mod effects;
mod error;
mod explain;
mod new;
mod observed;
mod out;
mod replay;
mod shell;
mod source;
mod specialise;
mod view;

use clap::{CommandFactory, Parser, Subcommand};
use std::process::ExitCode;

/// Starts languages with a JIT, and looks at interpreters as the translator sees them.
#[derive(Parser)]
#[command(name = "verdigris", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Start a language with a JIT: parser, compiler, interpreter, tests, fuzzing, benchmark.
    New(new::NewArgs),
    /// Show which values of the interpreter are green (known to the compiler) and which are red.
    Colours(colours::ColoursArgs),
    /// Show what functions that compiled code calls are believed to read and write, and which call
    /// is to blame.
    Effects(effects::EffectsArgs),
    /// Show the page about an error of the build, or list all errors.
    Error(error::ErrorArgs),
    /// Run a guest program, and say why it is slow: what costs most, where, and what to do about
    /// it.
    Explain(explain::ExplainArgs),
    /// Run a guest program, and show the code that the second compiler makes of it, beside the
    /// interpreter's source.
    Specialise(specialise::SpecialiseArgs),
    /// Run a guest program, and write a page that shows what became of it: source, jitcode, traces
    /// and machine code, tied to each other.
    View(view::ViewArgs),
    /// Make the code of a recording again, without the program, and say whether it is the same.
    Replay(replay::ReplayArgs),
    /// Print a script that lets a shell complete the arguments of this command.
    Completions(shell::CompletionsArgs),
    /// Print the manual page of this command, or write the pages of all subcommands to a folder.
    Man(shell::ManArgs),
}

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::New(args) => new::run(&args),
        Command::Colours(args) => colours::run(&args),
        Command::Effects(args) => effects::run(&args),
        Command::Error(args) => error::run(&args),
        Command::Explain(args) => explain::run(&args),
        Command::Specialise(args) => specialise::run(&args),
        Command::View(args) => view::run(&args),
        Command::Replay(args) => replay::run(&args),
        Command::Completions(args) => shell::completions(&args, Cli::command()),
        Command::Man(args) => shell::man(&args, Cli::command()),
    };
    match result {
        Ok(code) => code,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}
