//! Random bridges that arrive in random loops. In: a seed. Out: how much was compared. Invariant: with the words that their jump
//! passed when they were recorded, they do what they do without, wherever they start.

use crate::generate::{ARRIVAL, machine, random_bridge, random_loop};
use crate::model::Machine;
use crate::{DESCRS, Looking, NoObjects, Work};
use verdigris_ops::Ty;
use verdigris_opt::{GuardFacts, Optimised, Optimiser, Passes};
use verdigris_trace::{Opcode, Trace, parse, parse_descrs, print, verify};

/// Compares the bridges of a seed.
///
/// # Panics
/// If they differ.
pub fn compare(seed: u64) -> Work {
    let descrs = parse_descrs(DESCRS).expect("the descriptors parse");
    let recorded = parse(&descrs, &random_loop(seed)).expect("parses");
    // Without strengthening, so that a guard fails at the same place in the loop's entry and in its body.
    let mut optimiser = Optimiser::new(Passes::parse("all-strengthen").expect("known passes"));
    let Ok(main) = optimiser.optimise_loop(&recorded, None, &descrs, &mut NoObjects) else {
        return Work::default();
    };
    let mut work = Work::default();
    for run in 0..6 {
        let (mut start, inputs) = machine(&descrs, seed * 31 + run);
        let Some(exit) = start.run(&descrs, &[&main.trace], &inputs) else {
            continue;
        };
        let guard = &main.trace.ops[exit.at];
        let types = guard.fail_args().iter().map(|&v| main.trace.types[v]);
        let types: Vec<Ty> = types.collect();
        if !types.contains(&Ty::Int) || !types.contains(&Ty::Ref) {
            continue;
        }
        let before = main.trace.ops[..exit.at].iter();
        let number = before.filter(|op| op.opcode.is_guard()).count();
        let label = main.entry.expect("a loop has an entry").as_u32();
        let text = random_bridge(seed, &types, label);
        let bridge = parse(&descrs, &text).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
        let words: Vec<u64> = guard.fail_args().iter().map(|v| exit.values[v]).collect();
        let arrived = arrive(seed, &mut optimiser, &main, number, &bridge, &start, &words);
        work.compared += u64::from(arrived);
        work.count(&start);
    }
    work
}

/// A bridge that is optimised with the words that it passed when it was recorded, here in `start` with `words`, must do
/// what it does without, also when it starts elsewhere and fails at a guard in front of its jump.
fn arrive(
    seed: u64,
    optimiser: &mut Optimiser,
    main: &Optimised,
    guard: usize,
    bridge: &Trace,
    start: &Machine,
    words: &[u64],
) -> bool {
    let descrs = parse_descrs(DESCRS).expect("the descriptors parse");
    let mut recording = start.clone();
    let Some(end) = recording.run(&descrs, &[bridge], words) else {
        return false;
    };
    if bridge.ops[end.at].opcode != Opcode::Jump {
        return false;
    }
    let passed = recording.passed(bridge, &end);
    let mut host = Looking(&descrs, recording);
    let (facts, none) = (&main.guard_facts[guard], GuardFacts::default());
    let (Ok(plain), Ok(arriving)) = (
        optimiser.optimise_bridge(bridge, &none, None, &descrs, &mut NoObjects),
        optimiser.optimise_bridge(bridge, facts, Some(&passed), &descrs, &mut host),
    ) else {
        return false;
    };
    verify(&descrs, &arriving.trace).unwrap_or_else(|e| panic!("{e:?}\nseed {seed}"));
    let mut compared = false;
    for run in 0..6 {
        let (mut a, inputs) = machine(&descrs, seed * 31 + run);
        let Some(exit) = a.run(&descrs, &[&main.trace], &inputs) else {
            continue;
        };
        let before = &main.trace.ops[..exit.at];
        if before.iter().filter(|op| op.opcode.is_guard()).count() != guard {
            continue;
        }
        let fail_args = main.trace.ops[exit.at].fail_args();
        let words: Vec<u64> = fail_args.iter().map(|v| exit.values[v]).collect();
        let mut b = a.clone();
        let plain = [&plain.trace, &main.trace];
        let mut arriving = vec![&arriving.trace, &main.trace];
        let (Some(x), Some(mut y)) = (
            a.run(&descrs, &plain, &words),
            b.run(&descrs, &arriving, &words),
        ) else {
            continue;
        };
        if y.trace == 0
            && let Some(reds) = b.registers(&descrs, arriving[0], &y, ARRIVAL)
        {
            // A guard in front of the jump: the interpreter goes on at the loop's merge point.
            arriving.remove(0);
            match b.run(&descrs, &arriving, &reds) {
                Some(exit) => y = exit,
                None => continue,
            }
        }
        let shown = || {
            format!(
                "seed {seed} run {run}\n{}\n{}\n{}",
                print(&descrs, bridge),
                print(&descrs, arriving[0]),
                print(&descrs, &main.trace)
            )
        };
        let (x, y) = (
            a.state(&descrs, &plain, &x),
            b.state(&descrs, &arriving, &y),
        );
        assert_eq!(x, y, "{}", shown());
        assert_eq!(a.log, b.log, "{}", shown());
        compared = true;
    }
    compared
}
