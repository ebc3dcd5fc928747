//! What a VM knows of why a guest program was interpreted. In: programs that are given up, rest,
//! wait, or promote many values. Out: the report's figures. Invariant under test: the passes of a
//! place are counted by reason, to the last one. The clock goes on whenever it is asked.

use crate::guest::Op::*;
use crate::guest::{Op, execute, program};
use std::cell::Cell;
use verdigris_engine::{Options, Vm};
use verdigris_explain::{LeadsTo, Report, WhyInterpreted};

/// A loop that promotes what is new each time.
const EACH: &[Op] = &[PromoteA, DecA, LoopA(0), Ret];

const DOWN: &[Op] = &[AddA, DecA, LoopA(0), Ret];

thread_local! {
    static NOW: Cell<f64> = const { Cell::new(0.0) };
}

/// Everything takes less time than an entry is believed to take.
fn short_tick() -> f64 {
    NOW.replace(NOW.get() + 1e-8)
}

/// Everything takes a millisecond.
fn tick() -> f64 {
    NOW.replace(NOW.get() + 1e-3)
}

fn vm(params: &str, clock: fn() -> f64) -> Vm {
    let options = Options::parse(params).expect("right parameters");
    Vm::new(program(), options.explain(true).clock(clock)).expect("a VM")
}

fn report(vm: &Vm) -> Report {
    vm.explain().expect("the options ask for a report")
}

/// The passes that were interpreted for a reason.
fn passes(report: &Report, why: WhyInterpreted) -> u64 {
    let places = report.interpreted.iter().filter(|place| place.why == why);
    places.map(|place| place.passes).sum()
}

#[test]
fn a_place_that_is_given_up_has_all_its_passes() {
    let params = "compiler=tracing,threshold=5,trace_limit=2,cut_traces=0,max_aborts=2";
    let vm = vm(params, short_tick);
    execute(&vm, DOWN, 1000);
    let report = report(&vm);
    assert_eq!(report.given_up.len(), 1, "{:?}", report.given_up);
    assert!(report.given_up[0].blocked && report.given_up[0].guard.is_none());
    let cold = passes(&report, WhyInterpreted::Cold);
    let given_up = passes(&report, WhyInterpreted::GivenUp);
    assert_eq!(cold, 10, "two attempts");
    // The last turn ends the loop, and what is recorded is no pass.
    assert!((985..=990).contains(&given_up), "{given_up}");
    assert_eq!(report.cold_passes, 0);
    let place = &report.interpreted[0];
    assert_eq!(
        (place.why, place.passes),
        (WhyInterpreted::GivenUp, given_up)
    );
}

#[test]
fn what_is_not_hot_is_counted_as_well() {
    let vm = vm("threshold=50", short_tick);
    execute(&vm, DOWN, 20);
    let report = report(&vm);
    // One is the call.
    assert_eq!((report.interpreted.len(), report.cold_passes), (0, 20));
}

#[test]
fn code_that_rests_is_told_from_code_that_is_not_there() {
    let params = "threshold=5,compile_allowance=1000000,polymorphic_limit=1000000,compiler=tracing";
    let vm = vm(params, short_tick);
    execute(&vm, EACH, 20_000);
    let report = report(&vm);
    let resting = passes(&report, WhyInterpreted::Resting);
    assert!(resting > 10_000, "{resting}");
    assert!(vm.stats().tiers.rests > 2);
    // Each turn promotes another value, but those of turns that are interpreted are not seen.
    let [promotion] = &report.promotions[..] else {
        panic!("one line promotes: {:?}", report.promotions);
    };
    let guards = report.code.iter().flat_map(|code| &code.findings.guards);
    let on_it = guards.filter(|guard| guard.promoted.is_some());
    let failures: u64 = on_it.map(|guard| guard.failures).sum();
    assert_eq!(promotion.failures, failures);
    assert!(promotion.values >= failures.min(4096), "{promotion:?}");
}

#[test]
fn compiling_that_waits_is_measured() {
    let vm = vm(
        "threshold=5,compile_allowance=0,compile_share=0,compile_gain=0",
        tick,
    );
    // The first one is compiled, since nothing has cost anything yet.
    let total: i64 = (0..10).map(|_| execute(&vm, DOWN, 30)).sum();
    assert_eq!(total, 4650);
    let report = report(&vm);
    assert!(report.waits > 0);
    assert!(
        passes(&report, WhyInterpreted::Waiting) > 0,
        "{:?}",
        report.interpreted
    );
    let interpreted = report.seconds[&verdigris_explain::Activity::Interpreter];
    assert!(
        report.waited > 0.0 && report.waited <= interpreted,
        "{}",
        report.waited
    );
}

#[test]
fn the_interpreter_works_behind_guards() {
    let vm = vm("threshold=5,trace_eagerness=1000", tick);
    let ops = &[SkipEven(1), AddA, Box, DecA, LoopA(0), Ret];
    execute(&vm, ops, 500);
    let report = report(&vm);
    let guards = report.code.iter().flat_map(|code| &code.findings.guards);
    let failing = guards
        .filter(|guard| guard.failures > 100)
        .collect::<Vec<_>>();
    let [guard] = failing[..] else {
        panic!("one guard fails: {failing:?}");
    };
    assert_eq!(guard.leads_to, LeadsTo::Interpreter);
    let all = report.seconds[&verdigris_explain::Activity::Interpreter];
    let behind = guard.interpreted;
    assert!(behind > 0.5 * all && behind <= all, "{behind} of {all}");
}
