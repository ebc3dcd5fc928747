//! Objects that only Rust's own heap refers to, found where they are about to be freed. This
//! program's allocator is the detector.

use std::any::Any;
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::Arc;
use verdigris_heap::*;

#[global_allocator]
static DETECTOR: Detector = Detector;

struct Node {
    id: i64,
    next: Cell<Option<Gc<Node>>>,
}
gc_class! { Node { id: i64, next: Cell<Option<Gc<Node>>> } }

fn node(id: i64) -> Gc<Node> {
    Gc::new(Node {
        id,
        next: Cell::new(None),
    })
}

/// Runs a function with a heap that is collected at every allocation. Answers the message of its
/// panic, if it panics.
fn stressed(stress: Stress, f: impl FnOnce()) -> Result<(), String> {
    let options = HeapOptions {
        stress,
        ..HeapOptions::default()
    };
    let mut ctx = Context::new(options);
    // SAFETY: the context outlives the call.
    let run = || unsafe { Context::enter(&mut *ctx, f) };
    let message = |payload: Box<dyn Any + Send>| payload.downcast_ref::<String>().cloned();
    catch_unwind(AssertUnwindSafe(run)).map_err(|payload| message(payload).expect("a message"))
}

#[inline(never)]
fn allocate(count: i64) {
    std::hint::black_box([0u64; 8192]);
    for id in 0..count {
        std::hint::black_box(node(id));
    }
}

/// Words may be left on the stack of the first and the last one.
#[inline(never)]
fn several(place: Place) -> Box<dyn Any> {
    place((0..5).map(node).collect())
}

type Place = fn(VecDeque<Gc<Node>>) -> Box<dyn Any>;

const PLACES: &[(&str, Place)] = &[
    ("a vector", |nodes| Box::new(Vec::from(nodes))),
    ("a queue", |nodes| Box::new(nodes)),
    ("boxes", |nodes| {
        Box::new(nodes.into_iter().map(Box::new).collect::<Vec<_>>())
    }),
    ("a map", |nodes| {
        Box::new((0..).zip(nodes).collect::<HashMap<i64, _>>())
    }),
    ("a tree", |nodes| {
        Box::new((0..).zip(nodes).collect::<BTreeMap<i64, _>>())
    }),
    ("counted pointers", |nodes| {
        Box::new(nodes.into_iter().map(Rc::new).collect::<Vec<_>>())
    }),
    ("shared pointers", |nodes| {
        Box::new(nodes.into_iter().map(Arc::new).collect::<Vec<_>>())
    }),
    ("closures", |nodes| {
        let call = |node: Gc<Node>| -> Box<dyn Fn() -> i64> { Box::new(move || node.id) };
        Box::new(nodes.into_iter().map(call).collect::<Vec<_>>())
    }),
];

#[test]
fn what_only_rusts_heap_refers_to_is_found() {
    for stress in [Stress::All, Stress::Young] {
        for (name, place) in PLACES {
            let result = stressed(stress, || {
                let hidden = several(*place);
                allocate(200);
                drop(hidden);
            });
            let message = result.expect_err(name);
            let said =
                message.starts_with("a `Node` is kept only on Rust's own heap; use `RootVec`");
            assert!(said, "{name}, {stress:?}: {message}");
        }
    }
}

#[test]
fn what_something_else_refers_to_is_not() {
    for stress in [Stress::All, Stress::Young] {
        let result = stressed(stress, || {
            let roots: RootVec<Gc<Node>> = (0..5).map(node).collect();
            let copies: Vec<Gc<Node>> = roots.iter().collect();
            let array: GcArray<Gc<Node>> = roots.to_array();
            let boxed = Box::new(array);
            let weak: Vec<Weak<Gc<Node>>> = (0..5).map(|n| Weak::new(node(n))).collect();
            let queue = FinalQueue::new();
            (0..5).for_each(|n| queue.watch(node(n)));
            let shared = Rc::new(RefCell::new(Root::new(node(9))));
            allocate(200);
            shared.borrow().set(node(10));
            allocate(200);
            assert_eq!(copies.iter().map(|n| n.id).sum::<i64>(), 10);
            assert_eq!(boxed.len(), 5);
            assert!(weak.iter().filter(|weak| weak.get().is_none()).count() > 2);
            let mut dead = 0;
            while queue.next().is_some() {
                dead += 1;
            }
            assert!(dead > 2);
            drop(roots);
        });
        assert_eq!(result, Ok(()));
    }
}

/// What has been there in memory that is used again does not count.
#[test]
fn what_was_given_back_is_forgotten() {
    let result = stressed(Stress::All, || {
        for _ in 0..20 {
            let hidden: Vec<Gc<Node>> = {
                let roots: RootVec<Gc<Node>> = (0..5).map(node).collect();
                roots.iter().collect()
            };
            assert_eq!(hidden.len(), 5);
            drop(hidden);
            let fresh: Vec<u64> = Vec::with_capacity(5);
            allocate(20);
            assert!(fresh.is_empty());
        }
    });
    assert_eq!(result, Ok(()));
}

/// A value that is moved to Rust's heap takes with it what the stack held between its fields.
#[test]
fn what_was_there_before_the_object_does_not_count() {
    // Their words' complements look like nothing.
    let nodes = || -> Vec<u64> { (0..50).map(|id| !node(id).to_word()).collect() };
    let mut first = Vec::new();
    assert_eq!(stressed(Stress::All, || first = nodes()), Ok(()));
    let before: Vec<u64> = first.iter().map(|word| !word).collect();
    let again = stressed(Stress::All, || {
        let now = nodes();
        let same = now.iter().filter(|word| first.contains(word)).count();
        assert!(same > 10, "{first:x?} {now:x?}");
    });
    assert_eq!(again, Ok(()));
    drop(before);
}

#[test]
fn without_stress_nobody_looks() {
    let result = stressed(Stress::Off, || {
        let hidden = several(PLACES[0].1);
        allocate(200);
        collect_garbage(CollectScope::All);
        drop(hidden);
    });
    assert_eq!(result, Ok(()));
}
