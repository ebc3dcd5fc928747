//! What refers to objects from outside the heap without being on the stack: vectors of roots, weak
//! references, queues of the dead; with and without stress mode.

use verdigris_heap::Stress;
use verdigris_heap::*;

struct Node {
    id: i64,
    next: Cell<Option<Gc<Node>>>,
}
gc_class! { Node { id: i64, next: Cell<Option<Gc<Node>>> } }

impl WeakHolder for Node {
    type Target = Gc<Node>;
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Value {
    Nil,
    Int(i64),
    Node(Gc<Node>),
}
gc_value! { Value, true {
    0 => (Value::Nil) {}
    1 => (Value::Int(a)) { a: i64 }
    2 => (Value::Node(a)) { a: Gc<Node> }
} }

fn node(id: i64) -> Gc<Node> {
    Gc::new(Node {
        id,
        next: Cell::new(None),
    })
}

/// Runs the test on an ordinary heap, then on one that collects all the time.
fn both(test: impl Fn()) {
    for stress in Stress::KINDS {
        let mut ctx = Context::new(HeapOptions {
            stress,
            ..HeapOptions::default()
        });
        // SAFETY: the context outlives the call.
        unsafe { Context::enter(&mut *ctx, &test) };
    }
}

/// Collects with nothing but live frames on the stack.
#[inline(never)]
fn collect() {
    std::hint::black_box([0u64; 8192]);
    // SAFETY: the current context is alive.
    unsafe { (*Context::current()).collect() }
}

/// Calls `f` in a frame of its own, so that what it held is gone afterwards.
#[inline(never)]
fn apart<R>(f: impl FnOnce() -> R) -> R {
    f()
}

#[test]
fn a_vector_of_roots_keeps_its_items() {
    both(|| {
        let nodes: RootVec<Gc<Node>> = apart(|| (0..100).map(node).collect());
        collect();
        let ids: Vec<i64> = nodes.iter().map(|n| n.id).collect();
        assert_eq!(ids, (0..100).collect::<Vec<_>>());
        assert_eq!(nodes.pop().map(|n| n.id), Some(99));
        nodes.set(0, node(7));
        nodes.truncate(2);
        collect();
        assert_eq!((nodes.len(), nodes.get(0).map(|n| n.id)), (2, Some(7)));
        assert_eq!(nodes.get(2), None);
        assert_eq!(nodes.get(usize::MAX), None);
        nodes.clear();
        assert!(nodes.is_empty() && nodes.pop().is_none());
    });
}

#[test]
fn a_vector_of_roots_holds_values() {
    both(|| {
        let values = RootVec::new();
        apart(|| {
            values.push(Value::Node(node(1)));
            values.push(Value::Int(2));
            values.push(Value::Nil);
        });
        collect();
        match values.get(0) {
            Some(Value::Node(n)) => assert_eq!(n.id, 1),
            other => panic!("{other:?}"),
        }
        assert_eq!(values.get(1), Some(Value::Int(2)));
        assert_eq!(values.iter().last(), Some(Value::Nil));
    });
}

#[test]
#[should_panic(expected = "index out of bounds: the len is 1 but the index is 1")]
fn a_vector_of_roots_checks_indices() {
    both(|| {
        let nodes = RootVec::new();
        nodes.push(node(0));
        nodes.set(1, node(1));
    });
}

#[test]
fn weak_references_see_the_end_of_their_objects() {
    both(|| {
        let kept = Root::new(apart(|| node(1)));
        let strong = Weak::new(kept.get());
        let lost = apart(|| Weak::new(node(2)));
        let copy = lost.clone();
        collect();
        assert_eq!(strong.get().map(|n| n.id), Some(1));
        assert!(lost.get().is_none() && copy.get().is_none());
        drop(kept);
        collect();
        assert!(strong.get().is_none());
        // The place of a dropped handle is used again, for another object.
        drop(copy);
        let other = Root::new(node(3));
        let weak = Weak::new(other.get());
        collect();
        assert_eq!(weak.get().map(|n| n.id), Some(3));
        assert!(lost.get().is_none());
    });
}

#[test]
fn weak_references_to_large_objects() {
    both(|| {
        let kept: Root<GcArray<i64>> = Root::new(apart(|| GcArray::new(10_000, 5)));
        let strong = Weak::new(kept.get());
        let lost = apart(|| Weak::new(GcArray::<i64>::new(20_000, 5)));
        collect();
        assert_eq!(strong.get().map(|a| a.len()), Some(10_000));
        assert!(lost.get().is_none());
    });
}

#[test]
fn an_object_holds_a_weak_reference() {
    both(|| {
        let holder = Root::new(apart(|| node(1)));
        let target = Root::new(apart(|| node(2)));
        let get = || weak_attached(holder.get()).map(|n| n.id);
        assert_eq!(get(), None);
        weak_attach(holder.get(), target.get());
        collect();
        assert_eq!(get(), Some(2));
        drop(target);
        collect();
        assert_eq!(get(), None);
        // A holder's own death takes the association with it: a later object at the same address
        // has none.
        drop(holder);
        collect();
        let other = Root::new(apart(|| node(3)));
        assert!(weak_attached(other.get()).is_none());
    });
}

#[test]
fn the_dead_are_queued_once_with_what_they_refer_to() {
    both(|| {
        let queue = FinalQueue::new();
        let weak = apart(|| {
            let inner = node(2);
            let outer = node(1);
            outer.next.set(Some(inner));
            queue.watch(outer);
            queue.watch(inner);
            Weak::new(outer)
        });
        assert!(queue.next().is_none());
        collect();
        assert_eq!(queue.ready(), 2);
        // For weak references the object is gone, although it waits in the queue.
        assert!(weak.get().is_none());
        collect();
        let outer = queue.next().expect("it has died");
        assert_eq!((outer.id, outer.next.get().map(|n| n.id)), (1, Some(2)));
        assert_eq!(queue.next().map(|n| n.id), Some(2));
        assert!(queue.next().is_none());
        let again = Root::new(outer);
        collect();
        assert!(queue.next().is_none());
        queue.watch(again.get());
        collect();
        assert_eq!(queue.ready(), 0);
    });
}

#[test]
fn a_cycle_of_the_dead_is_queued_whole() {
    both(|| {
        let queue = FinalQueue::new();
        apart(|| {
            let (a, b) = (node(1), node(2));
            a.next.set(Some(b));
            b.next.set(Some(a));
            queue.watch(a);
            queue.watch(b);
        });
        collect();
        let ids: Vec<i64> = std::iter::from_fn(|| queue.next()).map(|n| n.id).collect();
        assert_eq!(ids, [1, 2]);
    });
}

#[test]
fn handles_outlive_their_heap() {
    let mut ctx = Context::new(HeapOptions::default());
    // SAFETY: the context outlives the call.
    let (vec, weak, queue) = unsafe {
        Context::enter(&mut *ctx, || {
            let vec = RootVec::new();
            vec.push(node(1));
            let queue = FinalQueue::new();
            queue.watch(node(2));
            (vec, Weak::new(node(3)), queue)
        })
    };
    drop(ctx);
    let caught = |f: &dyn Fn()| {
        let payload =
            std::panic::catch_unwind(std::panic::AssertUnwindSafe(f)).expect_err("it panics");
        payload.downcast_ref::<String>().expect("a message").clone()
    };
    let after = "is used after its VM was dropped";
    let get = |f: &dyn Fn() -> Option<Gc<Node>>| {
        caught(&|| {
            let _ = f();
        })
    };
    assert_eq!(get(&|| vec.get(0)), format!("a `RootVec` {after}"));
    assert_eq!(get(&|| weak.get()), format!("a `Weak` {after}"));
    assert_eq!(get(&|| queue.next()), format!("a `FinalQueue` {after}"));
}
