//! Text in the making. The first `len` bytes of the array have been appended, in order.

use super::bytes::Bytes;
use super::text::Str;
use verdigris::rt::Slot;
use verdigris::{Cell, Gc, GcArray, gc, is_constant, is_virtual, opaque, unroll_safe};

/// The tag of the arrays that builders fill.
pub struct BuilderBytes;

/// A string that grows.
///
/// Appending takes amortised time in proportion to what is appended. Numbers are written as Rust's
/// `Display` does.
///
/// ```
/// # use verdigris::{HeapOptions, Str, StrBuilder, prelude::*};
/// # verdigris::rt::with_heap(HeapOptions::default(), || {
/// let builder = StrBuilder::new();
/// builder.push_str(Str::new("x = "));
/// builder.push_int(-3);
/// builder.push_char(';');
/// builder.push_float(0.5);
/// assert_eq!(builder.finish().as_str(), "x = -3;0.5");
/// # });
/// ```
#[gc]
pub struct StrBuilder {
    len: Cell<usize>,
    bytes: Cell<GcArray<Slot<u8>, BuilderBytes>>,
}

/// The room of a new builder.
const FIRST_CAPACITY: usize = 16;

impl StrBuilder {
    /// An empty string.
    ///
    /// # Panics
    /// At the heap limit, as everything that appends.
    #[allow(clippy::new_ret_no_self)]
    pub fn new() -> Gc<StrBuilder> {
        Gc::new(StrBuilder {
            len: Cell::new(0),
            bytes: Cell::new(GcArray::vacant(FIRST_CAPACITY)),
        })
    }

    /// The number of bytes.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len.get()
    }

    /// Whether there are none.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.len.get() == 0
    }

    /// Appends a byte. The string can be finished as [`Str`] if all its bytes together are UTF-8.
    #[inline]
    pub fn push_byte(&self, byte: u8) {
        let len = self.len.get();
        if len >= self.bytes.get().len() {
            self.grow();
        }
        self.bytes.get()[len].set(byte);
        self.len.set(len + 1);
    }

    /// Appends a character.
    #[inline]
    pub fn push_char(&self, c: char) {
        if (c as u32) < 128 {
            self.push_byte(c as u8);
        } else {
            self.push_wide(c);
        }
    }

    /// Appends a string.
    #[opaque]
    pub fn push_str(&self, text: Gc<Str>) {
        for n in 0..text.len() {
            self.push_byte(text.byte_at(n));
        }
    }

    /// Appends a string of bytes.
    #[opaque]
    pub fn push_bytes(&self, bytes: Gc<Bytes>) {
        for n in 0..bytes.len() {
            self.push_byte(bytes.at(n));
        }
    }

    /// Appends an integer in decimal.
    #[opaque]
    pub fn push_int(&self, number: i64) {
        self.push_text(&number.to_string());
    }

    /// Appends a float, with as many digits as are needed to read it back.
    #[opaque]
    pub fn push_float(&self, number: f64) {
        self.push_text(&number.to_string());
    }

    /// Appends text; for native code only; in traced code call `push_str` with a `Gc<Str>`, or
    /// `push_byte` for each byte.
    pub fn push_text(&self, text: &str) {
        for byte in text.bytes() {
            self.push_byte(byte);
        }
    }

    /// Removes everything behind the first `len` bytes, in constant time; does nothing if there are
    /// not more.
    pub fn truncate(&self, len: usize) {
        if len < self.len.get() {
            self.len.set(len);
        }
    }

    /// The string so far, which is copied: the builder can go on.
    ///
    /// # Panics
    /// If the bytes are not UTF-8.
    #[opaque]
    pub fn finish(&self) -> Gc<Str> {
        match std::str::from_utf8(&self.copied()) {
            Ok(text) => Str::new(text),
            Err(error) => panic!("a finished string must be UTF-8: {error}"),
        }
    }

    /// The bytes so far.
    #[opaque]
    pub fn finish_bytes(&self) -> Gc<Bytes> {
        Bytes::new(&self.copied())
    }

    fn copied(&self) -> Vec<u8> {
        let bytes = self.bytes.get();
        let mut copied = Vec::with_capacity(self.len.get());
        for n in 0..self.len.get() {
            let byte = bytes[n].get();
            copied.push(byte);
        }
        copied
    }

    #[doc(hidden)]
    #[opaque]
    pub fn push_wide(&self, c: char) {
        self.push_text(c.encode_utf8(&mut [0; 4]));
    }

    /// Makes room for a byte. Nothing is called for a builder that compiled code does not have to
    /// make.
    fn grow(&self) {
        if is_virtual(self) && is_constant(self.bytes.get().len()) {
            self.grow_inside();
        } else {
            self.grow_outside();
        }
    }

    #[unroll_safe]
    fn grow_inside(&self) {
        let (from, len) = (self.bytes.get(), self.len.get());
        let to: GcArray<Slot<u8>, BuilderBytes> = GcArray::vacant(len * 2);
        for n in 0..len {
            to[n].set(from[n].get());
        }
        self.bytes.set(to);
    }

    #[doc(hidden)]
    #[opaque]
    pub fn grow_outside(&self) {
        self.grow_inside();
    }
}
