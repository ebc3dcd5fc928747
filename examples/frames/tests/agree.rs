//! Frames that any code can look at cost nothing until other code looks, and are always right. In:
//! programs, and closures that look. Out: the same results under every setting, what is left in the
//! loops, and how often compiled code was left for it.

use expect_test::expect;
use frames::*;
use verdigris::{Options, Vm};
use verdigris_testing::{Run, agreed, agreed_for, compiled, operations};

/// A function and the number of its locals.
type Function = (Vec<u8>, usize);

/// A guest that calls the first of these functions, with an outside closure that does this.
fn guest(
    functions: Vec<Function>,
    arg: i64,
    observer: impl Fn(verdigris::Gc<Machine>, u8) -> i64 + Copy + 'static,
) -> impl Fn(Options) -> Run {
    move |options| {
        let vm = Vm::new(program(), options).expect("a VM");
        Run::on(&vm, || {
            vm.enter(|| {
                let machine = machine(&functions);
                let main = machine.functions[0];
                let result = with_observer(Box::new(observer), || call(machine, main, arg));
                assert!(machine.top.get().is_none());
                Ok::<_, String>(format!("{result} {}", machine.looks.get()))
            })
        })
    }
}

fn no_observer(_: verdigris::Gc<Machine>, _: u8) -> i64 {
    0
}

/// Local 1 is the sum of what local 0 counts down from; `inside` stands in the loop.
fn sum(inside: &[u8]) -> Vec<u8> {
    let mut ops = vec![CONST, 0, STORE, 1];
    ops.extend([LOAD, 1, ADD, 0, STORE, 1]);
    ops.extend(inside);
    ops.extend([LOAD, 0, SUB, 1, STORE, 0, LOOP, 4]);
    ops.extend([LOAD, 1, RETURN, 0]);
    ops
}

#[test]
fn nobody_looks() {
    let guest = |turns| guest(vec![(sum(&[]), 2)], turns, no_observer);
    assert_eq!(agreed_for([200, 2_000], guest).to_string(), "2001000 0");
    let run = compiled(guest(20_000), "");
    expect![[r#"
        [
            "int_add",
            "int_add",
            "int_gt",
            "guard_true",
            "jump L1",
        ]
    "#]]
    .assert_debug_eq(&operations(run.body()));
}

#[test]
fn a_call_that_may_look_makes_nothing() {
    let guest = |turns| guest(vec![(sum(&[LOOK, 0]), 2)], turns, no_observer);
    assert_eq!(agreed_for([200, 2_000], guest).to_string(), "2001000 2000");
    let run = compiled(guest(20_000), "");
    expect![[r#"
        [
            "int_add",
            "call",
            "guard_not_forced",
            "int_add",
            "int_gt",
            "guard_true",
            "jump L1",
        ]
    "#]]
    .assert_debug_eq(&operations(run.body()));
    assert_eq!((run.stats.forced, run.stats.bridges), (0, 0));
}

/// Looks at where the functions are that run, and at nothing else.
fn where_are_we(machine: verdigris::Gc<Machine>, _: u8) -> i64 {
    instructions(machine)
        .iter()
        .fold(0, |sum, &at| 100 * sum + at as i64)
}

#[test]
fn who_looks_at_what_is_real_disturbs_nothing() {
    // The result goes to a local that the loop sums up.
    let code = vec![
        CONST, 0, STORE, 1, LOOK, 0, ADD, 1, STORE, 1, LOAD, 0, SUB, 1, STORE, 0, LOOP, 4, LOAD, 1,
        RETURN, 0,
    ];
    let guest = |turns| guest(vec![(code.clone(), 2)], turns, where_are_we);
    assert_eq!(agreed_for([200, 2_000], guest).to_string(), "8000 2000");
    let run = compiled(guest(20_000), "");
    assert_eq!(
        (run.stats.forced, run.stats.loops),
        (0, 1),
        "{:?}",
        run.stats
    );
    assert!(run.stats.entries < 10, "{:?}", run.stats);
    // Each time at where the frame is; the loop knows nothing of the machine.
    assert!(run.stats.looks > 18_000, "{:?}", run.stats);
}

/// Looks at the mark.
fn read_mark(machine: verdigris::Gc<Machine>, _: u8) -> i64 {
    match mark(machine) {
        Some((at, num)) => 1000 * at as i64 + num.unwrap_or(500),
        None => -1,
    }
}

#[test]
fn a_value_of_several_words_is_seen_whole() {
    // Two marks, so that the loop's next iteration begins with another one than it leaves behind.
    let code = sum(&[MARK, 0, LOOK, 0, ADD, 1, STORE, 1, MARK, 0]);
    let real = |turns| guest(vec![(code.clone(), 2)], turns, read_mark);
    let result = agreed_for([200, 2_000], real).to_string();
    let run = compiled(real(2_000), "");
    assert_eq!(run.outcome.to_string(), result);
    assert_eq!(run.stats.forced, 0, "{:?}", run.stats);
    assert!(run.stats.looks > 900, "{:?}", run.stats);
}

#[test]
fn a_value_that_leads_to_an_object_that_is_not_made_is_taken() {
    let code = sum(&[MARK, 1, LOOK, 0, ADD, 1, STORE, 1, MARK, 0]);
    let boxed = |turns| guest(vec![(code.clone(), 2)], turns, read_mark);
    agreed_for([200, 2_000], boxed);
    let run = compiled(boxed(2_000), "");
    assert!(run.stats.forced > 0, "{:?}", run.stats);
}

/// Reads a local of the function that runs.
fn read_local(machine: verdigris::Gc<Machine>, n: u8) -> i64 {
    local(machine, 0, usize::from(n))
}

#[test]
fn who_looks_at_a_box_gets_the_true_one() {
    let code = sum(&[LOOK, 0, ADD, 1, STORE, 1]);
    let guest = |turns| guest(vec![(code.clone(), 2)], turns, read_local);
    assert_eq!(agreed_for([200, 2_000], guest).to_string(), "4002000 2000");
    let run = compiled(guest(2_000), "");
    assert!(run.stats.forced > 0, "{:?}", run.stats);
}

/// Writes a local of the function that runs, now and then.
fn write_local(machine: verdigris::Gc<Machine>, n: u8) -> i64 {
    if machine.looks.get() % i64::from(n) == 0 {
        let frame = machine.top.get().expect("a function runs");
        let value = frame.locals[1].get().map_or(0, |num| num.value) / 2;
        frame.locals[1].set(Some(verdigris::Gc::new(Num { value })));
    }
    0
}

#[test]
fn who_writes_is_heard_at_once() {
    let mut results = Vec::new();
    for n in [1, 7, 250] {
        let code = sum(&[LOOK, n, LOAD, 1, STORE, 1]);
        let guest = |turns| guest(vec![(code.clone(), 2)], turns, write_local);
        results.push(agreed_for([600, 3_000], guest).to_string());
        let run = compiled(guest(3_000), "");
        assert!(run.stats.forced > 0, "{:?}", run.stats);
    }
    expect![[r#"
        [
            "1 3000",
            "114 3000",
            "93668 3000",
        ]
    "#]]
    .assert_debug_eq(&results);
}

#[test]
fn a_call_that_reads_locals_sees_them_a_million_times() {
    let code = sum(&[PEEK, 0, ADD, 1, STORE, 1]);
    let many = guest(vec![(code.clone(), 2)], 1_000_000, no_observer);
    let run = compiled(&many, "");
    assert_eq!(run.outcome.to_string(), "1000001000000 0");
    assert!(run.stats.entries < 10, "{:?}", run.stats);
    assert_eq!((run.stats.loops, run.stats.forced), (1, 0));
    expect![[r#"
        [
            "int_add",
            "new",
            "setfield_i",
            "setitem_r",
            "new",
            "setfield_i",
            "setitem_r",
            "call",
            "guard_no_panic",
            "int_add",
            "int_add",
            "int_gt",
            "guard_true",
            "guard_not_exhausted",
            "jump L1",
        ]
    "#]]
    .assert_debug_eq(&operations(run.body()));
    agreed_for([200, 1_100], |turns| {
        guest(vec![(code.clone(), 2)], turns, no_observer)
    });
}

#[test]
fn inlined_calls_make_no_frames() {
    let code = sum(&[LOAD, 0, CALL, 1, ADD, 1, STORE, 1]);
    let double = vec![ADD, 0, STORE, 1, LOOK, 0, FIND, 1, RETURN, 0];
    let functions = vec![(code, 2), (double, 2)];
    let guest = |turns| guest(functions.clone(), turns, no_observer);
    assert_eq!(agreed_for([200, 2_000], guest).to_string(), "6003000 2000");
    let run = compiled(guest(2_000), "");
    assert_eq!(run.body().count_all("new"), 0);
    expect![[r#"
        [
            "int_add",
            "int_add",
            "call",
            "guard_not_forced",
            "int_add",
            "int_add",
            "int_gt",
            "guard_true",
            "jump L1",
        ]
    "#]]
    .assert_debug_eq(&operations(run.body()));
}

#[test]
fn the_chain_of_frames_is_there_for_who_looks() {
    let code = sum(&[LOAD, 0, CALL, 1, ADD, 1, STORE, 1]);
    let callee = vec![
        ADD, 0, STORE, 1, LOOK, 2, ADD, 1, STORE, 0, OUTER, 1, ADD, 0, RETURN, 0,
    ];
    for observer in [
        where_are_we as fn(verdigris::Gc<Machine>, u8) -> i64,
        |machine, _| local(machine, 1, 1),
        |machine, n| local(machine, 0, 1) + local(machine, 1, 0) + i64::from(n),
        write_outer,
    ] {
        let functions = vec![(code.clone(), 2), (callee.clone(), 2)];
        agreed_for([200, 1_100], |turns| {
            guest(functions.clone(), turns, observer)
        });
    }
}

/// Writes a local of the function that waits.
fn write_outer(machine: verdigris::Gc<Machine>, _: u8) -> i64 {
    let top = machine.top.get().expect("a function runs");
    if let Some(back) = top.back
        && machine.looks.get() % 10 == 0
    {
        let value = back.locals[1].get().map_or(0, |num| num.value) % 1000;
        back.locals[1].set(Some(verdigris::Gc::new(Num { value })));
    }
    1
}

#[test]
fn interpreters_in_each_other_see_the_outer_frames() {
    // The inner function finds the outer one's local, in traced code, while the outer one is
    // suspended.
    let code = sum(&[LOAD, 0, NEST, 1, ADD, 1, STORE, 1]);
    let inner = vec![
        STORE, 0, CONST, 9, STORE, 1, OUTER, 1, ADD, 0, STORE, 0, LOAD, 1, SUB, 1, STORE, 1, LOOP,
        6, LOOK, 1, ADD, 0, RETURN, 0,
    ];
    for observer in [
        no_observer as fn(verdigris::Gc<Machine>, u8) -> i64,
        where_are_we,
        |machine, _| local(machine, 1, 1),
        write_outer,
    ] {
        agreed(guest(
            vec![(code.clone(), 2), (inner.clone(), 2)],
            300,
            observer,
        ));
    }
}

#[test]
fn functions_that_write_locals_are_heard() {
    let code = sum(&[POKE, 1, LOAD, 1, ADD, 0, POKE, 1]);
    agreed_for([200, 1_100], |turns| {
        guest(vec![(code.clone(), 2)], turns, no_observer)
    });
}

#[test]
fn a_panic_finds_the_frames_as_they_are() {
    for at in [1, 500, 999] {
        agreed(move |options: Options| {
            let vm = Vm::new(program(), options).expect("a VM");
            Run::on(&vm, || {
                vm.enter(|| {
                    let machine = machine(&[(sum(&[LOOK, 3]), 2)]);
                    let main = machine.functions[0];
                    let observer = move |m: verdigris::Gc<Machine>, _: u8| {
                        if m.looks.get() == at {
                            std::panic::resume_unwind(Box::new("enough"));
                        }
                        if m.looks.get() % 3 == 0 {
                            local(m, 0, 1)
                        } else {
                            0
                        }
                    };
                    let caught = with_observer(Box::new(observer), || {
                        std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                            call(machine, main, 1000)
                        }))
                        .is_err()
                    });
                    let at = machine.top.get().map(|f| f.at.get());
                    let sum = local(machine, 0, 1);
                    Ok::<_, String>(format!("{caught} {at:?} {sum}"))
                })
            })
        });
    }
}

#[test]
fn what_is_taken_often_is_not_kept() {
    for (n, observer, result) in [
        (
            0,
            read_local as fn(verdigris::Gc<Machine>, u8) -> i64,
            "400020000 20000",
        ),
        (1, write_local, "1 20000"),
    ] {
        let code = sum(&[LOOK, n, ADD, 1, STORE, 1]);
        let guest = guest(vec![(code, 2)], 20_000, observer);
        let run = compiled(&guest, "");
        assert_eq!(run.outcome.to_string(), result);
        assert_eq!(
            (run.stats.forced, run.stats.loops),
            (100, 2),
            "{:?}",
            run.stats
        );
        assert!(run.stats.entries < 120, "{:?}", run.stats);
        let last = run
            .loops()
            .last()
            .expect("two loops")
            .sections
            .last()
            .cloned();
        let last = last.expect("a body");
        assert_eq!(
            (last.count("guard_no_panic"), last.count("guard_not_forced")),
            (1, 0)
        );
        assert!(last.count("new") > 0);
    }
}

/// Reads or writes a local of a function far out, whose code waits behind many others.
fn far_out(machine: verdigris::Gc<Machine>, n: u8) -> i64 {
    let looks = machine.looks.get();
    let steps = (looks * 7 % 30) as usize;
    if looks % i64::from(n) != 0 {
        return local(machine, steps, (looks % 3) as usize);
    }
    let mut frame = machine.top.get();
    for _ in 0..steps {
        frame = frame.and_then(|frame| frame.back);
    }
    if let Some(frame) = frame {
        frame.locals[2].set(Some(verdigris::Gc::new(Num { value: looks })));
        frame.locals[1].set(frame.locals[0].get());
    }
    looks
}

#[test]
fn code_that_waits_far_out_is_asked() {
    // Calls itself through the interpreter, down to 1, and looks on the way down and up.
    let down = vec![
        LOAD, 0, STORE, 2, LOOK, 3, ADD, 2, STORE, 2, LOAD, 0, SUB, 1, STORE, 1, LOOP, 22, LOAD, 2,
        RETURN, 0, LOAD, 1, NEST, 1, ADD, 1, ADD, 2, STORE, 2, LOOK, 5, ADD, 2, ADD, 1, RETURN, 0,
    ];
    let code = sum(&[CONST, 27, NEST, 1, ADD, 1, STORE, 1]);
    let guest = guest(vec![(code, 3), (down, 3)], 60, far_out);
    agreed(&guest);
    let run = compiled(&guest, "threshold=5,function_threshold=5,trace_eagerness=3");
    assert!(run.stats.forced > 20, "{:?}", run.stats);
}

thread_local! {
    static OTHER: Vm = Vm::new(program(), Options::default()).expect("a VM");
}

/// Looks while another VM is entered, and runs something there.
fn look_from_elsewhere(machine: verdigris::Gc<Machine>, _: u8) -> i64 {
    OTHER.with(|other| {
        other.enter(|| {
            let inner = frames::machine(&[(sum(&[]), 2)]);
            let there = call(inner, inner.functions[0], 3);
            there + local(machine, 0, 1) + instructions(machine)[0] as i64
        })
    })
}

#[test]
fn who_looks_from_another_vm_sees_the_truth() {
    let code = sum(&[LOOK, 0, STORE, 1]);
    agreed(guest(vec![(code, 2)], 300, look_from_elsewhere));
}

#[test]
fn programs_compile_to_as_little_as_before() {
    let double = vec![ADD, 0, STORE, 1, LOOK, 0, FIND, 1, RETURN, 0];
    let call = [LOAD, 0, CALL, 1, ADD, 1, STORE, 1];
    let programs: [(&str, &[u8]); 5] = [
        ("counts", &[]),
        ("looks", &[LOOK, 0]),
        ("peeks", &[PEEK, 0]),
        ("pokes", &[POKE, 1]),
        ("calls", &call),
    ];
    let digests = programs.map(|(name, inside)| {
        let functions = vec![(sum(inside), 2), (double.clone(), 2)];
        let run = compiled(guest(functions, 20_000, no_observer), "");
        format!("{name}: {}", run.digest())
    });
    expect![[r#"
        counts: loops 1, other traces 0, bridges 0, aborts 0: operations 5, guards 1, calls 0, new 0, reads 0, writes 0
        looks: loops 1, other traces 0, bridges 0, aborts 0: operations 7, guards 2, calls 1, new 0, reads 0, writes 0
        peeks: loops 1, other traces 0, bridges 0, aborts 0: operations 14, guards 3, calls 1, new 2, reads 0, writes 4
        pokes: loops 1, other traces 0, bridges 0, aborts 0: operations 22, guards 5, calls 1, new 2, reads 4, writes 4
        calls: loops 1, other traces 0, bridges 0, aborts 0: operations 9, guards 2, calls 1, new 0, reads 0, writes 0
    "#]].assert_eq(&digests.concat());
}

/// Local 2 counts an inner loop down from `turns`, whose first recorded pass may leave through the
/// outer loop.
fn nested(turns: u8) -> Vec<u8> {
    let mut ops = vec![CONST, 0, STORE, 1, CONST, turns, STORE, 2];
    ops.extend([LOAD, 1, ADD, 0, STORE, 1]);
    ops.extend([LOAD, 2, SUB, 1, STORE, 2, LOOP, 8]);
    ops.extend([LOAD, 0, SUB, 1, STORE, 0, LOOP, 4, LOAD, 1, RETURN, 0]);
    ops
}

#[test]
fn an_inner_loop_that_begins_at_its_end_keeps_its_frame() {
    let guest = |turns| guest(vec![(nested(3), 3)], turns, no_observer);
    assert_eq!(agreed_for([200, 2_000], guest).to_string(), "6003000 0");
    // The inner loop goes back twice in a row. It gets hot at the first time, or at the second:
    // then its trace leaves it, and comes back through the outer loop.
    let digests = [1039, 1040].map(|threshold| {
        let run = compiled(guest(20_000), &format!("threshold={threshold}"));
        let body = run.body();
        assert_eq!((body.writes(), body.count("new")), (0, 0), "{}", body.text);
        format!("{:?}\n{}", run.stats.lost, run.digest())
    });
    expect![[r#"
        {}
        loops 1, other traces 0, bridges 1, aborts 0: operations 5, guards 1, calls 0, new 0, reads 0, writes 0
        {"other path": 2}
        loops 2, other traces 0, bridges 3, aborts 0: operations 18, guards 4, calls 0, new 0, reads 0, writes 0
    "#]].assert_eq(&digests.concat());
}

#[test]
fn the_log_says_what_a_loop_has_lost() {
    let path = std::env::temp_dir().join(format!("frames-lost-{}", std::process::id()));
    let mut options = Options::parse("threshold=1040").expect("parameters");
    options.log = Some(format!("lost:{}", path.display()));
    guest(vec![(nested(3), 3)], 20_000, no_observer)(options);
    let text = std::fs::read_to_string(&path).expect("the log");
    std::fs::remove_file(&path).expect("it is there");
    expect![[r#"
        # lost: trace 0: loop at offset 8 in function 0 (8, ref, ref)
        input 1 > Num.value is a constant at the loop's end with which its own trace would be left at once

        # lost: trace 2: another version of the loop at offset 8 in function 0 (8, ref, ref)
        input 1 > Num.value is a constant at the loop's end with which its own trace would be left at once

    "#]].assert_eq(&text);
}
