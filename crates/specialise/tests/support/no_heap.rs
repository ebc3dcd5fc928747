//! Interpreters without a heap, as jitcode. In: jitcode and greens. Out: residual code, which has
//! been verified, printed and read back, and is the same each time.

use expect_test::Expect;
use verdigris_jitcode::{Unit, parse, verify};
use verdigris_ops::{ClassId, DataOp, FnId, Ty};
use verdigris_opt::{Host, Optimised, Optimiser, Passes};
use verdigris_specialise::{
    FailedGuard, SpecialiseLimits, Specialised, SpecialiserHistory, specialise, specialise_from,
};
use verdigris_trace::{Descr, Opcode, OptimisedTrace};

/// A program without a heap: nothing is known of objects, and `double` is the one function that can
/// be called.
pub struct NoHeap<'a>(pub &'a Unit);

impl Host for NoHeap<'_> {
    fn load(&mut self, _: DataOp, _: &[u64], _: Descr) -> u64 {
        unreachable!("there are no constant objects")
    }

    fn call(&mut self, function: FnId, args: &[u64]) -> Option<Vec<u64>> {
        (self.0.descrs.fns[function].name == "double").then(|| vec![2 * args[0]])
    }

    fn is_object(&mut self, _: u64) -> bool {
        false
    }

    fn class_of(&self, _: u64) -> Option<ClassId> {
        None
    }
}

pub fn compiled(unit: &Unit, greens: &[u64], limits: SpecialiseLimits) -> (Specialised, String) {
    let mut optimiser = Optimiser::new(Passes::all());
    let mut history = SpecialiserHistory::default();
    let mut host = NoHeap(unit);
    let done = specialise(
        unit,
        greens,
        &mut history,
        &mut optimiser,
        &mut host,
        limits,
    );
    let trace = &done.optimised.trace;
    verdigris_trace::verify(&unit.descrs, trace).expect("residual code is right");
    let text = verdigris_trace::print(&unit.descrs, trace);
    let parsed: OptimisedTrace =
        verdigris_trace::parse(&unit.descrs, &text).expect("it can be read");
    assert_eq!(verdigris_trace::print(&unit.descrs, &parsed), text);
    (done, text)
}

pub fn check(jitcode: &str, greens: &[u64], expected: Expect) {
    check_with(jitcode, greens, SpecialiseLimits::default(), expected);
}

pub fn check_with(jitcode: &str, greens: &[u64], limits: SpecialiseLimits, expected: Expect) {
    let unit = parse(jitcode).expect("jitcode");
    verify(&unit).expect("right jitcode");
    let (done, text) = compiled(&unit, greens, limits);
    let left = done.left.iter().map(|(why, n)| format!("; {why}: {n}\n"));
    expected.assert_eq(&(left.collect::<String>() + &text));
    assert_eq!(compiled(&unit, greens, limits).1, text);
}

/// The code for another value of a promotion, behind the exit with which the code so far ends or
/// which tells the values apart.
pub fn next_arm(
    unit: &Unit,
    history: &mut SpecialiserHistory,
    optimiser: &mut Optimiser,
    before: &Optimised,
    word: u64,
) -> (Optimised, String) {
    let trace = &before.trace;
    let guards = trace.ops().iter().filter(|op| op.resume().is_some());
    let promotes = |opcode| matches!(opcode, Opcode::Leave | Opcode::GuardValue);
    let exits: Vec<_> = guards.zip(&before.guard_knowledge).collect();
    let (guard, facts) = exits
        .iter()
        .find(|(op, _)| promotes(op.opcode()))
        .expect("an exit");
    let resume = guard.resume().expect("it leads out");
    let types: Vec<Ty> = resume.fail_args.iter().map(|&v| trace.types[v]).collect();
    let words = vec![word; types.len()];
    let left = FailedGuard {
        resume,
        facts,
        types: &types,
        words: &words,
        compared: 0,
        generalise: false,
    };
    let mut host = NoHeap(unit);
    let done = specialise_from(
        unit,
        &left,
        history,
        optimiser,
        &mut host,
        SpecialiseLimits::default(),
    );
    let optimised = done.expect("there is something to do").optimised;
    verdigris_trace::verify(&unit.descrs, &optimised.trace).expect("residual code is right");
    let text = verdigris_trace::print(&unit.descrs, &optimised.trace);
    (optimised, text)
}
