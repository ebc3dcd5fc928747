//! What classes are made by and what they have: `type` and its methods, and `__new__` of builtin
//! classes, which makes instances of classes that derive from them. In: arguments. Out: results.

use super::convert;
use super::given::Given;
use super::names::*;
use crate::heap::class::{self, Class};
use crate::heap::dict;
use crate::heap::exception::Thrown;
use crate::heap::instance;
use crate::heap::value::{Registers, Value};
use crate::heap::world::{classes, interned};
use crate::run::call;
use crate::run::objects::refuse;
use crate::run::objects::types;
use verdigris::{List, prelude::*};

/// Calls such a function.
///
/// # Errors
/// What it raises.
pub fn call(given: Given, own: Value) -> Result<Value, Thrown> {
    let world = given.world;
    let Value::Class(class) = own else {
        let message = format!("type.{}(X): X is not a type object", given.name());
        return Err(given.type_error(&message));
    };
    match given.id {
        DATA_NEW => Ok(match class.builtin {
            true => convert::make(class, behind(given))?,
            false => instance_of(given, class)?,
        }),
        TYPE_NEW => types::called(behind(given), class),
        TYPE_INIT => Ok(Value::None),
        TYPE_CALL => call::make(world, class, behind(given).args, given.depth),
        TYPE_SETATTR | TYPE_DELATTR if class.builtin => {
            let message = format!("cannot change type '{}'", class.name_text());
            Err(given.type_error(&message))
        }
        TYPE_SETATTR => {
            let name = interned(world, given.text(1)?.data);
            class::set_attribute(class, name, given.at(2));
            Ok(Value::None)
        }
        TYPE_DELATTR => {
            let name = interned(world, given.text(1)?.data);
            match class::delete_attribute(class, name) {
                true => Ok(Value::None),
                false => Err(refuse::not_deleted(world, own, name)),
            }
        }
        TYPE_SUBCLASSES => {
            let made = List::new();
            for n in 0..class.derived.len() {
                made.push(Value::Class(class.derived.at(n)));
            }
            Ok(Value::List(made))
        }
        _ => {
            let made = List::new();
            let order = class.order.get();
            (0..order.len()).for_each(|n| made.push(Value::Class(order[n])));
            Ok(Value::List(made))
        }
    }
}

/// The arguments behind the first.
pub fn behind(given: Given) -> Given {
    let args = given.args;
    let values = Registers::new(args.count - 1, Value::Unbound);
    for n in 1..args.count {
        values[n - 1].set(args.at(n));
    }
    Given::new(given.world, usize::MAX, values, args.keywords, given.depth)
}

/// An instance of a class that derives from a builtin one. What can be changed is empty at first.
fn instance_of(given: Given, class: Gc<Class>) -> Result<Value, Thrown> {
    let inner = match class.layout {
        classes::LIST => Value::List(List::new()),
        classes::DICT => Value::Dict(dict::new()),
        classes::SET => Value::Set(dict::new()),
        classes::BYTEARRAY => Value::ByteArray(List::new()),
        layout => convert::make(given.world.classes[layout], behind(given))?,
    };
    Ok(Value::Instance(instance::new(class, inner)))
}
