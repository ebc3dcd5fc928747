//! The suites: each is a subcommand that measures, prints a table, and gives records.

mod activations;
pub mod all;
pub mod columns;
mod compile;
mod entries;
mod frames;
mod heap;
mod layered;
mod library;
mod lua;
pub mod memory;
mod methods;
mod python;
mod regions;
mod removed;
mod specialise;
mod speedups;
mod stackvm;
mod startup;
mod tables;
pub mod tiers;
mod tla;
mod translate;
mod warmup;
mod worst;

use crate::measure::interleave;
use crate::measure::record::Record;
use crate::settings::Settings;
use clap::Subcommand;

/// A suite with its own arguments.
#[derive(Subcommand)]
pub enum Suite {
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
    /// Programs in Python against CPython and PyPy.
    Python(python::PythonArgs),
    /// Loops of many ways, with a bridge for each and as one piece of code.
    Regions(interleave::Repeat),
    /// The cost of each register that a loop in Lua writes.
    Registers(lua::registers::RegistersArgs),
    /// Every program in the repository: interpreted, compiled, and warm.
    Programs(speedups::ProgramsArgs),
    /// The second compiler: against the interpreter, against the tracer, and what compiling costs.
    Specialise(specialise::SpecialiseArgs),
    /// Changes of tier: what the JIT costs where it gains nothing, what levels cost and gain, how
    /// programs get fast.
    Tiers(tiers::TiersArgs),
    /// Every program and made-up ones without a limit on compiling: how much slower than the
    /// interpreter, and how much code.
    Worst(worst::WorstArgs),
    /// The time of each iteration from the first on.
    Warmup(warmup::WarmupArgs),
    /// Memory of processes that run one program.
    Memory(memory::MemoryArgs),
    /// Programs in TLC as CIL that Mono compiles, against our own machine code; what an operation
    /// takes until it is compiled.
    Layered(layered::LayeredArgs),
    /// Start-up time and memory of an empty program.
    Startup(startup::StartupArgs),
    /// The cost of translating an interpreter at build time, and how that grows with its length.
    Translate(translate::TranslateArgs),
}

impl Suite {
    /// Measures and prints.
    ///
    /// # Errors
    /// If a program fails.
    pub fn run(&self, settings: &Settings) -> Result<Vec<Record>, String> {
        match self {
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
            Suite::Python(args) => python::run(args, settings),
            Suite::Regions(args) => regions::run(args, settings),
            Suite::Registers(args) => lua::registers::run(args, settings),
            Suite::Programs(args) => speedups::run(args, settings),
            Suite::Specialise(args) => specialise::run(args, settings),
            Suite::Tiers(args) => tiers::run(args, settings),
            Suite::Worst(args) => worst::run(args, settings),
            Suite::Warmup(args) => warmup::run(args, settings),
            Suite::Memory(args) => memory::run(args, settings),
            Suite::Layered(args) => layered::run(args, settings),
            Suite::Startup(args) => startup::run(args, settings),
            Suite::Translate(args) => translate::run(args, settings),
        }
    }
}
