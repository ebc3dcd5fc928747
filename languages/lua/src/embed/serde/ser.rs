//! Values of Rust as values of Lua.

use super::ser_tables::{Entries, Items};
use crate::embed::{Error, IntoLua, Lua, Result, Value};
use serde::Serialize;

/// Makes values of a machine.
#[derive(Clone, Copy)]
pub struct Serializer<'a> {
    pub(super) lua: &'a Lua,
}

impl<'a> Serializer<'a> {
    /// One for this machine.
    pub fn new(lua: &'a Lua) -> Serializer<'a> {
        Serializer { lua }
    }
}

macro_rules! plain {
    ($($method:ident $ty:ty;)*) => {$(
        fn $method(self, value: $ty) -> Result<Value> {
            value.into_lua(self.lua)
        }
    )*};
}

impl<'a> serde::Serializer for Serializer<'a> {
    type Ok = Value;
    type Error = Error;
    type SerializeSeq = Items<'a>;
    type SerializeTuple = Items<'a>;
    type SerializeTupleStruct = Items<'a>;
    type SerializeTupleVariant = Items<'a>;
    type SerializeMap = Entries<'a>;
    type SerializeStruct = Entries<'a>;
    type SerializeStructVariant = Entries<'a>;

    plain! {
        serialize_bool bool;
        serialize_i8 i8;
        serialize_i16 i16;
        serialize_i32 i32;
        serialize_i64 i64;
        serialize_i128 i128;
        serialize_u8 u8;
        serialize_u16 u16;
        serialize_u32 u32;
        serialize_u64 u64;
        serialize_u128 u128;
        serialize_f32 f32;
        serialize_f64 f64;
        serialize_char char;
        serialize_str &str;
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<Value> {
        self.lua.create_string(value).map(Value::String)
    }

    fn serialize_none(self) -> Result<Value> {
        Ok(Value::Nil)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Value> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<Value> {
        Ok(Value::Nil)
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<Value> {
        Ok(Value::Nil)
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<Value> {
        variant.into_lua(self.lua)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<Value> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<Value> {
        let value = value.serialize(self)?;
        let table = self.lua.create_table_from([(variant, value)])?;
        Ok(Value::Table(table))
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Items<'a>> {
        Items::new(self.lua, None)
    }

    fn serialize_tuple(self, _: usize) -> Result<Items<'a>> {
        Items::new(self.lua, None)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Items<'a>> {
        Items::new(self.lua, None)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Items<'a>> {
        Items::new(self.lua, Some(variant))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Entries<'a>> {
        Entries::new(self.lua, None)
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Entries<'a>> {
        Entries::new(self.lua, None)
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Entries<'a>> {
        Entries::new(self.lua, Some(variant))
    }
}
