//! Methods of lists, tuples, ranges and slices. In: arguments. Out: results.

use super::given::Given;
use super::names::*;
use super::{collect, sorting};
use crate::heap::exception::Thrown;
use crate::heap::value::{Tuple, Value};
use crate::heap::world::classes;
use crate::plain::fault;
use crate::run::items::slice;
use crate::run::operators::contains;
use verdigris::{List, prelude::*};

/// Calls such a method.
///
/// # Errors
/// What it raises.
pub fn call(given: Given) -> Result<Value, Thrown> {
    let (world, depth) = (given.world, given.depth);
    if given.id != LIST_SORT {
        given.check_keywords(&[])?;
    }
    let list = match (given.id, given.at(0)) {
        (TUPLE_INDEX | TUPLE_COUNT, Value::Tuple(_))
        | (RANGE_INDEX | RANGE_COUNT, Value::Range(_)) => {
            collect::list_of(world, given.at(0), depth)?
        }
        (TUPLE_INDEX | TUPLE_COUNT | RANGE_INDEX | RANGE_COUNT, _) => {
            return Err(given.wrong_object());
        }
        (_, Value::List(list)) => list,
        _ => return Err(given.wrong_object()),
    };
    match given.id {
        LIST_APPEND => list.push(given.at(1)),
        LIST_INIT => {
            list.clear();
            if !given.at(1).is_unbound() {
                let all = given.at(1);
                crate::run::items::build::extend(world, given.at(0), all, depth)?;
            }
        }
        LIST_EXTEND => crate::run::items::build::extend(world, given.at(0), given.at(1), depth)?,
        LIST_INSERT => {
            let len = list.len() as i64;
            let index = given.int(given.at(1))?;
            let index = if index < 0 { index + len } else { index };
            list.insert(index.clamp(0, len) as usize, given.at(2));
        }
        LIST_POP => return pop(given, list),
        LIST_REMOVE => {
            let found = position(given, list, 0, list.len())?;
            match found {
                Some(n) => drop(list.remove(n)),
                None => return Err(given.value_error("list.remove(x): x not in list")),
            }
        }
        LIST_CLEAR => list.clear(),
        LIST_INDEX | TUPLE_INDEX | RANGE_INDEX => return index(given, list),
        LIST_COUNT | TUPLE_COUNT | RANGE_COUNT => {
            let mut count = 0;
            let mut n = 0;
            while n < list.len() {
                if contains::same_or_equal(world, list.at(n), given.at(1), depth)? {
                    count += 1;
                }
                n += 1;
            }
            return Ok(Value::Int(count));
        }
        LIST_SORT => {
            given.check_keywords(&["key", "reverse"])?;
            sorting::sort(given, list)?;
        }
        LIST_REVERSE => list.reverse(),
        _ => return Ok(Value::List(list.slice(0, list.len()))),
    }
    Ok(Value::None)
}

fn pop(given: Given, list: Gc<List<Value>>) -> Result<Value, Thrown> {
    if list.is_empty() {
        let message = "pop from empty list";
        return Err(fault::new(given.world, classes::INDEX_ERROR, message));
    }
    let len = list.len() as i64;
    let index = match given.at(1) {
        Value::Unbound => -1,
        index => given.int(index)?,
    };
    let index = if index < 0 { index + len } else { index };
    if !(0..len).contains(&index) {
        let message = "pop index out of range";
        return Err(fault::new(given.world, classes::INDEX_ERROR, message));
    }
    Ok(list.remove(index as usize))
}

/// The first place of the second argument.
fn position(
    given: Given,
    list: Gc<List<Value>>,
    from: usize,
    to: usize,
) -> Result<Option<usize>, Thrown> {
    let mut n = from;
    while n < to.min(list.len()) {
        if contains::same_or_equal(given.world, list.at(n), given.at(1), given.depth)? {
            return Ok(Some(n));
        }
        n += 1;
    }
    Ok(None)
}

fn index(given: Given, list: Gc<List<Value>>) -> Result<Value, Thrown> {
    let len = list.len() as i64;
    let bound = |n: usize, default: i64| match given.at(n) {
        Value::Unbound => Ok(default),
        bound => {
            let bound = given.int(bound)?;
            Ok(if bound < 0 {
                (bound + len).max(0)
            } else {
                bound
            }
            .min(len))
        }
    };
    let (from, to) = (bound(2, 0)?, bound(3, len)?);
    match position(given, list, from as usize, to as usize)? {
        Some(n) => Ok(Value::Int(n as i64)),
        None => {
            let message = match given.id {
                TUPLE_INDEX => "tuple.index(x): x not in tuple".to_string(),
                RANGE_INDEX => {
                    let shown =
                        crate::run::text::show::repr(given.world, given.at(1), given.depth)?;
                    format!("{shown} is not in range")
                }
                _ => {
                    let shown =
                        crate::run::text::show::repr(given.world, given.at(1), given.depth)?;
                    format!("{shown} is not in list")
                }
            };
            Err(given.value_error(&message))
        }
    }
}

/// `slice.indices(length)`
///
/// # Errors
/// That a bound is no integer.
pub fn indices(given: Given) -> Result<Value, Thrown> {
    given.check_keywords(&[])?;
    let Value::Slice(own) = given.at(0) else {
        return Err(given.wrong_object());
    };
    let Ok(len) = usize::try_from(given.int(given.at(1))?) else {
        return Err(given.value_error("length should not be negative"));
    };
    let (start, stop, step) = slice::bounds(given.world, own, len, given.depth)?;
    let made = Tuple::new(3, Value::Unbound);
    for (n, bound) in [start, stop, step].into_iter().enumerate() {
        made[n].set(Value::Int(bound));
    }
    Ok(Value::Tuple(made))
}
