//! Recursion that is too deep, on stacks of all sizes: whether the innermost calls are interpreted,
//! inlined or called from compiled code, and whichever stack is used up, the error is the same, the
//! heap holds exactly what the calls so far have stored, and the VM runs the next program.

use crate::guest::Op::*;
use crate::guest::{BACKENDS, Op, encode, execute, load, program, run};
use verdigris_engine::{Options, StoppedError, Vm};
use verdigris_heap::Context;

/// Sizes of stacks, in kB, and how many of them guest code may use at most: what is not touched
/// costs nothing.
const STACKS: &[(usize, Option<usize>)] = &[
    (64, None),
    (96, None),
    (128, None),
    (160, None),
    (192, None),
    (256, None),
    (384, None),
    (640, None),
    (1 << 10, None),
    (8 << 10, Some(512)),
    (64 << 10, Some(512)),
    (1 << 20, Some(1 << 10)),
];

/// Parameters under which calls are interpreted, inlined, called from compiled code, and left by
/// failing guards.
const PARAMS: &[&str] = &[
    "off",
    "threshold=1,function_threshold=1",
    "threshold=1,function_threshold=1,trace_eagerness=1",
    "threshold=3,function_threshold=2,trace_eagerness=1",
    "function_threshold=2,max_unroll_recursion=0",
    "function_threshold=3,max_unroll_recursion=2,trace_eagerness=4",
    "function_threshold=3,max_unroll_recursion=3,trace_eagerness=1,fail_guards=1",
    "function_threshold=3,max_unroll_recursion=0,trace_eagerness=1000000,fail_guards=1",
    "function_threshold=3,enable_opts=none",
    "function_threshold=3,compiler=threaded",
    "function_threshold=60,thread_threshold=2",
];

/// Counts its calls in a place of an array, which compiled code keeps in a register for as long as
/// it can; adds up what they are called with in a field; and leaves a new object that knows what
/// the innermost was called with.
const COUNT: &[Op] = &[LoadAt(0), Box, StoreAt(0), Total, Keep, Publish];

/// A function that counts, does something else, and calls itself, as often as it is told.
fn recursion(more: &[Op]) -> Vec<Op> {
    let rest = [COUNT, more, &[Call(0)]].concat();
    let skipped = encode(&rest).len() as u8;
    [&[SkipNeg(skipped)], &rest[..], &[Ret]].concat()
}

/// A function that only counts, one with a loop that is compiled by itself, and one that makes
/// objects behind what it has stored.
fn recursions() -> [Vec<Op>; 3] {
    let start = (encode(&[SkipNeg(0)]).len() + encode(COUNT).len() + 2) as u8;
    [
        recursion(&[]),
        recursion(&[SetC(4), DecC, LoopC(start)]),
        recursion(&[Box, Pair, Keep, Bump]),
    ]
}

fn options(params: &str, native_stack: Option<usize>) -> Options {
    Options::parse(params)
        .unwrap()
        .native_stack(native_stack.map(|kb| kb << 10))
}

/// Runs a check on a thread with a stack of so many kB.
fn on_stack(kb: usize, check: impl FnOnce() + Send) {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(kb << 10);
        let thread = thread.name(format!("{kb} kB"));
        let result = thread.spawn_scoped(scope, check).unwrap().join();
        result.unwrap_or_else(|payload| std::panic::resume_unwind(payload));
    });
}

/// More calls than any stack has room for.
const ENDLESS: i64 = 1 << 40;

/// How many calls a program has made until the stack was used up, as three objects in the heap say.
/// Before that it is compiled.
fn depth_of(vm: &Vm, ops: &[Op], at: &str) -> i64 {
    let mut depth = None;
    let entered = vm.enter(|| {
        let guest = load(ops);
        for calls in 0..30 {
            guest.memory[0].set(0);
            vm.try_enter(|| run(guest, 0, calls))?;
            assert_eq!(guest.memory[0].get(), calls, "{at}");
        }
        guest.memory[0].set(0);
        guest.total.set(0);
        guest.root.set(None);
        let stopped = vm.try_enter(|| run(guest, 0, ENDLESS));
        let calls = guest.memory[0].get();
        // The innermost call may have been stopped at any instruction, where native code was to do
        // the rest of it.
        let done = [calls - 1, calls].map(|n| (n * ENDLESS - n * (n - 1) / 2, ENDLESS - n + 1));
        let total = guest.total.get();
        assert!(done.iter().any(|d| d.0 == total), "{at}: {calls} calls");
        let innermost = guest.root.get().map_or(ENDLESS + 1, |node| node.n.get());
        assert!(done.iter().any(|d| d.1 == innermost), "{at}: {calls} calls");
        depth = Some(calls);
        stopped
    });
    assert_eq!(entered, Err(StoppedError::StackExhausted), "{at}");
    depth.expect("the heap has been looked at")
}

/// Runs programs that recurse without an end, each followed by one that ends, in one VM. Returns
/// the depth of the first.
fn check(params: &str, native_stack: Option<usize>, at: &str) -> i64 {
    let vm = Vm::new(program(), options(params, native_stack)).unwrap();
    let depths = recursions().map(|ops| {
        let depth = depth_of(&vm, &ops, at);
        let sum = vm.try_enter(|| run(load(&[AddA, DecA, LoopA(0), Ret]), 0, 300));
        assert_eq!(sum, Ok(45_150), "{at}: the VM is as good as before");
        depth
    });
    depths[0]
}

#[test]
fn the_heap_is_exact_when_a_stack_is_used_up() {
    // Each stack with all parameters; the backends take turns, so that each has all parameters too.
    for (n, &(kb, native_stack)) in STACKS.iter().enumerate() {
        on_stack(kb, || {
            for (number, params) in PARAMS.iter().enumerate() {
                let backend = &BACKENDS[(n + number) % BACKENDS.len()];
                let params = format!("backend={backend},{params}");
                let depth = check(&params, native_stack, &format!("{kb} kB, {params}"));
                assert!(depth > 29, "{kb} kB, {params}: only {depth} calls");
            }
        });
    }
}

#[test]
fn collections_near_the_end_of_the_stack_have_room() {
    for (n, kb) in [64, 80, 96, 128].into_iter().enumerate() {
        on_stack(kb, || {
            let all = ["off", PARAMS[1], PARAMS[3], PARAMS[6]];
            for (number, params) in all.into_iter().enumerate() {
                let backend = &BACKENDS[(n + number) % BACKENDS.len()];
                let params = format!("backend={backend},stress=1,{params}");
                check(&params, None, &format!("{kb} kB, {params}"));
            }
        });
    }
}

/// The oracle and rebuilt frames are on the shadow stack, of which the test has taken so much that
/// it is used up long before the native one.
#[test]
fn the_heap_is_exact_when_the_shadow_stack_is_used_up() {
    for params in PARAMS.iter().filter(|params| **params != "off") {
        let at = format!("backend=oracle,{params}");
        let vm = Vm::new(program(), options(&at, None)).unwrap();
        let ops = &recursions()[0];
        let depth = vm.enter(|| {
            let ctx = Context::current();
            // SAFETY: the context of the VM that is entered is alive; what is taken is given back.
            let start = unsafe {
                let start = (*ctx).shadow_mark();
                while !(*ctx).is_shadow_full() {
                    (*ctx).shadow_alloc_frame(1 << 10);
                }
                (*ctx).shadow_release((*ctx).shadow_mark() - (2 << 10));
                start
            };
            let depth = depth_of(&vm, ops, &at);
            // SAFETY: as above.
            unsafe { (*ctx).shadow_release(start) };
            depth
        });
        assert!(depth < depth_of(&vm, ops, &at), "{at}");
    }
}

/// The log makes text of what happens, also where little of the stack is left.
#[test]
fn the_log_has_room() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let log = format!("all:{}", file.path().display());
    for kb in [64, 96, 256, 600] {
        on_stack(kb, || {
            for params in [PARAMS[1], PARAMS[5], PARAMS[7]] {
                let options = options(params, None).log(log.clone());
                let vm = Vm::new(program(), options).unwrap();
                depth_of(&vm, &recursions()[1], params);
            }
        });
    }
}

/// On a stack that is too small to compile on, nothing is, and the statistics and the log say why;
/// what is hot is tried again where there is room.
#[test]
fn too_little_stack_is_no_reason_to_give_up() {
    let log = tempfile::NamedTempFile::new().unwrap();
    let path = log.path().display().to_string();
    on_stack(96, || {
        let options = options("threshold=2", None).log(format!("trace:{path}"));
        let vm = Vm::new(program(), options).unwrap();
        assert_eq!(execute(&vm, &[AddA, DecA, LoopA(0), Ret], 300), 45_150);
        let stats = vm.stats();
        assert_eq!((stats.traces, stats.blocked), (0, 0));
        let aborts: Vec<_> = stats.aborts.iter().collect();
        assert_eq!(aborts.len(), 1);
        assert_eq!(aborts[0].0.name(), "too little stack");
        assert!(*aborts[0].1 > 50, "{aborts:?}");
    });
    let text = std::fs::read_to_string(log.path()).unwrap();
    let line = text
        .lines()
        .find(|line| line.contains("not traced at header"));
    assert!(
        line.is_some_and(|line| line.contains("too little is left")),
        "{text}"
    );

    // Down to a loop at the end of the stack, then the same loop where there is room.
    on_stack(1 << 10, || {
        let ops = [SkipNeg(3), Call(0), Ret, SetC(9), AddA, DecC, LoopC(7), Ret];
        let params = "threshold=5,function_threshold=1000000";
        let vm = Vm::new(program(), options(params, None)).unwrap();
        let (fits, traces) = vm.enter(|| {
            let guest = load(&ops);
            let mut fits = 0;
            while vm.try_enter(|| run(guest, 0, fits + 50)).is_ok() && vm.stats().traces == 0 {
                fits += 50;
            }
            run(guest, 0, 0);
            (fits, vm.stats().traces)
        });
        assert_eq!((fits, traces), (0, 1));
    });
}
