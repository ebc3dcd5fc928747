//! Guest code on both sides of a switch between native stacks: what it computes, and how panics,
//! interrupts and exhaustion pass through.

use crate::guest::Op::*;
use crate::guest::{MESSAGE, Op, SWITCH, load, program, run, vm};
use std::cell::Cell as StdCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use verdigris_engine::{ExhaustedError, JitParams, Options, StoppedError, Vm, protect};
use verdigris_heap::{
    Coroutine, CoroutineStatus, Gc, GcArray, Root, StackExhausted, Step, gc_class,
};

/// Native code, compiled code of every kind, and both ways to collect and to fail in between.
const PARAMS: &[&str] = &[
    "off",
    "off,stress=1",
    "threshold=1,trace_eagerness=1",
    "threshold=3,trace_eagerness=2",
    "threshold=5,trace_eagerness=5,backend=oracle",
    "threshold=5,trace_eagerness=5,backend=cranelift",
    "threshold=5,trace_eagerness=5,stress=1",
    "threshold=5,trace_eagerness=5,stress=young",
    "threshold=5,trace_eagerness=5,stress=1,backend=oracle",
    "threshold=5,trace_eagerness=5,fail_guards=1",
    "threshold=5,trace_eagerness=5,fail_guards=1,stress=1",
    "threshold=5,check_hints=1",
    "threshold=5,compiler=specialising",
    "threshold=5,compiler=threaded",
];

struct Thread {
    number: verdigris_heap::Cell<u64>,
}
gc_class! { Thread { number: verdigris_heap::Cell<u64> } }

type Co = Coroutine<i64, i64>;

thread_local! {
    /// The threads that [`Op::Switch`] resumes, by the number modulo their count.
    static THREADS: StdCell<Vec<Root<Gc<Thread>>>> = const { StdCell::new(Vec::new()) };
    static TURN: StdCell<usize> = const { StdCell::new(0) };
}

/// A thread that runs a program with what it is first resumed with.
fn spawn(ops: &[Op]) -> Gc<Thread> {
    let thread = Gc::new(Thread {
        number: verdigris_heap::Cell::new(0),
    });
    let guest = load(ops);
    let co = Co::new(thread, move |a| run(guest, 0, a)).expect("a stack");
    thread.number.set(co.number());
    thread
}

fn co(thread: Gc<Thread>) -> Co {
    Co::from_number(thread.number.get())
}

/// In a coroutine yields; elsewhere resumes the threads in turn. A thread that has ended gives
/// -1000.
fn switch(a: i64) -> i64 {
    if Co::running().is_some() {
        return Co::suspend(a);
    }
    let threads = THREADS.take();
    let turn = TURN.get();
    TURN.set(turn + 1);
    let thread = threads[turn % threads.len()].get();
    THREADS.set(threads);
    match co(thread).resume(a) {
        Ok(Step::Yielded(value)) => value,
        Ok(Step::Returned(value)) => value * 3,
        Err(_) => -1000,
    }
}

/// Runs a program that resumes threads of other programs. All that it leaves are words.
fn converse(vm: &Vm, main: &[Op], others: &[&[Op]], a: i64) -> Vec<i64> {
    SWITCH.set(switch);
    vm.enter(|| {
        let mut words = Vec::new();
        let guest = load(main);
        for round in 0..3 {
            TURN.set(0);
            THREADS.set(others.iter().map(|ops| Root::new(spawn(ops))).collect());
            words.push(run(guest, 0, a + round));
            for thread in THREADS.take() {
                words.push(match co(thread.get()).status() {
                    CoroutineStatus::Suspended => 1,
                    _ => 2,
                });
                // Some are never ended.
                if round % 2 == 0 && co(thread.get()).status() == CoroutineStatus::Suspended {
                    co(thread.get()).unwind().expect("it is suspended");
                }
            }
            words.push(guest.total.get());
        }
        words
    })
}

fn check(main: &[Op], others: &[&[Op]], a: i64) {
    let right = converse(&vm("off"), main, others, a);
    for params in PARAMS {
        assert_eq!(converse(&vm(params), main, others, a), right, "{params}");
    }
}

/// Resumes once in each iteration.
const MAIN: &[Op] = &[
    AddA,
    Keep,
    Box,
    Switch,
    Total,
    DecA,
    LoopA(0),
    Peek,
    Peek,
    Ret,
];

#[test]
fn a_loop_resumes_a_loop() {
    const GENERATE: &[Op] = &[AddA, Box, Keep, Switch, DecA, LoopA(0), Peek, Ret];
    check(MAIN, &[GENERATE], 60);
}

#[test]
fn a_coroutine_yields_from_within_calls() {
    // It calls itself, and yields before and behind the call.
    const RECURSE: &[Op] = &[
        SkipNeg(9),
        Keep,
        Switch,
        Box,
        Call(0),
        Switch,
        Peek,
        Bump,
        AddA,
        Ret,
    ];
    check(MAIN, &[RECURSE], 70);
}

#[test]
fn many_coroutines_share_their_code() {
    const GENERATE: &[Op] = &[Keep, Switch, SkipEven(1), AddA, Peek, DecA, LoopA(0), Ret];
    const OTHER: &[Op] = &[Square, Switch, Pair, Half, DecA, LoopA(0), Ret];
    check(MAIN, &[GENERATE, GENERATE, OTHER, GENERATE, OTHER], 90);
}

#[test]
fn calls_lie_between_the_loop_and_the_switch() {
    const MAIN: &[Op] = &[
        Call(7),
        DecA,
        LoopA(0),
        Total,
        Ret,
        Keep,
        Switch,
        Peek,
        AddA,
        Ret,
    ];
    const GENERATE: &[Op] = &[
        Call(7),
        DecA,
        LoopA(0),
        Ret,
        Ret,
        Keep,
        Switch,
        Bump,
        Peek,
        Ret,
    ];
    check(MAIN, &[GENERATE, GENERATE], 80);
}

#[test]
fn a_panic_in_a_coroutine_goes_to_its_resumer() {
    // The opaque call panics if `a` is 5.
    const FAILS: &[Op] = &[Keep, Switch, Fail, Box, DecA, LoopA(0), Ret];
    for params in PARAMS {
        SWITCH.set(switch);
        let vm = vm(params);
        vm.enter(|| {
            for _ in 0..4 {
                let thread = spawn(FAILS);
                let mut given = 20;
                let payload = loop {
                    let step = || co(thread).resume(given);
                    match catch_unwind(AssertUnwindSafe(step)) {
                        Ok(step) => assert_eq!(step, Ok(Step::Yielded(given)), "{params}"),
                        Err(payload) => break payload,
                    }
                    given -= 1;
                    // What it is resumed with goes to `b`.
                };
                assert_eq!(payload.downcast_ref(), Some(&MESSAGE), "{params}");
                assert_eq!(given, 4);
                assert_eq!(co(thread).status(), CoroutineStatus::Dead);
            }
        });
    }
}

#[test]
fn a_panic_in_a_resumer_leaves_the_coroutine() {
    const FAILS: &[Op] = &[Keep, Switch, Fail, Box, DecA, LoopA(0), Ret];
    const GENERATE: &[Op] = &[AddA, Box, Keep, Switch, DecA, LoopA(0), Peek, Ret];
    for params in PARAMS {
        SWITCH.set(switch);
        let vm = vm(params);
        vm.enter(|| {
            let guest = load(FAILS);
            for _ in 0..4 {
                TURN.set(0);
                THREADS.set(vec![Root::new(spawn(GENERATE))]);
                let result = catch_unwind(AssertUnwindSafe(|| run(guest, 0, 30)));
                let payload = result.expect_err("a panic");
                assert_eq!(payload.downcast_ref(), Some(&MESSAGE), "{params}");
                let threads = THREADS.take();
                let thread = threads[0].get();
                assert_eq!(co(thread).status(), CoroutineStatus::Suspended);
                assert_eq!(co(thread).resume(0), Ok(Step::Yielded(4)));
            }
        });
    }
}

#[test]
fn recursion_in_a_coroutine_is_stopped() {
    const ENDLESS: &[Op] = &[Box, Keep, Call(0), Peek, Ret];
    // Stress looks at the whole stack at each level.
    for params in PARAMS.iter().filter(|params| !params.contains("stress")) {
        SWITCH.set(switch);
        let options = Options::default()
            .jit(JitParams::parse(params).expect("parameters"))
            .coroutine_stack(1 << 20);
        let vm = Vm::new(program(), options).expect("a VM");
        for _ in 0..2 {
            vm.enter(|| {
                let thread = spawn(ENDLESS);
                let stopped = protect(|| co(thread).resume(1));
                assert_eq!(stopped, Err(ExhaustedError::Stack), "{params}");
                assert_eq!(co(thread).status(), CoroutineStatus::Dead);
                // Within the coroutine too, which goes on.
                let guest = load(ENDLESS);
                let thread = Gc::new(Thread {
                    number: verdigris_heap::Cell::new(0),
                });
                let inner = Co::new(thread, move |a| {
                    let stopped = catch_unwind(AssertUnwindSafe(|| run(guest, 0, a)));
                    assert!(stopped.is_err_and(|payload| payload.is::<StackExhausted>()));
                    Co::suspend(7)
                });
                let inner = inner.expect("a stack");
                assert_eq!(inner.resume(3), Ok(Step::Yielded(7)), "{params}");
                assert_eq!(inner.resume(4), Ok(Step::Returned(4)), "{params}");
            });
        }
    }
}

#[test]
fn an_exhausted_heap_is_told_through_resume() {
    const GROWS: &[Op] = &[Keep, Keep, Keep, Switch, Loop(0)];
    for params in [
        "off",
        "threshold=5,trace_eagerness=5",
        "threshold=5,backend=oracle",
    ] {
        SWITCH.set(|_| 0);
        let options = Options::parse(&format!("{params},heap_limit=4000000"));
        let vm = Vm::new(program(), options.expect("parameters")).expect("a VM");
        vm.enter(|| {
            let thread = spawn(GROWS);
            let stopped = protect(|| co(thread).resume(1));
            assert_eq!(stopped, Err(ExhaustedError::Heap), "{params}");
            assert_eq!(co(thread).status(), CoroutineStatus::Dead);
            assert_eq!(co(spawn(&[AddA, Ret])).resume(3), Ok(Step::Returned(3)));
        });
    }
}

#[test]
fn an_interrupt_ends_the_coroutine_that_runs() {
    const LOOP: &[Op] = &[Keep, Peek, Switch, Loop(0)];
    thread_local!(static LEFT: StdCell<i64> = const { StdCell::new(0) });
    thread_local!(static HANDLE: StdCell<Option<verdigris_engine::InterruptHandle>> = const { StdCell::new(None) });
    fn countdown(_: i64) -> i64 {
        LEFT.set(LEFT.get() - 1);
        if LEFT.get() == 0
            && let Some(handle) = HANDLE.take()
        {
            handle.interrupt();
        }
        0
    }
    for params in PARAMS {
        SWITCH.set(countdown);
        let vm = vm(params);
        for left in [3, 50] {
            LEFT.set(left);
            HANDLE.set(Some(vm.interrupt_handle()));
            let stopped = vm.try_enter(|| {
                let result = co(spawn(LOOP)).resume(1);
                unreachable!("{result:?}")
            });
            assert_eq!(stopped, Err(StoppedError::Interrupted), "{params}");
        }
    }
}

/// Suspended in native, compiled, rebuilt and recorded code alike, then dropped.
#[test]
fn abandoned_coroutines_are_unwound_wherever_they_are() {
    const GENERATE: &[Op] = &[
        AddA,
        Keep,
        Switch,
        Call(9),
        DecA,
        LoopA(0),
        Ret,
        Ret,
        Keep,
        Switch,
        Bump,
        Ret,
    ];
    for params in PARAMS {
        SWITCH.set(switch);
        let vm = vm(params);
        vm.enter(|| {
            for n in 0..24 {
                let thread = spawn(GENERATE);
                for _ in 0..n {
                    assert!(matches!(co(thread).resume(100), Ok(Step::Yielded(_))));
                }
                if n % 3 == 0 {
                    co(thread).unwind().expect("it is suspended");
                }
            }
            verdigris_heap::collect_garbage(verdigris_heap::CollectScope::All);
            assert_eq!(co(spawn(&[AddA, Ret])).resume(3), Ok(Step::Returned(3)));
        });
    }
}

/// A VM is dropped with coroutines in it, one of which has entered it again.
#[test]
fn a_vm_ends_with_coroutines() {
    const GENERATE: &[Op] = &[AddA, Keep, Switch, DecA, LoopA(0), Ret];
    for params in PARAMS {
        SWITCH.set(switch);
        let vm = std::rc::Rc::new(vm(params));
        let threads: Vec<_> = vm.enter(|| {
            let mut threads: Vec<_> = (0..5).map(|_| Root::new(spawn(GENERATE))).collect();
            let again = std::rc::Rc::downgrade(&vm);
            let holder = Gc::new(Thread {
                number: verdigris_heap::Cell::new(0),
            });
            let inside = Co::new(holder, move |a| {
                let vm = again.upgrade().expect("it is entered");
                let vm = std::rc::Rc::as_ptr(&vm);
                // SAFETY: the VM outlives its coroutines.
                unsafe { (*vm).enter(|| Co::suspend(a)) }
            });
            holder.number.set(inside.expect("a stack").number());
            threads.push(Root::new(holder));
            for _ in 0..9 {
                for thread in &threads[..5] {
                    assert!(matches!(co(thread.get()).resume(40), Ok(Step::Yielded(_))));
                }
            }
            assert_eq!(co(threads[5].get()).resume(8), Ok(Step::Yielded(8)));
            threads
        });
        vm.enter(|| {
            assert!(matches!(
                co(threads[0].get()).resume(1),
                Ok(Step::Yielded(_))
            ));
            GcArray::<u8>::new(1000, 0);
        });
        drop(threads);
    }
}
