//! The portal's `location` function: log, hooks, kept traces and statistics have what it returns.
//! It is called only if an observer reports places, and whatever it does, the guest program does
//! what it did.

use crate::guest::Op::*;
use crate::guest::{Guest, LocationOf, Op, load, program_with_locations, run};
use expect_test::expect;
use std::cell::{Cell, RefCell};
use std::sync::{Arc, Mutex};
use verdigris_engine::{AbortedEvent, Hooks, Options, SharedHooks, Vm};
use verdigris_heap::{CollectScope, Gc, GcArray, Location, collect_garbage};

/// A loop with two ways through it.
const LOOP: &[Op] = &[SkipEven(1), AddA, Box, DecA, LoopA(0), Ret];

/// A loop that calls a function without a loop, at 6.
const CALLS: &[Op] = &[Call(6), DecA, LoopA(0), Ret, AddA, Box, Ret];

const EAGER: &str = "threshold=5,function_threshold=5,trace_eagerness=5";

thread_local! {
    static ASKED: Cell<u32> = const { Cell::new(0) };
}

/// The program has a line for each byte, and is one function.
fn here(pc: usize, _guest: Gc<Guest>) -> Location {
    ASKED.set(ASKED.get() + 1);
    let line = u32::try_from(pc).unwrap() + 1;
    Location::new().file("guest.x").line(line).function("main")
}

fn options(params: &str) -> Options {
    Options::parse(params).unwrap()
}

fn vm(location: LocationOf, options: Options) -> Vm {
    Vm::new(program_with_locations(location), options).unwrap()
}

fn execute(vm: &Vm, ops: &[Op], a: i64) -> i64 {
    vm.enter(|| run(load(ops), 0, a))
}

/// The lines with the headers of a log of these stages.
fn headers(location: LocationOf, stages: &str, params: &str, ops: &[Op]) -> String {
    let text = logged(location, stages, params, ops);
    let headers = text.lines().filter(|line| line.starts_with('#'));
    headers.collect::<Vec<_>>().join("\n")
}

fn logged(location: LocationOf, stages: &str, params: &str, ops: &[Op]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    let options = options(params).log(format!("{stages}:{}", path.display()));
    let vm = vm(location, options);
    execute(&vm, ops, 40);
    drop(vm);
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn all_stages_say_where_code_is() {
    let stages = "trace,opt,asm,deopt";
    let params = format!("{EAGER},trace_eagerness=3");
    let text = headers(here, stages, &params, LOOP);
    let text = text.lines().map(|line| match line.split_once(" bytes") {
        // How many there are is not the point.
        Some((line, _)) => line.rsplit_once(' ').unwrap().0,
        None => line,
    });
    expect![[r#"
        # trace: trace 0: loop at guest.x:1 in main (0, ref), 18 operations
        # opt: trace 0: loop at guest.x:1 in main (0, ref), 30 operations
        # asm: trace 0: loop at guest.x:1 in main (0, ref),
        # deopt: g0 of trace 0 at guest.x:1 in main failed, 1 times so far
        # deopt: g2 of trace 0 at guest.x:1 in main failed, 1 times so far
        # deopt: g2 of trace 0 at guest.x:1 in main failed, 2 times so far
        # deopt: g2 of trace 0 at guest.x:1 in main failed, 3 times so far
        # trace: trace 1: bridge from g2 of trace 0 at guest.x:1 in main, 12 operations
        # opt: trace 1: bridge from g2 of trace 0 at guest.x:1 in main, 8 operations
        # asm: trace 1: bridge from g2 of trace 0 at guest.x:1 in main,
        # deopt: g3 of trace 0 at guest.x:6 in main failed, 1 times so far"#]]
    .assert_eq(&text.collect::<Vec<_>>().join("\n"));
    let text = headers(here, "trace", "compiler=specialising,threshold=5", LOOP);
    expect!["# trace: trace 0: entry at guest.x:1 in main (0, ref), specialised, 33 operations"]
        .assert_eq(&text);
    let text = headers(here, "opt", "compiler=threaded,threshold=5", LOOP);
    let last = text.lines().last().expect("a stencil");
    expect!["# opt: trace 7: instruction at guest.x:8 in main (7, ref), 2 operations"]
        .assert_eq(last);
}

#[test]
fn what_is_given_up_says_where() {
    let params = "compiler=tracing,threshold=5,trace_limit=3,cut_traces=0,max_aborts=1";
    let text = headers(here, "trace,tier", params, LOOP);
    expect!["# trace: given up at header guest.x:1 in main (0, ref): the trace is too long: raise `trace_limit`, or mark large functions that it runs through `#[opaque]`; not tried again"].assert_eq(&text);
    let params = "compiler=auto,threshold=5,trace_limit=3,cut_traces=0,max_aborts=1";
    let text = headers(here, "tier", params, LOOP);
    expect!["# tier: header guest.x:1 in main (0, ref): from now on by partial evaluation, since tracing does not suit it"].assert_eq(&text);
}

/// One line for each thing; guards that fail again and again are told ever more seldom.
#[test]
fn events_are_lines_with_both_places() {
    let log = |params: &str, ops: &[Op]| {
        let text = logged(here, "events", params, ops);
        assert!(
            text.lines().all(|line| line.starts_with("# events: ")),
            "{text}"
        );
        let lines = text
            .lines()
            .map(|line| line.trim_start_matches("# events: "));
        // Sizes are not the point.
        let words = lines.map(|line| {
            let parts = line.split(", ").filter(|part| !part.ends_with(" B"));
            parts.collect::<Vec<_>>().join(", ")
        });
        words.collect::<Vec<_>>().join("\n")
    };
    expect![[r#"
        made     trace 0: loop at guest.x:1 in main (0, ref) (traced), the interpreter at :0 in run
        left     trace 0 by g0 at guest.x:1 in main, the interpreter at :0 in run: 1 time
        left     trace 0 by g2 at guest.x:1 in main, the interpreter at :0 in run: 1 time
        left     trace 0 by g2 at guest.x:1 in main, the interpreter at :0 in run: 10 times
        made     trace 1: bridge from g2 of trace 0 at guest.x:1 in main (traced), the interpreter at :0 in run
        left     trace 0 by g3 at guest.x:6 in main, the interpreter at :0 in run: 1 time
        left     trace 0 by g2 at guest.x:1 in main, the interpreter at :0 in run: 12 times in all"#]].assert_eq(&log("threshold=5,trace_eagerness=12", LOOP));
    let params = "compiler=tracing,threshold=5,trace_limit=3,cut_traces=0,max_aborts=1";
    expect!["given up header guest.x:1 in main (0, ref): the trace is too long: raise `trace_limit`, or mark large functions that it runs through `#[opaque]`; not tried again, the interpreter at :0 in run"].assert_eq(&log(params, LOOP));
}

/// The text stays one that the parser of traces reads.
#[test]
fn merge_points_have_comments() {
    let text = logged(here, "opt", EAGER, LOOP);
    let points = text.lines().filter(|line| line.starts_with("merge_point"));
    let points: Vec<&str> = points.take(3).collect();
    expect![[r#"
        merge_point(0, ref(0)) // guest.x:1 in main
        merge_point(2, ref(0)) // guest.x:3 in main
        merge_point(3, ref(0)) // guest.x:4 in main"#]]
    .assert_eq(&points.join("\n"));
}

/// Notes where traces were given up.
struct Diary(Arc<Mutex<Vec<String>>>);

impl Hooks for Diary {
    fn on_abort(&self, event: &AbortedEvent<'_>) {
        self.0.lock().unwrap().push(event.place.to_string());
    }
}

#[test]
fn hooks_and_kept_traces_say_where() {
    let diary = Arc::default();
    let vm = vm(
        here,
        options("compiler=tracing,threshold=5,trace_limit=3,cut_traces=0,max_aborts=1")
            .hooks(SharedHooks::new(Diary(Arc::clone(&diary)))),
    );
    execute(&vm, LOOP, 40);
    assert_eq!(
        *diary.lock().unwrap(),
        ["header guest.x:1 in main (0, ref)"]
    );
    let vm = self::vm(here, options(EAGER).keep_traces(true));
    execute(&vm, CALLS, 40);
    let titles: Vec<String> = vm.traces().into_iter().map(|trace| trace.title).collect();
    expect![[r#"
        trace 0: entry at guest.x:7 in main (6, ref)
        trace 1: loop at guest.x:1 in main (0, ref)"#]]
    .assert_eq(&titles.join("\n"));
}

#[test]
fn statistics_count_by_place() {
    let with = |params: &str| {
        let vm = vm(here, options(params).keep_places(true));
        execute(&vm, LOOP, 1000);
        vm.stats()
    };
    let stats = with(EAGER);
    let code = stats.locations.iter().map(|code| {
        let location = code.location.as_ref().unwrap();
        let (kind, maker) = (code.kind, code.compiler);
        let (entries, failures) = (code.entries, code.guard_failures);
        assert!(code.seconds > 0.0 && code.code_bytes > 0, "{code:?}");
        format!(
            "{kind} {maker} {location} from {:?}: {entries:?} entries, {failures} failures",
            code.from
        )
    });
    expect![[r#"
        loop traced guest.x:1 in main from None: Some(7) entries, 7 failures
        bridge traced guest.x:1 in main from Some(0): None entries, 0 failures"#]]
    .assert_eq(&code.collect::<Vec<_>>().join("\n"));
    let failures: u64 = stats.locations.iter().map(|code| code.guard_failures).sum();
    assert_eq!(failures, stats.guard_failures.total);
    let stats = with("compiler=tracing,threshold=5,trace_limit=3,cut_traces=0,max_aborts=2");
    let [abort] = &stats.given_up[..] else {
        panic!("one place, one reason: {:?}", stats.given_up);
    };
    assert_eq!(abort.place, "header guest.x:1 in main (0, ref)");
    assert_eq!((abort.times, abort.blocked), (2, true));
    assert_eq!(stats.aborts[&abort.reason], 2);
}

#[test]
fn the_location_function_is_called_only_for_observers() {
    ASKED.set(0);
    let vm = vm(here, options(EAGER));
    execute(&vm, LOOP, 1000);
    assert!(vm.stats().bridges > 0);
    assert!(vm.stats().locations.is_empty());
    assert_eq!(ASKED.get(), 0);
}

#[test]
fn without_a_location_titles_are_as_they_were() {
    let nowhere: LocationOf = |_, _| Location::new();
    let panics: LocationOf = |_, _| panic!("unknown");
    let expected = headers(nowhere, "trace,deopt", EAGER, LOOP);
    assert!(expected.starts_with("# trace: trace 0: loop at (0, ref), "));
    assert_eq!(headers(panics, "trace,deopt", EAGER, LOOP), expected);
}

thread_local! {
    /// The VM whose function is called.
    static VM: RefCell<Option<std::rc::Rc<Vm>>> = const { RefCell::new(None) };
}

/// The function may do what other code does: nothing comes of it but a report.
#[test]
fn what_the_function_does_changes_nothing() {
    let allocates: LocationOf = |pc, guest| {
        for n in 0..100 {
            GcArray::<i64>::new(n, 7);
        }
        collect_garbage(CollectScope::All);
        here(pc, guest)
    };
    let runs_the_guest: LocationOf = |pc, guest| {
        assert_eq!(run(load(&[AddA, DecA, LoopA(0), Ret]), 0, 3000), 4_501_500);
        here(pc, guest)
    };
    let looks: LocationOf = |pc, guest| {
        let vm = VM.with_borrow(|vm| vm.clone());
        if let Some(vm) = vm {
            assert!(vm.enter(|| vm.stats().locations.len() < 100));
        }
        here(pc, guest)
    };
    for params in ["", "stress=1", "compiler=specialising", "compiler=threaded"] {
        let params = format!("{EAGER},{params}");
        for ops in [LOOP, CALLS] {
            let right = execute(&vm(here, options("off")), ops, 300);
            let of = |location: LocationOf| {
                let folder = tempfile::tempdir().unwrap();
                let path = folder.path().join("log");
                let vm = std::rc::Rc::new(vm(
                    location,
                    options(&params)
                        .log(format!("trace,tier,deopt:{}", path.display()))
                        .keep_places(true),
                ));
                VM.set(Some(std::rc::Rc::clone(&vm)));
                assert_eq!(execute(&vm, ops, 300), right, "{params}");
                VM.set(None);
                let stats = vm.stats();
                let titles = stats.locations.iter().map(|code| code.title.clone());
                titles.collect::<Vec<String>>()
            };
            let expected = of(here);
            assert!(!expected.is_empty(), "{params}");
            for location in [allocates, runs_the_guest, looks] {
                assert_eq!(of(location), expected, "{params}");
            }
        }
    }
}

/// An interrupt that comes while the function runs is for the guest program.
#[test]
fn an_interrupt_waits_until_the_report_is_made() {
    let interrupts: LocationOf = |pc, guest| {
        let vm = VM.with_borrow(|vm| vm.clone()).expect("a program runs");
        vm.interrupt_handle().interrupt();
        assert_eq!(run(load(&[AddA, DecA, LoopA(0), Ret]), 0, 30), 465);
        here(pc, guest)
    };
    let vm = std::rc::Rc::new(vm(
        interrupts,
        options(&format!("{EAGER},interruptible=1")).keep_places(true),
    ));
    VM.set(Some(std::rc::Rc::clone(&vm)));
    let stopped = vm.try_enter(|| run(load(LOOP), 0, 1_000_000)).unwrap_err();
    VM.set(None);
    assert_eq!(stopped, verdigris_engine::StoppedError::Interrupted);
    let title = &vm.stats().locations[0].title;
    assert_eq!(title, "trace 0: loop at guest.x:1 in main (0, ref)");
}
