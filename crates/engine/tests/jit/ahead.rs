//! Compiling ahead of time: the guest program does not run meanwhile, the code is entered at the
//! first call, whatever the VM's compiler, and errors say why nothing was compiled.

use crate::guest::Op::*;
use crate::guest::{BACKENDS, MESSAGE, Op, execute, load, run, vm};
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use verdigris_engine::NotCompiledError;

const SUM: &[Op] = &[AddA, Box, DecA, LoopA(0), Ret];

#[test]
fn what_is_compiled_ahead_is_entered_at_the_first_call() {
    let expected = execute(&vm("off"), SUM, 300);
    for backend in BACKENDS.iter() {
        for compiler in ["tracing", "specialising", "both"] {
            let vm = vm(&format!("backend={backend},compiler={compiler}"));
            vm.enter(|| {
                let guest = load(SUM);
                assert_eq!(vm.compile(|| run(guest, 0, 300)), Ok(()));
                let made = vm.stats();
                assert_eq!((made.entries, made.traces + made.loops > 0), (0, true));
                assert_eq!(run(guest, 0, 300), expected);
                let ran = vm.stats();
                assert_eq!(ran.entries, 1, "{backend} {compiler}");
                assert_eq!(ran.guard_failures.total, 0, "{backend} {compiler}");
            });
        }
    }
}

#[test]
fn the_program_does_not_run_and_is_compiled_once() {
    let vm = vm("threshold=2");
    vm.enter(|| {
        let guest = load(SUM);
        let has_returned = Cell::new(false);
        let call = || {
            run(guest, 0, 300);
            has_returned.set(true);
        };
        assert_eq!(vm.compile(call), Ok(()));
        let traces = vm.stats().traces;
        assert_eq!(vm.compile(call), Ok(()));
        assert_eq!(vm.stats().traces, traces);
        assert!(!has_returned.get());
        // Counting goes on as before.
        let other = load(&[AddA, DecA, LoopA(0), Ret]);
        assert_eq!(run(other, 0, 1), 1);
        assert_eq!(vm.stats().traces, traces);
    });
}

#[test]
fn it_works_outside_of_enter() {
    let vm = vm("");
    assert_eq!(vm.compile(|| run(load(SUM), 0, 3)), Ok(()));
    assert_eq!(vm.stats().traces, 1);
}

#[test]
fn what_cannot_be_compiled_is_said() {
    let sum = || run(load(SUM), 0, 3);
    assert_eq!(vm("off").compile(sum), Err(NotCompiledError::Off));
    let checking = vm("check_hints=1");
    assert_eq!(checking.compile(sum), Err(NotCompiledError::ChecksHints));
    assert_eq!(vm("").compile(|| 7), Err(NotCompiledError::NoMergePoint));
    let other = vm("");
    let elsewhere = vm("");
    let call = || other.enter(sum);
    assert_eq!(elsewhere.compile(call), Err(NotCompiledError::NoMergePoint));
}

#[test]
fn a_panic_in_front_of_the_merge_point_goes_through() {
    let vm = vm("");
    let call = AssertUnwindSafe(|| vm.compile(|| panic!("{MESSAGE}")));
    let payload = catch_unwind(call).unwrap_err();
    assert_eq!(payload.downcast_ref::<String>().unwrap(), MESSAGE);
    assert_eq!(vm.compile(|| run(load(SUM), 0, 3)), Ok(()));
}
