//! Random bridges that arrive in random loops. Optimised with the words that their jump passed when
//! they were recorded, they do the same as without, wherever they start.

use crate::bridges::{Recorded, bridge_from, main_loop};
use crate::generate::{ARRIVAL, machine};
use crate::model::Machine;
use crate::{DESCRS, Looking, NoObjects, Work};
use verdigris_opt::{GuardKnowledge, Optimised, Optimiser};
use verdigris_trace::{Opcode, parse_descrs, print, verify};

/// Compares the bridges of a seed.
///
/// # Panics
/// If they differ.
pub fn compare(seed: u64) -> Work {
    let descrs = parse_descrs(DESCRS).expect("the descriptors parse");
    let Some((mut optimiser, main)) = main_loop(&descrs, seed) else {
        return Work::default();
    };
    let mut work = Work::default();
    for run in 0..6 {
        let (mut start, inputs) = machine(&descrs, seed * 31 + run);
        let Some(exit) = start.run(&descrs, &[&main.trace], &inputs) else {
            continue;
        };
        let Some(bridge) = bridge_from(&descrs, &main, &exit, seed) else {
            continue;
        };
        let arrived = arrive(seed, &mut optimiser, &main, &bridge, &start);
        work.compared += u64::from(arrived);
        work.count(&start);
    }
    work
}

/// A bridge that is optimised with the words that it passed when it was recorded, here in `start`,
/// must do what it does without, also when it starts elsewhere and fails at a guard in front of its
/// jump.
fn arrive(
    seed: u64,
    optimiser: &mut Optimiser,
    main: &Optimised,
    recorded: &Recorded,
    start: &Machine,
) -> bool {
    let (guard, bridge) = (recorded.guard, &recorded.trace);
    let descrs = parse_descrs(DESCRS).expect("the descriptors parse");
    let mut recording = start.clone();
    let Some(end) = recording.run(&descrs, &[bridge], &recorded.words) else {
        return false;
    };
    if bridge.ops().at(end.at).opcode() != Opcode::Jump {
        return false;
    }
    let passed = recording.passed(bridge, &end);
    let mut host = Looking(&descrs, recording);
    let (facts, none) = (
        &main.guard_knowledge[guard.as_u32() as usize],
        GuardKnowledge::default(),
    );
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
        let left = main.trace.ops().at(exit.at);
        if left.exit_id() != Some(guard) {
            continue;
        }
        let fail_args = left.fail_args();
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
        let x = a.state(&descrs, &plain, &x);
        let Some(y) = b.typed_state(&descrs, &arriving, &y) else {
            continue;
        };
        assert_eq!(x, y, "{}", shown());
        assert_eq!(a.log, b.log, "{}", shown());
        compared = true;
    }
    compared
}
