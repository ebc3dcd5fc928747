//! Writing and removing attributes. In: objects, names, values. Out: exceptions, where that is not
//! possible or the program's own methods raise. Invariant: as CPython's `object.__setattr__`: a
//! descriptor of the class that can be written comes before the instance's own attributes.

use crate::heap::class;
use crate::heap::exception::Thrown;
use crate::heap::function::set_global;
use crate::heap::instance::{self, Instance};
use crate::heap::places;
use crate::heap::value::{PROPERTY, Value};
use crate::heap::variables;
use crate::heap::world::{World, names};
use crate::run::call;
use crate::run::objects::{assign, introspect, refuse};
use verdigris::{Str, prelude::*};

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
            assign::set_on_class(world, class, name, value)
        }
        Value::Module(module) => {
            let module = promote(module);
            set_global(variables::global_of(world, module, name), value);
            Ok(())
        }
        _ => assign::set(world, object, name, value, depth),
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
                Value::None => Err(refuse::no_setter(world, Value::Instance(object), name)),
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
            if assign::set_on_instance(world, object, name, value)? {
                return Ok(());
            }
            if !class::allows(class, name) {
                return Err(refuse::no_slot(world, Value::Instance(object), name, found));
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
                call::method(world, hook, object, args, places::below(world, depth))?;
                return Ok(());
            }
            let found = class::lookup(class, name);
            if let Value::Accessor(accessor) = found
                && accessor.kind == PROPERTY
            {
                if accessor.delete.is_none() {
                    return Err(refuse::no_deleter(world, object, name));
                }
                call::value(
                    world,
                    accessor.delete,
                    call::one(object),
                    places::below(world, depth),
                )?;
                return Ok(());
            }
            if let Value::Instance(descriptor) = found {
                let class = instance::class(descriptor);
                let deleter = class::lookup(class, world.names[names::DELETE]);
                if !deleter.is_unbound() {
                    call::method(
                        world,
                        deleter,
                        found,
                        call::one(object),
                        places::below(world, depth),
                    )?;
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
                    call::method(world, hook, object, args, places::below(world, depth))?;
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
        Value::Function(function) => introspect::delete_on_function(world, function, name)?,
        _ => false,
    };
    match is_deleted {
        true => Ok(()),
        false => Err(refuse::not_deleted(world, object, name)),
    }
}
