//! What every object has, for those that override it. In: arguments. Out: results.

use super::given::Given;
use super::names::*;
use super::{collect, evaluate, exceptions, sorting};
use crate::heap::class;
use crate::heap::exception::Thrown;
use crate::heap::hashing;
use crate::heap::instance;
use crate::heap::value::{Value, text, text_of};
use crate::heap::world::{class_of, classes, interned, names};
use crate::run::call;
use crate::run::items::keys;
use crate::run::objects::refuse;
use crate::run::objects::write;
use crate::run::objects::{attribute, import};
use crate::run::operators::truth;
use crate::run::text::show;
use verdigris::{Str, prelude::*};

/// Calls such a method.
///
/// # Errors
/// What it raises.
pub fn call(given: Given) -> Result<Value, Thrown> {
    let (world, depth) = (given.world, given.depth);
    let a = given.at(0);
    match (given.id, a) {
        (OBJECT_INIT_SUBCLASS, _) => match (a, given.args.keywords) {
            (Value::Class(class), Some(_)) => {
                let name = class.name_text();
                let message = format!("{name}.__init_subclass__() takes no keyword arguments");
                Err(given.type_error(&message))
            }
            _ => Ok(Value::None),
        },
        (OBJECT_NEW, Value::Class(class)) => {
            let native = match class.layout {
                classes::BASE_EXCEPTION => {
                    let args = crate::heap::value::Tuple::new(given.count() - 1, Value::Unbound);
                    for n in 1..given.count() {
                        args[n - 1].set(given.at(n));
                    }
                    let groups = world.classes[classes::BASE_EXCEPTION_GROUP];
                    if crate::heap::class::derives(class, groups) {
                        return exceptions::group(world, class, args, depth);
                    }
                    return Ok(Value::Instance(crate::heap::exception::make(class, args)));
                }
                _ => Value::None,
            };
            Ok(Value::Instance(instance::new(class, native)))
        }
        (OBJECT_INIT, _) => Ok(Value::None),
        (OBJECT_REPR, Value::Instance(own)) => Ok(text(&show::plain_repr(world, own, depth)?)),
        (OBJECT_REPR, _) => Ok(text(&show::plain_object(world, a))),
        (OBJECT_GETATTRIBUTE, _) => attribute::plain_get(world, a, name(given)?, depth),
        (OBJECT_SUBCLASSHOOK | OBJECT_LT..=OBJECT_GE, _) => Ok(Value::NotImplemented),
        (OBJECT_DIR, _) => evaluate::names_of(given, a),
        (OBJECT_REDUCE_EX, _) => {
            let args = [a, given.at(1)];
            import::call(world, "_reduce", "reduced", &args, depth)
        }
        (OBJECT_REDUCE, _) => {
            let args = [a, Value::Int(0)];
            import::call(world, "_reduce", "plainly_reduced", &args, depth)
        }
        (OBJECT_GETSTATE, _) => import::call(world, "_reduce", "state", &[a], depth),
        (OBJECT_STR, _) => Ok(text(&show::repr(world, a, depth)?)),
        (OBJECT_EQ, _) => Ok(match crate::heap::value::is(a, given.at(1)) {
            true => Value::Bool(true),
            false => Value::NotImplemented,
        }),
        (OBJECT_NE, _) => {
            let own = class::lookup(class_of(world, a), world.names[names::EQ]);
            let equal = match own {
                Value::Unbound if crate::heap::value::is(a, given.at(1)) => Value::Bool(true),
                Value::Unbound => Value::NotImplemented,
                own => call::method(world, own, a, call::one(given.at(1)), depth)?,
            };
            match equal {
                Value::NotImplemented => Ok(equal),
                equal => Ok(Value::Bool(!truth::of(world, equal, depth)?)),
            }
        }
        (OBJECT_HASH, _) => Ok(Value::Int(hashing::of_object(a))),
        (OBJECT_SETATTR, Value::Instance(own)) => {
            let name = name(given)?;
            write::set_plain(world, own, name, given.at(2), depth)?;
            Ok(Value::None)
        }
        (OBJECT_SETATTR, _) if !matches!(a, Value::Class(_)) => {
            write::set(world, a, name(given)?, given.at(2), depth)?;
            Ok(Value::None)
        }
        (OBJECT_DELATTR, Value::Instance(own)) => {
            let name = name(given)?;
            match instance::delete(own, name) {
                true => Ok(Value::None),
                false => Err(refuse::not_deleted(world, a, name)),
            }
        }
        (OBJECT_FORMAT, _) => {
            let shown = show::text(world, a, depth)?;
            match given.at(1) {
                Value::Str(spec) if spec.chars == 0 => Ok(text(&shown)),
                _ => {
                    let class = crate::heap::world::type_name(world, a);
                    let message = format!("unsupported format string passed to {class}.__format__");
                    Err(given.type_error(&message))
                }
            }
        }
        _ => Err(given.missing(&format!("'object.{}()'", given.name()))),
    }
}

fn name(given: Given) -> Result<Gc<Str>, Thrown> {
    match given.at(1) {
        Value::Str(text) => Ok(interned(given.world, text.data)),
        _ => Err(given.type_error("attribute name must be string")),
    }
}

/// `vars(object)`
///
/// # Errors
/// A `TypeError` if it has no dict.
pub fn vars(given: Given, a: Value) -> Result<Value, Thrown> {
    let has_dict = match a {
        Value::Instance(own) => own.map.get().class.has_dict,
        Value::Class(_) | Value::Module(_) | Value::Function(_) => true,
        _ => false,
    };
    given.world.scope.set(Value::None);
    if !has_dict {
        return Err(given.type_error("vars() argument must have __dict__ attribute"));
    }
    let name = given.world.names[names::DICT];
    attribute::get(given.world, a, name, given.depth)
}

/// `dir(object)`
///
/// # Errors
/// What `__dir__` raises.
pub fn dir(given: Given, a: Value) -> Result<Value, Thrown> {
    let world = given.world;
    let all = crate::heap::dict::new();
    let add = |name: Gc<Str>| keys::add(world, all, Value::Str(text_of(name)), given.depth);
    match a {
        Value::Module(module) => {
            let names = module.globals.keys();
            for n in 0..names.len() {
                let global = module.globals.get(names.at(n));
                if global.is_some_and(|global| !global.get().is_unbound()) {
                    add(names.at(n))?;
                }
            }
        }
        _ => {
            let found = evaluate::attributes(given, a)?;
            let found = collect::list_of(world, found, given.depth)?;
            for n in 0..found.len() {
                keys::add(world, all, found.at(n), given.depth)?;
            }
        }
    }
    world.scope.set(Value::None);
    let list = collect::list_of(world, Value::Set(all), given.depth)?;
    sorting::sort(given, list)?;
    Ok(Value::List(list))
}
