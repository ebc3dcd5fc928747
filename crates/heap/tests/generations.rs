//! Generations: what a collection of the young generation keeps, frees and leaves alone, for every
//! kind of root; and stores without the barrier.

use std::panic::{AssertUnwindSafe, catch_unwind};
use verdigris_heap::*;

struct Node {
    id: i64,
    next: Cell<Option<Gc<Node>>>,
}
gc_class! { Node { id: i64, next: Cell<Option<Gc<Node>>> } }
type Items = GcArray<Cell<Option<Gc<Node>>>>;

impl WeakHolder for Node {
    type Target = Gc<Node>;
}

#[derive(Clone, Copy)]
enum Value {
    Nil,
    Int(i64),
    Pair(i64, Gc<Node>),
}
gc_value! { Value, true {
    0 => (Value::Nil) {}
    1 => (Value::Int(a)) { a: i64 }
    2 => (Value::Pair(a, b)) { a: i64, b: Gc<Node> }
} }

fn node(id: i64) -> Gc<Node> {
    Gc::new(Node {
        id,
        next: Cell::new(None),
    })
}

fn ctx<R>(f: impl FnOnce(&mut Context) -> R) -> R {
    // SAFETY: the current context is alive, and `f` does not enter it.
    f(unsafe { &mut *Context::current() })
}

/// Collects with nothing but live frames on the stack, and answers how many objects there are.
#[inline(never)]
fn collect(young: bool) -> u64 {
    std::hint::black_box([0u64; 8192]);
    ctx(|c| {
        match young {
            true => c.collect_young(),
            false => c.collect(),
        }
        c.heap_stats().live_objects
    })
}

/// A node that nothing on the stack refers to.
#[inline(never)]
fn put(id: i64, store: impl FnOnce(Gc<Node>)) {
    store(node(id));
}

#[test]
fn what_is_stored_in_an_old_object_survives_and_old_garbage_waits() {
    with_heap(HeapOptions::default(), || {
        let old = Root::new(node(1));
        assert_eq!(collect(true), 1);
        put(2, |young| old.get().next.set(Some(young)));
        put(3, |_| ());
        assert_eq!(collect(true), 2);
        let second = old.get().next.get().expect("it was kept");
        put(4, |young| second.next.set(Some(young)));
        assert_eq!(collect(true), 3);
        assert_eq!(second.next.get().map(|n| n.id), Some(4));
        second.next.set(None);
        assert_eq!(collect(true), 3);
        assert_eq!(collect(false), 2);
    });
}

/// Whether an object starts at the word, and one behind it does not.
fn is_one(word: u64) -> bool {
    let [here, behind, within] = [word, word + 8, word + 4].map(|word| ctx(|c| c.is_object(word)));
    assert!(!behind && !within, "inside of an object");
    here
}

#[test]
fn objects_are_told_from_other_words_at_any_age() {
    for stress in Stress::KINDS {
        let options = HeapOptions {
            stress,
            ..HeapOptions::default()
        };
        with_heap(options, || {
            let nodes: Vec<Root<Gc<Node>>> = (0..600).map(|n| Root::new(node(n))).collect();
            let large = Root::new(Items::new(40_000, None));
            let all = || {
                let small = nodes.iter().map(|node| node.get().to_word());
                small.chain([large.get().to_word()])
            };
            assert!(all().all(is_one), "new");
            // Looking changes nothing: what is allocated behind it is found and kept.
            let more: Vec<Root<Gc<Node>>> = (600..700).map(|n| Root::new(node(n))).collect();
            assert!(more.iter().all(|node| is_one(node.get().to_word())));
            assert_eq!(collect(true), 701);
            assert!(all().all(is_one), "old");
            let between = Root::new(node(-1));
            assert!(is_one(between.get().to_word()));
            assert_eq!(collect(false), 702);
            assert!(all().all(is_one), "marked again");
            let sum: i64 = nodes.iter().chain(&more).map(|node| node.get().id).sum();
            assert_eq!(sum, 699 * 700 / 2);
            for word in [0, 1, 8, 1 << 47, u64::MAX, large.get().to_word() ^ 1 << 40] {
                assert!(!ctx(|c| c.is_object(word)), "{word:#x}");
            }
        });
    }
}

#[test]
fn items_of_old_arrays_are_found_wherever_they_are() {
    for len in [3, 60, 1500, 40_000] {
        with_heap(HeapOptions::default(), || {
            let items = Root::new(Items::new(len, None));
            let values = Root::new(GcArray::<Cell<Value>>::new(len, Value::Nil));
            assert_eq!(collect(true), 2);
            let places: Vec<usize> = (0..len).step_by(len / 3).chain([len - 1]).collect();
            for &n in &places {
                put(n as i64, |young| items.get()[n].set(Some(young)));
                put(-(n as i64), |young| {
                    values.get()[n].set(Value::Pair(7, young))
                });
            }
            for n in (0..len).step_by(2).filter(|n| !places.contains(n)) {
                values.get()[n].set(Value::Int(n as i64));
            }
            let distinct: std::collections::BTreeSet<usize> = places.iter().copied().collect();
            assert_eq!(collect(true), 2 + 2 * distinct.len() as u64);
            for &n in &places {
                assert_eq!(items.get()[n].get().map(|node| node.id), Some(n as i64));
                assert!(
                    matches!(values.get()[n].get(), Value::Pair(7, node) if node.id == -(n as i64))
                );
            }
        });
    }
}

/// The cell of a value begins in one card, and its reference lies in the next.
#[test]
fn a_value_on_the_edge_of_two_cards_is_found() {
    with_heap(HeapOptions::default(), || {
        let values = Root::new(GcArray::<Cell<Value>>::new(600, Value::Nil));
        collect(true);
        for n in 0..600 {
            put(n as i64, |young| values.get()[n].set(Value::Pair(0, young)));
            assert_eq!(collect(true), 2 + n as u64);
        }
    });
}

#[test]
fn registers_need_no_barrier() {
    with_heap(HeapOptions::default(), || {
        let registers = Root::new(GcArray::<Register<Value>>::new(100, Value::Nil));
        collect(true);
        for n in [0, 50, 99] {
            put(n as i64, |young| {
                registers.get()[n].set(Value::Pair(1, young))
            });
        }
        assert_eq!(collect(true), 4);
        put(7, |young| {
            registers.get()[50].replace(Value::Pair(2, young));
        });
        assert_eq!(collect(true), 5);
        assert!(matches!(registers.get()[50].get(), Value::Pair(2, node) if node.id == 7));
        assert_eq!(collect(false), 4);
    });
}

#[test]
fn many_arrays_of_registers_make_everything_be_collected() {
    with_heap(HeapOptions::default(), || {
        for n in 0..2_000_000 {
            let registers = GcArray::<Register<Value>>::new(4, Value::Int(n));
            std::hint::black_box(registers);
            if n % 1000 == 0 {
                collect(true);
            }
        }
        // Each was live when something was collected.
        assert!(ctx(|c| c.heap_stats()).heap_bytes < 16 << 20);
    });
}

#[test]
fn handles_are_right_in_both_generations() {
    with_heap(HeapOptions::default(), || {
        let holder = Root::new(node(0));
        let queue = FinalQueue::<Gc<Node>>::new();
        let (mut old, mut young) = (None, None);
        put(1, |object| {
            old = Some(Weak::new(object));
            queue.watch(object);
            holder.get().next.set(Some(object));
            weak_attach(holder.get(), object);
        });
        assert_eq!(collect(true), 2);
        put(2, |object| {
            young = Some(Weak::new(object));
            queue.watch(object);
        });
        put(3, |object| weak_attach(object, holder.get()));
        assert!(old.as_ref().expect("made").get().is_some());
        collect(true);
        // The young one has died, and waits in the queue; the old one is taken to be alive,
        // whatever it is.
        assert!(young.as_ref().expect("made").get().is_none());
        assert_eq!(queue.next().map(|object| object.id), Some(2));
        holder.get().next.set(None);
        collect(true);
        assert!(old.as_ref().expect("made").get().is_some() && queue.next().is_none());
        collect(false);
        assert!(old.as_ref().expect("made").get().is_none());
        assert!(weak_attached(holder.get()).is_none());
        assert_eq!(queue.next().map(|object| object.id), Some(1));
    });
}

#[test]
fn what_is_pinned_once_is_old_before_it_can_be_missed() {
    with_heap(HeapOptions::default(), || {
        let old = Root::new(node(1));
        collect(true);
        let mut address = 0;
        put(2, |young| address = young.to_word());
        ctx(|c| c.pin(address));
        // Compiled code stores constants without a barrier, also if they are pinned no more when
        // memory is collected.
        let field = (&raw const old.get().next).cast_mut().cast::<u64>();
        // SAFETY: an object of the right class, in a cell.
        unsafe { field.write(address) };
        ctx(|c| c.unpin(address));
        assert_eq!(collect(true), 2);
        assert_eq!(old.get().next.get().map(|n| n.id), Some(2));
    });
}

#[test]
fn a_store_without_the_barrier_is_named() {
    let options = HeapOptions {
        stress: Stress::Young,
        ..HeapOptions::default()
    };
    let work = || {
        with_heap(options, || {
            let old = Root::new(node(1));
            let fresh = Root::new(node(0));
            for id in 0..100 {
                put(id, |young| {
                    let field = (&raw const old.get().next).cast_mut().cast::<u64>();
                    // SAFETY: an object of the right class, in a cell; but without the barrier.
                    unsafe { field.write(young.to_word()) };
                });
                std::hint::black_box([0u64; 8192]);
                fresh.set(node(id));
            }
        })
    };
    let payload = catch_unwind(AssertUnwindSafe(work)).expect_err("it is found");
    let message = payload.downcast_ref::<String>().expect("a message");
    assert!(
        message.starts_with("`Node.next` refers to an object"),
        "{message}"
    );
    assert!(message.ends_with("without the write barrier"), "{message}");
}

#[test]
fn young_stress_goes_on_collecting_the_young() {
    let options = HeapOptions {
        stress: Stress::Young,
        ..HeapOptions::default()
    };
    with_heap(options, || {
        for id in 0..1000 {
            put(id, |_| ());
        }
        let stats = ctx(|c| c.heap_stats());
        assert!(
            stats.young_collections > 20 * stats.collections,
            "{stats:?}"
        );
        assert!(stats.collections > 10, "{stats:?}");
    });
}

#[test]
fn sparse_stress_collects_everything_at_every_seventh_allocation() {
    let options = HeapOptions {
        stress: Stress::Sparse,
        ..HeapOptions::default()
    };
    with_heap(options, || {
        for id in 0..70 {
            node(id);
        }
        let stats = ctx(|c| c.heap_stats());
        let collections = (stats.collections, stats.young_collections);
        assert_eq!(collections, (10, 0), "{stats:?}");
    });
}

#[test]
fn references_between_large_objects_survive() {
    with_heap(HeapOptions::default(), || {
        type Outer = GcArray<Cell<Option<Items>>>;
        let outer = Root::new(Outer::new(5000, None));
        collect(true);
        for round in 0..200 {
            let inner = Items::new(3000 + round, None);
            put(round as i64, |young| inner[2999].set(Some(young)));
            outer.get()[round * 20].set(Some(inner));
            if round % 7 == 0 {
                collect(true);
            }
            if round % 50 == 49 {
                collect(false);
            }
        }
        for round in 0..200 {
            let inner = outer.get()[round * 20].get().expect("it was stored");
            assert_eq!(
                (inner.len(), inner[2999].get().map(|n| n.id)),
                (3000 + round, Some(round as i64))
            );
        }
        // A word on the stack may keep the array that refers to all others, so they are dropped one
        // by one.
        for round in 0..200 {
            outer.get()[round * 20].set(None);
        }
        collect(false);
        // What the stack still holds may keep one or two.
        assert!(ctx(|c| c.heap_stats()).large_objects < 4);
    });
}
