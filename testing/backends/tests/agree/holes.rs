//! Holes: words of records, which exits hand over whether code has loaded them or not.

use expect_test::expect;
use verdigris_backends::{bits, check};
use verdigris_heap::HeapOptions;
use verdigris_traces::vm::{Vm, check_all};

/// Of each type one hole that an operation needs, one that exits alone ask for, and one that both
/// do.
#[test]
fn holes_of_all_types_are_used_and_handed_over() {
    check(
        |vm| {
            vm.compile_stencil(
                "[i0, i1, p2, f3]
                 label L0(i0, i1, p2, f3)
                 i4 = hole(i0, 2)
                 p5 = hole(i0, 3)
                 f6 = hole(i0, 4)
                 i7 = hole(i0, 5)
                 p8 = hole(i0, 6)
                 f9 = hole(i0, 7)
                 i10 = int_lt(i1, i7)
                 guard_true(i10) g0 -> [i1, i4, p5, f6, i7, p8, f9, p2, f3] @
                 f11 = float_add(f3, f9)
                 setfield_f(p8, f11) Node.weight
                 i12 = getfield_i(p2) Node.value
                 guard_value(i12, 4) g1 -> [f11, f9, f6, p8, p5, i12, i7, i4] @
                 p13 = hole(i0, 3)
                 f14 = hole(i0, 7)
                 f15 = float_mul(f14, 2.0)
                 i16 = float_lt(f15, 8.0)
                 guard_true(i16) g2 -> [f14, f15, p13] @
                 leave() g3 -> [p13, f14, f6, i4, i1] @",
            );
            let own = vm.node(1, 0, 1.0);
            let next = vm.node(2, own, 2.0);
            let words = [10, own, bits(0.25), 20, next, bits(0.5)];
            let record = vm.record(0, 0, &words);
            for (i, value, f) in [(20, 4, 1.5), (19, 5, 2.5), (18, 4, 3.5)] {
                let node = vm.node(value, 0, 0.0);
                vm.enter(0, &[record, i, node, bits(f)]);
            }
            vm.set_record_word(record, 7, bits(4.0));
            let node = vm.node(4, 0, 0.0);
            vm.enter(0, &[record, 3, node, bits(4.5)]);
        },
        expect![[r#"
            g0 [20, 10, Node{1, null, 1.0}, 0.25, 20, Node{2, Node{1, null, 1.0}, 2.0}, 0.5, Node{4, null, 0.0}, 1.5]
            g1 [3.0, 0.5, 0.25, Node{2, Node{1, null, 1.0}, 3.0}, Node{1, null, 1.0}, 5, 20, 10]
            g3 [Node{1, null, 1.0}, 0.5, 0.25, 10, 18]
            g2 [4.0, 8.0, Node{1, null, 1.0}]
        "#]],
    );
}

/// A double and an integer that are the same word of the record, and a double's bits.
#[test]
fn a_word_is_a_hole_of_several_types() {
    check(
        |vm| {
            vm.compile_stencil(
                "[i0, i1]
                 label L0(i0, i1)
                 f2 = hole(i0, 2)
                 i3 = hole(i0, 2)
                 i4 = float_bits(f2)
                 f5 = float_from_bits(i3)
                 guard_true(i1) g0 -> [f2, i3, i4, f5] @
                 i6 = int_eq(i3, i4)
                 f7 = float_add(f2, f5)
                 guard_false(i6) g1 -> [f7, i6, i4, f5, i3, f2] @
                 finish(i6)",
            );
            let record = vm.record(0, 0, &[bits(2.5)]);
            vm.enter(0, &[record, 0]);
            vm.enter(0, &[record, 1]);
        },
        expect![[r#"
            g0 [2.5, 4612811918334230528, 4612811918334230528, 2.5]
            g1 [5.0, 1, 4612811918334230528, 2.5, 4612811918334230528, 2.5]
        "#]],
    );
}

/// More integers and doubles live at an exit than there are registers, with holes between
/// them, of which some are loaded.
#[test]
fn exits_hand_over_holes_between_registers_and_slots() {
    for (ints, floats) in [(2, 2), (8, 8), (14, 17), (40, 40)] {
        let mut text = String::from("[i0, i1, f2]\nlabel L0(i0, i1, f2)\n");
        let mut args = Vec::new();
        let mut number = 3;
        let mut name = |letter: char| {
            number += 1;
            format!("{letter}{number}")
        };
        let (mut i, mut f) = ("i1".to_owned(), "f2".to_owned());
        let mut sums = String::new();
        for n in 0..ints.max(floats) {
            let (unused, used, float) = (name('i'), name('i'), name('f'));
            text += &format!("{unused} = hole(i0, {})\n", 2 + n % 5);
            text += &format!("{used} = hole(i0, {})\n", 3 + n % 3);
            text += &format!("{float} = hole(i0, {})\n", 7 + n % 2);
            args.extend([unused, used.clone()]);
            if n < ints {
                let next = name('i');
                text += &format!("{next} = int_add({i}, {used})\n");
                args.push(next.clone());
                i = next;
            }
            args.push(float.clone());
            if n < floats {
                let next = name('f');
                text += &format!("{next} = float_add({f}, {float})\n");
                args.push(next.clone());
                f = next;
            }
            // Loaded holes are needed again behind the exit.
            let (sum, difference) = (name('i'), name('f'));
            sums +=
                &format!("{sum} = int_xor({used}, {i})\n{difference} = float_sub({float}, {f})\n");
            sums += &format!(
                "setfield_i(p9999, {sum}) Node.value\nsetfield_f(p9999, {difference}) Node.weight\n"
            );
        }
        let args = args.join(", ");
        text += &format!(
            "i9998 = int_lt({i}, 1000000)
             guard_true(i9998) g0 -> [{args}] @
             p9999 = new() Node
             {sums}
             guard_class(p9999) Narrow g1 -> [p9999, {args}] @
             finish(0)",
        );
        let log = check_all(HeapOptions::default(), |vm| {
            vm.compile_stencil(&text);
            let words = [1, 20, 300, 4000, 50000, bits(0.5), bits(0.25)];
            let record = vm.record(0, 0, &words);
            vm.enter(0, &[record, 0, bits(1.5)]);
            vm.enter(0, &[record, 1 << 40, bits(-1.5)]);
        });
        let exits: Vec<&str> = log.lines().map(|line| &line[..2]).collect();
        assert_eq!(exits, ["g1", "g0"]);
    }
}

/// The exits of comparisons with holes in front of their guards, for each way in which a comparison
/// is done with its guard.
#[test]
fn holes_stand_between_a_comparison_and_its_guard() {
    let holes = "i90 = hole(i0, 2)\np91 = hole(i0, 3)\nf92 = hole(i0, 4)\n";
    let tests = [
        "i10 = int_lt(i1, i2)",
        "i10 = float_lt(f3, f4)",
        "i10 = float_eq(f3, f4)",
        "i10 = ptr_eq(p5, null)",
        "i10 = int_add_overflows(i1, i2)",
        "i10 = int_mul_overflows(i1, i2)",
        "i10 = int_and(i1, i2)",
        "i10 = getfield_i(p5) Node.value",
    ];
    let guards = ["guard_true(i10)", "guard_false(i10)", "guard_value(i10, 1)"];
    // The same with the result of the comparison, and the holes, needed behind it.
    let needs = [
        "finish(i1)",
        "i11 = int_add(i10, i90)\nfinish(i11)",
        "i11 = int_add(i1, i2)\ni12 = int_xor(i11, i90)\nf13 = float_add(f92, f3)\nsetfield_f(p91, f13) Node.weight\nfinish(i12)",
    ];
    for test in tests {
        for guard in guards {
            for need in needs {
                let text = format!(
                    "[i0, i1, i2, f3, f4, p5]
                     label L0(i0, i1, i2, f3, f4, p5)
                     {test}
                     {holes}
                     {guard} g0 -> [i1, f92, i10, i90, i2, p91, f3] @
                     {need}"
                );
                check_all(HeapOptions::default(), |vm| {
                    vm.compile_stencil(&text);
                    let own = vm.node(9, 0, 0.5);
                    let words = [77, own, bits(6.5)];
                    let record = vm.record(0, 0, &words);
                    for (x, y) in [(1, 2), (2, 1), (i64::MAX, 1), (i64::MAX, 3), (0, 0)] {
                        let (f, g) = (bits(x as f64), bits(y as f64));
                        let node = vm.node(y, 0, 1.0);
                        vm.enter(0, &[record, x as u64, y as u64, f, g, node]);
                        vm.enter(0, &[record, x as u64, y as u64, bits(f64::NAN), g, node]);
                    }
                });
            }
        }
    }
}

/// Loading them takes the registers of everything else, with an operand to
/// take back in the exit.
#[test]
fn many_holes_stand_between_a_comparison_and_its_guard() {
    for test in [
        "int_add_overflows(i1, i2)",
        "int_lt(i1, i2)",
        "int_is_zero(i1)",
    ] {
        for count in [3, 9, 30] {
            let mut text = format!("[i0, i1, i2, f3]\nlabel L0(i0, i1, i2, f3)\ni4 = {test}\n");
            let (mut sums, mut handed) = (String::new(), "i2, i4".to_owned());
            let (mut i, mut f) = ("i1".to_owned(), "f3".to_owned());
            for n in 0..count {
                let (loaded, double) = (format!("i{}", 10 + n), format!("f{}", 100 + n));
                text += &format!("{loaded} = hole(i0, {})\n", 2 + n % 3);
                text += &format!("{double} = hole(i0, 5)\n");
                handed += &format!(", {double}, {loaded}");
                sums += &format!("i{} = int_sub({loaded}, {i})\n", 200 + n);
                sums += &format!("f{} = float_sub({double}, {f})\n", 300 + n);
                (i, f) = (format!("i{}", 200 + n), format!("f{}", 300 + n));
            }
            text += &format!(
                "guard_false(i4) g0 -> [i1, {handed}, f3] @
                 i5 = int_add(i1, i2)
                 {sums}
                 leave() g1 -> [{i}, i5, {f}, {handed}] @"
            );
            let side = "guard_false(i4) => L1(i1, i10, f100, f3, i2)";
            let side = text.replace(&format!("guard_false(i4) g0 -> [i1, {handed}, f3] @"), side)
                + "\nlabel L1(i6, i7, f8, f9, i500) leave() g0 -> [i6, f9, i7, f8, i500] @";
            for text in [text, side] {
                check_all(HeapOptions::default(), |vm| {
                    vm.compile_stencil(&text);
                    let record = vm.record(0, 0, &[1, 20, 300, bits(0.5)]);
                    for (x, y) in [(3, 2), (2, 3), (0, 0), (i64::MAX, 1)] {
                        vm.enter(0, &[record, x as u64, y as u64, bits(1.5)]);
                    }
                });
            }
        }
    }
}

/// A side takes holes as parameters, the record among what it takes, and has exits and ends of its
/// own.
#[test]
fn sides_take_holes_as_parameters() {
    let text = "
        [i0, i1, f2]
        label L0(i0, i1, f2)
        i3 = hole(i0, 2)
        f4 = hole(i0, 3)
        p5 = hole(i0, 4)
        i6 = int_lt(i1, i3)
        guard_true(i6) => L1(f4, i0, i3, p5)
        guard_value(i1, 5) => L2(i3, p5, i1)
        guard_value(i3, 8) g0 -> [i3, f4, i1, f2, p5] @
        i7 = hole(i0, 5)
        thread(i7, i3, f4)
        label L1(f8, i9, i10, p11)
        i12 = hole(i9, 2)
        i13 = hole(i9, 6)
        f14 = float_add(f8, 1.0)
        guard_value(i10, 8) g1 -> [i13, f8, i12, p11, f14, i10] @
        i15 = hole(i9, 5)
        i16 = int_add(i12, i10)
        thread(i15, i16, f14)
        label L2(i17, p18, i19)
        i20 = int_sub(i17, i19)
        guard_value(i20, 4) g2 -> [p18, i20, i17] @
        jump L1(0.5, 0, i17, p18)
    ";
    let script = |vm: &mut Vm| {
        vm.compile_stencil(&text.replace("jump L1(0.5, 0, i17, p18)", "finish(i20)"));
        vm.compile_stencil(
            "[i0, i1, f2] label L9(i0, i1, f2) i3 = hole(i0, 2) leave() g9 -> [f2, i3, i1] @",
        );
        let node = vm.node(3, 0, 4.5);
        let end = vm.record(9, 0, &[-1i64 as u64]);
        for limit in [8, 9] {
            let words = [limit, bits(0.75), node, end, 66];
            let record = vm.record(0, 0, &words);
            for i in [5, 4, 8, 20] {
                vm.enter(0, &[record, i, bits(1.5)]);
            }
        }
    };
    check(
        script,
        expect![[r#"
        g9 [0.75, -1, 8]
        finish 4
        g9 [1.75, -1, 16]
        g9 [1.75, -1, 16]
        g0 [9, 0.75, 5, 1.5, Node{3, null, 4.5}]
        g2 [Node{3, null, 4.5}, 5, 9]
        g2 [Node{3, null, 4.5}, 1, 9]
        g1 [66, 0.75, 9, Node{3, null, 4.5}, 1.75, 9]
    "#]],
    );
}

/// A call keeps words of the record too.
#[test]
fn what_is_kept_during_a_call_may_be_a_hole() {
    check(
        |vm| {
            vm.compile_stencil(
                "[i0, i1, p2]
                 label L0(i0, i1, p2)
                 i3 = hole(i0, 2)
                 f4 = hole(i0, 3)
                 p5 = hole(i0, 4)
                 i6 = call(i1) boom
                 guard_not_forced() g0 -> [p5, i3, f4, i1, p2]
                   p5.Node.value = i3 p2.Node.weight = f4 keeps p5, p2 @
                 setfield_i(p5, i6) Node.value
                 leave() g1 -> [i3, p5, f4, p2] @",
            );
            let (own, other) = (vm.node(1, 0, 1.0), vm.node(2, 0, 2.0));
            let record = vm.record(0, 0, &[8, bits(0.5), own]);
            vm.enter(0, &[record, 4, other]);
            vm.enter(0, &[record, 10, other]);
        },
        expect![[r#"
            g1 [8, Node{5, null, 1.0}, 0.5, Node{2, null, 2.0}]
            g0 [Node{5, null, 1.0}, 8, 0.5, 10, Node{2, null, 2.0}] panicked: boom
        "#]],
    );
}

/// Words of another record are read like those of the own one.
#[test]
fn a_stencil_reads_two_records() {
    check(
        |vm| {
            vm.compile_stencil(
                "[i0, i1]
                 label L0(i0, i1)
                 i2 = hole(i0, 2)
                 i3 = hole(i0, 3)
                 i4 = hole(i3, 2)
                 i5 = hole(i3, 4)
                 guard_true(i1) g0 -> [i2, i4, i1, i5] @
                 i6 = hole(i0, 4)
                 guard_value(i1, 2) g1 -> [i5, i6, i4] @
                 thread(i3, i2)",
            );
            vm.compile_stencil(
                "[i0, i1] label L1(i0, i1) i2 = hole(i0, 4) leave() g2 -> [i1, i2] @",
            );
            let second = vm.record(1, 0, &[20, 0, 40]);
            let first = vm.record(0, 0, &[2, second, 4]);
            for i in 0..3 {
                vm.enter(0, &[first, i]);
            }
        },
        expect![[r#"
            g0 [2, 20, 0, 40]
            g1 [40, 4, 20]
            g2 [2, 40]
        "#]],
    );
}
