//! Untrusted guest programs. In: programs that loop, recurse, allocate. Out: how they
//! end. Invariant under test: each ends with an error that says why, and the VM runs the next
//! program.

use book_recipes::embedding::{Source, call, machine};
use book_recipes::program::Op;
use std::time::Duration;
use verdigris::{HeapOptions, Options, StoppedError, Vm};

fn source(registers: usize, code: &[Op]) -> Vec<Source> {
    vec![Source {
        name: "main",
        params: 1,
        registers,
        code: code.to_vec(),
        handlers: Vec::new(),
    }]
}

/// The VM is as good as before.
fn still_works(vm: &Vm) {
    let program = source(1, &[Op::Return { from: 0 }]);
    let result = vm.enter(|| call(&program, &[], 7));
    assert_eq!(result, Ok("7".to_string()));
}

#[test]
fn a_program_that_does_not_end_is_interrupted() {
    // ANCHOR: interrupt
    let vm = machine(Options::default()).expect("a VM");
    let handle = vm.interrupt_handle();
    let clock = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(50));
        handle.interrupt();
    });
    let forever = source(1, &[Op::Loop { target: 0 }]);
    let result = vm.try_enter(|| call(&forever, &[], 0));
    assert_eq!(result, Err(StoppedError::Interrupted));
    // ANCHOR_END: interrupt
    clock.join().expect("the clock does not panic");
    still_works(&vm);
}

#[test]
fn a_program_that_allocates_without_end_is_stopped() {
    // ANCHOR: heap
    let heap = HeapOptions {
        limit: 1 << 20,
        ..HeapOptions::default()
    };
    let options = Options::default().heap(heap);
    let vm = machine(options).expect("a VM");
    // Each object has the one before in a field.
    let list = [
        Op::New { to: 1 },
        Op::Set {
            object: 1,
            name: 0,
            from: 2,
        },
        Op::Move { to: 2, from: 1 },
        Op::Loop { target: 0 },
    ];
    let result = vm.try_enter(|| call(&source(3, &list), &[], 0));
    assert_eq!(result, Err(StoppedError::HeapExhausted));
    // ANCHOR_END: heap
    still_works(&vm);
}

#[test]
fn a_program_that_recurses_without_end_has_an_error_of_its_own() {
    let vm = machine(Options::default()).expect("a VM");
    let recursion = [
        Op::Close {
            to: 1,
            function: 0,
            from: 0,
        },
        Op::Move { to: 2, from: 0 },
        Op::Call {
            to: 1,
            first: 1,
            count: 1,
        },
        Op::Return { from: 1 },
    ];
    let result = vm.try_enter(|| call(&source(3, &recursion), &[], 0));
    let error = Err("too many calls within each other".to_string());
    assert_eq!(result, Ok(error));
    still_works(&vm);
}
