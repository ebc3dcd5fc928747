//! How the functions are run. In: a function, pairs of numbers, a VM. Out: what each pair gives, by
//! rustc's code or by way of the JIT. Invariant: a panic is an outcome of its pair, and the pairs
//! behind it are run too.

use crate::{Batch, drive, run};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use verdigris::prelude::*;

/// What a pair gives.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// The function returned this.
    Value(i64),
    /// It panicked with this message.
    Panic(String),
}

/// Numbers at which something changes in most functions.
const EDGES: [i64; 23] = [
    0,
    1,
    2,
    3,
    4,
    5,
    6,
    7,
    8,
    9,
    12,
    33,
    64,
    100,
    1001,
    -1,
    -2,
    -3,
    -5,
    -100,
    0x1234_5678_9ABC,
    i64::MAX,
    i64::MIN,
];

/// Pairs: each edge with two others, a few pairs more than once, and `random` numbers without a
/// pattern.
pub fn some_inputs(random: usize) -> Vec<(i64, i64)> {
    let count = EDGES.len();
    let edges = (0..count).flat_map(|n| {
        let with = |other: usize| (EDGES[n], EDGES[(n * 7 + other) % count]);
        [with(3), with(14)]
    });
    edges.chain(random_inputs(random)).collect()
}

fn random_inputs(count: usize) -> impl Iterator<Item = (i64, i64)> {
    let mut seed = 0x9E37_79B9_7F4A_7C15_u64;
    let mut next = move || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed as i64) >> (seed % 60)
    };
    (0..count).map(move |_| (next(), next()))
}

/// What rustc's code gives.
pub fn native(vm: &Vm, area: usize, case: usize, inputs: &[(i64, i64)]) -> Vec<Outcome> {
    let one = |&(a, b): &(i64, i64)| {
        let call = || vm.enter(|| run(area as i64, case as i64, a, b));
        let result = catch_unwind(AssertUnwindSafe(call));
        result.map_or_else(|payload| Outcome::Panic(message(&*payload)), Outcome::Value)
    };
    inputs.iter().map(one).collect()
}

/// What the JIT's loop around the function gives.
pub fn driven(vm: &Vm, area: usize, case: usize, inputs: &[(i64, i64)]) -> Vec<Outcome> {
    let batch = vm.enter(|| Root::new(batch(inputs)));
    let mut panics = Vec::new();
    loop {
        let turn = || vm.enter(|| drive(batch.get(), area as i64, case as i64));
        match catch_unwind(AssertUnwindSafe(turn)) {
            Ok(()) => break,
            Err(payload) => vm.enter(|| {
                // The loop goes on behind the pair that panicked.
                let done = batch.get().done.get();
                panics.push((done, message(&*payload)));
                batch.get().done.set(done + 1);
            }),
        }
    }
    let results = vm.enter(|| {
        let results = batch.get().results;
        let values = results.as_slice().iter().map(|cell| cell.get());
        values.collect::<Vec<i64>>()
    });
    let mut outcomes: Vec<Outcome> = results.into_iter().map(Outcome::Value).collect();
    for (at, text) in panics {
        outcomes[at] = Outcome::Panic(text);
    }
    outcomes
}

/// Puts a few pairs that do not panic first: the loop is traced with them.
pub fn returning_first(inputs: &mut Vec<(i64, i64)>, outcomes: &mut Vec<Outcome>) {
    let mut pairs: Vec<_> = inputs.drain(..).zip(outcomes.drain(..)).collect();
    let mut left = 5;
    pairs.sort_by_cached_key(|(_, outcome)| {
        let first = left > 0 && matches!(outcome, Outcome::Value(_));
        left -= i32::from(first);
        !first
    });
    for (input, outcome) in pairs {
        inputs.push(input);
        outcomes.push(outcome);
    }
}

fn batch(inputs: &[(i64, i64)]) -> Gc<Batch> {
    let (first, second): (Vec<i64>, Vec<i64>) = inputs.iter().copied().unzip();
    Gc::new(Batch {
        first: GcArray::from_slice(&first),
        second: GcArray::from_slice(&second),
        results: GcArray::new(inputs.len(), 0),
        done: Cell::new(0),
    })
}

fn message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|s| (*s).to_string());
    text.or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a payload that is no text".to_string())
}
