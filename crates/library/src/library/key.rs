//! What can be a key of a map. In: two values. Out: whether they are the same key, and a number that is equal if they are.
//! Invariant: no macro writes the implementations, so that the translator reads them.

use verdigris::rt::GcClass;
use verdigris::{Gc, Stored};

/// A key of a [`super::Map`].
///
/// Keys that are the `same` have the same `hash`, and a key is the same as itself, always: what they depend on must not
/// change while the key is in a map. Neither may change the map. Maps spread the hashes themselves, so an integer can be
/// its own hash.
///
/// For a class of your own implement [`KeyObject`], for a `#[value]` type this trait:
///
/// ```
/// # use verdigris::{HeapOptions, prelude::*};
/// #[value]
/// #[derive(Clone, Copy)]
/// enum Value {
///     Int(i64),
///     Text(Gc<Str>),
/// }
///
/// impl Key for Value {
///     fn hash(self) -> u64 {
///         match self {
///             Value::Int(n) => n.hash(),
///             Value::Text(text) => text.hash(),
///         }
///     }
///     fn same(self, other: Self) -> bool {
///         match (self, other) {
///             (Value::Int(a), Value::Int(b)) => a == b,
///             (Value::Text(a), Value::Text(b)) => a.same(b),
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
pub trait KeyObject: GcClass {
    /// A number that is equal for the same keys.
    fn key_hash(&self) -> u64;
    /// Whether both are the same key.
    fn key_same(&self, other: Gc<Self>) -> bool;
}

impl<T: KeyObject> Key for Gc<T> {
    fn hash(self) -> u64 {
        self.key_hash()
    }
    fn same(self, other: Self) -> bool {
        Gc::ptr_eq(self, other) || self.key_same(other)
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
