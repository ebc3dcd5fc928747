//! Identity hashes. In: objects of all kinds. Out: numbers that stay, differ, and are mixed well;
//! keyed ones that are SipHash.

#![forbid(unsafe_code)]

use std::collections::HashSet;
use std::hash::Hasher;
use verdigris::{library::prelude::*, prelude::*};
use verdigris_heap::{HeapOptions, Stress, with_heap};

#[gc]
struct Point {
    x: Cell<i64>,
}

#[gc]
struct Other {}

#[object(Thing)]
enum ThingKind {
    Point(Gc<Point>),
    Other(Gc<Other>),
}

/// An object is the key, whatever class it has.
impl Key for Thing {
    fn hash(self) -> u64 {
        identity_hash(self)
    }
    fn same(self, other: Self) -> bool {
        self == other
    }
}

impl KeyObject for Point {}

/// An array that is a key by identity.
#[value]
#[derive(Clone, Copy)]
struct Items(GcArray<i64>);

impl Key for Items {
    fn hash(self) -> u64 {
        identity_hash(self.0)
    }
    fn same(self, other: Self) -> bool {
        self.0 == other.0
    }
}

fn point(x: i64) -> Gc<Point> {
    Gc::new(Point { x: Cell::new(x) })
}

#[test]
fn all_references_to_an_object_have_its_hash() {
    for stress in Stress::KINDS {
        let options = HeapOptions {
            stress,
            ..HeapOptions::default()
        };
        with_heap(options, || {
            let point = point(1);
            let array = GcArray::<i64>::new(3, 0);
            let (hash, of_array) = (identity_hash(point), identity_hash(array));
            // Neither changes nor collections change it.
            point.x.set(2);
            let others: Vec<_> = (0..100).map(|n| Root::new(self::point(n))).collect();
            assert_eq!(identity_hash(point), hash);
            assert_eq!(identity_hash(Thing::from(point)), hash);
            assert_eq!(identity_hash(array), of_array);
            let all: HashSet<u64> = others.iter().map(|p| identity_hash(p.get())).collect();
            assert_eq!(all.len(), 100);
            assert!(!all.contains(&hash) && !all.contains(&of_array) && hash != of_array);
        });
    }
}

/// Of objects that lie side by side, each bit of the hash is set about as often as not.
#[test]
fn every_bit_is_mixed() {
    with_heap(HeapOptions::default(), || {
        let points: Vec<_> = (0..4096).map(|n| Root::new(point(n))).collect();
        for bit in 0..64 {
            let set = |p: &&Root<Gc<Point>>| identity_hash(p.get()) >> bit & 1 == 1;
            let count = points.iter().filter(set).count();
            // Nine times the standard deviation, which is 32.
            assert!((1760..2336).contains(&count), "bit {bit}: {count}");
        }
    });
}

#[test]
fn objects_are_keys() {
    with_heap(HeapOptions::default(), || {
        let (points, things, arrays) = (Map::new(), Map::new(), Map::new());
        let made: Vec<_> = (0..100).map(|n| Root::new(point(n % 3))).collect();
        for (n, point) in made.iter().enumerate() {
            points.insert(point.get(), n);
            things.insert(Thing::from(point.get()), n);
            arrays.insert(Items(GcArray::new(1, 0)), n);
        }
        for (n, point) in made.iter().enumerate() {
            assert_eq!(points.get(point.get()), Some(n));
            assert_eq!(things.get(point.get().into()), Some(n));
        }
        assert_eq!((points.len(), things.len(), arrays.len()), (100, 100, 100));
        assert_eq!(points.get(point(1)), None);
        assert_eq!(things.get(Gc::new(Other {}).into()), None);
        let tables = Map::new();
        tables.insert(points, 1);
        assert_eq!(
            (tables.get(points), tables.get(Map::new())),
            (Some(1), None)
        );
    });
}

/// The standard library has the same function for keys that are known.
#[test]
#[allow(deprecated)]
fn secret_hashes_are_siphash() {
    with_heap(HeapOptions::default(), || {
        let known = HashSecret::of(0x0706050403020100, 0x0F0E0D0C0B0A0908);
        assert_eq!(known.hash(0x0706050403020100), 0x93F5F5799A932462);
        let mut word = 1u64;
        for _ in 0..1000 {
            let keys = (word.rotate_left(17), !word.rotate_left(40));
            word = word.wrapping_mul(0x9E3779B97F4A7C15).wrapping_add(keys.0);
            let mut hasher = std::hash::SipHasher::new_with_keys(keys.0, keys.1);
            hasher.write_u64(word);
            assert_eq!(HashSecret::of(keys.0, keys.1).hash(word), hasher.finish());
        }
    });
}

#[test]
fn secrets_differ() {
    with_heap(HeapOptions::default(), || {
        let point = point(1);
        let (a, b) = (HashSecret::random(), HashSecret::random());
        assert_eq!(a.identity_hash(point), a.identity_hash(point));
        assert_eq!(a.identity_hash(Thing::from(point)), a.identity_hash(point));
        assert_ne!(a.identity_hash(point), b.identity_hash(point));
    });
}
