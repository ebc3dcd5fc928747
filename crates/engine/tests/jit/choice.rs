//! The portal's `tier` function: places have code of the compilers that it allows alone, whatever
//! the parameters say. It is called once for each place, and may do what other code may.

use crate::guest::Op::*;
use crate::guest::{Guest, MESSAGE, Op, TierOf, load, program_with_tiers, run};
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use verdigris_engine::{AbortReason, NotCompiledError, Options, Tier, Vm};
use verdigris_heap::{Gc, GcArray};

/// A loop with two ways through it.
const LOOP: &[Op] = &[SkipEven(1), AddA, Box, DecA, LoopA(0), Ret];

/// A loop that calls a function without a loop, at 6.
const CALLS: &[Op] = &[Call(6), DecA, LoopA(0), Ret, AddA, Box, Ret];

/// A loop that calls a function with a loop, at 6.
const CALLED_LOOP: &[Op] = &[Call(6), DecA, LoopA(0), Ret, AddA, DecA, LoopA(6), Ret];

/// A loop in a loop; the inner one begins at 2.
const NESTED: &[Op] = &[SetC(9), AddA, DecC, LoopC(2), DecA, LoopA(0), Ret];

const COMPILERS: [&str; 3] = ["tracing", "specialising", "both"];

thread_local! {
    static ASKED: Cell<u32> = const { Cell::new(0) };
}

/// Returns the tier, and counts the calls.
fn asked(tier: Tier) -> Tier {
    ASKED.set(ASKED.get() + 1);
    tier
}

fn vm(tier: TierOf, params: &str) -> Vm {
    let options = Options::parse(params).unwrap().keep_traces(true);
    Vm::new(program_with_tiers(tier), options).unwrap()
}

/// Counts of traces that were recorded, and of those that were not.
#[derive(Debug, PartialEq)]
struct Made {
    recorded: usize,
    specialised: usize,
}

const NOTHING: Made = Made {
    recorded: 0,
    specialised: 0,
};

fn made(vm: &Vm) -> Made {
    let traces = vm.traces();
    let (without_run, recorded): (Vec<_>, Vec<_>) = traces
        .iter()
        .partition(|trace| trace.recorded.count_all("") == 0);
    let made = Made {
        recorded: recorded.len(),
        specialised: without_run.len(),
    };
    assert_eq!(made.specialised as u64, vm.stats().specialised.pieces);
    made
}

/// Runs a program with these tiers, as often as is good for all of its code.
fn run_with(tier: TierOf, params: &str, ops: &[Op], a: i64) -> Vm {
    let right = vm(|_, _| Tier::Any, "off").enter(|| run(load(ops), 0, a));
    let vm = vm(
        tier,
        &format!("threshold=5,function_threshold=5,trace_eagerness=2,{params}"),
    );
    vm.enter(|| {
        let guest = load(ops);
        for _ in 0..20 {
            assert_eq!(run(guest, 0, a), right, "{params}");
        }
    });
    vm
}

/// Titles of the code that the interpreter or a call can enter.
fn titles(vm: &Vm) -> Vec<String> {
    let traces = vm.traces().into_iter();
    let kind = |empty| if empty { "specialised" } else { "recorded" };
    let named = traces.filter(|trace| !trace.title.contains("bridge"));
    let named = named.map(|trace| {
        let (_, title) = trace.title.split_once(": ").unwrap();
        format!("{title}, {}", kind(trace.recorded.count_all("") == 0))
    });
    named.collect()
}

#[test]
fn a_loop_has_code_of_its_compiler_alone_and_so_have_its_exits() {
    for compiler in COMPILERS {
        let params = &format!("compiler={compiler}");
        let traced = made(&run_with(|_, _| Tier::Traced, params, LOOP, 60));
        assert!(traced.recorded > 1, "{traced:?}, {compiler}");
        assert_eq!(traced.specialised, 0, "{compiler}");
        let lazy = format!("{params},lazy_arms=all");
        let specialised = made(&run_with(|_, _| Tier::Specialised, &lazy, LOOP, 60));
        assert!(specialised.specialised > 1, "{specialised:?}, {compiler}");
        assert_eq!(specialised.recorded, 0, "{compiler}");
    }
}

#[test]
fn what_the_parameters_say_holds_for_any() {
    for compiler in COMPILERS {
        let params = &format!("compiler={compiler}");
        let any = made(&run_with(|_, _| Tier::Any, params, LOOP, 60));
        match compiler {
            "tracing" => assert_eq!(any.specialised, 0),
            "specialising" => assert_eq!(any.recorded, 0),
            _ => assert!(any.specialised > 0),
        }
    }
}

#[test]
fn an_interpreted_loop_is_never_compiled_and_asked_about_once() {
    for compiler in COMPILERS {
        ASKED.set(0);
        let params = format!("threshold=2,compiler={compiler}");
        let vm = vm(|_, _| asked(Tier::Interpreter), &params);
        // More passes than a silenced counter swallows.
        let sum = vm.enter(|| run(load(&[AddA, DecA, LoopA(0), Ret]), 0, 150_000));
        assert_eq!(sum, 150_000 * 150_001 / 2);
        assert_eq!((made(&vm), vm.stats().entries), (NOTHING, 0));
        assert_eq!((ASKED.get(), vm.stats().blocked), (1, 0));
    }
}

#[test]
fn a_place_is_asked_about_once() {
    for tier in [
        (|_, _| asked(Tier::Traced)) as TierOf,
        |_, _| asked(Tier::Specialised),
        |_, _| asked(Tier::Any),
    ] {
        ASKED.set(0);
        run_with(tier, "", CALLS, 60);
        assert_eq!(ASKED.get(), 2);
    }
}

/// The callee's tier, and what is made by each compiler of the caller.
#[test]
fn calls_are_inlined_by_the_callees_compiler_alone() {
    let interpreted = |pc, _| [Tier::Traced, Tier::Interpreter][usize::from(pc >= 6)];
    let vm = run_with(interpreted, "", CALLS, 60);
    assert_eq!(titles(&vm), ["loop at (0, ref), recorded"]);
    assert_eq!(vm.traces()[0].recorded.count_calls("run_from"), 1);

    let specialised = |pc, _| [Tier::Traced, Tier::Specialised][usize::from(pc >= 6)];
    let vm = run_with(specialised, "", CALLS, 60);
    assert_eq!(
        titles(&vm),
        [
            "entry at (6, ref), specialised",
            "loop at (0, ref), recorded"
        ]
    );
    assert_eq!(vm.traces()[1].recorded.count_calls("run_from"), 1);

    let traced = |pc, _| [Tier::Specialised, Tier::Traced][usize::from(pc >= 6)];
    let vm = run_with(traced, "", CALLS, 60);
    assert_eq!(
        titles(&vm),
        [
            "entry at (6, ref), recorded",
            "entry at (0, ref), specialised"
        ]
    );

    // The same compiler inlines them.
    let vm = run_with(|_, _| Tier::Traced, "threshold=4", CALLS, 60);
    assert_eq!(titles(&vm), ["loop at (0, ref), recorded"]);
    let vm = run_with(|_, _| Tier::Specialised, "threshold=4", CALLS, 60);
    assert_eq!(titles(&vm), ["entry at (0, ref), specialised"]);
}

#[test]
fn loops_of_both_compilers_call_each_other() {
    for compiler in COMPILERS {
        let params = &format!("compiler={compiler}");
        let traced = |pc, _| [Tier::Specialised, Tier::Traced][usize::from(pc >= 6)];
        let vm = run_with(traced, params, CALLED_LOOP, 60);
        assert_eq!(
            titles(&vm),
            [
                "loop at (6, ref), recorded",
                "entry at (0, ref), specialised"
            ]
        );
        let specialised = |pc, _| [Tier::Traced, Tier::Specialised][usize::from(pc >= 6)];
        let vm = run_with(specialised, params, CALLED_LOOP, 60);
        assert_eq!(
            titles(&vm),
            [
                "entry at (6, ref), specialised",
                "loop at (0, ref), recorded"
            ]
        );
    }
}

/// A loop of the same activation: its code is jumped to, and where it can have none, a trace of the
/// outer loop cannot go on.
#[test]
fn no_code_goes_through_a_loop_of_another_tier() {
    let specialised = |pc, _| [Tier::Traced, Tier::Specialised][usize::from(pc == 2)];
    let made_titles = titles(&run_with(specialised, "", NESTED, 60));
    assert_eq!(made_titles[0], "entry at (2, ref), specialised");
    assert!(
        made_titles[1..]
            .iter()
            .all(|title| title.ends_with("recorded"))
    );

    let interpreted = |pc, _| [Tier::Traced, Tier::Interpreter][usize::from(pc == 2)];
    let vm = run_with(interpreted, "", NESTED, 60);
    assert_eq!(made(&vm), NOTHING);
    let stats = vm.stats();
    assert_eq!(
        stats.aborts.keys().collect::<Vec<_>>(),
        [&AbortReason::NotToBeTraced]
    );
    assert_eq!(stats.blocked, 1);

    let interpreted = |pc, _| [Tier::Specialised, Tier::Interpreter][usize::from(pc == 2)];
    let vm = run_with(interpreted, "", NESTED, 60);
    assert_eq!(titles(&vm), ["entry at (0, ref), specialised"]);
    assert!(
        vm.stats().specialised.left["not to be specialised"] > 0,
        "{:?}",
        vm.stats().specialised
    );
}

/// Code is compared with a run then.
#[test]
fn hints_are_checked_in_traces() {
    let vm = run_with(|_, _| Tier::Specialised, "check_hints=1", LOOP, 60);
    let made = made(&vm);
    assert!(made.recorded > 0 && made.specialised == 0, "{made:?}");
}

#[test]
fn what_is_not_specialised_is_not_compiled_ahead() {
    let compile = |tier: TierOf| {
        let vm = vm(tier, "");
        let compiled = vm.compile(|| run(load(LOOP), 0, 3));
        assert_eq!(made(&vm).specialised, usize::from(compiled.is_ok()));
        compiled
    };
    assert_eq!(compile(|_, _| Tier::Specialised), Ok(()));
    assert_eq!(compile(|_, _| Tier::Any), Ok(()));
    let refused = compile(|_, _| Tier::Interpreter).unwrap_err();
    assert_eq!(refused, NotCompiledError::Refused(Tier::Interpreter));
    assert_eq!(
        refused.to_string(),
        "the portal's function for the tier answers `interpreter` for this place, and only `any` and `specialised` are compiled ahead"
    );
    assert_eq!(
        compile(|_, _| Tier::Traced),
        Err(NotCompiledError::Refused(Tier::Traced))
    );
}

/// At a hot place and in a trace it is the guest program's; while the specialiser is at work, the
/// place is asked about again when it is hot.
#[test]
fn a_panic_in_the_function_unwinds() {
    let panics: [TierOf; 3] = [
        |_, _| panic!("{MESSAGE}"),
        |pc, _| [Tier::Traced, Tier::Any][usize::from(pc >= 6 && panic!("{MESSAGE}"))],
        |pc, _| [Tier::Specialised, Tier::Any][usize::from(pc >= 6 && panic!("{MESSAGE}"))],
    ];
    let right = vm(|_, _| Tier::Any, "off").enter(|| run(load(LOOP), 0, 60));
    for (n, tier) in panics.into_iter().enumerate() {
        for params in ["threshold=5", "threshold=5,function_threshold=7"] {
            let vm = vm(tier, params);
            let outcome = vm.enter(|| {
                let guest = load(CALLS);
                let runs = (0..20).map(|_| catch_unwind(AssertUnwindSafe(|| run(guest, 0, 40))));
                runs.filter_map(Result::err).next()
            });
            // The specialiser leaves it at a call, and the callee is hot only with the second
            // parameters.
            let quiet = n == 2 && params == "threshold=5";
            assert_eq!(outcome.is_none(), quiet, "{n}, {params}");
            if let Some(payload) = outcome {
                assert_eq!(payload.downcast_ref::<String>().unwrap(), MESSAGE);
            }
            // It can be entered and compiles as before.
            program_with_tiers(|_, _| Tier::Traced);
            let sum = vm.enter(|| run(load(LOOP), 0, 60));
            assert_eq!(sum, right, "{params}");
            assert_ne!(made(&vm), NOTHING, "{params}");
        }
    }
}

/// It may allocate, with collections, and even run guest code, which gets hot itself.
#[test]
fn the_function_may_do_what_other_code_may() {
    thread_local! {
        static INSIDE: Cell<bool> = const { Cell::new(false) };
    }
    fn tier(pc: usize, guest: Gc<Guest>) -> Tier {
        if INSIDE.replace(true) {
            return Tier::Traced;
        }
        let other = load(CALLS);
        let garbage: GcArray<i64> = GcArray::new(100, 7);
        assert_eq!(run(other, 0, 30), 465);
        // The same place, which is about to be compiled.
        run(guest, pc, 20);
        assert_eq!(garbage[99], 7);
        INSIDE.set(false);
        [Tier::Specialised, Tier::Traced][(pc + guest.code.len()) % 2]
    }
    for params in [
        "",
        "compiler=both",
        "stress=1",
        "stress=1,compiler=specialising",
        "loop_longevity=1,max_trace_depth=4",
    ] {
        for ops in [LOOP, CALLS, CALLED_LOOP, NESTED] {
            run_with(tier, params, ops, 30);
        }
    }
}
