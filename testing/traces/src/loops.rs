//! Random loops over a small heap. Whatever passes run, the optimised loop leaves at the same
//! guard, with the same frames, the same heap, and the same history of calls as the recorded one.

use crate::generate::{machine, random_loop};
use crate::model::{Exit, Machine, resume_point};
use crate::{DESCRS, NoObjects, Work, recorded};
use verdigris_ops::Descrs;
use verdigris_opt::{MissedOptimisation, Optimiser, Passes, Remark};
use verdigris_trace::{RecordedTrace, print, verify};

/// How many heaps and inputs a trace is run with.
const RUNS: u64 = 6;

/// Compares the random loop of a seed.
///
/// # Panics
/// If they differ.
pub fn compare(seed: u64, passes: Passes) -> Work {
    compare_text(&random_loop(seed), seed, passes)
}

/// As [`compare`], for the text of a recorded loop with the inputs of [`random_loop`]; the seed
/// gives heaps and inputs.
///
/// # Panics
/// If they differ, or the trace is not one.
pub fn compare_text(text: &str, seed: u64, passes: Passes) -> Work {
    let (descrs, trace) = recorded(DESCRS, text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let mut optimiser = Optimiser::new(passes);
    // No recording contradicts itself.
    let Ok(done) = optimiser.optimise_loop(&trace, None, &descrs, &mut NoObjects) else {
        return Work::default();
    };
    let shown = || format!("seed {seed}\n{text}\n{}", print(&descrs, &done.trace));
    verify(&descrs, &done.trace).unwrap_or_else(|e| panic!("{e:?}\n{}", shown()));
    let unsettled = |remark: &Remark| remark.missed == MissedOptimisation::Unsettled;
    let mut work = Work {
        generic: u64::from(done.remarks.iter().any(unsettled)),
        ..Work::default()
    };
    for run in 0..RUNS {
        let (start, inputs) = machine(&descrs, seed * 31 + run);
        let (mut a, mut b) = (start.clone(), start.clone());
        let before = a.run(&descrs, &[&trace], &inputs);
        let after = b.run(&descrs, &[&done.trace], &inputs);
        work.count(&a);
        work.count(&b);
        if let (Some(mut before), Some(after)) = (before, after) {
            let left_at = resume_point(&done.trace, after.at);
            if passes.strengthen && left_at != resume_point(&trace, before.at) {
                // A guard may fail at an earlier guard's place: where the recorded trace went past
                // it for the last time.
                a = start.clone();
                before = last_pass(&descrs, &mut a, &trace, left_at, &inputs)
                    .unwrap_or_else(|| panic!("no guard there: inputs {inputs:?}\n{}", shown()));
            }
            let before = a.state(&descrs, &[&trace], &before);
            let after = b.state(&descrs, &[&done.trace], &after);
            assert_eq!(before, after, "inputs {inputs:?}\n{}", shown());
            assert_eq!(a.log, b.log, "inputs {inputs:?}\n{}", shown());
            work.compared += 1;
        }
    }
    work
}

/// Runs a recorded loop alone, with the heaps and inputs of [`compare_text`].
///
/// # Panics
/// If it does what no recording does, such as to load from null, or an item from what is no such
/// array.
pub fn run_recorded(text: &str, seed: u64) {
    let (descrs, trace) = recorded(DESCRS, text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    for run in 0..RUNS {
        let (mut start, inputs) = machine(&descrs, seed * 31 + run);
        start.run(&descrs, &[&trace], &inputs);
        assert!(!start.mistyped, "arrays are of the classes of their items");
    }
}

/// Runs the recorded trace up to the last time it passes the guard with this resume point before it
/// is left.
fn last_pass(
    descrs: &Descrs,
    start: &mut Machine,
    trace: &RecordedTrace,
    point: Option<(u32, u32)>,
    inputs: &[u64],
) -> Option<Exit> {
    let ops = trace.ops();
    let guard = |&at: &usize| ops.at(at).opcode().is_guard() && resume_point(trace, at) == point;
    let at = (0..ops.len()).find(guard)?;
    let mut counting = start.clone();
    counting.watch = Some((at, 0));
    counting.run(descrs, &[trace], inputs)?;
    if counting.watched == 0 {
        return None;
    }
    start.watch = Some((at, counting.watched));
    start.run(descrs, &[trace], inputs)
}
