//! What code for a host costs that compiles it once more. In: programs in TLC, those of the tables
//! of the 2009 paper first. Out: seconds of the interpreter, of our own machine code, of the
//! layered backend with the host that interprets, and of CIL by Mono, cold (the first run in a VM,
//! compilation included) and warm (the second); and for CIL, what an operation takes to become
//! instructions, to become part of a method, and to be compiled by Mono. Invariant: runs are
//! interleaved; Mono compiles in a thread of its own, whose processor time counts as the VM's.

use crate::guests::languages::assemble;
use crate::measure::interleave::{Contestant, Race, Run, rounds, single, timed};
use crate::measure::record::Record;
use crate::measure::statistics::median;
use crate::measure::text::{align, ratio, row, seconds};
use crate::settings::Settings;
use std::cell::RefCell;
use std::time::Duration;
use tlc::image::Image;
use tlc::machine::{Loaded, MAX_DEPTH, Machine};
use verdigris::{BackendKind, Options};
use verdigris_cil::{Times, times};

macro_rules! program {
    ($name:literal, $n:literal) => {
        (
            $name,
            include_str!(concat!("../../../languages/tlc/programs/", $name, ".tlc")),
            $n,
        )
    };
}

/// Programs, with arguments that take the interpreter seconds.
const PROGRAMS: &[(&str, &str, i64)] = &[
    program!("factorial", 10_000_000),
    program!("fibonacci", 10_000_000),
    program!("accumulator", 10_000_000),
    program!("abs_loop", 2_000_000),
    program!("objects", 1_000_000),
    program!("lists", 1_000_000),
    program!("linked_queue", 1_000_000),
    program!("nested_loops", 2_000),
    program!("collatz", 50_000),
    program!("mandelbrot", 300),
];

/// How much less a host does that interprets.
const LESS: i64 = 50;

/// The columns.
const SYSTEMS: [&str; 7] = [
    "interp",
    "native-cold",
    "native-warm",
    "layered-warm",
    "cil-cold",
    "cil-warm",
    "cil-compiling",
];

/// The arguments of `layered`.
#[derive(clap::Args)]
pub struct LayeredArgs {
    /// How often each is run; the median counts.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// Only this program.
    #[arg(long, value_name = "NAME")]
    only: Option<String>,
    /// Parameters of the JIT.
    #[arg(long, default_value = "")]
    jit: String,
}

/// What making methods took in each run of a program.
type Costs = RefCell<Vec<Times>>;

/// Measures and prints the tables.
///
/// # Errors
/// If a program fails, or its results differ.
pub fn run(args: &LayeredArgs, settings: &Settings) -> Result<Vec<Record>, String> {
    let mono = BackendKind::parse("cil");
    let mono = mono.and_then(|kind| kind.create().map_err(|error| error.0));
    if let Err(error) = &mono {
        println!("{error}\n");
    }
    let has_mono = mono.is_ok();
    let wanted = |name: &str| args.only.as_ref().is_none_or(|only| only == name);
    let chosen = PROGRAMS.iter().filter(|program| wanted(program.0));
    let (count, runs, shrink) = match settings.quick {
        true => (3, 1, 1000),
        false => (PROGRAMS.len(), args.runs, 1),
    };
    let mut programs = Vec::new();
    for &(name, source, n) in chosen.take(count) {
        programs.push((name, assemble(name, source)?, n / shrink, Costs::default()));
    }
    let races = programs.iter().map(|(name, image, n, costs)| {
        let list = contestants(image, *n, &args.jit, has_mono.then_some(costs));
        Race::new(name, *n, list)
    });
    let records = rounds("layered", runs, races.collect())?;
    println!("{}", table(&records));
    if has_mono {
        println!("{}", cost_table(&programs));
    }
    Ok(records)
}

fn contestants<'a>(
    image: &'a Image,
    n: i64,
    jit: &'a str,
    costs: Option<&'a Costs>,
) -> Vec<Contestant<'a>> {
    let mut list = vec![
        single("interp", move || {
            let machine = machine("off")?;
            machine.enter(image, |program| run_timed(program, n))?
        }),
        Box::new(move || twice(image, n, jit, ["native-cold", "native-warm"])) as Contestant,
        Box::new(move || {
            let less = n / LESS;
            let runs = twice(
                image,
                less,
                &with("layered", jit),
                ["layered-cold", "layered-warm"],
            )?;
            let scaled = runs.into_iter().skip(1);
            Ok(scaled
                .map(|(name, run)| (name, run.scaled(LESS as f64)))
                .collect())
        }),
    ];
    if let Some(costs) = costs {
        list.push(Box::new(move || by_mono(image, n, jit, costs)));
    }
    list
}

fn with(backend: &str, jit: &str) -> String {
    [&format!("backend={backend}"), jit].join(",")
}

fn machine(jit: &str) -> Result<Machine, String> {
    let options = Options::parse(jit.trim_end_matches(','));
    Machine::new(options.map_err(|error| error.to_string())?, MAX_DEPTH)
}

fn run_timed(program: &Loaded, n: i64) -> Result<Run, String> {
    timed(|| program.run_to_int(&[n]))
}

/// The first and the second run in a VM.
fn twice(
    image: &Image,
    n: i64,
    jit: &str,
    [cold, warm]: [&'static str; 2],
) -> Result<Vec<(&'static str, Run)>, String> {
    let machine = machine(jit)?;
    machine.enter(image, |program| {
        let first = run_timed(program, n)?;
        Ok(vec![(cold, first), (warm, run_timed(program, n)?)])
    })?
}

/// The same by Mono, with what its thread has used, also apart.
fn by_mono(
    image: &Image,
    n: i64,
    jit: &str,
    costs: &Costs,
) -> Result<Vec<(&'static str, Run)>, String> {
    let before = times();
    let mut runs = twice(image, n, &with("cil", jit), ["cil-cold", "cil-warm"])?;
    let used = since(before);
    costs.borrow_mut().push(used);
    let compiling = used.emission + used.compilation;
    runs[0].1.seconds += compiling.as_secs_f64();
    let compiling = Run {
        seconds: (compiling + used.lowering).as_secs_f64(),
        result: None,
        max_rss: None,
    };
    runs.push(("cil-compiling", compiling));
    Ok(runs)
}

fn since(before: Times) -> Times {
    let now = times();
    Times {
        methods: now.methods - before.methods,
        operations: now.operations - before.operations,
        lowering: now.lowering - before.lowering,
        emission: now.emission - before.emission,
        compilation: now.compilation - before.compilation,
    }
}

/// Seconds of each program, and how many times as fast Mono's code is as the interpreter, and our
/// own machine code as Mono's.
fn table(records: &[Record]) -> String {
    let mut rows = vec![row(["program", "n"])];
    rows[0].extend(SYSTEMS.map(str::to_string));
    rows[0].extend(["interp/cil", "cil/native"].map(str::to_string));
    let mut names: Vec<(&str, i64)> = records.iter().map(|r| (&r.benchmark[..], r.n)).collect();
    names.dedup();
    for (name, n) in names {
        let find = |system: &str| {
            let this = |r: &&Record| r.benchmark == name && r.system == system;
            records.iter().find(this).map(|record| record.seconds)
        };
        let mut cells = vec![name.to_string(), n.to_string()];
        cells.extend(SYSTEMS.map(|system| find(system).map_or("-".to_string(), seconds)));
        cells.push(ratio(find("interp"), find("cil-warm")));
        cells.push(ratio(find("cil-warm"), find("native-warm")));
        rows.push(cells);
    }
    align(&rows)
}

/// Microseconds per operation.
fn cost_table(programs: &[(&str, Image, i64, Costs)]) -> String {
    let mut rows = vec![row([
        "program",
        "methods",
        "operations",
        "instructions us/op",
        "emission us/op",
        "Mono us/op",
    ])];
    for (name, _, _, costs) in programs {
        let costs = costs.borrow();
        let Some(first) = costs.first() else {
            continue;
        };
        let per_operation = |part: fn(&Times) -> Duration| {
            let of_run = |times: &Times| part(times).as_secs_f64() * 1e6 / times.operations as f64;
            let all: Vec<f64> = costs.iter().map(of_run).collect();
            format!("{:.2}", median(&all))
        };
        rows.push(vec![
            name.to_string(),
            first.methods.to_string(),
            first.operations.to_string(),
            per_operation(|times| times.lowering),
            per_operation(|times| times.emission),
            per_operation(|times| times.compilation),
        ]);
    }
    align(&rows)
}
