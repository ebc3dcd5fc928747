//! The command `boxes`. In: a command line. Out: a number or the figures on standard output,
//! messages on standard error, and the exit status: 0; 1 if the work cannot be done; 2 if the
//! command line is faulty. Invariant: all work is the library's.

#![forbid(unsafe_code)]

use boxes::figures;
use boxes::machine::Machine;
use boxes::number::Number;
use clap::{Parser, Subcommand};
use language_support::cli::{self, JitArgs};
use std::process::ExitCode;
use verdigris::ReservingAllocator;

/// Boxed numbers with a JIT.
#[derive(Parser)]
#[command(version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Prints `f(N)`: counts N down by 1 while it is positive, and sums up N - 100 each time.
    Run(Box<RunArgs>),
    /// Prints what the JIT makes of the loop: the trace as recorded, without allocations, and after
    /// everything.
    Figures,
}

#[derive(clap::Args)]
struct RunArgs {
    /// An integer such as `1000`, or a float such as `1000.5`.
    #[arg(value_name = "N", allow_negative_numbers = true)]
    y: Number,
    #[command(flatten)]
    jit: JitArgs,
}

/// Where the system refuses memory, that is an error of the program that runs.
#[global_allocator]
static ALLOCATOR: ReservingAllocator = ReservingAllocator::new();

fn main() -> ExitCode {
    let text = match Cli::parse().command {
        Command::Run(args) => run(*args),
        Command::Figures => figures::print(),
    };
    let printed = text.and_then(|text| cli::print(&text));
    cli::exit(printed.map_err(|message| format!("boxes: {message}")))
}

fn run(args: RunArgs) -> Result<String, String> {
    let (options, reports) = args.jit.begin()?;
    let machine = Machine::new(options)?;
    reports.watch(machine.vm())?;
    let result = machine.run(args.y)?;
    reports.write(machine.vm())?;
    Ok(format!("{result}\n"))
}
