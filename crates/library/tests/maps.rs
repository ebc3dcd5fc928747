//! Maps against a model: a vector of entries in the order of insertion. In: random operations. Out: equal contents, results and
//! order, in an ordinary heap and in one that collects at every allocation; and walks of maps that change meanwhile.

#![forbid(unsafe_code)]

use proptest::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};
use verdigris::prelude::*;
use verdigris_heap::{HeapExhausted, HeapOptions, with_heap};

/// A key of the user's own: equal if the names are, with a poor hash.
#[gc]
struct Name {
    letter: i64,
}

impl KeyObject for Name {
    fn key_hash(&self) -> u64 {
        (self.letter % 2) as u64
    }
    fn key_same(&self, other: Gc<Name>) -> bool {
        self.letter == other.letter
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
    Get(i64),
    Clear,
}

fn act(keys: i64) -> impl Strategy<Value = Act> {
    prop_oneof![
        8 => (0..keys, any::<i64>()).prop_map(|(k, v)| Act::Insert(k, v)),
        4 => (0..keys).prop_map(Act::Remove),
        2 => (0..keys).prop_map(Act::Get),
        1 => prop_oneof![9 => Just(Act::Get(0)), 1 => Just(Act::Clear)],
    ]
}

/// What a map should be.
#[derive(Default)]
struct Model(Vec<(i64, i64)>);

impl Model {
    fn get(&self, key: i64) -> Option<i64> {
        self.0.iter().find(|e| e.0 == key).map(|e| e.1)
    }

    fn insert(&mut self, key: i64, value: i64) -> Option<i64> {
        match self.0.iter_mut().find(|e| e.0 == key) {
            Some(entry) => Some(std::mem::replace(&mut entry.1, value)),
            None => {
                self.0.push((key, value));
                None
            }
        }
    }

    fn remove(&mut self, key: i64) -> Option<i64> {
        let at = self.0.iter().position(|e| e.0 == key)?;
        Some(self.0.remove(at).1)
    }
}

fn agree<K: Make>(acts: &[Act], stress: bool) {
    let options = HeapOptions {
        stress,
        ..HeapOptions::default()
    };
    with_heap(options, || {
        let mut model = Model::default();
        let map = Map::<K, i64>::new();
        for act in acts {
            let (wanted, found) = match *act {
                Act::Insert(k, v) => (model.insert(k, v), map.insert(K::make(k), v)),
                Act::Remove(k) => (model.remove(k), map.remove(K::make(k))),
                Act::Get(k) => {
                    assert_eq!(map.contains(K::make(k)), model.get(k).is_some());
                    (model.get(k), map.get(K::make(k)))
                }
                Act::Clear => {
                    model.0.clear();
                    map.clear();
                    (None, None)
                }
            };
            assert_eq!(wanted, found, "{act:?}");
            assert_eq!(
                (map.len(), map.is_empty()),
                (model.0.len(), model.0.is_empty())
            );
            let entries: Vec<(i64, i64)> = map.iter().map(|(k, v)| (k.number(), v)).collect();
            assert_eq!(entries, model.0, "after {act:?}");
        }
        let keys: Vec<i64> = map.keys().iter().map(K::number).collect();
        let wanted: Vec<i64> = model.0.iter().map(|e| e.0).collect();
        assert_eq!(keys, wanted);
    });
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(64) })]

    #[test]
    fn maps_are_like_their_model(
        few in prop::collection::vec(act(6), 1..60),
        many in prop::collection::vec(act(60), 1..150),
    ) {
        for acts in [&few, &many] {
            for stress in [false, true] {
                agree::<i64>(acts, stress);
                agree::<Gc<Name>>(acts, stress);
                agree::<Gc<Str>>(acts, stress);
            }
        }
    }

    /// Each step of a walk is followed by changes. An entry that was there from the beginning to its turn is met once, in order;
    /// one that has been removed is not.
    #[test]
    fn walks_bear_changes(
        start in 1i64..40,
        changes in prop::collection::vec((0i64..60, any::<bool>()), 1..120),
    ) {
        with_heap(HeapOptions::default(), || {
            let map = Map::<i64, i64>::new();
            (0..start).for_each(|k| { map.insert(k, k); });
            let mut changes = changes.iter();
            let (mut met, mut removed) = (Vec::new(), Vec::new());
            let mut from = 0;
            while let Some(number) = map.entry_from(from) {
                let key = map.key_at(number);
                assert_eq!(map.get(key), Some(map.value_at(number)));
                map.set_value_at(number, -1);
                assert_eq!(map.get(key), Some(-1));
                assert!(!met.contains(&number), "met twice");
                met.push(number);
                from = number + 1;
                for _ in 0..3 {
                    match changes.next() {
                        Some(&(key, true)) => { map.insert(key, key); }
                        Some(&(key, false)) => removed.extend(map.remove(key).map(|_| key)),
                        None => {}
                    }
                }
            }
            assert!(met.is_sorted());
            // The first numbers are those of the first keys.
            for key in 0..start {
                assert!(met.contains(&(key as usize)) || removed.contains(&key), "missed {key}");
            }
        });
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
    for stress in [false, true] {
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
