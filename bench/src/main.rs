//! Benchmarks. In: a command line. Out: tables on standard output, records in a JSON file; and a
//! page or a comparison of such files. Invariant: every subcommand that measures takes
//! `--json FILE` and `--quick`, and measures release code only if it is itself a release build (it
//! says so if not).

#![warn(missing_docs)]

mod guests;
mod measure;
mod peers;
mod report;
mod settings;
mod suites;

use clap::{Parser, Subcommand};
use measure::document::{Document, Machine};
use measure::record::Record;
use report::{compare, page};
use settings::Settings;
use std::process::ExitCode;
use suites::{Suite, all, memory};

/// Benchmarks of Verdigris.
#[derive(Parser)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    settings: Settings,
}

#[derive(Subcommand)]
enum Command {
    /// Every suite below, for one file.
    All(all::AllArgs),
    #[command(flatten)]
    Measure(Box<Suite>),
    /// A page with charts, from what `all --json FILE` wrote.
    Page(page::PageArgs),
    /// Compares two files: fails if the second is slower than the first beyond noise.
    Compare(compare::CompareArgs),
    /// Runs one program once, for `memory`.
    #[command(hide = true)]
    Once(memory::OnceArgs),
}

fn main() -> ExitCode {
    let Cli { command, settings } = Cli::parse();
    let measured = |run: &dyn Fn(&Settings) -> Result<Vec<Record>, String>| {
        if cfg!(debug_assertions) {
            eprintln!("bench: this is a debug build; its figures mean nothing");
        }
        write(run(&settings)?, &settings)
    };
    let done = match &command {
        Command::Page(args) => page::run(args).map(|()| true),
        Command::Compare(args) => compare::run(args),
        Command::Once(args) => memory::once(args).map(|()| true),
        Command::All(args) => measured(&|settings| all::run(args, settings)).map(|()| true),
        Command::Measure(suite) => measured(&|settings| suite.run(settings)).map(|()| true),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(message) => {
            eprintln!("bench: {message}");
            ExitCode::from(2)
        }
    }
}

/// Writes the records of a run, if that is asked for.
fn write(records: Vec<Record>, settings: &Settings) -> Result<(), String> {
    let Some(file) = &settings.json else {
        return Ok(());
    };
    let machine = Machine::here(settings.quick, peers::versions(&records));
    Document::new(machine, records).write(file)
}
