//! Heaps that are too small. A failed check panics with the limit and the setting.
//! Invariant: a program ends with its own result, or because its
//! heap is used up, with what it had printed until then; the machine runs on.

use crate::{Outcome, all_settings, for_each};
use std::sync::{Mutex, PoisonError};
use verdigris::Options;

/// Kilobytes: what a program has that needs no more.
const PLENTY: u64 = 64 << 10;
/// Kilobytes: the least that there can be.
const LEAST: u64 = 64;
/// Kilobytes in front of what a program needs: more than a block, so that it is stopped with a
/// block less, and at all distances from it.
const BEFORE: u64 = 36;
/// Kilobytes behind it. No program of the tests was seen to be stopped with more than 5 KB beyond
/// the least with which it was not.
const BEHIND: u64 = 8;

/// How programs are run at the limit, and how far the steps from one limit to the next are. What is
/// needed differs by more than a block from one way to another, since compiled code makes fewer
/// objects, so each is run around what it needs itself. How far a program gets changes with the
/// blocks that it is given, and a little in between: it is the fast ways that look at every few
/// kilobytes. Where every guard fails, a step of a few still stops programs at other guards each
/// time, and takes a fifth of the time. The steps are a third of these if `VERDIGRIS_TESTS=all` is
/// in the environment.
const WAYS: &[(&str, u64)] = &[
    ("off", 7),
    ("threshold=2,trace_eagerness=1", 4),
    ("threshold=2,trace_eagerness=1,enable_opts=none", 9),
    ("threshold=2,trace_eagerness=1,fail_guards=1", 13),
    ("threshold=3,trace_eagerness=2,backend=oracle", 13),
    (
        "threshold=2,trace_eagerness=1,backend=oracle,fail_guards=1",
        17,
    ),
    ("threshold=2,trace_eagerness=2,backend=layered", 23),
    ("threshold=2,trace_eagerness=1,stress=young", 17),
];

/// Whether a run ended because its heap was used up.
pub fn used_up(outcome: &Outcome) -> bool {
    (outcome.error.as_ref()).is_some_and(|error| error.contains("used up its heap"))
}

/// Runs the next program on a machine: if there is no room for it, a second time. Code of the
/// program before may keep objects alive, and a heap that is used up has it freed.
pub fn next(run: impl Fn() -> Outcome) -> Outcome {
    let outcome = run();
    match used_up(&outcome) {
        true => run(),
        false => outcome,
    }
}

/// Checks a guest with heaps around what it needs. It answers what came of the program, and of
/// another that ran on the same machine behind it ([`next`]), which needs little.
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
    // Kilobytes that are too few by less than a step, if there are any: looked for around what
    // another way needs, further and further away.
    let too_few = |jit: &str, step: u64, near: u64| {
        let is_too_few = |kilobytes: u64| used_up(&run(kilobytes, jit).0);
        let (mut few, mut enough, mut distance) = (near, near, 2 * step);
        if is_too_few(near) {
            enough = near + distance;
            while is_too_few(enough) {
                assert!(enough < PLENTY, "{enough} KB are too few, {jit}");
                distance *= 2;
                (few, enough) = (enough, enough + distance);
            }
        } else {
            few = near.saturating_sub(distance).max(LEAST);
            while few > LEAST && !is_too_few(few) {
                distance *= 2;
                (few, enough) = (few.saturating_sub(distance).max(LEAST), few);
            }
        }
        while few + step < enough {
            let middle = (few + enough) / 2;
            match is_too_few(middle) {
                true => few = middle,
                false => enough = middle,
            }
        }
        few
    };
    let few = too_few("off", 1, 4 * LEAST);
    assert!(few > LEAST, "the program needs no heap");
    let needs = Mutex::new(Vec::new());
    for_each(WAYS, |&(jit, step)| {
        // A collection at each allocation changes nothing of what is needed, and takes so long that
        // it is not tried out.
        let unstressed = jit.split(",stress").next().unwrap_or(jit);
        let step = if all_settings() {
            step.div_ceil(3)
        } else {
            step
        };
        let needed = (jit, step, too_few(unstressed, step, few));
        needs
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(needed);
    });
    let needs = needs.into_inner().unwrap_or_else(PoisonError::into_inner);
    let limits = |few: u64, step: u64| {
        (few.saturating_sub(BEFORE).max(LEAST)..few + BEHIND).step_by(step as usize)
    };
    let all = needs
        .iter()
        .flat_map(|&(jit, step, few)| limits(few, step).map(move |limit| (limit, jit)));
    let all: Vec<(u64, &str)> = all.collect();
    for_each(&all, |&(limit, jit)| {
        let (found, next) = run(limit, jit);
        let at = format!("{limit} KB, {jit}");
        match used_up(&found) {
            true => assert!(right.0.output.starts_with(&found.output), "{at}: {found}"),
            false => assert_eq!(found, right.0, "{at}"),
        }
        // In stress mode freed memory is not used again at once, so the heap is larger than what
        // lives in it.
        if !(jit.contains("stress") && used_up(&next)) {
            assert_eq!(next, right.1, "{at}: the next program");
        }
    });
}
