//! Every pure data operation on grids of edge values, against its definition: with its arguments in
//! registers, with either one constant, and as the test of a guard.

use verdigris_backend::{Backend, CodeExit};
use verdigris_heap::{Context, HeapOptions};
use verdigris_ops::{DataOp, Ty, eval};
use verdigris_trace::{
    self as trace, Arg, Const, Descr, GuardId, Opcode, OptimisedTrace, Resume, TargetId,
};
use verdigris_traces::vm::{Vm, compared, oracle};

const INTS: [i64; 19] = [
    0,
    1,
    -1,
    2,
    -2,
    3,
    7,
    -10,
    63,
    64,
    65,
    127,
    -128,
    0x8000,
    i32::MAX as i64 + 1,
    i64::MAX,
    i64::MIN,
    i64::MIN + 1,
    0x5555_5555_5555_5555,
];

const FLOATS: [f64; 15] = [
    0.0,
    -0.0,
    1.0,
    -1.5,
    2.0,
    1e300,
    -1e-300,
    5e-324,
    9.3e18,
    -9.3e18,
    9223372036854774784.0,
    0.999,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
];

fn words(ty: Ty) -> Vec<u64> {
    match ty {
        Ty::Int => INTS.iter().map(|&v| v as u64).collect(),
        Ty::Float => FLOATS.iter().map(|v| v.to_bits()).collect(),
        // Pure operations do not look at what a reference points to.
        Ty::Ref => vec![0, 16, 32],
        Ty::Word => INTS.iter().map(|&v| v as u64).collect(),
    }
}

/// All tuples of argument words that satisfy the operation's precondition.
fn grid(op: DataOp) -> Vec<Vec<u64>> {
    let mut tuples = vec![vec![]];
    for &ty in op.params() {
        let with = |t: &Vec<u64>| -> Vec<Vec<u64>> {
            words(ty)
                .into_iter()
                .map(|w| [&t[..], &[w]].concat())
                .collect()
        };
        tuples = tuples.iter().flat_map(with).collect();
    }
    tuples.retain(|args| defined(op, args));
    tuples
}

fn defined(op: DataOp, args: &[u64]) -> bool {
    let overflows = || args[0] as i64 == i64::MIN && args[1] as i64 == -1;
    match op {
        DataOp::IntDiv | DataOp::IntRem => args[1] != 0 && !overflows(),
        DataOp::UintDiv | DataOp::UintRem => args[1] != 0,
        _ => true,
    }
}

/// How an argument reaches the operation.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Form {
    Variables,
    Constant(usize),
    Guard(Opcode),
}

/// The label numbered `target` computes the operation; a guard leaves with 1, and with 0 it
/// finishes.
fn trace(op: DataOp, args: &[u64], form: Form, target: u32) -> OptimisedTrace {
    let mut trace = OptimisedTrace::default();
    let mut operands = Vec::new();
    for (n, &ty) in op.params().iter().enumerate() {
        let value = trace.value(ty);
        trace.inputs.push(value);
        operands.push(match form {
            Form::Constant(c) if c == n => Arg::Const(Const::new(ty, args[n])),
            _ => Arg::Ref(value),
        });
    }
    let params = trace.inputs.clone();
    trace.push_label(TargetId::from_u32(target), &params, &[]);
    let ty = op.ret().unwrap();
    let result = trace.push_def(Opcode::Data(op), &operands, Descr::None, ty);
    if let Form::Guard(opcode) = form {
        let guard = Some(GuardId::from_u32(target));
        let resume = Resume {
            fail_args: vec![result],
            ..Resume::default()
        };
        let resume = resume.into();
        let exit = trace::Exit::Out { guard, resume };
        trace.push_guard(opcode, &[Arg::Ref(result)], Descr::None, exit);
    }
    trace.push(Opcode::Finish, &[Arg::Ref(result)], Descr::None);
    trace
}

/// A NaN's payload depends on the order in which hardware gets the operands, and means nothing.
fn canonical(ty: Ty, word: u64) -> u64 {
    match ty {
        Ty::Float if f64::from_bits(word).is_nan() => f64::NAN.to_bits(),
        _ => word,
    }
}

fn check_backend(backend: Box<dyn Backend>) {
    let mut vm = Vm::new(backend, HeapOptions::default());
    let context: *mut Context = &mut *vm.context;
    // SAFETY: the context lives in `vm`.
    unsafe { Context::enter(context, || check_ops(&mut vm)) };
}

fn check_ops(vm: &mut Vm) {
    let mut target = 0;
    for &op in DataOp::ALL.iter().filter(|op| op.is_pure()) {
        let grid = grid(op);
        let mut run = |form: Form, compile_for: &[u64], tuples: &[Vec<u64>]| {
            target += 1;
            let trace = trace(op, compile_for, form, target);
            vm.compile_trace(&trace).unwrap();
            for args in tuples {
                let expected = eval(op, args).unwrap();
                check_run(vm, target, op, form, args, expected);
            }
        };
        run(Form::Variables, &grid[0], &grid);
        if op.ret() == Some(Ty::Int) {
            run(Form::Guard(Opcode::GuardTrue), &grid[0], &grid);
            run(Form::Guard(Opcode::GuardFalse), &grid[0], &grid);
        }
        let types = op.params().iter().enumerate();
        // There are no constants that are words of values.
        for (n, &ty) in types.filter(|param| *param.1 != Ty::Word) {
            for word in words(ty) {
                let same: Vec<Vec<u64>> = grid.iter().filter(|t| t[n] == word).cloned().collect();
                if let Some(first) = same.first() {
                    run(Form::Constant(n), first, &same);
                }
            }
        }
    }
}

fn check_run(vm: &mut Vm, target: u32, op: DataOp, form: Form, args: &[u64], expected: u64) {
    let ty = op.ret().unwrap();
    let leaves = match form {
        Form::Guard(Opcode::GuardTrue) => expected == 0,
        Form::Guard(_) => expected != 0,
        _ => false,
    };
    let (word, left) = match vm.run(target, args) {
        CodeExit::Finish(word) => (word, false),
        CodeExit::Guard(_) => (vm.context.exits[0], true),
        CodeExit::OutOfMemory => panic!("{op} allocates nothing"),
    };
    let what = || format!("{op}({args:x?}) as {form:?} on {}", vm.backend.name());
    assert_eq!(canonical(ty, word), canonical(ty, expected), "{}", what());
    assert_eq!(left, leaves, "{}", what());
}

#[test]
fn the_oracle_computes_what_the_definition_says() {
    check_backend(oracle());
}

#[test]
fn the_others_compute_what_the_definition_says() {
    for make in compared() {
        check_backend(make());
    }
}
