//! Keys of maps: whether two are the same, and hashes. No macro writes the implementations, so that
//! the translator reads them.

use super::identity::identity_hash;
use verdigris::rt::GcClass;
use verdigris::{Gc, Stored};

/// A key of a [`super::Map`].
///
/// Keys that are the `same` have the same `hash`, and a key is the same as itself, always: what
/// they depend on must not change while the key is in a map. Neither may change the map. Maps
/// spread the hashes themselves, so an integer can be its own hash.
///
/// For a class of your own implement [`KeyObject`], for a `#[value]` type or an `#[object]` this
/// trait:
///
/// ```
/// # use verdigris::{HeapOptions, library::prelude::*, prelude::*};
/// #[value]
/// #[derive(Clone, Copy)]
/// enum Value {
///     Int(i64),
///     Text(Gc<Str>),
///     Table(Gc<Map<i64, i64>>),
/// }
///
/// impl Key for Value {
///     fn hash(self) -> u64 {
///         match self {
///             Value::Int(n) => n.hash(),
///             Value::Text(text) => text.hash(),
///             Value::Table(table) => identity_hash(table),
///         }
///     }
///     fn same(self, other: Self) -> bool {
///         match (self, other) {
///             (Value::Int(a), Value::Int(b)) => a == b,
///             (Value::Text(a), Value::Text(b)) => a.same(b),
///             (Value::Table(a), Value::Table(b)) => a == b,
///             _ => false,
///         }
///     }
/// }
/// # verdigris::rt::with_heap(HeapOptions::default(), || {
/// let map = Map::new();
/// map.insert(Value::Int(1), 10);
/// map.insert(Value::Text(Str::new("one")), 20);
/// assert_eq!(map.get(Value::Text(Str::new("one"))), Some(20));
/// # });
/// ```
pub trait Key: Stored {
    /// A number that is equal for the same keys.
    fn hash(self) -> u64;
    /// Whether both are the same key.
    fn same(self, other: Self) -> bool;
}

/// A class whose objects can be keys of a [`super::Map`], as `Gc`; the rules are those of [`Key`].
///
/// By default a key is the object itself, and nothing has to be written but that it may be one. A
/// class whose objects are the same key for what is in them writes both methods:
///
/// ```
/// # use verdigris::{HeapOptions, Key, KeyObject, Map, prelude::*};
/// #[gc]
/// struct Table {
///     len: Cell<i64>,
/// }
///
/// impl KeyObject for Table {}
///
/// #[gc]
/// struct Name {
///     number: i64,
/// }
///
/// impl KeyObject for Name {
///     fn key_hash(key: Gc<Name>) -> u64 {
///         key.number.hash()
///     }
///     fn key_same(a: Gc<Name>, b: Gc<Name>) -> bool {
///         a.number == b.number
///     }
/// }
/// # verdigris::rt::with_heap(HeapOptions::default(), || {
/// let (tables, names) = (Map::new(), Map::new());
/// tables.insert(Gc::new(Table { len: Cell::new(0) }), 1);
/// assert_eq!(tables.get(Gc::new(Table { len: Cell::new(0) })), None);
/// names.insert(Gc::new(Name { number: 7 }), 1);
/// assert_eq!(names.get(Gc::new(Name { number: 7 })), Some(1));
/// # });
/// ```
pub trait KeyObject: GcClass {
    /// A number that is equal for the same keys; by default that of the object's identity.
    fn key_hash(key: Gc<Self>) -> u64 {
        identity_hash(key)
    }
    /// Whether both are the same key, of two different objects; by default they are not.
    fn key_same(_a: Gc<Self>, _b: Gc<Self>) -> bool {
        false
    }
}

impl<T: KeyObject> Key for Gc<T> {
    fn hash(self) -> u64 {
        <T as KeyObject>::key_hash(self)
    }
    fn same(self, other: Self) -> bool {
        Gc::ptr_eq(self, other) || <T as KeyObject>::key_same(self, other)
    }
}

impl Key for i8 {
    fn hash(self) -> u64 {
        self as u64
    }
    fn same(self, other: Self) -> bool {
        self == other
    }
}

impl Key for i16 {
    fn hash(self) -> u64 {
        self as u64
    }
    fn same(self, other: Self) -> bool {
        self == other
    }
}

impl Key for i32 {
    fn hash(self) -> u64 {
        self as u64
    }
    fn same(self, other: Self) -> bool {
        self == other
    }
}

impl Key for i64 {
    fn hash(self) -> u64 {
        self as u64
    }
    fn same(self, other: Self) -> bool {
        self == other
    }
}

impl Key for isize {
    fn hash(self) -> u64 {
        self as u64
    }
    fn same(self, other: Self) -> bool {
        self == other
    }
}

impl Key for u8 {
    fn hash(self) -> u64 {
        self as u64
    }
    fn same(self, other: Self) -> bool {
        self == other
    }
}

impl Key for u16 {
    fn hash(self) -> u64 {
        self as u64
    }
    fn same(self, other: Self) -> bool {
        self == other
    }
}

impl Key for u32 {
    fn hash(self) -> u64 {
        self as u64
    }
    fn same(self, other: Self) -> bool {
        self == other
    }
}

impl Key for u64 {
    fn hash(self) -> u64 {
        self
    }
    fn same(self, other: Self) -> bool {
        self == other
    }
}

impl Key for usize {
    fn hash(self) -> u64 {
        self as u64
    }
    fn same(self, other: Self) -> bool {
        self == other
    }
}

impl Key for bool {
    fn hash(self) -> u64 {
        self as u64
    }
    fn same(self, other: Self) -> bool {
        self == other
    }
}

impl Key for char {
    fn hash(self) -> u64 {
        self as u64
    }
    fn same(self, other: Self) -> bool {
        self == other
    }
}
