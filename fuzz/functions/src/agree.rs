//! Whether functions mean the same with the JIT. In: functions of the batch, parameters. Out:
//! counts, and the differences. Invariant: each function runs in loops that are hot enough to be
//! compiled.

use crate::harness::{Outcome, driven, native, returning_first, some_inputs};
use crate::jit_program;
use std::fmt;
use verdigris::{Options, Vm};

/// The parameters that a batch runs under by default.
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
    /// The result of rustc's code.
    pub expected: Outcome,
    /// The JIT's result.
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

/// Counts and differences of the runs.
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
    /// The error.
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

/// A function, and what rustc's code gives for each pair.
pub struct Expected {
    case: usize,
    inputs: Vec<(i64, i64)>,
    outcomes: Vec<Outcome>,
}

impl Expected {
    /// Runs rustc's code with the usual pairs and this many without a pattern.
    ///
    /// # Errors
    /// If there can be no VM.
    pub fn of(case: usize, random: usize) -> Result<Expected, String> {
        let mut inputs = some_inputs(random);
        let mut outcomes = native(&machine("off")?, 0, case, &inputs);
        returning_first(&mut inputs, &mut outcomes);
        Ok(Expected {
            case,
            inputs,
            outcomes,
        })
    }

    fn count(&self, is: impl Fn(&Outcome) -> bool) -> usize {
        self.outcomes.iter().filter(|outcome| is(outcome)).count()
    }
}

fn machine(jit: &str) -> Result<Vm, String> {
    let options = Options::parse(jit).map_err(|error| format!("{jit}: {error}"))?;
    Vm::new(jit_program(), options).map_err(|error| error.to_string())
}

/// Runs a function under these parameters.
///
/// # Errors
/// If the parameters make no sense.
pub fn run(expected: &Expected, jit: &str, report: &mut Report) -> Result<(), String> {
    let vm = machine(jit)?;
    let found = driven(&vm, 0, expected.case, &expected.inputs);
    let stats = vm.stats();
    report.runs += found.len();
    report.panics += expected.count(|outcome| matches!(outcome, Outcome::Panic(_)));
    report.loops += stats.loops;
    report.bridges += stats.bridges;
    report.guard_failures += stats.guard_failures.total;
    // A function that always panics never comes to the end of the loop.
    let returns = expected.count(|outcome| matches!(outcome, Outcome::Value(_)));
    if returns > 10 && (stats.loops == 0 || stats.entries == 0) {
        let why = format!("{jit}: {:?}", stats.aborts);
        report.not_compiled.push((expected.case, why));
    }
    for ((pair, right), found) in expected.inputs.iter().zip(&expected.outcomes).zip(found) {
        if *right != found {
            report.differences.push(Difference {
                case: expected.case,
                jit: jit.to_string(),
                pair: *pair,
                expected: right.clone(),
                found,
            });
        }
    }
    Ok(())
}
