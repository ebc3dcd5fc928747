//! Hooks: which events they get, in which order, and that they cannot enter their own VM.

use crate::guest::Op::*;
use crate::guest::{Op, execute, load, program, vm};
use expect_test::{Expect, expect};
use std::any::Any;
use std::cell::RefCell;
use std::fmt::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::{Arc, Mutex};
use verdigris_engine::{AbortedEvent, CompiledEvent, Hooks, Options, SharedHooks, Vm};

/// Writes down what happens.
struct Diary(Arc<Mutex<String>>);

impl Hooks for Diary {
    fn on_compile(&self, event: &CompiledEvent<'_>) {
        let mut text = self.0.lock().unwrap();
        let (before, after) = (event.recorded.total(), event.optimised.total());
        let _ = writeln!(
            text,
            "{}: {before} to {after}, number {}",
            event.title, event.trace
        );
    }

    fn on_bridge(&self, event: &CompiledEvent<'_>) {
        let from = event.from.unwrap();
        let _ = writeln!(self.0.lock().unwrap(), "{} ({from})", event.title);
    }

    fn on_abort(&self, event: &AbortedEvent<'_>) {
        let rest = if event.blocked { ", for good" } else { "" };
        let _ = writeln!(
            self.0.lock().unwrap(),
            "{}: {}{rest}",
            event.place,
            event.reason
        );
    }
}

fn with_hooks(params: &str, hooks: SharedHooks) -> Vm {
    let options = Options::parse(params).unwrap().hooks(hooks);
    Vm::new(program(), options).unwrap()
}

fn check(params: &str, ops: &[Op], expected: Expect) {
    let diary = Arc::new(Mutex::new(String::new()));
    let vm = with_hooks(params, SharedHooks::new(Diary(diary.clone())));
    execute(&vm, ops, 100);
    expected.assert_eq(&diary.lock().unwrap());
}

#[test]
fn events_come_as_they_happen() {
    let ops = &[SkipEven(1), AddA, Box, DecA, LoopA(0), Ret];
    check(
        "threshold=5,trace_eagerness=5",
        ops,
        expect![[r#"
            trace 0: loop at (0, ref): 13 to 18, number 0
            trace 1: bridge from g2 of trace 0 (0)
        "#]],
    );
    check(
        "compiler=tracing,threshold=5,trace_limit=5,cut_traces=0,max_aborts=2",
        ops,
        expect![[r#"
        header (0, ref): trace too long
        header (0, ref): trace too long, for good
    "#]],
    );
}

/// Does something that it must not do, or that it may.
struct Reentering(fn());

impl Hooks for Reentering {
    fn on_compile(&self, _: &CompiledEvent<'_>) {
        self.0();
    }
}

thread_local! {
    static VM: RefCell<Option<Rc<Vm>>> = const { RefCell::new(None) };
}

/// The VM whose hook is running.
fn own() -> Rc<Vm> {
    VM.with_borrow(|vm| vm.clone().expect("a hook runs"))
}

fn what_happens(hook: fn()) -> String {
    let vm = Rc::new(with_hooks(
        "threshold=5",
        SharedHooks::new(Reentering(hook)),
    ));
    VM.set(Some(vm.clone()));
    let sum = &[AddA, DecA, LoopA(0), Ret];
    let result = catch_unwind(AssertUnwindSafe(|| execute(&vm, sum, 100)));
    let text = |payload: std::boxed::Box<dyn Any + Send>| match payload.downcast::<String>() {
        Ok(text) => *text,
        Err(payload) => payload.downcast_ref::<&str>().unwrap().to_string(),
    };
    result.map_or_else(text, |sum| sum.to_string())
}

#[test]
fn a_hook_cannot_come_back() {
    expect!["a hook of the JIT has entered its own VM, which is in the middle of a trace: note what there is to do, and do it when the VM has been left"].assert_eq(&what_happens(|| own().enter(|| ())));
    expect!["a hook of the JIT has entered its own VM, which is in the middle of a trace: note what there is to do, and do it when the VM has been left"].assert_eq(&what_happens(|| own().try_enter(|| ()).unwrap()));
    expect!["heap objects can only be made within `Vm::enter`: no VM is entered on this thread"]
        .assert_eq(&what_happens(|| {
            load(&[Ret]);
        }));
    expect!["a hook may panic"].assert_eq(&what_happens(|| panic!("a hook may panic")));
}

#[test]
fn a_hook_may_look_around() {
    let looks = || assert_eq!((own().stats().traces, own().traces().len()), (1, 0));
    assert_eq!(what_happens(looks), "5050");
    let uses_another = || {
        let other = vm("threshold=5");
        assert_eq!(execute(&other, &[AddA, DecA, LoopA(0), Ret], 300), 45_150);
    };
    assert_eq!(what_happens(uses_another), "5050");
}
