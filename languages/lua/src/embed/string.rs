//! Strings of a machine as Rust sees them.

use super::state::Inner;
use super::{Error, Lua, Result};
use crate::string::{self, LuaStr};
use crate::value::Value as Guest;
use std::fmt;
use std::rc::Rc;
use verdigris::prelude::*;

/// Bytes, for a string of Lua that need not be UTF-8. (A `Vec<u8>` is a table of numbers.)
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Bytes(pub Vec<u8>);

impl AsRef<[u8]> for Bytes {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

/// A string of Lua: any bytes. The handle keeps it alive.
#[derive(Clone)]
pub struct LuaString {
    pub(super) inner: Rc<Inner>,
    pub(super) root: Root<Gc<LuaStr>>,
}

impl LuaString {
    pub(crate) fn new(inner: &Rc<Inner>, text: Gc<LuaStr>) -> LuaString {
        LuaString {
            inner: inner.clone(),
            root: Root::new(text),
        }
    }

    /// The bytes.
    ///
    /// # Panics
    /// If the machine has been dropped.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.root.get().as_bytes().to_vec()
    }

    /// Does something with the bytes, without a copy.
    ///
    /// # Panics
    /// If the machine has been dropped, and if `f` does.
    pub fn with_bytes<R>(&self, f: impl FnOnce(&[u8]) -> R) -> R {
        f(self.root.get().as_bytes())
    }

    /// The text.
    ///
    /// # Errors
    /// If it is not UTF-8.
    ///
    /// # Panics
    /// If the machine has been dropped.
    pub fn to_str(&self) -> Result<String> {
        String::from_utf8(self.to_bytes())
            .map_err(|error| Error::from_lua_because("string", "text", error))
    }

    /// The text, with marks for what is not UTF-8.
    ///
    /// # Panics
    /// If the machine has been dropped.
    pub fn to_string_lossy(&self) -> String {
        self.root.get().text()
    }

    /// How many bytes it has.
    ///
    /// # Panics
    /// If the machine has been dropped.
    pub fn len(&self) -> usize {
        self.root.get().len()
    }

    /// Whether it has no bytes.
    ///
    /// # Panics
    /// If the machine has been dropped.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl PartialEq for LuaString {
    fn eq(&self, other: &LuaString) -> bool {
        string::same(self.root.get(), other.root.get())
    }
}

impl Eq for LuaString {}

impl<T: AsRef<[u8]> + ?Sized> PartialEq<T> for LuaString {
    fn eq(&self, other: &T) -> bool {
        self.with_bytes(|bytes| bytes == other.as_ref())
    }
}

impl fmt::Display for LuaString {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_string_lossy())
    }
}

impl fmt::Debug for LuaString {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.to_string_lossy(), f)
    }
}

impl Inner {
    /// A new string.
    pub(crate) fn string_slot(self: &Rc<Self>, bytes: &[u8]) -> Result<super::raw::Slot> {
        self.enter(|_| super::raw::Slot(Guest::Str(LuaStr::new(bytes))))
    }
}

impl Lua {
    /// A string with these bytes.
    ///
    /// # Errors
    /// If there is too little memory.
    pub fn create_string(&self, bytes: impl AsRef<[u8]>) -> Result<LuaString> {
        let inner = self.inner();
        inner.enter(|_| LuaString::new(inner, LuaStr::new(bytes.as_ref())))
    }
}
