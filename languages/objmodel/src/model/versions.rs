//! The third stage: a class has a version, an object that is replaced whenever the class changes.
//! In: classes, names. Out: values. Invariant: while a class has one and the same version, its
//! methods are the same. Source: 2011 paper on runtime feedback, section 4.2 and figure 6.
//!
//! The paper assumes that classes hardly ever change. Some do all the time: they count their
//! instances, say. Compiled code for a version of such a class is soon useless, so a class loses
//! its version after [`MAX_CHANGES`] changes, and lookups in it are lookups in its dictionary
//! again.

use crate::dict::{dict_get, dict_set};
use crate::object::{Class, Obj, Version};
use verdigris::prelude::*;

/// How often the methods and attributes of a class may be replaced before it loses its version.
pub const MAX_CHANGES: i64 = 50;

/// A method or attribute of a class.
#[inline(always)]
pub fn find_method(class: Gc<Class>, name: i64) -> Option<Obj> {
    let class = promote(class);
    match promote(class.version.get()) {
        Some(version) => find_method_at(class, name, version),
        None => dict_get(class.methods, name),
    }
}

/// A method or attribute of a class while it has this version.
///
/// Elidable: it has the same result as long as the class has the version, and is never called for
/// another one.
#[elidable]
pub fn find_method_at(class: Gc<Class>, name: i64, version: Gc<Version>) -> Option<Obj> {
    assert!(
        class.version.get() == Some(version),
        "the version of the class has been read just before"
    );
    dict_get(class.methods, name)
}

/// Writes a method or attribute of a class.
#[opaque]
pub fn write_method(class: Gc<Class>, name: i64, value: Obj) {
    if dict_get(class.methods, name).is_some() {
        class.changes.set(class.changes.get() + 1);
    }
    dict_set(class.methods, name, value);
    let version = match class.changes.get() <= MAX_CHANGES {
        true => Some(Gc::new(Version {})),
        false => None,
    };
    class.version.set(version);
}
