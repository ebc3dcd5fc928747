//! The methods that traces become, and the way of the dispatcher through them.

use expect_test::{Expect, expect};
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use verdigris_backend::{Backend, BackendError};
use verdigris_heap::{Context, Detector, HeapOptions, Stress};
use verdigris_layered::{
    Layered, MadeMethod, Method, MethodBlockId, MethodHost, MethodNumber, StrictHost, Surroundings,
};
use verdigris_trace::{GuardId, TargetId};
use verdigris_traces::vm::Vm;

#[global_allocator]
static DETECTOR: Detector = Detector;

/// What a host has made, and how its methods were called.
#[derive(Default)]
struct Log {
    made: Vec<String>,
    calls: Vec<String>,
    /// What came of making each method once more.
    again: Vec<Result<(), BackendError>>,
}

/// The strict host, watched.
struct Watched {
    strict: StrictHost,
    log: Rc<RefCell<Log>>,
}

struct WatchedMethod {
    number: MethodNumber,
    strict: Rc<dyn MadeMethod>,
    log: Rc<RefCell<Log>>,
}

impl MethodHost for Watched {
    fn name(&self) -> &'static str {
        self.strict.name()
    }

    fn most_operations(&self) -> usize {
        self.strict.most_operations()
    }

    fn make(&mut self, method: Method) -> Result<Rc<dyn MadeMethod>, BackendError> {
        let number = method.number();
        let mut log = self.log.borrow_mut();
        log.made.push(method.to_string());
        let strict = self.strict.make(method.clone())?;
        log.again.push(self.strict.make(method).map(drop));
        Ok(Rc::new(WatchedMethod {
            number,
            strict,
            log: Rc::clone(&self.log),
        }))
    }
}

impl MadeMethod for WatchedMethod {
    unsafe fn call(
        &self,
        ctx: *mut Context,
        block: u16,
        outside: &dyn Surroundings,
    ) -> MethodBlockId {
        // SAFETY: the caller's promise.
        let next = unsafe { self.strict.call(ctx, block, outside) };
        let id = MethodBlockId::new(self.number, block);
        let call = match next {
            MethodBlockId::FINISH => format!("{id} -> finish"),
            MethodBlockId::LEAVE => format!("{id} -> leave"),
            next => format!("{id} -> {next}"),
        };
        self.log.borrow_mut().calls.push(call);
        next
    }
}

/// A machine, and the log of its host.
fn watched(strict: StrictHost) -> (Vm, Rc<RefCell<Log>>) {
    let log = Rc::new(RefCell::new(Log::default()));
    let host = Watched {
        strict,
        log: Rc::clone(&log),
    };
    let vm = Vm::new(Box::new(Layered::new(host)), HeapOptions::default());
    (vm, log)
}

/// What the dispatcher has done since it was asked last.
fn calls(log: &RefCell<Log>) -> String {
    let calls = std::mem::take(&mut log.borrow_mut().calls);
    calls.join("\n")
}

fn check_methods(log: &RefCell<Log>, expected: Expect) {
    expected.assert_eq(&log.borrow().made.concat());
}

const LOOP: &str = "
    [i0, i1]
    label L0(i0, i1)
    i2 = int_and(i0, 7)
    jump L1(i0, i1, i2)
    label L1(i3, i4, i5)
    i6 = int_gt(i3, 0)
    guard_true(i6) g0 -> [i4] @
    i7 = int_and(i3, i5)
    guard_true(i7) g1 -> [i3, i4, i5] @
    i8 = int_sub(i3, 1)
    i9 = int_add(i4, i3)
    jump L1(i8, i9, i5)
";

const BRIDGE: &str = "
    [i0, i1, i2]
    i3 = int_add(i1, 100)
    label L2(i4, i5, i6) <- (i0, i3, i2)
    i7 = int_sub(i4, 1)
    jump L1(i7, i5, i6)
";

/// Figure 10: the second block of a method that was added goes back to the second block of the
/// first one.
#[test]
fn a_bridge_is_a_method_that_links_back() {
    let (mut vm, log) = watched(StrictHost::default());
    vm.compile(LOOP);
    vm.enter(0, &[5, 0]);
    let before = calls(&log);
    vm.bridge(1, BRIDGE);
    vm.enter(0, &[5, 0]);
    check_methods(
        &log,
        expect![[r#"
        method 0x0001
          block 0x00010000 L0 [i0, i1]
            i2 = int_and(i0, 7)
            jump L1(i0, i1, i2) ; internal, to block 1
          block 0x00010001 L1 [i0, i1, i2]
            i3 = int_gt(i0, 0)
            guard_true(i3) g0 ; switch
            i4 = int_and(i0, i2)
            guard_true(i4) g1 ; switch
            i5 = int_sub(i0, 1)
            i6 = int_add(i1, i0)
            jump L1(i5, i6, i2) ; internal, to block 1
        method 0x0002
          block 0x00020000 [i0, i1, i2]
            i3 = int_add(i1, 100)
            label L2(i4, i5, i6) <- (i0, i3, i2) ; internal, to block 1
          block 0x00020001 L2 [i0, i1, i2]
            i3 = int_sub(i0, 1)
            jump L1(i3, i1, i2) ; external, to 0x00010001
    "#]],
    );
    expect![[r#"
        g1 [2, 12, 5]
        g0 [113]
        0x00010000 -> leave

        0x00010000 -> 0x00020000
        0x00020000 -> 0x00010001
        0x00010001 -> leave"#]]
    .assert_eq(&format!("{}{before}\n\n{}", vm.log, calls(&log)));
}

/// A method is made once, and there is no way to make it again.
#[test]
fn what_is_attached_later_changes_no_method() {
    let (mut vm, log) = watched(StrictHost::default());
    vm.compile(LOOP);
    vm.bridge(1, BRIDGE);
    vm.bridge(0, "[i0] finish(i0)");
    vm.enter(0, &[24, 0]);
    let made = |n: usize| log.borrow().made[n].lines().next().map(str::to_owned);
    let numbers: Vec<_> = (0..3).filter_map(made).collect();
    assert_eq!(numbers, ["method 0x0001", "method 0x0002", "method 0x0003"]);
    let errors: Vec<_> = log.borrow().again.clone();
    assert!(errors.iter().all(Result::is_err), "{errors:?}");
    expect![
        "the backend cannot compile this trace: method 0x0001 has been made, and cannot be changed"
    ]
    .assert_eq(&errors[0].clone().expect_err("it is made").to_string());
    assert_eq!(calls(&log).lines().last(), Some("0x00030000 -> finish"));
}

#[test]
fn a_trace_becomes_as_many_methods_as_the_host_likes() {
    let small = || StrictHost::default().with_most_operations(6);
    let (mut vm, log) = watched(small());
    vm.compile(LOOP);
    vm.enter(0, &[3, 0]);
    check_methods(
        &log,
        expect![[r#"
        method 0x0001
          block 0x00010000 L0 [i0, i1]
            i2 = int_and(i0, 7)
            jump L1(i0, i1, i2) ; external, to 0x00020000
        method 0x0002
          block 0x00020000 L1 [i0, i1, i2]
            i3 = int_gt(i0, 0)
            guard_true(i3) g0 ; switch
            i4 = int_and(i0, i2)
            guard_true(i4) g1 ; switch
            i5 = int_sub(i0, 1)
            i6 = int_add(i1, i0)
            jump L1(i5, i6, i2) ; internal, to block 0
    "#]],
    );
    expect![[r#"
        0x00010000 -> 0x00020000
        0x00020000 -> leave"#]]
    .assert_eq(&calls(&log));
    let (mut vm, log) = watched(small().with_tail_calls());
    vm.compile(LOOP);
    vm.enter(0, &[3, 0]);
    expect!["0x00010000 -> leave"].assert_eq(&calls(&log));
}

/// A promotion that sees one value after the other: each bridge is found at once.
#[test]
fn a_switch_on_a_value_grows() {
    let (mut vm, log) = watched(StrictHost::default());
    vm.compile("[i0, i1] label L0(i0, i1) guard_value(i0, 10) g0 -> [i1, i0] @ finish(i1)");
    for (n, value) in [20, 30, 40].into_iter().enumerate() {
        vm.bridge(
            n as u32,
            &format!(
                "[i0, i1]
                 guard_value(i1, {value}) g{} -> [i0, i1] @
                 i2 = int_add(i0, {value})
                 finish(i2)",
                n + 1
            ),
        );
    }
    for value in [10, 20, 30, 40, 50] {
        vm.enter(0, &[value, 1]);
    }
    expect![[r#"
        finish 1
        finish 21
        finish 31
        finish 41
        g3 [1, 50]
        0x00010000 -> finish
        0x00010000 -> 0x00020000
        0x00020000 -> finish
        0x00010000 -> 0x00030000
        0x00030000 -> finish
        0x00010000 -> 0x00040000
        0x00040000 -> finish
        0x00010000 -> 0x00040000
        0x00040000 -> leave"#]]
    .assert_eq(&format!("{}{}", vm.log, calls(&log)));
}

/// A number whose method was forgotten is no other method's as long as one links to it.
#[test]
fn a_method_that_others_link_to_can_be_forgotten() {
    let (mut vm, log) = watched(StrictHost::default());
    let free = |vm: &mut Vm, target: u32| {
        let (targets, guards) = ([TargetId::from_u32(target)], [GuardId::from_u32(target)]);
        // SAFETY: nothing runs.
        unsafe { vm.backend.free(&targets, &guards) };
    };
    vm.compile("[i0] label L0(i0) guard_true(i0) g0 -> [i0] @ finish(i0)");
    vm.compile("[i0] label L1(i0) guard_true(i0) g1 -> [i0] @ jump L0(i0)");
    vm.enter(1, &[5]);
    free(&mut vm, 0);
    vm.compile("[i0] label L2(i0) finish(7)");
    // The engine must not do this. Nothing happens but a clear message.
    let run = catch_unwind(AssertUnwindSafe(|| vm.run(1, &[5])));
    let message = *run
        .expect_err("it is gone")
        .downcast::<String>()
        .expect("text");
    assert_eq!(message, "the method of 0x00010000 was forgotten");
    vm.enter(1, &[0]);
    free(&mut vm, 1);
    vm.compile("[i0] label L3(i0) finish(8)");
    vm.compile("[i0] label L4(i0) finish(9)");
    for target in 2..5 {
        vm.enter(target, &[0]);
    }
    expect![[r#"
        finish 5
        g1 [0]
        finish 7
        finish 8
        finish 9
        0x00020000 -> 0x00010000
        0x00010000 -> finish
        0x00020000 -> 0x00010000
        0x00020000 -> leave
        0x00030000 -> finish
        0x00010000 -> finish
        0x00020000 -> finish"#]]
    .assert_eq(&format!("{}{}", vm.log, calls(&log)));
}

/// The text of methods, for logs.
#[test]
fn a_compilation_shows_its_methods() {
    let mut backend = Layered::default();
    let (vm, _) = watched(StrictHost::default());
    let trace = vm.parse(
        "[i0] label L0(i0) guard_true(i0) => L1() finish(1) label L1() leave() g0 -> [] @",
        &[],
    );
    let env = verdigris_backend::Env {
        descrs: &vm.descrs,
        callees: None,
        dump_ir: true,
        dump_asm: false,
    };
    let output = backend.compile_loop(&env, &trace).expect("it compiles");
    expect![[r#"
        method 0x0001
          block 0x00010000 L0 [i0]
            guard_true(i0) => L1() ; internal, to block 1
            finish(1)
          block 0x00010001 L1 []
            leave() g0 ; switch
    "#]]
    .assert_eq(&output.ir.unwrap_or_default());
}

/// What slots and lists of arguments hold from earlier links is no reference that is kept: the
/// detector, which this program's allocator is, says so under stress.
#[test]
fn arguments_of_earlier_links_keep_nothing() {
    let log = verdigris_traces::backends::compare(&[0], Stress::All);
    assert!(!log.is_empty());
}
