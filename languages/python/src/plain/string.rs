//! Strings. In: strings and places in characters. Out: strings. Invariant: a string of ASCII has as
//! many characters as bytes, so that a place is found without counting.

use crate::heap::value::{Text, Value};
use crate::heap::world::World;
use verdigris::prelude::*;

/// One string behind another.
#[opaque]
pub fn concat(a: Gc<Text>, b: Gc<Text>) -> Gc<Text> {
    Gc::new(Text {
        data: a.data.concat(b.data),
        chars: a.chars + b.chars,
    })
}

/// Whether a string has characters of one byte alone.
#[inline(always)]
pub fn is_ascii(text: Gc<Text>) -> bool {
    text.chars == text.data.len()
}

/// The character at a place that is there.
#[inline]
pub fn at(world: Gc<World>, text: Gc<Text>, place: usize) -> Value {
    if is_ascii(text) {
        return Value::Str(world.characters[text.data.byte_at(place) as usize]);
    }
    Value::Str(at_outside(world, text, place))
}

#[opaque]
fn at_outside(world: Gc<World>, text: Gc<Text>, place: usize) -> Gc<Text> {
    let found = text.as_str().chars().nth(place);
    one(world, found.unwrap_or('\0'))
}

/// A string of one character.
pub fn one(world: Gc<World>, c: char) -> Gc<Text> {
    if c.is_ascii() {
        return world.characters[c as usize];
    }
    crate::heap::value::new_text(c.encode_utf8(&mut [0; 4]))
}

/// Where a character begins, in bytes.
pub fn offset(text: Gc<Text>, place: usize) -> usize {
    if is_ascii(text) {
        return place.min(text.data.len());
    }
    let found = text.as_str().char_indices().nth(place);
    found.map_or(text.data.len(), |(at, _)| at)
}

/// The characters from one place to before another. Such texts are not looked through as a whole.
#[opaque]
pub fn part(world: Gc<World>, text: Gc<Text>, from: usize, to: usize) -> Gc<Text> {
    let to = to.min(text.chars);
    if from >= to {
        return world.empty;
    }
    let chars = to - from;
    if chars == text.chars {
        return text;
    }
    if !is_ascii(text) {
        let data = text.data.slice(offset(text, from), offset(text, to));
        return Gc::new(Text { data, chars });
    }
    if chars == 1 {
        return world.characters[text.data.byte_at(from) as usize];
    }
    let data = text.data.slice(from, to);
    Gc::new(Text { data, chars })
}
