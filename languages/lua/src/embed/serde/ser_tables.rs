//! Lists and maps of Rust as tables.

use super::ser::Serializer;
use crate::embed::{Error, Lua, Result, Table, Value};
use serde::Serialize;
use serde::ser::{
    SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant,
};

/// A table for a variant with data.
fn wrapped(lua: &Lua, table: Table, variant: Option<&'static str>) -> Result<Value> {
    Ok(Value::Table(match variant {
        Some(variant) => lua.create_table_from([(variant, table)])?,
        None => table,
    }))
}

/// A list that is being made.
pub struct Items<'a> {
    lua: &'a Lua,
    table: Table,
    /// Nil counts: it leaves a hole.
    next: i64,
    variant: Option<&'static str>,
}

impl<'a> Items<'a> {
    pub(super) fn new(lua: &'a Lua, variant: Option<&'static str>) -> Result<Items<'a>> {
        Ok(Items {
            lua,
            table: lua.create_table()?,
            next: 1,
            variant,
        })
    }

    fn add<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        let value = value.serialize(Serializer::new(self.lua))?;
        self.table.raw_set(self.next, value)?;
        self.next += 1;
        Ok(())
    }

    fn done(self) -> Result<Value> {
        wrapped(self.lua, self.table, self.variant)
    }
}

macro_rules! items {
    ($($kind:ident $method:ident;)*) => {$(
        impl $kind for Items<'_> {
            type Ok = Value;
            type Error = Error;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
                self.add(value)
            }

            fn end(self) -> Result<Value> {
                self.done()
            }
        }
    )*};
}

items! {
    SerializeSeq serialize_element;
    SerializeTuple serialize_element;
    SerializeTupleStruct serialize_field;
    SerializeTupleVariant serialize_field;
}

/// A map that is being made.
pub struct Entries<'a> {
    lua: &'a Lua,
    table: Table,
    key: Value,
    variant: Option<&'static str>,
}

impl<'a> Entries<'a> {
    pub(super) fn new(lua: &'a Lua, variant: Option<&'static str>) -> Result<Entries<'a>> {
        Ok(Entries {
            lua,
            table: lua.create_table()?,
            key: Value::Nil,
            variant,
        })
    }

    fn add<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<()> {
        let value = value.serialize(Serializer::new(self.lua))?;
        self.table.raw_set(key, value)
    }

    fn done(self) -> Result<Value> {
        wrapped(self.lua, self.table, self.variant)
    }
}

impl SerializeMap for Entries<'_> {
    type Ok = Value;
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<()> {
        self.key = key.serialize(Serializer::new(self.lua))?;
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        let value = value.serialize(Serializer::new(self.lua))?;
        let key = std::mem::replace(&mut self.key, Value::Nil);
        self.table.raw_set(key, value)
    }

    fn end(self) -> Result<Value> {
        self.done()
    }
}

macro_rules! entries {
    ($($kind:ident;)*) => {$(
        impl $kind for Entries<'_> {
            type Ok = Value;
            type Error = Error;

            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                key: &'static str,
                value: &T,
            ) -> Result<()> {
                self.add(key, value)
            }

            fn end(self) -> Result<Value> {
                self.done()
            }
        }
    )*};
}

entries! {
    SerializeStruct;
    SerializeStructVariant;
}
