//! Residual calls: arguments of every kind, panics, collections, and re-entering compiled code.

use expect_test::expect;
use std::cell::RefCell;
use std::rc::Rc;
use verdigris_backend::CodeExit;
use verdigris_backends::check;
use verdigris_heap::{Context, HeapOptions, Stress};
use verdigris_trace::GuardId;
use verdigris_traces::vm::{Vm, all, check_all};
use verdigris_traces::world::set_callback;

#[test]
fn arguments_and_results_of_every_type() {
    check(
        |vm| {
            vm.compile(
                "[i0, f1, p2]
                 label L0(i0, f1, p2)
                 f3 = call(i0, f1, p2, 7, 0.5) mix
                 guard_no_panic() g0 -> [] @
                 i4 = call(1, 2, i0, 4, 5, 6, 7, f3, 9, i0) many
                 guard_no_panic() g1 -> [] @
                 call() nothing
                 guard_no_panic() g2 -> [] @
                 p5 = call(p2) same
                 guard_no_panic() g3 -> [] @
                 call(i4) record
                 guard_no_panic() g4 -> [] @
                 guard_true(0) g5 -> [f3, i4, p5, f1] @
                 finish()",
            );
            let node = vm.node(3, 0, 0.0);
            vm.enter(0, &[10, 1.25f64.to_bits(), node]);
            vm.enter(0, &[-10i64 as u64, (-0.0f64).to_bits(), 0]);
        },
        expect![[r#"
            g5 [37.0, 59851, Node{3, null, 0.0}, 1.25] recorded 59851
            g5 [13.5, 15875, null, -0.0] recorded 15875
        "#]],
    );
}

#[test]
fn values_of_several_words() {
    for stress in Stress::KINDS {
        let options = HeapOptions {
            stress,
            ..HeapOptions::default()
        };
        let log = check_all(options, |vm| {
            vm.compile(
                "[i0, p1]
                 label L0(i0, p1)
                 f2, p3, i4 = call(i0, p1) spread
                 guard_no_panic() g0 -> [i0, f2, p3, i4] @
                 p9 = new() Node
                 i5, f6 = call(i0, f2, 0, i4, 2.5) swap
                 guard_no_panic() g1 -> [] @
                 i7, f8 = call(i5, f2, 1, i4, 2.5) swap
                 guard_no_panic() g2 -> [] @
                 f10 = call(f6, f8) scale
                 guard_no_panic() g3 -> [] @
                 guard_true(0) g4 -> [p3, i4, i5, f6, i7, f8, f10] @
                 finish(i0, f2, p3)",
            );
            let node = vm.node(3, 0, 0.0);
            vm.enter(0, &[10, node]);
            vm.enter(0, &[-3i64 as u64, 0]);
            vm.enter(0, &[100, node]);
        });
        // The same with a collection at every allocation.
        assert_eq!(
            log.lines().collect::<Vec<_>>(),
            [
                "g4 [Node{3, null, 0.0}, 11, 11, 5.0, 11, 2.5, 12.5]",
                "g4 [null, -2, -2, -1.5, -2, 2.5, -3.75]",
                "g0 [100, 0.0, null, 0] panicked: too much to spread",
            ]
        );
    }
}

#[test]
fn a_panic_leaves_through_the_guard_behind_the_call() {
    check(
        |vm| {
            vm.compile(
                "[i0]
                 label L0(i0)
                 i1 = call(i0) boom
                 guard_no_panic() g0 -> [i0, i1] @
                 call(i1) record
                 guard_no_panic() g1 -> [] @
                 jump L0(i1)",
            );
            vm.enter(0, &[7]);
            vm.enter(0, &[10]);
            vm.bridge(0, "[i0, i1] finish(i0)");
            vm.enter(0, &[9]);
        },
        expect![[r#"
            g0 [10, 0] panicked: boom recorded 8 recorded 9 recorded 10
            g0 [10, 0] panicked: boom
            finish 10 panicked: boom recorded 10
        "#]],
    );
}

#[test]
fn what_is_alive_across_a_call_survives_a_collection_in_it() {
    for stress in Stress::KINDS {
        let options = HeapOptions {
            stress,
            ..HeapOptions::default()
        };
        let log = check_all(options, |vm| {
            vm.compile(
                "[i0]
                 label L0(i0)
                 p1 = new() Node
                 setfield_i(p1, 1) Node.value
                 p2 = new() Node
                 setfield_i(p2, 2) Node.value
                 p3 = new() Node
                 p4 = new() Node
                 p5 = new() Node
                 p6 = new() Node
                 p7 = new() Node
                 setfield_r(p7, p6) Node.next
                 call() collect
                 guard_no_panic() g0 -> [] @
                 p8 = new() Node
                 setfield_i(p8, 8) Node.value
                 guard_true(0) g1 -> [p1, p2, p3, p4, p5, p7, p8, i0] @
                 finish()",
            );
            vm.enter(0, &[5]);
        });
        expect![[r#"
            g1 [Node{1, null, 0.0}, Node{2, null, 0.0}, Node{0, null, 0.0}, Node{0, null, 0.0}, Node{0, null, 0.0}, Node{0, Node{0, null, 0.0}, 0.0}, Node{8, null, 0.0}, 5]
        "#]]
        .assert_eq(&log);
    }
}

const CALLBACK: &str = "
    [i0]
    label L0(i0)
    i1 = call(i0) callback
    guard_no_panic() g0 -> [] @
    i2 = int_gt(i1, 100)
    guard_true(i2) g1 -> [i0, i1] @
    i3 = int_add(i0, i1)
    finish(i3)
";

/// While code runs, a call in it enters the same code again, attaches a bridge to the guard that is
/// about to fail, replaces that bridge, and compiles other code.
#[test]
fn code_is_entered_and_changed_while_it_runs() {
    for make in all() {
        let mut vm = Vm::new(make(), HeapOptions::default());
        vm.compile(CALLBACK);
        let entry = vm.entry(0);
        let context: *mut Context = &mut *vm.context;
        let vm = Rc::new(RefCell::new(vm));
        let (inner, inner_entry) = (Rc::clone(&vm), Rc::clone(&entry));
        set_callback(Some(Rc::new(move |a| {
            if a == 0 {
                return 5;
            }
            // SAFETY: the trace touches no heap.
            let exit = unsafe { inner_entry.run(context, &[a as u64 - 1]) };
            let mut vm = inner.borrow_mut();
            vm.bridge(1, &format!("[i0, i1] i2 = int_add(i1, {a}) finish(i2)"));
            vm.compile(
                &CALLBACK
                    .replace("L0", &format!("L{a}"))
                    .replace("g0", "g7")
                    .replace("g1", "g8"),
            );
            match exit {
                CodeExit::Finish(word) => word as i64,
                _ => 1000,
            }
        })));
        // SAFETY: the context lives in `vm`.
        let exit = unsafe { Context::enter(context, || entry.run(context, &[3])) };
        // Innermost, the guard fails without a bridge, which makes 1000; the others hold.
        assert_eq!(exit, CodeExit::Finish(3 + 2 + 1 + 1000));
        // SAFETY: as above.
        let exit = unsafe { Context::enter(context, || entry.run(context, &[0])) };
        assert_eq!(exit, CodeExit::Finish(5 + 3));
        set_callback(None);
        assert!(vm.borrow().fail_types(GuardId::from_u32(1)).len() == 2);
    }
}

/// A bridge that is replaced while it runs goes on to its end.
#[test]
fn a_running_bridge_can_be_replaced() {
    for make in all() {
        let mut vm = Vm::new(make(), HeapOptions::default());
        vm.compile("[i0] label L0(i0) guard_false(i0) g1 -> [i0] @ finish(0)");
        vm.bridge(
            1,
            "[i0]
             i1 = call(i0) callback
             guard_no_panic() g0 -> [] @
             i2 = int_add(i0, i1)
             finish(i2)",
        );
        let entry = vm.entry(0);
        let context: *mut Context = &mut *vm.context;
        let vm = Rc::new(RefCell::new(vm));
        let inner = Rc::clone(&vm);
        set_callback(Some(Rc::new(move |a| {
            let mut vm = inner.borrow_mut();
            for n in 0..3 {
                vm.bridge(1, &format!("[i0] i1 = int_mul(i0, {n}) finish(i1)"));
            }
            a * 10
        })));
        // SAFETY: the context lives in `vm`.
        let exit = unsafe { Context::enter(context, || entry.run(context, &[4])) };
        assert_eq!(exit, CodeExit::Finish(44));
        // SAFETY: as above.
        let exit = unsafe { Context::enter(context, || entry.run(context, &[4])) };
        assert_eq!(exit, CodeExit::Finish(8));
        set_callback(None);
    }
}
