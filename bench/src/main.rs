//! Benchmarks. In: a command line. Out: tables on standard output, records in a JSON file. Invariant: every subcommand
//! takes `--json FILE` and `--quick`, and measures release code only if it is itself a release build (it says so if not).

#![warn(missing_docs)]

mod clock;
mod compile;
mod frames;
mod generate;
mod library;
mod peers;
mod programs;
mod record;
mod removed;
mod rust_peer;
mod scaling;
mod stackvm;
mod startup;
mod tables;
mod text;
mod tla;
mod translate;

use clap::{Parser, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;

/// Benchmarks of Verdigris.
#[derive(Parser)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    settings: Settings,
}

/// What all subcommands take.
#[derive(clap::Args)]
pub struct Settings {
    /// Writes the records to this file.
    #[arg(long, global = true, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Small sizes, one run: to see that everything works.
    #[arg(long, global = true)]
    quick: bool,
}

#[derive(Subcommand)]
enum Command {
    /// Tables 1 and 2 of the 2009 paper: factorial, fibonacci, accumulator.
    Tables(tables::TablesArgs),
    /// Compile time and machine code per recorded operation; how compile time grows with the length of a trace.
    Compile(compile::CompileArgs),
    /// Figure 7 of the 2011 paper: operations of all programs before and after optimisation.
    Removed(removed::RemovedArgs),
    /// Integer, float and list loops of the stack machine against Rust with the same checks.
    Stackvm(stackvm::StackvmArgs),
    /// Recursion and calls in a loop in TLA, where a guest call is a call of the interpreter, against C and Rust.
    Tla(tla::TlaArgs),
    /// Lists, maps and builders of the library against Rust's own.
    Library(library::LibraryArgs),
    /// Loops whose frames others may look at, against the same loops when nothing is kept across calls.
    Frames(frames::FramesArgs),
    /// Start-up time and memory of an empty program.
    Startup(startup::StartupArgs),
    /// What translating an interpreter costs at build time, and how that grows with its length.
    Translate(translate::TranslateArgs),
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    if cfg!(debug_assertions) {
        eprintln!("bench: this is a debug build; its figures mean nothing");
    }
    let settings = &cli.settings;
    let records = match &cli.command {
        Command::Tables(args) => tables::run(args, settings),
        Command::Compile(args) => compile::run(args, settings),
        Command::Removed(args) => removed::run(args, settings),
        Command::Stackvm(args) => stackvm::run(args, settings),
        Command::Tla(args) => tla::run(args, settings),
        Command::Library(args) => library::run(args, settings),
        Command::Frames(args) => frames::run(args, settings),
        Command::Startup(args) => startup::run(args, settings),
        Command::Translate(args) => translate::run(args, settings),
    };
    let written = records.and_then(|records| match &settings.json {
        Some(file) => record::write_json(file, &records),
        None => Ok(()),
    });
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("bench: {message}");
            ExitCode::from(1)
        }
    }
}
