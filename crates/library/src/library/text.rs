//! Immutable text. The bytes are UTF-8, since they come from a `&str`; the hash is computed when
//! the object is made.

use super::bytes::{Bytes, Text, hash_of};
use super::key::KeyObject;
use super::order::Order;
use verdigris::{Gc, GcArray, elidable, gc, opaque, promote, unroll_safe};

/// How many bytes a concatenation puts together on the stack, without asking for memory twice.
const SHORT: usize = 128;

/// An immutable string of UTF-8 on the heap.
///
/// Positions and lengths are in bytes, as in Rust. `==` on `Gc<Str>` asks whether both are one
/// object; [`Str::same`] compares the text, which takes time in proportion to the length only if it
/// is equal. Operations that make strings take time and memory in proportion to the result; they
/// are calls in compiled code. So are searches, which fold where the strings are known.
///
/// ```
/// # use verdigris::{HeapOptions, Str, prelude::*};
/// # verdigris::rt::with_heap(HeapOptions::default(), || {
/// let name = Str::new("größe");
/// assert_eq!((name.len(), name.char_count()), (7, 5));
/// assert_eq!(name.char_at(2), 'ö');
/// assert_eq!(name.concat(Str::new("!")).as_str(), "größe!");
/// assert!(name.slice(0, 2).same(Str::new("gr")));
/// # });
/// ```
#[gc]
pub struct Str {
    hash: u64,
    data: GcArray<u8, Text>,
}

impl Str {
    /// A string with this text; for native code only; in traced code use one that was made before
    /// the program ran, or call a function marked `#[opaque]` that makes it.
    ///
    /// # Panics
    /// At the heap limit, as everything that makes a string.
    #[allow(clippy::new_ret_no_self)]
    pub fn new(text: &str) -> Gc<Str> {
        Gc::new(Str {
            hash: hash_of(text.as_bytes()),
            data: GcArray::from_slice(text.as_bytes()),
        })
    }

    /// The text; for native code only; in traced code read it with `len()` and `byte_at(n)`, or
    /// call a function marked `#[elidable]` that takes the `Gc<Str>`. Takes time in proportion to
    /// the length.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(self.data.as_slice()).expect("a string is made of a `&str`")
    }

    /// The bytes of the text; for native code only. In constant time, where
    /// [`as_str`](Str::as_str) looks through all of it.
    pub fn as_bytes(&self) -> &[u8] {
        self.data.as_slice()
    }

    /// A string of bytes that are the text of one or several others.
    fn of_valid(bytes: &[u8]) -> Gc<Str> {
        Gc::new(Str {
            hash: hash_of(bytes),
            data: GcArray::from_slice(bytes),
        })
    }

    /// Asks the JIT to compile what follows for this text, as `promote` does for the object itself:
    /// another object with the same text goes on in the same compiled code. Returns an object with
    /// this text, in compiled code always the one that it was recorded with.
    ///
    /// Right for a name that is made each time, as when the guest program reads it. Compiled
    /// code compares the hash, and the text if it is not the object itself. A
    /// [`Symbol`](super::Symbol) costs less where names are made once.
    ///
    /// ```
    /// # use verdigris::{HeapOptions, Str, prelude::*};
    /// # verdigris::rt::with_heap(HeapOptions::default(), || {
    /// let name = Str::new("add");
    /// assert!(Str::promote(name).same(name));
    /// # });
    /// ```
    #[unroll_safe]
    pub fn promote(text: Gc<Str>) -> Gc<Str> {
        // Other hashes are counted by their value, so that none of many gets code.
        promote(text.hash);
        loop {
            // Where the comparison fails, compiled code is left, and continued with another
            // constant if that is often so.
            let recorded = Str::as_recorded(text);
            if text.equals(recorded) {
                return recorded;
            }
        }
    }

    /// Its argument. The JIT takes the result for a constant, the object that it has seen: the
    /// caller has to compare the two.
    #[doc(hidden)]
    #[elidable(Self)]
    pub fn as_recorded(text: Gc<Str>) -> Gc<Str> {
        text
    }

    /// The number of bytes.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.data.len()
    }

    /// Whether there are none.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.data.is_empty()
    }

    /// The byte at an index.
    ///
    /// # Panics
    /// As an index of a slice.
    #[inline]
    pub fn byte_at(&self, index: usize) -> u8 {
        self.data[index]
    }

    /// The character that begins at an index, in constant time.
    ///
    /// # Panics
    /// If none does.
    #[elidable]
    pub fn char_at(&self, index: usize) -> char {
        let bytes = self.data.as_slice().get(index..).unwrap_or(&[]);
        let len = match bytes.first() {
            Some(0xF0..) => 4,
            Some(0xE0..) => 3,
            Some(0xC0..) => 2,
            _ => 1,
        };
        let first = bytes
            .get(..len)
            .and_then(|bytes| std::str::from_utf8(bytes).ok());
        match first.and_then(|text| text.chars().next()) {
            Some(c) => c,
            None => panic!("no character begins at byte {index} of {:?}", self.as_str()),
        }
    }

    /// The number of characters, in time in proportion to the length.
    #[elidable]
    pub fn char_count(&self) -> usize {
        self.as_str().chars().count()
    }

    /// The hash of the text; the same in every process.
    #[inline(always)]
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// Whether both have the same text.
    #[inline]
    pub fn same(&self, other: Gc<Str>) -> bool {
        self.hash == other.hash && self.equals(other)
    }

    #[doc(hidden)]
    #[elidable]
    pub fn equals(&self, other: Gc<Str>) -> bool {
        GcArray::ptr_eq(self.data, other.data) || self.data.as_slice() == other.data.as_slice()
    }

    /// -1, 0 or 1: whether this string comes before the other by the numbers of its characters, is
    /// the same, or comes behind it.
    #[elidable]
    pub fn compare(&self, other: Gc<Str>) -> i64 {
        self.data.as_slice().cmp(other.data.as_slice()) as i64
    }

    /// This text and then the other.
    #[opaque]
    pub fn concat(&self, other: Gc<Str>) -> Gc<Str> {
        let (a, b) = (self.as_bytes(), other.as_bytes());
        let len = a.len() + b.len();
        let mut short = [0; SHORT];
        if len > SHORT {
            return Str::of_valid(&[a, b].concat());
        }
        short[..a.len()].copy_from_slice(a);
        short[a.len()..len].copy_from_slice(b);
        Str::of_valid(&short[..len])
    }

    /// The text from byte `from` on and before byte `to`.
    ///
    /// # Panics
    /// As `&text[from..to]`, also if a character would be cut.
    #[opaque]
    pub fn slice(&self, from: usize, to: usize) -> Gc<Str> {
        let bytes = self.as_bytes();
        let is_boundary = |at: usize| bytes.get(at).is_none_or(|byte| byte & 0xC0 != 0x80);
        assert!(
            is_boundary(from) && is_boundary(to),
            "a character would be cut at byte {from} or {to}"
        );
        Str::of_valid(&bytes[from..to])
    }

    /// Where the other text first occurs at byte `from` or behind it. In time in proportion to the
    /// length.
    pub fn find(&self, other: Gc<Str>, from: usize) -> Option<usize> {
        let at = self.position(other, from);
        if at < 0 { None } else { Some(at as usize) }
    }

    #[doc(hidden)]
    #[elidable]
    pub fn position(&self, other: Gc<Str>, from: usize) -> i64 {
        // One character's bytes are never found in the middle of another, but `from` may be there.
        let text = self.as_str();
        let start = (from..=text.len()).find(|&at| text.is_char_boundary(at));
        let Some(start) = start else { return -1 };
        match text[start..].find(other.as_str()) {
            Some(at) => (start + at) as i64,
            None => -1,
        }
    }

    /// The bytes of the text, which are not copied: in constant time.
    ///
    /// # Panics
    /// At the heap limit.
    pub fn to_bytes(&self) -> Gc<Bytes> {
        Bytes::sharing(self.hash, self.data)
    }
}

impl KeyObject for Str {
    fn key_hash(key: Gc<Str>) -> u64 {
        key.hash
    }
    fn key_same(a: Gc<Str>, b: Gc<Str>) -> bool {
        Str::same(&a, b)
    }
}

/// The order of the characters' numbers.
impl Order for Gc<Str> {
    fn precedes(self, other: Self) -> bool {
        self.compare(other) < 0
    }
}
