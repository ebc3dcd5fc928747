//! Random loops that keep virtualizable places across calls which read them. A callee that takes
//! what the code keeps finds what the recorded trace has written, and the loop goes on with that.

use crate::frames::{frames_machine, random_frames};
use crate::model::resume_point;
use crate::{DESCRS, NoObjects, Work, recorded};
use verdigris_opt::{Optimiser, Passes};
use verdigris_trace::{print, verify};

/// The classes of the random loops, some of whose places are virtualizable.
fn descrs() -> String {
    DESCRS
        .replace("first: ref,", "first: ref virtualizable,")
        .replace(
            "next: ref, value: int",
            "next: ref, value: int virtualizable",
        )
        .replace("array Stack { ref }", "array Stack { ref virtualizable }")
        .replace("array Links { int }", "array Links { int virtualizable }")
        .replace(
            "array Links#1 { ref }",
            "array Links#1 { ref virtualizable }",
        )
}

/// The same loop with a `reclaim` in front of each access to a virtualizable place.
fn with_reclaims(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let accesses = ["etfield_r(", "etfield_i(", "etitem_r(", "etitem_i("];
        let places = ["Pair.first", "Node.value", "Stack", "Links", "Links#1"];
        let virtualizable = places.iter().any(|place| line.ends_with(place));
        if let Some(access) = accesses.iter().find(|a| line.contains(**a))
            && virtualizable
        {
            let (_, rest) = line.split_once(access).expect("it is there");
            let object = rest.split([',', ')']).next().expect("a first piece");
            out += &format!("reclaim({object})\n");
        }
        out += line;
        out.push('\n');
    }
    out
}

/// Optimises the random loop of a seed; in each of several runs, the values that the
/// code keeps are taken at another call.
///
/// # Panics
/// If they differ.
pub fn compare(seed: u64, passes: Passes) -> Work {
    compare_text(&random_frames(seed), seed, passes)
}

/// As [`compare`], for the text of a recorded loop with the inputs of [`random_frames`], into which
/// each `reclaim` that it needs is put; the seed gives heaps and inputs.
///
/// # Panics
/// If they differ, or the trace is not one.
pub fn compare_text(text: &str, seed: u64, passes: Passes) -> Work {
    let text = with_reclaims(text);
    let (descrs, trace) = recorded(&descrs(), &text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let mut optimiser = Optimiser::new(passes);
    let Ok(done) = optimiser.optimise_loop(&trace, None, &descrs, &mut NoObjects) else {
        return Work::default();
    };
    let shown = || format!("seed {seed}\n{text}\n{}", print(&descrs, &done.trace));
    verify(&descrs, &done.trace).unwrap_or_else(|e| panic!("{e:?}\n{}", shown()));
    let mut work = Work::default();
    for run in 0..RUNS {
        let (mut start, inputs) = frames_machine(&descrs, seed * 31 + run);
        start.until_taken = Some(1 + run as u32);
        let (mut a, mut b) = (start.clone(), start);
        let before = a.run(&descrs, &[&trace], &inputs);
        let after = b.run(&descrs, &[&done.trace], &inputs);
        work.count(&a);
        work.count(&b);
        if let (Some(before), Some(after)) = (before, after) {
            if resume_point(&trace, before.at) != resume_point(&done.trace, after.at) {
                // A guard has failed at the place of an earlier one.
                assert!(passes.strengthen, "inputs {inputs:?}\n{}", shown());
                continue;
            }
            work.compared += 1;
            work.taken += u64::from(after.made.is_some());
            let before = a.state(&descrs, &[&trace], &before);
            let after = b.state(&descrs, &[&done.trace], &after);
            assert_eq!(before, after, "inputs {inputs:?}\n{}", shown());
            assert_eq!(a.log, b.log, "inputs {inputs:?}\n{}", shown());
        }
    }
    work
}

/// How many heaps and inputs a trace is run with.
const RUNS: u64 = 6;

/// Runs a recorded loop alone, with the heaps and inputs of [`compare_text`].
///
/// # Panics
/// If it does what no recording does, such as to load from null, or an item from what is no such
/// array.
pub fn run_recorded(text: &str, seed: u64) {
    let (descrs, trace) = recorded(&descrs(), text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    for run in 0..RUNS {
        let (mut start, inputs) = frames_machine(&descrs, seed * 31 + run);
        start.run(&descrs, &[&trace], &inputs);
        assert!(!start.mistyped, "arrays are of the classes of their items");
    }
}
