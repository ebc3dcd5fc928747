//! Recipe: hidden classes and inline caches. In: objects and the numbers of names. Out: values.
//! Invariants: a shape says which fields an object has, and where; shapes never change, new ones
//! are made.

use crate::program::Value;
use verdigris::{List, prelude::*};

// ANCHOR: shape
/// A layout of objects: the layout before the last field was added, and that field.
#[gc]
pub struct Shape {
    pub before: Option<Gc<Shape>>,
    pub name: usize,
    pub len: usize,
    pub next: Gc<List<Gc<Shape>>>,
}

/// The tag of fields: no other array has this type, so a write to a register changes no field.
pub struct InObject;

/// The values of fields.
pub type Fields = GcArray<Cell<Value>, InObject>;

/// An object.
#[gc]
pub struct Object {
    pub shape: Cell<Gc<Shape>>,
    pub fields: Cell<Fields>,
}

/// Where a field is. `#[elidable]`: shapes never change, so the answer does not either.
#[elidable]
fn index_of(shape: Gc<Shape>, name: usize) -> Option<usize> {
    let mut shape = shape;
    while let Some(before) = shape.before {
        if shape.name == name {
            return Some(before.len);
        }
        shape = before;
    }
    None
}

/// A field of an object, or nil.
pub fn get(object: Gc<Object>, name: usize) -> Value {
    match index_of(promote(object.shape.get()), name) {
        Some(index) => object.fields.get()[index].get(),
        None => Value::Nil,
    }
}
// ANCHOR_END: shape

// ANCHOR: slow
/// The same without `promote`: the name is looked up each time.
pub fn get_slowly(object: Gc<Object>, name: usize) -> Value {
    match index_of(object.shape.get(), name) {
        Some(index) => object.fields.get()[index].get(),
        None => Value::Nil,
    }
}
// ANCHOR_END: slow

// ANCHOR: set
/// The shape with one field more. `#[elidable]`: the first call makes it, all others find it, so
/// no program can tell how often it is called.
#[elidable]
fn with_field(shape: Gc<Shape>, name: usize) -> Gc<Shape> {
    if let Some(known) = shape.next.iter().find(|known| known.name == name) {
        return known;
    }
    let added = Gc::new(Shape {
        before: Some(shape),
        name,
        len: shape.len + 1,
        next: List::new(),
    });
    shape.next.push(added);
    added
}

/// Writes a field of an object, or adds it.
pub fn set(object: Gc<Object>, name: usize, value: Value) {
    let shape = promote(object.shape.get());
    if let Some(index) = index_of(shape, name) {
        object.fields.get()[index].set(value);
        return;
    }
    if shape.len == object.fields.get().len() {
        object.fields.set(grown(object.fields.get()));
    }
    object.fields.get()[shape.len].set(value);
    object.shape.set(with_field(shape, name));
}
// ANCHOR_END: set

/// The shape of objects without fields.
pub fn empty() -> Gc<Shape> {
    Gc::new(Shape {
        before: None,
        name: 0,
        len: 0,
        next: List::new(),
    })
}

/// An object without fields, with room for some.
pub fn new_object(shape: Gc<Shape>) -> Gc<Object> {
    Gc::new(Object {
        shape: Cell::new(shape),
        fields: Cell::new(Fields::new(4, Value::Nil)),
    })
}

/// A copy with more room. `#[opaque]`: its loop is none of the guest program's.
#[opaque]
fn grown(fields: Fields) -> Fields {
    let larger = Fields::new(fields.len() * 2, Value::Nil);
    for index in 0..fields.len() {
        larger[index].set(fields[index].get());
    }
    larger
}
