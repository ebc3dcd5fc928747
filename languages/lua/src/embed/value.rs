//! A value of any type.

use super::state::Inner;
use super::userdata::Stored;
use super::{AnyUserData, Error, Function, Lua, LuaString, Result, Table, Thread};
use crate::value::{Value as Guest, World};
use std::fmt;
use std::rc::Rc;
use verdigris::{Word, prelude::*};

/// A value of Lua. Handles in it keep their objects alive, wherever they are kept; handles of a
/// machine that was dropped give errors. Two values are equal if `rawequal` says so.
#[derive(Clone)]
pub enum Value {
    /// `nil`
    Nil,
    /// A boolean.
    Boolean(bool),
    /// An integer.
    Integer(i64),
    /// A float.
    Number(f64),
    /// A string.
    String(LuaString),
    /// A table.
    Table(Table),
    /// A function.
    Function(Function),
    /// A thread.
    Thread(Thread),
    /// A value of Rust, or an open file.
    UserData(AnyUserData),
    /// An error that a Rust function has returned. For Lua it is userdata with a `__tostring`.
    Error(Box<Error>),
}

impl Value {
    /// The name of its type, as `type` gives it.
    pub fn type_name(&self) -> &'static str {
        match self {
            Value::Nil => "nil",
            Value::Boolean(_) => "boolean",
            Value::Integer(_) | Value::Number(_) => "number",
            Value::String(_) => "string",
            Value::Table(_) => "table",
            Value::Function(_) => "function",
            Value::Thread(_) => "thread",
            Value::UserData(_) | Value::Error(_) => "userdata",
        }
    }

    /// Whether it is nil.
    pub fn is_nil(&self) -> bool {
        matches!(self, Value::Nil)
    }

    /// The integer, if it is one.
    pub fn as_integer(&self) -> Option<i64> {
        match self {
            Value::Integer(value) => Some(*value),
            _ => None,
        }
    }

    /// The number as a float, if it is one.
    pub fn as_number(&self) -> Option<f64> {
        match self {
            Value::Integer(value) => Some(*value as f64),
            Value::Number(value) => Some(*value),
            _ => None,
        }
    }

    /// The boolean, if it is one.
    pub fn as_boolean(&self) -> Option<bool> {
        match self {
            Value::Boolean(value) => Some(*value),
            _ => None,
        }
    }

    /// The string, if it is one.
    pub fn as_string(&self) -> Option<&LuaString> {
        match self {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    /// The table, if it is one.
    pub fn as_table(&self) -> Option<&Table> {
        match self {
            Value::Table(table) => Some(table),
            _ => None,
        }
    }

    /// The function, if it is one.
    pub fn as_function(&self) -> Option<&Function> {
        match self {
            Value::Function(function) => Some(function),
            _ => None,
        }
    }

    /// The userdata, if it is that.
    pub fn as_userdata(&self) -> Option<&AnyUserData> {
        match self {
            Value::UserData(userdata) => Some(userdata),
            _ => None,
        }
    }

    /// The handle of a value of the heap, while the machine is entered.
    pub(crate) fn from_guest(value: Guest, inner: &Rc<Inner>) -> Result<Value> {
        Ok(match value {
            Guest::Bool(value) => Value::Boolean(value),
            Guest::Int(value) => Value::Integer(value),
            Guest::Float(value) => Value::Number(value),
            Guest::Str(text) => Value::String(LuaString::new(inner, text)),
            Guest::Table(table) => Value::Table(Table::new(inner, table)),
            Guest::Function(_) | Guest::Native(_) => {
                return Function::new(inner, value).map(Value::Function);
            }
            Guest::Thread(thread) => Value::Thread(Thread::new(inner, thread)),
            Guest::Host(host) => match inner.rust_error(host) {
                Some(error) => Value::Error(Box::new(error)),
                None => Value::UserData(AnyUserData::of_host(inner, host)),
            },
            Guest::File(file) => Value::UserData(AnyUserData::of_file(inner, file)),
            _ => Value::Nil,
        })
    }

    /// The value of the heap, which is to go to the stack or into the heap at once.
    pub(crate) fn into_guest(self, inner: &Rc<Inner>) -> Result<Guest> {
        let guest = |owner: &Rc<Inner>, value: Guest| match Rc::ptr_eq(owner, inner) {
            true => Ok(value),
            false => Err(Error::WrongLua),
        };
        match self {
            Value::Nil => Ok(Guest::Nil),
            Value::Boolean(value) => Ok(Guest::Bool(value)),
            Value::Integer(value) => Ok(Guest::Int(value)),
            Value::Number(value) => Ok(Guest::Float(value)),
            Value::Error(error) => inner.enter(|world| inner.error_value(world, *error))?,
            Value::String(text) => guest(&text.inner, Guest::Str(text.root.get())),
            Value::Table(table) => guest(&table.inner, Guest::Table(table.root.get())),
            Value::Function(function) => guest(&function.inner, function.guest()),
            Value::Thread(thread) => guest(&thread.inner, Guest::Thread(thread.root.get())),
            Value::UserData(userdata) => guest(&userdata.inner, userdata.guest()),
        }
    }
}

impl Inner {
    /// As [`Value::into_guest`].
    pub(crate) fn guest_of(self: &Rc<Self>, value: Value) -> Result<super::raw::Slot> {
        self.world()?;
        value.into_guest(self).map(super::raw::Slot)
    }

    /// The userdata that an error is for the program.
    pub(crate) fn error_value(self: &Rc<Self>, world: Gc<World>, error: Error) -> Result<Guest> {
        let meta = self.meta_of_errors(world)?;
        let host = self.host(Rc::new(Stored::new(error)), meta);
        Ok(Guest::Host(host))
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Nil, Value::Nil) => true,
            (Value::Boolean(a), Value::Boolean(b)) => a == b,
            (Value::Integer(a), Value::Integer(b)) => a == b,
            (Value::Number(a), Value::Number(b)) => a == b,
            (Value::Integer(a), Value::Number(b)) | (Value::Number(b), Value::Integer(a)) => {
                crate::compare::raw_equal(Guest::Int(*a), Guest::Float(*b))
            }
            (Value::String(a), Value::String(b)) => a == b,
            (Value::Table(a), Value::Table(b)) => a == b,
            (Value::Function(a), Value::Function(b)) => a == b,
            (Value::Thread(a), Value::Thread(b)) => a == b,
            (Value::UserData(a), Value::UserData(b)) => a == b,
            _ => false,
        }
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Nil => f.write_str("nil"),
            Value::Boolean(value) => value.fmt(f),
            Value::Integer(value) => value.fmt(f),
            Value::Number(value) => fmt::Debug::fmt(value, f),
            Value::String(text) => text.fmt(f),
            Value::Table(table) => table.fmt(f),
            Value::Function(function) => function.fmt(f),
            Value::Thread(thread) => thread.fmt(f),
            Value::UserData(userdata) => userdata.fmt(f),
            Value::Error(error) => error.fmt(f),
        }
    }
}

/// What a handle shows for people: the type and the address.
pub(crate) fn shown<R: Word>(
    f: &mut fmt::Formatter<'_>,
    name: &str,
    root: &Root<R>,
) -> fmt::Result {
    write!(f, "{name}: {:#x}", root.get().to_word())
}

macro_rules! handles {
    ($($ty:ident $name:literal;)*) => {$(
        impl super::IntoLua for $ty {
            fn into_lua(self, _: &Lua) -> Result<Value> {
                Ok(Value::$ty(self))
            }
        }

        impl super::IntoLua for &$ty {
            fn into_lua(self, _: &Lua) -> Result<Value> {
                Ok(Value::$ty(self.clone()))
            }
        }

        impl super::FromLua for $ty {
            fn from_lua(value: Value, _: &Lua) -> Result<$ty> {
                match value {
                    Value::$ty(handle) => Ok(handle),
                    other => Err(Error::from_lua(other.type_name(), $name)),
                }
            }
        }
    )*};
}

handles! {
    Table "table";
    Function "function";
    Thread "thread";
}

macro_rules! other_handles {
    ($($ty:ident $variant:ident;)*) => {$(
        impl super::IntoLua for $ty {
            fn into_lua(self, _: &Lua) -> Result<Value> {
                Ok(Value::$variant(self))
            }
        }

        impl super::IntoLua for &$ty {
            fn into_lua(self, _: &Lua) -> Result<Value> {
                Ok(Value::$variant(self.clone()))
            }
        }
    )*};
}

other_handles! {
    LuaString String;
    AnyUserData UserData;
}

impl super::FromLua for AnyUserData {
    fn from_lua(value: Value, _: &Lua) -> Result<AnyUserData> {
        match value {
            Value::UserData(userdata) => Ok(userdata),
            other => Err(Error::from_lua(other.type_name(), "userdata")),
        }
    }
}
