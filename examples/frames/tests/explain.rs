//! Why loops with frames at which other code looks are slow. In: programs, and closures that look.
//! Out: the first screen of the explanation. Invariant under test: looks are named with the
//! function that looks, and what a loop's label gives up with the reason.

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
    observer: impl Fn(Gc<Machine>, u8) -> i64 + 'static,
    expected: Expect,
) {
    let vm = Vm::new(program(), explaining(jit)).expect("a VM");
    vm.enter(|| {
        let machine = machine(functions);
        with_observer(Box::new(observer), || {
            call(machine, machine.functions[0], 20_000)
        });
    });
    expected.assert_eq(&first_screen(vm.explain(), ""));
}

fn no_observer(_: Gc<Machine>, _: u8) -> i64 {
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
    screen(
        &functions,
        "",
        no_observer,
        expect![[r#"
            _ in all: tracing _ %, traces _ %, leaving code _ %, optimising _ %, compiling _ %
            1. _  making 1 piece, 0 of them bridges
                offset 4 in function 0: _, 0 bridges, _
                -> let it run longer; else lower `trace_limit`, or raise `trace_eagerness` [warm-up]
            2. _  offset 10 in function 0: 1 call of call_somebody (opaque)
                believed to read anything, to write anything; `verdigris effects` names what is to blame
                in front of src/lib.rs:266 in run of the interpreter
                -> write what is hot of it in the subset, or mark it `#[elidable]` or `#[readonly]` [calls]
            (`verdigris explain --about warm-up` says more, as it does of the other words in brackets.)

            compiled:
                offset 4 in function 0: loop (traced), _ in it, 1 entry, made in _, 0 bridges, _, 7 guards with 1 failure
        "#]],
    );
}

#[test]
fn a_call_that_looks() {
    let functions = [(sum(&[LOOK, 0, ADD, 1, STORE, 1]), 2)];
    screen(
        &functions,
        "",
        read_local,
        expect![[r#"
            _ in all: traces _ %, leaving code _ %, tracing _ %, optimising _ %, compiling _ %
            1. _  offset 10 in function 0: kept frames were looked at 0 times, and taken 100 times, which leaves the code
                they are kept around the calls of call_somebody
                -> pass the values that the function needs, and not the frame [virtualizable-frames-that-are-looked-at]
            2. _  offset 10 in function 0: 1 call of call_somebody (opaque)
                believed to read anything, to write anything; `verdigris effects` names what is to blame
                in front of src/lib.rs:266 in run of the interpreter
                -> write what is hot of it in the subset, or mark it `#[elidable]` or `#[readonly]` [calls]
            3. _  offset 10 in function 0: makes 2 Num
                stored into GcArray<Virtualizable<Option<Gc<Num>>>>, which is seen by `call_somebody`, which may read it
                -> keep it out of what it is stored into or passed to; pass what is in it instead [allocations]
            4. _  offset 10 in function 0: stores 2 words to GcArray<Virtualizable<Option<Gc<Num>>>>; stores a word to Frame.at
                seen by `call_somebody`, which may read it
                -> where a call looks, `#[opaque(reads(..))]`; else nothing, or a type of its own for the place [stores]
            (`verdigris explain --about virtualizable-frames-that-are-looked-at` says more, as it does of the other words in brackets.)

            compiled:
                offset 4 in function 0: loop (traced), _ in it, 100 entries, made in _, 0 bridges, _, 7 guards with 100 failures
                offset 4 in function 0: loop (traced), _ in it, 1 entry, made in _, 0 bridges, _, 13 guards with 1 failure
        "#]],
    );
}

#[test]
fn a_call_that_writes() {
    let functions = [(sum(&[LOOK, 250, LOAD, 1, STORE, 1]), 2)];
    screen(
        &functions,
        "",
        write_local,
        expect![[r#"
            _ in all: traces _ %, leaving code _ %, tracing _ %, optimising _ %, compiling _ %
            1. _  offset 10 in function 0: kept frames were looked at 0 times, and taken 76 times, which leaves the code
                they are kept around the calls of call_somebody
                -> pass the values that the function needs, and not the frame [virtualizable-frames-that-are-looked-at]
            2. _  offset 10 in function 0: 1 call of call_somebody (opaque)
                believed to read anything, to write anything; `verdigris effects` names what is to blame
                in front of src/lib.rs:266 in run of the interpreter
                -> write what is hot of it in the subset, or mark it `#[elidable]` or `#[readonly]` [calls]
            (`verdigris explain --about virtualizable-frames-that-are-looked-at` says more, as it does of the other words in brackets.)

            compiled:
                offset 4 in function 0: loop (traced), _ in it, 76 entries, made in _, 0 bridges, _, 7 guards with 76 failures
        "#]],
    );
}

/// The inner loop goes back twice in a row. It gets hot at the second time, so its trace leaves it,
/// and comes back through the outer loop.
#[test]
fn a_label_that_gives_up() {
    let mut ops = vec![CONST, 0, STORE, 1, CONST, 3, STORE, 2];
    ops.extend([LOAD, 1, ADD, 0, STORE, 1]);
    ops.extend([LOAD, 2, SUB, 1, STORE, 2, LOOP, 8]);
    ops.extend([LOAD, 0, SUB, 1, STORE, 0, LOOP, 4, LOAD, 1, RETURN, 0]);
    screen(
        &[(ops, 3)],
        "threshold=1040",
        no_observer,
        expect![[r#"
            _ in all: traces _ %, leaving code _ %, optimising _ %, tracing _ %, compiling _ %
            1. _  offset 8 in function 0: 3 guards failed 300 times before there was a bridge for each
                -> nothing, if it stops; fewer kinds of values in one loop need fewer bridges [bridges]
            2. _  offset 20 in function 0: makes 2 Num
                stored into GcArray<Virtualizable<Option<Gc<Num>>>>, which is seen by the code behind the loop's label L2
                carried over the loop's label L2
                -> keep it out of what it is stored into or passed to; pass what is in it instead [allocations]
            3. _  offset 20 in function 0: stores 2 words to GcArray<Virtualizable<Option<Gc<Num>>>>; stores a word to Frame.at
                seen by the code behind the loop's label L2
                -> where a call looks, `#[opaque(reads(..))]`; else nothing, or a type of its own for the place [stores]
            4. _  offset 8 in function 0: 2 things that a loop's label gives up, so that they are in memory
                input 1 > Num.value is a constant at the loop's end with which its own trace would be left at once
                -> let it have the same class, length and type at the end of each turn as at its start [labels-that-give-up-state]
            (`verdigris explain --about bridges` says more, as it does of the other words in brackets.)

            compiled:
                offset 8 in function 0: loop (traced), _ in it, 301 entries, made in _, 3 bridges, _, 17 guards with 301 failures
                    bridge 4 from g14 of trace 2 at offset 20 in function 0: _, made in _
                    bridge 5 from g6 of trace 0 at offset 20 in function 0: _, made in _
                    bridge 3 from g4 of trace 0 at offset 20 in function 0: _, made in _
        "#]],
    );
}
