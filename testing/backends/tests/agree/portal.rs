//! Calls of the portal by compiled code: through the runner, directly, and by code that is left
//! before its end.

use std::cell::Cell;
use std::rc::Rc;
use verdigris_backend::Callees;
use verdigris_heap::HeapOptions;
use verdigris_ops::FnKind;
use verdigris_traces::vm::{Vm, check_all};

/// A portal without greens.
#[derive(Default)]
struct Callee {
    code: Box<Cell<usize>>,
}

impl Callees for Callee {
    fn greens(&self) -> usize {
        0
    }

    fn code_of(&self, _greens: &[u64]) -> u64 {
        (&raw const *self.code).expose_provenance() as u64
    }
}

/// Runs a script that calls `portal`, which has no code at first; then compiles `code`, its label
/// `L9`, and runs the script again. Returns half of the log, whose halves are equal.
fn check_calls(portal: &str, code: &str, caller: &str, script: impl Fn(&mut Vm)) -> String {
    let log = check_all(HeapOptions::default(), |vm| {
        let callee = Rc::new(Callee::default());
        let function = vm.descrs.fns.iter_mut();
        let (_, info) = { function }.find(|(_, f)| f.name == portal).expect(portal);
        info.kind = FnKind::Runner;
        vm.callees = Some(callee.clone());
        vm.compile(caller);
        script(vm);
        vm.compile(code);
        let entry = vm.entry(9);
        callee.code.set(entry.address());
        script(vm);
    });
    let lines: Vec<&str> = log.lines().collect();
    let (through_the_runner, directly) = lines.split_at(lines.len() / 2);
    assert_eq!(through_the_runner, directly);
    directly.join("\n")
}

/// The argument is the result of a comparison, which both ways and what follows need as a word.
#[test]
fn truth_values_are_passed() {
    let log = check_calls(
        "boom",
        "[i0] label L9(i0) i1 = int_add(i0, 1) finish(i1)",
        "[i0, i1]
         label L0(i0, i1)
         i2 = int_lt(i0, i1)
         i3 = call(i2) boom
         guard_no_panic() g0 -> [i0, i2] @
         i4 = int_add(i3, i2)
         guard_false(i4) g1 -> [i2, i3, i4] @
         finish(i4)",
        |vm| {
            vm.enter(0, &[1, 2]);
            vm.enter(0, &[2, 1]);
        },
    );
    assert_eq!(log, "g1 [1, 2, 3]\ng1 [0, 1, 1]");
}

#[test]
fn a_panic_leaves_whichever_way_was_taken() {
    // What compiled code calls may panic too: then it leaves at a guard, and the engine, which goes
    // on there, finds the panic.
    let log = check_calls(
        "nothing",
        "[] label L9() finish()",
        "[i0]
         label L0(i0)
         call() nothing
         guard_no_panic() g0 -> [i0] @
         i1 = call(i0) boom
         guard_no_panic() g1 -> [i0] @
         finish(i1)",
        |vm| {
            vm.enter(0, &[3]);
            vm.enter(0, &[10]);
        },
    );
    assert_eq!(log, "finish 4\ng1 [10] panicked: boom");
    let log = check_all(HeapOptions::default(), |vm| {
        let function = vm.descrs.fns.iter_mut().find(|(_, f)| f.name == "boom");
        function.expect("there is one").1.kind = FnKind::Runner;
        vm.callees = Some(Rc::new(Callee::default()));
        vm.compile(
            "[i0]
             label L0(i0)
             i1 = call(i0) boom
             guard_no_panic() g0 -> [i0] @
             finish(i1)",
        );
        vm.enter(0, &[3]);
        vm.enter(0, &[10]);
    });
    assert_eq!(log, "finish 4\ng0 [10] panicked: boom\n");
}

/// Results in registers, in memory, and floats among them.
#[test]
fn several_results_come_back() {
    let log = check_calls(
        "spread",
        "[i0, p1]
         label L9(i0, p1)
         f2 = int_to_float(i0)
         f3 = float_mul(f2, 0.5)
         i4 = int_add(i0, 1)
         finish(f3, p1, i4)",
        "[i0, p1]
         label L0(i0, p1)
         f2, p3, i4 = call(i0, p1) spread
         guard_no_panic() g0 -> [i0, f2] @
         guard_false(i4) g1 -> [f2, p3, i4] @
         finish(i0)",
        |vm| {
            let node = vm.node(3, 0, 0.5);
            vm.enter(0, &[10, node]);
        },
    );
    assert_eq!(log, "g1 [5.0, Node{3, null, 0.5}, 11]");
}
