//! Lua in a Rust program: a machine that is called from Rust, and calls Rust.
//!
//! In: texts, values and functions of Rust. Out: values, or an [`Error`]. Invariants: whatever a
//! program does is a value or an error, never a crash; every handle ([`Table`], [`Function`], ..)
//! is a root of the heap, so it may be kept in structures of Rust for as long as one likes.
//!
//! [`Lua`] is the machine; `EMBEDDING.md` shows how it is used. The parts: `state` enters and
//! leaves machines, `callback` is how compiled code and the interpreter come to functions of
//! Rust, `raw` is what both sides hand over, and all else is for users.

mod call;
pub(crate) mod callback;
mod chunk;
mod collections;
mod convert;
mod errors;
mod function;
mod lua;
mod multi;
mod numbers;
mod options;
mod raw;
#[cfg(feature = "serde")]
mod serde;
mod slab;
mod state;
mod string;
mod table;
mod table_iter;
mod texts;
mod thread;
mod thrown;
mod tuples;
mod userdata;
mod value;

pub use chunk::Chunk;
pub use convert::{FromLua, FromLuaMulti, IntoLua, IntoLuaMulti};
pub use errors::{Error, ErrorContext, Result, RuntimeError};
pub use function::Function;
pub use lua::Lua;
pub use multi::{MultiValue, Variadic};
pub use options::{LuaOptions, StdLib};
#[cfg(feature = "serde")]
pub use serde::{Deserializer, Serializer};
pub use string::{Bytes, LuaString};
pub use table::Table;
pub use table_iter::{Pairs, SequenceValues};
pub use thread::{Thread, ThreadStatus};
pub use userdata::{AnyUserData, MetaMethod, UserData, UserDataFields, UserDataMethods};
pub use value::Value;
