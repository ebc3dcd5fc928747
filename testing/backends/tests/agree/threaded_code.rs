//! Threaded code: it goes on where a record says, with the values where that code takes them, as
//! often as it counts.

use expect_test::expect;
use verdigris_backends::{bits, check};
use verdigris_heap::HeapOptions;
use verdigris_trace::TargetId;
use verdigris_traces::vm::{Vm, all, check_all};

/// A stencil that adds a word of its record, and one that multiplies by one. Each has its number in
/// the record, and the next record.
const ADD: &str = "
    [i0, i1]
    label L0(i0, i1)
    i2 = hole(i0, 2)
    guard_count(i0) g0 -> [i2, i1] @
    i3 = hole(i0, 3)
    i4 = int_add(i1, i3)
    i5 = hole(i0, 4)
    thread(i5, i4)
";

const MULTIPLY: &str = "
    [i0, i1]
    label L1(i0, i1)
    i2 = hole(i0, 2)
    guard_count(i0) g1 -> [i1, i2] @
    i3 = hole(i0, 3)
    i4 = int_mul(i1, i3)
    i5 = hole(i0, 4)
    thread(i5, i4)
";

#[test]
fn stencils_thread_to_each_other_until_a_count_runs_out() {
    check(
        |vm| {
            vm.compile_stencil(ADD);
            vm.compile_stencil(MULTIPLY);
            let a = vm.record(0, 4, &[100, 5, 0]);
            let b = vm.record(1, 3, &[200, 2, a]);
            vm.set_record_word(a, 4, b);
            for _ in 0..2 {
                vm.enter(0, &[a, 1]);
                vm.note_counts(&[a, b]);
            }
            vm.set_record_word(a, 1, 1);
            vm.set_record_word(b, 1, 2);
            vm.enter(1, &[b, 3]);
            vm.note_counts(&[a, b]);
        },
        expect![[r#"
            g1 [39, 200]
            counts 1, 0
            g0 [100, 1]
            counts 0, 0
            g0 [100, 6]
            counts 0, 1
        "#]],
    );
}

/// A hundred places that share two stencils, each of which has another one behind it.
#[test]
fn many_places_share_their_code() {
    let log = check_all(HeapOptions::default(), |vm| {
        vm.compile_stencil(ADD);
        vm.compile_stencil(MULTIPLY);
        vm.compile_stencil("[i0, i1] label L2(i0, i1) finish(i1)");
        let end = vm.record(2, 0, &[]);
        let mut records = vec![end];
        for n in 0..100u64 {
            let next = records[n as usize];
            let record = vm.record((n % 2) as u32, 2, &[n, n * n + 1, next]);
            records.push(record);
        }
        vm.enter(0, &[records[99], 7]);
        vm.note_counts(&records);
        // Now each count runs out, the last one's first.
        vm.enter(1, &[records[100], 7]);
        vm.enter(0, &[records[99], 7]);
    });
    let counts = log.lines().nth(1).expect("the counts");
    assert_eq!(counts.matches('1').count(), 99, "{log}");
}

#[test]
fn a_count_that_is_not_wanted_goes_below_nothing() {
    check(
        |vm| {
            vm.compile_stencil(
                "[i0] label L0(i0) guard_count(i0) g0 -> [] @ i1 = hole(i0, 1) finish(i1)",
            );
            let record = vm.record(0, 0, &[]);
            vm.enter(0, &[record]);
            vm.enter(0, &[record]);
            let last = vm.record(0, 1, &[]);
            vm.enter(0, &[last]);
            vm.note_counts(&[record, last]);
        },
        expect![[r#"
            finish -1
            finish -2
            g0 []
            counts -2, 0
        "#]],
    );
}

/// Parameters of a stencil: the record, then these many integers, doubles and objects, in turn.
fn parameters(ints: usize, floats: usize, refs: usize) -> Vec<String> {
    let mut names = vec!["i0".to_owned()];
    for n in 0..ints.max(floats).max(refs) {
        let letters = [('i', ints), ('f', floats), ('p', refs)];
        for (letter, _) in letters.into_iter().filter(|&(_, count)| n < count) {
            names.push(format!("{letter}{}", names.len()));
        }
    }
    names
}

/// A stencil that hands its parameters on in another order: those of each type are turned by one.
/// Every one of them is handed over when the count has run out.
fn turning(label: u32, names: &[String], middle: &str) -> String {
    let of = |letter: char| -> Vec<String> {
        let own = names[1..].iter().filter(|name| name.starts_with(letter));
        let mut own: Vec<String> = own.cloned().collect();
        if !own.is_empty() {
            own.rotate_left(1);
        }
        own
    };
    let mut turned = ['i', 'f', 'p'].map(|letter| (letter, of(letter).into_iter()));
    let turned: Vec<String> = names[1..]
        .iter()
        .map(|name| {
            let own = turned
                .iter_mut()
                .find(|(letter, _)| name.starts_with(*letter));
            own.and_then(|(_, rest)| rest.next())
                .expect("there are as many")
        })
        .collect();
    let (all, handed) = (names.join(", "), names[1..].join(", "));
    let turned = turned.join(", ");
    format!(
        "[{all}]
         label L{label}({all})
         i900 = hole(i0, 2)
         guard_count(i0) g{label} -> [{handed}, i900] @
         {middle}
         i901 = hole(i0, 3)
         thread(i901, {turned})"
    )
}

fn check_turning(ints: usize, floats: usize, refs: usize, middles: [&str; 2]) {
    let names = parameters(ints, floats, refs);
    let log = check_all(HeapOptions::default(), |vm| {
        for (label, middle) in (0..).zip(middles) {
            vm.compile_stencil(&turning(label, &names, middle));
        }
        let a = vm.record(0, 17, &[1, 0]);
        let b = vm.record(1, 19, &[2, a]);
        vm.set_record_word(a, 3, b);
        let mut args = vec![a];
        for (n, name) in (1..).zip(&names[1..]) {
            let word = match &name[..1] {
                "i" => n * 11,
                "f" => bits(n as f64 + 0.5),
                _ => vm.node(n as i64, 0, 0.25),
            };
            args.push(word);
        }
        vm.enter(0, &args);
        vm.note_counts(&[a, b]);
    });
    assert!(
        log.starts_with("g0 ") && log.ends_with("counts 0, 3\n"),
        "{log}"
    );
}

#[test]
fn more_reds_than_registers_go_through_slots() {
    for ints in [0, 1, 4, 5, 6, 9, 20] {
        for floats in [0, 1, 7, 8, 9, 20] {
            for refs in [1, 2, 7] {
                check_turning(ints, floats, refs, ["", ""]);
            }
        }
    }
}

/// Code with a large frame and code with a small one go on at each other; calls find what they need
/// of the stack.
#[test]
fn stencils_have_frames_of_their_own() {
    let call = "i910 = call(i900, 1, 2, 3, 4, 5, 6, 1.5, 7, 8) many
         guard_no_panic() g7 -> [i910, i900] @
         call(i910) record";
    let mut large = String::new();
    for n in 0..60 {
        large += &format!("i{} = int_mul(i900, {n})\n", 920 + n);
    }
    for n in (0..60).rev() {
        large += &format!("call(i{}) record\n", 920 + n);
    }
    for (ints, floats, refs) in [(1, 1, 1), (3, 0, 0), (8, 10, 3), (20, 20, 20)] {
        for middles in [
            [call, ""],
            ["", call],
            [call, &large],
            [&large, call],
            [&large, ""],
        ] {
            check_turning(ints, floats, refs, middles);
        }
    }
}

#[test]
fn a_thread_passes_constants_and_one_value_twice() {
    check(
        |vm| {
            vm.compile_stencil(
                "[i0, i1, f2, p3]
                 label L0(i0, i1, f2, p3)
                 i4 = hole(i0, 2)
                 f5 = hole(i0, 3)
                 i6 = hole(i0, 4)
                 thread(i6, i4, i4, 7, i1, i1, f5, f5, 2.5, f2, f2, p3, null, p3, i1, i4, 0, 0.0)",
            );
            vm.compile_stencil(
                "[i0, i1, i2, i3, i4, i5, f6, f7, f8, f9, f10, p11, p12, p13, i14, i15, i16, f17]
                 label L1(i0, i1, i2, i3, i4, i5, f6, f7, f8, f9, f10, p11, p12, p13, i14, i15, i16, f17)
                 leave() g1 -> [i1, i2, i3, i4, i5, f6, f7, f8, f9, f10, p11, p12, p13, i14, i15, i16, f17] @",
            );
            // This one uses hardly any of them.
            vm.compile_stencil(
                "[i0, i1, i2, i3, i4, i5, f6, f7, f8, f9, f10, p11, p12, p13, i14, i15, i16, f17]
                 label L2(i0, i1, i2, i3, i4, i5, f6, f7, f8, f9, f10, p11, p12, p13, i14, i15, i16, f17)
                 i18 = hole(i0, 2)
                 guard_value(i18, 3) g2 -> [p13, i15, f10] @
                 leave() g3 -> [p12, i18] @",
            );
            let node = vm.node(5, 0, 5.0);
            let all = vm.record(1, 0, &[]);
            let (some, few) = (vm.record(2, 0, &[4]), vm.record(2, 0, &[3]));
            for next in [all, some, few] {
                let record = vm.record(0, 0, &[31, bits(1.25), next]);
                vm.enter(0, &[record, 8, bits(9.5), node]);
            }
        },
        expect![[r#"
            g1 [31, 31, 7, 8, 8, 1.25, 1.25, 2.5, 9.5, 9.5, Node{5, null, 5.0}, null, Node{5, null, 5.0}, 8, 31, 0, 0.0]
            g2 [Node{5, null, 5.0}, 31, 9.5]
            g3 [null, 3]
        "#]],
    );
}

#[test]
fn calls_stand_in_the_middle_of_a_stencil() {
    check(
        |vm| {
            vm.compile_stencil(
                "[i0, i1, f2, p3]
                 label L0(i0, i1, f2, p3)
                 i4 = hole(i0, 2)
                 f5 = hole(i0, 3)
                 p6 = hole(i0, 4)
                 i7 = hole(i0, 5)
                 call(i4) record
                 guard_no_panic() g0 -> [i4, f5, p6, i7, i1] @
                 i8 = call(i1) boom
                 guard_no_panic() g1 -> [i1, i7, f5, p6, i4, f2, p3] @
                 call() collect
                 f9 = float_add(f2, f5)
                 setfield_f(p6, f9) Node.weight
                 i10 = call(i8, i7) add
                 guard_value(i10, 40) g2 -> [f9, p6, i10, i8, i7, p3, f5] @
                 i11 = hole(i0, 6)
                 thread(i11, i10, f9, p6)",
            );
            vm.compile_stencil(
                "[i0, i1, f2, p3]
                 label L1(i0, i1, f2, p3)
                 i4 = hole(i0, 2)
                 leave() g3 -> [i4, i1, f2, p3] @",
            );
            let (own, other) = (vm.node(1, 0, 1.0), vm.node(2, 0, 2.0));
            let end = vm.record(1, 0, &[5]);
            let words = [70, bits(0.5), own, 31, end];
            let record = vm.record(0, 0, &words);
            for i in [10, 7, 8] {
                vm.enter(0, &[record, i, bits(2.25), other]);
            }
        },
        expect![[r#"
            g1 [10, 31, 0.5, Node{1, null, 1.0}, 70, 2.25, Node{2, null, 2.0}] panicked: boom recorded 70
            g2 [2.75, Node{1, null, 2.75}, 39, 8, 31, Node{2, null, 2.0}, 0.5] recorded 70
            g3 [5, 40, 2.75, Node{1, null, 2.75}] recorded 70
        "#]],
    );
}

/// The next record comes from a red, or from memory.
#[test]
fn a_thread_goes_to_a_record_that_is_known_at_run_time() {
    check(
        |vm| {
            vm.compile_stencil(
                "[i0, i1, p2]
                 label L0(i0, i1, p2)
                 i3 = hole(i0, 2)
                 i4 = getitem_i(p2, i1) Ints
                 i5 = int_add(i1, i3)
                 thread(i4, i5, p2)",
            );
            vm.compile_stencil(
                "[i0, i1, p2]
                 label L1(i0, i1, p2)
                 i3 = hole(i0, 2)
                 guard_count(i0) g1 -> [i3, i1] @
                 i4 = int_and(i1, 3)
                 i5 = getitem_i(p2, i4) Ints
                 thread(i5, i4, p2)",
            );
            vm.compile_stencil("[i0, i1] label L2(i0, i1) thread(i1, 2)");
            vm.compile_stencil(
                "[i0, i1] label L3(i0, i1) i2 = hole(i0, 2) leave() g3 -> [i2, i1] @",
            );
            let a = vm.record(0, 0, &[1]);
            let b = vm.record(1, 6, &[100]);
            let c = vm.record(1, 7, &[200]);
            let table = vm.array("Ints", &[a, b, c, a, b]);
            for start in 0..3 {
                vm.set_record_word(b, 1, 6);
                vm.set_record_word(c, 1, 7);
                vm.enter(0, &[a, start, table]);
                vm.note_counts(&[b, c]);
            }
            let through = vm.record(2, 0, &[]);
            for n in [11, 12] {
                let end = vm.record(3, 0, &[n]);
                vm.enter(2, &[through, end]);
            }
        },
        expect![[r#"
            g1 [200, 2]
            counts 5, 0
            g1 [200, 2]
            counts 5, 0
            g1 [100, 1]
            counts 0, 6
            g3 [11, 2]
            g3 [12, 2]
        "#]],
    );
}

/// Ordinary code goes to stencils, stencils go to ordinary code and back to their own start, and
/// guards without holes have bridges.
#[test]
fn stencils_and_other_code_go_to_each_other() {
    check(
        |vm| {
            vm.compile(
                "[i0, i1, f2]
                 label L0(i0, i1, f2)
                 i3 = int_gt(i1, 0)
                 guard_true(i3) g0 -> [i1, f2] @
                 i4 = int_sub(i1, 1)
                 f5 = float_mul(f2, 2.0)
                 jump L0(i0, i4, f5)",
            );
            vm.compile_stencil(
                "[i0, i1, f2]
                 label L1(i0, i1, f2)
                 i3 = hole(i0, 2)
                 i4 = int_lt(i1, i3)
                 guard_false(i4) => L2(i0, i3, f2)
                 i5 = int_sub(i1, 1)
                 guard_value(i5, 77) => L4(i0, i5, f2)
                 leave() g5 -> [i5, i1] @
                 label L2(i6, i7, f8)
                 jump L0(i6, i7, f8)
                 label L4(i9, i10, f11)
                 guard_count(i9) g1 -> [i10, f11] @
                 f12 = hole(i9, 3)
                 f13 = float_add(f11, f12)
                 jump L1(i9, i10, f13)",
            );
            vm.compile("[i0, i1] label L3(i0, i1) i2 = int_add(i1, 3) jump L1(i0, i2, 0.5)");
            let record = vm.record(1, 9, &[3, bits(0.25)]);
            vm.enter(1, &[record, 2, bits(1.0)]);
            vm.enter(1, &[record, 6, bits(1.0)]);
            vm.enter(3, &[record, 1]);
            vm.enter(1, &[record, 78, bits(1.0)]);
            vm.note_counts(&[record]);
            vm.bridge(5, "[i0, i1] i2 = int_mul(i0, i1) leave() g6 -> [i2, i0] @");
            vm.enter(1, &[record, 78, bits(1.0)]);
            vm.enter(1, &[record, 20, bits(1.0)]);
            vm.note_counts(&[record]);
        },
        expect![[r#"
            g0 [0, 8.0]
            g0 [0, 16.0]
            g0 [0, 8.0]
            g5 [77, 78]
            counts 3
            g6 [6006, 77]
            g1 [17, 1.5]
            counts 0
        "#]],
    );
}

#[test]
fn forced_guards_of_stencils_fail_once() {
    check(
        |vm| {
            vm.backend.force_guard_failures();
            vm.compile_stencil(ADD);
            vm.compile_stencil(&MULTIPLY.replace("guard_count(i0)", "guard_true(i1)"));
            let a = vm.record(0, 3, &[100, 5, 0]);
            let b = vm.record(1, 0, &[200, 2, a]);
            vm.set_record_word(a, 4, b);
            for _ in 0..3 {
                vm.enter(0, &[a, 1]);
                vm.note_counts(&[a]);
            }
        },
        expect![[r#"
            g0 [100, 1]
            counts 2
            g1 [6, 200]
            counts 1
            g0 [100, 1]
            counts 0
        "#]],
    );
}

#[test]
fn a_record_can_only_name_code_that_there_is() {
    for make in all() {
        let mut vm = Vm::new(make(), HeapOptions::default());
        let word = |vm: &Vm| vm.backend.thread_word(TargetId::from_u32(0));
        assert_eq!(word(&vm), 0);
        vm.compile_stencil(ADD);
        vm.compile_stencil(MULTIPLY);
        assert!(word(&vm) != 0 && word(&vm) == word(&vm));
        assert_ne!(word(&vm), vm.backend.thread_word(TargetId::from_u32(1)));
        let guard = verdigris_trace::GuardId::from_u32(0);
        // SAFETY: nothing runs.
        unsafe { vm.backend.free(&[TargetId::from_u32(0)], &[guard]) };
        assert_eq!(word(&vm), 0);
    }
}

#[test]
fn what_is_wrong_in_a_stencil_is_an_error() {
    let error = |text: &str| {
        let messages = all().iter().map(|make| {
            let mut vm = Vm::new(make(), HeapOptions::default());
            let trace = verdigris_trace::parse(&vm.descrs, text).expect("a trace");
            vm.compile_stencil_trace(&trace).expect_err("it is wrong").0
        });
        let messages: Vec<String> = messages.collect();
        assert!(messages.iter().all(|message| *message == messages[0]));
        messages[0].clone()
    };
    expect![[r#"
        a hole has a number and a result
        a hole has a number and a result
        the arguments of hole have other types
        a thread goes to a record
        a thread goes to a record
        behind jump, finish, thread or leave only a label can follow
        v0 is not defined in its section
        a guard_count leads out of its trace
        the arguments of guard_count have other types"#]]
    .assert_eq(
        &[
            error("[i0, i1] label L0(i0, i1) i2 = hole(i0, i1) thread(i2)"),
            error("[i0] label L0(i0) hole(i0, 2) thread(i0)"),
            error("[p0] label L0(p0) i1 = hole(p0, 2) thread(i1)"),
            error("[p0] label L0(p0) thread(p0)"),
            error("[i0] label L0(i0) thread()"),
            error("[i0] label L0(i0) thread(i0) finish()"),
            error("[i0] label L0(i0) thread(i0) label L1() thread(i0)"),
            error("[i0] label L0(i0) guard_count(i0) => L1() thread(i0) label L1() finish()"),
            error("[f0] label L0(f0) guard_count(f0) g0 -> [] @ finish()"),
        ]
        .join("\n"),
    );
}
