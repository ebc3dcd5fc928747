//! What is rarely written costs nothing to read, and a write is seen by the very next read. In:
//! programs. Out: the same result under every setting, how often code was invalidated, and what is
//! left in the loops.

use expect_test::{Expect, expect};
use globals::*;
use std::fmt::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};
use verdigris::{CompiledEvent, Hooks, InvalidatedEvent, Options, SharedHooks, Vm};
use verdigris_testing::{Run, SETTINGS, agreed, agreed_for, compiled, operations};

/// A guest that runs a program, and shows its globals in the end.
fn guest(code: &[u8], turns: i64) -> impl Fn(Options) -> Run {
    move |options| {
        let vm = Vm::new(program(), options).expect("a VM");
        let run = Run::on(&vm, || {
            vm.enter(|| {
                let world = world(code);
                let acc = run(world, 0, turns);
                let globals: Vec<i64> = (0..3).map(|n| world.globals[n].value.get()).collect();
                let calls = world.functions[0].calls.get();
                let turn = world.turn.get();
                Ok::<_, String>(format!("{acc} {globals:?} {calls} {turn}"))
            })
        });
        let compiled = run.stats.traces + run.stats.tiers.stencils;
        assert_eq!(run.stats.entries > 0, compiled > 0);
        run
    }
}

fn check(code: &[u8], turns: i64, want: &str) {
    assert_eq!(agreed(guest(code, turns)).to_string(), want, "{code:?}");
}

#[test]
fn a_write_in_a_running_loop_is_seen_by_the_next_read() {
    // 199 turns of 1, from the 200th on 200 thousand each, from the 400th on 5 each.
    let code = [FLIP, 20, MODE, 0, LOOP, 0, STOP, 0];
    let want = format!("{} [1, 2, 3] 0 1000", 199 + 200 * 200_000 + 601 * 5);
    check(&code, 1000, &want);
    let run = compiled(guest(&code, 390), "threshold=10");
    assert_eq!((run.stats.invalidations, run.stats.invalidated), (1, 1));
    assert_eq!(run.stats.loops, 2, "it is compiled anew");
    let run = compiled(guest(&code, 1000), "threshold=10,backend=oracle");
    assert_eq!((run.stats.invalidations, run.stats.loops), (2, 3));
}

#[test]
fn a_loop_has_no_load_and_no_guard_for_what_no_call_writes() {
    let code = [GET, 0, CALL, 0, MODE, 0, GET, 2, TICK, 0, LOOP, 0, STOP, 0];
    let run = compiled(guest(&code, 20_000), "");
    expect![[r#"
        [
            "int_add",
            "int_add",
            "call",
            "guard_no_panic",
            "int_add",
            "int_gt",
            "guard_true",
            "jump L1",
        ]
    "#]]
    .assert_debug_eq(&operations(run.body()));
    assert_eq!(run.stats.invalidations, 0);
}

#[test]
fn a_call_that_may_write_has_a_guard() {
    let code = [FLIP, 100, MODE, 0, LOOP, 0, STOP, 0];
    let run = compiled(guest(&code, 900), "threshold=10");
    expect![[r#"
        [
            "call",
            "guard_no_panic",
            "guard_not_invalidated",
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
fn a_loop_that_assumes_nothing_has_no_guard() {
    let code = [FLIP, 100, LOOP, 0, STOP, 0];
    let run = compiled(guest(&code, 900), "threshold=10");
    assert_eq!(run.body().count("guard_not_invalidated"), 0);
    assert_eq!(run.body().count("call"), 1);
}

#[test]
fn functions_are_redefined() {
    for every in [3, 30, 200] {
        let code = [CALL, 0, REDEFINE, every, CALL, 0, LOOP, 0, STOP, 0];
        let text = agreed_for([450, 1000], |turns| guest(&code, turns)).to_string();
        assert!(text.ends_with("[1, 2, 3] 2000 0"), "{text}");
    }
    let code = [CALL, 0, REDEFINE, 200, CALL, 0, LOOP, 0, STOP, 0];
    let run = compiled(guest(&code, 1000), "threshold=10");
    assert_eq!(run.stats.invalidations, 4);
}

#[test]
fn what_is_written_often_is_no_longer_assumed() {
    let code = [REDEFINE, 7, CALL, 0, LOOP, 0, STOP, 0];
    let run = compiled(
        guest(&code, 5000),
        "threshold=3,trace_eagerness=3,max_invalidations=4",
    );
    assert!(run.stats.invalidations <= 10, "{:?}", run.stats);
    let last = run
        .loops()
        .last()
        .map(|l| l.sections.last().expect("a section").clone());
    let last = last.expect("a loop");
    assert_eq!(last.count("guard_not_invalidated"), 0);
    assert!(last.count("getfield_r") > 0);
}

#[test]
fn traced_code_writes_too() {
    for code in [
        &[GET, 1, POKE, 50, GET, 1, LOOP, 0, STOP, 0][..],
        &[GET, 0, SET, 0, GET, 0, LOOP, 0, STOP, 0],
        &[POKE, 2, ANY, 0, LOOP, 0, STOP, 0],
        &[NEW, 0, GET, 2, LOOP, 0, STOP, 0],
        &[
            ANY, 0, GET, 1, POKE, 100, MODE, 0, FLIP, 9, LOOP, 0, STOP, 0,
        ],
    ] {
        agreed(guest(code, 400));
    }
    let code = [GET, 1, POKE, 50, GET, 1, LOOP, 0, STOP, 0];
    let run = compiled(guest(&code, 1000), "threshold=10");
    assert!(run.stats.invalidations > 0, "{:?}", run.stats);
}

#[test]
fn code_around_a_call_of_the_interpreter_is_stopped() {
    let code = [GET, 0, NEST, 0, GET, 0, MODE, 0, LOOP, 0, STOP, 0];
    agreed(guest(&code, 200));
    let run = compiled(guest(&code, 200), "threshold=10");
    assert!(run.stats.invalidations > 3, "{:?}", run.stats);
}

#[test]
fn a_trace_that_saw_the_write_is_made_again() {
    // The mode changes in the turn that is traced: what the trace found is no more when it is
    // optimised.
    let code = [MODE, 0, FLIP, 1, MODE, 0, LOOP, 0, STOP, 0];
    agreed(guest(&code, 100));
    for threshold in 5..25 {
        let run = compiled(guest(&code, 100), &format!("threshold={threshold}"));
        assert_eq!(run.stats.blocked, 0, "{threshold}: {:?}", run.stats);
        assert!(run.stats.loops > 0, "{threshold}: {:?}", run.stats);
    }
}

/// A guest that runs a program around another.
fn nested(code: &[u8], inner: &[u8], turns: i64) -> impl Fn(Options) -> Run {
    move |options| {
        let vm = Vm::new(program(), options).expect("a VM");
        Run::on(&vm, || {
            vm.enter(|| {
                let inner = world(inner);
                let acc = run(around(code, inner), 0, turns);
                let globals: Vec<i64> = (0..3).map(|n| inner.globals[n].value.get()).collect();
                Ok::<_, String>(format!("{acc} {globals:?} {}", inner.turn.get()))
            })
        })
    }
}

#[test]
fn a_call_of_compiled_code_finds_the_code_of_now() {
    // The inner loop assumes its mode, and stops itself; the outer one assumes nothing.
    let inner = [MODE, 0, FLIP, 200, LOOP, 0, STOP, 0];
    let outer = [INNER, 50, LOOP, 0, STOP, 0];
    agreed(nested(&outer, &inner, 100));
    let run = compiled(nested(&outer, &inner, 100), "threshold=10");
    assert_eq!(run.stats.invalidations, 2, "{:?}", run.stats);
    // Both assume a global, which the inner one writes in traced code, and a function that is
    // redefined in native code.
    let inner = [GET, 0, CALL, 0, REDEFINE, 40, POKE, 45, LOOP, 0, STOP, 0];
    let outer = [GET, 1, INNER, 45, GET, 1, CALL, 0, LOOP, 0, STOP, 0];
    agreed(nested(&outer, &inner, 60));
    let run = compiled(nested(&outer, &inner, 200), "threshold=10");
    assert!(run.stats.invalidations > 2, "{:?}", run.stats);
    // What was called before is called no more, though its caller is the same.
    let run = compiled(
        nested(
            &[INNER, 50, LOOP, 0, STOP, 0],
            &[GET, 0, FLIP, 9, MODE, 0, LOOP, 0, STOP, 0],
            3000,
        ),
        "threshold=30,function_threshold=20,max_unroll_recursion=0",
    );
    assert_eq!(run.stats.invalidations, 2, "{:?}", run.stats);
    assert!(run.stats.entries < 200, "{:?}", run.stats);
}

#[test]
fn a_way_into_a_loop_goes_with_the_loop() {
    let inner = [MODE, 0, FLIP, 150, LOOP, 0, STOP, 0];
    let outer = [INNER, 9, LOOP, 0, STOP, 0];
    for jit in [
        "threshold=100,function_threshold=5,trace_eagerness=5",
        "threshold=20,function_threshold=30,max_unroll_recursion=1",
        "threshold=20,function_threshold=30,backend=oracle",
    ] {
        let want = compiled(nested(&outer, &inner, 600), "off").outcome;
        let run = compiled(nested(&outer, &inner, 600), jit);
        assert_eq!(run.outcome, want, "{jit}");
        assert_eq!(run.stats.invalidations, 2, "{jit}: {:?}", run.stats);
    }
}

#[test]
fn a_write_between_two_runs_is_seen() {
    let runs = |options| {
        let vm = Vm::new(program(), options).expect("a VM");
        Run::on(&vm, || {
            vm.enter(|| {
                let world = world(&[MODE, 0, CALL, 0, LOOP, 0, STOP, 0]);
                let first = run(world, 0, 100);
                world.mode.set(Mode::Scaled(3));
                let second = run(world, 0, 100);
                assert_eq!(world.mode.replace(Mode::Offset(0.5)), Mode::Scaled(3));
                let third = run(world, 0, 100);
                Ok::<_, String>(format!("{first} {second} {third}"))
            })
        })
    };
    assert_eq!(agreed(runs).to_string(), "200 300100 600");
    let run = compiled(runs, "threshold=10");
    assert_eq!((run.stats.invalidations, run.stats.loops), (2, 3));
}

#[test]
fn a_bridge_is_stopped_alone() {
    let code = [SKIP, 0, MODE, 0, FLIP, 100, LOOP, 0, STOP, 0];
    agreed_for([350, 3000], |turns| guest(&code, turns));
    let run = compiled(guest(&code, 3000), "threshold=10,trace_eagerness=10");
    let stats = &run.stats;
    assert_eq!(
        (stats.invalidations, stats.invalidated),
        (2, 2),
        "{stats:?}"
    );
    assert_eq!((stats.loops, stats.bridges), (1, 3), "{stats:?}");
}

/// Writes down what is compiled and invalidated.
struct Diary(Arc<Mutex<String>>);

impl Hooks for Diary {
    fn on_compile(&self, event: &CompiledEvent<'_>) {
        let _ = writeln!(self.0.lock().unwrap(), "{}", event.title);
    }

    fn on_bridge(&self, event: &CompiledEvent<'_>) {
        self.on_compile(event);
    }

    fn on_invalidate(&self, event: &InvalidatedEvent<'_>) {
        let _ = writeln!(self.0.lock().unwrap(), "invalid: {:?}", event.traces);
    }
}

fn told(code: &[u8], turns: i64, jit: &str, expected: Expect) {
    let diary = Arc::new(Mutex::new(String::new()));
    let mut options = Options::parse(jit).expect("parameters");
    options.hooks = Some(SharedHooks::new(Diary(diary.clone())));
    guest(code, turns)(options);
    expected.assert_eq(&diary.lock().unwrap());
}

#[test]
fn an_embedder_is_told() {
    told(
        &[SKIP, 0, MODE, 0, FLIP, 20, LOOP, 0, STOP, 0],
        390,
        "threshold=10,trace_eagerness=10",
        expect![[r#"
            trace 0: loop at offset 0 (0, ref)
            trace 1: bridge from g3 of trace 0 at offset 0
            invalid: [1]
            trace 2: bridge from g3 of trace 0 at offset 0
        "#]],
    );
    told(
        &[GET, 1, POKE, 50, LOOP, 0, STOP, 0],
        140,
        "threshold=10",
        expect![[r#"
            trace 0: loop at offset 0 (0, ref)
            invalid: [0]
            trace 1: loop at offset 0 (0, ref)
            invalid: [1]
            trace 2: loop at offset 0 (0, ref)
        "#]],
    );
}

/// Fails when it is told of invalid code.
struct Failing;

impl Hooks for Failing {
    fn on_invalidate(&self, event: &InvalidatedEvent<'_>) {
        panic!("told of {:?}", event.traces);
    }
}

#[test]
fn a_panic_of_who_is_told_comes_out_of_the_program() {
    // The write is done by native code, by interpreted code, by compiled code.
    let no_inner: &[u8] = &[STOP, 0];
    for (code, inner) in [
        (&[FLIP, 20, MODE, 0, LOOP, 0, STOP, 0][..], no_inner),
        (&[GET, 1, POKE, 50, LOOP, 0, STOP, 0], no_inner),
        (
            &[GET, 1, INNER, 50, LOOP, 0, STOP, 0],
            &[POKE, 49, LOOP, 0, STOP, 0],
        ),
    ] {
        for jit in [
            "threshold=10,trace_eagerness=2",
            "threshold=10,trace_eagerness=2,backend=oracle",
            "threshold=10,fail_guards=1",
            "threshold=10,trace_eagerness=2,max_unroll_recursion=0",
        ] {
            let mut options = Options::parse(jit).expect("parameters");
            options.hooks = Some(SharedHooks::new(Failing));
            let vm = Vm::new(program(), options).expect("a VM");
            let run = || vm.enter(|| run(around(code, world(inner)), 0, 1000));
            let payload = catch_unwind(AssertUnwindSafe(run)).expect_err("a panic");
            let text = payload.downcast::<String>().expect("a message");
            assert!(text.starts_with("told of ["), "{jit}: {text}");
        }
    }
}

#[test]
fn new_objects_stay_virtual() {
    let code = [NEW, 0, LOOP, 0, STOP, 0];
    let run = compiled(guest(&code, 5000), "");
    assert_eq!(run.body().count_all("new"), 0);
    assert_eq!(run.body().count("invalidate"), 0);
}

#[test]
fn invalid_code_is_freed_and_watches_nothing() {
    // The loop is stopped in every 40th turn and compiled again; the same activation runs it all
    // the time.
    let code = [CALL, 0, MODE, 0, REDEFINE, 40, LOOP, 0, STOP, 0];
    for jit in [
        "threshold=5,max_invalidations=1000000",
        "threshold=5,max_invalidations=1000000,loop_longevity=0",
        "threshold=5,max_invalidations=1000000,backend=oracle",
        "threshold=5,max_invalidations=1000000,trace_eagerness=2,check_hints=1",
    ] {
        let vm = Vm::new(program(), Options::parse(jit).expect("parameters")).expect("a VM");
        vm.enter(|| run(world(&code), 0, 4000));
        let stats = vm.stats();
        assert!(stats.invalidations > 90, "{jit}: {stats:?}");
        assert!(stats.freed + 3 >= stats.invalidations, "{jit}: {stats:?}");
        assert!(stats.alive.trees <= 3, "{jit}: {stats:?}");
        // A method, and the three components of a mode.
        assert!(stats.alive.watched <= 4, "{jit}: {stats:?}");
    }
    let code = [FLIP, 3, MODE, 0, CALL, 0, REDEFINE, 9, LOOP, 0, STOP, 0];
    for setting in SETTINGS.iter().filter(|s| !s.slow) {
        let vm = Vm::new(program(), setting.options()).expect("a VM");
        let runs: Vec<i64> = (0..20)
            .map(|_| vm.enter(|| run(world(&code), 0, 120)))
            .collect();
        assert!(runs.iter().all(|&acc| acc == runs[0]), "{setting:?}");
    }
}

#[test]
fn programs_compile_to_as_little_as_before() {
    let programs: [(&str, &[u8]); 7] = [
        ("reads", &[GET, 0, GET, 2, LOOP, 0, STOP, 0]),
        ("writes", &[GET, 0, SET, 0, LOOP, 0, STOP, 0]),
        ("calls", &[CALL, 0, MODE, 0, LOOP, 0, STOP, 0]),
        ("ticks", &[MODE, 0, TICK, 0, LOOP, 0, STOP, 0]),
        ("flips", &[MODE, 0, FLIP, 100, LOOP, 0, STOP, 0]),
        ("redefines", &[CALL, 0, REDEFINE, 250, LOOP, 0, STOP, 0]),
        ("nests", &[GET, 0, NEST, 0, LOOP, 0, STOP, 0]),
    ];
    let digests = programs.map(|(name, code)| {
        let run = compiled(guest(code, 20_000), "");
        format!("{name}: {}", run.digest())
    });
    expect![[r#"
        reads: loops 1, other traces 0, bridges 0, aborts 0: operations 5, guards 1, calls 0, new 0, reads 0, writes 0
        writes: loops 1, other traces 0, bridges 0, aborts 0: operations 7, guards 1, calls 0, new 0, reads 0, writes 2
        calls: loops 1, other traces 0, bridges 0, aborts 0: operations 6, guards 1, calls 0, new 0, reads 0, writes 0
        ticks: loops 1, other traces 0, bridges 0, aborts 0: operations 7, guards 2, calls 1, new 0, reads 0, writes 0
        flips: loops 2, other traces 0, bridges 0, aborts 0: operations 16, guards 6, calls 2, new 0, reads 0, writes 0
        redefines: loops 9, other traces 0, bridges 0, aborts 0: operations 85, guards 26, calls 9, new 0, reads 3, writes 0
        nests: loops 9, other traces 0, bridges 1, aborts 0: operations 72, guards 26, calls 9, new 0, reads 1, writes 0
    "#]].assert_eq(&digests.concat());
}
