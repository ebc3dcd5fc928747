//! The hot builtin functions, in traced code. In: arguments. Out: results, or exceptions.
//! Invariant: what is here calls the program by the portal alone; whatever is no case of them is
//! done outside ([`super::outside()`]).

use super::names::*;
use super::{bad_length, hot_strings, make_outside, outside};
use crate::heap::class::{self, Class};
use crate::heap::dict;
use crate::heap::exception::Thrown;
use crate::heap::function::Native;
use crate::heap::hashing;
use crate::heap::instance;
use crate::heap::value::{ITEMS, KEYS, Range, Super, VALUES, Value, View, pair};
use crate::heap::world::{World, class_of, classes, names as special};
use crate::plain::fault;
use crate::plain::number;
use crate::run::call::consume;
use crate::run::call::generator;
use crate::run::call::{self, Args};
use crate::run::items::iterate;
use crate::run::items::keys;
use verdigris::prelude::*;

/// Calls a builtin function.
///
/// # Errors
/// What it raises.
#[inline]
pub fn call(world: Gc<World>, native: Gc<Native>, args: Args, depth: i64) -> Result<Value, Thrown> {
    if args.keywords.is_none() {
        // A method of a builtin class works on what an instance has of that.
        let a = match native.class {
            Some(_) => instance::plain(args.at(0)),
            None => args.at(0),
        };
        let hot = match args.count {
            1 => of_one(world, native.id, a, depth)?,
            2 => of_two(world, native.id, a, args.at(1), depth)?,
            3 => of_three(world, native.id, a, args.at(1), args.at(2), depth)?,
            _ => None,
        };
        if let Some(value) = hot {
            return Ok(value);
        }
    }
    let values = call::copied(args);
    let whole = consume::taken_whole(native.id);
    if whole < args.positional() {
        values[whole].set(consume::listed(world, values[whole].get(), depth)?);
    }
    outside(world, native, values, args.keywords, depth)
}

/// The hot functions of one argument; `None` if this is none of their cases.
#[inline]
fn of_one(world: Gc<World>, id: usize, a: Value, depth: i64) -> Result<Option<Value>, Thrown> {
    Ok(match (id, a) {
        (LEN, Value::List(list)) => Some(Value::Int(list.len() as i64)),
        (LEN, Value::Str(text)) => Some(Value::Int(text.chars as i64)),
        (LEN, Value::Tuple(tuple)) => Some(Value::Int(tuple.len() as i64)),
        (LEN, Value::Bytes(bytes)) => Some(Value::Int(bytes.len() as i64)),
        (LEN, Value::ByteArray(bytes)) => Some(Value::Int(bytes.len() as i64)),
        (LEN, Value::Dict(dict) | Value::Set(dict)) => Some(Value::Int(dict.live.get() as i64)),
        (ABS, Value::Int(x)) if x != i64::MIN => Some(Value::Int(if x < 0 { -x } else { x })),
        (ABS | MATH_FABS, Value::Float(x)) => Some(Value::Float(x.abs())),
        (ORD, Value::Str(text)) if text.chars == 1 && text.data.len() == 1 => {
            Some(Value::Int(text.data.byte_at(0) as i64))
        }
        (CHR, Value::Int(x)) if (0..128).contains(&x) => {
            Some(Value::Str(world.characters[x as usize]))
        }
        (LEN, Value::Instance(_)) => {
            let found = class::lookup(class_of(world, a), world.names[special::LEN]);
            let Value::Function(found) = found else {
                return Ok(None);
            };
            match call::function(world, found, call::one(a), depth)? {
                Value::Int(len) if len >= 0 => Some(Value::Int(len)),
                Value::Bool(b) => Some(Value::Int(b as i64)),
                other => return Err(bad_length(world, other)),
            }
        }
        (NEXT, Value::Instance(_)) => {
            let found = class::lookup(class_of(world, a), world.names[special::NEXT]);
            let Value::Function(found) = found else {
                return Ok(None);
            };
            Some(call::function(world, found, call::one(a), depth)?)
        }
        (NEXT, Value::Generator(generator)) => {
            let none = Value::None;
            let sent = generator::resume(world, generator, none, none, depth)?;
            if sent.done {
                return Err(fault::stop(world, sent.value));
            }
            Some(sent.value)
        }
        (OBJECT_NEW, Value::Class(class)) => {
            let class = promote(class);
            match class.layout {
                classes::OBJECT => Some(Value::Instance(instance::new(class, Value::None))),
                _ => None,
            }
        }
        (LIST_POP, Value::List(list)) => list.pop(),
        (DICT_KEYS, Value::Dict(dict)) => Some(view(dict, KEYS)),
        (DICT_VALUES, Value::Dict(dict)) => Some(view(dict, VALUES)),
        (DICT_ITEMS, Value::Dict(dict)) => Some(view(dict, ITEMS)),
        (MATH_SQRT, Value::Float(x)) if x >= 0.0 => Some(Value::Float(x.sqrt())),
        (MATH_SQRT, Value::Int(x)) if x >= 0 => Some(Value::Float((x as f64).sqrt())),
        (MATH_SIN, Value::Float(x)) if x.abs() < 1e15 => Some(Value::Float(x.sin())),
        (MATH_COS, Value::Float(x)) if x.abs() < 1e15 => Some(Value::Float(x.cos())),
        (MATH_FLOOR, Value::Float(x)) if x.abs() < 9e18 => Some(Value::Int(x.floor() as i64)),
        (_, Value::Str(text)) => hot_strings::of_one(world, id, text),
        (_, Value::Generator(generator)) => consume::of_one(world, id, generator, depth)?,
        _ => None,
    })
}

#[inline]
pub(super) fn view(dict: Gc<dict::Dict>, kind: usize) -> Value {
    Value::View(Gc::new(View { dict, kind }))
}

/// Whether the class of an object has a `__class__` of its own.
#[inline]
pub fn claims_class(world: Gc<World>, object: Value) -> bool {
    match object {
        Value::Instance(own) => {
            let class = instance::class(own);
            !class::lookup(class, world.names[special::CLASS]).is_unbound()
        }
        _ => false,
    }
}

/// The hot functions of two arguments; `None` if this is none of their cases.
#[inline]
fn of_two(
    world: Gc<World>,
    id: usize,
    a: Value,
    b: Value,
    depth: i64,
) -> Result<Option<Value>, Thrown> {
    Ok(match (id, a, b) {
        (LIST_APPEND, Value::List(list), _) => {
            list.push(b);
            Some(Value::None)
        }
        (BYTEARRAY_APPEND, Value::ByteArray(bytes), Value::Int(byte))
            if (0..256).contains(&byte) && world.exports.is_empty() =>
        {
            bytes.push(byte as u8);
            Some(Value::None)
        }
        (ISINSTANCE, _, Value::Class(class)) => {
            let class = promote(class);
            match class::derives(class_of(world, a), class) {
                false if class.meta.is_some() || claims_class(world, a) => None,
                derives => Some(Value::Bool(derives)),
            }
        }
        (DATA_NEW, Value::Class(class), Value::Tuple(_)) => {
            let class = promote(class);
            if class.builtin || class.layout != classes::TUPLE {
                return Ok(None);
            }
            Some(Value::Instance(instance::new(class, b)))
        }
        (DICT_GET, Value::Dict(dict), _) => {
            // Others may be hashed by functions that come to this one.
            let Some(hash) = hashing::simple(b) else {
                return Ok(None);
            };
            let found = keys::find(world, dict, b, hash, depth)?;
            if found < 0 {
                return Ok(Some(Value::None));
            }
            Some(dict.values.get()[found as usize].get())
        }
        (SLOT_GETITEM, Value::Dict(dict), _) => {
            let Some(hash) = hashing::simple(b) else {
                return Ok(None);
            };
            let found = keys::find(world, dict, b, hash, depth)?;
            if found < 0 {
                return Ok(None);
            }
            Some(dict.values.get()[found as usize].get())
        }
        (SLOT_GETITEM, Value::List(list), Value::Int(index)) if index >= 0 => {
            if index as usize >= list.len() {
                return Ok(None);
            }
            Some(list.at(index as usize))
        }
        (SLOT_GETITEM, Value::Tuple(tuple), Value::Int(index)) if index >= 0 => {
            if index as usize >= tuple.len() {
                return Ok(None);
            }
            Some(tuple[index as usize].get())
        }
        (SLOT_CONTAINS, Value::Dict(dict) | Value::Set(dict), _) => {
            let Some(hash) = hashing::simple(b) else {
                return Ok(None);
            };
            let found = keys::find(world, dict, b, hash, depth)?;
            Some(Value::Bool(found >= 0))
        }
        (SET_ADD, Value::Set(set), _) => {
            let Some(hash) = hashing::simple(b) else {
                return Ok(None);
            };
            if keys::find(world, set, b, hash, depth)? < 0 {
                dict::add(set, b, hash, Value::None);
            }
            Some(Value::None)
        }
        (MIN, Value::Int(x), Value::Int(y)) => Some(Value::Int(if y < x { y } else { x })),
        (MAX, Value::Int(x), Value::Int(y)) => Some(Value::Int(if y > x { y } else { x })),
        (MIN, Value::Float(x), Value::Float(y)) => Some(Value::Float(if y < x { y } else { x })),
        (MAX, Value::Float(x), Value::Float(y)) => Some(Value::Float(if y > x { y } else { x })),
        (GENERATOR_SEND, Value::Generator(generator), _)
        | (COROUTINE_SEND, Value::Coroutine(generator), _) => {
            let sent = generator::resume(world, generator, b, Value::None, depth)?;
            if sent.done {
                return Err(fault::stop(world, sent.value));
            }
            Some(sent.value)
        }
        (DIVMOD, Value::Int(x), Value::Int(y)) if y > 0 => {
            let (quotient, rest) = (x / y, x % y);
            Some(match rest < 0 {
                true => pair(Value::Int(quotient - 1), Value::Int(rest + y)),
                false => pair(Value::Int(quotient), Value::Int(rest)),
            })
        }
        (_, Value::Str(text), _) => hot_strings::of_two(world, id, text, b),
        _ => None,
    })
}

/// The hot functions of three arguments; `None` if this is none of their cases.
#[inline]
fn of_three(
    world: Gc<World>,
    id: usize,
    a: Value,
    b: Value,
    c: Value,
    depth: i64,
) -> Result<Option<Value>, Thrown> {
    Ok(match (id, a, b) {
        (DICT_GET, Value::Dict(dict), _) => {
            let Some(hash) = hashing::simple(b) else {
                return Ok(None);
            };
            let found = keys::find(world, dict, b, hash, depth)?;
            if found < 0 {
                return Ok(Some(c));
            }
            Some(dict.values.get()[found as usize].get())
        }
        (SLOT_SETITEM, Value::Dict(dict), _) => {
            let Some(hash) = hashing::simple(b) else {
                return Ok(None);
            };
            let found = keys::find(world, dict, b, hash, depth)?;
            if found < 0 {
                dict::add(dict, b, hash, c);
            } else {
                dict.values.get()[found as usize].set(c);
            }
            Some(Value::None)
        }
        (SLOT_SETITEM, Value::List(list), Value::Int(index)) if index >= 0 => {
            let at = index as usize;
            if at >= list.len() {
                return Ok(None);
            }
            list.set(at, c);
            Some(Value::None)
        }
        (_, Value::Str(text), _) => hot_strings::of_three(id, text, b, c),
        _ => None,
    })
}

/// Makes an instance of a builtin class, which is no exception.
///
/// # Errors
/// What that raises.
#[inline]
pub fn make(world: Gc<World>, class: Gc<Class>, args: Args, depth: i64) -> Result<Value, Thrown> {
    if args.keywords.is_none() {
        let (a, b) = (args.at(0), args.at(1));
        match (class.layout, args.count) {
            (classes::RANGE, 1) => {
                if let Value::Int(stop) = a {
                    return Ok(range(0, stop, 1));
                }
            }
            (classes::RANGE, 2) => {
                if let (Value::Int(start), Value::Int(stop)) = (a, b)
                    && iterate::is_narrow(start, stop)
                {
                    return Ok(range(start, stop, 1));
                }
            }
            (classes::RANGE, 3) => {
                if let (Value::Int(start), Value::Int(stop), Value::Int(step)) = (a, b, args.at(2))
                    && step != 0
                    && iterate::is_narrow(start, stop)
                {
                    return Ok(range(start, stop, step));
                }
            }
            (classes::ENUMERATE, 1) => {
                let source = iterate::start(world, a, depth)?;
                return Ok(iterate::new(
                    iterate::ENUMERATE,
                    source,
                    Value::None,
                    0,
                    0,
                    1,
                ));
            }
            (classes::TYPE, 1) => return Ok(Value::Class(class_of(world, a))),
            (classes::SUPER, 2) => {
                if let (Value::Class(class), Value::Instance(instance)) = (a, b)
                    && class::derives(instance::class(instance), promote(class))
                {
                    return Ok(Value::Super(Gc::new(Super {
                        class,
                        object: b,
                        start: instance::class(instance),
                    })));
                }
            }
            (classes::INT, 1) => match a {
                Value::Int(_) => return Ok(a),
                Value::Bool(x) => return Ok(Value::Int(x as i64)),
                Value::Str(text) => {
                    let number = number::of_digits(text);
                    if number >= 0 {
                        return Ok(Value::Int(number));
                    }
                }
                Value::Float(x) if x.abs() < 9e18 => return Ok(Value::Int(x as i64)),
                _ => {}
            },
            (classes::FLOAT, 1) => match a {
                Value::Float(_) => return Ok(a),
                Value::Int(x) => return Ok(Value::Float(x as f64)),
                _ => {}
            },
            (classes::STR, 1) => {
                if let Value::Str(_) = a {
                    return Ok(a);
                }
                if let Value::Int(x) = a {
                    return Ok(Value::Str(number::text_of(world, x)));
                }
            }
            (classes::LIST | classes::TUPLE | classes::SET | classes::FROZENSET, 1) => {
                let all = consume::listed(world, a, depth)?;
                if class.layout == classes::LIST && matches!(a, Value::Generator(_)) {
                    return Ok(all);
                }
                return make_outside(world, class, call::copied(call::one(all)), None, depth);
            }
            (classes::OBJECT, 0) => {
                return Ok(Value::Instance(instance::new(class, Value::None)));
            }
            _ => {}
        }
    }
    make_outside(world, class, call::copied(args), args.keywords, depth)
}

#[inline]
fn range(start: i64, stop: i64, step: i64) -> Value {
    Value::Range(Gc::new(Range { start, stop, step }))
}
