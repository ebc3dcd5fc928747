//! The command `objmodel`. In: a command line. Out: what the program prints on standard output,
//! messages on standard error, and the exit status: 0; 1 if a program or file is faulty; 2 if the
//! command line is. Invariant: all work is the library's.

#![forbid(unsafe_code)]

use clap::{Parser, Subcommand};
use language_support::cli::{self, JitArgs};
use objmodel::machine::{MAX_DEPTH, Machine, Stage, load};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use verdigris::ReservingAllocator;

/// A class-based language with three object models and a JIT.
#[derive(Parser)]
#[command(version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Runs a program.
    Run(Box<RunArgs>),
    /// Prints a program's bytecode.
    Disasm {
        /// The program.
        file: PathBuf,
    },
    /// Shows what the JIT makes of the 2011 paper's expression on each stage of the object model.
    Figures,
}

#[derive(clap::Args)]
struct RunArgs {
    /// The program.
    file: PathBuf,
    /// The values of its `args`; those that are missing are 0.
    #[arg(allow_negative_numbers = true)]
    args: Vec<i64>,
    /// The object model: dict, maps or versions.
    #[arg(long, default_value = "versions")]
    stage: Stage,
    #[command(flatten)]
    jit: JitArgs,
    /// How many frames a program may have at once.
    #[arg(long, value_name = "FRAMES", default_value_t = MAX_DEPTH, value_parser = clap::value_parser!(i64).range(1..))]
    max_depth: i64,
}

/// Where the system refuses memory, that is an error of the program that runs.
#[global_allocator]
static ALLOCATOR: ReservingAllocator = ReservingAllocator::new();

fn main() -> ExitCode {
    cli::silence_stops();
    let result = match Cli::parse().command {
        Command::Run(args) => run(*args),
        Command::Disasm { file } => disasm(&file),
        Command::Figures => figures(),
    };
    cli::exit(result)
}

fn read(file: &Path) -> Result<objmodel::image::Image, String> {
    let (bytes, name) = cli::read(file)?;
    load(&bytes, &name)
}

fn run(args: RunArgs) -> Result<(), String> {
    let image = read(&args.file)?;
    let (options, reports) = args.jit.begin()?;
    let machine = Machine::new(options, args.stage, args.max_depth)?;
    reports.watch(machine.vm())?;
    let outcome = machine.run(&image, &args.args, false);
    let written = reports.write(machine.vm());
    outcome.error.map_or(written, Err)
}

fn disasm(file: &Path) -> Result<(), String> {
    cli::print(&objmodel::disasm::disassemble(&read(file)?))
}

fn figures() -> Result<(), String> {
    cli::print(&objmodel::figures::render(&objmodel::figures::measure()?))
}
