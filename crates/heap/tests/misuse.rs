//! Wrong use of the heap that types cannot refuse, and what stress mode says of it.

use std::cell::RefCell;
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use verdigris_heap::Stress;
use verdigris_heap::*;

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

fn stress() -> Box<Context> {
    Context::new(HeapOptions {
        stress: Stress::All,
        ..HeapOptions::default()
    })
}

fn enter<R>(ctx: &mut Context, f: impl FnOnce() -> R) -> R {
    // SAFETY: the context outlives the call.
    unsafe { Context::enter(ctx, f) }
}

/// Allocates until the heap is checked, and answers the message of the panic.
fn message(f: impl FnOnce()) -> String {
    let payload = catch_unwind(AssertUnwindSafe(f)).expect_err("it is found");
    payload.downcast_ref::<String>().expect("a message").clone()
}

#[inline(never)]
fn allocate(count: i64) {
    std::hint::black_box([0u64; 8192]);
    for id in 0..count {
        std::hint::black_box(node(id));
    }
}

/// The nodes are known to the `Vec` alone while others are made, so they have been freed when they
/// are linked.
#[inline(never)]
fn hide(count: i64) -> Vec<Gc<Node>> {
    (0..count).map(node).collect()
}

#[test]
fn a_reference_from_a_vec_that_gets_into_the_heap_is_found() {
    let mut ctx = stress();
    let message = message(|| {
        enter(&mut ctx, || {
            let hidden = hide(4);
            allocate(100);
            let list = node(0);
            list.next.set(Some(hidden[1]));
            allocate(100);
            std::hint::black_box(list);
        })
    });
    assert!(message.starts_with("`Node.next` holds 0x"), "{message}");
    assert!(message.contains("use `Root` or `RootVec`"), "{message}");
}

/// Something on Rust's heap that holds a reference, and gives it back.
type Hidden = Box<dyn Fn() -> Gc<Node>>;

/// Puts one there.
type Place = fn(Gc<Node>) -> Hidden;

/// The second of several nodes, in a place that the collector does not see.
#[inline(never)]
fn hide_by(place: Place) -> Hidden {
    place(hide(4)[1])
}

#[test]
fn a_reference_from_anywhere_on_the_heap_of_rust_is_found() {
    let places: [(&str, Place); 5] = [
        ("a box", |node| {
            let place = Box::new(node);
            Box::new(move || *place)
        }),
        ("a map", |node| {
            let place = HashMap::from([(1, node)]);
            Box::new(move || place[&1])
        }),
        ("a counted pointer", |node| {
            let place = Rc::new(RefCell::new(node));
            Box::new(move || *place.borrow())
        }),
        ("a closure", |node| Box::new(move || node)),
        ("an iterator", |node| {
            let place: Box<dyn Iterator<Item = Gc<Node>>> = Box::new(std::iter::repeat(node));
            let place = RefCell::new(place);
            Box::new(move || place.borrow_mut().next().expect("it has no end"))
        }),
    ];
    for (name, place) in places {
        let mut ctx = stress();
        let message = message(|| {
            enter(&mut ctx, || {
                let hidden = hide_by(place);
                allocate(100);
                let list = node(0);
                list.next.set(Some(hidden()));
                allocate(100);
                std::hint::black_box(list);
            })
        });
        let found = message.starts_with("`Node.next` holds 0x");
        assert!(found, "{name}: {message}");
    }
}

#[test]
fn a_reference_from_another_visit_is_found() {
    let mut ctx = stress();
    let kept = enter(&mut ctx, || hide(4));
    let message = message(|| {
        enter(&mut ctx, || {
            allocate(100);
            let list = node(0);
            list.next.set(Some(kept[1]));
            allocate(100);
            std::hint::black_box(list);
        })
    });
    assert!(message.starts_with("`Node.next` holds 0x"), "{message}");
}

#[test]
fn a_reference_from_another_vm_is_found() {
    let (mut one, mut two) = (stress(), stress());
    let message = message(|| {
        enter(&mut one, || {
            let foreign = Root::new(node(1));
            enter(&mut two, || {
                let items: GcArray<Cell<Option<Gc<Node>>>> = GcArray::new(3, None);
                items[2].set(Some(foreign.get()));
                allocate(100);
                std::hint::black_box(items);
            })
        })
    });
    assert!(
        message.starts_with("item 2 of a `GcArray` holds 0x"),
        "{message}"
    );
    assert!(message.contains("comes from another VM"), "{message}");
}

#[test]
fn a_heap_without_mistakes_passes() {
    let mut ctx = stress();
    enter(&mut ctx, || {
        let kept: RootVec<Gc<Node>> = hide(1).into_iter().collect();
        for id in 0..200 {
            let new = node(id);
            new.next.set(kept.get(0));
            kept.set(0, new);
        }
        allocate(100);
        assert_eq!(kept.get(0).map(|n| n.id), Some(199));
    });
}

#[test]
fn objects_need_a_heap() {
    let message = catch_unwind(|| {
        let _ = node(1);
    })
    .expect_err("no VM is entered");
    let message = message.downcast_ref::<&str>().expect("a message");
    assert!(
        message.contains("no VM is entered on this thread"),
        "{message}"
    );
}
