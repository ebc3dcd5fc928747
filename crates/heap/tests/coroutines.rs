//! Coroutines: what the collector keeps of their stacks and of those of what has resumed them,
//! and how they end.

use std::cell::{Cell as StdCell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use verdigris_heap::{
    Cell, CollectScope, Coroutine, CoroutineStatus, CoroutineUnwound, Gc, HeapOptions,
    NoStackError, ResumeError, Root, Step, Stress, Weak, collect_garbage, gc_class, with_heap,
};

struct Thread {
    number: Cell<u64>,
    next: Cell<Option<Gc<Thread>>>,
}
gc_class! { Thread { number: Cell<u64>, next: Cell<Option<Gc<Thread>>> } }

struct Boxed {
    value: i64,
}
gc_class! { Boxed { value: i64 } }

type Co = Coroutine<Gc<Boxed>, Gc<Boxed>>;

fn boxed(value: i64) -> Gc<Boxed> {
    Gc::new(Boxed { value })
}

fn thread() -> Gc<Thread> {
    Gc::new(Thread {
        number: Cell::new(0),
        next: Cell::new(None),
    })
}

/// A thread with this body.
fn spawn(body: impl FnOnce(Gc<Thread>, Gc<Boxed>) -> Gc<Boxed> + 'static) -> Gc<Thread> {
    let thread = thread();
    let co = Co::new(thread, move |first| body(thread, first)).expect("a stack");
    thread.number.set(co.number());
    thread
}

fn co(thread: Gc<Thread>) -> Co {
    Co::from_number(thread.number.get())
}

fn step(thread: Gc<Thread>, value: i64) -> Result<Step<i64>, ResumeError> {
    let value = boxed(value);
    co(thread).resume(value).map(|step| match step {
        Step::Yielded(out) => Step::Yielded(out.value),
        Step::Returned(out) => Step::Returned(out.value),
    })
}

/// Overwrites what returned calls have left on the stack.
#[inline(never)]
fn clear_stack() {
    std::hint::black_box([0u64; 8192]);
}

#[inline(never)]
fn collect(scope: CollectScope) {
    clear_stack();
    collect_garbage(scope);
}

const STRESSES: [Stress; 4] = [Stress::Off, Stress::All, Stress::Young, Stress::Sparse];

fn in_all_modes(test: impl Fn()) {
    for stress in STRESSES {
        let options = HeapOptions {
            stress,
            ..HeapOptions::default()
        };
        with_heap(options, &test);
    }
}

/// Sums what it is given, from within calls, with every value in objects of its own stack alone.
#[inline(never)]
fn sum(depth: i64, first: Gc<Boxed>) -> Gc<Boxed> {
    if depth > 0 {
        let own = boxed(depth);
        let below = sum(depth - 1, first);
        return boxed(own.value + below.value);
    }
    let mut total = boxed(first.value);
    loop {
        let given = Co::suspend(total);
        if given.value < 0 {
            return total;
        }
        total = boxed(total.value + given.value);
    }
}

#[test]
fn what_is_on_a_suspended_stack_is_kept() {
    in_all_modes(|| {
        let thread = spawn(|_, first| sum(10, first));
        assert_eq!(co(thread).status(), CoroutineStatus::Suspended);
        collect(CollectScope::All);
        assert_eq!(step(thread, 1), Ok(Step::Yielded(1)));
        let mut total = 1;
        for n in 2..60 {
            total += n;
            match n % 3 {
                0 => collect(CollectScope::All),
                1 => collect(CollectScope::Young),
                _ => {}
            }
            assert_eq!(step(thread, n), Ok(Step::Yielded(total)));
        }
        assert_eq!(step(thread, -1), Ok(Step::Returned(total + 55)));
        assert_eq!(co(thread).status(), CoroutineStatus::Dead);
        assert_eq!(step(thread, 1), Err(ResumeError(CoroutineStatus::Dead)));
    });
}

#[test]
fn what_is_on_the_stacks_of_resumers_is_kept() {
    in_all_modes(|| {
        let own = boxed(100);
        let outer = spawn(|_, first| {
            let own = boxed(10);
            let inner = spawn(|_, first| {
                let own = boxed(first.value + 1);
                collect(CollectScope::Young);
                collect(CollectScope::All);
                let next = Co::suspend(own);
                boxed(own.value + next.value)
            });
            let Ok(Step::Yielded(one)) = co(inner).resume(first) else {
                panic!("it yields");
            };
            collect(CollectScope::All);
            let next = Co::suspend(boxed(one.value + own.value));
            let Ok(Step::Returned(two)) = co(inner).resume(next) else {
                panic!("it ends");
            };
            boxed(two.value + own.value)
        });
        assert_eq!(step(outer, 1), Ok(Step::Yielded(12)));
        collect(CollectScope::All);
        assert_eq!(step(outer, 5), Ok(Step::Returned(17)));
        assert_eq!(own.value, 100);
    });
}

#[test]
fn a_coroutine_that_has_not_started_keeps_what_its_body_has() {
    in_all_modes(|| {
        let value = boxed(7);
        let thread = spawn(move |_, first| boxed(value.value + first.value));
        collect(CollectScope::Young);
        collect(CollectScope::All);
        assert_eq!(step(thread, 1), Ok(Step::Returned(8)));
    });
}

#[test]
fn wrong_states_are_told() {
    with_heap(HeapOptions::default(), || {
        let outer = spawn(|own, first| {
            assert_eq!(co(own).status(), CoroutineStatus::Running);
            assert_eq!(Co::running().map(Co::number), Some(own.number.get()));
            assert!(Coroutine::<i64, i64>::running().is_none());
            assert_eq!(step(own, 1), Err(ResumeError(CoroutineStatus::Running)));
            let inner = spawn(move |_, first| {
                assert_eq!(co(own).status(), CoroutineStatus::Normal);
                assert_eq!(step(own, 1), Err(ResumeError(CoroutineStatus::Normal)));
                assert!(co(own).unwind().is_err());
                first
            });
            assert_eq!(step(inner, 3), Ok(Step::Returned(3)));
            first
        });
        assert!(Co::running().is_none());
        assert_eq!(step(outer, 2), Ok(Step::Returned(2)));
        let other = spawn(|_, first| first);
        assert_ne!(outer.number.get(), other.number.get());
        assert_eq!(co(outer).status(), CoroutineStatus::Dead);
    });
}

#[test]
#[should_panic(expected = "values of other types")]
fn types_are_checked() {
    with_heap(HeapOptions::default(), || {
        let thread = spawn(|_, first| first);
        _ = Coroutine::<i64, i64>::from_number(thread.number.get()).resume(1);
    });
}

#[test]
#[should_panic(expected = "no coroutine runs")]
fn what_is_no_coroutine_does_not_yield() {
    with_heap(HeapOptions::default(), || _ = Co::suspend(boxed(1)));
}

#[test]
fn a_panic_goes_to_the_resumer() {
    in_all_modes(|| {
        let thread = spawn(|_, first| {
            let first = Co::suspend(first);
            std::panic::panic_any(first.value);
        });
        assert_eq!(step(thread, 1), Ok(Step::Yielded(1)));
        let payload = catch_unwind(AssertUnwindSafe(|| step(thread, 9))).expect_err("a panic");
        assert_eq!(payload.downcast_ref::<i64>(), Some(&9));
        assert_eq!(co(thread).status(), CoroutineStatus::Dead);
        assert!(Co::running().is_none());
        collect(CollectScope::All);
    });
}

/// Counts how many of it have been dropped.
struct Noted(Rc<StdCell<u32>>);

impl Drop for Noted {
    fn drop(&mut self) {
        self.0.set(self.0.get() + 1);
    }
}

/// A suspended coroutine that refers to itself, and to nothing else.
#[inline(never)]
fn suspended(dropped: &Rc<StdCell<u32>>) -> Gc<Thread> {
    let noted = Noted(Rc::clone(dropped));
    let thread = spawn(move |own, first| {
        let noted = noted;
        let next = Co::suspend(first);
        drop(noted);
        boxed(own.number.get() as i64 + next.value)
    });
    assert_eq!(step(thread, 1), Ok(Step::Yielded(1)));
    thread
}

#[test]
fn what_nothing_refers_to_is_unwound() {
    in_all_modes(|| {
        let dropped = Rc::new(StdCell::new(0));
        let kept = suspended(&dropped);
        (0..8).for_each(|_| _ = suspended(&dropped));
        let before = dropped.get();
        collect(CollectScope::All);
        assert_eq!(dropped.get(), before, "a collection runs no code");
        assert_eq!(step(spawn(|_, first| first), 1), Ok(Step::Returned(1)));
        assert!((7..=8).contains(&dropped.get()), "{}", dropped.get());
        assert_eq!(co(kept).status(), CoroutineStatus::Suspended);
    });
}

#[test]
fn what_is_left_is_unwound_with_the_heap() {
    let dropped = Rc::new(StdCell::new(0));
    with_heap(HeapOptions::default(), || {
        let threads: Vec<_> = (0..5).map(|_| Root::new(suspended(&dropped))).collect();
        let unused = Noted(Rc::clone(&dropped));
        let thread = spawn(move |_, first| {
            let _unused = unused;
            first
        });
        assert_eq!(dropped.get(), 0);
        drop((threads, thread));
    });
    assert_eq!(dropped.get(), 6);
}

#[test]
fn a_coroutine_can_be_ended() {
    with_heap(HeapOptions::default(), || {
        let dropped = Rc::new(StdCell::new(0));
        let thread = suspended(&dropped);
        assert_eq!(co(thread).unwind(), Ok(()));
        assert_eq!(dropped.get(), 1);
        assert_eq!(co(thread).status(), CoroutineStatus::Dead);
        assert!(co(thread).unwind().is_err());
    });
}

#[test]
fn code_that_does_not_want_to_end_is_stopped_where_it_yields() {
    with_heap(HeapOptions::default(), || {
        let caught = Rc::new(RefCell::new(0));
        let count = Rc::clone(&caught);
        let thread = spawn(move |_, first| {
            for _ in 0..3 {
                let result = catch_unwind(AssertUnwindSafe(|| Co::suspend(first)));
                let payload = result.map(drop).expect_err("it is unwound");
                assert!(payload.is::<CoroutineUnwound>());
                *count.borrow_mut() += 1;
            }
            first
        });
        assert_eq!(step(thread, 1), Ok(Step::Yielded(1)));
        assert_eq!(co(thread).unwind(), Ok(()));
        assert_eq!(*caught.borrow(), 3);
    });
}

#[test]
fn a_panic_while_unwinding_goes_on() {
    struct Fails;
    impl Drop for Fails {
        fn drop(&mut self) {
            // Caught by the catch of the body, in place of what unwinds.
        }
    }
    with_heap(HeapOptions::default(), || {
        let thread = spawn(|_, first| {
            let _fails = Fails;
            match catch_unwind(AssertUnwindSafe(|| Co::suspend(first))) {
                Ok(_) => first,
                Err(_) => panic!("not like this"),
            }
        });
        assert_eq!(step(thread, 1), Ok(Step::Yielded(1)));
        let result = catch_unwind(AssertUnwindSafe(|| co(thread).unwind()));
        assert_eq!(
            result.expect_err("a panic").downcast_ref::<&str>(),
            Some(&"not like this")
        );
        assert_eq!(co(thread).status(), CoroutineStatus::Dead);
    });
}

/// Each coroutine is known to the stack of the one before it alone.
#[test]
fn a_chain_of_stacks_is_followed() {
    in_all_modes(|| {
        let mut first = spawn(|_, first| Co::suspend(first));
        step(first, 0).expect("it is suspended");
        for _ in 0..20 {
            let inner = first;
            first = spawn(move |_, first| {
                let value = Co::suspend(first);
                let Ok(Step::Returned(value)) = co(inner).resume(value) else {
                    panic!("it ends");
                };
                boxed(value.value + 1)
            });
            step(first, 0).expect("it is suspended");
        }
        collect(CollectScope::All);
        collect(CollectScope::Young);
        collect(CollectScope::All);
        assert_eq!(step(first, 1), Ok(Step::Returned(21)));
    });
}

#[inline(never)]
fn weak_of_suspended() -> (Root<Gc<Thread>>, Weak<Gc<Boxed>>) {
    let seen = Rc::new(RefCell::new(None));
    let tell = Rc::clone(&seen);
    let thread = spawn(move |_, first| {
        let own = boxed(5);
        *tell.borrow_mut() = Some(Weak::new(own));
        let next = Co::suspend(first);
        boxed(own.value + next.value)
    });
    assert_eq!(step(thread, 1), Ok(Step::Yielded(1)));
    let weak = seen.borrow_mut().take().expect("it has run");
    (Root::new(thread), weak)
}

#[test]
fn weak_references_to_what_a_suspended_stack_keeps_hold() {
    in_all_modes(|| {
        let (thread, weak) = weak_of_suspended();
        collect(CollectScope::All);
        assert_eq!(weak.get().map(|own| own.value), Some(5));
        assert_eq!(step(thread.get(), 1), Ok(Step::Returned(6)));
        clear_stack();
        collect(CollectScope::All);
        assert!(weak.get().is_none());
    });
}

/// The pages of this process that are in memory, in bytes.
fn resident() -> usize {
    let pages = std::fs::read_to_string("/proc/self/statm").expect("the system says");
    let mut pages = pages.split(' ').map(|word| word.parse().unwrap_or(0));
    pages.nth(1).unwrap_or(0usize) * 4096
}

#[test]
#[cfg(target_os = "linux")]
fn short_coroutines_leave_nothing() {
    with_heap(HeapOptions::default(), || {
        let run = |count| {
            for n in 0..count {
                let thread = spawn(|_, first| boxed(Co::suspend(first).value + 1));
                assert_eq!(step(thread, n), Ok(Step::Yielded(n)));
                if n % 2 == 0 {
                    assert_eq!(step(thread, n), Ok(Step::Returned(n + 1)));
                }
            }
        };
        run(10_000);
        let before = resident();
        run(50_000);
        let grown = resident().saturating_sub(before);
        assert!(grown < 16 << 20, "{grown} bytes more");
    });
}

#[test]
fn many_are_suspended_at_once() {
    with_heap(HeapOptions::default(), || {
        let threads: Vec<_> = (0..3000)
            .map(|n| {
                let thread = spawn(|_, first| boxed(Co::suspend(first).value + first.value));
                assert_eq!(step(thread, n), Ok(Step::Yielded(n)));
                Root::new(thread)
            })
            .collect();
        collect(CollectScope::All);
        for (n, thread) in threads.iter().enumerate().rev() {
            let sum = 1 + n as i64;
            assert_eq!(step(thread.get(), 1), Ok(Step::Returned(sum)));
        }
    });
}

#[test]
fn threads_of_the_guest_refer_to_each_other() {
    in_all_modes(|| {
        let dropped = Rc::new(StdCell::new(0));
        cycle(&dropped);
        cycle(&dropped);
        clear_stack();
        collect(CollectScope::All);
        assert_eq!(step(spawn(|_, first| first), 1), Ok(Step::Returned(1)));
        assert!(dropped.get() >= 2, "{}", dropped.get());
    });
}

#[inline(never)]
fn cycle(dropped: &Rc<StdCell<u32>>) {
    let (a, b) = (suspended(dropped), suspended(dropped));
    a.next.set(Some(b));
    b.next.set(Some(a));
}

#[test]
fn errors_say_what_they_are() {
    assert_eq!(
        ResumeError(CoroutineStatus::Dead).to_string(),
        "the coroutine has ended"
    );
    assert_eq!(
        ResumeError(CoroutineStatus::Normal).to_string(),
        "the coroutine is not suspended"
    );
    assert_eq!(NoStackError.to_string(), "there are too many coroutines");
}
