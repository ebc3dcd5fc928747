//! Strings of Rust and of Lua. Invariant: text of Rust is UTF-8, so a string of Lua that is not is
//! an error where text is wanted; numbers are strings, as in Lua.

use super::raw::Slot;
use super::{Bytes, Error, FromLua, IntoLua, Lua, LuaString, Result, Value};
use crate::native::check;
use crate::string::LuaStr;
use crate::value::Value as Guest;
use std::borrow::Cow;
use std::path::{Path, PathBuf};
use verdigris::prelude::*;

/// The string that a value is.
fn string(slot: Slot) -> Result<Gc<LuaStr>> {
    match slot.0 {
        Guest::Str(text) => Ok(text),
        value @ (Guest::Int(_) | Guest::Float(_)) => Ok(check::number_text(value)),
        _ => Err(Error::from_lua(slot.type_name(), "string")),
    }
}

fn text(slot: Slot) -> Result<String> {
    let text = string(slot)?;
    match std::str::from_utf8(text.as_bytes()) {
        Ok(text) => Ok(text.to_string()),
        Err(error) => Err(Error::from_lua_because("string", "text", error)),
    }
}

macro_rules! into_string {
    ($([$($generics:tt)*] $ty:ty: $self:ident => $bytes:expr;)*) => {$(
        impl<$($generics)*> IntoLua for $ty {
            fn into_lua(self, lua: &Lua) -> Result<Value> {
                let $self = &self;
                lua.create_string($bytes).map(Value::String)
            }

            fn into_slot(self, lua: &Lua) -> Result<Slot> {
                let $self = &self;
                lua.inner().string_slot($bytes)
            }
        }
    )*};
}

into_string! {
    [] &str: text => text.as_bytes();
    [] String: text => text.as_bytes();
    [] &String: text => text.as_bytes();
    [] Box<str>: text => text.as_bytes();
    ['a] Cow<'a, str>: text => text.as_bytes();
    [] char: text => text.encode_utf8(&mut [0; 4]).as_bytes();
    [] Bytes: bytes => &bytes.0;
    [] &Path: path => path.as_os_str().as_encoded_bytes();
    [] PathBuf: path => path.as_os_str().as_encoded_bytes();
}

macro_rules! from_string {
    ($($ty:ty: $slot:ident => $value:expr;)*) => {$(
        impl FromLua for $ty {
            fn from_lua(value: Value, lua: &Lua) -> Result<$ty> {
                lua.inner().enter(|_| {
                    let value = lua.inner().guest_of(value)?;
                    <$ty>::from_slot(value, lua)
                })?
            }

            fn from_slot($slot: Slot, _: &Lua) -> Result<$ty> {
                $value
            }
        }
    )*};
}

from_string! {
    String: slot => text(slot);
    Box<str>: slot => text(slot).map(String::into_boxed_str);
    PathBuf: slot => text(slot).map(PathBuf::from);
    Bytes: slot => string(slot).map(|text| Bytes(text.as_bytes().to_vec()));
    char: slot => {
        let text = text(slot)?;
        let mut chars = text.chars();
        match (chars.next(), chars.next()) {
            (Some(only), None) => Ok(only),
            _ => Err(Error::from_lua_because("string", "char", "one character expected")),
        }
    };
}

impl FromLua for LuaString {
    fn from_lua(value: Value, lua: &Lua) -> Result<LuaString> {
        lua.inner().enter(|_| {
            let value = lua.inner().guest_of(value)?;
            LuaString::from_slot(value, lua)
        })?
    }

    fn from_slot(slot: Slot, lua: &Lua) -> Result<LuaString> {
        string(slot).map(|text| LuaString::new(lua.inner(), text))
    }
}
