//! Benchmarks. In: a command line. Out: tables on standard output, records in a JSON file; and a
//! page or a comparison of such files. Invariant: every subcommand that measures takes
//! `--json FILE` and `--quick`, and measures release code only if it is itself a release build (it
//! says so if not).

#![warn(missing_docs)]

mod activations;
mod all;
mod built;
mod child;
mod clock;
mod compare;
mod compile;
mod document;
mod entries;
mod examples;
mod frames;
mod generate;
mod heap;
mod interleave;
mod library;
mod lua;
mod memory;
mod methods;
mod pace;
mod page;
mod peers;
mod programs;
mod record;
mod regions;
mod removed;
mod rust_peer;
mod scaling;
mod shapes;
mod specialise;
mod speedups;
mod stackvm;
mod startup;
mod statistics;
mod tables;
mod text;
mod tiers;
mod tla;
mod translate;
mod warmup;

use clap::{Parser, Subcommand};
use document::{Document, Machine};
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
    #[command(flatten)]
    Measure(Box<Suite>),
    /// A page with charts, from what `all --json FILE` wrote.
    Page(page::PageArgs),
    /// What is slower in the second file than in the first beyond noise; fails if something is.
    Compare(compare::CompareArgs),
    /// Runs one program once, for `memory`.
    #[command(hide = true)]
    Once(memory::OnceArgs),
}

#[derive(Subcommand)]
enum Suite {
    /// Every suite below, for one file.
    All(all::AllArgs),
    /// Tables 1 and 2 of the 2009 paper: factorial, fibonacci, accumulator.
    Tables(tables::TablesArgs),
    /// Compile time and machine code per recorded operation; how compile time grows with the length
    /// of a trace.
    Compile(compile::CompileArgs),
    /// Figure 7 of the 2011 paper: operations of all programs before and after optimisation.
    Removed(removed::RemovedArgs),
    /// Integer, float and list loops of the stack machine against Rust with the same checks.
    Stackvm(interleave::Repeat),
    /// Recursion and calls in a loop in TLA, where a guest call is a call of the interpreter,
    /// against C and Rust.
    Tla(interleave::Repeat),
    /// Lists, maps and builders of the library against Rust's own.
    Library(interleave::Repeat),
    /// Loops whose frames others may look at, against the same loops when nothing is kept across
    /// calls.
    Frames(frames::FramesArgs),
    /// Calls from native code into the guest.
    Entries(interleave::Repeat),
    /// Objects and references in compiled code, and collections, against LuaJIT, Java and Node.
    Heap(interleave::Repeat),
    /// One language with its frames in five places: each turn and call in the interpreter and
    /// compiled.
    Activations(activations::ActivationsArgs),
    /// Method calls in the three object models of the 2011 paper on runtime feedback, against Rust.
    Methods(interleave::Repeat),
    /// Programs in Lua against `lua5.4` and LuaJIT.
    Lua(lua::LuaArgs),
    /// Loops of many ways, with a bridge for each and as one piece of code.
    Regions(interleave::Repeat),
    /// What each register costs that a loop in Lua writes.
    Registers(lua::registers::RegistersArgs),
    /// Every program in the repository: interpreted, compiled, and warm.
    Programs(speedups::ProgramsArgs),
    /// The second compiler: against the interpreter, against the tracer, and what compiling costs.
    Specialise(specialise::SpecialiseArgs),
    /// Changes of tier: what the JIT costs where it gains nothing, what levels cost and gain, how
    /// programs get fast.
    Tiers(tiers::TiersArgs),
    /// The time of each iteration from the first on.
    Warmup(warmup::WarmupArgs),
    /// Memory of processes that run one program.
    Memory(memory::MemoryArgs),
    /// Start-up time and memory of an empty program.
    Startup(startup::StartupArgs),
    /// What translating an interpreter costs at build time, and how that grows with its length.
    Translate(translate::TranslateArgs),
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let done = match &cli.command {
        Command::Page(args) => page::run(args).map(|()| true),
        Command::Compare(args) => compare::run(args),
        Command::Once(args) => memory::once(args).map(|()| true),
        Command::Measure(suite) => measure(suite, &cli.settings).map(|()| true),
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

/// Runs a suite, and writes its records if that is asked for.
fn measure(suite: &Suite, settings: &Settings) -> Result<(), String> {
    if cfg!(debug_assertions) {
        eprintln!("bench: this is a debug build; its figures mean nothing");
    }
    let records = match suite {
        Suite::All(args) => all::run(args, settings),
        Suite::Tables(args) => tables::run(args, settings),
        Suite::Compile(args) => compile::run(args, settings),
        Suite::Removed(args) => removed::run(args, settings),
        Suite::Stackvm(args) => stackvm::run(args, settings),
        Suite::Tla(args) => tla::run(args, settings),
        Suite::Library(args) => library::run(args, settings),
        Suite::Frames(args) => frames::run(args, settings),
        Suite::Entries(args) => entries::run(args, settings),
        Suite::Heap(args) => heap::run(args, settings),
        Suite::Activations(args) => activations::run(args, settings),
        Suite::Methods(args) => methods::run(args, settings),
        Suite::Lua(args) => lua::run(args, settings),
        Suite::Regions(args) => regions::run(args, settings),
        Suite::Registers(args) => lua::registers::run(args, settings),
        Suite::Programs(args) => speedups::run(args, settings),
        Suite::Specialise(args) => specialise::run(args, settings),
        Suite::Tiers(args) => tiers::run(args, settings),
        Suite::Warmup(args) => warmup::run(args, settings),
        Suite::Memory(args) => memory::run(args, settings),
        Suite::Startup(args) => startup::run(args, settings),
        Suite::Translate(args) => translate::run(args, settings),
    }?;
    let Some(file) = &settings.json else {
        return Ok(());
    };
    let machine = Machine::here(settings.quick, peers::versions(&records));
    Document::new(machine, records).write(file)
}
