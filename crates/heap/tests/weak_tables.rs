//! Tables with weak entries: by their values, by their keys, by both; with and without stress mode.

use verdigris_heap::*;

/// An object.
struct Thing {
    id: i64,
    other: Cell<Option<Gc<Thing>>>,
    table: Cell<Option<Gc<Table>>>,
}
gc_class! { Thing { id: i64, other: Cell<Option<Gc<Thing>>>, table: Cell<Option<Gc<Table>>> } }

/// A text, which is a value for its guest.
struct Text {
    id: i64,
}
gc_class! { Text { id: i64 } }

#[derive(Clone, Copy, PartialEq, Debug)]
enum Value {
    Nil,
    Int(i64),
    Thing(Gc<Thing>),
    Text(Gc<Text>),
}
gc_value! { Value, true {
    0 => (Value::Nil) {}
    1 => (Value::Int(a)) { a: i64 }
    2 => (Value::Thing(a)) { a: Gc<Thing> }
    3 => (Value::Text(a)) { a: Gc<Text> }
} }

struct InKeys;

/// A list of pairs.
struct Table {
    /// 0: keys and values are kept; 1: values are weak; 2: keys; 3: both; 4: values without keys.
    mode: i64,
    keys: Cell<GcArray<Cell<Value>, InKeys>>,
    values: Cell<GcArray<Cell<Value>>>,
    removals: Cell<i64>,
}
gc_class! { Table {
    mode: i64,
    keys: Cell<GcArray<Cell<Value>, InKeys>>,
    values: Cell<GcArray<Cell<Value>>>,
    removals: Cell<i64>,
} }

impl HasWeakEntries for Table {
    type Item = Value;
    fn weak_entries(table: Gc<Table>, entries: &mut WeakEntries<Value>) {
        let (keys, values) = (table.keys.get(), table.values.get());
        match table.mode {
            1 => entries.add_pairs(keys, values, Weakness::Values),
            2 => entries.add_pairs(keys, values, Weakness::Keys),
            3 => entries.add_pairs(keys, values, Weakness::Both),
            4 => entries.add_values(values),
            _ => {}
        }
    }
    fn is_object(item: Value) -> bool {
        matches!(item, Value::Thing(_))
    }
    fn nothing() -> Value {
        Value::Nil
    }
    fn removed(table: Gc<Table>) {
        table.removals.set(table.removals.get() + 1);
    }
}

fn thing(id: i64) -> Gc<Thing> {
    Gc::new(Thing {
        id,
        other: Cell::new(None),
        table: Cell::new(None),
    })
}

fn a_thing(id: i64) -> Value {
    Value::Thing(thing(id))
}

fn a_text(id: i64) -> Value {
    Value::Text(Gc::new(Text { id }))
}

/// A table with room for so many pairs.
fn table(tables: &WeakTables<Table>, mode: i64, room: usize) -> Gc<Table> {
    let keys = GcArray::new(room, Value::Nil);
    let values = GcArray::new(room, Value::Nil);
    let table = Gc::new(Table {
        mode,
        keys: Cell::new(keys),
        values: Cell::new(values),
        removals: Cell::new(0),
    });
    tables.add(table);
    table
}

impl Table {
    fn set(&self, at: usize, key: Value, value: Value) {
        self.keys.get()[at].set(key);
        self.values.get()[at].set(value);
    }

    /// Its entries: `-` is nothing, `n` a number, `o` an object, `t` a text.
    fn show(&self) -> String {
        let show = |item: Value| match item {
            Value::Nil => "-".to_string(),
            Value::Int(n) => n.to_string(),
            Value::Thing(thing) => format!("o{}", thing.id),
            Value::Text(text) => format!("t{}", text.id),
        };
        let pairs = (0..self.keys.get().len()).map(|n| {
            let (key, value) = (self.keys.get()[n].get(), self.values.get()[n].get());
            format!("{}={}", show(key), show(value))
        });
        pairs.collect::<Vec<_>>().join(" ")
    }
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
    collect_garbage(CollectScope::All);
}

/// Calls `f` in a frame of its own, so that what it held is gone afterwards.
#[inline(never)]
fn apart<R>(f: impl FnOnce() -> R) -> R {
    f()
}

#[test]
fn values_go_with_their_objects_and_keys_stay() {
    both(|| {
        let tables = WeakTables::new();
        let kept = Root::new(apart(|| thing(7)));
        let weak = Root::new(apart(|| {
            let weak = table(&tables, 1, 5);
            weak.set(0, Value::Int(1), a_thing(1));
            weak.set(1, Value::Int(2), Value::Thing(kept.get()));
            weak.set(2, a_thing(3), a_text(3));
            weak.set(3, a_text(4), a_thing(4));
            weak.set(4, a_thing(5), Value::Int(5));
            weak
        }));
        collect();
        assert_eq!(weak.get().show(), "1=- 2=o7 o3=t3 t4=- o5=5");
        assert_eq!(weak.get().removals.get(), 1);
        collect();
        assert_eq!(weak.get().removals.get(), 1, "nothing more has died");
        drop(kept);
        collect();
        assert_eq!(weak.get().show(), "1=- 2=- o3=t3 t4=- o5=5");
    });
}

#[test]
fn entries_go_with_the_objects_of_their_keys() {
    both(|| {
        let tables = WeakTables::new();
        let kept = Root::new(apart(|| thing(7)));
        let weak = Root::new(apart(|| {
            let weak = table(&tables, 2, 5);
            weak.set(0, a_thing(1), a_thing(2));
            weak.set(1, Value::Thing(kept.get()), a_thing(3));
            weak.set(2, a_text(4), a_thing(4));
            weak.set(3, Value::Int(5), a_text(5));
            weak.set(4, a_thing(6), Value::Int(6));
            weak
        }));
        collect();
        assert_eq!(weak.get().show(), "-=- o7=o3 t4=o4 5=t5 -=-");
        drop(kept);
        collect();
        assert_eq!(weak.get().show(), "-=- -=- t4=o4 5=t5 -=-");
    });
}

#[test]
fn entries_go_with_either_object() {
    both(|| {
        let tables = WeakTables::new();
        let kept = Root::new(apart(|| thing(7)));
        let weak = Root::new(apart(|| {
            let weak = table(&tables, 3, 4);
            weak.set(0, a_thing(1), Value::Thing(kept.get()));
            weak.set(1, Value::Thing(kept.get()), a_thing(2));
            weak.set(2, Value::Thing(kept.get()), a_text(3));
            weak.set(3, a_text(4), Value::Thing(kept.get()));
            weak
        }));
        collect();
        assert_eq!(weak.get().show(), "-=- o7=- o7=t3 t4=o7");
        let lists = Root::new(apart(|| {
            let list = table(&tables, 4, 2);
            list.set(0, a_thing(1), a_thing(1));
            list.set(1, a_thing(2), a_text(2));
            list
        }));
        collect();
        assert_eq!(lists.get().show(), "o1=- o2=t2");
    });
}

#[test]
fn a_value_that_refers_to_its_own_key_does_not_keep_it() {
    both(|| {
        let tables = WeakTables::new();
        let kept = Root::new(apart(|| thing(0)));
        // A chain in each direction, through two tables: each value is the key of the next entry.
        let (first, second) = (
            Root::new(apart(|| table(&tables, 2, 40))),
            Root::new(apart(|| table(&tables, 2, 40))),
        );
        apart(|| {
            let lonely = thing(100);
            lonely.other.set(Some(lonely));
            first
                .get()
                .set(0, Value::Thing(lonely), Value::Thing(lonely));
            let mut key = kept.get();
            for n in 1..30 {
                let value = thing(n as i64);
                first.get().set(n, Value::Thing(key), Value::Thing(value));
                let next = thing(1000 + n as i64);
                second
                    .get()
                    .set(39 - n, Value::Thing(value), Value::Thing(next));
                key = next;
            }
        });
        collect();
        assert!(first.get().show().starts_with("-=- o0=o1 o1001=o2 "));
        assert!(first.get().show().contains("o1028=o29"));
        assert!(second.get().show().contains("o29=o1029"));
        drop(kept);
        collect();
        assert_eq!(first.get().show(), ["-=-"; 40].join(" "));
        assert_eq!(second.get().show(), ["-=-"; 40].join(" "));
    });
}

#[test]
fn what_waits_for_its_finalizer_is_gone_as_a_value_and_there_as_a_key() {
    both(|| {
        let tables = WeakTables::new();
        let queue = FinalQueue::last_first();
        let (values, keys) = (
            Root::new(apart(|| table(&tables, 1, 3))),
            Root::new(apart(|| table(&tables, 2, 3))),
        );
        apart(|| {
            for n in 0..3 {
                let thing = thing(n as i64);
                queue.watch(thing);
                values.get().set(n, Value::Int(0), Value::Thing(thing));
                keys.get().set(n, Value::Thing(thing), a_text(n as i64));
            }
        });
        collect();
        assert_eq!(values.get().show(), "0=- 0=- 0=-");
        assert_eq!(keys.get().show(), "o0=t0 o1=t1 o2=t2");
        let ids: Vec<i64> = apart(|| std::iter::from_fn(|| queue.next()).map(|t| t.id).collect());
        assert_eq!(ids, [2, 1, 0]);
        collect();
        assert_eq!(keys.get().show(), "-=- -=- -=-");
    });
}

#[test]
fn a_table_that_is_brought_back_has_lost_its_dead_values() {
    both(|| {
        let tables = WeakTables::new();
        let queue = FinalQueue::new();
        apart(|| {
            let owner = thing(1);
            let weak = table(&tables, 1, 2);
            weak.set(0, Value::Int(1), a_thing(2));
            weak.set(1, Value::Int(2), Value::Thing(owner));
            owner.table.set(Some(weak));
            queue.watch(owner);
        });
        collect();
        let owner = queue.next().expect("it has died");
        let weak = owner.table.get().expect("it was there");
        assert_eq!(weak.show(), "1=- 2=o1");
    });
}

#[test]
fn arrays_that_are_in_use_without_their_table_are_ordinary_ones() {
    both(|| {
        let tables = WeakTables::new();
        let values = Root::new(apart(|| {
            let weak = table(&tables, 1, 1);
            weak.set(0, Value::Int(1), a_thing(2));
            weak.values.get()
        }));
        collect();
        collect();
        match values.get()[0].get() {
            Value::Thing(thing) => assert_eq!(thing.id, 2),
            other => panic!("{other:?}"),
        }
    });
}

#[test]
fn large_and_old_tables_and_dead_ones() {
    both(|| {
        let tables = WeakTables::new();
        let weak = Root::new(apart(|| table(&tables, 2, 3000)));
        collect();
        apart(|| {
            weak.get().set(0, a_thing(1), a_thing(1));
            weak.get().set(2999, a_thing(2), a_thing(2));
            let dead = table(&tables, 2, 3000);
            dead.set(5, a_thing(3), a_thing(3));
        });
        collect_garbage(CollectScope::Young);
        let first = |key: Value| matches!(key, Value::Thing(_));
        assert!(apart(|| first(weak.get().keys.get()[0].get())));
        collect();
        assert!(weak.get().show().chars().all(|c| "-= ".contains(c)));
        drop(weak);
        collect();
        collect();
    });
}

#[test]
fn only_collections_that_are_asked_for_remove_anything() {
    let mut ctx = Context::new(HeapOptions::default());
    let test = || {
        let tables = WeakTables::new();
        let kept: RootVec<GcArray<i64>> = RootVec::new();
        let weak = Root::new(apart(|| {
            let weak = table(&tables, 1, 1);
            weak.set(0, Value::Int(1), a_thing(2));
            weak
        }));
        while !tables.is_due() {
            kept.push(GcArray::new(10_000, 1));
        }
        for _ in 0..2000 {
            kept.push(GcArray::new(10_000, 1));
        }
        assert_eq!(weak.get().show(), "1=o2");
        assert!(tables.is_due(), "it has not been asked");
        collect();
        assert!(!tables.is_due());
        assert_eq!(weak.get().show(), "1=-");
    };
    // SAFETY: the context outlives the call.
    unsafe { Context::enter(&mut *ctx, test) };
    let stats = ctx.heap_stats();
    assert!(
        stats.collections >= 2,
        "everything was collected, too: {stats:?}"
    );
}

#[test]
fn at_the_end_all_that_is_watched_is_queued() {
    both(|| {
        let (first, last) = (FinalQueue::new(), FinalQueue::last_first());
        let kept: RootVec<Gc<Thing>> = apart(|| [1, 2].into_iter().map(thing).collect());
        for queue in [&first, &last] {
            kept.iter().for_each(|thing| queue.watch(thing));
        }
        first.end();
        last.end();
        let ids = |queue: &FinalQueue<Gc<Thing>>| -> Vec<i64> {
            std::iter::from_fn(|| queue.next()).map(|t| t.id).collect()
        };
        assert_eq!((ids(&first), ids(&last)), (vec![1, 2], vec![2, 1]));
        collect();
        assert_eq!((first.ready(), last.ready()), (0, 0));
    });
}
