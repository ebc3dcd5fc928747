//! Errors of the program. In: what went wrong. Out: an object that every activation hands on to its
//! caller. Invariant: a fault knows how many activations away the place is that its message is
//! about; the activation there adds it. So no code has to walk over frames.

use crate::meta;
use crate::native::names::NAMES;
use crate::string::LuaStr;
use crate::value::{Proto, Value, World};
use verdigris::prelude::*;

/// An error on its way.
#[gc]
pub struct Fault {
    /// The error value.
    pub value: Cell<Value>,
    /// At which activation its place is to be added to the message: 1 is the one that it comes to
    /// next, 0 none, and [`UNCAUGHT`] none either.
    pub level: Cell<i64>,
    /// Which operand of the instruction there the message is about: 1 or 2, and 0 for none.
    pub operand: Cell<i64>,
    /// Whether the message handler has had it already: the value is what it made of it.
    pub handled: Cell<bool>,
}

/// The level of a fault that ends a coroutine: protected calls do not catch it.
pub const UNCAUGHT: i64 = -1;

/// A fault with a message, for native code. Its place is the instruction that is being executed.
pub fn message(text: &str) -> Gc<Fault> {
    about(text, 0)
}

/// A fault with a message about an operand of the instruction, for native code.
pub fn about(text: &str, operand: i64) -> Gc<Fault> {
    Gc::new(Fault {
        value: Cell::new(Value::Str(LuaStr::new(text.as_bytes()))),
        level: Cell::new(1),
        operand: Cell::new(operand),
        handled: Cell::new(false),
    })
}

/// The fault of an exhausted heap.
pub fn no_memory() -> Gc<Fault> {
    let fault = message("not enough memory");
    fault.level.set(0);
    fault
}

/// The fault of `error(value, level)`.
#[opaque]
pub fn raised(value: Value, level: i64) -> Gc<Fault> {
    let level = if matches!(value, Value::Str(_)) {
        level
    } else {
        0
    };
    Gc::new(Fault {
        value: Cell::new(value),
        level: Cell::new(level),
        operand: Cell::new(0),
        handled: Cell::new(false),
    })
}

/// The result of a message handler for an error.
pub fn handled(value: Value) -> Gc<Fault> {
    Gc::new(Fault {
        value: Cell::new(value),
        level: Cell::new(0),
        operand: Cell::new(0),
        handled: Cell::new(true),
    })
}

/// What [`simple`] says.
pub const DIVIDE: usize = 0;
/// Modulo zero.
pub const MODULO: usize = 1;
/// A float that is no integer.
pub const NO_INTEGER: usize = 2;
/// A chain of `__index` or `__newindex` without an end.
pub const CHAIN: usize = 3;
/// A step of zero.
pub const ZERO_STEP: usize = 4;
/// A key that is nil.
pub const NIL_KEY: usize = 5;
/// A key that is not a number.
pub const NAN_KEY: usize = 6;
/// A key that `next` does not know.
pub const NEXT_KEY: usize = 7;

/// A fault that says one of these things.
#[opaque]
pub fn simple(what: usize) -> Gc<Fault> {
    message(match what {
        DIVIDE => "attempt to divide by zero",
        MODULO => "attempt to perform 'n%0'",
        NO_INTEGER => "number has no integer representation",
        CHAIN => "'__index' chain too long; possible loop",
        ZERO_STEP => "'for' step is zero",
        NIL_KEY => "table index is nil",
        NAN_KEY => "table index is NaN",
        _ => "invalid key to 'next'",
    })
}

/// The same without a place: when a function of the library finds it.
#[opaque]
pub fn unplaced(what: usize) -> Gc<Fault> {
    let fault = simple(what);
    fault.level.set(0);
    fault
}

/// What [`wrong_type`] says was attempted.
pub const CALL: usize = 0;
/// Indexing; the message may name the key.
pub const INDEX: usize = 1;
/// Arithmetic.
pub const ARITHMETIC: usize = 2;
/// Bitwise arithmetic.
pub const BITWISE: usize = 3;
/// Concatenation.
pub const CONCATENATE: usize = 4;
/// The length.
pub const LENGTH: usize = 5;

/// A fault about an operand of a type that the instruction is not for.
#[opaque]
pub fn wrong_type(world: Gc<World>, attempt: usize, value: Value, operand: i64) -> Gc<Fault> {
    let what = match attempt {
        CALL => "call",
        INDEX => "index",
        ARITHMETIC => "perform arithmetic on",
        BITWISE => "perform bitwise operation on",
        CONCATENATE => "concatenate",
        _ => "get length of",
    };
    let name = meta::described(world, value);
    about(&format!("attempt to {what} a {name} value"), operand)
}

/// The fault of an arithmetic operation on these: it is about the first that is no number.
#[opaque]
pub fn wrong_operands(world: Gc<World>, attempt: usize, a: Value, b: Value) -> Gc<Fault> {
    let number = |value: Value| matches!(value, Value::Int(_) | Value::Float(_));
    if attempt == BITWISE && number(a) && number(b) {
        return message("number has no integer representation");
    }
    let usable = |value: Value| match value {
        Value::Int(_) | Value::Float(_) => true,
        Value::Str(_) => attempt == CONCATENATE,
        _ => false,
    };
    // A string that is no numeral is to blame only if the other operand is a number.
    let (value, operand) = if usable(a) { (b, 2) } else { (a, 1) };
    wrong_type(world, attempt, value, operand)
}

/// The fault of comparing these.
#[opaque]
pub fn not_comparable(world: Gc<World>, a: Value, b: Value) -> Gc<Fault> {
    let (a, b) = (meta::described(world, a), meta::described(world, b));
    message(&if a == b {
        format!("attempt to compare two {a} values")
    } else {
        format!("attempt to compare {a} with {b}")
    })
}

/// The fault of a `for` loop whose initial value (0), limit (1) or step (2) is no number.
#[opaque]
pub fn for_value(world: Gc<World>, which: usize, value: Value) -> Gc<Fault> {
    let what = ["initial value", "limit", "step"][which];
    let found = meta::described(world, value);
    message(&format!("bad 'for' {what} (number expected, got {found})"))
}

/// The fault of an arithmetic operation on these, of which one is a string that is no numeral.
#[opaque]
pub fn no_numeral(world: Gc<World>, event: usize, a: Value, b: Value) -> Gc<Fault> {
    let event = world.names[event].text();
    let (a, b) = (meta::described(world, a), meta::described(world, b));
    message(&format!("attempt to {} a '{a}' with a '{b}'", &event[2..]))
}

/// The fault of a `<close>` variable that cannot be closed.
#[opaque]
pub fn not_closable(name: Gc<LuaStr>) -> Gc<Fault> {
    message(&format!(
        "variable '{}' got a non-closable value",
        name.text()
    ))
}

/// The fault of too many calls within each other.
#[opaque]
pub fn overflow() -> Gc<Fault> {
    message("stack overflow")
}

/// The fault of too many functions of the library within each other.
#[opaque]
pub fn library_overflow() -> Gc<Fault> {
    message("C stack overflow")
}

/// A fault comes out of an instruction: if its place is here, it is added to the message.
#[opaque]
pub fn locate(fault: Gc<Fault>, proto: Gc<Proto>, pc: usize) {
    let level = fault.level.get();
    if level <= 0 {
        return;
    }
    let operand = fault.operand.replace(0);
    if proto.builtin {
        // The library is no place of the program. A message that is about its caller goes on to it.
        fault.level.set(level - 1);
        return;
    }
    fault.level.set(level - 1);
    if level > 1 {
        return;
    }
    let Value::Str(text) = fault.value.get() else {
        return;
    };
    let names = proto.operands[pc];
    let name = if operand == 2 {
        names >> 16
    } else {
        names & 0xffff
    };
    let name = if name != 0 {
        proto.names[name as usize - 1].text()
    } else {
        String::new()
    };
    let mut full = format!("{}:{}: ", proto.file.text(), proto.lines[pc]).into_bytes();
    if operand == 0 && name.starts_with("method") {
        full.extend(of_method(&text.text()).bytes());
    } else {
        full.extend(text.as_bytes());
    }
    if operand > 0 && !name.is_empty() {
        full.extend(format!(" ({name})").bytes());
    }
    fault.value.set(Value::Str(LuaStr::new(&full)));
}

/// A message about an argument of a method, whose object is not counted.
fn of_method(message: &str) -> String {
    let parts = message
        .strip_prefix("bad argument #")
        .and_then(|rest| rest.split_once(" to "));
    let Some((number, rest)) = parts else {
        return message.to_string();
    };
    match number.parse::<usize>() {
        Ok(1) => {
            let name = rest.split(' ').next().unwrap_or_default();
            format!("calling {name} on bad self")
        }
        Ok(number) => format!("bad argument #{} to {rest}", number - 1),
        Err(_) => message.to_string(),
    }
}

/// A fault comes out of a function of the library that another one has called.
pub fn in_library(fault: Gc<Fault>, id: usize) {
    if fault.level.get() <= 0 {
        return;
    }
    fault.level.set(fault.level.get() - 1);
    let (place, name) = NAMES[id];
    if let Value::Str(text) = fault.value.get()
        && !place.is_empty()
        && text.as_bytes().starts_with(b"bad argument #")
    {
        let text = text.text().replacen(
            &format!(" to '{name}'"),
            &format!(" to '{place}.{name}'"),
            1,
        );
        fault.value.set(Value::Str(LuaStr::new(text.as_bytes())));
    }
}
