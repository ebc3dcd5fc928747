//! What is searched, and searching it. In: texts, programs. Out: matches, and parts of texts.
//! Invariant: a text is looked at as bytes, without being looked through first.

use super::programs;
use crate::heap::exception::Thrown;
use crate::heap::value::{Value, bytes, text};
use crate::heap::world::{classes, type_name};
use crate::plain::fault;
use crate::plain::places::Places;
use crate::plain::regex::program::Program;
use crate::plain::regex::scratch::{OutOfMemory, Scratch};
use crate::plain::regex::search::{self, Wanted};
use crate::run::native::given::Given;
use std::rc::Rc;
use verdigris::memory_is_low;

/// What is searched: bytes, and whether they are a text in which characters have several.
pub(super) struct Subject<'a> {
    pub data: &'a [u8],
    is_text: bool,
    pub is_wide: bool,
}

/// The bytes of a text, which is not looked through for that, or of bytes that may change.
pub(super) fn bytes_of(value: Value) -> Value {
    match value {
        Value::Str(text) => Value::Bytes(text.data.to_bytes()),
        Value::ByteArray(own) => bytes(&crate::plain::bytes::copy(own)),
        other => other,
    }
}

impl<'a> Subject<'a> {
    /// What is searched, and the value that has its bytes.
    fn new(given: Given, value: Value, data: &'a Value, is_text: bool) -> Result<Self, Thrown> {
        let is_wide = match value {
            Value::Str(text) => text.chars != text.data.len(),
            _ => false,
        };
        let Value::Bytes(data) = data else {
            let class = type_name(given.world, value);
            let message = format!("expected string or bytes-like object, got '{class}'");
            return Err(given.type_error(&message));
        };
        let message = match (is_text, matches!(value, Value::Str(_))) {
            (true, false) => "cannot use a string pattern on a bytes-like object",
            (false, true) => "cannot use a bytes pattern on a string-like object",
            _ => {
                return Ok(Subject {
                    data: data.as_slice(),
                    is_text,
                    is_wide,
                });
            }
        };
        Err(given.type_error(message))
    }

    /// A part of it, as a value.
    pub fn part(&self, from: usize, to: usize) -> Value {
        made(&self.data[from..to], self.is_text)
    }
}

/// A text or bytes.
pub(super) fn made(data: &[u8], is_text: bool) -> Value {
    match is_text {
        true => text(&String::from_utf8_lossy(data)),
        false => bytes(data),
    }
}

/// A search, with the scratch of this thread.
pub(super) struct Search<'a> {
    given: Given,
    pub program: Rc<Program>,
    pub subject: Subject<'a>,
    pub scratch: Scratch,
}

impl Drop for Search<'_> {
    fn drop(&mut self) {
        self.scratch.shrink();
        programs::give_scratch(std::mem::take(&mut self.scratch));
    }
}

impl<'a> Search<'a> {
    /// A search for the program that the first argument names, in a value and its bytes.
    pub fn new(given: Given, value: Value, data: &'a Value) -> Result<Search<'a>, Thrown> {
        let program = programs::program(given)?;
        let subject = Subject::new(given, value, data, program.is_text)?;
        let mut scratch = programs::take_scratch();
        scratch.watch(memory_is_low);
        Ok(Search {
            given,
            program,
            subject,
            scratch,
        })
    }

    /// Whether there is a match between two places.
    pub fn find(&mut self, from: usize, to: usize, wanted: Wanted) -> Result<bool, Thrown> {
        let text = &self.subject.data[..to];
        let is_wide = self.subject.is_wide;
        let found = search::find(
            &self.program,
            text,
            from,
            is_wide,
            wanted,
            &mut self.scratch,
        );
        found.map_err(|OutOfMemory| out_of_memory(self.given))
    }

    /// The first match from a place on, and then the next ones.
    pub fn next(
        &mut self,
        from: usize,
        to: usize,
        is_empty: bool,
    ) -> Result<Option<(usize, usize)>, Thrown> {
        let wanted = if is_empty {
            Wanted::Next
        } else {
            Wanted::First
        };
        Ok(match self.find(from, to, wanted)? {
            true => self.scratch.group(0),
            false => None,
        })
    }

    /// What a group has captured, or the empty string.
    pub fn captured(&self, group: usize) -> Value {
        let (from, to) = self.scratch.group(group).unwrap_or((0, 0));
        self.subject.part(from, to)
    }

    /// Places in characters as places in bytes.
    pub fn bounds(&self, n: usize, places: &mut Places) -> Result<Option<(usize, usize)>, Thrown> {
        let place = |n| -> Result<usize, Thrown> {
            let place = self.given.int(self.given.at(n))?;
            Ok(usize::try_from(place).unwrap_or(0))
        };
        let (from, to) = (place(n)?, place(n + 1)?);
        let from = places.byte(from);
        // A text has no more characters than bytes, so that its end needs no counting.
        let len = self.subject.data.len();
        let to = if to >= len { len } else { places.byte(to) };
        Ok((from <= to).then_some((from, to)))
    }
}

/// There is not enough memory.
pub(super) fn out_of_memory(given: Given) -> Thrown {
    fault::new(given.world, classes::MEMORY_ERROR, "")
}
