//! What an instruction of the interpreter remembers of an attribute, by
//! [`crate::run::objects::sites`]. In, out: data.

use crate::heap::class::Version;
use crate::heap::map::ObjectMap;
use crate::heap::value::Value;
use verdigris::prelude::*;

/// What an instruction has seen.
#[gc]
pub struct Site {
    /// The map of the object.
    pub map: Cell<Option<Gc<ObjectMap>>>,
    /// The version of its class.
    pub version: Cell<Option<Gc<Version>>>,
    /// Where the attribute is in the object.
    pub place: Cell<usize>,
    /// The method of the class.
    pub method: Cell<Value>,
    /// The map that the object gets by a store.
    pub next: Cell<Option<Gc<ObjectMap>>>,
    /// How often another map was seen.
    pub misses: Cell<usize>,
}
