//! What the collector keeps and what it frees: every kind of root, every size of object, and random
//! graphs against a model, with and without stress mode.

use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use verdigris_heap::Stress;
use verdigris_heap::*;

struct Node {
    id: i64,
    left: Cell<Option<Gc<Node>>>,
    right: Cell<Option<Gc<Node>>>,
    items: Cell<Option<Items>>,
}
gc_class! { Node {
    id: i64, left: Cell<Option<Gc<Node>>>, right: Cell<Option<Gc<Node>>>, items: Cell<Option<Items>>,
} }
type Items = GcArray<Cell<Option<Gc<Node>>>>;

fn node(id: i64) -> Gc<Node> {
    Gc::new(Node {
        id,
        left: Cell::new(None),
        right: Cell::new(None),
        items: Cell::new(None),
    })
}

const STRESS: HeapOptions = HeapOptions {
    limit: usize::MAX,
    stress: Stress::All,
};

fn within<R>(options: HeapOptions, f: impl FnOnce() -> R) -> R {
    let mut ctx = Context::new(options);
    // SAFETY: the context lives until the end of this function.
    unsafe { Context::enter(&mut *ctx, f) }
}

fn ctx<R>(f: impl FnOnce(&mut Context) -> R) -> R {
    // SAFETY: the current context is alive, and `f` does not enter it.
    f(unsafe { &mut *Context::current() })
}

/// Overwrites what returned calls have left on the stack.
#[inline(never)]
fn clear_stack() {
    std::hint::black_box([0u64; 8192]);
}

/// Collects with nothing but live frames on the stack.
#[inline(never)]
fn collect_cleanly() -> HeapStats {
    clear_stack();
    ctx(|c| {
        c.collect();
        c.heap_stats()
    })
}

/// The first two words of an object that may have been freed.
fn peek(address: u64) -> [u64; 2] {
    let object = std::ptr::with_exposed_provenance::<[u64; 2]>(address as usize);
    // SAFETY: blocks and quarantined large objects stay mapped; raw words have no invalid values.
    unsafe { object.read_volatile() }
}

const POISON: u64 = 0xDEAD_BEEF_DEAD_BEEF;

#[test]
fn unreachable_objects_are_freed_and_their_memory_is_used_again() {
    within(HeapOptions::default(), || {
        for i in 0..2_000_000 {
            std::hint::black_box(node(i));
        }
        let stats = ctx(|c| c.heap_stats());
        assert_eq!(stats.bytes_allocated, 2_000_000 * 40);
        assert!(stats.young_collections >= 10, "{stats:?}");
        assert!(stats.heap_bytes < 6 << 20, "{stats:?}");
    });
}

#[test]
fn locals_keep_objects() {
    within(STRESS, || {
        let a = node(1);
        let b = node(2);
        let c = node(3);
        let array: GcArray<u8> = GcArray::from_slice(&[9; 3000]);
        let large: GcArray<i64> = GcArray::new(50_000, 4);
        for i in 0..100 {
            a.left.set(Some(node(i)));
        }
        assert_eq!((a.id, b.id, c.id), (1, 2, 3));
        assert_eq!(a.left.get().unwrap().id, 99);
        assert!(array.as_slice().iter().all(|&b| b == 9));
        assert!(large.as_slice().iter().all(|&w| w == 4));
    });
}

#[test]
fn references_into_objects_keep_them() {
    within(STRESS, || {
        let inner: &Cell<i32> = {
            let array: GcArray<Cell<i32>> = GcArray::new(3000, 7);
            let item: *const Cell<i32> = &array[2999];
            // SAFETY: the test is about this: the array outlives the reference since it points into
            // it.
            unsafe { &*item }
        };
        for i in 0..50 {
            std::hint::black_box(node(i));
            std::hint::black_box(GcArray::<i32>::new(3000, 1));
        }
        assert_eq!(inner.get(), 7);
    });
}

/// An address that the collector cannot see, since it is complemented.
#[derive(Clone, Copy)]
struct Hidden(u64);

impl Hidden {
    /// Makes an object and forgets it.
    #[inline(never)]
    fn new<R: Word>(make: impl FnOnce() -> R) -> Hidden {
        Hidden(std::hint::black_box(!make().to_word()))
    }

    /// Calls `f` with the address.
    #[inline(never)]
    fn with<R>(self, f: impl FnOnce(u64) -> R) -> R {
        f(!std::hint::black_box(self.0))
    }

    #[inline(always)]
    fn assert_freed(self) {
        clear_stack();
        self.assert_freed_now();
    }

    #[inline(never)]
    fn assert_freed_now(self) {
        collect_cleanly();
        assert_eq!(self.with(peek), [POISON; 2]);
    }

    #[inline(never)]
    fn assert_kept(self, what: &str) {
        for _ in 0..3 {
            collect_cleanly();
            node(0);
        }
        let words = self.with(peek);
        assert!(words[0] != POISON && words[1] != POISON, "{what}");
    }
}

/// The classic bug, which stress mode must find: the reference is on the malloc heap only.
#[test]
fn an_object_known_to_a_vec_alone_is_poisoned() {
    within(STRESS, || {
        #[inline(never)]
        fn fill() -> Vec<Gc<Node>> {
            (0..10).map(node).collect()
        }
        let hidden = fill();
        collect_cleanly();
        let freed = hidden.iter().filter(|gc| peek(gc.to_word()) == [POISON; 2]);
        assert!(freed.count() >= 8);
    });
}

#[test]
fn freed_objects_of_every_size_are_poisoned() {
    within(STRESS, || {
        Hidden::new(|| node(1)).assert_freed();
        Hidden::new(|| GcArray::<u8>::new(100, 1)).assert_freed();
        Hidden::new(|| GcArray::<u8>::new(1000, 1)).assert_freed();
        Hidden::new(|| GcArray::<u8>::new(16 << 10, 1)).assert_freed();
        Hidden::new(|| GcArray::<u8>::new(1 << 20, 1)).assert_freed();
    });
}

#[test]
fn roots_keep_objects_until_dropped() {
    within(STRESS, || {
        let roots: Vec<Root<Gc<Node>>> = (0..10).map(|i| Root::new(node(i))).collect();
        let copy = roots[3].clone();
        let hidden = Hidden::new(|| copy.get());
        collect_cleanly();
        for (i, root) in roots.iter().enumerate() {
            assert_eq!(root.get().id, i as i64);
        }
        roots[3].set(node(33));
        drop(roots);
        hidden.assert_kept("cloned root");
        drop(copy);
        hidden.assert_freed();
        let none: Root<Option<Gc<Node>>> = Root::new(None);
        assert_eq!(none.get(), None);
    });
}

#[test]
fn pins_are_counted() {
    within(STRESS, || {
        let hidden = Hidden::new(|| {
            let node = node(1);
            ctx(|c| c.pin(node.to_word()));
            node
        });
        hidden.with(|word| ctx(|c| c.pin(word)));
        hidden.assert_kept("pinned twice");
        hidden.with(|word| ctx(|c| c.unpin(word)));
        hidden.assert_kept("pinned once");
        hidden.with(|word| ctx(|c| c.unpin(word)));
        hidden.assert_freed();
    });
}

#[test]
#[should_panic(expected = "not pinned")]
fn unpinning_what_is_not_pinned_is_a_bug() {
    Context::new(HeapOptions::default()).unpin(8);
}

#[test]
fn the_shadow_stack_and_the_exit_buffer_are_scanned() {
    within(STRESS, || {
        let mark = ctx(|c| c.shadow_mark());
        let frame = ctx(|c| c.shadow_alloc(16));
        let store = |at: *mut u64, id: i64| {
            Hidden::new(|| {
                let node = node(id);
                // SAFETY: a word of the shadow stack or of the exit buffer.
                unsafe { at.write(node.to_word()) };
                node
            })
        };
        let exits = ctx(|c| c.exits.as_mut_ptr());
        let a = store(frame.wrapping_add(15), 1);
        let b = store(exits.wrapping_add(EXIT_WORDS - 1), 2);
        a.assert_kept("shadow stack");
        b.assert_kept("exit buffer");
        ctx(|c| c.shadow_release(mark));
        ctx(|c| c.exits[EXIT_WORDS - 1] = 0);
        a.assert_freed();
        b.assert_freed();
    });
}

#[test]
fn deep_and_wide_graphs_are_marked_without_recursion() {
    within(HeapOptions::default(), || {
        let mut list = None;
        for i in 0..300_000 {
            let n = node(i);
            n.left.set(list);
            list = Some(n);
        }
        let wide: Items = GcArray::new(100_000, list);
        ctx(|c| c.collect());
        let mut length = 0;
        while let Some(n) = list {
            length += 1;
            assert_eq!(n.id, 300_000 - length);
            list = n.left.get();
        }
        assert_eq!(length, 300_000);
        assert_eq!(wide[99_999].get().unwrap().id, 299_999);
    });
}

#[test]
fn words_that_are_not_objects_do_no_harm() {
    within(STRESS, || {
        let kept = node(5);
        let at = kept.to_word();
        let mark = ctx(|c| c.shadow_mark());
        let frame = ctx(|c| c.shadow_alloc(4096));
        for i in 0..4096u64 {
            // Everything around the object: block starts, metadata, free lines, unaligned words,
            // the ends of memory.
            let word = match i % 8 {
                0 => i.wrapping_mul(0x0101_0101_0101_0101),
                1 => (at & !0xFFFFF) + i * 256,
                2 => at + i,
                3 => at - i,
                4 => u64::MAX - i,
                5 => i,
                6 => (at & !0x7FFF) + i * 8,
                _ => (at | 0xFFFFF) + i,
            };
            // SAFETY: within the words just allocated.
            unsafe { frame.add(i as usize).write(word) };
        }
        for i in 0..20 {
            assert_eq!(node(i).id, i);
        }
        ctx(|c| c.shadow_release(mark));
        assert_eq!(kept.id, 5);
    });
}

#[derive(Clone, Debug)]
enum Op {
    New(usize),
    Left(usize, usize),
    Right(usize, usize),
    Array(usize, usize),
    Item(usize, usize, usize),
    Follow(usize, u8),
    Drop(usize),
    Garbage(usize),
    Collect,
    CollectYoung,
}

const SLOTS: usize = 6;

fn op() -> impl Strategy<Value = Op> {
    let slot = || 0..SLOTS;
    prop_oneof![
        5 => slot().prop_map(Op::New),
        4 => (slot(), slot()).prop_map(|(a, b)| Op::Left(a, b)),
        4 => (slot(), slot()).prop_map(|(a, b)| Op::Right(a, b)),
        2 => (slot(), prop_oneof![0..8usize, 8..300usize, 1900..3000usize]).prop_map(|(a, n)| Op::Array(a, n)),
        4 => (slot(), any::<usize>(), slot()).prop_map(|(a, i, b)| Op::Item(a, i, b)),
        2 => (slot(), 0..2u8).prop_map(|(a, f)| Op::Follow(a, f)),
        2 => slot().prop_map(Op::Drop),
        2 => prop_oneof![0..20usize, 100..2000usize, 17_000..40_000usize].prop_map(Op::Garbage),
        1 => Just(Op::Collect),
        3 => Just(Op::CollectYoung),
    ]
}

/// What a node should be.
#[derive(Clone, Default)]
struct Model {
    left: Option<i64>,
    right: Option<i64>,
    items: Option<Vec<Option<i64>>>,
}

/// The heap and its model.
struct World {
    slots: Vec<Root<Option<Gc<Node>>>>,
    model_slots: [Option<i64>; SLOTS],
    model: BTreeMap<i64, Model>,
    next: i64,
}

impl World {
    fn new() -> World {
        World {
            slots: (0..SLOTS).map(|_| Root::new(None)).collect(),
            model_slots: [None; SLOTS],
            model: BTreeMap::new(),
            next: 0,
        }
    }

    /// The node in a slot, in the heap and in the model.
    fn get(&mut self, slot: usize) -> Option<(Gc<Node>, &mut Model)> {
        let gc = self.slots[slot].get()?;
        let id = self.model_slots[slot].unwrap();
        Some((gc, self.model.get_mut(&id).unwrap()))
    }

    #[inline(never)]
    fn apply(&mut self, op: &Op) {
        match *op {
            Op::New(slot) => {
                self.slots[slot].set(Some(node(self.next)));
                self.model_slots[slot] = Some(self.next);
                self.model.insert(self.next, Model::default());
                self.next += 1;
            }
            Op::Left(a, b) => {
                let (to, id) = (self.slots[b].get(), self.model_slots[b]);
                if let Some((gc, model)) = self.get(a) {
                    gc.left.set(to);
                    model.left = id;
                }
            }
            Op::Right(a, b) => {
                let (to, id) = (self.slots[b].get(), self.model_slots[b]);
                if let Some((gc, model)) = self.get(a) {
                    gc.right.set(to);
                    model.right = id;
                }
            }
            Op::Array(a, len) => {
                if let Some((gc, model)) = self.get(a) {
                    gc.items.set(Some(GcArray::new(len, None)));
                    model.items = Some(vec![None; len]);
                }
            }
            Op::Item(a, index, b) => self.set_item(a, index, b),
            Op::Follow(a, field) => self.follow(a, field),
            Op::Drop(a) => {
                self.slots[a].set(None);
                self.model_slots[a] = None;
            }
            Op::Garbage(bytes) => {
                std::hint::black_box(GcArray::<u8>::new(bytes, 0xAA));
            }
            Op::Collect => ctx(|c| c.collect()),
            Op::CollectYoung => ctx(|c| c.collect_young()),
        }
    }

    fn set_item(&mut self, a: usize, index: usize, b: usize) {
        let (to, id) = (self.slots[b].get(), self.model_slots[b]);
        if let Some((gc, model)) = self.get(a)
            && let Some(items) = &mut model.items
            && !items.is_empty()
        {
            let index = index % items.len();
            gc.items.get().unwrap()[index].set(to);
            items[index] = id;
        }
    }

    fn follow(&mut self, a: usize, field: u8) {
        if let Some((gc, model)) = self.get(a) {
            let (to, id) = match field {
                0 => (gc.left.get(), model.left),
                _ => (gc.right.get(), model.right),
            };
            self.slots[a].set(to);
            self.model_slots[a] = id;
        }
    }

    /// Everything reachable is what the model says. Gives the number of reachable objects.
    #[inline(never)]
    fn check(&self) -> u64 {
        let mut seen = BTreeSet::new();
        let mut arrays = 0;
        let mut work: Vec<(Option<Gc<Node>>, Option<i64>)> = Vec::new();
        for (slot, &id) in self.slots.iter().zip(&self.model_slots) {
            work.push((slot.get(), id));
        }
        while let Some((gc, id)) = work.pop() {
            assert_eq!(gc.map(|gc| gc.id), id);
            let (Some(gc), Some(id)) = (gc, id) else {
                continue;
            };
            if !seen.insert(id) {
                continue;
            }
            let model = &self.model[&id];
            work.push((gc.left.get(), model.left));
            work.push((gc.right.get(), model.right));
            assert_eq!(
                gc.items.get().map(|a| a.len()),
                model.items.as_ref().map(Vec::len)
            );
            if let (Some(items), Some(model)) = (gc.items.get(), &model.items) {
                arrays += 1;
                for (item, &id) in items.as_slice().iter().zip(model) {
                    work.push((item.get(), id));
                }
            }
        }
        seen.len() as u64 + arrays
    }
}

fn run(ops: &[Op], options: HeapOptions) {
    within(options, || {
        let mut world = World::new();
        for (i, op) in ops.iter().enumerate() {
            world.apply(op);
            if i % 16 == 0 {
                world.check();
            }
        }
        let reachable = world.check();
        let live = collect_cleanly().live_objects;
        // Stale words on the stack may keep more.
        assert!(live >= reachable, "{live} of {reachable} objects are left");
        world.check();
    });
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn random_graphs_survive_stress(ops in prop::collection::vec(op(), 1..300)) {
        run(&ops, STRESS);
    }

    #[test]
    fn random_graphs_survive_young_stress(ops in prop::collection::vec(op(), 1..300)) {
        run(&ops, HeapOptions { stress: Stress::Young, ..STRESS });
    }

    #[test]
    fn random_graphs_survive(ops in prop::collection::vec(op(), 1..2000)) {
        run(&ops, HeapOptions::default());
    }
}

/// A long run without stress: holes are reused many times, so a wrong line mark or start bit shows.
#[test]
fn churn_in_a_fragmented_heap() {
    within(HeapOptions::default(), || {
        const N: usize = 20_000;
        let table: Items = GcArray::new(N, None);
        let mut random = 1u64;
        for round in 0..1_500_000u64 {
            random = random
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            let slot = (random >> 33) as usize % N;
            if let Some(old) = table[slot].get() {
                assert_eq!(old.id as usize % N, slot);
                if let Some(items) = old.items.get() {
                    assert_eq!(items.len(), slot % 50);
                    assert!(items.as_slice().iter().all(|i| i.get() == old.left.get()));
                }
            }
            let new = node((round as usize * N + slot) as i64);
            let other = table[(slot * 7) % N].get();
            if let Some(other) = other {
                other.left.set(None);
                if let Some(items) = other.items.get() {
                    items.as_slice().iter().for_each(|i| i.set(None));
                }
            }
            if round % 3 == 0 {
                new.items.set(Some(GcArray::new(slot % 50, None)));
            }
            table[slot].set(Some(new));
        }
        let stats = ctx(|c| c.heap_stats());
        assert!(
            stats.young_collections > 20 && stats.collections > 5,
            "{stats:?}"
        );
    });
}
