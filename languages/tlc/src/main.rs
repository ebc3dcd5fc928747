//! The command `tlc`. In: a command line. Out: what the program prints on standard output, messages
//! on standard error, and the exit status: 0; 1 if a program or file is faulty; 2 if the command
//! line is. Invariant: all work is the library's.

#![forbid(unsafe_code)]

use clap::{Parser, Subcommand};
use language_support::cli::{self, JitArgs};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use tlc::machine::{MAX_DEPTH, Machine, load};
use verdigris::ReservingAllocator;

/// TLC, a toy language with a JIT.
#[derive(Parser)]
#[command(version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Runs a program and prints its result.
    Run(Box<RunArgs>),
    /// Assembles a program.
    Asm {
        /// The text.
        file: PathBuf,
        /// Where the binary goes.
        #[arg(short, long)]
        output: PathBuf,
    },
    /// Prints a program, text or binary, as text that assembles to the same binary.
    Disasm {
        /// The program.
        file: PathBuf,
    },
}

#[derive(clap::Args)]
struct RunArgs {
    /// The program: text, or a binary.
    file: PathBuf,
    /// Its arguments; PUSHARG is the first one, or 0.
    #[arg(allow_negative_numbers = true)]
    args: Vec<i64>,
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
        Command::Asm { file, output } => asm(&file, &output),
        Command::Disasm { file } => disasm(&file),
    };
    cli::exit(result)
}

fn read(file: &Path) -> Result<tlc::image::Image, String> {
    let (bytes, name) = cli::read(file)?;
    load(&bytes, &name)
}

fn run(args: RunArgs) -> Result<(), String> {
    let image = read(&args.file)?;
    let (options, reports) = args.jit.begin()?;
    let machine = Machine::new(options, args.max_depth)?;
    reports.watch(machine.vm())?;
    let outcome = machine.run(&image, &args.args, false);
    let written = reports.write(machine.vm());
    outcome.error.map_or(written, Err)
}

fn asm(file: &Path, output: &Path) -> Result<(), String> {
    let image = read(file)?;
    fs::write(output, image.encode()).map_err(|error| format!("{}: {error}", output.display()))
}

fn disasm(file: &Path) -> Result<(), String> {
    cli::print(&tlc::disasm::disassemble(&read(file)?))
}
