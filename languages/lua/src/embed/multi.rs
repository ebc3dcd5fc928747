//! Any number of values.

use super::raw::{RawArgs, RawReturned};
use super::{FromLua, FromLuaMulti, IntoLua, IntoLuaMulti, Lua, Result, Value};
use crate::value::{Value as Guest, Values};
use std::collections::VecDeque;
use std::ops::{Deref, DerefMut};

/// Arguments or results as they are: any number of values.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MultiValue(VecDeque<Value>);

impl MultiValue {
    /// No values.
    pub fn new() -> MultiValue {
        MultiValue::default()
    }

    /// These values.
    pub fn from_vec(values: Vec<Value>) -> MultiValue {
        MultiValue(values.into())
    }

    /// The values.
    pub fn into_vec(self) -> Vec<Value> {
        self.0.into()
    }

    /// The first value.
    pub fn first(&self) -> Option<&Value> {
        self.0.front()
    }

    pub(crate) fn from_raw(args: RawArgs, lua: &Lua) -> Result<MultiValue> {
        let values = (0..args.len()).map(|n| args.at(n).value(lua));
        values.collect::<Result<_>>().map(MultiValue)
    }

    pub(crate) fn into_raw(self, lua: &Lua) -> Result<RawReturned> {
        let inner = lua.inner();
        inner.enter(|_| {
            let list = Values::new(self.0.len(), Guest::Nil);
            for (n, value) in self.0.into_iter().enumerate() {
                list[n].set(value.into_guest(inner)?);
            }
            Ok(RawReturned::several(list))
        })?
    }
}

impl Deref for MultiValue {
    type Target = VecDeque<Value>;

    fn deref(&self) -> &VecDeque<Value> {
        &self.0
    }
}

impl DerefMut for MultiValue {
    fn deref_mut(&mut self) -> &mut VecDeque<Value> {
        &mut self.0
    }
}

impl IntoIterator for MultiValue {
    type Item = Value;
    type IntoIter = std::collections::vec_deque::IntoIter<Value>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl FromIterator<Value> for MultiValue {
    fn from_iter<I: IntoIterator<Item = Value>>(values: I) -> MultiValue {
        MultiValue(values.into_iter().collect())
    }
}

impl IntoLuaMulti for MultiValue {
    fn into_lua_multi(self, _: &Lua) -> Result<MultiValue> {
        Ok(self)
    }
}

impl FromLuaMulti for MultiValue {
    fn from_lua_multi(values: MultiValue, _: &Lua) -> Result<MultiValue> {
        Ok(values)
    }
}

/// Any number of arguments or results of one type; last in a tuple, all that are left.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Variadic<T>(pub Vec<T>);

impl<T> Variadic<T> {
    /// None.
    pub fn new() -> Variadic<T> {
        Variadic(Vec::new())
    }
}

impl<T> Deref for Variadic<T> {
    type Target = Vec<T>;

    fn deref(&self) -> &Vec<T> {
        &self.0
    }
}

impl<T> DerefMut for Variadic<T> {
    fn deref_mut(&mut self) -> &mut Vec<T> {
        &mut self.0
    }
}

impl<T> IntoIterator for Variadic<T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<T> FromIterator<T> for Variadic<T> {
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Variadic<T> {
        Variadic(values.into_iter().collect())
    }
}

impl<T: IntoLua> IntoLuaMulti for Variadic<T> {
    fn into_lua_multi(self, lua: &Lua) -> Result<MultiValue> {
        self.0
            .into_iter()
            .map(|value| value.into_lua(lua))
            .collect()
    }

    fn into_returned(self, lua: &Lua) -> Result<RawReturned> {
        let list = Values::new(self.0.len(), Guest::Nil);
        for (n, value) in self.0.into_iter().enumerate() {
            list[n].set(value.into_slot(lua)?.0);
        }
        Ok(RawReturned::several(list))
    }
}

impl<T: FromLua> FromLuaMulti for Variadic<T> {
    fn from_lua_multi(values: MultiValue, lua: &Lua) -> Result<Self> {
        values
            .into_iter()
            .map(|value| T::from_lua(value, lua))
            .collect()
    }

    fn from_args(args: RawArgs, lua: &Lua) -> Result<Self> {
        let value = |n| T::from_slot(args.at(n), lua).map_err(|error| args.blame(n, error));
        (0..args.len()).map(value).collect()
    }
}
