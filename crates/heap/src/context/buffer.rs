//! Bytes of native code, outside of the heap, that count for its limit.
//!
//! Invariant: room is asked for before memory is, so that a guest program that makes a string too
//! long for its heap, or for the system, ends as one whose heap is used up.

#![allow(unsafe_code)]

use crate::collector::CollectScope;
use crate::context::Context;
use crate::context::payloads::HeapExhausted;
use std::fmt;
use std::io;
use std::ops::{Deref, DerefMut};

/// Buffers up to this capacity are not counted.
const SMALL: usize = 4 << 10;
/// The first capacity of a buffer that is appended to.
const FIRST: usize = 32;

/// A vector of bytes for opaque functions that make a guest program's strings: its memory counts
/// for the heap's limit while it is there.
///
/// What does not fit panics with [`HeapExhausted`], as an allocation on the heap does. Outside of a
/// VM there is no limit but the system's.
///
/// ```
/// # use verdigris_heap::ByteBuffer;
/// let mut text = ByteBuffer::new();
/// text.extend_from_slice(b"ab");
/// text.push(b'c');
/// assert_eq!(&text[..], b"abc");
/// ```
#[derive(Default)]
pub struct ByteBuffer {
    bytes: Vec<u8>,
    /// The part of the capacity that the heap knows about.
    counted: usize,
}

impl ByteBuffer {
    /// An empty buffer without memory.
    pub const fn new() -> ByteBuffer {
        ByteBuffer {
            bytes: Vec::new(),
            counted: 0,
        }
    }

    /// An empty buffer with room for so many bytes.
    ///
    /// # Panics
    /// With [`HeapExhausted`] if there is too little memory, as everything that appends.
    pub fn with_capacity(capacity: usize) -> ByteBuffer {
        let mut buffer = ByteBuffer::new();
        buffer.reserve(capacity);
        buffer
    }

    /// Makes room for so many bytes more.
    ///
    /// # Panics
    /// As [`ByteBuffer::with_capacity`].
    #[inline]
    pub fn reserve(&mut self, more: usize) {
        if self.bytes.capacity() - self.bytes.len() < more {
            self.grow(more);
        }
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, more: usize) {
        let Some(needed) = self.bytes.len().checked_add(more) else {
            HeapExhausted::raise()
        };
        let capacity = self.bytes.capacity();
        // Twice the room if there is as much, else a part: appending must not copy all each time.
        let wanted = [
            capacity.saturating_mul(2).max(FIRST),
            capacity.saturating_add(capacity / 8),
        ];
        if !wanted
            .into_iter()
            .any(|wanted| self.take(needed.max(wanted)))
        {
            HeapExhausted::raise()
        }
    }

    /// Changes the capacity, if there is memory for it.
    fn take(&mut self, capacity: usize) -> bool {
        let counted = if capacity > SMALL { capacity } else { 0 };
        if !count(self.counted, counted) {
            return false;
        }
        let before = std::mem::replace(&mut self.counted, counted);
        let more = capacity - self.bytes.len();
        let is_taken = self.bytes.try_reserve_exact(more).is_ok();
        if !is_taken {
            count(self.counted, before);
            self.counted = before;
        }
        is_taken
    }

    /// Appends a byte.
    ///
    /// # Panics
    /// As [`ByteBuffer::with_capacity`].
    #[inline]
    pub fn push(&mut self, byte: u8) {
        self.reserve(1);
        self.bytes.push(byte);
    }

    /// Appends bytes.
    ///
    /// # Panics
    /// As [`ByteBuffer::with_capacity`].
    #[inline]
    pub fn extend_from_slice(&mut self, bytes: &[u8]) {
        self.reserve(bytes.len());
        self.bytes.extend_from_slice(bytes);
    }

    /// Makes it `len` bytes long: appends this byte, or removes what is behind.
    ///
    /// # Panics
    /// As [`ByteBuffer::with_capacity`].
    pub fn resize(&mut self, len: usize, byte: u8) {
        self.reserve(len.saturating_sub(self.bytes.len()));
        self.bytes.resize(len, byte);
    }

    /// Removes everything behind the first `len` bytes; does nothing if there are not more.
    pub fn truncate(&mut self, len: usize) {
        self.bytes.truncate(len);
    }

    /// Removes all bytes and keeps the memory.
    pub fn clear(&mut self) {
        self.bytes.clear();
    }
}

/// Tells the heap that a buffer has `after` bytes that had `before`. False, and nothing is counted,
/// if its limit does not allow for that, even after a collection.
fn count(before: usize, after: usize) -> bool {
    // SAFETY: the current context is alive.
    let Some(ctx) = (unsafe { Context::current().as_mut() }) else {
        return true;
    };
    if ctx.heap.count_outside(before, after) {
        return true;
    }
    ctx.collect_quietly(CollectScope::All);
    ctx.heap.count_outside(before, after)
}

impl From<&[u8]> for ByteBuffer {
    fn from(bytes: &[u8]) -> ByteBuffer {
        let mut buffer = ByteBuffer::with_capacity(bytes.len());
        buffer.extend_from_slice(bytes);
        buffer
    }
}

impl Drop for ByteBuffer {
    fn drop(&mut self) {
        if self.counted > 0 {
            count(self.counted, 0);
        }
    }
}

impl Deref for ByteBuffer {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        &self.bytes
    }
}

impl DerefMut for ByteBuffer {
    #[inline]
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.bytes
    }
}

impl io::Write for ByteBuffer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Extend<u8> for ByteBuffer {
    fn extend<I: IntoIterator<Item = u8>>(&mut self, bytes: I) {
        bytes.into_iter().for_each(|byte| self.push(byte));
    }
}

impl<'a> Extend<&'a u8> for ByteBuffer {
    fn extend<I: IntoIterator<Item = &'a u8>>(&mut self, bytes: I) {
        bytes.into_iter().for_each(|&byte| self.push(byte));
    }
}

impl fmt::Debug for ByteBuffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.bytes.fmt(f)
    }
}
