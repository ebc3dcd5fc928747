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
pub mod hot;
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
pub mod threads;
pub mod to_number;
pub mod types;

use crate::heap::class::{self, Class};
use crate::heap::exception::Thrown;
use crate::heap::function::{Keywords, Native};
use crate::heap::instance;
use crate::heap::places;
use crate::heap::value::{Registers, Value};
use crate::heap::world::{World, class_of, classes, type_name};
use crate::plain::fault;
use crate::run::items::bytes::bytes_like;
use given::Given;
pub use hot::{call, make};
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
                let inner = match place {
                    "bytes" => bytes_like(world, values[n].get(), depth)?,
                    _ => instance::plain(values[n].get()),
                };
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
        Home::Library if (BUFFER_EXPORT..=BUFFER_RELEASE).contains(&id) => {
            reflect::of_machine(given)
        }
        Home::Library if matches!(id, THREAD_NEW..=THREAD_SUSPEND | THREAD_WAIT) => {
            threads::call(given)
        }
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
