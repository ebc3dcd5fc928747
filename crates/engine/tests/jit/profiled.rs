//! Profiles of guest programs whose opaque calls take one sample each, so that shares are known
//! exactly, and of one that is sampled by the clock.
//!
//! A sample says in which activations it was taken, whatever executes these; it changes neither
//! results nor compiled code nor statistics; the profile is there however the program ends.

use crate::guest::Op::*;
use crate::guest::{BACKENDS, Guest, INTERRUPT, LocationOf, MESSAGE, Op, SAMPLES};
use crate::guest::{load, program_with_locations, run};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use verdigris_engine::{KeptTrace, Options, Profiling, StoppedError, Vm, VmError};
use verdigris_heap::{Gc, Location, StackExhausted};
use verdigris_profile::{Activity, Profile, SourcePos};

/// One VM of a process is profiled at a time, and tests run at the same time.
static ONE: Mutex<()> = Mutex::new(());

/// Samples are found by registers and stack.
const IS_EXACT: bool = cfg!(all(target_os = "linux", target_arch = "x86_64"));

/// Without a limit on compiling, which is a limit of time: what is compiled, and when, depends on
/// the program alone.
const EAGER: &str = "threshold=5,function_threshold=7,trace_eagerness=3,compile_allowance=off";

/// A loop that calls two functions, at 8 and at 11, of which the first one takes two samples and
/// the second one takes one.
const TWO: &[Op] = &[
    Call(8),
    Call(11),
    DecA,
    LoopA(0),
    Ret,
    Fail,
    Fail,
    Ret,
    Fail,
    Ret,
];

fn of_two(pc: usize, _: Gc<Guest>) -> Location {
    at(
        pc,
        match pc {
            0..8 => "main",
            8..11 => "twice",
            _ => "once",
        },
    )
}

/// A function that calls itself until there is nothing left, and takes a sample there.
const DEEP: &[Op] = &[SkipNeg(4), Call(0), AddA, Ret, Fail, Ret];

fn of_deep(pc: usize, _: Gc<Guest>) -> Location {
    at(pc, "deep")
}

/// A line for each byte.
fn at(pc: usize, function: &str) -> Location {
    let line = u32::try_from(pc).unwrap() + 1;
    Location::new()
        .file("guest.x")
        .line(line)
        .function(function)
}

/// No other test profiles until this is dropped, and opaque calls take samples.
struct Sampling(#[expect(dead_code)] MutexGuard<'static, ()>);

impl Sampling {
    fn start() -> Sampling {
        let one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
        SAMPLES.set(true);
        Sampling(one)
    }
}

impl Drop for Sampling {
    fn drop(&mut self) {
        SAMPLES.set(false);
    }
}

fn options(params: &str, interval: Option<Duration>) -> Options {
    Options::parse(params)
        .unwrap()
        .profile(Some(Profiling { interval }))
        .keep_traces(true)
}

fn vm(location: LocationOf, params: &str) -> Vm {
    Vm::new(program_with_locations(location), options(params, None)).unwrap()
}

/// The profile of so many runs.
fn profiled(location: LocationOf, params: &str, ops: &[Op], args: &[i64]) -> Profile {
    let vm = vm(location, params);
    vm.enter(|| {
        let guest = load(ops);
        for &a in args {
            run(guest, 0, a);
        }
    });
    vm.profile().expect("the options ask for it")
}

fn named(name: &str) -> impl Fn(&SourcePos) -> bool {
    move |place| place.function_name() == name
}

/// All ways to execute a program, with the tier that most of it is executed by.
fn settings() -> Vec<(String, Activity)> {
    let mut all = vec![("off".to_owned(), Activity::Interpreter)];
    for backend in BACKENDS.iter() {
        all.push((format!("{EAGER},backend={backend}"), Activity::Traces));
    }
    let by = |compiler| format!("{EAGER},compiler={compiler}");
    all.push((by("specialising"), Activity::Specialised));
    all
}

/// Whether the backend has no machine code, so that samples in compiled code find none.
fn is_interpreting(params: &str) -> bool {
    ["backend=oracle", "backend=layered", "backend=cil"]
        .iter()
        .any(|backend| params.contains(backend))
}

#[test]
fn shares_of_functions_are_those_of_their_samples() {
    let _sampling = Sampling::start();
    for (params, tier) in settings() {
        // Five makes the call fail.
        let profile = profiled(of_two, &params, TWO, &[4; 60]);
        assert_eq!(profile.weight(), 60 * 4 * 3, "{params}");
        if !IS_EXACT || is_interpreting(&params) {
            continue;
        }
        let table = profile.table();
        // While a run is recorded, the samples of inlined calls are the caller's.
        let recording = profile.share_of_activity(Activity::Tracing);
        for (name, right) in [("twice", 2.0 / 3.0), ("once", 1.0 / 3.0)] {
            let off = right - profile.self_share(named(name));
            let is_right = (-1e-9..=recording + 1e-9).contains(&off);
            assert!(is_right, "{params}: {name}\n{table}");
        }
        assert_eq!(profile.total_share(named("main")), 1.0, "{params}\n{table}");
        let share = profile.share_of_activity(tier);
        assert!(share > 0.7, "{params}: {share}\n{table}");
    }
}

#[test]
fn compiled_code_knows_the_lines_of_what_is_inlined() {
    let _sampling = Sampling::start();
    for params in [EAGER, &format!("{EAGER},compiler=specialising")] {
        if !IS_EXACT {
            return;
        }
        let profile = profiled(of_two, params, TWO, &[4; 200]);
        // Two of three in lines of `twice`, one in one of `once`; the interpreter knows where these
        // begin.
        for line in [9, 10, 12] {
            let share = profile.self_share(|place| place.line == Some(line));
            assert!(
                (share - 1.0 / 3.0).abs() < 0.1,
                "{params}: {line} {share}\n{}",
                profile.table()
            );
        }
        // Code by partial evaluation knows that less well.
        let callers: &[u32] = if params == EAGER { &[1, 3] } else { &[1] };
        for &caller in callers {
            let share = profile.total_share(|place| place.line == Some(caller));
            assert!(
                share > 0.3,
                "{params}: {caller} {share}\n{}",
                profile.table()
            );
        }
    }
}

#[test]
fn every_activation_of_a_recursion_is_on_the_stack() {
    let _sampling = Sampling::start();
    for (params, tier) in settings() {
        if !IS_EXACT || is_interpreting(&params) || params.contains("backend=cranelift") {
            continue;
        }
        for unroll in [0, 1, 3, 7] {
            let params = format!("{params},max_unroll_recursion={unroll}");
            let profile = profiled(of_deep, &params, DEEP, &[12; 40]);
            let table = profile.table();
            assert_eq!(profile.weight(), 40, "{params}");
            // What is inlined while a run is recorded has no frame anywhere, for as long as that
            // takes.
            let mut recorded = 0;
            for sample in &profile.samples {
                let frames = profile
                    .frames(sample.stack)
                    .filter(|f| f.activity.is_guest());
                let frames: Vec<String> = frames
                    .map(|f| format!("{:?} {:?}", profile.place(f).line, f.activity))
                    .collect();
                recorded += u32::from(frames.len() < 13);
                assert!(frames.len() <= 13, "{params}\n{frames:#?}\n{table}");
            }
            let most = if tier == Activity::Interpreter { 0 } else { 5 };
            assert!(recorded <= most, "{params}: {recorded}\n{table}");
        }
    }
}

/// The outcome of a run: results, and counts of compiled code.
#[derive(PartialEq, Debug)]
struct Ran {
    results: Vec<i64>,
    loops: Vec<KeptTrace>,
    bridges: usize,
    aborts: usize,
    interrupts: u64,
    entries: u64,
    failures: u64,
}

fn ran(params: &str, ops: &[Op], args: &[i64], profile: Option<Profiling>) -> Ran {
    let options = options(&format!("{params},interruptible=1"), None).profile(profile);
    let vm = Vm::new(program_with_locations(of_two), options).unwrap();
    let results = vm.enter(|| {
        let guest = load(ops);
        args.iter().map(|&a| run(guest, 0, a)).collect()
    });
    let stats = vm.stats();
    let (bridges, loops): (Vec<_>, Vec<_>) =
        (vm.traces().into_iter()).partition(|trace| trace.title.contains("bridge"));
    Ran {
        results,
        loops,
        bridges: bridges.len(),
        aborts: stats.aborts.len(),
        interrupts: stats.interrupts,
        entries: stats.entries,
        failures: stats.guard_failures.total,
    }
}

#[test]
fn a_sample_changes_neither_results_nor_code_nor_statistics() {
    let _sampling = Sampling::start();
    let manual = Some(Profiling { interval: None });
    for (params, _) in settings() {
        for (ops, args) in [(TWO, [4; 60]), (DEEP, [12; 60])] {
            let plain = ran(&params, ops, &args, None);
            SAMPLES.set(false);
            let without = ran(&params, ops, &args, manual);
            SAMPLES.set(true);
            assert_eq!(without, plain, "{params}");
            let with = ran(&params, ops, &args, manual);
            // What was interrupted begins with the loop's first turn again, whose guards are others
            // than those of the next ones.
            let allowed = Ran {
                bridges: with.bridges,
                failures: with.failures,
                ..plain
            };
            assert_eq!(with, allowed, "{params}");
            assert!(
                with.bridges <= plain.bridges + 1,
                "{params}: {} bridges",
                with.bridges
            );
            assert!(
                with.failures <= plain.failures + 4,
                "{params}: {} failures",
                with.failures
            );
        }
    }
}

#[test]
fn panics_and_interrupts_leave_a_profile() {
    let _sampling = Sampling::start();
    for (params, _) in settings() {
        let vm = vm(of_two, &params);
        for _ in 0..3 {
            // From 30 on downwards, until a call panics at 5.
            let payload = catch_unwind(AssertUnwindSafe(|| vm.enter(|| run(load(TWO), 0, 30))));
            assert_eq!(payload.unwrap_err().downcast_ref(), Some(&MESSAGE));
        }
        INTERRUPT.set(Some((vm.interrupt_handle(), 20)));
        let stopped = vm.try_enter(|| run(load(TWO), 0, 30));
        assert_eq!(stopped, Err(StoppedError::Interrupted), "{params}");
        let endless: &[Op] = &[Call(0), Ret];
        let stopped = vm.try_enter(|| run(load(endless), 0, 1));
        assert_eq!(
            stopped,
            Err(StoppedError::StackExhausted),
            "{StackExhausted}"
        );
        // Behind all that, samples are still right.
        let before = vm.profile().unwrap().weight();
        vm.enter(|| {
            let guest = load(TWO);
            for _ in 0..10 {
                run(guest, 0, 4);
            }
        });
        let profile = vm.profile().unwrap();
        assert_eq!(profile.weight() - before, 10 * 4 * 3, "{params}");
        let of_main = profile.total_share(named("main"));
        assert!(
            !IS_EXACT || is_interpreting(&params) || of_main == 1.0,
            "{params}: {of_main}"
        );
    }
}

#[test]
fn one_vm_is_profiled_at_a_time() {
    let _sampling = Sampling::start();
    let first = vm(of_two, "off");
    if IS_EXACT {
        let second = Vm::new(program_with_locations(of_two), options("off", None));
        let Some(VmError::Profile(message)) = second.err() else {
            panic!("there is one already");
        };
        assert!(message.contains("another VM"), "{message}");
    }
    drop(first);
    for _ in 0..2 {
        let profile = profiled(of_two, "off", TWO, &[4]);
        assert_eq!(profile.weight(), 12);
    }
    let nothing = options("off", None).profile(None);
    let vm = Vm::new(program_with_locations(of_two), nothing).unwrap();
    assert!(vm.profile().is_none());
    let no_time = options("off", Some(Duration::ZERO));
    let refused = Vm::new(program_with_locations(of_two), no_time);
    assert!(matches!(refused.err(), Some(VmError::Profile(_))));
}

#[test]
fn who_says_where_places_are_may_fail() {
    let _sampling = Sampling::start();
    let profile = profiled(|_, _| panic!("unknown"), "off", TWO, &[4]);
    assert_eq!(
        profile.total_share(named("(0, ref)")),
        1.0,
        "{}",
        profile.table()
    );
}

/// The clock takes samples of two loops in compiled code, each in its function. The guest program
/// runs until both have been found, however long the machine takes for that.
#[test]
fn the_clock_finds_loops_in_compiled_code() {
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    // Two functions with a loop each, at 8 and at 15, of 250 and of 83 turns.
    let main: &[Op] = &[Call(8), Call(15), DecA, LoopA(0), Ret];
    let long: &[Op] = &[SetC(250), AddA, DecC, LoopC(10), Ret];
    let short: &[Op] = &[SetC(83), AddA, DecC, LoopC(17), Ret];
    let ops = [main, long, short].concat();
    let location: LocationOf = |pc, _| {
        let function = match pc {
            0..8 => "main",
            8..15 => "long",
            _ => "short",
        };
        at(pc, function)
    };
    let interval = Some(Duration::from_micros(100));
    let vm = Vm::new(program_with_locations(location), options(EAGER, interval)).unwrap();
    vm.enter(|| {
        let guest = load(&ops);
        let first = run(guest, 0, 200);
        loop {
            for _ in 0..100 {
                assert_eq!(run(guest, 0, 200), first);
            }
            let profile = vm.profile().unwrap();
            let found = |name: &str| profile.self_share(named(name)) > 0.0;
            let is_exact = found("long") && found("short");
            if profile.weight() > 10 && (is_exact || !IS_EXACT) {
                break;
            }
        }
    });
    let profile = vm.profile().unwrap();
    if IS_EXACT {
        let table = profile.table();
        assert!(profile.share_of_activity(Activity::Traces) > 0.0, "{table}");
    }
}
