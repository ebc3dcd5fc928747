//! Heaps that are too small. In: a guest. Out: nothing, or a panic that says under which limit and setting it did something else. Invariant: a
//! program ends with its own result, or because its heap is used up, with what it had printed until then; the machine runs on.

use crate::{Outcome, for_each};
use verdigris::Options;

/// Kilobytes: what a program has that needs no more.
const PLENTY: u64 = 64 << 10;
/// Kilobytes: the least that there can be.
const LEAST: u64 = 64;
/// Kilobytes around what a program needs without the JIT, in steps of one: more than a block in each direction would change nothing.
const BEFORE: u64 = 36;
const BEHIND: u64 = 36;

/// How programs are run at the limit, and how far the steps from one limit to the next are.
const WAYS: &[(&str, u64)] = &[
    ("off", 1),
    ("threshold=2,trace_eagerness=1", 1),
    ("threshold=2,trace_eagerness=1,enable_opts=none", 3),
    ("threshold=2,trace_eagerness=1,fail_guards=1", 3),
    ("threshold=3,trace_eagerness=2,backend=oracle", 3),
    (
        "threshold=2,trace_eagerness=1,backend=oracle,fail_guards=1",
        5,
    ),
    ("threshold=2,trace_eagerness=1,stress=young", 25),
];

/// Whether a run ended because its heap was used up.
pub fn used_up(outcome: &Outcome) -> bool {
    (outcome.error.as_ref()).is_some_and(|error| error.contains("used up its heap"))
}

/// Runs the next program on a machine: if there is no room for it, a second time. Code of the program before may keep objects alive, and a heap that
/// is used up has it freed.
pub fn next(run: impl Fn() -> Outcome) -> Outcome {
    let outcome = run();
    match used_up(&outcome) {
        true => run(),
        false => outcome,
    }
}

/// Checks a guest with heaps around what it needs. It answers what came of the program, and of another that ran on the same machine behind it ([`next`]), which needs little.
///
/// # Panics
/// If one of them does something else at some limit.
pub fn agree_at_the_limit(guest: impl Fn(Options) -> (Outcome, Outcome) + Sync) {
    let run = |kilobytes: u64, jit: &str| {
        let params = format!("heap_limit={kilobytes}k,{jit}");
        let options = Options::parse(&params).unwrap_or_else(|error| panic!("{params}: {error}"));
        guest(options)
    };
    let right = run(PLENTY, "off");
    assert!(!used_up(&right.0), "{PLENTY} KB are not plenty");
    let (mut few, mut enough) = (LEAST, PLENTY);
    while few + 1 < enough {
        let middle = (few + enough) / 2;
        match used_up(&run(middle, "off").0) {
            true => few = middle,
            false => enough = middle,
        }
    }
    assert!(few > LEAST, "the program needs no heap");
    let limits =
        |step: u64| (few.saturating_sub(BEFORE).max(LEAST)..few + BEHIND).step_by(step as usize);
    let all = WAYS
        .iter()
        .flat_map(|&(jit, step)| limits(step).map(move |limit| (limit, jit)));
    let all: Vec<(u64, &str)> = all.collect();
    for_each(&all, |&(limit, jit)| {
        let (found, next) = run(limit, jit);
        let at = format!("{limit} KB, {jit}");
        match used_up(&found) {
            true => assert!(right.0.output.starts_with(&found.output), "{at}: {found}"),
            false => assert_eq!(found, right.0, "{at}"),
        }
        // In stress mode freed memory is not used again at once, so the heap is larger than what lives in it.
        if !(jit.contains("stress") && used_up(&next)) {
            assert_eq!(next, right.1, "{at}: the next program");
        }
    });
}
