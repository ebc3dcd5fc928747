//! Attributes. In: objects and names. Out: values, bound to the object where they are methods.
//! Invariant: as CPython's `object.__getattribute__`: a data descriptor of the class comes before
//! the instance's own attributes, any other attribute of the class behind them. What a class has is
//! known for its version, so that compiled code looks nothing up.

use crate::heap::class::{self, Class};
use crate::heap::exception::Thrown;
use crate::heap::function::{BoundMethod, set_global};
use crate::heap::instance::{self, Instance};
use crate::heap::value::{Accessor, CLASS, PROPERTY, STATIC, Super, Value};
use crate::heap::variables;
use crate::heap::world::{World, class_of, names};
use crate::plain::fault;
use crate::run::call;
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
        Value::Class(class) => of_class(world, promote(class), name, depth),
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
    let found = class::lookup(class, name);
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
    let value = special::of_instance(world, object, name);
    if !value.is_unbound() {
        return Ok(value);
    }
    let hook = class::lookup(class, world.names[names::GETATTR]);
    if !hook.is_unbound() {
        let name = crate::heap::value::text_of(name);
        let args = call::one(Value::Str(name));
        return call::method(world, hook, Value::Instance(object), args, depth);
    }
    Err(fault::no_attribute(world, Value::Instance(object), name))
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
                _ => Ok(method_of(
                    accessor.get,
                    Value::Class(class_of(world, object)),
                )),
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
        Value::None => Err(special::no_getter(world, object)),
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
        Value::Accessor(accessor) if promote(accessor).kind != PROPERTY => promote(accessor).get,
        other => other,
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
        if is_data(world, of_meta) || found.is_unbound() && !of_meta.is_unbound() {
            return bound(world, of_meta, Value::Class(object), depth);
        }
    }
    match found {
        Value::Unbound => special::get(world, Value::Class(object), name, depth),
        Value::Accessor(accessor) => {
            let accessor = promote(accessor);
            match accessor.kind {
                STATIC => Ok(accessor.get),
                CLASS => Ok(method_of(accessor.get, Value::Class(object))),
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
        Value::Unbound => special::of_super(world, object, name),
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
        Value::Unbound => Err(special::no_context(world, object, name)),
        Value::Function(_) | Value::Native(_) => Ok((found, object)),
        _ => Ok((bound(world, found, object, depth)?, Value::Unbound)),
    }
}

/// Writes an attribute.
#[inline]
pub fn set(
    world: Gc<World>,
    object: Value,
    name: Gc<Str>,
    value: Value,
    depth: i64,
) -> Result<(), Thrown> {
    match object {
        Value::Instance(instance) => {
            let class = instance::class(instance);
            let hook = class::lookup(class, world.names[names::SETATTR]);
            if let Value::Function(hook) = hook {
                let name = Value::Str(crate::heap::value::text_of(name));
                call::function(world, hook, call::three(object, name, value), depth)?;
                return Ok(());
            }
            set_plain(world, instance, name, value, depth)
        }
        Value::Class(class) if !class.builtin => {
            if let Some(meta) = promote(class).meta {
                let hook = class::lookup(meta, world.names[names::SETATTR]);
                if let Value::Function(hook) = hook {
                    let name = Value::Str(crate::heap::value::text_of(name));
                    call::function(world, hook, call::three(object, name, value), depth)?;
                    return Ok(());
                }
            }
            class::set_attribute(class, name, value);
            Ok(())
        }
        Value::Module(module) => {
            let module = promote(module);
            set_global(variables::global_of(world, module, name), value);
            Ok(())
        }
        _ => special::set(world, object, name, value),
    }
}

/// Writes an attribute of an instance as `object.__setattr__` does.
#[inline]
pub fn set_plain(
    world: Gc<World>,
    object: Gc<Instance>,
    name: Gc<Str>,
    value: Value,
    depth: i64,
) -> Result<(), Thrown> {
    let class = instance::class(object);
    let found = class::lookup(class, name);
    match found {
        Value::Accessor(accessor) if promote(accessor).kind == PROPERTY => {
            let accessor = promote(accessor);
            let args = call::two(Value::Instance(object), value);
            match accessor.set {
                Value::Function(function) => {
                    call::function(world, function, args, depth)?;
                    Ok(())
                }
                Value::None => Err(special::no_setter(world, Value::Instance(object), name)),
                setter => {
                    call::outside(world, setter, call::copied(args), None, depth)?;
                    Ok(())
                }
            }
        }
        Value::Instance(descriptor) => {
            let setter = class::lookup(instance::class(descriptor), world.names[names::SET]);
            if setter.is_unbound() {
                instance::set(object, name, value);
                return Ok(());
            }
            let args = call::two(Value::Instance(object), value);
            call::method_of_descriptor(world, setter, found, args, depth)?;
            Ok(())
        }
        _ => {
            if special::set_on_instance(world, object, name, value)? {
                return Ok(());
            }
            if !class::allows(class, name) {
                return Err(special::no_slot(
                    world,
                    Value::Instance(object),
                    name,
                    found,
                ));
            }
            instance::set(object, name, value);
            Ok(())
        }
    }
}

/// Removes an attribute.
#[opaque]
pub fn delete(world: Gc<World>, object: Value, name: Gc<Str>, depth: i64) -> Result<(), Thrown> {
    let is_deleted = match object {
        Value::Instance(instance) => {
            let class = instance::class(instance);
            let hook = class::lookup(class, world.names[names::DELATTR]);
            if !hook.is_unbound() {
                let args = call::one(Value::Str(crate::heap::value::text_of(name)));
                call::method(world, hook, object, args, depth + 1)?;
                return Ok(());
            }
            let found = class::lookup(class, name);
            if let Value::Accessor(accessor) = found
                && accessor.kind == PROPERTY
            {
                if accessor.delete.is_none() {
                    return Err(special::no_deleter(world, object, name));
                }
                call::value(world, accessor.delete, call::one(object), depth + 1)?;
                return Ok(());
            }
            if let Value::Instance(descriptor) = found {
                let class = instance::class(descriptor);
                let deleter = class::lookup(class, world.names[names::DELETE]);
                if !deleter.is_unbound() {
                    call::method(world, deleter, found, call::one(object), depth + 1)?;
                    return Ok(());
                }
            }
            instance::delete(instance, name)
        }
        Value::Class(class) if !class.builtin => {
            if let Some(meta) = class.meta {
                let hook = class::lookup(meta, world.names[names::DELATTR]);
                if let Value::Function(_) = hook {
                    let args = call::one(Value::Str(crate::heap::value::text_of(name)));
                    call::method(world, hook, object, args, depth + 1)?;
                    return Ok(());
                }
            }
            class::delete_attribute(class, name)
        }
        Value::Module(module) => {
            let global = variables::global_of(world, module, name);
            let was_there = !global.value.get().is_unbound();
            set_global(global, Value::Unbound);
            was_there
        }
        _ => false,
    };
    match is_deleted {
        true => Ok(()),
        false => Err(special::not_deleted(world, object, name)),
    }
}
