//! Strings of which a world has one object each. In: bytes. Out: the strings. Invariant: what a
//! program text or the library names is the same object everywhere, so that a look at the addresses
//! mostly tells that two names are equal; what `string.sub`, a search or `string.char` gives as one
//! byte is that object too.

use crate::dict;
use crate::string::LuaStr;
use crate::table::dict_of;
use crate::value::{Value, World};
use verdigris::prelude::*;

/// The one string of a world with these bytes, for native code.
pub fn string(world: Gc<World>, bytes: &[u8]) -> Gc<LuaStr> {
    let dict = dict_of(world.interned);
    let string = match *bytes {
        [byte] => character(world, byte),
        _ => LuaStr::new(bytes),
    };
    let entry = dict::find(dict, Value::Str(string));
    if entry >= 0
        && let Value::Str(known) = dict.keys.get()[entry as usize].get()
    {
        return known;
    }
    dict::insert(dict, Value::Str(string), Value::Bool(true));
    string
}

/// The string of one byte.
#[inline]
pub fn character(world: Gc<World>, byte: u8) -> Gc<LuaStr> {
    match world.characters[usize::from(byte)].get() {
        Some(string) => string,
        None => new_character(world, byte),
    }
}

/// Makes the string of one byte, which is kept.
#[opaque]
fn new_character(world: Gc<World>, byte: u8) -> Gc<LuaStr> {
    let string = LuaStr::new(&[byte]);
    world.characters[usize::from(byte)].set(Some(string));
    string
}
