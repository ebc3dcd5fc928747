//! The code that Cranelift makes of small traces. What the code computes is tested in
//! `testing/backends`.

use verdigris_heap::HeapOptions;
use verdigris_traces::vm::{Vm, cranelift, env};

const COUNT: &str = "
    [i0, i1]
    label L0(i0, i1)
    i2 = int_gt(i0, 0)
    guard_true(i2) g0 -> [i0, i1] @
    i3 = int_sub(i0, 1)
    i4 = int_add(i1, i0)
    jump L0(i3, i4)
";

#[test]
fn dumps_are_made_on_request() {
    let mut vm = Vm::new(cranelift(), HeapOptions::default());
    let trace = vm.parse(COUNT, &[]);
    let quiet = vm.compile_trace(&trace).unwrap();
    assert!(quiet.ir.is_none() && quiet.asm.is_none() && quiet.code_bytes > 0);
    let other = vm.parse(&COUNT.replace("L0", "L1"), &[]);
    let mut env = env(&vm.descrs);
    (env.dump_ir, env.dump_asm) = (true, true);
    let loud = vm.backend.compile_loop(&env, &other).unwrap();
    let (ir, asm) = (loud.ir.unwrap(), loud.asm.unwrap());
    assert!(
        ir.starts_with("; L1\nfunction u0:0(i64, i64) -> i64, i64, i64 tail {"),
        "{ir}"
    );
    assert!(ir.contains("isub") && asm.contains("; L1\n"), "{asm}");
}

/// How many functions the machine code of a trace calls, other than by tail calls.
fn slow_paths(text: &str) -> usize {
    let mut vm = Vm::new(cranelift(), HeapOptions::default());
    let trace = vm.parse(text, &[]);
    let mut env = env(&vm.descrs);
    env.dump_ir = true;
    let ir = vm.backend.compile_loop(&env, &trace).unwrap().ir.unwrap();
    ir.matches(" call_indirect").count()
}

#[test]
fn allocations_in_a_row_move_the_cursor_once() {
    let row = "[i0, p1]
         label L0(i0, p1)
         p2 = new() Node
         setfield_i(p2, i0) Node.value
         p3 = new_array(3) Refs
         setitem_r(p3, 0, p2) Refs
         i4 = getfield_i(p1) Node.value
         p5 = new_array(2) Ints
         fill_items_i(p5, i4) Ints
         finish(p3, p5)";
    assert_eq!(slow_paths(row), 1);
    // Together they are larger than what is allocated at once.
    assert_eq!(slow_paths(&row.replace("(3)", "(57)")), 2);
    // A guard leaves between them: it makes only the objects that it needs.
    let guarded = row.replace("p3 = new", "guard_true(i0) g0 -> [p2] @\n p3 = new");
    assert_eq!(slow_paths(&guarded), 2);
    // A call may collect between them.
    let called = row.replace(
        "i4 =",
        "call() nothing\n guard_no_panic() g0 -> [] @\n i4 =",
    );
    assert_eq!(slow_paths(&called), 3);
}
