//! `repr` and `str`. In: values. Out: texts. Invariant: texts are CPython's, but for addresses; an
//! object in itself is shown as dots.

use crate::heap::class::{self, Class};
use crate::heap::dict::Dict;
use crate::heap::exception::Thrown;
use crate::heap::hashing;
use crate::heap::instance::Instance;
use crate::heap::places;
use crate::heap::value::{GETSET, ITEMS, KEYS, MEMBER, PROPERTY, Value};
use crate::heap::world::{World, class_of, classes, intern, names};
use crate::plain;
use crate::plain::bigint;
use crate::plain::bytes;
use crate::plain::codec;
use crate::plain::complex;
use crate::plain::fault;
use crate::plain::number;
use crate::run::call;
use crate::run::objects::introspect;
use verdigris::prelude::*;

/// What is being shown: objects that contain what comes next.
type Around = Vec<u64>;

/// `str(value)`
///
/// # Errors
/// What functions of the program raise.
pub fn text(world: Gc<World>, value: Value, depth: i64) -> Result<String, Thrown> {
    match value {
        Value::Str(text) => Ok(text.as_str().to_string()),
        Value::Instance(instance) => {
            let class = instance.map.get().class;
            let found = class::lookup(class, world.names[names::STR]);
            if !found.is_unbound() {
                return called(world, found, value, "__str__", depth);
            }
            if let Value::Exc(exc) = instance.native {
                return exception_text(world, instance, exc.args.get(), depth);
            }
            repr(world, value, depth)
        }
        _ => repr(world, value, depth),
    }
}

/// `repr(value)`
///
/// # Errors
/// What functions of the program raise.
pub fn repr(world: Gc<World>, value: Value, depth: i64) -> Result<String, Thrown> {
    shown(world, value, &mut Vec::new(), places::below(world, depth))
}

/// The text that a method returns.
fn called(
    world: Gc<World>,
    found: Value,
    value: Value,
    name: &str,
    depth: i64,
) -> Result<String, Thrown> {
    match call::method(
        world,
        found,
        value,
        call::nothing(),
        places::below(world, depth),
    )? {
        Value::Str(text) => Ok(text.as_str().to_string()),
        other => {
            let class = crate::heap::world::type_name(world, other);
            let message = format!("{name} returned non-string (type {class})");
            Err(fault::type_error(world, &message))
        }
    }
}

/// What an exception says.
fn exception_text(
    world: Gc<World>,
    instance: Gc<Instance>,
    args: Value,
    depth: i64,
) -> Result<String, Thrown> {
    let Value::Tuple(all) = args else {
        return Ok(String::new());
    };
    let class = instance.map.get().class;
    let is_of = |number: usize| class::derives(class, world.classes[number]);
    if is_of(classes::OS_ERROR) && all.len() >= 2 {
        let (number, message) = (all[0].get(), all[1].get());
        let mut made = format!(
            "[Errno {}] {}",
            text(world, number, depth)?,
            text(world, message, depth)?
        );
        let file = crate::heap::instance::get(instance, intern(world, "filename"));
        let file = if all.len() >= 3 { all[2].get() } else { file };
        if !file.is_unbound() {
            made += &format!(": {}", repr(world, file, depth)?);
            let other = crate::heap::instance::get(instance, intern(world, "filename2"));
            if !other.is_unbound() {
                made += &format!(" -> {}", repr(world, other, depth)?);
            }
        }
        return Ok(made);
    }
    if is_of(classes::BASE_EXCEPTION_GROUP) && all.len() == 2 {
        let count = match all[1].get() {
            Value::List(inner) => inner.len(),
            Value::Tuple(inner) => inner.len(),
            _ => 0,
        };
        let plural = if count == 1 { "" } else { "s" };
        let message = text(world, all[0].get(), depth)?;
        return Ok(format!("{message} ({count} sub-exception{plural})"));
    }
    let is_unicode = is_of(classes::UNICODE_DECODE_ERROR) || is_of(classes::UNICODE_ENCODE_ERROR);
    if is_unicode && let Some(message) = codec::message(all) {
        return Ok(message);
    }
    match all.len() {
        0 => Ok(String::new()),
        1 if is_of(classes::KEY_ERROR) => repr(world, all[0].get(), depth),
        1 => text(world, all[0].get(), depth),
        _ => repr(world, args, depth),
    }
}

/// Whether an object is being shown already; else it is from now on.
fn begins(around: &mut Around, value: Value) -> bool {
    let id = hashing::of_object(match value {
        Value::Tuple(_) => return true,
        other => other,
    }) as u64;
    if around.contains(&id) {
        return false;
    }
    around.push(id);
    true
}

fn shown(
    world: Gc<World>,
    value: Value,
    around: &mut Around,
    depth: i64,
) -> Result<String, Thrown> {
    if depth >= world.limit.get() {
        return Err(fault::simple(world, fault::RECURSION));
    }
    let item = |value: Value, around: &mut Around| {
        shown(world, value, around, places::below(world, depth))
    };
    Ok(match value {
        Value::None => "None".to_string(),
        Value::NotImplemented => "NotImplemented".to_string(),
        Value::Ellipsis => "Ellipsis".to_string(),
        Value::Bool(true) => "True".to_string(),
        Value::Bool(false) => "False".to_string(),
        Value::Int(x) => x.to_string(),
        Value::Float(x) => number::float_text(x),
        Value::Big(_) => big_text(world, value)?,
        Value::Str(text) => quoted(text.as_str()),
        Value::Bytes(own) => bytes::repr(own.as_slice(), false),
        Value::ByteArray(own) => bytes::repr(&bytes::copy(own), true),
        Value::Complex(z) => complex::repr((z.re, z.im)),
        Value::List(list) => {
            if !begins(around, value) {
                return Ok("[...]".to_string());
            }
            let mut made = Vec::new();
            let mut n = 0;
            while n < list.len() {
                made.push(item(list.at(n), around)?);
                n += 1;
            }
            around.pop();
            format!("[{}]", made.join(", "))
        }
        Value::Tuple(tuple) => {
            let mut made = Vec::new();
            for n in 0..tuple.len() {
                made.push(item(tuple[n].get(), around)?);
            }
            match made.as_slice() {
                [one] => format!("({one},)"),
                _ => format!("({})", made.join(", ")),
            }
        }
        Value::Dict(dict) => {
            if !begins(around, value) {
                return Ok("{...}".to_string());
            }
            let mut made = Vec::new();
            for entry in plain::entries(dict) {
                let (key, value) = (dict.keys.get()[entry].get(), dict.values.get()[entry].get());
                let key = item(key, around)?;
                made.push(format!("{key}: {}", item(value, around)?));
            }
            around.pop();
            format!("{{{}}}", made.join(", "))
        }
        Value::Set(set) if set.live.get() == 0 => "set()".to_string(),
        Value::Set(set) => {
            if !begins(around, value) {
                return Ok("set(...)".to_string());
            }
            let made = keys(world, set, around, depth)?;
            around.pop();
            format!("{{{made}}}")
        }
        Value::FrozenSet(set) if set.live.get() == 0 => "frozenset()".to_string(),
        Value::FrozenSet(set) => format!("frozenset({{{}}})", keys(world, set, around, depth)?),
        Value::View(view) => {
            let mut made = Vec::new();
            for entry in plain::entries(view.dict) {
                let key = view.dict.keys.get()[entry].get();
                let value = view.dict.values.get()[entry].get();
                made.push(match view.kind {
                    KEYS => item(key, around)?,
                    ITEMS => {
                        let key = item(key, around)?;
                        format!("({key}, {})", item(value, around)?)
                    }
                    _ => item(value, around)?,
                });
            }
            let class = class_of(world, value);
            format!("{}([{}])", class.name_text(), made.join(", "))
        }
        Value::Range(range) => match range.step {
            1 => format!("range({}, {})", range.start, range.stop),
            step => format!("range({}, {}, {step})", range.start, range.stop),
        },
        Value::Slice(slice) => format!(
            "slice({}, {}, {})",
            item(slice.start, around)?,
            item(slice.stop, around)?,
            item(slice.step, around)?
        ),
        Value::Function(function) => {
            let name = introspect::qualified(world, function);
            format!("<function {name} at {}>", address(value))
        }
        Value::Native(native) => match native.class {
            None => format!("<built-in function {}>", native.name.as_str()),
            Some(class) => {
                let (name, class) = (native.name.as_str(), class.name_text());
                let what = match native.is_special {
                    true => "slot wrapper",
                    false => "method",
                };
                format!("<{what} '{name}' of '{class}' objects>")
            }
        },
        Value::Method(method) => {
            let object = item(method.object, around)?;
            match method.function {
                Value::Function(function) => {
                    let name = introspect::qualified(world, function);
                    format!("<bound method {name} of {object}>")
                }
                Value::Native(native) => {
                    let class = class_of(world, method.object);
                    let (name, class) = (native.name.as_str(), class.name_text());
                    let at = address(method.object);
                    match native.is_special {
                        true => format!("<method-wrapper '{name}' of {class} object at {at}>"),
                        false => format!("<built-in method {name} of {class} object at {at}>"),
                    }
                }
                _ => format!("<bound method of {object}>"),
            }
        }
        Value::Class(class) if has_own_repr(world, class) => {
            let meta = class_of(world, value);
            let found = class::lookup(meta, world.names[names::REPR]);
            called(world, found, value, "__repr__", depth)?
        }
        Value::Class(class) => plain_class(class),
        Value::Code(code) => {
            let (name, file) = (code.name.as_str(), code.module.file.as_str());
            let (at, line) = (address(value), code.first_line);
            format!("<code object {name} at {at}, file \"{file}\", line {line}>")
        }
        Value::Frame(frame) => {
            let (name, file) = (frame.code.name.as_str(), frame.code.module.file.as_str());
            let (at, line) = (address(value), frame.code.lines[frame.pc]);
            format!("<frame at {at}, file '{file}', line {line}, code {name}>")
        }
        Value::Accessor(accessor) if accessor.kind == MEMBER || accessor.kind == GETSET => {
            let name = item(accessor.get, around)?;
            let class = match accessor.set {
                Value::Class(class) => class.name_text(),
                _ => String::new(),
            };
            let what = match accessor.kind {
                MEMBER => "member",
                _ => "attribute",
            };
            format!("<{what} {name} of '{class}' objects>")
        }
        Value::Accessor(accessor) if accessor.kind != PROPERTY => {
            let name = class_of(world, value).name_text();
            format!("<{name}({})>", item(accessor.get, around)?)
        }
        Value::Module(module) => {
            let (name, file) = (module.name.as_str(), module.file.as_str());
            match file.is_empty() {
                true => format!("<module '{name}' (built-in)>"),
                false => format!("<module '{name}' from '{file}'>"),
            }
        }
        Value::Generator(generator)
        | Value::Coroutine(generator)
        | Value::AsyncGenerator(generator) => {
            let name = generator.code.qualname.as_str();
            let class = class_of(world, value);
            format!(
                "<{} object {name} at {}>",
                class.name_text(),
                address(value)
            )
        }
        Value::Instance(instance) => return object(world, instance, around, depth),
        _ => {
            let name = class_of(world, value).name_text();
            format!("<{name} object at {}>", address(value))
        }
    })
}

/// A class as it is shown unless its own class says otherwise.
pub fn plain_class(class: Gc<Class>) -> String {
    let (module, name) = (class.module_text(), class.qualname_text());
    match module.as_str() {
        "builtins" => format!("<class '{name}'>"),
        _ => format!("<class '{module}.{name}'>"),
    }
}

/// Whether classes of this kind are shown in their own way.
fn has_own_repr(world: Gc<World>, class: Gc<Class>) -> bool {
    let found = class
        .meta
        .map(|meta| class::lookup(meta, world.names[names::REPR]));
    found.is_some_and(|found| !found.is_unbound())
}

fn keys(
    world: Gc<World>,
    set: Gc<Dict>,
    around: &mut Around,
    depth: i64,
) -> Result<String, Thrown> {
    let mut made = Vec::new();
    for entry in plain::entries(set) {
        made.push(shown(
            world,
            set.keys.get()[entry].get(),
            around,
            places::below(world, depth),
        )?);
    }
    Ok(made.join(", "))
}

/// An instance without a `__repr__` of its own, or what that returns.
fn object(
    world: Gc<World>,
    instance: Gc<Instance>,
    around: &mut Around,
    depth: i64,
) -> Result<String, Thrown> {
    let class = instance.map.get().class;
    let value = Value::Instance(instance);
    let found = class::lookup(class, world.names[names::REPR]);
    if !found.is_unbound() {
        return called(world, found, value, "__repr__", depth);
    }
    let _ = around;
    plain_repr(world, instance, depth)
}

/// What `object.__repr__` and `BaseException.__repr__` return.
///
/// # Errors
/// What showing the arguments of an exception raises.
pub fn plain_repr(world: Gc<World>, instance: Gc<Instance>, depth: i64) -> Result<String, Thrown> {
    let class = instance.map.get().class;
    if let Value::Exc(exc) = instance.native {
        let args = repr(world, exc.args.get(), depth)?;
        let args = match exc.args.get() {
            Value::Tuple(all) if all.len() == 1 => {
                format!("({})", &args[1..args.len() - 2])
            }
            _ => args,
        };
        return Ok(format!("{}{args}", class.name_text()));
    }
    Ok(plain_object(world, Value::Instance(instance)))
}

/// What `object.__repr__` returns.
pub fn plain_object(world: Gc<World>, value: Value) -> String {
    let (class, at) = (class_of(world, value), address(value));
    let (module, name) = (class.module_text(), class.qualname_text());
    match class.builtin {
        true => format!("<{name} object at {at}>"),
        false => format!("<{module}.{name} object at {at}>"),
    }
}

/// A number for the identity of an object, as addresses are written.
fn address(value: Value) -> String {
    format!("0x{:012x}", hashing::of_object(value) & 0xffff_ffff_ffff)
}

/// The digits of a large integer.
///
/// # Errors
/// A `ValueError` if there are more than CPython shows.
pub fn big_text(world: Gc<World>, value: Value) -> Result<String, Thrown> {
    let digits = bigint::digits(value, 10);
    let count = digits.trim_start_matches('-').len();
    if count > bigint::MAX_DIGITS {
        let message = format!(
            "Exceeds the limit ({} digits) for integer string conversion; use \
             sys.set_int_max_str_digits() to increase the limit",
            bigint::MAX_DIGITS
        );
        return Err(fault::value_error(world, &message));
    }
    Ok(digits)
}

/// Whether a character is shown as it is.
pub fn is_printable(c: char) -> bool {
    if c.is_ascii() {
        return !c.is_ascii_control();
    }
    // Behind a letter, Rust shows all that are printable as they are.
    let shown = format!("{:?}", format!("a{c}"));
    !shown.contains('\\')
}

/// A string in quotes.
pub fn quoted(text: &str) -> String {
    let quote = match text.contains('\'') && !text.contains('"') {
        true => '"',
        false => '\'',
    };
    let mut made = String::with_capacity(text.len() + 2);
    made.push(quote);
    for c in text.chars() {
        match c {
            '\\' => made += "\\\\",
            '\n' => made += "\\n",
            '\r' => made += "\\r",
            '\t' => made += "\\t",
            c if c == quote => {
                made.push('\\');
                made.push(c);
            }
            c if is_printable(c) => made.push(c),
            c => made += &codec::escaped(u32::from(c)),
        }
    }
    made.push(quote);
    made
}

/// A text with escapes for all that is not ASCII.
pub fn ascii(text: &str) -> String {
    let mut made = String::with_capacity(text.len());
    for c in text.chars() {
        match c as u32 {
            ..0x80 => made.push(c),
            code => made += &codec::escaped(code),
        }
    }
    made
}
