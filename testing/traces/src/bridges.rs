//! Random bridges from the guards of random loops. In: a seed. Out: how much was compared. Invariant: a bridge that is optimised
//! with what its guard knows does what it does without.

use crate::generate::{machine, random_bridge, random_loop};
use crate::model::{Exit, Machine};
use crate::{DESCRS, NoObjects, Work};
use verdigris_ops::{Descrs, Ty};
use verdigris_opt::{GuardFacts, Optimised, Optimiser, Passes};
use verdigris_trace::{parse, parse_descrs, print, verify};

/// Bridges from guards of a loop: with the knowledge at the guard they must do what they do without. Several in a row, so
/// that the loop's body is also left after a bridge came in.
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
            work.compared += u64::from(after.is_some());
            exit = after.filter(|exit| exit.trace == 1);
        }
        work.count(&machine);
    }
    work
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
