//! Conversions between values of Rust and of Lua. Invariant: what does not fit is an error, never
//! another value.

use super::raw::{RawArgs, RawReturned, Slot};
use super::{Error, Lua, MultiValue, Result, Value};

/// Types whose values can be values of Lua.
pub trait IntoLua: Sized {
    /// The value in a machine.
    ///
    /// # Errors
    /// If there is no such value, or too little memory.
    fn into_lua(self, lua: &Lua) -> Result<Value>;

    /// The same without a root.
    #[doc(hidden)]
    fn into_slot(self, lua: &Lua) -> Result<Slot> {
        self.into_lua(lua)?.into_guest(lua.inner()).map(Slot)
    }
}

/// Types that values of Lua can be turned into.
pub trait FromLua: Sized {
    /// The value in Rust.
    ///
    /// # Errors
    /// [`Error::FromLua`] if it is not what is wanted.
    fn from_lua(value: Value, lua: &Lua) -> Result<Self>;

    /// The same without a root.
    #[doc(hidden)]
    fn from_slot(slot: Slot, lua: &Lua) -> Result<Self> {
        Self::from_lua(slot.value(lua)?, lua)
    }
}

/// Types whose values can be arguments or results: any number of values of Lua.
///
/// A value is one argument, a tuple several, `()` none; [`Variadic`](super::Variadic) and
/// [`MultiValue`] are any number. `Ok(values)` are these values, `Err(error)` nil and the error.
pub trait IntoLuaMulti: Sized {
    /// The values in a machine.
    ///
    /// # Errors
    /// If there are no such values, or too little memory.
    fn into_lua_multi(self, lua: &Lua) -> Result<MultiValue>;

    /// The same without roots.
    #[doc(hidden)]
    fn into_returned(self, lua: &Lua) -> Result<RawReturned> {
        self.into_lua_multi(lua)?.into_raw(lua)
    }
}

/// Types that arguments or results can be turned into. What is missing is nil, what is too much is
/// dropped.
pub trait FromLuaMulti: Sized {
    /// The values in Rust.
    ///
    /// # Errors
    /// [`Error::FromLua`] if one of them is not what is wanted.
    fn from_lua_multi(values: MultiValue, lua: &Lua) -> Result<Self>;

    /// The same without roots.
    #[doc(hidden)]
    fn from_args(args: RawArgs, lua: &Lua) -> Result<Self> {
        Self::from_lua_multi(MultiValue::from_raw(args, lua)?, lua)
    }
}

impl<T: IntoLua> IntoLuaMulti for T {
    fn into_lua_multi(self, lua: &Lua) -> Result<MultiValue> {
        Ok(MultiValue::from_vec(vec![self.into_lua(lua)?]))
    }

    fn into_returned(self, lua: &Lua) -> Result<RawReturned> {
        self.into_slot(lua).map(RawReturned::one)
    }
}

impl<T: FromLua> FromLuaMulti for T {
    fn from_lua_multi(mut values: MultiValue, lua: &Lua) -> Result<Self> {
        T::from_lua(values.pop_front().unwrap_or(Value::Nil), lua)
    }

    fn from_args(args: RawArgs, lua: &Lua) -> Result<Self> {
        T::from_slot(args.at(0), lua).map_err(|error| args.blame(0, error))
    }
}

impl IntoLua for Value {
    fn into_lua(self, _: &Lua) -> Result<Value> {
        Ok(self)
    }
}

impl FromLua for Value {
    fn from_lua(value: Value, _: &Lua) -> Result<Self> {
        Ok(value)
    }
}

impl IntoLua for &Value {
    fn into_lua(self, _: &Lua) -> Result<Value> {
        Ok(self.clone())
    }
}

impl<T: IntoLua> IntoLua for Option<T> {
    fn into_lua(self, lua: &Lua) -> Result<Value> {
        self.map_or(Ok(Value::Nil), |value| value.into_lua(lua))
    }

    fn into_slot(self, lua: &Lua) -> Result<Slot> {
        match self {
            Some(value) => value.into_slot(lua),
            None => Ok(Slot(crate::value::Value::Nil)),
        }
    }
}

impl<T: FromLua> FromLua for Option<T> {
    fn from_lua(value: Value, lua: &Lua) -> Result<Self> {
        match value {
            Value::Nil => Ok(None),
            value => T::from_lua(value, lua).map(Some),
        }
    }

    fn from_slot(slot: Slot, lua: &Lua) -> Result<Self> {
        match slot.0 {
            crate::value::Value::Nil => Ok(None),
            _ => T::from_slot(slot, lua).map(Some),
        }
    }
}

impl<T: IntoLuaMulti, E: IntoLua> IntoLuaMulti for std::result::Result<T, E> {
    fn into_lua_multi(self, lua: &Lua) -> Result<MultiValue> {
        match self {
            Ok(values) => values.into_lua_multi(lua),
            Err(error) => (Value::Nil, error).into_lua_multi(lua),
        }
    }

    fn into_returned(self, lua: &Lua) -> Result<RawReturned> {
        match self {
            Ok(values) => values.into_returned(lua),
            Err(error) => (Value::Nil, error).into_returned(lua),
        }
    }
}

/// Nil and an error, as functions of the library return them, is `Err`.
impl<T: FromLuaMulti, E: FromLua> FromLuaMulti for std::result::Result<T, E> {
    fn from_lua_multi(mut values: MultiValue, lua: &Lua) -> Result<Self> {
        match (values.first(), values.get(1)) {
            (Some(Value::Nil), Some(error)) if !error.is_nil() => {
                values.pop_front();
                let error = values.pop_front().unwrap_or(Value::Nil);
                E::from_lua(error, lua).map(Err)
            }
            _ => T::from_lua_multi(values, lua).map(Ok),
        }
    }
}

impl IntoLua for Error {
    fn into_lua(self, _: &Lua) -> Result<Value> {
        Ok(Value::Error(Box::new(self)))
    }
}

/// An error value of Lua: one that a Rust function has returned is itself, any other a runtime
/// error with its text.
impl FromLua for Error {
    fn from_lua(value: Value, lua: &Lua) -> Result<Self> {
        match value {
            Value::Error(error) => Ok(*error),
            value => lua.inner().enter(|world| {
                let value = value.into_guest(lua.inner())?;
                Ok(lua.inner().error_of(world, value, None))
            })?,
        }
    }
}

impl IntoLua for bool {
    fn into_lua(self, _: &Lua) -> Result<Value> {
        Ok(Value::Boolean(self))
    }

    fn into_slot(self, _: &Lua) -> Result<Slot> {
        Ok(Slot(crate::value::Value::Bool(self)))
    }
}

/// Whether a condition with the value holds: everything but `nil` and `false` is true.
impl FromLua for bool {
    fn from_lua(value: Value, _: &Lua) -> Result<Self> {
        Ok(!matches!(value, Value::Nil | Value::Boolean(false)))
    }

    fn from_slot(slot: Slot, _: &Lua) -> Result<Self> {
        Ok(slot.0.truth())
    }
}
