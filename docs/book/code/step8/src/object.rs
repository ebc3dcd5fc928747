//! Classes and objects as dictionaries. In: objects and names. Out: fields and methods. Invariant:
//! a name is a number, the same everywhere in a program.

use crate::value::{ClassInfo, Closure, Value};
use verdigris::{Map, Str, prelude::*};

// ANCHOR: object
/// A class.
#[gc]
pub struct Class {
    pub name: Gc<Str>,
    pub methods: Gc<Map<usize, Gc<Closure>>>,
}

/// An object: a dictionary from names to values.
#[gc]
pub struct Instance {
    pub class: Gc<Class>,
    pub fields: Gc<Map<usize, Value>>,
}
// ANCHOR_END: object

/// A class without methods.
pub fn new_class(info: Gc<ClassInfo>) -> Gc<Class> {
    Gc::new(Class {
        name: info.name,
        methods: Map::new(),
    })
}

/// An object without fields.
pub fn new_instance(class: Gc<Class>) -> Gc<Instance> {
    Gc::new(Instance {
        class,
        fields: Map::new(),
    })
}

// ANCHOR: access
/// A method of a class.
pub fn method(class: Gc<Class>, name: usize) -> Option<Gc<Closure>> {
    class.methods.get(name)
}

/// A method of a value.
pub fn method_of(value: Value, name: usize) -> Option<Gc<Closure>> {
    match value {
        Value::Instance(instance) => method(instance.class, name),
        _ => None,
    }
}

/// A field of a value.
pub fn get(value: Value, name: usize) -> Option<Value> {
    match value {
        Value::Instance(instance) => instance.fields.get(name),
        _ => None,
    }
}

/// Writes a field of a value, or adds it; whether that was possible.
pub fn set(value: Value, name: usize, new: Value) -> bool {
    let Value::Instance(instance) = value else {
        return false;
    };
    instance.fields.insert(name, new);
    true
}
// ANCHOR_END: access
