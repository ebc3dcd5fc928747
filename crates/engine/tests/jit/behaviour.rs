//! The engine with all stages behind it, on the interpreting backend: what is compiled when, what
//! happens at guards, and that the guest program means the same whatever the JIT does.

use crate::guest::Op::*;
use crate::guest::{BACKENDS, MESSAGE, Op, encode, execute, load, run, vm};
use std::panic::{AssertUnwindSafe, catch_unwind};
use verdigris_engine::{
    ExhaustedError, JitParams, Options, ProgramParts, Stats, StoppedError, Vm, protect,
};
use verdigris_trace::{Exits, Snapshots, parse};

/// Guest programs that return, with an argument.
const PROGRAMS: &[(&str, &[Op], i64)] = &[
    ("sum", &[AddA, DecA, LoopA(0), Ret], 300),
    ("boxes", &[AddA, Box, DecA, LoopA(0), Ret], 300),
    (
        "branches",
        &[SkipEven(1), AddA, Box, DecA, LoopA(0), Ret],
        300,
    ),
    (
        "nested",
        &[SetC(9), AddA, DecC, LoopC(2), DecA, LoopA(0), Ret],
        60,
    ),
    (
        "calls",
        &[Call(6), DecA, LoopA(0), Ret, AddA, Box, DecA, LoopA(6), Ret],
        40,
    ),
    (
        "fibonacci",
        &[SkipNeg(5), Call(0), DecA, Call(0), AddA, Ret],
        14,
    ),
    (
        "lists",
        &[Keep, DecA, LoopA(0), SetC(200), Peek, DecC, LoopC(6), Ret],
        200,
    ),
    ("elidable", &[Square, DecA, LoopA(0), Ret], 300),
    ("promotion", &[Promote, DecA, LoopA(0), Ret], 300),
    ("heap", &[Total, Box, DecA, LoopA(0), Ret], 300),
    (
        "cold branch",
        &[SkipZero(1), Box, AddA, DecA, LoopA(0), Ret],
        300,
    ),
    ("straight", &[AddA, Box, Ret], 7),
];

/// Parameters with each backend.
fn on_each_backend(params: &[&str]) -> Vec<String> {
    let with = |backend| params.iter().map(move |p| format!("backend={backend},{p}"));
    BACKENDS.iter().flat_map(with).collect()
}

fn by_name(name: &str) -> (&'static [Op], i64) {
    let program = PROGRAMS.iter().find(|p| p.0 == name).unwrap();
    (program.1, program.2)
}

/// Runs a program and answers the result with the total in the guest's heap.
fn outcome(vm: &Vm, ops: &[Op], a: i64) -> (i64, i64) {
    vm.enter(|| {
        let guest = load(ops);
        (run(guest, 0, a), guest.total.get())
    })
}

/// Runs a program of the list on a fresh VM.
fn measured(name: &str, a: i64, params: &str) -> (i64, Stats) {
    let vm = vm(params);
    let result = execute(&vm, by_name(name).0, a);
    (result, vm.stats())
}

#[test]
fn every_program_means_the_same_whatever_the_jit_does() {
    let settings = [
        "threshold=50",
        "threshold=1",
        "threshold=2,trace_eagerness=1",
        "threshold=3,trace_eagerness=2,enable_opts=none",
        "threshold=5,trace_eagerness=5,fail_guards=1",
        "threshold=2,trace_eagerness=1,fail_guards=1,enable_opts=none",
        "threshold=1,trace_eagerness=1,stress=1",
        "threshold=2,trace_limit=10",
        "threshold=2,trace_limit=10,cut_traces=0",
        "threshold=2,trace_limit=20,max_aborts=1",
        "threshold=4,trace_eagerness=3,max_trace_depth=1,decay=0",
        "threshold=2,trace_eagerness=1,loop_longevity=1",
        "threshold=1,trace_eagerness=1,code_budget=2k",
        "threshold=2,trace_eagerness=1,interruptible=1",
        "threshold=1,trace_eagerness=1,compiler=specialising",
        "threshold=3,trace_eagerness=2,compiler=specialising,enable_opts=none,fail_guards=1",
        "threshold=2,trace_eagerness=1,compiler=both,interruptible=1,loop_longevity=1",
        "threshold=1,compiler=threaded",
        "threshold=9,thread_threshold=2,trace_eagerness=2,fail_guards=1",
    ];
    for (program, (name, ops, a)) in PROGRAMS.iter().enumerate() {
        let expected = outcome(&vm("off"), ops, *a);
        for (number, setting) in settings.iter().enumerate() {
            // The backends take turns, for the settings as for the programs.
            let backend = &BACKENDS[(program + number) % BACKENDS.len()];
            let vm = vm(&format!("backend={backend},{setting}"));
            for round in 0..3 {
                let got = outcome(&vm, ops, *a);
                let at = format!("{name} with {setting} on {backend}, round {round}");
                assert_eq!(got, expected, "{at}");
            }
        }
    }
}

#[test]
fn a_hot_loop_is_compiled_once() {
    for backend in BACKENDS.iter() {
        let (result, stats) = measured("sum", 100_000, &format!("backend={backend},threshold=7"));
        assert_eq!(result, 5_000_050_000);
        assert_eq!((stats.traces, stats.loops, stats.bridges), (1, 1, 0));
        assert_eq!(stats.entries, 1);
        assert_eq!(stats.guard_failures.total, 1, "the end of the loop");
        assert_eq!(
            stats.guard_failures.interpreter, 1,
            "which the interpreter takes over"
        );
        assert_eq!(stats.guards, stats.optimised.guards);
        assert!(
            stats.optimised.total() <= 2 * stats.recorded.total() + 2,
            "two labels, two rounds"
        );
        assert!(stats.aborts.is_empty(), "{:?}", stats.aborts);
    }
}

#[test]
fn nothing_is_compiled_below_the_threshold_or_when_off() {
    for backend in BACKENDS.iter() {
        for params in ["threshold=301", "off,threshold=1"] {
            let (_, stats) = measured("sum", 300, &format!("backend={backend},{params}"));
            assert_eq!((stats.traces, stats.entries), (0, 0), "{params}");
        }
        let (_, stats) = measured("sum", 70_100, &format!("backend={backend},threshold=70000"));
        assert_eq!(stats.traces, 1, "more than fits a slot");
    }
}

#[test]
fn a_guard_that_fails_often_gets_a_bridge() {
    for backend in BACKENDS.iter() {
        let (result, stats) = measured(
            "branches",
            10_000,
            &format!("backend={backend},threshold=7,trace_eagerness=20"),
        );
        assert_eq!(result, measured("branches", 10_000, "off").0);
        assert!(stats.bridges >= 1);
        let failures = stats.guard_failures.total;
        assert!((20..=60).contains(&failures), "{failures} failures");
    }
}

#[test]
fn without_virtuals_the_same_loop_allocates() {
    for backend in BACKENDS.iter() {
        let optimised = measured("boxes", 1000, &format!("backend={backend},threshold=7")).1;
        let plain = measured(
            "boxes",
            1000,
            &format!("backend={backend},threshold=7,enable_opts=none"),
        )
        .1;
        assert_eq!(optimised.optimised.new, 0);
        assert!(plain.optimised.new >= 1);
    }
}

#[test]
fn what_cannot_be_traced_is_left_alone_after_a_few_tries() {
    for backend in BACKENDS.iter() {
        let params = &format!(
            "backend={backend},compiler=tracing,threshold=7,trace_limit=10,cut_traces=0,max_aborts=3"
        );
        let (result, stats) = measured("boxes", 100_000, params);
        assert_eq!(result, measured("boxes", 100_000, "off").0);
        assert_eq!(stats.aborts.values().sum::<u64>(), 3, "{:?}", stats.aborts);
        assert_eq!((stats.traces, stats.blocked), (0, 1));
    }
}

#[test]
fn an_inner_loop_is_entered_from_outside() {
    for backend in BACKENDS.iter() {
        let params = &format!("backend={backend},threshold=7,trace_eagerness=5");
        let (result, stats) = measured("nested", 2000, params);
        assert_eq!(result, measured("nested", 2000, "off").0);
        assert!(
            stats.bridges >= 1,
            "the outer loop is a bridge of the inner one"
        );
        assert!(
            stats.guard_failures.total < 40,
            "{:?}",
            stats.guard_failures
        );
    }
}

#[test]
fn portals_call_each_other_compiled() {
    for backend in BACKENDS.iter() {
        let (result, stats) = measured(
            "calls",
            500,
            &format!("backend={backend},threshold=7,trace_eagerness=5"),
        );
        assert_eq!(result, measured("calls", 500, "off").0);
        assert!(stats.traces >= 2, "both loops are compiled");
        assert!(stats.optimised.calls >= 1, "one calls the portal");
    }
}

#[test]
fn a_panic_in_a_call_leaves_the_heap_as_the_interpreter_would() {
    let ops = &[Total, Box, Fail, DecA, LoopA(0), Ret];
    let total_after = |params: &str| {
        let vm = vm(params);
        vm.enter(|| {
            let guest = load(ops);
            let panic = catch_unwind(AssertUnwindSafe(|| run(guest, 0, 100)));
            let payload = panic.expect_err("the call panics when a is five");
            assert_eq!(payload.downcast_ref::<&str>(), Some(&MESSAGE));
            let total = guest.total.get();
            guest.total.set(0);
            let again = catch_unwind(AssertUnwindSafe(|| run(guest, 0, 50)));
            assert!(again.is_err(), "the VM is as good as before");
            (total, guest.total.get())
        })
    };
    let expected = total_after("off");
    for params in on_each_backend(&[
        "threshold=7",
        "threshold=94",
        "threshold=95",
        "threshold=1",
        "threshold=7,fail_guards=1,trace_eagerness=1",
    ]) {
        assert_eq!(total_after(&params), expected, "{params}");
    }
}

/// Each iteration keeps an object, publishes it and counts it. Whenever the heap is used up, what
/// has been counted has been published: stores that compiled code has delayed are done. Then the
/// guest program goes on, again and again.
#[test]
fn a_heap_that_is_full_stops_the_program_at_an_exact_state() {
    let ops = &[Fetch, Keep, Publish, Total, Loop(0)];
    for params in on_each_backend(&[
        "off",
        "threshold=5",
        "threshold=5,enable_opts=none",
        "threshold=1,fail_guards=1,trace_eagerness=1",
        "threshold=5,trace_limit=20",
        "threshold=5,compiler=threaded",
    ]) {
        for limit in ["1m", "1100k", "3m"] {
            let small = vm(&format!("heap_limit={limit},{params}"));
            small.enter(|| {
                let guest = load(ops);
                for _ in 0..2 {
                    let stopped = protect(|| run(guest, 0, 1));
                    assert_eq!(stopped, Err(ExhaustedError::Heap), "{params}");
                    let nodes = std::iter::successors(guest.root.get(), |node| node.next);
                    assert_eq!(nodes.count() as i64, guest.total.get(), "{limit},{params}");
                    guest.root.set(None);
                    guest.total.set(0);
                }
            });
            assert_eq!(
                execute(&small, by_name("sum").0, 300),
                45_150,
                "the VM is as good as before"
            );
        }
    }
}

/// A program whose every iteration leaves garbage runs at the limit for as long as it likes.
#[test]
fn garbage_at_the_limit_is_no_exhaustion() {
    let ops = &[
        Keep,
        SetC(200),
        Box,
        Pair,
        DecC,
        LoopC(3),
        Fetch,
        DecA,
        LoopA(0),
        Ret,
    ];
    for params in on_each_backend(&[
        "off",
        "threshold=5",
        "threshold=5,enable_opts=none",
        "threshold=5,compiler=threaded",
    ]) {
        let small = vm(&format!("heap_limit=1m,{params}"));
        let large = vm(&params);
        assert_eq!(
            execute(&small, ops, 200),
            execute(&large, ops, 200),
            "{params}"
        );
    }
}

#[test]
fn runaway_recursion_is_a_clean_error() {
    let ops = &[SetC(3), DecC, LoopC(2), Call(0), Ret];
    for params in on_each_backend(&[
        "off",
        "threshold=1",
        "threshold=5,trace_eagerness=1",
        "threshold=1000",
        "function_threshold=1",
        "function_threshold=2,max_unroll_recursion=0",
        "function_threshold=3,max_unroll_recursion=2,trace_eagerness=1",
        "function_threshold=3,trace_eagerness=1,fail_guards=1",
    ]) {
        let vm = vm(&params);
        let stopped = vm.try_enter(|| run(load(ops), 0, 1));
        assert_eq!(stopped, Err(StoppedError::StackExhausted), "{params}");
        assert_eq!(
            execute(&vm, by_name("sum").0, 300),
            45_150,
            "the VM is as good as before"
        );
    }
}

/// Recursion down to a loop that is compiled there, as deep as it is: the engine traces only where
/// there is enough stack left for the tracer, the optimiser and the backend.
#[test]
fn there_is_stack_left_to_compile_on() {
    let ops = [SkipNeg(3), Call(0), Ret, SetC(9), AddA, DecC, LoopC(7), Ret];
    assert_eq!(encode(&ops)[7], encode(&[AddA])[0]);
    for backend in BACKENDS.iter() {
        let deepest = move |compiled: bool| {
            let fits = |a: i64| {
                let params = format!("backend={backend},threshold=2,function_threshold=1000000");
                let vm = vm(&params);
                let result = vm.try_enter(|| run(load(&ops), 0, a));
                assert!(matches!(result, Ok(_) | Err(StoppedError::StackExhausted)));
                result.is_ok() && (!compiled || vm.stats().traces == 1)
            };
            let (mut low, mut high) = (1, 1 << 20);
            while low + 1 < high {
                let middle = (low + high) / 2;
                *(if fits(middle) { &mut low } else { &mut high }) = middle;
            }
            low
        };
        let both = move || [deepest(true), deepest(false)];
        let thread = std::thread::Builder::new().stack_size(2 << 20);
        let [compiled, depth] = thread.spawn(both).unwrap().join().unwrap();
        assert!(compiled > 1000, "{compiled} calls fit in front of a loop");
        assert!(depth > compiled, "{depth} calls fit");
    }
}

#[test]
fn the_native_stack_can_be_limited() {
    let options = Options::parse("off").unwrap().native_stack(Some(64 << 10));
    let vm = Vm::new(crate::guest::program(), options).unwrap();
    let stopped = vm.try_enter(|| run(load(&[Call(0), Ret]), 0, 1));
    assert_eq!(stopped, Err(StoppedError::StackExhausted));
}

#[test]
fn vms_share_nothing() {
    for backend in BACKENDS.iter() {
        let vms: Vec<Vm> = (0..50)
            .map(|_| vm(&format!("backend={backend},threshold=3")))
            .collect();
        for round in 1..4 {
            for (n, vm) in vms.iter().enumerate() {
                let a = (n + round) as i64 * 10;
                assert_eq!(execute(vm, by_name("sum").0, a), a * (a + 1) / 2);
            }
        }
        let result = vms[0]
            .enter(|| execute(&vms[1], by_name("sum").0, 100) + run(load(by_name("sum").0), 0, 10));
        assert_eq!(result, 5050 + 55);
    }
}

#[test]
fn hundreds_of_vms_come_and_go() {
    for backend in BACKENDS.iter() {
        for n in 0..100 {
            let vm = vm(&format!("backend={backend},threshold=2"));
            assert_eq!(execute(&vm, by_name("sum").0, n), n * (n + 1) / 2);
        }
    }
}

#[test]
fn threads_have_their_own_vms() {
    for backend in BACKENDS.iter() {
        let threads: Vec<_> = (1..5i64)
            .map(|n| {
                std::thread::spawn(move || {
                    measured("sum", n * 1000, &format!("backend={backend},threshold=7"))
                })
            })
            .collect();
        for (n, thread) in (1..5i64).zip(threads) {
            let (result, stats) = thread.join().unwrap();
            assert_eq!(result, n * 1000 * (n * 1000 + 1) / 2);
            assert_eq!(stats.traces, 1);
        }
    }
}

#[test]
fn statistics_are_one_json_object() {
    for backend in BACKENDS.iter() {
        let (_, stats) = measured(
            "branches",
            1000,
            &format!("backend={backend},threshold=7,trace_eagerness=3"),
        );
        let json: serde_json::Value = serde_json::from_str(&stats.to_json()).unwrap();
        assert_eq!(json["backend"], backend.name());
        assert_eq!(json["traces"], 1);
        assert!(json["bridges"].as_u64().unwrap() >= 1);
        assert!(json["recorded"]["guards"].as_u64().unwrap() > 0);
        assert!(json["seconds"]["tracing"].as_f64().unwrap() > 0.0);
        assert!(json["guard_failures"]["total"].as_u64().unwrap() > 0);
    }
}

#[test]
fn the_log_can_be_read_back() {
    for backend in BACKENDS.iter() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        let options = Options::default()
            .jit(
                JitParams::parse(&format!("backend={backend},threshold=7,trace_eagerness=3"))
                    .unwrap(),
            )
            .log(format!("all:{}", path.display()));
        let vm = Vm::new(crate::guest::program(), options).unwrap();
        execute(&vm, by_name("branches").0, 100);
        let failing = catch_unwind(AssertUnwindSafe(|| {
            execute(&vm, &[Fail, DecA, LoopA(0), Ret], 30)
        }));
        assert!(failing.is_err());
        let text = std::fs::read_to_string(&path).unwrap();
        let unit = verdigris_jitcode::Unit::from_bytes(crate::guest::parts().unit).unwrap();
        let mut stages = std::collections::BTreeMap::new();
        for piece in text.split("# ").skip(1) {
            let (header, body) = piece.split_once('\n').unwrap();
            let stage = header.split(':').next().unwrap();
            *stages.entry(stage).or_insert(0) += 1;
            match stage {
                "jitcode" => drop(verdigris_jitcode::parse(body).expect("jitcode")),
                "trace" => drop(parse::<Snapshots>(&unit.descrs, body).expect(header)),
                "opt" => drop(parse::<Exits>(&unit.descrs, body).expect(header)),
                _ => {}
            }
        }
        let stages: Vec<_> = stages.into_keys().collect();
        let mut expected = vec![
            "deopt", "events", "graph", "jitcode", "opt", "origins", "trace",
        ];
        match backend.name() {
            "cranelift" => drop(expected.splice(0..0, ["asm", "clif"])),
            "x64" => expected.insert(0, "asm"),
            "layered" | "cil" => expected.insert(0, "clif"),
            _ => {}
        }
        assert_eq!(stages, expected);
    }
}

#[test]
fn what_makes_no_sense_is_an_error() {
    let options = Options::default().log("everything".to_string());
    let error = Vm::new(crate::guest::program(), options).err().unwrap();
    assert!(
        error
            .to_string()
            .contains("there is no stage \"everything\"")
    );
    let of_unit = |unit: &'static [u8]| {
        let parts = crate::guest::parts();
        let program = ProgramParts { unit, ..parts }.program();
        let error = Vm::new(program, Options::default()).err();
        error.expect("no VM is made").to_string()
    };
    let error = of_unit(b"nonsense");
    assert!(error.contains("cannot be read"), "{error}");
    // One that can be read, and makes no sense.
    let mut unit = verdigris_jitcode::Unit::from_bytes(crate::guest::parts().unit).unwrap();
    unit.merge_point.0 += 1;
    let error = of_unit(unit.to_bytes().leak());
    assert!(error.contains("has no merge point"), "{error}");
}

/// An interpreter whose instructions are chosen by a red can be traced, but there is nothing to
/// specialise it for.
#[test]
fn a_red_dispatch_is_refused_by_the_second_compiler() {
    let made = |jit: &str| {
        let red_dispatch = "the way to the red";
        let parts = crate::guest::parts();
        let program = ProgramParts {
            red_dispatch,
            ..parts
        };
        let vm = Vm::new(program.program(), Options::parse(jit).expect("options"));
        vm.map(|_| ()).map_err(|error| error.to_string())
    };
    for jit in ["", "compiler=tracing", "off,compiler=specialising"] {
        assert_eq!(made(jit), Ok(()), "{jit}");
    }
    let refused = made("compiler=specialising");
    expect_test::expect![[r#"
        this interpreter cannot be specialised: repair what the translator says of it, or leave it to `compiler=tracing`
        the way to the red"#]].assert_eq(&refused.clone().expect_err("it is refused"));
    assert_eq!(made("compiler=both"), refused);
    assert_eq!(made("compiler=threaded"), refused);
}

#[test]
fn the_programs_are_what_the_targets_assume() {
    let at = |name: &str, at: usize| encode(by_name(name).0)[at];
    let add_a = encode(&[AddA])[0];
    assert_eq!(at("calls", 6), add_a);
    assert_eq!(at("nested", 2), add_a);
    assert_eq!(at("fibonacci", 7), add_a);
    assert_eq!(at("lists", 6), encode(&[Peek])[0]);
}
