//! Methods of exceptions and properties. In: arguments. Out: results.

use super::given::Given;
use super::names::*;
use crate::heap::class::Class;
use crate::heap::exception::{self, Thrown, part};
use crate::heap::function::Keywords;
use crate::heap::instance;
use crate::heap::value::{Accessor, PROPERTY, Registers, Tuple, Value, text};
use crate::heap::world::{World, classes, intern, type_name};
use crate::plain::fault;
use crate::run::call;
use crate::run::objects::import;
use crate::run::text::show;
use verdigris::{List, prelude::*};

/// Makes a builtin exception with arguments by keyword.
///
/// # Errors
/// That it takes none.
#[opaque]
pub fn with_keywords(
    world: Gc<World>,
    class: Gc<Class>,
    _values: Registers,
    _keywords: Option<Gc<Keywords>>,
    _depth: i64,
) -> Result<Value, Thrown> {
    let message = format!("{}() takes no keyword arguments", class.name_text());
    Err(fault::type_error(world, &message))
}

/// Makes a group of exceptions.
///
/// # Errors
/// A `TypeError` or `ValueError` if it cannot be made of this.
#[opaque]
pub fn group(world: Gc<World>, class: Gc<Class>, args: Tuple, depth: i64) -> Result<Value, Thrown> {
    if args.len() != 2 {
        let count = args.len();
        let message =
            format!("BaseExceptionGroup.__new__() takes exactly 2 arguments ({count} given)");
        return Err(fault::type_error(world, &message));
    }
    let given = [Value::Class(class), args[0].get(), args[1].get()];
    match import::call(world, "_groups", "checked", &given, depth)? {
        Value::Class(class) => Ok(Value::Instance(exception::make(class, args))),
        _ => Err(fault::type_error(world, "a group needs exceptions")),
    }
}

/// Calls such a method. `whole` is what it was called for.
///
/// # Errors
/// What it raises.
pub fn call(given: Given, whole: Value) -> Result<Value, Thrown> {
    given.check_keywords(&[])?;
    match (given.id, given.at(0)) {
        (BASEEXCEPTION_INIT..=BASEEXCEPTION_REPR, Value::Instance(own))
        | (BASEEXCEPTION_WITH_TRACEBACK | BASEEXCEPTION_ADD_NOTE, Value::Instance(own))
            if exception::is_exception(Value::Instance(own)) =>
        {
            of_exception(given, own)
        }
        (PROPERTY_GETTER..=PROPERTY_DELETER, Value::Accessor(own)) if own.kind == PROPERTY => {
            let function = given.at(1);
            let (mut get, mut set, mut delete) = (own.get, own.set, own.delete);
            match given.id {
                PROPERTY_GETTER => get = function,
                PROPERTY_SETTER => set = function,
                _ => delete = function,
            }
            if let Value::Instance(instance) = whole {
                // A property of a program's class has others of it made.
                let class = Value::Class(instance.map.get().class);
                let args = call::three(get, set, delete);
                return call::value(given.world, class, args, given.depth);
            }
            Ok(Value::Accessor(Gc::new(Accessor {
                kind: PROPERTY,
                get,
                set,
                delete,
                doc: Cell::new(own.doc.get()),
            })))
        }
        _ => Err(given.wrong_object()),
    }
}

/// `exception.add_note(note)`
fn add_note(given: Given, own: Thrown) -> Result<Value, Thrown> {
    let (world, note) = (given.world, given.at(1));
    if !matches!(instance::plain(note), Value::Str(_)) {
        let class = type_name(world, note);
        return Err(given.type_error(&format!("note must be a str, not '{class}'")));
    }
    let name = intern(world, "__notes__");
    match instance::get(own, name) {
        Value::List(notes) => notes.push(note),
        Value::Unbound => {
            let notes = List::new();
            notes.push(note);
            instance::set(own, name, Value::List(notes));
        }
        _ => return Err(given.type_error("Cannot add note: __notes__ is not a list")),
    }
    Ok(Value::None)
}

fn of_exception(given: Given, own: Thrown) -> Result<Value, Thrown> {
    let world = given.world;
    match given.id {
        BASEEXCEPTION_WITH_TRACEBACK => {
            match given.at(1) {
                Value::None => part(own).traceback.set(None),
                Value::Traceback(traceback) => part(own).traceback.set(Some(traceback)),
                _ => {
                    let message = "__traceback__ must be a traceback or None";
                    return Err(given.type_error(message));
                }
            }
            Ok(given.at(0))
        }
        BASEEXCEPTION_ADD_NOTE => add_note(given, own),
        BASEEXCEPTION_INIT => {
            let args = crate::heap::value::Tuple::new(given.count() - 1, Value::Unbound);
            for n in 1..given.count() {
                args[n - 1].set(given.at(n));
            }
            part(own).args.set(Value::Tuple(args));
            Ok(Value::None)
        }
        BASEEXCEPTION_STR => {
            let plain = exception::make(
                world.classes[classes::EXCEPTION],
                crate::heap::value::Tuple::new(0, Value::Unbound),
            );
            part(plain).args.set(part(own).args.get());
            Ok(text(&show::text(
                world,
                Value::Instance(plain),
                given.depth,
            )?))
        }
        _ => Ok(text(&show::plain_repr(world, own, given.depth)?)),
    }
}
