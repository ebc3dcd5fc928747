//! Walks of maps that change meanwhile, by entry numbers and by keys. In: random changes between
//! the steps. Out: each entry that was there all the time is met once, in order.

#![forbid(unsafe_code)]

use proptest::prelude::*;
use verdigris::{List, Map, prelude::*};
use verdigris_heap::{HeapOptions, with_heap};

/// What a guest's `next(table, key)` is: the entry behind a key's, or the first one. `Err` if the
/// key is not known.
fn next(map: Gc<Map<i64, i64>>, key: Option<i64>) -> Result<Option<i64>, String> {
    let from = match key {
        None => 0,
        Some(key) => match map.entry_or_retired(key) {
            Some(number) => number + 1,
            None => return Err(format!("{key} is no key")),
        },
    };
    Ok(map.entry_from(from).map(|number| map.key_at(number)))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(128) })]

    /// Each step of a walk is followed by changes. An entry that was there from the beginning to
    /// its turn is met once, in order; one that has been removed is not.
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

    /// As Lua's `next`: any entry may be retired between the steps, and come again, also the one
    /// that the walk is at; no other keys are added.
    #[test]
    fn walks_by_key_bear_retirement(
        start in 1i64..40,
        removed in prop::collection::vec(0i64..40, 0..20),
        changes in prop::collection::vec((0i64..60, any::<bool>()), 0..120),
        grows in any::<bool>(),
    ) {
        with_heap(HeapOptions::default(), || {
            let map = Map::<i64, i64>::new();
            for key in 0..start {
                map.insert(key, key);
            }
            for key in removed {
                map.remove(key);
            }
            if grows {
                // The numbers are not the positions.
                map.compact();
            }
            let keys: Vec<i64> = map.keys().iter().collect();
            let mut changes = changes.iter();
            let (mut met, mut touched) = (Vec::new(), Vec::new());
            let mut key = None;
            while let Some(at) = next(map, key).expect("the key is known") {
                met.push(at);
                key = Some(at);
                for _ in 0..3 {
                    // The last ones are the key that the walk is at.
                    if let Some(&(k, removes)) = changes.next() {
                        let k = if k < 40 { k } else { at };
                        if keys.contains(&k) {
                            touched.push(k);
                            if removes { map.retire(k); } else { map.insert(k, k); }
                        }
                    }
                }
            }
            assert!(met.is_sorted(), "{met:?}");
            for key in keys {
                assert!(met.contains(&key) || touched.contains(&key), "missed {key}");
            }
        });
    }
}

#[test]
fn a_table_is_emptied_by_its_own_walk() {
    with_heap(HeapOptions::default(), || {
        let map = Map::<i64, i64>::new();
        for key in 0..1000 {
            map.insert(key, key);
        }
        let (mut key, mut steps) = (None, 0);
        while let Some(at) = next(map, key).expect("the key is known") {
            assert_eq!(map.retire(at), Some(at));
            assert_eq!(map.retire(at), None);
            (key, steps) = (Some(at), steps + 1);
        }
        assert_eq!((steps, map.len()), (1000, 0));
        assert_eq!(next(map, None), Ok(None));
        assert_eq!(next(map, Some(-1)), Err("-1 is no key".into()));
        // A retired key gets back its place, a removed one does not.
        map.insert(500, 1);
        map.insert(20, 2);
        map.remove(500);
        map.insert(500, 3);
        let keys: Vec<i64> = map.keys().iter().collect();
        assert_eq!(keys, [20, 500]);
        assert_eq!(
            (map.entry_of(20), map.entry_of(500)),
            (Some(20), Some(1000))
        );
        map.compact();
        assert_eq!(next(map, Some(3)), Err("3 is no key".into()));
        assert_eq!(
            (map.entry_of(20), map.entry_of(500)),
            (Some(20), Some(1000))
        );
    });
}

/// Retired entries do not add up: their places are used again.
#[test]
fn retired_keys_are_forgotten_in_time() {
    let limit = HeapOptions {
        limit: 1 << 20,
        ..HeapOptions::default()
    };
    with_heap(limit, || {
        let map = Map::new();
        for turn in 0..4000 {
            let key: Gc<List<i64>> = List::filled(128, turn);
            map.insert(key, turn);
            assert_eq!(map.retire(key), Some(turn));
        }
        assert!(map.is_empty());
    });
}
