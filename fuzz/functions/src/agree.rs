//! Whether functions mean the same with the JIT. In: functions of the batch, parameters. Out: counts, and the differences.
//! Invariant: each function runs in loops that are hot enough to be compiled.

use crate::harness::{Outcome, driven, native, returning_first, some_inputs};
use crate::jit_program;
use std::fmt;
use verdigris::{Options, Vm};

/// The parameters that a batch runs under if nobody says otherwise.
pub const MODES: &[&str] = &[
    "threshold=2,trace_eagerness=3",
    "threshold=2,trace_eagerness=2,backend=oracle",
    "threshold=2,fail_guards=1",
    "threshold=2,trace_eagerness=4,enable_opts=none",
    "threshold=3,trace_eagerness=1,retrace_limit=1,enable_opts=all-virtuals",
];

/// A pair for which a function gives something else.
pub struct Difference {
    /// The function.
    pub case: usize,
    /// The parameters of the JIT.
    pub jit: String,
    /// The pair.
    pub pair: (i64, i64),
    /// What rustc's code gives.
    pub expected: Outcome,
    /// What the JIT gives.
    pub found: Outcome,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Difference {
            case,
            jit,
            pair,
            expected,
            found,
        } = self;
        write!(
            f,
            "difference in f{case}{pair:?} under `{jit}`: {found:?}, not {expected:?}"
        )
    }
}

/// What has run.
#[derive(Default)]
pub struct Report {
    /// Runs of functions.
    pub runs: usize,
    /// Runs that ended in a panic.
    pub panics: usize,
    /// Loops that were compiled.
    pub loops: u64,
    /// Bridges.
    pub bridges: u64,
    /// Guards that failed.
    pub guard_failures: u64,
    /// Functions with parameters under which they were not compiled.
    pub not_compiled: Vec<(usize, String)>,
    /// What went wrong.
    pub differences: Vec<Difference>,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} runs, {} panics, {} loops, {} bridges, {} guard failures, {} not compiled, {} differences",
            self.runs,
            self.panics,
            self.loops,
            self.bridges,
            self.guard_failures,
            self.not_compiled.len(),
            self.differences.len()
        )
    }
}

/// Runs a function under these parameters, with the usual pairs and so many without a pattern.
///
/// # Errors
/// If the parameters make no sense.
pub fn run(case: usize, jit: &str, random: usize, report: &mut Report) -> Result<(), String> {
    let options = |text: &str| Options::parse(text).map_err(|error| format!("{text}: {error}"));
    let machine = |options| Vm::new(jit_program(), options).map_err(|error| error.to_string());
    let plain = machine(options("off")?)?;
    let vm = machine(options(jit)?)?;
    let mut inputs = some_inputs(random);
    let mut expected = native(&plain, 0, case, &inputs);
    returning_first(&mut inputs, &mut expected);
    let found = driven(&vm, 0, case, &inputs);
    let stats = vm.stats();
    report.runs += inputs.len();
    report.panics += expected
        .iter()
        .filter(|o| matches!(o, Outcome::Panic(_)))
        .count();
    report.loops += stats.loops;
    report.bridges += stats.bridges;
    report.guard_failures += stats.guard_failures.total;
    // A function that always panics never comes to the end of the loop.
    let returns = expected
        .iter()
        .filter(|o| matches!(o, Outcome::Value(_)))
        .count();
    if returns > 10 && (stats.loops == 0 || stats.entries == 0) {
        report
            .not_compiled
            .push((case, format!("{jit}: {:?}", stats.aborts)));
    }
    for ((pair, expected), found) in inputs.into_iter().zip(expected).zip(found) {
        if expected != found {
            let jit = jit.to_string();
            report.differences.push(Difference {
                case,
                jit,
                pair,
                expected,
                found,
            });
        }
    }
    Ok(())
}
