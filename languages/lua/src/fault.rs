//! Errors of the program. In: what went wrong. Out: an object that every activation hands on to its
//! caller. Invariant: a fault knows how many activations away the place is that its message is
//! about; the activation there adds it. So no code has to walk over frames.

use crate::meta;
use crate::native::names::{COUNT, NAMES};
use crate::number;
use crate::opcode;
use crate::string::LuaStr;
use crate::value::{Closure, Proto, Value, World, line_of};
use verdigris::prelude::*;

/// An error on its way.
#[gc]
pub struct Fault {
    /// The error value.
    pub value: Cell<Value>,
    /// At which activation its place is to be added to the message: 1 is the one that it comes to
    /// next, 0 none, and [`UNCAUGHT`] none either.
    pub level: Cell<i64>,
    /// Which operand of the instruction there the message is about: 1 or 2, [`ARGUMENT`], and 0 for
    /// none.
    pub operand: Cell<i64>,
    /// Whether the language itself says it, and not a function of the library.
    pub of_language: bool,
    /// Whether an activation of the program has had it, and not only the library's.
    pub seen: Cell<bool>,
    /// The functions that it has left, if a message handler waits for it: the last one, and from it
    /// the others.
    pub left: Cell<Option<Gc<Left>>>,
    /// The last of them.
    pub last: Cell<Option<Gc<Left>>>,
    /// Whether the message handler has had it already: the value is what it made of it.
    pub handled: Cell<bool>,
}

/// The level of a fault that ends a coroutine: protected calls do not catch it.
pub const UNCAUGHT: i64 = -1;

/// A function that an error has left.
#[gc]
pub struct Left {
    /// The function.
    pub closure: Gc<Closure>,
    /// Where in it.
    pub pc: usize,
    /// What the instruction there calls, or nil.
    pub callee: Value,
    /// The one that has called it, if the error has left that too.
    pub next: Cell<Option<Gc<Left>>>,
}

/// Notes that a fault leaves a function, for the message handler.
#[opaque]
pub fn note(fault: Gc<Fault>, closure: Gc<Closure>, pc: usize, callee: Value) {
    let next = Cell::new(None);
    let frame = Gc::new(Left {
        closure,
        pc,
        callee,
        next,
    });
    match fault.last.replace(Some(frame)) {
        None => fault.left.set(Some(frame)),
        Some(last) => last.next.set(Some(frame)),
    }
}

/// What [`Fault::operand`] says if the message is about an argument of a function of the library.
pub const ARGUMENT: i64 = 3;

/// A fault with a message, for functions of the library. Its place is the call of the function.
pub fn message(text: &str) -> Gc<Fault> {
    about(text, 0)
}

/// The same about an argument, or 0.
pub fn about(text: &str, operand: i64) -> Gc<Fault> {
    new(Value::Str(LuaStr::new(text.as_bytes())), 1, operand, false)
}

/// A fault of the language, with a message about an operand of the instruction that is being
/// executed.
fn of_language(text: &str, operand: i64) -> Gc<Fault> {
    new(Value::Str(LuaStr::new(text.as_bytes())), 1, operand, true)
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
    new(value, level, 0, false)
}

fn new(value: Value, level: i64, operand: i64, of_language: bool) -> Gc<Fault> {
    Gc::new(Fault {
        value: Cell::new(value),
        level: Cell::new(level),
        operand: Cell::new(operand),
        of_language,
        seen: Cell::new(false),
        left: Cell::new(None),
        last: Cell::new(None),
        handled: Cell::new(false),
    })
}

/// The result of a message handler for an error.
pub fn handled(value: Value) -> Gc<Fault> {
    let fault = new(value, 0, 0, false);
    fault.handled.set(true);
    fault
}

/// What is said of a float that is no integer. The name of the operand comes behind its first word.
const NO_INTEGER_TEXT: &str = "number has no integer representation";

/// From here on [`Fault::operand`] counts the parts of a concatenation.
pub const PART: i64 = 16;

/// The fault of concatenating a part with the next one, or with what has been made of those behind.
#[opaque]
pub fn not_concatenated(world: Gc<World>, a: Value, b: Value, part: usize) -> Gc<Fault> {
    let fault = wrong_operands(world, CONCATENATE, a, b);
    fault
        .operand
        .set(PART + part as i64 + fault.operand.get() - 1);
    fault
}

/// A fault leaves a function of the library: what the language says there has no place.
#[opaque]
pub fn leave_library(fault: Gc<Fault>) -> Gc<Fault> {
    if fault.of_language && !fault.seen.get() {
        fault.level.set(0);
    }
    fault
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
/// The same for `__newindex`.
pub const SET_CHAIN: usize = 8;
/// A key that is nil.
pub const NIL_KEY: usize = 5;
/// A key that is not a number.
pub const NAN_KEY: usize = 6;
/// A key that `next` does not know.
pub const NEXT_KEY: usize = 7;

/// A fault that says one of these things.
#[opaque]
pub fn simple(what: usize) -> Gc<Fault> {
    let text = match what {
        DIVIDE => "attempt to divide by zero",
        MODULO => "attempt to perform 'n%0'",
        NO_INTEGER => NO_INTEGER_TEXT,
        CHAIN => "'__index' chain too long; possible loop",
        SET_CHAIN => "'__newindex' chain too long; possible loop",
        ZERO_STEP => "'for' step is zero",
        NIL_KEY => "table index is nil",
        NAN_KEY => "table index is NaN",
        _ => "invalid key to 'next'",
    };
    of_language(text, 0)
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
    of_language(&format!("attempt to {what} a {name} value"), operand)
}

/// The fault of an arithmetic operation on these: it is about the first that is no number.
#[opaque]
pub fn wrong_operands(world: Gc<World>, attempt: usize, a: Value, b: Value) -> Gc<Fault> {
    if attempt == BITWISE && is_number(a) && is_number(b) {
        let fraction = matches!(a, Value::Float(f) if number::float_to_integer(f).is_none());
        let operand = if fraction { 1 } else { 2 };
        return of_language(NO_INTEGER_TEXT, operand);
    }
    // A string that is no numeral is to blame only if the other operand is a number.
    let is_usable = is_number(a) || attempt == CONCATENATE && matches!(a, Value::Str(_));
    let (value, operand) = if is_usable { (b, 2) } else { (a, 1) };
    wrong_type(world, attempt, value, operand)
}

fn is_number(value: Value) -> bool {
    matches!(value, Value::Int(_) | Value::Float(_))
}

/// The fault of comparing these.
#[opaque]
pub fn not_comparable(world: Gc<World>, a: Value, b: Value) -> Gc<Fault> {
    let (a, b) = (meta::described(world, a), meta::described(world, b));
    let text = match a == b {
        true => format!("attempt to compare two {a} values"),
        false => format!("attempt to compare {a} with {b}"),
    };
    of_language(&text, 0)
}

/// The fault of a `for` loop whose initial value (0), limit (1) or step (2) is no number.
#[opaque]
pub fn for_value(world: Gc<World>, which: usize, value: Value) -> Gc<Fault> {
    let what = ["initial value", "limit", "step"][which];
    let found = meta::described(world, value);
    of_language(
        &format!("bad 'for' {what} (number expected, got {found})"),
        0,
    )
}

/// The fault of an arithmetic operation on these, of which one is a string that is no numeral.
#[opaque]
pub fn no_numeral(world: Gc<World>, event: usize, a: Value, b: Value) -> Gc<Fault> {
    let event = world.names[event].text();
    let (a, b) = (meta::described(world, a), meta::described(world, b));
    of_language(
        &format!("attempt to {} a '{a}' with a '{b}'", &event[2..]),
        0,
    )
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
    of_language("stack overflow", 0)
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
    if proto.builtin {
        // The library is no place of the program: what its functions say is said of the call of
        // the first of them, and what an instruction of it says has no place.
        let of_function = opcode::is_call(opcode::op(proto.code[pc]));
        if fault.seen.get() || !of_function {
            fault.level.set(0);
        }
        return;
    }
    fault.seen.set(true);
    let operand = fault.operand.replace(0);
    fault.level.set(level - 1);
    if level > 1 {
        return;
    }
    let Value::Str(text) = fault.value.get() else {
        return;
    };
    let names = proto.operands[pc];
    let name = match operand {
        2 => names >> 16,
        PART.. => (names & 0xffff) + (operand - PART) as u32,
        _ => names & 0xffff,
    };
    let mut name = if names != 0 && name != 0 {
        proto.names[name as usize - 1].text()
    } else {
        String::new()
    };
    let mut full = format!("{}:{}: ", proto.short.text(), line_of(proto, pc)).into_bytes();
    if operand == ARGUMENT {
        full.extend(called_as(&text.text(), &name).bytes());
    } else if fault.of_language && !name.is_empty() && text.as_bytes() == NO_INTEGER_TEXT.as_bytes()
    {
        let (first, rest) = NO_INTEGER_TEXT.split_at("number".len());
        full.extend(format!("{first} ({name}){rest}").bytes());
        name.clear();
    } else {
        full.extend(text.as_bytes());
    }
    if !matches!(operand, 0 | ARGUMENT) && !name.is_empty() {
        full.extend(format!(" ({name})").bytes());
    }
    fault.value.set(Value::Str(LuaStr::new(&full)));
}

/// A message about an argument of a function as the program has called it. The object of a method
/// is not counted.
fn called_as(message: &str, name: &str) -> String {
    let Some((kind, name)) = name.trim_end_matches('\'').split_once(" '") else {
        return message.to_string();
    };
    if kind != "method" {
        let parts = message.split_once(" to '");
        let end = parts.and_then(|(start, rest)| Some((start, rest.split_once('\'')?.1)));
        return match end {
            Some((start, end)) => format!("{start} to '{name}'{end}"),
            None => message.to_string(),
        };
    }
    let parts = message
        .strip_prefix("bad argument #")
        .and_then(|rest| rest.split_once(" to "));
    let Some((number, rest)) = parts else {
        return message.to_string();
    };
    match number.parse::<usize>() {
        Ok(1) => {
            let reason = rest.split_once(" (").map_or("", |(_, reason)| reason);
            format!("calling '{name}' on bad self ({reason}")
        }
        Ok(number) => {
            // A function of the embedder does not know what it is called.
            let rest = match rest.strip_prefix("'?'") {
                Some(reason) => format!("'{name}'{reason}"),
                None => rest.to_string(),
            };
            format!("bad argument #{} to {rest}", number - 1)
        }
        Err(_) => message.to_string(),
    }
}

/// A fault comes out of a function of the library that another one has called, or of one of the
/// embedder that is mostly a metamethod: then it has a place, but the operands there are no
/// arguments.
pub fn in_library(fault: Gc<Fault>, id: usize) {
    if id >= COUNT {
        if fault.operand.get() == ARGUMENT {
            fault.operand.set(0);
        }
        return;
    }
    if fault.level.get() <= 0 {
        return;
    }
    fault.level.set(fault.level.get() - 1);
    let (place, name) = NAMES[id];
    if fault.operand.get() == ARGUMENT
        && let Value::Str(text) = fault.value.get()
        && !place.is_empty()
    {
        let text = text.text().replacen(
            &format!(" to '{name}'"),
            &match place {
                "FILE*" => " to '?'".to_string(),
                _ => format!(" to '{place}.{name}'"),
            },
            1,
        );
        fault.value.set(Value::Str(LuaStr::new(text.as_bytes())));
    }
}
