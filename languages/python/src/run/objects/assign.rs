//! Attributes that are written and are no entries of namespaces: the class and the dict of an
//! instance, parts of exceptions, names of classes. In: objects, names, values. Out: whether it is
//! such an attribute. Invariant: what compiled code knows of an object by its map stays true.

use crate::heap::class::Class;
use crate::heap::exception::{self, Thrown};
use crate::heap::instance::{self, Instance};
use crate::heap::value::Value;
use crate::heap::world::{World, classes, interned, names, type_name};
use crate::plain::fault;
use crate::run::objects::introspect;
use crate::run::objects::write;
use verdigris::{Str, prelude::*};

/// Writes an attribute of an instance that is no entry: whether it is such a one.
#[inline]
pub fn set_on_instance(
    world: Gc<World>,
    object: Gc<Instance>,
    name: Gc<Str>,
    value: Value,
) -> Result<bool, Thrown> {
    match object.native {
        Value::Exc(_) => set_on_exception(world, object, name, value),
        _ => {
            if Gc::ptr_eq(name, world.names[names::CLASS]) {
                return change_class(world, object, value);
            }
            if Gc::ptr_eq(name, world.names[names::DICT]) {
                return change_dict(world, object, value);
            }
            Ok(false)
        }
    }
}

/// `object.__class__ = class`
#[opaque]
fn change_class(world: Gc<World>, object: Gc<Instance>, to: Value) -> Result<bool, Thrown> {
    let from = object.map.get().class;
    let Value::Class(to) = to else {
        let name = type_name(world, to);
        let message = format!("__class__ must be set to a class, not '{name}' object");
        return Err(fault::type_error(world, &message));
    };
    if to.builtin || from.builtin {
        let message = "__class__ assignment only supported for mutable types or ModuleType \
                       subclasses";
        return Err(fault::type_error(world, message));
    }
    let has_same_slots = crate::heap::class::has_same_slots(from, to);
    if from.layout != to.layout || from.has_dict != to.has_dict || !has_same_slots {
        let (to, from) = (to.name_text(), from.name_text());
        let message = format!("__class__ assignment: '{to}' object layout differs from '{from}'");
        return Err(fault::type_error(world, &message));
    }
    instance::change_class(object, to);
    Ok(true)
}

/// `object.__dict__ = dict`
#[opaque]
fn change_dict(world: Gc<World>, object: Gc<Instance>, to: Value) -> Result<bool, Thrown> {
    if !object.map.get().class.has_dict {
        return Ok(false);
    }
    let Value::Dict(to) = instance::plain(to) else {
        let name = type_name(world, to);
        let message = format!("__dict__ must be set to a dictionary, not a '{name}'");
        return Err(fault::type_error(world, &message));
    };
    instance::to_dict(object);
    instance::set_dict(object, to);
    Ok(true)
}

#[opaque]
fn set_on_exception(
    world: Gc<World>,
    object: Gc<Instance>,
    name: Gc<Str>,
    value: Value,
) -> Result<bool, Thrown> {
    let exc = exception::part(object);
    match name.as_str() {
        "args" => match value {
            Value::Tuple(_) => exc.args.set(value),
            _ => return Err(fault::missing(world, "'args' that are no tuple")),
        },
        "__cause__" => {
            exc.cause.set(value);
            exc.suppress.set(true);
        }
        "__context__" => exc.context.set(value),
        "__suppress_context__" => exc.suppress.set(matches!(value, Value::Bool(true))),
        "__traceback__" => match value {
            Value::None => exc.traceback.set(None),
            Value::Traceback(traceback) => exc.traceback.set(Some(traceback)),
            _ => {
                let message = "__traceback__ must be a traceback or None";
                return Err(fault::type_error(world, message));
            }
        },
        "__class__" => return change_class(world, object, value),
        "__dict__" => return change_dict(world, object, value),
        _ => return Ok(false),
    }
    Ok(true)
}

/// Writes an attribute of a class of a program.
///
/// # Errors
/// A `TypeError` if it cannot have this value.
#[opaque]
pub fn set_on_class(
    world: Gc<World>,
    class: Gc<Class>,
    name: Gc<Str>,
    value: Value,
) -> Result<(), Thrown> {
    match (name.as_str(), value) {
        ("__name__", Value::Str(given)) => class.name.set(interned(world, given.data)),
        ("__qualname__", Value::Str(given)) => class.qualname.set(interned(world, given.data)),
        ("__module__", Value::Str(given)) => class.module.set(interned(world, given.data)),
        ("__name__" | "__qualname__", _) => {
            let (class, wrong) = (class.name_text(), type_name(world, value));
            let name = name.as_str();
            let message = format!("can only assign string to {class}.{name}, not '{wrong}'");
            return Err(fault::type_error(world, &message));
        }
        ("__bases__", _) => return set_bases(world, class, value),
        ("__class__", _) => {
            return Err(fault::missing(
                world,
                "assignment to '__class__' of a class",
            ));
        }
        ("__dict__", _) => {
            let message = "attribute '__dict__' of 'type' objects is not writable";
            return Err(fault::new(world, classes::ATTRIBUTE_ERROR, message));
        }
        _ => crate::heap::class::set_attribute(class, name, value),
    }
    Ok(())
}

/// `class.__bases__ = bases`
fn set_bases(world: Gc<World>, class: Gc<Class>, value: Value) -> Result<(), Thrown> {
    let name = class.name_text();
    let Value::Tuple(given) = value else {
        let wrong = type_name(world, value);
        let message = format!("can only assign tuple to {name}.__bases__, not {wrong}");
        return Err(fault::type_error(world, &message));
    };
    let bases: RootVec<Gc<Class>> = RootVec::new();
    let mut layout = classes::OBJECT;
    let mut has_dict = false;
    for n in 0..given.len() {
        let Value::Class(base) = given[n].get() else {
            let wrong = type_name(world, given[n].get());
            let message = format!("{name}.__bases__ must be tuple of classes, not '{wrong}'");
            return Err(fault::type_error(world, &message));
        };
        if crate::heap::class::derives(base, class) {
            let message = "a __bases__ item causes an inheritance cycle";
            return Err(fault::type_error(world, message));
        }
        if base.layout != classes::OBJECT {
            layout = base.layout;
        }
        has_dict |= base.has_dict;
        bases.push(base);
    }
    if bases.is_empty() {
        let message = format!("can only assign non-empty tuple to {name}.__bases__, not ()");
        return Err(fault::type_error(world, &message));
    }
    if layout != class.layout || has_dict && !class.has_dict {
        let message = format!("__bases__ assignment: '{name}' object layout differs");
        return Err(fault::type_error(world, &message));
    }
    match crate::heap::class::set_bases(class, bases.to_array()) {
        true => Ok(()),
        false => {
            let message = "Cannot create a consistent method resolution order (MRO) for bases";
            Err(fault::type_error(world, message))
        }
    }
}

/// Writes an attribute of something that is no instance.
#[opaque]
pub fn set(
    world: Gc<World>,
    object: Value,
    name: Gc<Str>,
    value: Value,
    depth: i64,
) -> Result<(), Thrown> {
    match object {
        Value::Function(function) => introspect::set_on_function(world, function, name, value),
        Value::Class(class) => {
            let (name, class) = (name.as_str(), class.name_text());
            let message = format!("cannot set '{name}' attribute of immutable type '{class}'");
            Err(fault::type_error(world, &message))
        }
        Value::Accessor(accessor) if name.as_str() == "__doc__" => {
            accessor.doc.set(value);
            Ok(())
        }
        Value::Cell(variable) if name.as_str() == "cell_contents" => {
            variable.value.set(value);
            Ok(())
        }
        Value::Traceback(traceback) if name.as_str() == "tb_next" => match value {
            Value::None => {
                traceback.next.set(None);
                Ok(())
            }
            Value::Traceback(next) => {
                traceback.next.set(Some(next));
                Ok(())
            }
            _ => {
                let wrong = type_name(world, value);
                let message = format!("expected traceback object or None, got '{wrong}'");
                Err(fault::type_error(world, &message))
            }
        },
        Value::Super(inner) => write::set(world, inner.object, name, value, depth),
        _ => Err(fault::no_attribute(world, object, name)),
    }
}
