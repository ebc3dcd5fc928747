//! Numbers of Rust and of Lua. Invariant: an integer that does not fit is an error; strings that
//! are numerals are numbers, as in Lua.

use super::raw::Slot;
use super::{Error, FromLua, IntoLua, Lua, Result, Value};
use crate::arith;
use crate::value::Value as Guest;

/// The integer that a value is.
fn integer(value: Guest, to: &'static str) -> Result<i64> {
    match value {
        Guest::Int(value) => Ok(value),
        value => match arith::to_number(value) {
            Guest::Nil => Err(Error::from_lua(Slot(value).type_name(), "number")),
            number => arith::to_integer(number).ok_or_else(|| {
                let message = "number has no integer representation";
                Error::from_lua_because("number", to, message)
            }),
        },
    }
}

fn number(value: Guest) -> Result<f64> {
    match value {
        Guest::Float(value) => Ok(value),
        Guest::Int(value) => Ok(value as f64),
        value => match arith::to_number(value) {
            Guest::Int(value) => Ok(value as f64),
            Guest::Float(value) => Ok(value),
            _ => Err(Error::from_lua(Slot(value).type_name(), "number")),
        },
    }
}

macro_rules! integers {
    ($($ty:ident)*) => {$(
        impl IntoLua for $ty {
            fn into_lua(self, _: &Lua) -> Result<Value> {
                i64::try_from(self).map(Value::Integer).map_err(|_| Error::ToLua {
                    from: stringify!($ty),
                    message: format!("{self} is out of range of integers"),
                })
            }

            #[inline]
            #[allow(irrefutable_let_patterns, reason = "true of some of these types")]
            fn into_slot(self, lua: &Lua) -> Result<Slot> {
                match i64::try_from(self) {
                    Ok(value) => Ok(Slot(Guest::Int(value))),
                    Err(_) => self.into_lua(lua)?.into_guest(lua.inner()).map(Slot),
                }
            }
        }

        impl FromLua for $ty {
            fn from_lua(value: Value, lua: &Lua) -> Result<$ty> {
                let value = lua.inner().guest_of(value)?;
                $ty::from_slot(value, lua)
            }

            #[inline]
            fn from_slot(slot: Slot, _: &Lua) -> Result<$ty> {
                let value = integer(slot.0, stringify!($ty))?;
                $ty::try_from(value).map_err(|_| {
                    let message = format!("{value} is out of range of {}", stringify!($ty));
                    Error::from_lua_because("integer", stringify!($ty), message)
                })
            }
        }
    )*};
}

integers! { i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize }

macro_rules! floats {
    ($($ty:ident)*) => {$(
        impl IntoLua for $ty {
            fn into_lua(self, _: &Lua) -> Result<Value> {
                Ok(Value::Number(f64::from(self)))
            }

            #[inline]
            fn into_slot(self, _: &Lua) -> Result<Slot> {
                Ok(Slot(Guest::Float(f64::from(self))))
            }
        }

        impl FromLua for $ty {
            fn from_lua(value: Value, lua: &Lua) -> Result<$ty> {
                let value = lua.inner().guest_of(value)?;
                $ty::from_slot(value, lua)
            }

            #[inline]
            fn from_slot(slot: Slot, _: &Lua) -> Result<$ty> {
                number(slot.0).map(|value| value as $ty)
            }
        }
    )*};
}

floats! { f32 f64 }
