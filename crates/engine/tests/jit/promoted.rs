//! Guards on promoted values: values that come often get bridges, and the number of bridges is
//! bounded.

use crate::guest::Op::*;
use crate::guest::{BACKENDS, Op, execute, load, run, vm};

/// Promotes `a`, which is another value each time.
const EACH: &[Op] = &[PromoteA, DecA, LoopA(0), Ret];

/// A value that is new each time gets no bridge of its own: after a few times there is one for any.
#[test]
fn many_values_get_code_for_any() {
    for backend in BACKENDS.iter() {
        for (compiler, eagerness) in [("tracing", 10), ("specialising", 2)] {
            let vm = vm(&format!(
                "backend={backend},compiler={compiler},threshold=5,trace_eagerness=10,polymorphic_limit=4"
            ));
            assert_eq!(execute(&vm, EACH, 2000), 2_001_000);
            let stats = vm.stats();
            assert!(stats.tiers.generalised > 0, "{backend}, {compiler}");
            // The entry and the body have a guard each.
            let most = 2 * 4 * eagerness + 5;
            let found = stats.guard_failures.total;
            assert!(found <= most, "{backend}, {compiler}: {found}");
        }
    }
}

/// Values of which each comes often get bridges, and the rest one for any of them.
#[test]
fn behind_a_few_bridges_there_is_one_for_any_value() {
    for backend in BACKENDS.iter() {
        let vm = vm(&format!(
            "backend={backend},compiler=tracing,threshold=5,trace_eagerness=5,polymorphic_limit=2"
        ));
        vm.enter(|| {
            let guest = load(EACH);
            (0..1000).for_each(|_| assert_eq!(run(guest, 0, 20), 210));
        });
        let stats = vm.stats();
        assert!(stats.tiers.generalised > 0, "{backend}");
        assert!(stats.bridges < 12, "{backend}: {}", stats.bridges);
        let before = stats.guard_failures.total;
        vm.enter(|| assert_eq!(run(load(EACH), 0, 20), 210));
        assert!(vm.stats().guard_failures.total - before < 40);
    }
}

#[test]
fn a_value_that_comes_often_gets_one_among_many_that_do_not() {
    for backend in BACKENDS.iter() {
        let vm = vm(&format!("backend={backend},threshold=5,trace_eagerness=10"));
        vm.enter(|| {
            let guest = load(EACH);
            assert_eq!(run(guest, 0, 100), 5050);
            for n in 0..60 {
                assert_eq!(run(guest, 0, 2), 3, "{n}");
                assert_eq!(run(guest, 0, 5), 15, "{n}");
            }
            assert!(vm.stats().bridges > 0, "{backend}");
        });
    }
}

/// The second compiler compares with the first values one after the other, and looks for the
/// others: so there are arms for more values than are allowed behind each other, and a run takes
/// nothing but arms in the end.
#[test]
fn many_values_are_searched_for() {
    for backend in BACKENDS.iter() {
        let vm = vm(&format!(
            "backend={backend},compiler=specialising,threshold=1,function_threshold=1,trace_eagerness=1,\
             arm_eagerness=1,promotion_limit=24"
        ));
        vm.enter(|| {
            let guest = load(EACH);
            let failures = || {
                let before = vm.stats().guard_failures.total;
                assert_eq!(run(guest, 0, 200), 20_100);
                vm.stats().guard_failures.total - before
            };
            let runs = (1..).find(|_| failures() == 0);
            assert!(runs.is_some_and(|runs| runs < 300), "{backend}: {runs:?}");
            assert_eq!(vm.stats().blocked, 0, "{backend}");
        });
    }
}

#[test]
fn a_promotion_has_as_many_bridges_as_allowed() {
    let ops = &[Promote, Total, DecA, LoopA(0), Ret];
    for backend in BACKENDS.iter() {
        let bridges = |limit: u32| {
            let params =
                format!("backend={backend},threshold=5,trace_eagerness=5,promotion_limit={limit}");
            let vm = vm(&params);
            assert_eq!(execute(&vm, ops, 1000), 1500);
            (vm.stats().bridges, vm.stats().blocked)
        };
        let found = [0, 1, 2, 10].map(bridges);
        // There are four values, and guards in the entry and in the body.
        assert_eq!(found, [(0, 2), (2, 2), (4, 1), (5, 0)], "{backend}");
    }
}

/// Behind as many bridges as a tree should have, what follows holds for any value.
#[test]
fn bridges_of_a_tree_that_has_many_promote_nothing() {
    let ops = &[Promote, Total, DecA, LoopA(0), Ret];
    for backend in BACKENDS.iter() {
        let bridges = |most: u32| {
            let vm = vm(&format!(
                "backend={backend},compiler=tracing,threshold=5,trace_eagerness=5,max_bridges={most}"
            ));
            assert_eq!(execute(&vm, ops, 1000), 1500);
            vm.stats().bridges
        };
        assert_eq!([1, 150].map(bridges), [2, 5], "{backend}");
    }
}

/// The values of a `match` that none of its cases names go one way, so they have one bridge however
/// many there are.
#[test]
fn values_that_no_case_names_count_together() {
    let ops = &[Match, DecA, LoopA(0), Ret];
    for backend in BACKENDS.iter() {
        for compiler in ["tracing", "specialising"] {
            // What is compiled first is the case for one of these, and the rest for the other.
            for (n, sum) in [(2000, 1_000_000), (2001, 1_002_001)] {
                let vm = vm(&format!(
                    "backend={backend},compiler={compiler},threshold=5,trace_eagerness=10"
                ));
                assert_eq!(execute(&vm, ops, n), sum);
                let stats = vm.stats();
                // The entry and the body have a guard each.
                let most = 2 * 10 + 5;
                let found = stats.guard_failures.total;
                assert!(found <= most, "{backend}, {compiler}, {n}: {found}");
                let bridges = stats.bridges;
                assert!(bridges <= 3, "{backend}, {compiler}, {n}: {bridges}");
            }
        }
    }
}
