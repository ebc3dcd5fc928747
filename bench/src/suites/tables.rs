//! Tables 1 and 2 of the 2009 paper. In: the three TLC programs. Out: seconds of the interpreter,
//! of the JIT cold (first run in a VM, compilation included) and warm (second run) with either
//! compiler, of the same program in Rust and in the other systems that are installed, with the
//! ratios that the paper prints. All seconds are processor time. Invariant: runs of the systems are
//! interleaved, and all systems that can hold the result agree on it.

use crate::guests::languages::assemble;
use crate::measure::interleave::{Contestant, Run, race, single, timed};
use crate::measure::record::Record;
use crate::measure::text::{align, ratio, row, seconds};
use crate::peers::{Peers, rust};
use crate::settings::Settings;
use tlc::image::Image;
use tlc::machine::{Loaded, MAX_DEPTH, Machine};
use verdigris::{Compiler, Options};

/// The programs.
pub const PROGRAMS: [(&str, &str); 3] = [
    (
        "factorial",
        include_str!("../../../languages/tlc/programs/factorial.tlc"),
    ),
    (
        "fibonacci",
        include_str!("../../../languages/tlc/programs/fibonacci.tlc"),
    ),
    (
        "accumulator",
        include_str!("../../../languages/tlc/programs/accumulator.tlc"),
    ),
];

/// The columns, in the order of the paper and then of speed of start-up.
const SYSTEMS: [&str; 13] = [
    "interp",
    "jit-cold",
    "jit-warm",
    "specialising-cold",
    "specialising-warm",
    "rust",
    "c",
    "csharp",
    "java",
    "luajit",
    "pypy",
    "node",
    "lua",
];

/// The names of the first and the second run in a VM with the tracer, and with the second compiler.
const TRACING: [&str; 2] = ["jit-cold", "jit-warm"];
const SPECIALISING: [&str; 2] = ["specialising-cold", "specialising-warm"];

/// The largest n for the interpreter.
const INTERP_MAX: i64 = 10_000_000;

/// The arguments of `tables`.
#[derive(clap::Args)]
pub struct TablesArgs {
    /// The values of n.
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "10,10000000,100000000,1000000000"
    )]
    n: Vec<i64>,
    /// How often each is run; the median counts.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// Parameters of the JIT.
    #[arg(long, default_value = "", value_parser = Options::parse)]
    jit: Options,
}

/// Measures and prints the tables.
///
/// # Errors
/// If a program fails, or systems disagree on a result.
pub fn run(args: &TablesArgs, settings: &Settings) -> Result<Vec<Record>, String> {
    let peers = Peers::find()?;
    let (ns, runs) = match settings.quick {
        true => (vec![10, 3000], 1),
        false => (args.n.clone(), args.runs),
    };
    let mut records = Vec::new();
    for (benchmark, source) in PROGRAMS {
        let image = assemble(benchmark, source)?;
        for &n in &ns {
            let mut contestants = ours(&image, benchmark, n, &args.jit);
            contestants.extend(peers.contestants(benchmark, n));
            records.extend(race("tables", benchmark, n, runs, contestants)?);
        }
        print!("{}", table(benchmark, &ns, &records));
    }
    Ok(records)
}

/// The interpreter, the JIT, and the same in Rust.
fn ours<'a>(
    image: &'a Image,
    benchmark: &'a str,
    n: i64,
    options: &'a Options,
) -> Vec<Contestant<'a>> {
    let mut list = vec![
        Box::new(move || jitted(image, n, options.clone(), TRACING)) as Contestant,
        Box::new(move || {
            let mut options = options.clone();
            let set = options.jit.set_compiler(Compiler::Specialising);
            set.map_err(|error| error.to_string())?;
            jitted(image, n, options, SPECIALISING)
        }),
        single("rust", move || timed(|| Ok(rust::run(benchmark, n)))),
    ];
    if n <= INTERP_MAX {
        list.insert(0, single("interp", move || interpreted(image, n)));
    }
    list
}

fn timed_tlc(program: &Loaded, n: i64) -> Result<Run, String> {
    timed(|| program.run_to_int(&[n]))
}

/// A run without the JIT.
fn interpreted(image: &Image, n: i64) -> Result<Run, String> {
    let off = Options::parse("off").map_err(|error| error.to_string())?;
    let machine = Machine::new(off, MAX_DEPTH)?;
    machine.enter(image, |program| timed_tlc(program, n))?
}

/// The first and the second run in a VM.
fn jitted(
    image: &Image,
    n: i64,
    options: Options,
    [cold, warm]: [&'static str; 2],
) -> Result<Vec<(&'static str, Run)>, String> {
    let machine = Machine::new(options, MAX_DEPTH)?;
    machine.enter(image, |program| {
        let first = timed_tlc(program, n)?;
        Ok(vec![(cold, first), (warm, timed_tlc(program, n)?)])
    })?
}

/// The table of one benchmark: a column for each n, as in the paper.
fn table(benchmark: &str, ns: &[i64], records: &[Record]) -> String {
    let find = |system: &str, n: i64| {
        let this = |r: &&Record| r.benchmark == benchmark && r.system == system && r.n == n;
        records.iter().find(this).map(|record| record.seconds)
    };
    let mut rows = vec![row([benchmark])];
    rows[0].extend(ns.iter().map(|n| format!("n={n}")));
    for system in SYSTEMS {
        if ns.iter().any(|&n| find(system, n).is_some()) {
            let cells = ns
                .iter()
                .map(|&n| find(system, n).map_or("-".to_string(), seconds));
            rows.push(std::iter::once(system.to_string()).chain(cells).collect());
        }
    }
    for (above, below) in [
        ("interp", "jit-warm"),
        ("interp", "specialising-warm"),
        ("specialising-cold", "jit-cold"),
        ("specialising-warm", "jit-warm"),
        ("jit-warm", "rust"),
        ("jit-warm", "c"),
        ("jit-warm", "csharp"),
    ] {
        let cells: Vec<String> = ns
            .iter()
            .map(|&n| ratio(find(above, n), find(below, n)))
            .collect();
        if cells.iter().any(|cell| cell != "-") {
            rows.push(
                std::iter::once(format!("{above}/{below}"))
                    .chain(cells)
                    .collect(),
            );
        }
    }
    format!("{}\n", align(&rows))
}
