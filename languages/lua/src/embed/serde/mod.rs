//! Values of Rust with the traits of serde, and values of Lua.
//!
//! A struct or a map is a table by names or keys, a sequence or a tuple a table from 1 on, bytes
//! and text are strings, `None` and `()` nil. A variant without data is a string, one with data a
//! table with one entry, from its name to that. Invariant: what Rust has comes back as the same,
//! but for what is nil within a list, where a list ends for Lua, and for an empty list where a map
//! would do.

mod de;
mod ser;
mod ser_tables;

pub use de::Deserializer;
pub use ser::Serializer;

use super::{Error, Lua, Result, Value};
use serde::de::DeserializeOwned;
use serde::{Serialize, de as serde_de, ser as serde_ser};

impl serde_ser::Error for Error {
    fn custom<T: std::fmt::Display>(message: T) -> Error {
        Error::Serde(message.to_string())
    }
}

impl serde_de::Error for Error {
    fn custom<T: std::fmt::Display>(message: T) -> Error {
        Error::Serde(message.to_string())
    }
}

impl Lua {
    /// The value of Lua that a value of Rust is.
    ///
    /// # Errors
    /// If there is none, such as for an integer that does not fit.
    pub fn to_value<T: Serialize + ?Sized>(&self, value: &T) -> Result<Value> {
        self.enter(|lua| value.serialize(Serializer::new(lua)))
    }

    /// The value of Rust that a value of Lua is.
    ///
    /// # Errors
    /// If it is not what the type asks for.
    pub fn from_value<T: DeserializeOwned>(&self, value: Value) -> Result<T> {
        self.enter(|_| T::deserialize(Deserializer::new(value)))
    }
}
