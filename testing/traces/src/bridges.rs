//! Random bridges from the guards of random loops. Optimised with the knowledge of its guard, a
//! bridge does the same as without.

use crate::generate::{Lean, machine, random_bridge, random_loop};
use crate::model::{Exit, LEAN_REGS, Machine};
use crate::{DESCRS, NoObjects, Work};
use verdigris_ops::{Descrs, Ty};
use verdigris_opt::{GuardKnowledge, Optimised, Optimiser, Passes};
use verdigris_trace::{ExitId, RecordedTrace, Resume, Src, parse, parse_descrs, print, verify};

/// Bridges from guards of a loop: with the knowledge at the guard they must do what they do
/// without. Several in a row, so that the loop's body is also left after a bridge came in.
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

/// The random loop of a seed, optimised, and the optimiser. None: no recording contradicts itself,
/// but random traces do.
pub(crate) fn main_loop(descrs: &Descrs, seed: u64) -> Option<(Optimiser, Optimised)> {
    let recorded = parse(descrs, &random_loop(seed)).expect("parses");
    // Without strengthening, so that a guard fails at the same place in the loop's entry and in its
    // body.
    let mut optimiser = Optimiser::new(Passes::parse("all-strengthen").expect("known passes"));
    let main = optimiser.optimise_loop(&recorded, None, descrs, &mut NoObjects);
    main.ok().map(|main| (optimiser, main))
}

/// A bridge from where a loop was left back to it.
pub(crate) struct Recorded {
    /// The guard's exit among those of the loop.
    pub(crate) guard: ExitId,
    /// The values that the guard hands over.
    pub(crate) words: Vec<u64>,
    /// The bridge.
    pub(crate) trace: RecordedTrace,
}

/// A random bridge from this exit of a loop, if the guard there hands over what random bridges
/// need.
pub(crate) fn bridge_from(
    descrs: &Descrs,
    main: &Optimised,
    exit: &Exit,
    seed: u64,
) -> Option<Recorded> {
    let left = main.trace.ops().at(exit.at);
    let (guard, resume) = (left.exit_id()?, left.resume()?);
    let args = resume.fail_args.iter();
    let types: Vec<Ty> = args.clone().map(|&v| main.trace.types[v]).collect();
    if !types.contains(&Ty::Int) || !types.contains(&Ty::Ref) {
        return None;
    }
    let label = main.entry.expect("a loop has an entry").as_u32();
    let text = random_bridge(seed, &types, words_at(main, resume), label);
    Some(Recorded {
        guard,
        words: args.map(|v| exit.values[v]).collect(),
        trace: parse(descrs, &text).unwrap_or_else(|e| panic!("{e:?}\n{text}")),
    })
}

/// The values with words that a guard hands over, by the registers that they are in.
fn words_at(main: &Optimised, resume: &Resume) -> Vec<Lean> {
    let pairs = resume.frames.iter().flat_map(|frame| frame.regs.windows(2));
    let leans = pairs.filter_map(|pair| {
        let [(reg, tag), (_, Src::Fail(word))] = *pair else {
            return None;
        };
        let value = resume.fail_args[usize::from(word)];
        let is_value = reg >= LEAN_REGS && reg % 2 == 0 && main.trace.types[value] == Ty::Word;
        let tag = match tag {
            _ if !is_value => return None,
            Src::Fail(n) => format!("i{n}"),
            Src::Const(constant) => (constant.word() as i64).to_string(),
            Src::Virtual(_) => return None,
        };
        let word = usize::from(word);
        Some(Lean { tag, word })
    });
    leans.collect()
}

/// A random bridge to a loop.
struct Bridge<'a> {
    descrs: &'a Descrs,
    main: &'a Optimised,
    seed: u64,
}

impl Bridge<'_> {
    /// Optimises the bridge with and without what its guard knows, runs both from an exit of the
    /// loop, and gives the exit that they lead to.
    fn compare(
        &self,
        optimiser: &mut Optimiser,
        machine: &mut Machine,
        exit: &Exit,
    ) -> Option<Exit> {
        let (descrs, main) = (self.descrs, &self.main.trace);
        let bridge = bridge_from(descrs, self.main, exit, self.seed)?;
        let facts = &self.main.guard_knowledge[bridge.guard.as_u32() as usize];
        let mut optimise = |facts: &GuardKnowledge| {
            let done =
                optimiser.optimise_bridge(&bridge.trace, facts, None, descrs, &mut NoObjects);
            done.ok().map(|done| done.trace)
        };
        let plain = optimise(&GuardKnowledge::default())?;
        let knowing = optimise(facts)?;
        let shown = || {
            let traces = [&plain, &knowing, main].map(|t| print(descrs, t));
            let recorded = print(descrs, &bridge.trace);
            format!("seed {}\n{recorded}\n{}", self.seed, traces.join("\n"))
        };
        verify(descrs, &knowing).unwrap_or_else(|e| panic!("{e:?}\n{}", shown()));
        let (mut a, mut b) = (machine.clone(), machine.clone());
        let x = a.run(descrs, &[&plain, main], &bridge.words)?;
        let y = b.run(descrs, &[&knowing, main], &bridge.words)?;
        *machine = b.clone();
        let before = a.state(descrs, &[&plain, main], &x);
        let after = b.state(descrs, &[&knowing, main], &y);
        assert_eq!(before, after, "{}", shown());
        assert_eq!(a.log, b.log, "{}", shown());
        Some(y)
    }
}
