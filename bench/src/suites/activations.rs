//! Where frames are. In: one language with five interpreters that differ in nothing else: each call
//! with an array of its own for registers, the same with arrays that are used again, frames on the
//! heap and one activation, frames at which native functions may look, one long stack. Out:
//! nanoseconds for each turn or call, of the interpreters and of the JIT (compilation included),
//! and how many bytes a call takes. Processor time, the least of interleaved runs. Invariant: all
//! compute the same result where they do the same work; the interpreters run a part of it where the
//! JIT needs more to be measured.

use crate::measure::interleave::{Contestant, Race, Run, least, rounds, single, timed};
use crate::measure::record::Record;
use crate::measure::text::{align, row};
use crate::settings::Settings;
use activations::{Function, LAYOUTS, Layout, MAX_DEPTH, PROGRAMS, on_stack};
use std::cell::Cell;
use verdigris::{Options, Vm};

/// The arguments of `activations`.
#[derive(clap::Args)]
pub struct ActivationsArgs {
    /// How often each is run.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
}

/// How deep `deep` recurses in each turn.
const DEPTH: i32 = 5_000;

/// A measured program.
struct Work {
    program: &'static str,
    /// What it measures.
    about: &'static str,
    n: i64,
    /// The same in a quick run.
    quick: i64,
    /// The interpreters do this part of it.
    share: i64,
    /// How many turns or calls it is.
    units: fn(i64) -> i64,
}

static WORK: [Work; 6] = [
    Work {
        program: "loop",
        about: "no call",
        n: 100_000_000,
        quick: 10_000,
        share: 10,
        units: |n| n,
    },
    Work {
        program: "call",
        about: "a small function",
        n: 50_000_000,
        quick: 5_000,
        share: 20,
        units: |n| n,
    },
    Work {
        program: "fib",
        about: "recursion",
        n: 30,
        quick: 12,
        share: 1,
        units: calls_of_fib,
    },
    Work {
        program: "deep",
        about: "5,000 deep",
        n: 400,
        quick: 4,
        share: 1,
        units: |n| n * i64::from(DEPTH + 1),
    },
    Work {
        program: "native",
        about: "an opaque call",
        n: 20_000_000,
        quick: 5_000,
        share: 10,
        units: |n| n,
    },
    Work {
        program: "wide",
        about: "100 registers",
        n: 20_000_000,
        quick: 5_000,
        share: 20,
        units: |n| n,
    },
];

/// How often fib is called for fib(n).
fn calls_of_fib(n: i64) -> i64 {
    if n < 2 {
        1
    } else {
        1 + calls_of_fib(n - 1) + calls_of_fib(n - 2)
    }
}

/// The systems, in the order of [`LAYOUTS`]: the interpreter and the JIT of each.
const SYSTEMS: [[&str; 2]; 5] = [
    ["recursive interp", "recursive jit"],
    ["reusing interp", "reusing jit"],
    ["heap interp", "heap jit"],
    ["virtualizable interp", "virtualizable jit"],
    ["shared interp", "shared jit"],
];

/// Measures and prints the tables.
///
/// # Errors
/// If a program fails, or the results differ.
pub fn run(args: &ActivationsArgs, settings: &Settings) -> Result<Vec<Record>, String> {
    on_stack(|| measure(args, settings))
}

fn measure(args: &ActivationsArgs, settings: &Settings) -> Result<Vec<Record>, String> {
    let runs = if settings.quick { 1 } else { args.runs };
    let races = WORK.iter().map(|work| race(work, settings)).collect();
    let records = rounds("activations", runs, races)?;
    let mut rows = vec![row([
        "ns per turn or call",
        "where frames are",
        "interp",
        "to the best",
        "jit",
        "to the best",
    ])];
    for (work, new) in WORK.iter().zip(records.chunks(2 * LAYOUTS.len())) {
        let units = (work.units)(size(work, settings)) as f64;
        let times = |kind: usize| {
            SYSTEMS.map(|systems| least(new, systems[kind]).map_or(f64::NAN, |s| s * 1e9 / units))
        };
        let times = [times(0), times(1)];
        for (n, layout) in LAYOUTS.iter().enumerate() {
            let name = format!("{}: {}", work.program, work.about);
            let mut cells = vec![name, layout.name.to_string()];
            for all in &times {
                let best = all.iter().copied().fold(f64::INFINITY, f64::min);
                cells.push(format!("{:.2}", all[n]));
                cells.push(format!("{:.2}", all[n] / best));
            }
            rows.push(cells);
        }
    }
    println!("{}", align(&rows));
    println!("{}", align(&memory()?));
    Ok(records)
}

/// The table of what a call takes.
fn memory() -> Result<Vec<Vec<String>>, String> {
    let mut rows = vec![row([
        "bytes per call of 4 registers",
        "stack, interp",
        "stack, jit",
        "heap, interp",
        "heap, jit",
    ])];
    for layout in &LAYOUTS {
        let [interp, jit] = ["off", ""].map(|jit| per_call(layout, jit));
        let ([stack, heap], [stack_jit, heap_jit]) = (interp?, jit?);
        let cells = [stack, stack_jit, heap, heap_jit].map(|bytes| bytes.to_string());
        rows.push([vec![layout.name.to_string()], cells.to_vec()].concat());
    }
    Ok(rows)
}

fn size(work: &Work, settings: &Settings) -> i64 {
    if settings.quick { work.quick } else { work.n }
}

/// A program on all systems.
fn race(work: &'static Work, settings: &Settings) -> Race<'static> {
    let n = size(work, settings);
    let contestant = |layout: &'static Layout, system, jit: &'static str| -> Contestant {
        let share = if jit == "off" { work.share } else { 1 };
        single(system, move || {
            let run = measured(layout, work.program, n / share, jit)?;
            Ok(run.scaled(share as f64))
        })
    };
    let contestants = LAYOUTS.iter().zip(SYSTEMS).flat_map(|(layout, systems)| {
        [
            contestant(layout, systems[0], "off"),
            contestant(layout, systems[1], ""),
        ]
    });
    Race::new(work.program, n, contestants.collect())
}

/// A VM and the text of a program.
fn loaded(
    layout: &Layout,
    program: &str,
    depth: i32,
    jit: &str,
) -> Result<(Vm, Vec<Function>), String> {
    let options = Options::parse(jit).map_err(|error| error.to_string())?;
    let vm = layout.machine(options).map_err(|error| error.to_string())?;
    let found = PROGRAMS.iter().find(|known| known.name == program);
    Ok((vm, found.ok_or("no such program")?.text(depth)))
}

/// A run in a VM of its own, compilation included.
fn measured(layout: &Layout, program: &str, n: i64, jit: &str) -> Result<Run, String> {
    let (vm, text) = loaded(layout, program, DEPTH, jit)?;
    timed(|| layout.run(&vm, &text, MAX_DEPTH, |_, x| x + 1, n))
}

thread_local! {
    /// Where the native function was called last.
    static PLACE: Cell<usize> = const { Cell::new(0) };
}

/// How many bytes of the native stack a call takes that is within others, and of the heap: the
/// stack from where the native function is called at the bottom of two recursions, the heap from
/// what a turn more allocates, when everything is compiled that will be.
fn per_call(layout: &Layout, jit: &str) -> Result<[u64; 2], String> {
    let here = |_: &dyn Fn(usize) -> Option<i64>, value: i64| {
        PLACE.set(std::ptr::from_ref(&value).addr());
        value
    };
    let mut found = [[0; 2]; 2];
    for (found, depth) in found.iter_mut().zip([DEPTH / 5, DEPTH]) {
        let (vm, text) = loaded(layout, "deep", depth, jit)?;
        let allocated = || {
            layout.run(&vm, &text, MAX_DEPTH, here, 20)?;
            Ok::<u64, String>(vm.stats().heap.allocated_bytes)
        };
        let (before, after) = (allocated()?, allocated()?);
        *found = [PLACE.get() as u64, (after - before) / 20];
    }
    let calls = (DEPTH - DEPTH / 5) as u64;
    Ok([0, 1].map(|which| found[0][which].abs_diff(found[1][which]) / calls))
}
