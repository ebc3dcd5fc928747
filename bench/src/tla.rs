//! Calls in TLA, where a guest call is a call of the interpreter. In: two programs: recursion, and a loop that calls a function
//! with a loop. Out: seconds of the interpreter, of the JIT cold (first run in a VM, compilation included) and warm (second run),
//! and of the same program in Rust and in C (`-O2`, compiled in this run). Processor time; runs of the systems are interleaved, and
//! the least of each gives the ratios. Invariant: all sides compute the same result.

use crate::Settings;
use crate::clock::cpu_seconds;
use crate::peers::{Peers, Run};
use crate::record::Record;
use crate::text::{align, ratio, row, seconds};
use std::hint::black_box;
use tla::image::Image;
use tla::machine::{MAX_DEPTH, Machine, load, on_stack};
use verdigris::Options;

/// What `tla` takes.
#[derive(clap::Args)]
pub struct TlaArgs {
    /// How often each is run.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// Parameters of the JIT.
    #[arg(long, default_value = "", value_parser = Options::parse)]
    jit: Options,
}

/// A program, its argument, a smaller one, and the same in Rust.
struct Program {
    name: &'static str,
    text: &'static str,
    n: i64,
    small: i64,
    rust: fn(i64) -> i64,
}

const PROGRAMS: [Program; 2] = [
    Program {
        name: "fib",
        text: include_str!("../../languages/tla/programs/fib.tla"),
        n: 32,
        small: 15,
        rust: fib,
    },
    Program {
        name: "callabit",
        text: include_str!("../../languages/tla/programs/callabit.tla"),
        n: 10_000,
        small: 100,
        rust: callabit,
    },
];

const SYSTEMS: [&str; 5] = ["interp", "jit-cold", "jit-warm", "rust", "c"];

/// Measures and prints the table.
///
/// # Errors
/// If a program fails, or the results differ.
pub fn run(args: &TlaArgs, settings: &Settings) -> Result<Vec<Record>, String> {
    on_stack(MAX_DEPTH, || measure_all(args, settings))?
}

fn measure_all(args: &TlaArgs, settings: &Settings) -> Result<Vec<Record>, String> {
    let peers = Peers::for_tla()?;
    let mut rows = vec![row(["program", "n"])];
    rows[0].extend(SYSTEMS.map(str::to_string));
    rows[0].extend(row(["interp/jit", "jit/rust", "jit/c"]));
    let mut records = Vec::new();
    for program in &PROGRAMS {
        let image = load(program.text, &format!("{}.tla", program.name))?;
        let (n, runs) = match settings.quick {
            true => (program.small, 1),
            false => (program.n, args.runs),
        };
        let mut samples: Vec<(&str, Run)> = Vec::new();
        for _ in 0..runs {
            samples.extend(measure(program, &image, n, &args.jit, &peers)?);
        }
        let expected = samples[0].1.result;
        if let Some((system, run)) = samples.iter().find(|s| s.1.result != expected) {
            let name = program.name;
            return Err(format!(
                "{name}: {system} computes {:?}, the interpreter {expected:?}",
                run.result
            ));
        }
        let mut cells = vec![program.name.to_string(), n.to_string()];
        let least = SYSTEMS.map(|system| {
            let of = |s: &&(&str, Run)| s.0 == system;
            let times: Vec<f64> = samples.iter().filter(of).map(|s| s.1.seconds).collect();
            let record =
                (!times.is_empty()).then(|| Record::new("tla", program.name, n, system, &times));
            let min = record.as_ref().map(|record| record.min);
            records.extend(record);
            min
        });
        cells.extend(least.map(|min| min.map_or("-".to_string(), seconds)));
        let [interp, _, jit, rust, c] = least;
        cells.extend([ratio(interp, jit), ratio(jit, rust), ratio(jit, c)]);
        rows.push(cells);
    }
    println!("{}", align(&rows));
    Ok(records)
}

/// One run of every system.
fn measure(
    program: &Program,
    image: &Image,
    n: i64,
    options: &Options,
    peers: &Peers,
) -> Result<Vec<(&'static str, Run)>, String> {
    let off = Options::parse("off").map_err(|error| error.to_string())?;
    let [interp, _] = twice(image, n, off)?;
    let [cold, warm] = twice(image, n, options.clone())?;
    let rust = timed(|| Ok((program.rust)(black_box(n))))?;
    let mut samples = vec![
        ("interp", interp),
        ("jit-cold", cold),
        ("jit-warm", warm),
        ("rust", rust),
    ];
    for peer in &peers.list {
        samples.push((peer.system, peer.run(program.name, n)?));
    }
    Ok(samples)
}

fn timed(f: impl FnOnce() -> Result<i64, String>) -> Result<Run, String> {
    let begin = cpu_seconds();
    let result = Some(f()?);
    let seconds = cpu_seconds() - begin;
    Ok(Run { seconds, result })
}

/// The first and the second run in a VM.
fn twice(image: &Image, n: i64, options: Options) -> Result<[Run; 2], String> {
    let machine = Machine::new(options, MAX_DEPTH)?;
    machine.enter(image, |program| {
        let first = timed(|| program.run_to_int(&[n]))?;
        Ok([first, timed(|| program.run_to_int(&[n]))?])
    })?
}

#[inline(never)]
fn fib(n: i64) -> i64 {
    if n < 2 {
        return n;
    }
    fib(n - 1).wrapping_add(fib(n - 2))
}

#[inline(never)]
fn callabit(mut n: i64) -> i64 {
    // A step that rustc does not know keeps it from knowing what a loop that only counts leaves behind.
    let step = black_box(1);
    loop {
        black_box(sub_loop(n, step));
        n = n.wrapping_sub(step);
        if n < 1 {
            return n;
        }
    }
}

#[inline(never)]
fn sub_loop(mut m: i64, step: i64) -> i64 {
    loop {
        m = m.wrapping_sub(step);
        if m < 1 {
            return m;
        }
    }
}
