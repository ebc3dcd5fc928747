//! Every function of the suite means the same whatever the JIT does. In: the functions, pairs of
//! numbers. Out: a line of counts for each mode, or the first differences. Invariant: each function
//! has been compiled, and its code has run.

use conformance::harness::{driven, native, returning_first, some_inputs};
use conformance::{AREAS, jit_program};
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;
use verdigris::{Options, Vm};
use verdigris_testing::for_each;

/// Name, parameters, and how many pairs without a pattern are run beside the edges.
const MODES: &[(&str, &str, usize)] = &[
    ("machine code", "threshold=2,trace_eagerness=3", 20),
    ("oracle", "threshold=2,trace_eagerness=2,backend=oracle", 20),
    ("blackhole", "threshold=2,fail_guards=1", 10),
    // Everything is recorded then.
    (
        "no optimiser",
        "threshold=2,trace_eagerness=4,enable_opts=none,trace_limit=6000",
        10,
    ),
    (
        "layered, stress",
        "threshold=2,trace_eagerness=3,backend=layered,stress=sparse",
        8,
    ),
    (
        "CIL, stress",
        "threshold=2,trace_eagerness=4,backend=cil,stress=sparse",
        4,
    ),
];

/// Differences that are shown.
const SHOWN: usize = 20;

struct Run {
    differences: Vec<String>,
    pairs: usize,
    bridges: u64,
}

/// All functions in one mode.
fn run_mode(name: &str, params: &str, random: usize, only: &str) -> Run {
    let mut run = Run {
        differences: Vec::new(),
        pairs: 0,
        bridges: 0,
    };
    let plain = Vm::new(jit_program(), Options::parse("off").expect("parses")).expect("a VM");
    for (area, (area_name, cases)) in AREAS.iter().enumerate() {
        let options = Options::parse(params).expect("parses");
        let vm = Vm::new(jit_program(), options).expect("a VM");
        for (case, case_name) in cases.iter().enumerate() {
            let path = format!("{area_name}::{case_name}");
            if !path.contains(only) {
                continue;
            }
            let mut inputs = some_inputs(random);
            let mut want = native(&plain, area, case, &inputs);
            returning_first(&mut inputs, &mut want);
            let before = vm.stats();
            let got = driven(&vm, area, case, &inputs);
            let after = vm.stats();
            run.pairs += inputs.len();
            run.bridges += after.bridges - before.bridges;
            for ((pair, want), got) in inputs.iter().zip(&want).zip(&got) {
                if want != got {
                    let text = format!("{path}{pair:?}, {name}: {got:?}, not {want:?}");
                    run.differences.push(text);
                }
            }
            if after.loops == before.loops || after.entries == before.entries {
                let text = format!("{path}, {name}: is not compiled: {:?}", after.aborts);
                run.differences.push(text);
            }
            if want.iter().all(|w| *w == want[0]) {
                let text = format!("{path}: always gives {:?}, which shows nothing", want[0]);
                run.differences.push(text);
            }
        }
    }
    run
}

/// Whether what a mode needs is installed.
fn is_here(params: &str) -> bool {
    let options = Options::parse(params).expect("parses");
    let backend = options.jit.backend();
    let created = backend.create().map(drop);
    created
        .inspect_err(|error| println!("left out: {}", error.0))
        .is_ok()
}

/// `cargo test -p conformance --test agree -- TEXT` runs the functions whose path contains the
/// text.
fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let only = args.iter().find(|a| !a.starts_with('-')).map_or("", |a| a);
    let functions: usize = AREAS.iter().map(|(_, cases)| cases.len()).sum();
    println!(
        "\nconformance: {functions} functions in {} areas",
        AREAS.len()
    );
    std::panic::set_hook(Box::new(|_| {}));
    let all = Mutex::new(Vec::new());
    let modes: Vec<_> = MODES.iter().filter(|mode| is_here(mode.1)).collect();
    for_each(&modes, |(name, params, random)| {
        let start = Instant::now();
        let run = run_mode(name, params, *random, only);
        println!(
            "{name:>14}: {:6} runs, {:4} bridges, {} differences, {:.1} s",
            run.pairs,
            run.bridges,
            run.differences.len(),
            start.elapsed().as_secs_f64()
        );
        let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
        all.extend(run.differences);
    });
    let differences = all.into_inner().unwrap_or_else(PoisonError::into_inner);
    for text in differences.iter().take(SHOWN) {
        println!("{text}");
    }
    match differences.len() {
        0 => ExitCode::SUCCESS,
        count => {
            println!("{count} differences");
            ExitCode::FAILURE
        }
    }
}
