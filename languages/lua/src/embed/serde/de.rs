//! Values of Lua as values of Rust.

use crate::embed::{Error, Pairs, Result, SequenceValues, Value};
use serde::de::{
    DeserializeSeed, EnumAccess, IntoDeserializer, MapAccess, SeqAccess, VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;

/// Reads a value of a machine.
pub struct Deserializer {
    value: Value,
}

impl Deserializer {
    /// One for this value.
    pub fn new(value: Value) -> Deserializer {
        Deserializer { value }
    }
}

fn unusable(value: &Value, wanted: &str) -> Error {
    Error::Serde(format!("{wanted} expected, got {}", value.type_name()))
}

impl<'de> serde::Deserializer<'de> for Deserializer {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.value {
            Value::Nil => visitor.visit_unit(),
            Value::Boolean(value) => visitor.visit_bool(value),
            Value::Integer(value) => visitor.visit_i64(value),
            Value::Number(value) => visitor.visit_f64(value),
            Value::String(text) => match String::from_utf8(text.to_bytes()) {
                Ok(text) => visitor.visit_string(text),
                Err(error) => visitor.visit_byte_buf(error.into_bytes()),
            },
            Value::Table(table) if table.raw_len() > 0 => {
                visitor.visit_seq(List(table.sequence_values()))
            }
            Value::Table(table) => visitor.visit_map(Entries::new(table.pairs())),
            other => Err(unusable(&other, "data")),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.value {
            Value::Nil => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.value {
            Value::Table(table) => visitor.visit_seq(List(table.sequence_values())),
            other => Err(unusable(&other, "list")),
        }
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value> {
        match self.value {
            // Here nil may be an item.
            Value::Table(table) => visitor.visit_seq(Tuple {
                table,
                next: 1,
                length,
            }),
            other => Err(unusable(&other, "list")),
        }
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        length: usize,
        visitor: V,
    ) -> Result<V::Value> {
        self.deserialize_tuple(length, visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.value {
            Value::Table(table) => visitor.visit_map(Entries::new(table.pairs())),
            other => Err(unusable(&other, "table")),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.deserialize_map(visitor)
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.value {
            Value::String(text) => visitor.visit_byte_buf(text.to_bytes()),
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_bytes(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        let (variant, value) = match self.value {
            Value::Table(table) => {
                let mut pairs = table.pairs::<String, Value>();
                match (pairs.next().transpose()?, pairs.next()) {
                    (Some((variant, value)), None) => (variant, Some(value)),
                    _ => return Err(Error::Serde("table with one entry expected".to_string())),
                }
            }
            Value::String(text) => (text.to_str()?, None),
            other => return Err(unusable(&other, "name or table with one entry")),
        };
        visitor.visit_enum(Variant { variant, value })
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string unit unit_struct
        identifier ignored_any
    }
}

struct List(SequenceValues<Value>);

impl<'de> SeqAccess<'de> for List {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        let item = self.0.next().transpose()?;
        let item = item.map(|item| seed.deserialize(Deserializer::new(item)));
        item.transpose()
    }
}

struct Tuple {
    table: crate::embed::Table,
    next: usize,
    length: usize,
}

impl<'de> SeqAccess<'de> for Tuple {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        if self.next > self.length {
            return Ok(None);
        }
        let item = self.table.raw_get(self.next)?;
        self.next += 1;
        seed.deserialize(Deserializer::new(item)).map(Some)
    }
}

struct Entries {
    pairs: Pairs<Value, Value>,
    value: Value,
}

impl Entries {
    fn new(pairs: Pairs<Value, Value>) -> Entries {
        Entries {
            pairs,
            value: Value::Nil,
        }
    }
}

impl<'de> MapAccess<'de> for Entries {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        let Some((key, value)) = self.pairs.next().transpose()? else {
            return Ok(None);
        };
        self.value = value;
        seed.deserialize(Deserializer::new(key)).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value> {
        let value = std::mem::replace(&mut self.value, Value::Nil);
        seed.deserialize(Deserializer::new(value))
    }
}

struct Variant {
    variant: String,
    value: Option<Value>,
}

impl<'de> EnumAccess<'de> for Variant {
    type Error = Error;
    type Variant = Content;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Content)> {
        let variant =
            seed.deserialize(IntoDeserializer::<Error>::into_deserializer(self.variant))?;
        Ok((variant, Content(self.value)))
    }
}

/// The data of a variant, if it has any.
struct Content(Option<Value>);

impl Content {
    fn deserializer(self) -> Deserializer {
        Deserializer::new(self.0.unwrap_or(Value::Nil))
    }
}

impl<'de> VariantAccess<'de> for Content {
    type Error = Error;

    fn unit_variant(self) -> Result<()> {
        match self.0 {
            None => Ok(()),
            Some(value) => Err(unusable(&value, "no data")),
        }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value> {
        seed.deserialize(self.deserializer())
    }

    fn tuple_variant<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value> {
        serde::Deserializer::deserialize_tuple(self.deserializer(), length, visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        serde::Deserializer::deserialize_map(self.deserializer(), visitor)
    }
}
