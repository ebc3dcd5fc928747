//! What classes, functions, descriptors and exceptions have as methods, and what the library asks
//! of the machine. In: arguments. Out: results.

use super::evaluate;
use super::given::Given;
use super::names::*;
use crate::heap::class;
use crate::heap::dict;
use crate::heap::exception::Thrown;
use crate::heap::export;
use crate::heap::function::BoundMethod;
use crate::heap::instance;
use crate::heap::value::{CLASS, PROPERTY, STATIC, Tuple, Value, text};
use crate::heap::weak;
use crate::heap::world::{class_of, classes, interned, type_name};
use crate::plain::fault;
use crate::run::call;
use crate::run::items::iterate;
use crate::run::objects::write;
use crate::run::objects::{attribute, finalize, import};
use crate::run::text::show;
use verdigris::{List, prelude::*};

type Outcome = Result<Value, Thrown>;

/// Calls a method that classes have.
///
/// # Errors
/// What it raises.
pub fn of_class(given: Given) -> Outcome {
    let (world, depth) = (given.world, given.depth);
    let Value::Class(own) = given.at(0) else {
        return Err(given.wrong_object());
    };
    match given.id {
        META_INSTANCECHECK => {
            let class = class_of(world, given.at(1));
            Ok(Value::Bool(class::derives(class, own)))
        }
        META_SUBCLASSCHECK => match given.at(1) {
            Value::Class(class) => Ok(Value::Bool(class::derives(class, own))),
            _ => Err(given.type_error("issubclass() arg 1 must be a class")),
        },
        META_PREPARE => Ok(Value::Dict(dict::new())),
        META_GETATTRIBUTE => {
            let name = interned(world, given.text(1)?.data);
            attribute::plain_get(world, given.at(0), name, depth)
        }
        META_REPR => Ok(text(&show::plain_class(own))),
        _ => evaluate::names_of(given, given.at(0)),
    }
}

/// Calls a method of code or of an activation.
///
/// # Errors
/// What it raises.
pub fn of_code(given: Given) -> Outcome {
    let Value::Code(code) = given.at(0) else {
        return match given.at(0) {
            Value::Frame(_) => Ok(Value::None),
            _ => Err(given.wrong_object()),
        };
    };
    let made = List::new();
    for (pc, &line) in code.lines.as_slice().iter().enumerate() {
        let line = Value::Int(i64::from(line));
        let (first, second) = (Value::Int(pc as i64 * 2), Value::Int(pc as i64 * 2 + 2));
        let row = match given.id {
            CODE_POSITIONS => [line, Value::None, Value::None, Value::None],
            _ => [first, second, line, Value::Unbound],
        };
        let len = row.iter().filter(|value| !value.is_unbound()).count();
        let tuple = Tuple::new(len, Value::Unbound);
        (0..len).for_each(|n| tuple[n].set(row[n]));
        made.push(Value::Tuple(tuple));
    }
    iterate::start(given.world, Value::List(made), given.depth)
}

/// Calls a method by which functions and the like are found in objects, or called. `own` is what it
/// was called for.
///
/// # Errors
/// What it raises.
pub fn of_descriptor(given: Given, own: Value) -> Outcome {
    let (world, depth) = (given.world, given.depth);
    let (inner, object) = (given.at(0), given.at(1));
    match given.id {
        DESCRIPTOR_GET => {
            let class = match given.at(2) {
                Value::Unbound | Value::None if object.is_none() => {
                    return Err(given.type_error("__get__(None, None) is invalid"));
                }
                Value::Unbound | Value::None => Value::Class(class_of(world, object)),
                class => class,
            };
            let none = Value::Class(world.classes[classes::NONE]);
            get(
                given,
                (own, inner),
                object,
                class,
                object.is_none() && class != none,
            )
        }
        DESCRIPTOR_CALL => {
            let args = super::types::behind(given).args;
            call::value(world, inner, args, depth)
        }
        _ => {
            let Value::Accessor(accessor) = inner else {
                return Err(given.wrong_object());
            };
            let is_set = given.id == DESCRIPTOR_SET;
            if accessor.kind != PROPERTY {
                let Value::Str(name) = accessor.get else {
                    return Err(given.wrong_object());
                };
                let name = interned(world, name.data);
                match is_set {
                    true => write::set(world, object, name, given.at(2), depth)?,
                    false => write::delete(world, object, name, depth)?,
                }
                return Ok(Value::None);
            }
            let (function, args, what) = match is_set {
                true => (accessor.set, call::two(object, given.at(2)), "setter"),
                false => (accessor.delete, call::one(object), "deleter"),
            };
            if function.is_none() {
                let class = type_name(world, object);
                let message = format!("property of '{class}' object has no {what}");
                return Err(fault::new(world, classes::ATTRIBUTE_ERROR, &message));
            }
            call::value(world, function, args, depth)?;
            Ok(Value::None)
        }
    }
}

/// What a descriptor gives for an object, or for a class alone.
fn get(
    given: Given,
    (own, inner): (Value, Value),
    object: Value,
    class: Value,
    is_of_class: bool,
) -> Outcome {
    let (world, depth) = (given.world, given.depth);
    match inner {
        Value::Function(_) | Value::Native(_) if is_of_class => Ok(own),
        Value::Function(_) | Value::Native(_) => Ok(Value::Method(Gc::new(BoundMethod {
            function: inner,
            object,
        }))),
        Value::Accessor(accessor) => match accessor.kind {
            STATIC => Ok(accessor.get),
            CLASS => attribute::class_method(world, accessor.get, class, depth),
            _ if is_of_class => Ok(own),
            _ => attribute::bound(world, inner, object, depth),
        },
        _ => Ok(own),
    }
}

/// Calls a method of a group of exceptions, which is written in Python.
///
/// # Errors
/// What it raises.
pub fn of_group(given: Given) -> Outcome {
    let args = [given.at(0), given.at(1)];
    import::call(given.world, "_groups", given.name(), &args, given.depth)
}

/// What the library asks of the machine.
///
/// # Errors
/// What it raises.
pub fn of_machine(given: Given) -> Outcome {
    let (world, depth) = (given.world, given.depth);
    match given.id {
        WEAK_NEW => weak::to(given.at(0)).ok_or_else(|| {
            let class = type_name(world, given.at(0));
            given.type_error(&format!("cannot create weak reference to '{class}' object"))
        }),
        WEAK_TARGET => match given.at(0) {
            Value::Weak(known) => Ok(weak::target(known).unwrap_or(Value::None)),
            _ => Err(given.wrong_object()),
        },
        COLLECT => {
            finalize::collect(world, depth)?;
            Ok(Value::None)
        }
        BUFFER_EXPORT => match (given.at(0), given.at(1)) {
            (Value::ByteArray(array), Value::Instance(view)) => {
                export::begin(world.exports, array, view);
                Ok(Value::None)
            }
            _ => Err(given.wrong_object()),
        },
        BUFFER_RELEASE => match given.at(0) {
            Value::Instance(view) => {
                export::end(world.exports, view);
                Ok(Value::None)
            }
            _ => Err(given.wrong_object()),
        },
        IMPORT_BY_NAME => {
            let name = given.text(0)?;
            let wants_top = given.at(1) == Value::Bool(true);
            import::by_name(world, name.as_str(), wants_top, depth)
        }
        _ => {
            let name = given.text(0)?;
            Ok(Value::Module(import::new_module(
                world,
                name.as_str(),
                "",
                "",
            )))
        }
    }
}

/// `__import__(name, globals, locals, fromlist, level)`
///
/// # Errors
/// What importing raises.
pub fn import_function(given: Given) -> Outcome {
    given.check_keywords(&["name", "globals", "locals", "fromlist", "level"])?;
    let (world, depth) = (given.world, given.depth);
    let Value::Str(name) = given.named(0, "name") else {
        return Err(given.type_error("__import__() argument 1 must be str"));
    };
    let mut name = name.as_str().to_string();
    if let Value::Int(level @ 1..) = given.named(4, "level") {
        let package = text("__package__");
        let globals = given.named(1, "globals");
        let Value::Str(package) =
            crate::run::items::subscript::get(world, globals, package, depth)?
        else {
            let message = "attempted relative import with no known parent package";
            return Err(fault::new(world, classes::IMPORT_ERROR, message));
        };
        let parts: Vec<&str> = package.as_str().split('.').collect();
        let kept = (parts.len() + 1).saturating_sub(level as usize);
        let around = parts[..kept.min(parts.len())].join(".");
        name = match name.is_empty() {
            true => around,
            false => format!("{around}.{name}"),
        };
    }
    let wanted = match given.named(3, "fromlist") {
        Value::Unbound | Value::None => List::new(),
        all => super::collect::list_of(world, all, depth)?,
    };
    let module = import::by_name(world, &name, wanted.is_empty(), depth)?;
    for n in 0..wanted.len() {
        if let Value::Str(own) = instance::plain(wanted.at(n))
            && own.as_str() != "*"
        {
            // What is no module there is left to who asks for it.
            let _ = import::member(world, module, interned(world, own.data), depth);
        }
    }
    Ok(module)
}
