//! The first stage: instances and classes have a dictionary each. In: instances, classes, names.
//! Out: values. Invariant: none beyond the dictionaries'. Source: 2011 paper on runtime feedback,
//! figure 2.

use crate::dict::{dict_get, dict_new, dict_set};
use crate::object::{Class, DictInstance, Obj};
use verdigris::prelude::*;

/// A new instance.
#[inline(always)]
pub fn instantiate(class: Gc<Class>) -> Gc<DictInstance> {
    let attributes = dict_new();
    Gc::new(DictInstance { class, attributes })
}

/// An attribute of an instance, without its class.
#[inline(always)]
pub fn getfield(instance: Gc<DictInstance>, name: i64) -> Option<Obj> {
    dict_get(instance.attributes, name)
}

/// Writes an attribute of an instance.
#[inline(always)]
pub fn write_attribute(instance: Gc<DictInstance>, name: i64, value: Obj) {
    dict_set(instance.attributes, name, value);
}

/// A method or attribute of a class.
#[inline(always)]
pub fn find_method(class: Gc<Class>, name: i64) -> Option<Obj> {
    dict_get(class.methods, name)
}

/// Writes a method or attribute of a class.
#[inline(always)]
pub fn write_method(class: Gc<Class>, name: i64, value: Obj) {
    dict_set(class.methods, name, value);
}
