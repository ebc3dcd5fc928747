//! Methods of dicts. In: arguments. Out: results.

use super::collect;
use super::convert::add_keywords;
use super::given::Given;
use super::hot::view;
use super::names::*;
use crate::heap::dict;
use crate::heap::exception::Thrown;
use crate::heap::value::{ITEMS, KEYS, VALUES, Value, pair};
use crate::heap::world::classes;
use crate::plain;
use crate::plain::fault;
use crate::run::items::iterate;
use crate::run::items::keys;

/// Calls such a method.
///
/// # Errors
/// What it raises.
pub fn call(given: Given) -> Result<Value, Thrown> {
    let (world, depth) = (given.world, given.depth);
    if !matches!(given.id, DICT_UPDATE | DICT_INIT) {
        given.check_keywords(&[])?;
    }
    if given.id == DICT_FROMKEYS {
        let value = match given.at(2) {
            Value::Unbound => Value::None,
            value => value,
        };
        let made = dict::new();
        let all = collect::list_of(world, given.at(1), depth)?;
        for n in 0..all.len() {
            keys::put(world, made, all.at(n), value, depth)?;
        }
        return Ok(Value::Dict(made));
    }
    let Value::Dict(own) = given.at(0) else {
        return Err(given.wrong_object());
    };
    let key = given.at(1);
    let default = |default: Value| match default {
        Value::Unbound => Value::None,
        other => other,
    };
    match given.id {
        DICT_GET => match keys::get(world, own, key, depth)? {
            Value::Unbound => Ok(default(given.at(2))),
            found => Ok(found),
        },
        DICT_KEYS => Ok(view(own, KEYS)),
        DICT_VALUES => Ok(view(own, VALUES)),
        DICT_ITEMS => Ok(view(own, ITEMS)),
        DICT_POP => match keys::remove(world, own, key, depth)? {
            Value::Unbound => match given.at(2) {
                Value::Unbound => Err(fault::no_key(world, key)),
                default => Ok(default),
            },
            found => Ok(found),
        },
        DICT_POPITEM => match plain::entries(own).last() {
            None => {
                let text = "popitem(): dictionary is empty";
                Err(fault::new(world, classes::KEY_ERROR, text))
            }
            Some(entry) => {
                let found = own.keys.get()[entry].get();
                Ok(pair(found, dict::remove(own, entry)))
            }
        },
        DICT_SETDEFAULT => match keys::get(world, own, key, depth)? {
            Value::Unbound => {
                let value = default(given.at(2));
                keys::put(world, own, key, value, depth)?;
                Ok(value)
            }
            found => Ok(found),
        },
        DICT_UPDATE | DICT_INIT => {
            if !key.is_unbound() {
                let is_fine = iterate::is_iterable(world, key) || matches!(key, Value::Instance(_));
                if !is_fine {
                    return Err(fault::about(world, fault::NOT_ITERABLE, key));
                }
                collect::add_pairs(world, own, key, depth)?;
            }
            add_keywords(given, own)?;
            Ok(Value::None)
        }
        DICT_CLEAR => {
            dict::clear(own);
            Ok(Value::None)
        }
        _ => Ok(Value::Dict(dict::copy(own))),
    }
}
