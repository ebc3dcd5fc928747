//! Immutable strings of bytes. The hash is computed when the object is made, so that equal strings
//! have equal hashes and loads of it fold.

use super::key::KeyObject;
use super::order::Order;
use verdigris::{Gc, GcArray, elidable, gc, opaque, promote, unroll_safe};

/// The tag of the arrays that hold the bytes of strings.
pub struct Text;

/// An immutable string of bytes on the heap.
///
/// `==` on `Gc<Bytes>` asks whether both are one object; [`Bytes::same`] compares what is in them,
/// which takes time in proportion to the length only if they are equal. Operations that make
/// strings take time and memory in proportion to the result.
///
/// ```
/// # use verdigris::{Bytes, HeapOptions, prelude::*};
/// # verdigris::rt::with_heap(HeapOptions::default(), || {
/// let line = Bytes::new(b"key=value");
/// let at = line.find(Bytes::new(b"="), 0).unwrap();
/// assert!(line.slice(0, at).same(Bytes::new(b"key")));
/// assert_eq!(line.at(at), b'=');
/// # });
/// ```
#[gc]
pub struct Bytes {
    hash: u64,
    data: GcArray<u8, Text>,
}

impl Bytes {
    /// A string of these bytes; for native code only; in traced code use one that was made before
    /// the program ran, or call a function marked `#[opaque]` that makes it.
    ///
    /// # Panics
    /// At the heap limit, as everything that makes a string.
    #[allow(clippy::new_ret_no_self)]
    pub fn new(bytes: &[u8]) -> Gc<Bytes> {
        Gc::new(Bytes {
            hash: hash_of(bytes),
            data: GcArray::from_slice(bytes),
        })
    }

    /// A string with the bytes of another, of which this is the hash.
    pub(super) fn sharing(hash: u64, data: GcArray<u8, Text>) -> Gc<Bytes> {
        Gc::new(Bytes { hash, data })
    }

    /// The bytes; for native code only; in traced code read them with `len()` and `at(n)`, or call
    /// a function marked `#[elidable]` that takes the `Gc<Bytes>`.
    pub fn as_slice(&self) -> &[u8] {
        self.data.as_slice()
    }

    /// Asks the JIT to compile what follows for this bytes, as `promote` does for the object
    /// itself: another object with the same bytes goes on in the same compiled code. Returns an
    /// object with this bytes, in compiled code always the one that it was recorded with.
    ///
    /// Right for a name that is made each time, as when the guest program reads it. Compiled
    /// code compares the hash, and the bytes if it is not the object itself. A
    /// [`Symbol`](super::Symbol) costs less where names are made once.
    ///
    /// ```
    /// # use verdigris::{Bytes, HeapOptions, prelude::*};
    /// # verdigris::rt::with_heap(HeapOptions::default(), || {
    /// let name = Bytes::new(b"add");
    /// assert!(Bytes::promote(name).same(name));
    /// # });
    /// ```
    #[unroll_safe]
    pub fn promote(bytes: Gc<Bytes>) -> Gc<Bytes> {
        // Other hashes are counted by their value, so that none of many gets code.
        promote(bytes.hash);
        loop {
            // Where the comparison fails, compiled code is left, and continued with another
            // constant if that is often so.
            let recorded = Bytes::as_recorded(bytes);
            if bytes.equals(recorded) {
                return recorded;
            }
        }
    }

    /// Its argument. The JIT takes the result for a constant, the object that it has seen: the
    /// caller has to compare the two.
    #[doc(hidden)]
    #[elidable(Self)]
    pub fn as_recorded(bytes: Gc<Bytes>) -> Gc<Bytes> {
        bytes
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
    pub fn at(&self, index: usize) -> u8 {
        self.data[index]
    }

    /// The hash of the bytes; the same in every process.
    #[inline(always)]
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// Whether both have the same bytes.
    #[inline]
    pub fn same(&self, other: Gc<Bytes>) -> bool {
        self.hash == other.hash && self.equals(other)
    }

    #[doc(hidden)]
    #[elidable]
    pub fn equals(&self, other: Gc<Bytes>) -> bool {
        GcArray::ptr_eq(self.data, other.data) || self.data.as_slice() == other.data.as_slice()
    }

    /// -1, 0 or 1: whether this string comes before the other, is the same, or comes behind it.
    #[elidable]
    pub fn compare(&self, other: Gc<Bytes>) -> i64 {
        self.data.as_slice().cmp(other.data.as_slice()) as i64
    }

    /// The bytes of this string and then those of the other.
    #[opaque]
    pub fn concat(&self, other: Gc<Bytes>) -> Gc<Bytes> {
        Bytes::new(&[self.data.as_slice(), other.data.as_slice()].concat())
    }

    /// The bytes from `from` on and before `to`.
    ///
    /// # Panics
    /// As `&slice[from..to]`.
    #[opaque]
    pub fn slice(&self, from: usize, to: usize) -> Gc<Bytes> {
        Bytes::new(&self.data.as_slice()[from..to])
    }

    /// Where the other string first occurs at `from` or behind it. In time in proportion to the
    /// product of both lengths at worst.
    pub fn find(&self, other: Gc<Bytes>, from: usize) -> Option<usize> {
        let at = self.position(other, from);
        if at < 0 { None } else { Some(at as usize) }
    }

    #[doc(hidden)]
    #[elidable]
    pub fn position(&self, other: Gc<Bytes>, from: usize) -> i64 {
        let (here, wanted) = (self.data.as_slice(), other.data.as_slice());
        if from > here.len() {
            return -1;
        }
        if wanted.is_empty() {
            return from as i64;
        }
        let at = here[from..].windows(wanted.len()).position(|w| w == wanted);
        at.map_or(-1, |at| (from + at) as i64)
    }
}

impl KeyObject for Bytes {
    fn key_hash(key: Gc<Bytes>) -> u64 {
        key.hash
    }
    fn key_same(a: Gc<Bytes>, b: Gc<Bytes>) -> bool {
        Bytes::same(&a, b)
    }
}

/// The order of the bytes.
impl Order for Gc<Bytes> {
    fn precedes(self, other: Self) -> bool {
        self.compare(other) < 0
    }
}

/// A hash of bytes, eight at a time.
pub(super) fn hash_of(bytes: &[u8]) -> u64 {
    let mut hash = bytes.len() as u64;
    let mut mix = |word: u64| {
        hash = (hash ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        hash ^= hash >> 29;
    };
    let mut words = bytes.chunks_exact(8);
    for word in &mut words {
        let word: [u8; 8] = word.try_into().expect("chunks have this length");
        mix(u64::from_le_bytes(word));
    }
    let mut rest = 0;
    for &byte in words.remainder() {
        rest = rest << 8 | u64::from(byte);
    }
    mix(rest);
    hash
}
