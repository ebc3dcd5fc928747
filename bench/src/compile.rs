//! What compiling costs. In: TLC programs with hot loops. Out: per recorded operation, the time of tracing, optimising and the
//! backend, and the machine code; then how the time grows with the length of a trace ([`crate::scaling`]).
//! Invariant: the figures are the VM's own statistics, of one run in a fresh VM, in processor time.

use crate::clock::cpu_seconds;
use crate::pace::paced;
use crate::record::Record;
use crate::tables::assemble;
use crate::text::{align, row};
use crate::{Settings, scaling};
use tlc::image::Image;
use tlc::machine::{MAX_DEPTH, Machine};
use verdigris::{Options, Stats};

/// Picks the seconds of one phase.
pub type Phase = fn(&Stats) -> f64;

macro_rules! program {
    ($name:literal, $n:literal) => {
        (
            $name,
            include_str!(concat!("../../languages/tlc/programs/", $name, ".tlc")),
            $n,
        )
    };
}

/// Programs and arguments that make their loops hot.
const PROGRAMS: &[(&str, &str, i64)] = &[
    program!("factorial", 20_000),
    program!("fibonacci", 20_000),
    program!("accumulator", 20_000),
    program!("abs_loop", 20_000),
    program!("lists", 20_000),
    program!("objects", 20_000),
    program!("nested_loops", 300),
    program!("sort_in_place", 200),
    program!("linked_queue", 20_000),
    program!("primes", 5_000),
    program!("collatz", 2_000),
    program!("computed_branch", 20_000),
    program!("calls", 20_000),
    program!("wrap", 20_000),
    program!("changing_types", 20_000),
    program!("mandelbrot", 60),
];

/// What `compile` takes.
#[derive(clap::Args)]
pub struct CompileArgs {
    /// How often each program is run; the median counts.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// Only the programs or generated loops with this name.
    #[arg(long, value_name = "NAME")]
    only: Option<String>,
    /// Parameters of the JIT.
    #[arg(long, default_value = "", value_parser = Options::parse)]
    jit: Options,
}

/// Measures and prints the costs.
///
/// # Errors
/// If a program fails.
pub fn run(args: &CompileArgs, settings: &Settings) -> Result<Vec<Record>, String> {
    let (programs, runs) = match settings.quick {
        true => (&PROGRAMS[..3], 1),
        false => (PROGRAMS, args.runs),
    };
    let mut costs = vec![row([
        "program",
        "traces",
        "bridges",
        "recorded",
        "optimised",
        "trace us/op",
        "opt us/op",
        "backend us/op",
        "total us/op",
        "bytes/op",
        "bytes/opt op",
    ])];
    let mut records = Vec::new();
    let wanted = |name: &str| args.only.as_ref().is_none_or(|only| only == name);
    let mut wanted_programs = Vec::new();
    for &(name, source, n) in programs.iter().filter(|program| wanted(program.0)) {
        let image = assemble(name, source)?;
        wanted_programs.push((name, image, n, Vec::new(), Vec::new()));
    }
    // One run of each in every round, so that the runs of one lie far apart.
    for _ in 0..runs {
        for (_, image, n, samples, paces) in &mut wanted_programs {
            let (stats, pace) = paced(|| sample(image, *n, &args.jit))?;
            samples.push(stats);
            paces.push(pace);
        }
    }
    for (name, _, n, samples, paces) in &wanted_programs {
        let of_program = records_of(name, *n, samples, paces);
        costs.push(cost_row(name, &samples[0], &of_program));
        records.extend(of_program);
    }
    println!("{}", align(&costs));
    records.extend(scaling::run(&args.jit, runs, settings.quick, wanted)?);
    Ok(records)
}

/// What the VM says of one run of a program that starts cold.
pub fn sample(image: &Image, n: i64, options: &Options) -> Result<Stats, String> {
    let options = Options {
        clock: Some(cpu_seconds),
        ..options.clone()
    };
    let machine = Machine::new(options, MAX_DEPTH)?;
    match machine.run(image, &[n], true).error {
        Some(error) => Err(error),
        None => Ok(machine.stats()),
    }
}

/// The phases of compilation, and their sum.
pub const PHASES: [(&str, Phase); 4] = [
    ("tracing", |stats| stats.seconds.tracing),
    ("optimising", |stats| stats.seconds.optimising),
    ("backend", |stats| stats.seconds.compiling),
    ("total", |stats| {
        stats.seconds.tracing + stats.seconds.optimising + stats.seconds.compiling
    }),
];

/// Seconds per recorded operation, by phase.
fn records_of(name: &str, n: i64, samples: &[Stats], pace: &[f64]) -> Vec<Record> {
    let ops = samples[0].recorded.total();
    let per_op = |phase: Phase| -> Vec<f64> {
        let cost = |stats: &Stats| phase(stats) / stats.recorded.total().max(1) as f64;
        samples.iter().map(cost).collect()
    };
    let record = |(phase, seconds)| {
        let record = Record::new("compile", name, n, phase, &per_op(seconds));
        record.with_count(ops).with_pace(pace)
    };
    PHASES.map(record).to_vec()
}

fn cost_row(name: &str, stats: &Stats, records: &[Record]) -> Vec<String> {
    let (recorded, optimised) = (stats.recorded.total(), stats.optimised.total());
    let mut cells = vec![name.to_string()];
    cells.extend([stats.traces, stats.bridges, recorded, optimised].map(|count| count.to_string()));
    cells.extend(
        records
            .iter()
            .map(|record| format!("{:.2}", record.seconds * 1e6)),
    );
    cells.extend(
        [recorded, optimised]
            .map(|ops| format!("{:.1}", stats.machine_code_bytes as f64 / ops.max(1) as f64)),
    );
    cells
}
