//! Dictionaries from names to values. In: names by their numbers. Out: values. Invariant: the JIT
//! does not look inside: a lookup is a call of [`dict_get`], as in the paper, which is what the
//! later stages of the object model get rid of.

use crate::object::{Dict, Obj};
use verdigris::{Map, prelude::*};

/// A dictionary without entries.
#[opaque]
pub fn dict_new() -> Gc<Dict> {
    Map::new()
}

/// The value of a name.
#[opaque]
pub fn dict_get(dict: Gc<Dict>, name: i64) -> Option<Obj> {
    dict.get(name)
}

/// Gives a name a value.
#[opaque]
pub fn dict_set(dict: Gc<Dict>, name: i64, value: Obj) {
    dict.insert(name, value);
}
