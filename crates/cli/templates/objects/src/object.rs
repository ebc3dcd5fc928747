//! Classes, shapes and objects. In: objects and names. Out: fields and methods. Invariants: a shape
//! says which fields an object has, and where; shapes never change, but new ones are made. Objects
//! of one class that got their fields in the same order have the same shape.
//!
//! This is what makes fields and methods fast. A name is looked up in the *shape*, by a function
//! that is `#[elidable]`, and the shape is promoted. So compiled code checks that the shape is the
//! one of the recording, and has the place of the field, or the method, as a constant. In an
//! interpreter without a JIT, that would be an inline cache.

use crate::value::{ClassInfo, Closure, Value};
use verdigris::{List, Str, advice, prelude::*};

/// The tag of methods.
pub struct InClass;

/// The methods of a class.
pub type Methods = GcArray<Cell<Option<Gc<Closure>>>, InClass>;

/// A class.
#[gc]
pub struct Class {
    pub name: Gc<Str>,
    /// The names of its methods.
    pub names: GcArray<usize>,
    /// Its methods in the same order, which are not written after it was made.
    pub methods: Methods,
}

// ANCHOR: shape
/// A layout of objects: the layout before the last field was added, and that field.
#[gc]
pub struct Shape {
    pub class: Gc<Class>,
    /// `None` if there are no fields.
    pub before: Option<Gc<Shape>>,
    /// The name of the last field.
    pub name: usize,
    /// How many fields there are.
    pub len: usize,
    /// The shapes with one field more.
    pub next: Gc<List<Gc<Shape>>>,
}
// ANCHOR_END: shape

/// The tag of fields.
pub struct InInstance;

/// The values of fields, with room for more. The type is that of no other array, so writes to
/// registers do not change fields.
pub type Fields = GcArray<Cell<Value>, InInstance>;

// ANCHOR: instance
/// An object.
#[gc]
pub struct Instance {
    pub shape: Cell<Gc<Shape>>,
    pub fields: Cell<Fields>,
}
// ANCHOR_END: instance

/// For how many fields a new object has room.
const ROOM: usize = 4;

/// The shape of the new objects of a new class.
pub fn new_class(info: Gc<ClassInfo>, methods: Methods) -> Gc<Shape> {
    let class = Gc::new(Class {
        name: info.name,
        names: info.methods,
        methods,
    });
    Gc::new(Shape {
        class,
        before: None,
        name: 0,
        len: 0,
        next: List::new(),
    })
}

/// An object without fields.
pub fn new_instance(shape: Gc<Shape>) -> Gc<Instance> {
    Gc::new(Instance {
        shape: Cell::new(shape),
        fields: Cell::new(Fields::new(ROOM, Value::Nil)),
    })
}

// ANCHOR: method
/// A method of a class. `#[elidable]` promises that equal arguments give equal results: what is
/// read here was written before it could be read.
#[elidable]
pub fn method(class: Gc<Class>, name: usize) -> Option<Gc<Closure>> {
    // The last one of a name counts.
    let index = class.names.as_slice().iter().rposition(|n| *n == name)?;
    class.methods[index].get()
}
// ANCHOR_END: method

// ANCHOR: index_of
/// Where a field is. `#[elidable]`: what is read here never changes.
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
// ANCHOR_END: index_of

// ANCHOR: with_field
/// The shape with one field more. `#[elidable]`: the first call makes it, all others find it, so
/// no program can tell how often it is called.
#[elidable]
fn with_field(shape: Gc<Shape>, name: usize) -> Gc<Shape> {
    if let Some(known) = shape.next.iter().find(|known| known.name == name) {
        return known;
    }
    let added = Gc::new(Shape {
        class: shape.class,
        before: Some(shape),
        name,
        len: shape.len + 1,
        next: List::new(),
    });
    shape.next.push(added);
    added
}
// ANCHOR_END: with_field

// ANCHOR: method_of
/// A method of a value.
#[advice(
    "objects of many classes or shapes meet here: set the same fields in the same order in `init`"
)]
pub fn method_of(value: Value, name: usize) -> Option<Gc<Closure>> {
    match value {
        Value::Instance(instance) => method(promote(instance.shape.get()).class, name),
        _ => None,
    }
}
// ANCHOR_END: method_of

// ANCHOR: get
/// A field of a value.
#[advice(
    "objects of many classes or shapes meet here: set the same fields in the same order in `init`"
)]
pub fn get(value: Value, name: usize) -> Option<Value> {
    let Value::Instance(instance) = value else {
        return None;
    };
    let index = index_of(promote(instance.shape.get()), name)?;
    Some(instance.fields.get()[index].get())
}
// ANCHOR_END: get

// ANCHOR: set
/// Writes a field of a value, or adds it; whether that was possible.
#[advice(
    "objects of many classes or shapes meet here: set the same fields in the same order in `init`"
)]
pub fn set(value: Value, name: usize, new: Value) -> bool {
    let Value::Instance(instance) = value else {
        return false;
    };
    let shape = promote(instance.shape.get());
    if let Some(index) = index_of(shape, name) {
        instance.fields.get()[index].set(new);
        return true;
    }
    let fields = instance.fields.get();
    if shape.len == fields.len() {
        instance.fields.set(grown(fields));
    }
    instance.fields.get()[shape.len].set(new);
    instance.shape.set(with_field(shape, name));
    true
}
// ANCHOR_END: set

/// A copy with room for more. `#[opaque]`: the loop is none of the program's, and the JIT need not
/// look into it.
#[opaque]
fn grown(fields: Fields) -> Fields {
    let larger = Fields::new(fields.len() * 2, Value::Nil);
    for index in 0..fields.len() {
        larger[index].set(fields[index].get());
    }
    larger
}
