//! Identity hashes. Objects do not move, so the number follows from the address alone, as long as
//! the object lives; no object has a field for it, and none is looked at.

use std::hash::{BuildHasher, RandomState};
use verdigris::rt::{GcRef, address_of};
use verdigris::{Gc, elidable, gc, opaque};

/// A number for the identity of an object, for hash tables whose keys are objects.
///
/// `R` is a `Gc`, a `GcArray` or the pointer type of an `#[object]`. The number is the same each
/// time, for all references to the object, as long as the object lives: collections do not move
/// objects. Different objects of one heap that live at the same time have different numbers; when
/// an object has been collected, another one may get its number. In another run of the program it
/// is another number, so nothing that the guest program can observe, such as the order of a walk,
/// should depend on it: a [`Map`](super::Map) keeps the order of insertion.
///
/// All 64 bits are mixed, so a table may use the lowest ones. In constant time: a call in compiled
/// code, made once for an object, not at all for one that the guest program names or that is
/// promoted. An object that compiled code need not make is made for it.
///
/// The address can be computed from it. Where the guest program sees the number and must not learn
/// addresses, use [`HashSecret::identity_hash`].
///
/// ```
/// # use verdigris::{HeapOptions, Str, identity_hash, prelude::*};
/// # verdigris::rt::with_heap(HeapOptions::default(), || {
/// let (a, b) = (Str::new("text"), Str::new("text"));
/// assert_eq!(identity_hash(a), identity_hash(a));
/// assert_ne!(identity_hash(a), identity_hash(b));
/// # });
/// ```
#[inline]
pub fn identity_hash<R: GcRef>(object: R) -> u64 {
    Identity::<R>::hash_of(object)
}

/// Where the function is that compiled code calls, for each type of references.
#[doc(hidden)]
#[gc]
pub struct Identity<R: GcRef> {
    /// Always none; it says what type the function is for.
    none: Option<R>,
}

impl<R: GcRef> Identity<R> {
    #[doc(hidden)]
    #[elidable(Self)]
    pub fn hash_of(object: R) -> u64 {
        mix(address_of(object))
    }
}

/// Lets each bit of a word decide about all bits of the result; different words have different
/// results. Source: the last steps of SplitMix64 (Steele, Lea and Flood, 2014), with the constants
/// of Stafford's variant 13.
fn mix(word: u64) -> u64 {
    let mut hash = word.wrapping_add(0x9E37_79B9_7F4A_7C15);
    hash = (hash ^ (hash >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    hash = (hash ^ (hash >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    hash ^ (hash >> 31)
}

/// Two random words, by which hashes are made that tell nothing of what they were made of: one for
/// a guest program, say.
///
/// Right where the guest program sees hashes of objects, which would tell it addresses, or where it
/// could choose keys that collide.
///
/// ```
/// # use verdigris::{HashSecret, HeapOptions, Str, identity_hash, prelude::*};
/// # verdigris::rt::with_heap(HeapOptions::default(), || {
/// let (secret, name) = (HashSecret::random(), Str::new("name"));
/// assert_eq!(secret.identity_hash(name), secret.identity_hash(name));
/// assert_ne!(secret.identity_hash(name), identity_hash(name));
/// # });
/// ```
#[gc]
pub struct HashSecret {
    first: u64,
    second: u64,
}

impl HashSecret {
    /// A secret of the operating system's random numbers.
    ///
    /// # Panics
    /// At the heap limit; so does [`HashSecret::of`].
    #[opaque(Self)]
    pub fn random() -> Gc<HashSecret> {
        HashSecret::of(
            RandomState::new().hash_one(0u64),
            RandomState::new().hash_one(1u64),
        )
    }

    /// A secret that is known, for runs that can be repeated.
    pub fn of(first: u64, second: u64) -> Gc<HashSecret> {
        Gc::new(HashSecret { first, second })
    }

    /// A number for the identity of an object, as [`identity_hash`], from which the address cannot
    /// be found without the secret. Two objects have the same number with probability 2⁻⁶⁴.
    #[inline]
    pub fn identity_hash<R: GcRef>(&self, object: R) -> u64 {
        self.hash(identity_hash(object))
    }

    /// The hash of a word: SipHash-2-4 of its bytes. In constant time, about as much as four
    /// multiplications per round; a call in compiled code that folds for constants.
    #[elidable]
    pub fn hash(&self, word: u64) -> u64 {
        let mut state = Sip([
            self.first ^ 0x736F_6D65_7073_6575,
            self.second ^ 0x646F_7261_6E64_6F6D,
            self.first ^ 0x6C79_6765_6E65_7261,
            self.second ^ 0x7465_6462_7974_6573,
        ]);
        state.take(word);
        // The last block has the length in its highest byte.
        state.take(8 << 56);
        state.0[2] ^= 0xFF;
        (0..4).for_each(|_| state.round());
        state.0[0] ^ state.0[1] ^ state.0[2] ^ state.0[3]
    }
}

/// The state of SipHash. Source: SipHash: a fast short-input PRF (Aumasson and Bernstein, 2012).
struct Sip([u64; 4]);

impl Sip {
    /// Takes in a block.
    fn take(&mut self, block: u64) {
        self.0[3] ^= block;
        self.round();
        self.round();
        self.0[0] ^= block;
    }

    fn round(&mut self) {
        let [mut a, mut b, mut c, mut d] = self.0;
        a = a.wrapping_add(b);
        b = b.rotate_left(13) ^ a;
        a = a.rotate_left(32);
        c = c.wrapping_add(d);
        d = d.rotate_left(16) ^ c;
        a = a.wrapping_add(d);
        d = d.rotate_left(21) ^ a;
        c = c.wrapping_add(b);
        b = b.rotate_left(17) ^ c;
        c = c.rotate_left(32);
        self.0 = [a, b, c, d];
    }
}
