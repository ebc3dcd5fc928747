//! Why loops with frames at which other code looks are slow. In: programs, and closures that look. Out: the first screen of the explanation. Invariant under test: looks
//! are named with the function that looks, and what a loop's label gives up with the reason.

use expect_test::{Expect, expect};
use frames::*;
use verdigris::{Gc, Vm};
use verdigris_testing::{explaining, first_screen};

/// Local 1 is the sum of what local 0 counts down from; `inside` stands in the loop.
fn sum(inside: &[u8]) -> Vec<u8> {
    let mut ops = vec![CONST, 0, STORE, 1];
    ops.extend([LOAD, 1, ADD, 0, STORE, 1]);
    ops.extend(inside);
    ops.extend([LOAD, 0, SUB, 1, STORE, 0, LOOP, 4]);
    ops.extend([LOAD, 1, RETURN, 0]);
    ops
}

/// The first screen for a program, with an outside closure that does this.
fn screen(
    functions: &[(Vec<u8>, usize)],
    jit: &str,
    somebody: impl Fn(Gc<Machine>, u8) -> i64 + 'static,
    expected: Expect,
) {
    let vm = Vm::new(program(), explaining(jit)).expect("a VM");
    vm.enter(|| {
        let machine = machine(functions);
        with_somebody(Box::new(somebody), || {
            call(machine, machine.functions[0], 20_000)
        });
    });
    expected.assert_eq(&first_screen(vm.explain(), ""));
}

fn nobody(_: Gc<Machine>, _: u8) -> i64 {
    0
}

/// Reads a local of the function that runs.
fn read_local(machine: Gc<Machine>, n: u8) -> i64 {
    local(machine, 0, usize::from(n))
}

/// Writes a local of the function that runs, now and then.
fn write_local(machine: Gc<Machine>, n: u8) -> i64 {
    if machine.looks.get() % i64::from(n) == 0 {
        let frame = machine.top.get().expect("a function runs");
        frame.locals[1].set(Some(Gc::new(Num { value: 7 })));
    }
    0
}

#[test]
fn a_call_that_may_look_and_does_not() {
    let functions = [(sum(&[LOOK, 0]), 2)];
    screen(&functions, "", nobody, expect![[""]]);
}

#[test]
fn a_call_that_looks() {
    let functions = [(sum(&[LOOK, 0, ADD, 1, STORE, 1]), 2)];
    screen(&functions, "", read_local, expect![[""]]);
}

#[test]
fn a_call_that_writes() {
    let functions = [(sum(&[LOOK, 250, LOAD, 1, STORE, 1]), 2)];
    screen(&functions, "", write_local, expect![[""]]);
}

/// The inner loop goes back twice in a row. It gets hot at the second time, so its trace leaves it, and comes back through the outer loop.
#[test]
fn a_label_that_gives_up() {
    let mut ops = vec![CONST, 0, STORE, 1, CONST, 3, STORE, 2];
    ops.extend([LOAD, 1, ADD, 0, STORE, 1]);
    ops.extend([LOAD, 2, SUB, 1, STORE, 2, LOOP, 8]);
    ops.extend([LOAD, 0, SUB, 1, STORE, 0, LOOP, 4, LOAD, 1, RETURN, 0]);
    screen(&[(ops, 3)], "threshold=1040", nobody, expect![[""]]);
}
