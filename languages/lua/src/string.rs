//! Strings of the language: bytes. In: bytes. Out: [`LuaStr`]. Invariant: the hash is made when it
//! is first asked for, so that building long strings costs no more than copying them; equal strings
//! have equal hashes.

use verdigris::prelude::*;

/// The tag of the arrays that hold the bytes of strings.
pub struct InString;

/// A string.
#[gc]
pub struct LuaStr {
    /// Its bytes.
    pub bytes: GcArray<u8, InString>,
    /// Their hash; 0 if it is not known yet.
    pub known_hash: Cell<u64>,
}

impl LuaStr {
    /// A string of these bytes.
    #[allow(clippy::new_ret_no_self)]
    pub fn new(bytes: &[u8]) -> Gc<LuaStr> {
        Gc::new(LuaStr {
            bytes: GcArray::from_slice(bytes),
            known_hash: Cell::new(0),
        })
    }

    /// The bytes, for native code.
    pub fn as_bytes(&self) -> &[u8] {
        self.bytes.as_slice()
    }

    /// The bytes as text, for messages.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(self.as_bytes()).into_owned()
    }

    /// How many bytes there are.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Whether there are none.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }
}

/// The hash of a string, for native code.
#[inline(always)]
pub fn hash(string: Gc<LuaStr>) -> u64 {
    let known = string.known_hash.get();
    if known != 0 {
        known
    } else {
        compute_hash(string)
    }
}

/// Elidable: the program cannot notice that it keeps the result.
#[elidable]
#[cold]
#[inline(never)]
fn compute_hash(string: Gc<LuaStr>) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325 ^ string.len() as u64;
    let mut chunks = string.as_bytes().chunks_exact(8);
    for chunk in &mut chunks {
        let word = u64::from_le_bytes(chunk.try_into().expect("it has eight bytes"));
        hash = mix(hash ^ word);
    }
    for &byte in chunks.remainder() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    // The lowest bits say where a table looks first, so none of them is spent on not being 0.
    let made = match mix(hash) {
        0 => 1,
        other => other,
    };
    string.known_hash.set(made);
    made
}

fn mix(word: u64) -> u64 {
    let product = word.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    product ^ (product >> 29)
}

/// Whether two strings have the same bytes.
#[inline(always)]
pub fn same(a: Gc<LuaStr>, b: Gc<LuaStr>) -> bool {
    if Gc::ptr_eq(a, b) {
        true
    } else if a.len() != b.len() {
        false
    } else if a.len() == 1 {
        a.bytes[0] == b.bytes[0]
    } else {
        same_bytes(a, b)
    }
}

/// The same, as a call: for where it is rare that addresses differ.
#[inline(never)]
pub fn same_outside(a: Gc<LuaStr>, b: Gc<LuaStr>) -> bool {
    same(a, b)
}

/// Whether two strings of one length have the same bytes.
#[elidable]
pub fn same_bytes(a: Gc<LuaStr>, b: Gc<LuaStr>) -> bool {
    let (x, y) = (a.as_bytes(), b.as_bytes());
    // Names are short, and a call for few bytes costs more than they do.
    match x.len() {
        4..8 => x.first_chunk::<4>() == y.first_chunk() && x.last_chunk::<4>() == y.last_chunk(),
        8..=16 => x.first_chunk::<8>() == y.first_chunk() && x.last_chunk::<8>() == y.last_chunk(),
        _ => x == y,
    }
}

/// -1, 0 or 1: the order of two strings, by their bytes.
#[elidable]
pub fn compare(a: Gc<LuaStr>, b: Gc<LuaStr>) -> i64 {
    a.as_bytes().cmp(b.as_bytes()) as i64
}

impl LuaStr {
    /// Two strings behind each other, for native code.
    pub fn joined(a: &[u8], b: &[u8]) -> Gc<LuaStr> {
        Gc::new(LuaStr {
            bytes: GcArray::concat(&[a, b]),
            known_hash: Cell::new(0),
        })
    }
}
