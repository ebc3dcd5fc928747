//! Lists and maps of Rust as tables, and back.

use super::{Error, FromLua, IntoLua, Lua, Result, Table, Value};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::hash::{BuildHasher, Hash};

fn sequence<T: IntoLua>(items: impl IntoIterator<Item = T>, lua: &Lua) -> Result<Value> {
    lua.create_sequence_from(items).map(Value::Table)
}

fn map<K: IntoLua, V: IntoLua>(
    entries: impl IntoIterator<Item = (K, V)>,
    lua: &Lua,
) -> Result<Value> {
    lua.create_table_from(entries).map(Value::Table)
}

fn table(value: Value) -> Result<Table> {
    match value {
        Value::Table(table) => Ok(table),
        other => Err(Error::from_lua(other.type_name(), "table")),
    }
}

impl<T: IntoLua> IntoLua for Vec<T> {
    fn into_lua(self, lua: &Lua) -> Result<Value> {
        sequence(self, lua)
    }
}

impl<T: IntoLua> IntoLua for Box<[T]> {
    fn into_lua(self, lua: &Lua) -> Result<Value> {
        sequence(self.into_vec(), lua)
    }
}

impl<T: IntoLua + Clone> IntoLua for &[T] {
    fn into_lua(self, lua: &Lua) -> Result<Value> {
        sequence(self.iter().cloned(), lua)
    }
}

impl<T: IntoLua, const N: usize> IntoLua for [T; N] {
    fn into_lua(self, lua: &Lua) -> Result<Value> {
        sequence(self, lua)
    }
}

/// The items from 1 on, up to the first that is nil.
impl<T: FromLua> FromLua for Vec<T> {
    fn from_lua(value: Value, _: &Lua) -> Result<Vec<T>> {
        let table = table(value)?;
        table
            .inner
            .clone()
            .enter(|_| table.sequence_values().collect())?
    }
}

impl<T: FromLua> FromLua for Box<[T]> {
    fn from_lua(value: Value, lua: &Lua) -> Result<Box<[T]>> {
        Vec::from_lua(value, lua).map(Vec::into_boxed_slice)
    }
}

impl<T: FromLua, const N: usize> FromLua for [T; N] {
    fn from_lua(value: Value, lua: &Lua) -> Result<[T; N]> {
        let items = Vec::from_lua(value, lua)?;
        items.try_into().map_err(|items: Vec<T>| {
            let message = format!("{N} items expected, got {}", items.len());
            Error::from_lua_because("table", "array", message)
        })
    }
}

impl<K: IntoLua + Eq + Hash, V: IntoLua, S: BuildHasher> IntoLua for HashMap<K, V, S> {
    fn into_lua(self, lua: &Lua) -> Result<Value> {
        map(self, lua)
    }
}

impl<K: FromLua + Eq + Hash, V: FromLua, S: BuildHasher + Default> FromLua for HashMap<K, V, S> {
    fn from_lua(value: Value, _: &Lua) -> Result<Self> {
        let table = table(value)?;
        table.inner.clone().enter(|_| table.pairs().collect())?
    }
}

impl<K: IntoLua + Ord, V: IntoLua> IntoLua for BTreeMap<K, V> {
    fn into_lua(self, lua: &Lua) -> Result<Value> {
        map(self, lua)
    }
}

impl<K: FromLua + Ord, V: FromLua> FromLua for BTreeMap<K, V> {
    fn from_lua(value: Value, _: &Lua) -> Result<Self> {
        let table = table(value)?;
        table.inner.clone().enter(|_| table.pairs().collect())?
    }
}

/// A set is a table whose keys are its items, with `true` as their values.
impl<T: IntoLua + Eq + Hash, S: BuildHasher> IntoLua for HashSet<T, S> {
    fn into_lua(self, lua: &Lua) -> Result<Value> {
        map(self.into_iter().map(|item| (item, true)), lua)
    }
}

impl<T: IntoLua + Ord> IntoLua for BTreeSet<T> {
    fn into_lua(self, lua: &Lua) -> Result<Value> {
        map(self.into_iter().map(|item| (item, true)), lua)
    }
}

impl<T: FromLua + Eq + Hash, S: BuildHasher + Default> FromLua for HashSet<T, S> {
    fn from_lua(value: Value, _: &Lua) -> Result<Self> {
        table(value)?.keys().collect()
    }
}

impl<T: FromLua + Ord> FromLua for BTreeSet<T> {
    fn from_lua(value: Value, _: &Lua) -> Result<Self> {
        table(value)?.keys().collect()
    }
}
