//! Benchmarks. In: a command line. Out: tables on standard output, records in a JSON file. Invariant: every subcommand
//! takes `--json FILE` and `--quick`, and measures release code only if it is itself a release build (it says so if not).

#![warn(missing_docs)]

mod clock;
mod compile;
mod peers;
mod record;
mod rust_peer;
mod startup;
mod tables;
mod text;

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
    /// Compile time per recorded operation, machine code per operation, operations removed.
    Compile(compile::CompileArgs),
    /// Start-up time and memory of an empty program.
    Startup(startup::StartupArgs),
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
        Command::Startup(args) => startup::run(args, settings),
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
