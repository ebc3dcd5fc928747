//! The functions of `examples/values/src/cases.rs`: what rustc's code gives for them, the typed trees, the flow graphs and
//! the jitcode give too. In: pairs of integers. Out: one result per function and pair, four times.

use crate::world::{Outcome, World};
use crate::{code, graphs, native};
use verdigris_build::lower;
use verdigris_front::check_source;
use verdigris_macros::unroll_safe;

#[path = "../../../../examples/values/src/cases.rs"]
mod cases;

const CASES: &str = include_str!("../../../../examples/values/src/cases.rs");

/// A portal around the functions.
const ROOT: &str = "use verdigris::prelude::*;
mod cases;
#[portal]
fn run(n: i64, a: i64, b: i64) -> i64 {
    loop {
        merge_point!(greens = [n], reds = [a, b]);
        return cases::case(n, a, b);
    }
}
";

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

/// Pairs of edges, and of numbers without a pattern.
fn inputs() -> Vec<(i64, i64)> {
    let edges = EDGES
        .iter()
        .flat_map(|&a| EDGES.iter().map(move |&b| (a, b)));
    let mut seed = 0x9E37_79B9_7F4A_7C15_u64;
    let mut next = || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed as i64) >> (seed % 60)
    };
    let random: Vec<(i64, i64)> = (0..200).map(|_| (next(), next())).collect();
    edges.chain(random).collect()
}

#[test]
fn values_mean_the_same_in_all_forms() {
    let source = check_source(&[("src/main.rs", ROOT), ("src/cases.rs", CASES)]);
    let source = source.unwrap_or_else(|e| panic!("{e}"));
    let graphs = verdigris_graph::build(&source).unwrap_or_else(|e| panic!("{e:?}"));
    let unit = lower(&graphs);
    verdigris_jitcode::verify(&unit).unwrap_or_else(|e| panic!("{e}"));
    let text = verdigris_graph::print_program(&graphs);
    assert_eq!(verdigris_graph::parse(&text).expect("parses"), graphs);
    let text = verdigris_jitcode::print_unit(&unit);
    assert_eq!(verdigris_jitcode::parse(&text).expect("parses"), unit);

    let mut results = std::collections::BTreeSet::new();
    for n in 0..cases::COUNT {
        for (a, b) in inputs() {
            let want = cases::case(n, a, b);
            let args = [n, a, b].map(|x| x as u64);
            let tree = native::run(&source, &mut World::new(&source.descrs), &args);
            let graph = graphs::run(&graphs, &mut World::new(&graphs.descrs), &args);
            let code = code::run(&unit, &mut World::new(&unit.descrs), &args);
            for (form, got) in [("tree", tree), ("graph", graph), ("jitcode", code)] {
                let want = Outcome::Returned(want as u64);
                assert_eq!(got, want, "the {form} of function {n} on {a} and {b}");
            }
            results.insert((n, want));
        }
    }
    // The functions are worth comparing only as long as they tell their arguments apart.
    for n in 0..cases::COUNT {
        let different = results.iter().filter(|r| r.0 == n).count();
        assert!(different > 1, "function {n} always gives the same");
    }
}
