//! What cannot be read, written or removed. In: objects and names of attributes. Out: exceptions
//! with CPython's words. Invariant: traced code makes them by calls.

use crate::heap::exception::Thrown;
use crate::heap::value::{Value, text};
use crate::heap::world::{World, classes, type_name};
use crate::plain::fault;
use verdigris::{Str, prelude::*};

/// A class whose instances have slots alone has none of this name.
#[opaque]
pub fn no_slot(world: Gc<World>, object: Value, name: Gc<Str>, found: Value) -> Thrown {
    if found.is_unbound() {
        return fault::no_attribute(world, object, name);
    }
    let (class, name) = (type_name(world, object), name.as_str());
    let message = format!("'{class}' object attribute '{name}' is read-only");
    fault::new(world, classes::ATTRIBUTE_ERROR, &message)
}

/// A property cannot be read.
#[opaque]
pub fn no_getter(world: Gc<World>, object: Value) -> Thrown {
    let message = format!(
        "property of '{}' object has no getter",
        type_name(world, object)
    );
    fault::new(world, classes::ATTRIBUTE_ERROR, &message)
}

/// A property cannot be written.
#[opaque]
pub fn no_setter(world: Gc<World>, object: Value, name: Gc<Str>) -> Thrown {
    let (class, name) = (type_name(world, object), name.as_str());
    let message = format!("property '{name}' of '{class}' object has no setter");
    fault::new(world, classes::ATTRIBUTE_ERROR, &message)
}

/// A property cannot be deleted.
#[opaque]
pub fn no_deleter(world: Gc<World>, object: Value, name: Gc<Str>) -> Thrown {
    let (class, name) = (type_name(world, object), name.as_str());
    let message = format!("property '{name}' of '{class}' object has no deleter");
    fault::new(world, classes::ATTRIBUTE_ERROR, &message)
}

/// An attribute that is not there cannot be deleted.
pub fn not_deleted(world: Gc<World>, object: Value, name: Gc<Str>) -> Thrown {
    match object {
        Value::Instance(_) => {
            let name = text(name.as_str());
            fault::with(world.classes[classes::ATTRIBUTE_ERROR], name)
        }
        _ => fault::no_attribute(world, object, name),
    }
}

/// An object is for no `with`.
#[opaque]
pub fn no_context(world: Gc<World>, object: Value, name: Gc<Str>) -> Thrown {
    let what = match name.as_str() {
        "__enter__" => fault::NO_CONTEXT,
        "__aenter__" => fault::NO_ASYNC_CONTEXT,
        "__aexit__" => fault::NO_AEXIT,
        _ => fault::NO_EXIT,
    };
    fault::about(world, what, object)
}
