//! Attributes. In: objects and names. Out: values, bound to the object where they are methods.
//! Invariant: as CPython's `object.__getattribute__`: a data descriptor of the class comes before
//! the instance's own attributes, any other attribute of the class behind them. What a class has is
//! known for its version, so that compiled code looks nothing up.

use crate::heap::class::{self, Class};
use crate::heap::exception::Thrown;
use crate::heap::function::BoundMethod;
use crate::heap::instance::{self, Instance};
use crate::heap::places;
use crate::heap::value::{Accessor, CLASS, GETSET, MEMBER, PROPERTY, STATIC, Super, Value};
use crate::heap::variables;
use crate::heap::world::{World, class_of, names};
use crate::plain::fault;
use crate::run::call;
use crate::run::native;
use crate::run::objects::introspect;
use crate::run::objects::refuse;
use crate::run::objects::special;
use verdigris::{Str, prelude::*};

/// An attribute.
#[inline]
pub fn get(world: Gc<World>, object: Value, name: Gc<Str>, depth: i64) -> Result<Value, Thrown> {
    match object {
        Value::Instance(instance) => of_instance(world, instance, name, depth),
        Value::Module(module) => {
            let module = promote(module);
            match variables::module_global(module, name) {
                Some(global) if !global.get().is_unbound() => Ok(global.get()),
                _ => special::get(world, object, name, depth),
            }
        }
        Value::Class(class) => {
            let class = promote(class);
            match class.meta {
                Some(meta) => of_class_of_program(world, class, meta, name, depth),
                None => of_class(world, class, name, depth),
            }
        }
        Value::Super(object) => of_super(world, object, name, depth),
        _ => {
            let class = class_of(world, object);
            let found = class::lookup(class, name);
            match found {
                Value::Unbound => special::get(world, object, name, depth),
                _ => bound(world, found, object, depth),
            }
        }
    }
}

#[inline]
fn of_instance(
    world: Gc<World>,
    object: Gc<Instance>,
    name: Gc<Str>,
    depth: i64,
) -> Result<Value, Thrown> {
    let class = instance::class(object);
    if class.own_lookup.get() {
        return by_program(world, Value::Instance(object), class, name, depth);
    }
    match found_on(world, object, name, depth) {
        Ok(Value::Unbound) => {}
        Err(thrown) if is_missing(world, thrown) => {
            let hook = class::lookup(class, world.names[names::GETATTR]);
            if hook.is_unbound() {
                return Err(thrown);
            }
        }
        found => return found,
    }
    let hook = class::lookup(class, world.names[names::GETATTR]);
    if !hook.is_unbound() {
        let args = call::one(Value::Str(crate::heap::value::text_of(name)));
        return call::method(world, hook, Value::Instance(object), args, depth);
    }
    Err(fault::no_attribute(world, Value::Instance(object), name))
}

/// What `object.__getattribute__` finds; `Unbound` if there is no such attribute.
#[inline]
fn found_on(
    world: Gc<World>,
    object: Gc<Instance>,
    name: Gc<Str>,
    depth: i64,
) -> Result<Value, Thrown> {
    let found = class::lookup(instance::class(object), name);
    if is_data(world, found) {
        return bound(world, found, Value::Instance(object), depth);
    }
    let own = instance::get(object, name);
    if !own.is_unbound() {
        return Ok(own);
    }
    if !found.is_unbound() {
        return bound(world, found, Value::Instance(object), depth);
    }
    special::of_instance(world, object, name, depth)
}

/// Whether an exception says that there is no such attribute.
#[inline]
fn is_missing(world: Gc<World>, thrown: Thrown) -> bool {
    let wanted = world.classes[crate::heap::world::classes::ATTRIBUTE_ERROR];
    class::derives(instance::class(thrown), wanted)
}

/// An attribute that `__getattribute__` of the program looks up. `class` is that of the object.
#[inline]
fn by_program(
    world: Gc<World>,
    object: Value,
    class: Gc<Class>,
    name: Gc<Str>,
    depth: i64,
) -> Result<Value, Thrown> {
    let lookup = class::lookup(class, world.names[names::GETATTRIBUTE]);
    let wanted = Value::Str(crate::heap::value::text_of(name));
    match call::method(world, lookup, object, call::one(wanted), depth) {
        Err(thrown) if is_missing(world, thrown) => {
            let hook = class::lookup(class, world.names[names::GETATTR]);
            if hook.is_unbound() {
                return Err(thrown);
            }
            call::method(world, hook, object, call::one(wanted), depth)
        }
        result => result,
    }
}

/// `object.__getattribute__` and `type.__getattribute__`
///
/// # Errors
/// That there is no such attribute, or what it raises.
pub fn plain_get(
    world: Gc<World>,
    object: Value,
    name: Gc<Str>,
    depth: i64,
) -> Result<Value, Thrown> {
    match object {
        Value::Instance(own) => match found_on(world, own, name, depth)? {
            Value::Unbound => Err(fault::no_attribute(world, object, name)),
            value => Ok(value),
        },
        Value::Class(class) => of_class(world, class, name, depth),
        _ => get(world, object, name, depth),
    }
}

/// Whether an attribute of a class comes before those of the instance.
#[inline]
fn is_data(world: Gc<World>, found: Value) -> bool {
    match found {
        Value::Accessor(accessor) => promote(accessor).kind == PROPERTY,
        Value::Instance(descriptor) => {
            let class = instance::class(descriptor);
            !class::lookup(class, world.names[names::SET]).is_unbound()
                || !class::lookup(class, world.names[names::DELETE]).is_unbound()
        }
        _ => false,
    }
}

/// An attribute of a class as one of an object.
#[inline]
pub fn bound(world: Gc<World>, found: Value, object: Value, depth: i64) -> Result<Value, Thrown> {
    match found {
        Value::Function(_) => Ok(method_of(found, object)),
        Value::Native(native) => {
            if promote(native).class.is_none() {
                return Ok(found);
            }
            Ok(method_of(found, object))
        }
        Value::Accessor(accessor) => {
            let accessor = promote(accessor);
            match accessor.kind {
                PROPERTY => read(world, accessor, object, depth),
                STATIC => Ok(accessor.get),
                MEMBER | GETSET => introspect::member(world, accessor, object),
                _ => class_method(
                    world,
                    accessor.get,
                    Value::Class(class_of(world, object)),
                    depth,
                ),
            }
        }
        Value::Instance(descriptor) => {
            let class = instance::class(descriptor);
            let getter = class::lookup(class, world.names[names::GET]);
            if getter.is_unbound() {
                return Ok(found);
            }
            let args = call::two(object, Value::Class(class_of(world, object)));
            call::method_of_descriptor(world, getter, found, args, depth)
        }
        _ => Ok(found),
    }
}

/// What a class method gives for a class: other descriptors than functions are asked.
///
/// # Errors
/// What a descriptor raises.
#[inline]
pub fn class_method(
    world: Gc<World>,
    function: Value,
    class: Value,
    depth: i64,
) -> Result<Value, Thrown> {
    match function {
        Value::Accessor(_) | Value::Instance(_) => bound_outside(world, function, class, depth),
        _ => Ok(method_of(function, class)),
    }
}

/// As [`bound`], from inside of it.
#[opaque]
fn bound_outside(
    world: Gc<World>,
    found: Value,
    object: Value,
    depth: i64,
) -> Result<Value, Thrown> {
    bound(world, found, object, places::below(world, depth))
}

#[inline]
fn method_of(function: Value, object: Value) -> Value {
    Value::Method(Gc::new(BoundMethod { function, object }))
}

/// What a property gives.
#[inline]
fn read(
    world: Gc<World>,
    accessor: Gc<Accessor>,
    object: Value,
    depth: i64,
) -> Result<Value, Thrown> {
    match accessor.get {
        Value::Function(function) => call::function(world, function, call::one(object), depth),
        Value::None => Err(refuse::no_getter(world, object)),
        // As those of named tuples.
        Value::Instance(getter) => {
            let hook = class::lookup(instance::class(getter), world.names[names::CALL]);
            if let Value::Function(hook) = hook {
                return call::function(world, hook, call::two(accessor.get, object), depth);
            }
            let args = call::copied(call::one(object));
            call::outside(world, accessor.get, args, None, depth)
        }
        getter => call::outside(world, getter, call::copied(call::one(object)), None, depth),
    }
}

/// The function of a static or class method; anything else as it is.
#[inline]
pub fn unwrapped(value: Value) -> Value {
    match value {
        Value::Accessor(accessor) => {
            let accessor = promote(accessor);
            match accessor.kind {
                STATIC | CLASS => accessor.get,
                _ => value,
            }
        }
        other => other,
    }
}

/// An attribute of a class whose own class is a program's.
#[inline]
fn of_class_of_program(
    world: Gc<World>,
    object: Gc<Class>,
    meta: Gc<Class>,
    name: Gc<Str>,
    depth: i64,
) -> Result<Value, Thrown> {
    if meta.own_lookup.get() {
        return by_program(world, Value::Class(object), meta, name, depth);
    }
    match of_class(world, object, name, depth) {
        Err(thrown) if is_missing(world, thrown) => {
            let hook = class::lookup(meta, world.names[names::GETATTR]);
            if hook.is_unbound() {
                return Err(thrown);
            }
            let wanted = Value::Str(crate::heap::value::text_of(name));
            call::method(world, hook, Value::Class(object), call::one(wanted), depth)
        }
        result => result,
    }
}

/// An attribute of a class itself.
#[inline]
fn of_class(
    world: Gc<World>,
    object: Gc<Class>,
    name: Gc<Str>,
    depth: i64,
) -> Result<Value, Thrown> {
    let found = class::lookup(object, name);
    if let Some(meta) = object.meta {
        let of_meta = class::lookup(meta, name);
        // What all objects have comes before what the class of the class has.
        let is_behind = || !found.is_unbound() || native::of_objects(world, name).is_some();
        if is_data(world, of_meta) || !of_meta.is_unbound() && !is_behind() {
            return bound(world, of_meta, Value::Class(object), depth);
        }
    }
    match found {
        Value::Unbound => special::get(world, Value::Class(object), name, depth),
        Value::Accessor(accessor) => {
            let accessor = promote(accessor);
            match accessor.kind {
                STATIC => Ok(accessor.get),
                CLASS => class_method(world, accessor.get, Value::Class(object), depth),
                _ => Ok(found),
            }
        }
        Value::Instance(descriptor) => {
            let class = instance::class(descriptor);
            let getter = class::lookup(class, world.names[names::GET]);
            if getter.is_unbound() {
                return Ok(found);
            }
            let args = call::two(Value::None, Value::Class(object));
            call::method_of_descriptor(world, getter, found, args, depth)
        }
        _ => Ok(found),
    }
}

#[inline]
fn of_super(
    world: Gc<World>,
    object: Gc<Super>,
    name: Gc<Str>,
    depth: i64,
) -> Result<Value, Thrown> {
    let found = behind(object, name);
    match found {
        Value::Unbound => special::of_super(world, object, name, depth),
        Value::Accessor(accessor) if promote(accessor).kind == CLASS => {
            let accessor = promote(accessor);
            Ok(method_of(accessor.get, Value::Class(object.start)))
        }
        _ => match object.object {
            // Of a class itself, functions are not bound.
            Value::Class(class) if Gc::ptr_eq(class, object.start) => Ok(unwrapped(found)),
            inner => bound(world, found, inner, depth),
        },
    }
}

/// An attribute of the classes behind that of a `super()`.
#[inline]
fn behind(object: Gc<Super>, name: Gc<Str>) -> Value {
    class::lookup_behind(promote(object.start), promote(object.class), name)
}

/// An attribute that is called: the function and its first argument, or the attribute and
/// `Unbound`.
#[inline]
pub fn method(
    world: Gc<World>,
    object: Value,
    name: Gc<Str>,
    depth: i64,
) -> Result<(Value, Value), Thrown> {
    match object {
        Value::Instance(instance) => {
            let class = instance::class(instance);
            let found = class::lookup(class, name);
            let is_method = match found {
                _ if class.own_lookup.get() => false,
                Value::Function(_) => true,
                Value::Native(native) => promote(native).class.is_some(),
                _ => false,
            };
            if is_method {
                let own = instance::get(instance, name);
                return Ok(match own {
                    Value::Unbound => (found, object),
                    _ => (own, Value::Unbound),
                });
            }
        }
        Value::Super(inner) => {
            if let Value::Function(_) = behind(inner, name) {
                match inner.object {
                    Value::Class(class) if Gc::ptr_eq(class, inner.start) => {}
                    first => return Ok((behind(inner, name), first)),
                }
            }
        }
        Value::Class(_) | Value::Module(_) => {}
        _ => {
            let found = class::lookup(class_of(world, object), name);
            if let Value::Native(_) = found {
                return Ok((found, object));
            }
        }
    }
    Ok((get(world, object, name, depth)?, Value::Unbound))
}

/// A method that a statement asks for, which is one of the class.
#[inline]
pub fn special(
    world: Gc<World>,
    object: Value,
    name: Gc<Str>,
    depth: i64,
) -> Result<(Value, Value), Thrown> {
    let found = class::lookup(class_of(world, object), name);
    match found {
        Value::Unbound => Err(refuse::no_context(world, object, name)),
        Value::Function(_) | Value::Native(_) => Ok((found, object)),
        _ => Ok((bound(world, found, object, depth)?, Value::Unbound)),
    }
}
