//! Calls in TLA, where a guest call is a call of the interpreter. In: two programs: recursion, and
//! a loop that calls a function with a loop. Out: seconds of the interpreter, of the JIT cold
//! (first run in a VM, compilation included) and warm (second run), and of the same program in
//! Rust, in C (`-O2`, compiled in this run), and in the other systems that are installed. Processor
//! time; runs of the systems are interleaved, and the least of each gives the ratios. Invariant:
//! all sides compute the same result.

use crate::measure::interleave::{Contestant, Repeat, Run, least, race, single, timed};
use crate::measure::record::Record;
use crate::measure::text::{align, ratio, row, seconds};
use crate::peers::Peers;
use crate::settings::Settings;
use std::hint::black_box;
use tla::image::Image;
use tla::machine::{MAX_DEPTH, Machine, load, on_stack};
use verdigris::Options;

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
        text: include_str!("../../../languages/tla/programs/fib.tla"),
        n: 32,
        small: 15,
        rust: fib,
    },
    Program {
        name: "callabit",
        text: include_str!("../../../languages/tla/programs/callabit_tracing.tla"),
        n: 10_000,
        small: 100,
        rust: callabit,
    },
];

const SYSTEMS: [&str; 11] = [
    "interp", "jit-cold", "jit-warm", "rust", "c", "csharp", "java", "luajit", "pypy", "node",
    "lua",
];

/// Measures and prints the table.
///
/// # Errors
/// If a program fails, or the results differ.
pub fn run(args: &Repeat, settings: &Settings) -> Result<Vec<Record>, String> {
    on_stack(MAX_DEPTH, || measure_all(args, settings))?
}

fn measure_all(args: &Repeat, settings: &Settings) -> Result<Vec<Record>, String> {
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
        let (image, options) = (&image, &args.jit);
        let mut contestants: Vec<Contestant> = vec![
            single("interp", || {
                let off = Options::parse("off").map_err(|error| error.to_string())?;
                runs_of(image, n, off, 1).map(|mut runs| runs.remove(0))
            }),
            Box::new(|| {
                let runs = runs_of(image, n, options.clone(), 2)?;
                Ok(["jit-cold", "jit-warm"].into_iter().zip(runs).collect())
            }),
            single("rust", || timed(|| Ok((program.rust)(black_box(n))))),
        ];
        contestants.extend(peers.contestants(program.name, n));
        let new = race("tla", program.name, n, runs, contestants)?;
        let mut cells = vec![program.name.to_string(), n.to_string()];
        let fastest = SYSTEMS.map(|system| least(&new, system));
        cells.extend(fastest.map(|min| min.map_or("-".to_string(), seconds)));
        let [interp, _, jit, rust, c, ..] = fastest;
        cells.extend([ratio(interp, jit), ratio(jit, rust), ratio(jit, c)]);
        records.extend(new);
        rows.push(cells);
    }
    println!("{}", align(&rows));
    Ok(records)
}

/// The first runs in a VM.
fn runs_of(image: &Image, n: i64, options: Options, runs: usize) -> Result<Vec<Run>, String> {
    let machine = Machine::new(options, MAX_DEPTH)?;
    machine.enter(image, |program| {
        let run = |_| timed(|| program.run_to_int(&[n]));
        (0..runs).map(run).collect()
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
    // A step that rustc does not know keeps it from knowing what a loop that only counts leaves
    // behind.
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
