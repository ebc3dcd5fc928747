//! Stacks that belong to no thread: coroutines enter VMs, run guest programs and are suspended.
//!
//! A VM runs on any stack as long as it is left before another stack continues. An embedder that
//! switches stacks while it is entered gets a panic, before the collector scans the wrong stack.

use crate::guest::Op::*;
use crate::guest::{Op, load, run, vm};
use corosensei::{Coroutine, CoroutineResult, Yielder};
use std::panic::{AssertUnwindSafe, catch_unwind};
use verdigris_engine::{JitParams, Options, StoppedError, Vm};
use verdigris_heap::{CollectScope, GcArray, Root, Weak, collect_garbage};

const LOOP: &[Op] = &[SkipEven(1), AddA, Box, Keep, DecA, LoopA(0), Ret];
const PARAMS: &str = "threshold=5,trace_eagerness=5";

/// The message of a panic.
fn message<R>(f: impl FnOnce() -> R) -> String {
    let payload = catch_unwind(AssertUnwindSafe(f)).err().expect("a panic");
    payload
        .downcast_ref::<&str>()
        .map(|m| m.to_string())
        .unwrap_or_else(|| payload.downcast_ref::<String>().expect("a message").clone())
}

fn is_refused<R>(f: impl FnOnce() -> R) {
    let message = message(f);
    assert!(
        message.starts_with("the native stack was switched while a VM is entered on another one"),
        "{message}"
    );
}

fn hot() -> i64 {
    run(load(LOOP), 0, 100)
}

type Suspended<'a> = Coroutine<(), (), i64>;

/// A coroutine that enters a VM, is suspended there, and runs a program.
fn suspended(vm: &'static Vm) -> Suspended<'static> {
    let mut coroutine = Coroutine::new(move |yielder: &Yielder<(), ()>, ()| {
        vm.enter(|| {
            let first = hot();
            yielder.suspend(());
            first + hot()
        })
    });
    assert!(matches!(coroutine.resume(()), CoroutineResult::Yield(())));
    coroutine
}

fn finish(mut coroutine: Suspended<'static>) {
    assert!(matches!(
        coroutine.resume(()),
        CoroutineResult::Return(5200)
    ));
}

fn leaked(params: &str) -> &'static Vm {
    std::boxed::Box::leak(std::boxed::Box::new(vm(params)))
}

#[test]
fn a_vm_runs_on_a_coroutine() {
    for params in [
        "off",
        PARAMS,
        "threshold=5,stress=1",
        "threshold=5,stress=1,backend=oracle",
    ] {
        let vm = leaked(params);
        let mut coroutine = Coroutine::new(move |_: &Yielder<(), ()>, ()| {
            // A frame that is further down, and another entrance.
            let room = std::hint::black_box([1u64; 4000]);
            vm.enter(|| vm.enter(hot) - 1 + room[17] as i64)
        });
        assert!(
            matches!(coroutine.resume(()), CoroutineResult::Return(2600)),
            "{params}"
        );
        assert_eq!(vm.enter(hot), 2600, "{params}");
    }
}

#[test]
fn recursion_on_a_coroutine_is_stopped_at_the_configured_limit() {
    let options = Options::default()
        .jit(JitParams::parse(PARAMS).expect("parameters"))
        .native_stack(Some(400 << 10));
    let vm = Vm::new(crate::guest::program(), options).expect("a VM");
    let ops = [Box, Keep, Call(0), Ret];
    let stack = corosensei::stack::DefaultStack::new(1 << 20).expect("a stack");
    let mut coroutine = Coroutine::with_stack(stack, move |_: &Yielder<(), ()>, ()| {
        vm.try_enter(|| run(load(&ops), 0, 1))
    });
    let result = coroutine.resume(());
    assert!(matches!(
        result,
        CoroutineResult::Return(Err(StoppedError::StackExhausted))
    ));
}

#[test]
fn a_vm_is_not_entered_on_two_stacks() {
    let vm = leaked(PARAMS);
    let first = suspended(vm);
    let mut second = Coroutine::new(move |_: &Yielder<(), ()>, ()| vm.enter(hot));
    is_refused(|| second.resume(()));
    is_refused(|| vm.enter(hot));
    finish(first);
    assert_eq!(vm.enter(hot), 2600);
}

#[test]
fn another_vm_is_not_entered_meanwhile() {
    let (first, second) = (leaked(PARAMS), leaked(PARAMS));
    let coroutine = suspended(first);
    is_refused(|| second.enter(hot));
    finish(coroutine);
    assert_eq!(second.enter(hot), 2600);
}

#[test]
fn guest_code_does_not_go_on_elsewhere() {
    for params in ["off", PARAMS] {
        let vm = leaked(params);
        let guest = vm.enter(|| verdigris_heap::Root::new(load(LOOP)));
        let coroutine = suspended(vm);
        is_refused(|| run(guest.get(), 0, 1));
        is_refused(|| collect_garbage(CollectScope::All));
        is_refused(|| {
            loop {
                GcArray::<u8>::new(1000, 0);
            }
        });
        let mut other = Coroutine::new({
            let guest = guest.clone();
            move |_: &Yielder<(), ()>, ()| run(guest.get(), 0, 1)
        });
        is_refused(|| other.resume(()));
        finish(coroutine);
        // From the thread's own stack to another.
        let mut other = Coroutine::new(move |_: &Yielder<(), ()>, ()| run(guest.get(), 0, 1));
        vm.enter(|| is_refused(|| other.resume(())));
        assert_eq!(vm.enter(hot), 2600);
    }
}

/// A coroutine that is made and suspended inside of a VM has references on its stack, which the
/// collector does not see. That goes unnoticed; what it does with the heap is
/// refused.
#[test]
fn what_a_coroutine_inside_of_a_vm_does_with_the_heap_is_refused() {
    type Use = fn();
    let uses: [(&str, Use); 4] = [
        ("a root", || drop(Root::new(GcArray::<u8>::new(1, 0)))),
        ("a weak reference", || {
            drop(Weak::new(GcArray::<u8>::new(1, 0)))
        }),
        ("a guest program", || _ = run(load(LOOP), 0, 1)),
        ("objects for more than a block", || {
            (0..40).for_each(|_| _ = GcArray::<u8>::new(1000, 0))
        }),
    ];
    for params in ["off", PARAMS] {
        for (name, use_heap) in uses {
            let vm = leaked(params);
            vm.enter(|| {
                assert_eq!(hot(), 2600, "{name}");
                let mut inner = Coroutine::new(move |yielder: &Yielder<(), ()>, ()| {
                    yielder.suspend(());
                    use_heap();
                });
                assert!(matches!(inner.resume(()), CoroutineResult::Yield(())));
                assert_eq!(hot(), 2600, "{name}");
                is_refused(|| inner.resume(()));
                assert_eq!(hot(), 2600, "{name}");
            });
        }
    }
}

/// Under stress, the first object is.
#[test]
fn under_stress_a_coroutine_inside_of_a_vm_makes_no_object() {
    let vm = leaked("off,stress=1");
    vm.enter(|| {
        let mut inner = Coroutine::new(|_: &Yielder<(), ()>, ()| GcArray::<u8>::new(1, 0).len());
        is_refused(|| inner.resume(()));
    });
}
