//! The command `tla`. In: a command line. Out: the program's result on standard output, messages on
//! standard error, and the exit status: 0; 1 if a program or file is faulty; 2 if the command line
//! is. Invariant: all work is the library's.

#![forbid(unsafe_code)]

use clap::{Parser, Subcommand};
use language_support::cli::{self, JitArgs};
use std::path::PathBuf;
use std::process::ExitCode;
use tla::level::Level;
use tla::machine::{MAX_DEPTH, Machine, load, on_stack};
use verdigris::ReservingAllocator;

/// TLA, a small stack language with a JIT, in which calls recurse.
#[derive(Parser)]
#[command(version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Runs a program and prints its result.
    Run(RunArgs),
}

#[derive(clap::Args)]
struct RunArgs {
    /// The program.
    file: PathBuf,
    /// The arguments of its first function.
    #[arg(allow_negative_numbers = true)]
    args: Vec<i64>,
    #[command(flatten)]
    jit: JitArgs,
    /// On which level the first function runs: any (the JIT's parameters say so), interpreter,
    /// baseline or tracing.
    #[arg(long, value_name = "LEVEL", default_value = "any", value_parser = Level::parse)]
    main_tier: Level,
    /// How many calls can be within each other.
    #[arg(long, value_name = "CALLS", default_value_t = MAX_DEPTH, value_parser = clap::value_parser!(i64).range(1..))]
    max_depth: i64,
}

/// Where the system refuses memory, that is an error of the program that runs.
#[global_allocator]
static ALLOCATOR: ReservingAllocator = ReservingAllocator::new();

fn main() -> ExitCode {
    cli::silence_stops();
    let Command::Run(args) = Cli::parse().command;
    let max_depth = args.max_depth;
    let result = on_stack(max_depth, || run(args)).and_then(|result| result);
    cli::exit(result.and_then(|result| cli::print(&format!("{result}\n"))))
}

fn run(args: RunArgs) -> Result<String, String> {
    let (bytes, file) = cli::read(&args.file)?;
    let text = String::from_utf8(bytes).map_err(|error| format!("{file}: {error}"))?;
    let image = load(&text, &file)?;
    let (options, reports) = args.jit.begin()?;
    let machine = Machine::new(options, args.max_depth)?.with_main_level(args.main_tier);
    reports.watch(machine.vm())?;
    let result = machine.run(&image, &args.args);
    let written = reports.write(machine.vm());
    result.and_then(|result| written.map(|()| result))
}
