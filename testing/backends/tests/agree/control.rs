//! Control flow: loops, guards, bridges, jumps across traces, forced failures, errors, freeing.

use expect_test::{Expect, expect};
use verdigris_backend::{Backend, CodeExit, MAX_FRAME};
use verdigris_backends::check;
use verdigris_heap::HeapOptions;
use verdigris_trace::{GuardId, TargetId};
use verdigris_traces::vm::{MACHINE_CODE, Vm, all, check_all, oracle};

const COUNT: &str = "
    [i0, i1]
    label L0(i0, i1)
    i2 = int_gt(i0, 0)
    guard_true(i2) g0 -> [i0, i1] @
    i3 = int_sub(i0, 1)
    i4 = int_add(i1, i0)
    jump L0(i3, i4)
";

#[test]
fn a_loop_runs_until_its_guard_fails() {
    check(
        |vm| {
            vm.compile(COUNT);
            vm.enter(0, &[10, 0]);
            vm.enter(0, &[0, 7]);
            vm.enter(0, &[1_000_000, 0]);
        },
        expect![[r#"
            g0 [0, 55]
            g0 [0, 7]
            g0 [0, 500000500000]
        "#]],
    );
}

#[test]
fn a_bridge_replaces_the_exit_and_can_go_back_to_the_loop() {
    check(
        |vm| {
            vm.compile(COUNT);
            vm.enter(0, &[3, 0]);
            vm.bridge(
                0,
                "[i0, i1]
                 i2 = int_lt(i1, 100)
                 guard_true(i2) g1 -> [i1] @
                 jump L0(5, i1)",
            );
            vm.enter(0, &[3, 0]);
            vm.bridge(1, "[i0] i1 = int_neg(i0) finish(i1)");
            vm.enter(0, &[3, 0]);
            // A second bridge takes the place of the first.
            vm.bridge(0, "[i0, i1] finish(i0)");
            vm.enter(0, &[3, 0]);
        },
        expect![[r#"
            g0 [0, 6]
            g1 [111]
            finish -111
            finish 0
        "#]],
    );
}

#[test]
fn a_trace_has_sections_that_jump_forwards_and_backwards() {
    check(
        |vm| {
            vm.compile(
                "[i0, f1]
                 label L0(i0, f1)
                 i2 = int_mul(i0, 2)
                 jump L1(i2, f1, i0)
                 label L1(i3, f4, i5)
                 i6 = int_lt(i3, 100)
                 guard_true(i6) g0 -> [f4, i3, i5] @
                 i7 = int_add(i3, 7)
                 f8 = float_add(f4, 0.5)
                 i9 = int_and(i7, 3)
                 i10 = int_is_zero(i9)
                 guard_false(i10) g1 -> [i7, f8, i5] @
                 jump L1(i7, f8, i5)
                 label L2(i11)
                 jump L0(i11, -1.5)",
            );
            vm.enter(0, &[3, 2f64.to_bits()]);
            vm.enter(1, &[5, 0f64.to_bits(), 1]);
            vm.enter(2, &[49]);
            vm.bridge(1, "[i0, f1, i2] i3 = int_add(i0, 1) jump L1(i3, f1, i2)");
            vm.enter(0, &[3, 2f64.to_bits()]);
        },
        expect![[r#"
            g1 [20, 3.0, 3]
            g1 [12, 0.5, 1]
            g0 [-1.0, 105, 49]
            g0 [8.0, 101, 3]
        "#]],
    );
}

#[test]
fn a_label_can_be_reached_from_the_operations_before_it() {
    check(
        |vm| {
            vm.compile(
                "[i0]
                 label L0(i0)
                 merge_point(3)
                 i1 = int_add(i0, 1)
                 label L1(i2, i3) <- (i1, 10)
                 i4 = int_lt(i2, i3)
                 guard_true(i4) g0 -> [i2, i3] @
                 i5 = int_add(i2, 2)
                 jump L1(i5, i3)",
            );
            vm.enter(0, &[2]);
            vm.enter(1, &[1, 2]);
        },
        expect![[r#"
            g0 [11, 10]
            g0 [3, 2]
        "#]],
    );
}

#[test]
fn a_bridge_may_start_with_a_label() {
    check(
        |vm| {
            vm.compile(COUNT);
            vm.bridge(
                0,
                "[i0, i1]
                 label L1(i0, i1)
                 i2 = int_lt(i0, 3)
                 guard_true(i2) g1 -> [i0, i1] @
                 i3 = int_add(i0, 1)
                 jump L1(i3, i1)",
            );
            vm.enter(0, &[4, 0]);
            vm.enter(1, &[-5i64 as u64, 1]);
        },
        expect![[r#"
            g1 [3, 10]
            g1 [3, 1]
        "#]],
    );
}

#[test]
fn values_guard_against_constants_and_classes() {
    check(
        |vm| {
            let kept = vm.node(1, 0, 0.0);
            vm.compile_with(
                "[i0, p1, f2, p3]
                 label L0(i0, p1, f2, p3)
                 guard_value(i0, 5000000000) g0 -> [i0] @
                 guard_value(p1, ref(0)) g1 -> [p1] @
                 guard_value(f2, -0.0) g2 -> [f2] @
                 guard_value(p3, null) g3 -> [p3, f2] @
                 finish()",
                &[kept],
            );
            let zero = (-0.0f64).to_bits();
            let other = vm.node(2, 0, 0.0);
            vm.enter(0, &[1, kept, zero, 0]);
            vm.enter(0, &[5_000_000_000, other, zero, 0]);
            vm.enter(0, &[5_000_000_000, 0, zero, 0]);
            vm.enter(0, &[5_000_000_000, kept, 0f64.to_bits(), 0]);
            vm.enter(0, &[5_000_000_000, kept, zero, other]);
            vm.enter(0, &[5_000_000_000, kept, zero, 0]);
            vm.compile(
                "[p0]
                 label L1(p0)
                 guard_class(p0) Node g4 -> [p0] @
                 i1 = getfield_i(p0) Node.value
                 finish(i1)",
            );
            let wide = vm.object("Narrow");
            vm.enter(1, &[other]);
            vm.enter(1, &[wide]);
        },
        expect![[r#"
            g0 [1]
            g1 [Node{2, null, 0.0}]
            g1 [null]
            g2 [0.0]
            g3 [Node{2, null, 0.0}, -0.0]
            finish 0
            finish 2
            g4 [Narrow{0, 0, 0, 0, 0, 0, 0}]
        "#]],
    );
}

#[test]
fn a_comparison_can_be_used_as_a_value_and_as_a_test() {
    check(
        |vm| {
            vm.compile(
                "[i0, i1, f2]
                 label L0(i0, i1, f2)
                 i3 = int_lt(i0, i1)
                 i4 = int_is_zero(i3)
                 i5 = float_lt(f2, 1.0)
                 i6 = int_is_zero(i5)
                 guard_value(i4, 1) g0 -> [i3, i4, i5, i6] @
                 guard_false(i5) g1 -> [i3, i4, i5, i6] @
                 i7 = int_add(i3, i6)
                 guard_value(i6, 0) g2 -> [i7, i6] @
                 finish(i7)",
            );
            for (a, b, f) in [(1, 2, 0.0), (2, 1, 0.0), (2, 1, 2.0), (2, 1, f64::NAN)] {
                vm.enter(0, &[a, b, f.to_bits()]);
            }
        },
        expect![[r#"
            g0 [1, 0, 1, 0]
            g1 [0, 1, 1, 0]
            g2 [1, 1]
            g2 [1, 1]
        "#]],
    );
}

/// The values of a loop over `ints` integers and `floats` floats, in order.
fn names(ints: usize, floats: usize) -> Vec<String> {
    let letter = |n| if n < ints { 'i' } else { 'f' };
    (0..ints + floats)
        .map(|n| format!("{}{n}", letter(n)))
        .collect()
}

/// A loop that rotates its integers and its floats, with all of them alive at its guard, in reverse
/// order.
fn rotating(ints: usize, floats: usize, label: u32) -> String {
    let names = names(ints, floats);
    let (mut i, mut f) = (names[..ints].to_vec(), names[ints..].to_vec());
    i[1..].rotate_left(1);
    f.rotate_right(1);
    i[0] = "i9001".to_owned();
    format!(
        "[{all}]
         label L{label}({all})
         i9000 = int_gt(i0, 0)
         guard_true(i9000) g{label} -> [{}] @
         i9001 = int_sub(i0, 1)
         jump L{label}({})",
        reversed(&names),
        [i, f].concat().join(", "),
        all = names.join(", "),
    )
}

fn reversed(names: &[String]) -> String {
    names.iter().rev().cloned().collect::<Vec<_>>().join(", ")
}

#[test]
fn many_values_live_at_once() {
    for (ints, floats) in [(2, 1), (5, 8), (6, 9), (7, 12), (30, 30), (300, 300)] {
        let log = check_all(HeapOptions::default(), |vm| {
            vm.compile(&rotating(ints, floats, 0));
            vm.compile(&rotating(ints, floats, 1));
            let mut args: Vec<u64> = (0..ints as u64).map(|n| 100 + n).collect();
            args[0] = 17;
            args.extend((0..floats).map(|n| (n as f64 + 0.5).to_bits()));
            vm.enter(0, &args);
            // The bridge passes all of them on to the other loop.
            let names = names(ints, floats);
            let on = names.join(", ").replacen("i0", "3", 1);
            vm.bridge(0, &format!("[{}] jump L1({on})", reversed(&names)));
            vm.enter(0, &args);
        });
        let values = log.lines().map(|line| line.matches(',').count() + 1);
        assert_eq!(values.collect::<Vec<_>>(), [ints + floats; 2]);
    }
}

#[test]
fn too_many_fail_arguments_are_an_error() {
    let text = rotating(900, 101, 0);
    let mut messages = Vec::new();
    for backend in all().iter().map(|make| make()) {
        let mut vm = Vm::new(backend, HeapOptions::default());
        let trace = vm.parse(&text, &[]);
        let error = vm.compile_trace(&trace).unwrap_err();
        assert_eq!(vm.backend.code_bytes(), 0);
        messages.push(error.to_string());
    }
    expect!["the backend cannot compile this trace: a guard_true has 1001 fail arguments, more than 1000: keep fewer values alive in the interpreter"]
        .assert_eq(&messages[0]);
    assert!(messages.iter().all(|message| *message == messages[0]));
}

fn check_error(text: &str, expected: Expect) {
    let mut messages = Vec::new();
    for backend in all().iter().map(|make| make()) {
        let mut vm = Vm::new(backend, HeapOptions::default());
        vm.compile(COUNT);
        let trace = verdigris_trace::parse(&vm.descrs, text).unwrap();
        let error = match text.contains("label") {
            true => vm.compile_trace(&trace).unwrap_err(),
            false => vm.bridge_trace(GuardId::from_u32(0), &trace).unwrap_err(),
        };
        messages.push(error.0);
        // Nothing has changed.
        assert_eq!(vm.run(0, &[2, 0]), CodeExit::Guard(GuardId::from_u32(0)));
    }
    expected.assert_eq(&messages[0]);
    assert!(messages.iter().all(|message| *message == messages[0]));
}

#[test]
fn what_does_not_fit_is_an_error() {
    check_error(
        "[i0] label L1(i0) jump L7(i0)",
        expect!["L7 has not been compiled"],
    );
    check_error(
        "[i0] label L0(i0) finish()",
        expect!["L0 has been compiled already"],
    );
    check_error(
        "[i0] label L1(i0) jump L0(i0)",
        expect!["a jump does not fit the parameters of L0"],
    );
    check_error(
        "[i0] label L1(i0) jump L2(1.5) label L2(f1) i2 = int_add(i0, 1) finish(i2)",
        expect!["v0 is not defined in its section"],
    );
    check_error(
        "[i0] label L1(i0) guard_true(i0) -> [i0] @ finish()",
        expect!["a guard_true has no identity"],
    );
    check_error(
        "[i0] label L1(i0) guard_true(i0) => L0(i0, i0) finish()",
        expect!["a guard_true goes to L0, which is not in this trace"],
    );
    check_error(
        "[i0] label L1(i0) guard_true(i0) => L2() finish() label L2(i1) finish(i1)",
        expect!["a guard_true does not fit the parameters of L2"],
    );
    check_error(
        "[i0] label L1(i0) guard_no_signal() => L2() finish() label L2() finish()",
        expect!["a guard_no_signal leads out of its trace"],
    );
    check_error(
        "[i0] finish(i0)",
        expect!["the bridge's inputs are not the fail arguments of g0"],
    );
    check_error(
        "[i0] i1 = int_neg(i0) label L1(i2) <- (i1) finish(i2)",
        expect!["a loop starts with a label that defines its inputs"],
    );
}

/// A loop with three ways through it, one of which takes an overflow back, and one of which leaves
/// until something is attached.
const REGION: &str = "
    [i0, i1, f2]
    label L0(i0, i1, f2)
    i3 = int_gt(i0, 0)
    guard_true(i3) g0 -> [i0, i1, f2] @
    i4 = int_sub(i0, 1)
    i5 = int_and(i0, 3)
    guard_true(i5) => L1(i4, i1, i5, f2)
    i6 = int_add_overflows(i1, i0)
    guard_false(i6) => L2(i4, i1, i6)
    i7 = int_add(i1, i0)
    jump L0(i4, i7, f2)
    label L1(i8, i9, i10, f11)
    f12 = float_add(f11, 0.5)
    guard_value(i9, 12) => L2(i8, i9, i10)
    jump L0(i8, i9, f12)
    label L2(i13, i14, i15)
    leave() g1 -> [i15, i14, i13] @
";

#[test]
fn guards_lead_to_sections_of_their_region() {
    for forced in [false, true] {
        let log = check_all(HeapOptions::default(), |vm| {
            if forced {
                vm.backend.force_guard_failures();
            }
            vm.compile(REGION);
            let half = 0.5f64.to_bits();
            for args in [[3, 1], [4, 12], [7, i64::MAX as u64], [4, 12]] {
                vm.enter(0, &[args[0], args[1], half]);
            }
            vm.bridge(1, "[i0, i1, i2] i3 = int_add(i1, 1) jump L0(i2, i3, 2.5)");
            for args in [[3, 1], [4, 12], [7, i64::MAX as u64]] {
                vm.enter(0, &[args[0], args[1], half]);
            }
        });
        // A guard that leads to a side holds, if it holds.
        let expected = match forced {
            false => expect![[r#"
                g0 [0, 7, 0.5]
                g0 [0, 18, 1.0]
                g1 [1, 9223372036854775807, 6]
                g0 [0, 18, 1.0]
                g0 [0, 7, 0.5]
                g0 [0, 18, 1.0]
                g0 [0, -9223372036854775790, 2.5]
            "#]],
            true => expect![[r#"
                g0 [3, 1, 0.5]
                g0 [0, 18, 1.0]
                g1 [1, 9223372036854775807, 6]
                g0 [0, 18, 1.0]
                g0 [0, 7, 0.5]
                g0 [0, 18, 1.0]
                g0 [0, -9223372036854775790, 2.5]
            "#]],
        };
        expected.assert_eq(&log);
    }
}

#[test]
fn forced_guards_fail_once_although_they_hold() {
    let script = |vm: &mut Vm| {
        vm.compile(COUNT);
        vm.backend.force_guard_failures();
        vm.compile(
            "[i0, f1]
             label L1(i0, f1)
             i2 = int_lt(i0, 10)
             guard_true(i2) g10 -> [i0, f1, i2] @
             i3 = call(i0, 1) add
             guard_no_panic() g11 -> [f1, i3] @
             jump L1(i3, f1)",
        );
        vm.compile("[i0] label L2(i0) guard_true(i0) g12 -> [i0] @ jump L0(i0, 0)");
        for _ in 0..3 {
            vm.enter(1, &[5, 2.5f64.to_bits()]);
        }
        // A failure of its own counts too.
        vm.enter(2, &[0]);
        vm.enter(2, &[4]);
        vm.bridge(
            10,
            "[i0, f1, i2] i3 = int_mul(i0, 100) guard_false(i2) g13 -> [i3] @ finish(i3)",
        );
        vm.enter(1, &[5, 2.5f64.to_bits()]);
        vm.enter(1, &[5, 2.5f64.to_bits()]);
    };
    check(
        script,
        expect![[r#"
            g10 [5, 2.5, 1]
            g11 [2.5, 6]
            g10 [10, 2.5, 0]
            g12 [0]
            g0 [0, 10]
            g13 [1000]
            finish 1000
        "#]],
    );
}

#[test]
fn stubs_and_trampolines_are_freed_with_their_code() {
    for make in MACHINE_CODE {
        compile_and_free(Vm::new(make(), HeapOptions::default()));
    }
}

fn compile_and_free(mut vm: Vm) {
    let free = |vm: &mut Vm, number: u32| {
        let (target, guard) = (TargetId::from_u32(number), GuardId::from_u32(number));
        // SAFETY: nothing runs.
        unsafe { vm.backend.free(&[target], &[guard]) };
    };
    let mut steady = None;
    for round in 0..3 {
        // Each has parameters and fail arguments of its own types. The last two have the same.
        for number in 0..40 {
            let shape = number.min(38) as usize;
            vm.compile(&rotating(
                2 + shape % 7,
                1 + shape / 7,
                100 * round + number,
            ));
        }
        for number in 0..39 {
            free(&mut vm, 100 * round + number);
        }
        let last = vm.backend.code_bytes();
        assert!(last > 0 && *steady.get_or_insert(last) == last);
        free(&mut vm, 100 * round + 39);
        assert_eq!(vm.backend.code_bytes(), 0);
    }
}

#[test]
fn a_replaced_bridge_is_freed() {
    for make in MACHINE_CODE {
        replace_bridges(Vm::new(make(), HeapOptions::default()));
    }
}

fn replace_bridges(mut vm: Vm) {
    vm.compile(COUNT);
    let bridge = "[i0, i1] guard_true(i0) g1 -> [i0] @ finish(i1)";
    vm.bridge(0, bridge);
    vm.bridge(0, bridge);
    vm.bridge(0, bridge);
    let steady = vm.backend.code_bytes();
    for _ in 0..50 {
        vm.bridge(0, bridge);
        vm.bridge(1, "[i0] finish(3)");
    }
    vm.bridge(0, bridge);
    vm.bridge(0, bridge);
    assert!(
        vm.backend.code_bytes() <= steady,
        "{} > {steady}",
        vm.backend.code_bytes()
    );
    assert_eq!(vm.run(0, &[0, 9]), CodeExit::Guard(GuardId::from_u32(1)));
}

#[test]
fn an_entry_outlives_its_backend() {
    for backend in all().iter().map(|make| make()) {
        let mut vm = Vm::new(backend, HeapOptions::default());
        vm.compile("[i0] label L0(i0) jump L1(i0) label L1(i1) i2 = int_neg(i1) finish(i2)");
        let entry = vm.entry(0);
        vm.backend = oracle();
        // SAFETY: the trace touches no heap.
        let exit = unsafe { entry.run(&mut *vm.context, &[5]) };
        assert_eq!(exit, CodeExit::Finish(-5i64 as u64));
    }
}

#[test]
fn unknown_guards_and_labels() {
    for backend in all().iter().map(|make| make()) {
        let mut vm = Vm::new(backend, HeapOptions::default());
        assert!(
            vm.backend
                .entry(verdigris_trace::TargetId::from_u32(3))
                .is_none()
        );
        let trace = vm.parse("[] finish()", &[]);
        let error = vm.bridge_trace(GuardId::from_u32(8), &trace).unwrap_err();
        assert_eq!(error.0, "the guard g8 has not been compiled");
    }
}

/// A guard tests an overflow that another operation may need as a word.
#[test]
fn an_overflow_is_tested_by_a_guard() {
    let numbers = [0, 1, -1, 1 << 62, i64::MAX, i64::MIN].map(|n: i64| n as u64);
    for op in ["add", "sub", "mul"] {
        for result in ["i2", "i3"] {
            check_all(HeapOptions::default(), |vm| {
                vm.compile(&format!(
                    "[i0, i1] label L0(i0, i1)
                     i2 = int_{op}_overflows(i0, i1)
                     guard_false(i2) g0 -> [i0, i1] @
                     i3 = int_{op}(i0, i1)
                     finish({result})"
                ));
                for x in numbers {
                    for y in numbers {
                        vm.enter(0, &[x, y]);
                    }
                }
            });
        }
    }
}

/// The engine, which sets the limit of the native stack, relies on it that no frame is larger.
#[test]
fn code_with_a_large_frame_is_refused() {
    let with = |make: &fn() -> Box<dyn Backend>, values: usize| {
        let mut text = String::from("[i0, p1]\nlabel L0(i0, p1)\n");
        for n in 0..values {
            text += &format!("i{} = int_mul(i0, {n})\n", n + 10);
        }
        // All of them live at once: the last is wanted first.
        for n in (0..values).rev() {
            text += &format!("setfield_i(p1, i{}) Node.value\n", n + 10);
        }
        text += "finish(i0)";
        let mut vm = Vm::new(make(), HeapOptions::default());
        let trace = vm.parse(&text, &[]);
        vm.compile_trace(&trace)
    };
    for make in MACHINE_CODE {
        assert!(with(make, MAX_FRAME / 16).is_ok());
        let error = with(make, MAX_FRAME / 8 + 100).expect_err("it is too large");
        assert!(error.0.contains("bytes of the native stack"), "{error:?}");
    }
}
