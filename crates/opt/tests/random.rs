//! Random loops over a small heap: whatever passes run, the optimised loop leaves at the same guard, with the same
//! frames, the same heap, and the same history of calls as the recorded one.

mod common;

use common::NoObjects;
use common::generate::{machine, random_bridge, random_loop};
use common::model::{Exit, Machine, resume_point};
use verdigris_ops::{Descrs, Ty};
use verdigris_opt::{GuardFacts, Optimised, Optimiser, Passes};
use verdigris_trace::{Op, Trace, parse, parse_descrs, print, verify};

fn compare(seed: u64, passes: Passes) -> bool {
    let descrs = parse_descrs(common::DESCRS).expect("the descriptors parse");
    let text = random_loop(seed);
    let trace = parse(&descrs, &text).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
    verify(&descrs, &trace).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
    let mut optimiser = Optimiser::new(passes);
    // A random trace may contradict itself (no recording does): nothing to compare then.
    let Ok(done) = optimiser.optimise_loop(&trace, None, &descrs, &mut NoObjects) else {
        return false;
    };
    let shown = || format!("seed {seed}\n{text}\n{}", print(&descrs, &done.trace));
    verify(&descrs, &done.trace).unwrap_or_else(|e| panic!("{e:?}\n{}", shown()));
    let mut compared = false;
    for run in 0..6 {
        let (start, inputs) = machine(&descrs, seed * 31 + run);
        let (mut a, mut b) = (start.clone(), start.clone());
        let before = a.run(&descrs, &[&trace], &inputs);
        let after = b.run(&descrs, &[&done.trace], &inputs);
        if let (Some(mut before), Some(after)) = (before, after) {
            let left_at = resume_point(&done.trace, &done.trace.ops[after.at]);
            if passes.strengthen && left_at != resume_point(&trace, &trace.ops[before.at]) {
                // A guard may fail at an earlier guard's place: where the recorded trace went past it for the last time.
                a = start.clone();
                before = last_pass(&descrs, &mut a, &trace, left_at, &inputs)
                    .unwrap_or_else(|| panic!("no guard there: inputs {inputs:?}\n{}", shown()));
            }
            let before = a.state(&descrs, &[&trace], &before);
            let after = b.state(&descrs, &[&done.trace], &after);
            assert_eq!(before, after, "inputs {inputs:?}\n{}", shown());
            assert_eq!(a.log, b.log, "inputs {inputs:?}\n{}", shown());
            compared = true;
        }
    }
    compared
}

/// Runs the recorded trace up to the last time it passes the guard with this resume point before it is left.
fn last_pass(
    descrs: &Descrs,
    start: &mut Machine,
    trace: &Trace,
    point: Option<(u32, u32)>,
    inputs: &[u64],
) -> Option<Exit> {
    let guard = |op: &Op| op.opcode.is_guard() && resume_point(trace, op) == point;
    let at = trace.ops.iter().position(guard)?;
    let mut counting = start.clone();
    counting.watch = Some((at, 0));
    counting.run(descrs, &[trace], inputs)?;
    if counting.watched == 0 {
        return None;
    }
    start.watch = Some((at, counting.watched));
    start.run(descrs, &[trace], inputs)
}

/// Bridges from guards of a loop: with the knowledge at the guard they must do what they do without. Several in a row, so
/// that the loop's body is also left after a bridge came in.
fn compare_bridges(seed: u64) -> bool {
    let descrs = parse_descrs(common::DESCRS).expect("the descriptors parse");
    let recorded = parse(&descrs, &random_loop(seed)).expect("parses");
    // Without strengthening, so that a guard fails at the same place in the loop's entry and in its body.
    let mut optimiser = Optimiser::new(Passes::parse("all-strengthen").expect("known passes"));
    let Ok(main) = optimiser.optimise_loop(&recorded, None, &descrs, &mut NoObjects) else {
        return false;
    };
    let mut compared = false;
    for run in 0..6 {
        let (mut machine, inputs) = machine(&descrs, seed * 31 + run);
        let mut exit = machine.run(&descrs, &[&main.trace], &inputs);
        for hop in 0..6 {
            let Some(left) = exit else { break };
            let bridge = Bridge {
                descrs: &descrs,
                main: &main,
                seed: seed ^ hop << 40,
            };
            let after = bridge.compare(&mut optimiser, &mut machine, &left);
            compared |= after.is_some();
            exit = after.filter(|exit| exit.trace == 1);
        }
    }
    compared
}

/// A random bridge to a loop.
struct Bridge<'a> {
    descrs: &'a Descrs,
    main: &'a Optimised,
    seed: u64,
}

impl Bridge<'_> {
    /// Optimises the bridge with and without what its guard knows, runs both from an exit of the loop, and gives the exit
    /// that they lead to.
    fn compare(
        &self,
        optimiser: &mut Optimiser,
        machine: &mut Machine,
        exit: &Exit,
    ) -> Option<Exit> {
        let (descrs, main) = (self.descrs, &self.main.trace);
        let guard = &main.ops[exit.at];
        let types: Vec<Ty> = guard.fail_args().iter().map(|&v| main.types[v]).collect();
        if !types.contains(&Ty::Int) || !types.contains(&Ty::Ref) {
            return None;
        }
        let before = main.ops[..exit.at].iter();
        let facts = &self.main.guard_facts[before.filter(|op| op.opcode.is_guard()).count()];
        let label = self.main.entry.expect("a loop has an entry").as_u32();
        let text = random_bridge(self.seed, &types, label);
        let recorded = parse(descrs, &text).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
        let mut optimise = |facts: &GuardFacts| {
            let done = optimiser.optimise_bridge(&recorded, facts, None, descrs, &mut NoObjects);
            done.ok().map(|done| done.trace)
        };
        let plain = optimise(&GuardFacts::default())?;
        let knowing = optimise(facts)?;
        verify(descrs, &knowing).unwrap_or_else(|e| panic!("{e:?}\n{}\n{text}", self.seed));
        let words: Vec<u64> = guard.fail_args().iter().map(|v| exit.values[v]).collect();
        let (mut a, mut b) = (machine.clone(), machine.clone());
        let x = a.run(descrs, &[&plain, main], &words)?;
        let y = b.run(descrs, &[&knowing, main], &words)?;
        *machine = b.clone();
        let shown = || {
            let traces = [&plain, &knowing, main].map(|t| print(descrs, t));
            format!("seed {}\n{text}\n{}", self.seed, traces.join("\n"))
        };
        let before = a.state(descrs, &[&plain, main], &x);
        let after = b.state(descrs, &[&knowing, main], &y);
        assert_eq!(before, after, "{}", shown());
        assert_eq!(a.log, b.log, "{}", shown());
        Some(y)
    }
}

#[test]
fn bridges() {
    let compared = (0..20_000).filter(|&seed| compare_bridges(seed)).count();
    assert!(compared > 3000, "only {compared} bridges were compared");
}

fn compare_many(passes: &str, seeds: std::ops::Range<u64>) {
    let passes = Passes::parse(passes).expect("known passes");
    // More than half contradict themselves.
    let wanted = (seeds.end - seeds.start) as usize / 4;
    let compared = seeds.filter(|&seed| compare(seed, passes)).count();
    assert!(compared > wanted, "only {compared} loops were compared");
}

#[test]
fn all_passes() {
    compare_many("all", 0..20_000);
}

#[test]
fn without_peeling() {
    compare_many("all-peel", 100_000..103_000);
}

#[test]
fn without_virtuals() {
    compare_many("all-virtuals", 200_000..203_000);
}

#[test]
fn without_heap() {
    compare_many("all-heap", 300_000..303_000);
}

#[test]
fn without_folding() {
    compare_many("all-fold-pure", 400_000..403_000);
}

#[test]
fn without_guard_removal() {
    compare_many("all-guards", 500_000..503_000);
}

#[test]
fn without_bounds() {
    compare_many("all-bounds", 700_000..703_000);
}

#[test]
fn without_strengthening() {
    compare_many("all-strengthen", 800_000..803_000);
}

/// For a change of a pass; takes minutes.
#[test]
#[ignore = "long"]
fn a_long_run() {
    compare_many("all", 1_000_000..1_300_000);
    compare_many("all-peel-heap", 1_300_000..1_400_000);
    let compared = (1_400_000..1_500_000).filter(|&seed| compare_bridges(seed));
    assert!(compared.count() > 10_000);
}

#[test]
fn without_any() {
    compare_many("none", 600_000..603_000);
}
