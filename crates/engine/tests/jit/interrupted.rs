//! Interrupts of programs that do not end by themselves: they stop at the next back edge or call,
//! in the same state whatever the JIT does, and the VM stays usable.

use crate::guest::Op::*;
use crate::guest::{BACKENDS, INTERRUPT, Op, execute, load, run, vm};
use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;
use verdigris_engine::{StoppedError, Vm};

/// Adds up, through objects; [`Fail`] is where the interrupt comes from, if a test wants one at a
/// certain value.
const FOREVER: &[Op] = &[Total, Box, Fail, DecA, Loop(0)];

const SETTINGS: &[&str] = &[
    "off",
    "threshold=1",
    "threshold=5",
    "threshold=59",
    "threshold=60",
    "threshold=1000",
    "threshold=5,enable_opts=none",
    "threshold=5,trace_limit=5",
    "threshold=5,fail_guards=1,trace_eagerness=1",
    "threshold=2,stress=1",
    "threshold=5,compiler=threaded",
    "threshold=60,thread_threshold=2",
];

fn each_setting(test: impl Fn(&str)) {
    for backend in BACKENDS.iter() {
        for setting in SETTINGS {
            test(&format!("backend={backend},{setting}"));
        }
    }
}

/// The VM is as good as before.
fn still_works(vm: &Vm, setting: &str) {
    assert_eq!(
        execute(vm, &[AddA, DecA, LoopA(0), Ret], 300),
        45_150,
        "{setting}"
    );
}

#[test]
fn a_loop_stops_at_the_next_back_edge() {
    each_setting(|setting| {
        let vm = vm(setting);
        INTERRUPT.set(Some((vm.interrupt_handle(), 1040)));
        let (stopped, total) = vm.enter(|| {
            let guest = load(FOREVER);
            (vm.try_enter(|| run(guest, 0, 1100)), guest.total.get())
        });
        assert_eq!(stopped, Err(StoppedError::Interrupted), "{setting}");
        assert_eq!(total, (1040..=1100).sum::<i64>(), "{setting}");
        assert_eq!(vm.stats().interrupts, 1);
        still_works(&vm, setting);
    });
}

#[test]
fn an_interrupt_in_a_call_stops_everything_around_it() {
    // The outer loop calls the portal, which interrupts.
    let ops = &[
        Total,
        Call(7),
        DecA,
        Loop(0),
        Ret,
        Fail,
        DecA,
        LoopA(7),
        Ret,
    ];
    each_setting(|setting| {
        let vm = vm(setting);
        INTERRUPT.set(Some((vm.interrupt_handle(), 40)));
        let (stopped, total) = vm.enter(|| {
            let guest = load(ops);
            (vm.try_enter(|| run(guest, 0, 70)), guest.total.get())
        });
        assert_eq!(
            (stopped, total),
            (Err(StoppedError::Interrupted), 70),
            "{setting}"
        );
        still_works(&vm, setting);
    });
}

#[test]
fn another_thread_stops_a_loop() {
    each_setting(|setting| {
        let vm = vm(setting);
        let handle = vm.interrupt_handle();
        let stopped = std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(10));
                handle.interrupt();
            });
            vm.try_enter(|| run(load(&[AddA, Box, Loop(0)]), 0, 1))
        });
        assert_eq!(stopped, Err(StoppedError::Interrupted), "{setting}");
        still_works(&vm, setting);
    });
}

#[test]
fn recursion_without_loops_stops_too() {
    // The naive Fibonacci function: it would take years.
    let ops = &[SkipNeg(5), Call(0), DecA, Call(0), AddA, Ret];
    each_setting(|setting| {
        let vm = vm(setting);
        let handle = vm.interrupt_handle();
        let stopped = std::thread::scope(|scope| {
            scope.spawn(move || {
                std::thread::sleep(Duration::from_millis(10));
                handle.interrupt();
            });
            vm.try_enter(|| run(load(ops), 0, 80))
        });
        assert_eq!(stopped, Err(StoppedError::Interrupted), "{setting}");
        still_works(&vm, setting);
    });
}

#[test]
fn an_interrupt_waits_for_the_next_program_unless_it_is_taken_back() {
    let vm = vm("threshold=5");
    let handle = vm.interrupt_handle();
    handle.clone().interrupt();
    assert!(handle.is_pending());
    vm.clear_interrupt();
    assert!(!handle.is_pending());
    still_works(&vm, "");
    handle.interrupt();
    let stopped = vm.try_enter(|| run(load(FOREVER), 0, 1));
    assert_eq!(stopped, Err(StoppedError::Interrupted));
    drop(vm);
    handle.interrupt();
}

#[test]
fn an_action_is_done_instead_and_the_program_goes_on() {
    each_setting(|setting| {
        let vm = vm(setting);
        let (done, count) = (Rc::new(Cell::new(0)), Rc::new(Cell::new(0)));
        let (counted, handle) = (Rc::clone(&count), vm.interrupt_handle());
        vm.on_interrupt(Some(Rc::new(move || counted.set(counted.get() + 1))));
        INTERRUPT.set(Some((handle.clone(), 1040)));
        let ended = vm.try_enter(|| {
            // By twos, which leaves out the number that `Fail` fails for.
            let guest = load(&[Total, Fail, DecA, DecA, LoopA(0), Ret]);
            run(guest, 0, 1100);
            done.set(guest.total.get());
        });
        assert_eq!((ended, count.get()), (Ok(()), 1), "{setting}");
        assert_eq!(done.get(), (2..=1100).step_by(2).sum::<i64>(), "{setting}");
        vm.on_interrupt(None);
        handle.interrupt();
        let stopped = vm.try_enter(|| run(load(FOREVER), 0, 1));
        assert_eq!(stopped, Err(StoppedError::Interrupted), "{setting}");
        assert_eq!(count.get(), 1, "{setting}");
    });
}

#[test]
fn a_question_is_answered_and_the_program_goes_on() {
    each_setting(|setting| {
        let vm = vm(setting);
        let (answers, handle) = (Rc::new(Cell::new((0, 0))), vm.interrupt_handle());
        let noted = Rc::clone(&answers);
        vm.on_question(Some(Rc::new(move |run| {
            let (count, _) = noted.get();
            noted.set((count + 1, run.stats().entries));
            assert!(run.explain().is_none() && run.profile().is_none());
        })));
        let total = || vm.enter(|| run(load(&[AddA, DecA, LoopA(0), Ret]), 0, 100));
        let expected = total();
        handle.ask();
        assert!(!handle.is_pending(), "{setting}: that is no wish to stop");
        assert_eq!((total(), answers.get().0), (expected, 1), "{setting}");
        assert_eq!((total(), answers.get().0), (expected, 1), "{setting}");
        vm.on_question(None);
        handle.ask();
        assert_eq!((total(), answers.get().0), (expected, 1), "{setting}");
    });
}

#[test]
fn loops_look_for_interrupts_once_there_is_a_handle() {
    for backend in BACKENDS.iter() {
        let vm = vm(&format!("backend={backend},threshold=5"));
        still_works(&vm, "");
        let without = vm.stats();
        let _handle = vm.interrupt_handle();
        assert_eq!(vm.stats().freed, 1, "what cannot be interrupted");
        still_works(&vm, "");
        let with = vm.stats();
        assert_eq!(
            with.guards - without.guards,
            without.guards + 2,
            "entry and body"
        );
    }
}
