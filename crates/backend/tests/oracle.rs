//! The oracle by itself, on traces that touch no heap. (The Cranelift backend's tests compare the
//! two on everything else.)

use std::cell::RefCell;
use std::rc::Rc;
use verdigris_backend::{Backend, CodeExit, Env, Oracle};
use verdigris_heap::{Context, FnDescr, HeapOptions};
use verdigris_ops::Descrs;
use verdigris_trace::{GuardId, TargetId, parse, parse_descrs, verify};

struct Vm {
    context: Box<Context>,
    oracle: Oracle,
    descrs: Descrs,
}

impl Vm {
    fn new() -> Vm {
        let mut descrs = parse_descrs("fn half(int) -> int").unwrap();
        let descr = FnDescr::new("half", half as fn(i64) -> i64);
        let info = &mut descrs.fns[verdigris_ops::FnId::from_u32(0)];
        (info.target, info.thunk, info.invoke) = (descr.target, descr.thunk, descr.invoke);
        Vm {
            context: Context::new(HeapOptions::default()),
            oracle: Oracle::new(),
            descrs,
        }
    }

    fn compile(&mut self, bridge: Option<u32>, text: &str) -> Result<(), String> {
        let trace = parse(&self.descrs, text).unwrap();
        verify(&self.descrs, &trace).unwrap();
        let env = Env {
            descrs: &self.descrs,
            callees: None,
            dump_ir: false,
            dump_asm: false,
        };
        let compiled = match bridge {
            None => self.oracle.compile_loop(&env, &trace),
            Some(guard) => (self.oracle).compile_bridge(&env, GuardId::from_u32(guard), &trace),
        };
        compiled.map(drop).map_err(|e| e.to_string())
    }

    fn run(&mut self, target: u32, args: &[i64]) -> (CodeExit, Vec<i64>) {
        let entry = self.oracle.entry(TargetId::from_u32(target)).unwrap();
        let args: Vec<u64> = args.iter().map(|&a| a as u64).collect();
        let context: *mut Context = &mut *self.context;
        // SAFETY: the context is alive, and the arguments are integers as the labels want.
        let exit = unsafe { Context::enter(context, || entry.run(context, &args)) };
        let words = self.context.exits[..3].iter().map(|&w| w as i64).collect();
        (exit, words)
    }
}

fn half(n: i64) -> i64 {
    assert!(n % 2 == 0, "odd");
    n / 2
}

fn guard(n: u32) -> CodeExit {
    CodeExit::Guard(GuardId::from_u32(n))
}

const HALVES: &str = "
    [i0, i1]
    label L0(i0, i1)
    i2 = call(i0) half
    guard_no_panic() g0 -> [i1, i0] @
    i3 = int_add(i1, 1)
    i4 = int_ne(i2, 0)
    guard_true(i4) g1 -> [i3] @
    jump L0(i2, i3)
";

#[test]
fn exits_hold_the_fail_arguments() {
    let mut vm = Vm::new();
    vm.compile(None, HALVES).unwrap();
    let (exit, words) = vm.run(0, &[40, 0]);
    assert_eq!((exit, &words[..2]), (guard(0), &[3, 5][..]));
    assert!(vm.context.take_payload().is_some());
    let (exit, words) = vm.run(0, &[0, 9]);
    assert_eq!((exit, words[0]), (guard(1), 10));
}

#[test]
fn bridges_and_labels_continue_each_other() {
    let mut vm = Vm::new();
    vm.compile(None, HALVES).unwrap();
    vm.compile(
        Some(1),
        "[i0] i1 = int_lt(i0, 4) guard_true(i1) g2 -> [i0] @ jump L0(0, i0)",
    )
    .unwrap();
    assert_eq!(vm.run(0, &[0, 0]).0, guard(2));
    vm.compile(Some(2), "[i0] label L1(i1) <- (i0) finish(i1)")
        .unwrap();
    assert_eq!(vm.run(0, &[0, 0]).0, CodeExit::Finish(4));
    assert_eq!(vm.run(1, &[77]).0, CodeExit::Finish(77));
}

#[test]
fn forced_guards_fail_once() {
    let mut vm = Vm::new();
    vm.oracle.force_guard_failures();
    vm.compile(None, HALVES).unwrap();
    assert_eq!(vm.run(0, &[4, 0]).0, guard(0));
    assert_eq!(vm.run(0, &[4, 0]).0, guard(1));
    let (exit, words) = vm.run(0, &[4, 0]);
    assert_eq!((exit, &words[..2]), (guard(0), &[2, 1][..]));
}

#[test]
fn errors_change_nothing() {
    let mut vm = Vm::new();
    vm.compile(None, HALVES).unwrap();
    let errors = [
        vm.compile(None, "[i0] label L0(i0) finish()"),
        vm.compile(None, "[i0] label L1(i0) jump L9(i0)"),
        vm.compile(None, "[i0] label L1(i0) jump L0(i0)"),
        vm.compile(None, "[i0] finish(i0)"),
        vm.compile(Some(1), "[i0, i1] finish(i0)"),
        vm.compile(Some(5), "[i0] finish(i0)"),
    ];
    for error in errors {
        let message = error.unwrap_err();
        assert!(
            message.starts_with("the backend cannot compile this trace: "),
            "{message}"
        );
    }
    assert!(vm.oracle.entry(TargetId::from_u32(1)).is_none());
    assert_eq!(vm.run(0, &[0, 0]).0, guard(1));
}

#[test]
fn an_entry_borrows_nothing() {
    let vm = Rc::new(RefCell::new(Vm::new()));
    vm.borrow_mut().compile(None, HALVES).unwrap();
    let entry = vm.borrow().oracle.entry(TargetId::from_u32(0)).unwrap();
    vm.borrow_mut().compile(Some(1), "[i0] finish(8)").unwrap();
    let context: *mut Context = &mut *vm.borrow_mut().context;
    // SAFETY: as in `Vm::run`.
    let exit = unsafe { Context::enter(context, || entry.run(context, &[0, 0])) };
    assert_eq!(exit, CodeExit::Finish(8));
}
