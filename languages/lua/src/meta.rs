//! Metamethods, and what types are called. In: values, events. Out: handlers. Invariant: [`NAMES`]
//! and the constants are in one order, that of the names in [`World::names`]; the events of
//! operators are in the order of their instructions.

use crate::string::LuaStr;
use crate::table;
use crate::value::{Value, World};
use verdigris::prelude::*;

/// `__index`
pub const INDEX: usize = 0;
/// `__newindex`
pub const NEWINDEX: usize = 1;
/// `__call`
pub const CALL: usize = 2;
/// `__add`
pub const ADD: usize = 3;
/// `__sub`
pub const SUB: usize = 4;
/// `__mul`
pub const MUL: usize = 5;
/// `__div`
pub const DIV: usize = 6;
/// `__mod`
pub const MOD: usize = 7;
/// `__pow`
pub const POW: usize = 8;
/// `__idiv`
pub const IDIV: usize = 9;
/// `__band`
pub const BAND: usize = 10;
/// `__bor`
pub const BOR: usize = 11;
/// `__bxor`
pub const BXOR: usize = 12;
/// `__shl`
pub const SHL: usize = 13;
/// `__shr`
pub const SHR: usize = 14;
/// `__unm`
pub const UNM: usize = 15;
/// `__bnot`
pub const BNOT: usize = 16;
/// `__len`
pub const LEN: usize = 17;
/// `__concat`
pub const CONCAT: usize = 18;
/// `__eq`
pub const EQ: usize = 19;
/// `__lt`
pub const LT: usize = 20;
/// `__le`
pub const LE: usize = 21;
/// `__close`
pub const CLOSE: usize = 22;
/// `__tostring`
pub const TOSTRING: usize = 23;
/// `__name`
pub const NAME: usize = 24;
/// `__metatable`
pub const METATABLE: usize = 25;
/// `__pairs`
pub const PAIRS: usize = 26;
/// `__gc`
pub const GC: usize = 27;
/// `__mode`
pub const MODE: usize = 28;
/// `nil`
pub const TYPE_NIL: usize = 29;
/// `boolean`
pub const TYPE_BOOLEAN: usize = 30;
/// `number`
pub const TYPE_NUMBER: usize = 31;
/// `string`
pub const TYPE_STRING: usize = 32;
/// `table`
pub const TYPE_TABLE: usize = 33;
/// `function`
pub const TYPE_FUNCTION: usize = 34;
/// `integer`
pub const TYPE_INTEGER: usize = 35;
/// `float`
pub const TYPE_FLOAT: usize = 36;
/// `userdata`
pub const TYPE_USERDATA: usize = 37;
/// `thread`
pub const TYPE_THREAD: usize = 38;

/// The names.
pub const NAMES: [&str; 39] = [
    "__index",
    "__newindex",
    "__call",
    "__add",
    "__sub",
    "__mul",
    "__div",
    "__mod",
    "__pow",
    "__idiv",
    "__band",
    "__bor",
    "__bxor",
    "__shl",
    "__shr",
    "__unm",
    "__bnot",
    "__len",
    "__concat",
    "__eq",
    "__lt",
    "__le",
    "__close",
    "__tostring",
    "__name",
    "__metatable",
    "__pairs",
    "__gc",
    "__mode",
    "nil",
    "boolean",
    "number",
    "string",
    "table",
    "function",
    "integer",
    "float",
    "userdata",
    "thread",
];

/// The handler of an event for a value, or nil.
#[inline(always)]
pub fn handler(world: Gc<World>, value: Value, event: usize) -> Value {
    match metatable(world, value) {
        Some(meta) => table::get_str(meta, world.names[event]),
        None => Value::Nil,
    }
}

/// The metatable of a value.
#[inline(always)]
pub fn metatable(world: Gc<World>, value: Value) -> Option<Gc<table::Table>> {
    match value {
        Value::Table(t) => table::metatable(t),
        Value::Str(_) => Some(world.strings),
        Value::File(_) => Some(world.files),
        Value::Host(host) => Some(host.meta),
        _ => None,
    }
}

/// The name of a value's type.
#[inline(always)]
pub fn type_name(world: Gc<World>, value: Value) -> Gc<LuaStr> {
    let name = match value {
        Value::Nil => TYPE_NIL,
        Value::Bool(_) => TYPE_BOOLEAN,
        Value::Int(_) | Value::Float(_) => TYPE_NUMBER,
        Value::Str(_) => TYPE_STRING,
        Value::Table(_) => TYPE_TABLE,
        Value::Thread(_) => TYPE_THREAD,
        Value::File(_) | Value::Host(_) => TYPE_USERDATA,
        _ => TYPE_FUNCTION,
    };
    world.names[name]
}

/// The name of a value's type in messages, for native code: `__name` of its metatable if that is a
/// string.
pub fn described(world: Gc<World>, value: Value) -> String {
    if let Value::Table(_) | Value::File(_) | Value::Host(_) = value
        && let Value::Str(name) = handler(world, value, NAME)
    {
        return name.text();
    }
    type_name(world, value).text()
}
