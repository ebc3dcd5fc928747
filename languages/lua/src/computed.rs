//! Strings that the program computes, as keys. In: tables and names. Out: values. Invariants: what
//! compiled code does with such a name depends neither on the name nor on the table's shape; a name
//! becomes a field only if the program's text has it, too, so that data makes no shapes.

use crate::dict;
use crate::shape;
use crate::string::LuaStr;
use crate::table::{Table, add_field, content, dict_of, get_str, set_entry};
use crate::value::{Value, World, set_global};
use verdigris::{advice, is_constant, prelude::*, readonly};

/// Where the places of entries begin, for [`locate`].
const ENTRIES: i64 = 1 << 32;

/// The place of the field with this name, or that of the entry behind [`ENTRIES`]; -1 if there is
/// neither.
#[readonly]
fn locate(table: Gc<Table>, key: Gc<LuaStr>) -> i64 {
    let place = shape::find(table.shape.get(), key);
    if place >= 0 {
        return place;
    }
    match table.dict.get() {
        Some(dict) => match dict::find_string(dict, key) {
            -1 => -1,
            entry => ENTRIES + entry,
        },
        None => -1,
    }
}

/// The value of a string that the program computes. Tables with other names in them are of other
/// shapes, so where the string is no constant, nothing depends on the shape.
#[inline]
pub fn get(table: Gc<Table>, key: Gc<LuaStr>) -> Value {
    if is_constant(key) {
        return get_str(table, key);
    }
    let at = locate(table, key);
    if at < 0 {
        Value::Nil
    } else if at < ENTRIES {
        table.fields.get()[at as usize].get()
    } else {
        match table.dict.get() {
            Some(dict) => content(dict.values.get()[(at - ENTRIES) as usize].get()),
            None => Value::Nil,
        }
    }
}

/// Sets a string that the program computes.
#[advice(
    "tables of many shapes meet here: give all of them the same fields in the same order, and one metatable"
)]
#[inline]
pub fn set(world: Gc<World>, table: Gc<Table>, key: Gc<LuaStr>, value: Value) {
    if is_constant(key) {
        let place = shape::find(promote(table.shape.get()), key);
        if place >= 0 {
            table.fields.get()[place as usize].set(value);
            return;
        }
    }
    let at = locate(table, key);
    if at < 0 {
        add_computed(world, table, key, value);
    } else if at < ENTRIES {
        table.fields.get()[at as usize].set(value);
    } else if let Some(dict) = table.dict.get() {
        let (values, entry) = (dict.values.get(), (at - ENTRIES) as usize);
        match values[entry].get() {
            Value::Global(global) => set_global(global, value),
            _ => values[entry].set(value),
        }
    }
}

/// How many entries a table has at most whose computed names become fields.
const MAX_ENTRIES: usize = 8;

/// Adds a string that the program computes. If the program's text names it as well, it becomes a
/// field, as long as the table is no dictionary otherwise: then tables that are filled under
/// computed names and read by name, such as copies, are records, while the shapes that there are
/// depend on the program's text and not on its data.
fn add_computed(world: Gc<World>, table: Gc<Table>, key: Gc<LuaStr>, value: Value) {
    if value.is_nil() {
        return;
    }
    match name_of_field(world, table, key) {
        Some(name) => add_field(table, table.shape.get(), name, value),
        None => set_entry(table, Value::Str(key), value),
    }
}

/// The name in the program's text, if the string becomes a field.
#[opaque]
fn name_of_field(world: Gc<World>, table: Gc<Table>, key: Gc<LuaStr>) -> Option<Gc<LuaStr>> {
    let entries = table.dict.get().map_or(0, |dict| dict.used.get());
    match !table.shape.get().full && entries <= MAX_ENTRIES {
        true => named(world, key),
        false => None,
    }
}

/// The string with these bytes that the text of the program or the library names, if there is one.
fn named(world: Gc<World>, key: Gc<LuaStr>) -> Option<Gc<LuaStr>> {
    let dict = dict_of(world.interned);
    let entry = dict::find(dict, Value::Str(key));
    match entry {
        -1 => None,
        _ => match dict.keys.get()[entry as usize].get() {
            Value::Str(name) => Some(name),
            _ => None,
        },
    }
}
