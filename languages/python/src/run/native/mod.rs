//! The builtin functions. In: arguments. Out: results, or exceptions. Invariant: [`call()`] does
//! the hot ones with arguments of builtin classes in traced code, all others outside of it
//! ([`outside()`]).

pub mod builtins;
pub mod bytearrays;
pub mod bytes;
pub mod bytes_parts;
pub mod collect;
pub mod convert;
pub mod coroutines;
pub mod decimals;
pub mod dicts;
pub mod display;
pub mod evaluate;
pub mod exceptions;
pub mod files;
pub mod given;
pub mod hot_strings;
pub mod lists;
pub mod math;
pub mod names;
pub mod new_bytes;
pub mod numbers;
pub mod objects;
pub mod reflect;
pub mod regex;
pub mod sets;
pub mod slots;
pub mod sorting;
pub mod str_format;
pub mod str_split;
pub mod str_translate;
pub mod strings;
pub mod system;
pub mod to_number;
pub mod types;

use crate::heap::class::{self, Class};
use crate::heap::dict;
use crate::heap::exception::Thrown;
use crate::heap::function::{Keywords, Native};
use crate::heap::hashing;
use crate::heap::instance;
use crate::heap::places;
use crate::heap::value::{ITEMS, KEYS, Range, Registers, Super, VALUES, Value, View, pair};
use crate::heap::world::{World, class_of, classes, names as special, type_name};
use crate::plain::fault;
use crate::plain::number;
use crate::run::call::consume;
use crate::run::call::generator;
use crate::run::call::{self, Args};
use crate::run::items::iterate;
use crate::run::items::keys;
use given::Given;
use names::*;
use verdigris::{Str, prelude::*};

/// A builtin function, or a method of a class.
pub fn new_native(id: usize, name: Gc<Str>, class: Option<Gc<Class>>) -> Gc<Native> {
    let text = name.as_str();
    let is_dunder = text.starts_with("__") && text.ends_with("__");
    // These are called by name, in CPython too.
    let by_name = [
        "__reduce_ex__",
        "__reduce__",
        "__format__",
        "__dir__",
        "__sizeof__",
    ];
    Gc::new(Native {
        id,
        name,
        class,
        is_special: is_dunder && !by_name.contains(&text),
        is_leaf: names::is_leaf(id),
    })
}

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
fn view(dict: Gc<dict::Dict>, kind: usize) -> Value {
    Value::View(Gc::new(View { dict, kind }))
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
            if (0..256).contains(&byte) =>
        {
            bytes.push(byte as u8);
            Some(Value::None)
        }
        (ISINSTANCE, _, Value::Class(class)) => {
            let class = promote(class);
            match class::derives(class_of(world, a), class) {
                false if class.meta.is_some() => None,
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
                if let (Value::Int(start), Value::Int(stop)) = (a, b) {
                    return Ok(range(start, stop, 1));
                }
            }
            (classes::RANGE, 3) => {
                if let (Value::Int(start), Value::Int(stop), Value::Int(step)) = (a, b, args.at(2))
                    && step != 0
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

/// A builtin function that the JIT does not look into.
///
/// # Errors
/// What it raises.
#[opaque]
pub fn outside(
    world: Gc<World>,
    native: Gc<Native>,
    values: Registers,
    keywords: Option<Gc<Keywords>>,
    depth: i64,
) -> Result<Value, Thrown> {
    let depth = deeper(world, depth)?;
    let id = native.id;
    let given = Given::new(world, id, values, keywords, depth);
    given.check_count()?;
    let (place, name, ..) = names::NATIVES[id];
    let own = given.at(0);
    if let Some(class) = native.class
        && !matches!(
            place,
            "object" | "file" | "BaseException" | "BaseExceptionGroup" | "type" | "meta"
        )
    {
        let inner = instance::plain(own);
        if place == "slot" && !class::derives(class_of(world, inner), class) {
            let (wanted, got) = (class.name_text(), type_name(world, own));
            let message =
                format!("descriptor '{name}' requires a '{wanted}' object but received a '{got}'");
            return Err(fault::type_error(world, &message));
        }
        values[0].set(inner);
        if matches!(place, "str" | "math" | "bytes") && id != STR_FORMAT {
            for n in 1..values.len() {
                let inner = instance::plain(values[n].get());
                if matches!(inner, Value::Str(_) | Value::Int(_) | Value::Float(_))
                    || crate::plain::bytes::is(inner)
                {
                    values[n].set(inner);
                }
            }
        }
    }
    match HOMES[id] {
        Home::Slots => slots::call(given, own),
        Home::Types => types::call(given, own),
        Home::Meta => reflect::of_class(given),
        Home::Code => reflect::of_code(given),
        Home::Descriptors => reflect::of_descriptor(given, own),
        Home::Groups => reflect::of_group(given),
        Home::Library if (WEAK_NEW..=NEW_MODULE).contains(&id) => reflect::of_machine(given),
        Home::Library => system::of_library(given),
        Home::Builtins => builtins::call(given),
        Home::Objects => objects::call(given),
        Home::Lists => lists::call(given),
        Home::Slices => lists::indices(given),
        Home::Dicts => dicts::call(given),
        Home::Sets => sets::call(given),
        Home::Strings => strings::call(given),
        Home::Bytes => bytes::call(given),
        Home::ByteArrays => bytearrays::call(given),
        Home::Numbers => numbers::call(given),
        Home::Coroutines => coroutines::call(given),
        Home::Exceptions => exceptions::call(given, own),
        Home::Math => math::call(given),
        Home::System => system::call(given),
    }
}

#[opaque]
fn make_outside(
    world: Gc<World>,
    class: Gc<Class>,
    values: Registers,
    keywords: Option<Gc<Keywords>>,
    depth: i64,
) -> Result<Value, Thrown> {
    let depth = deeper(world, depth)?;
    convert::make(
        class,
        Given::new(world, usize::MAX, values, keywords, depth),
    )
}

/// The depth of what a builtin function calls: it needs more of the machine's stack than a function
/// of the program.
fn deeper(world: Gc<World>, depth: i64) -> Result<i64, Thrown> {
    if depth >= world.limit.get() {
        return Err(fault::simple(world, fault::RECURSION));
    }
    Ok(places::below(world, depth))
}

/// What `__len__` has returned is no length.
#[opaque]
pub fn bad_length(world: Gc<World>, value: Value) -> Thrown {
    match value {
        Value::Int(_) => fault::value_error(world, "__len__() should return >= 0"),
        _ => fault::about(world, fault::NO_INTEGER, value),
    }
}

/// A method that every object has.
pub fn of_objects(world: Gc<World>, name: Gc<Str>) -> Option<Value> {
    world.of_objects.get(name)
}

/// A method that every exception has beside those that are entries of its class.
pub fn of_exceptions(world: Gc<World>, name: Gc<Str>) -> Option<Value> {
    let text = name.as_str();
    if !matches!(text, "__init__" | "__str__" | "__repr__") {
        return None;
    }
    let is_it = |row: &(&str, &str, usize, usize)| row.0 == "BaseException" && row.1 == text;
    let id = names::NATIVES.iter().position(is_it)?;
    let class = Some(world.classes[classes::BASE_EXCEPTION]);
    Some(Value::Native(new_native(id, name, class)))
}

fn unbound(world: Gc<World>, id: usize) -> Value {
    let name = crate::heap::world::intern(world, names::NATIVES[id].1);
    Value::Native(new_native(id, name, None))
}

/// `object.__new__`
pub fn plain_new(world: Gc<World>) -> Value {
    unbound(world, OBJECT_NEW)
}
