//! Maps against a model: a vector of entries in the order of insertion. In: random operations. Out:
//! equal contents, results, numbers and order, in an ordinary heap and in one that collects at
//! every allocation. `walks.rs` has walks.

#![forbid(unsafe_code)]

use proptest::prelude::*;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use verdigris::{library::prelude::*, prelude::*};
use verdigris_heap::{HeapExhausted, HeapOptions, Stress, with_heap};

/// A key of the user's own: equal if the names are, with a poor hash.
#[gc]
struct Name {
    letter: i64,
}

impl KeyObject for Name {
    fn key_hash(key: Gc<Name>) -> u64 {
        (key.letter % 2) as u64
    }
    fn key_same(a: Gc<Name>, b: Gc<Name>) -> bool {
        a.letter == b.letter
    }
}

/// How the tests make keys.
trait Make: Key {
    fn make(n: i64) -> Self;
    fn number(self) -> i64;
}

impl Make for i64 {
    fn make(n: i64) -> i64 {
        // Many with the same low bits.
        n << 32
    }
    fn number(self) -> i64 {
        self >> 32
    }
}

impl Make for Gc<Name> {
    fn make(letter: i64) -> Gc<Name> {
        Gc::new(Name { letter })
    }
    fn number(self) -> i64 {
        self.letter
    }
}

/// A value of a dynamic language, whose tables are keys by identity.
#[value]
#[derive(Clone, Copy)]
enum Value {
    Int(i64),
    Text(Gc<Str>),
    Table(Gc<List<i64>>),
}

impl Key for Value {
    fn hash(self) -> u64 {
        match self {
            Value::Int(n) => n.hash(),
            Value::Text(text) => text.hash(),
            Value::Table(table) => identity_hash(table),
        }
    }
    fn same(self, other: Self) -> bool {
        match (self, other) {
            (Value::Int(a), Value::Int(b)) => a == b,
            (Value::Text(a), Value::Text(b)) => a.same(b),
            (Value::Table(a), Value::Table(b)) => a == b,
            _ => false,
        }
    }
}

thread_local! {
    /// The tables that are keys, by their numbers.
    static TABLES: RefCell<Vec<Root<Gc<List<i64>>>>> = const { RefCell::new(Vec::new()) };
}

/// The same table for the same number.
fn table(n: i64) -> Gc<List<i64>> {
    TABLES.with_borrow_mut(|tables| {
        for n in tables.len() as i64..=n {
            tables.push(Root::new(List::filled(1, n)));
        }
        tables[n as usize].get()
    })
}

impl Make for Gc<List<i64>> {
    fn make(n: i64) -> Gc<List<i64>> {
        table(n)
    }
    fn number(self) -> i64 {
        self.at(0)
    }
}

impl Make for Value {
    fn make(n: i64) -> Value {
        match n % 3 {
            0 => Value::Int(n),
            1 => Value::Text(Make::make(n)),
            _ => Value::Table(table(n)),
        }
    }
    fn number(self) -> i64 {
        match self {
            Value::Int(n) => n,
            Value::Text(text) => text.number(),
            Value::Table(table) => table.number(),
        }
    }
}

impl Make for Gc<Str> {
    fn make(n: i64) -> Gc<Str> {
        Str::new(&n.to_string())
    }
    fn number(self) -> i64 {
        self.as_str().parse().expect("a number")
    }
}

#[derive(Clone, Debug)]
enum Act {
    Insert(i64, i64),
    Remove(i64),
    Retire(i64),
    Get(i64),
    GetOrInsert(i64, i64),
    EntryOrInsert(i64, i64),
    /// From this number on.
    From(usize),
    Compact,
    Clear,
}

fn act(keys: i64) -> impl Strategy<Value = Act> {
    prop_oneof![
        8 => (0..keys, any::<i64>()).prop_map(|(k, v)| Act::Insert(k, v)),
        3 => (0..keys).prop_map(Act::Remove),
        3 => (0..keys).prop_map(Act::Retire),
        2 => (0..keys).prop_map(Act::Get),
        2 => (0..keys, any::<i64>()).prop_map(|(k, v)| Act::GetOrInsert(k, v)),
        2 => (0..keys, any::<i64>()).prop_map(|(k, v)| Act::EntryOrInsert(k, v)),
        2 => (0..3 * keys as usize).prop_map(Act::From),
        1 => prop_oneof![8 => Just(Act::Get(0)), 1 => Just(Act::Compact), 1 => Just(Act::Clear)],
    ]
}

/// An entry as it should be; without a value it is retired.
#[derive(Clone, Debug, PartialEq)]
struct Entry {
    key: i64,
    value: Option<i64>,
    number: usize,
}

/// What a map should be, and what it may still know.
#[derive(Default)]
struct Model {
    entries: Vec<Entry>,
    next: usize,
}

impl Model {
    fn find(&mut self, key: i64) -> Option<&mut Entry> {
        self.entries.iter_mut().find(|e| e.key == key)
    }

    fn get(&mut self, key: i64) -> Option<i64> {
        self.find(key)?.value
    }

    fn insert(&mut self, key: i64, value: i64) -> Option<i64> {
        if let Some(entry) = self.find(key) {
            return entry.value.replace(value);
        }
        let number = self.next;
        self.next += 1;
        let value = Some(value);
        self.entries.push(Entry { key, value, number });
        None
    }

    fn remove(&mut self, key: i64) -> Option<i64> {
        let at = self.entries.iter().position(|e| e.key == key)?;
        self.entries[at].value?;
        self.entries.remove(at).value
    }

    fn live(&self) -> Vec<(i64, i64, usize)> {
        let live = |e: &Entry| Some((e.key, e.value?, e.number));
        self.entries.iter().filter_map(live).collect()
    }
}

/// Forgets the retired entries of the model that the map has forgotten. It must have done so for
/// all of them at once, and must not otherwise.
fn forget<K: Make>(model: &mut Model, map: Gc<Map<K, i64>>, must: Option<bool>) {
    let known: Vec<bool> = (model.entries.iter())
        .filter(|e| e.value.is_none())
        .map(|e| match map.entry_or_retired(K::make(e.key)) {
            Some(number) => {
                assert_eq!(number, e.number, "of {e:?}");
                true
            }
            None => false,
        })
        .collect();
    let forgotten = known.first() == Some(&false);
    assert!(known.iter().all(|known| *known != forgotten), "{known:?}");
    assert!(known.is_empty() || must.is_none_or(|must| must == forgotten));
    if forgotten {
        model.entries.retain(|e| e.value.is_some());
    }
}

fn agree<K: Make>(acts: &[Act], stress: Stress) {
    let options = HeapOptions {
        stress,
        ..HeapOptions::default()
    };
    with_heap(options, || {
        let mut model = Model::default();
        let map = Map::<K, i64>::new();
        for act in acts {
            let before = map.len();
            let (wanted, found) = match *act {
                Act::Insert(k, v) => (model.insert(k, v), map.insert(K::make(k), v)),
                Act::Remove(k) => (model.remove(k), map.remove(K::make(k))),
                Act::Retire(k) => {
                    let old = model.find(k).and_then(|e| e.value.take());
                    (old, map.retire(K::make(k)))
                }
                Act::GetOrInsert(k, v) => {
                    let there = model.get(k);
                    if there.is_none() {
                        model.insert(k, v);
                    }
                    (there.or(Some(v)), Some(map.get_or_insert(K::make(k), v)))
                }
                Act::EntryOrInsert(k, v) => {
                    if model.get(k).is_none() {
                        model.insert(k, v);
                    }
                    let number = map.entry_or_insert(K::make(k), v);
                    assert_eq!(model.find(k).map(|e| e.number), Some(number));
                    (model.get(k), Some(map.value_at(number)))
                }
                Act::From(number) => {
                    let wanted = model.live().into_iter().find(|e| e.2 >= number);
                    assert_eq!(wanted.map(|e| e.2), map.entry_from(number), "{act:?}");
                    (None, None)
                }
                Act::Compact => {
                    map.compact();
                    (None, None)
                }
                Act::Get(k) => {
                    assert_eq!(map.contains(K::make(k)), model.get(k).is_some());
                    (model.get(k), map.get(K::make(k)))
                }
                Act::Clear => {
                    model.entries.clear();
                    map.clear();
                    (None, None)
                }
            };
            assert_eq!(wanted, found, "{act:?}");
            // Retired entries are forgotten when one is made that needs room.
            let grown = map.len() > before;
            let must = match act {
                Act::Compact | Act::Clear => Some(true),
                _ if grown => None,
                _ => Some(false),
            };
            forget(&mut model, map, must);
            let live = model.live();
            assert_eq!((map.len(), map.is_empty()), (live.len(), live.is_empty()));
            let entries: Vec<(i64, i64)> = map.iter().map(|(k, v)| (k.number(), v)).collect();
            let wanted: Vec<(i64, i64)> = live.iter().map(|e| (e.0, e.1)).collect();
            assert_eq!(entries, wanted, "after {act:?}");
            // Keys are made for it, so that a heap under stress has much to do.
            for (key, value, number) in live.into_iter().filter(|_| !stress.is_on()) {
                assert_eq!(map.entry_of(K::make(key)), Some(number));
                assert_eq!(map.entry_or_retired(K::make(key)), Some(number));
                assert_eq!(
                    (map.key_at(number).number(), map.value_at(number)),
                    (key, value)
                );
            }
        }
        let keys: Vec<i64> = map.keys().iter().map(K::number).collect();
        let wanted: Vec<i64> = model.live().iter().map(|e| e.0).collect();
        assert_eq!(keys, wanted);
    });
    TABLES.take();
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(16) })]

    #[test]
    fn maps_are_like_their_model(
        few in prop::collection::vec(act(6), 1..60),
        many in prop::collection::vec(act(60), 1..150),
    ) {
        for acts in [&few, &many] {
            for stress in Stress::KINDS {
                agree::<i64>(acts, stress);
                agree::<Gc<Name>>(acts, stress);
                agree::<Gc<Str>>(acts, stress);
                agree::<Gc<List<i64>>>(acts, stress);
                agree::<Value>(acts, stress);
            }
        }
    }
}

#[test]
fn what_a_map_has_lost_is_collected() {
    let limit = HeapOptions {
        limit: 4 << 20,
        ..HeapOptions::default()
    };
    with_heap(limit, || {
        let maps: Vec<_> = (0..8).map(|_| Root::new(Map::new())).collect();
        for map in &maps {
            let map = map.get();
            for key in 0..2000i64 {
                map.insert(key, GcArray::<i64>::new(128, key));
            }
            for key in 0..2000i64 {
                assert_eq!(map.remove(key).expect("was inserted")[0], key);
            }
        }
    });
}

#[test]
fn a_map_ends_at_the_heap_limit() {
    let limit = HeapOptions {
        limit: 2 << 20,
        ..HeapOptions::default()
    };
    let end = catch_unwind(AssertUnwindSafe(|| {
        with_heap(limit, || {
            let map = Map::new();
            for key in 0i64.. {
                map.insert(key, key);
            }
        })
    }));
    assert!(end.unwrap_err().is::<HeapExhausted>());
}

#[test]
fn an_entry_that_is_not_there_panics() {
    let message = catch_unwind(AssertUnwindSafe(|| {
        with_heap(HeapOptions::default(), || {
            let map = Map::new();
            map.insert(1u8, true);
            map.value_at(5)
        })
    }));
    let message = message.unwrap_err().downcast::<String>().expect("a text");
    assert_eq!(*message, "no entry has the number 5");
}

#[test]
fn symbols_are_equal_if_their_texts_are() {
    for stress in Stress::KINDS {
        let options = HeapOptions {
            stress,
            ..HeapOptions::default()
        };
        with_heap(options, || {
            let (names, others) = (Interner::new(), Interner::new());
            let symbols: Vec<_> = (0..40)
                .map(|n| Root::new(names.intern_text(&format!("name{n}"))))
                .collect();
            for (n, symbol) in symbols.iter().enumerate() {
                let again = names.intern(Str::new("name").concat(Str::new(&n.to_string())));
                assert!(again == symbol.get());
                assert_eq!(again.number(), n);
                assert!(others.intern(again.text()) != again);
            }
            assert_eq!((names.len(), others.len()), (40, 40));
            let ages = Map::new();
            ages.insert(symbols[3].get(), 3);
            assert_eq!(ages.get(names.intern_text("name3")), Some(3));
            assert_eq!(ages.get(symbols[4].get()), None);
        });
    }
}
