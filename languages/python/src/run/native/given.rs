//! The arguments of a builtin function. In: a call. Out: values, checked. Invariant: messages are
//! CPython's where it has one for all functions.

use super::collect;
use super::names::{BYTES_MAKETRANS, NATIVES, STR_MAKETRANS};
use crate::heap::exception::Thrown;
use crate::heap::function::Keywords;
use crate::heap::instance;
use crate::heap::value::{Registers, Text, Value};
use crate::heap::world::{World, classes, type_name};
use crate::plain::fault;
use crate::run::call::Args;
use verdigris::prelude::*;

/// A call of a builtin function.
#[derive(Clone, Copy)]
pub struct Given {
    /// The world.
    pub world: Gc<World>,
    /// Which function.
    pub id: usize,
    /// The arguments.
    pub args: Args,
    /// How deep what it calls is.
    pub depth: i64,
}

impl Given {
    /// A call with these arguments.
    pub fn new(
        world: Gc<World>,
        id: usize,
        values: Registers,
        keywords: Option<Gc<Keywords>>,
        depth: i64,
    ) -> Given {
        let mut args = crate::run::call::plain(values);
        args.keywords = keywords;
        Given {
            world,
            id,
            args,
            depth,
        }
    }

    /// How many arguments were given by position.
    pub fn count(&self) -> usize {
        self.args.positional()
    }

    /// An argument by position; `Unbound` if it was not given.
    pub fn at(&self, n: usize) -> Value {
        match n < self.count() {
            true => self.args.at(n),
            false => Value::Unbound,
        }
    }

    /// An argument by position or by keyword; `Unbound` if it was not given.
    pub fn named(&self, n: usize, name: &str) -> Value {
        match self.at(n) {
            Value::Unbound => self.keyword(name),
            value => value,
        }
    }

    /// An argument by keyword; `Unbound` if it was not given.
    pub fn keyword(&self, name: &str) -> Value {
        let Some(keywords) = self.args.keywords else {
            return Value::Unbound;
        };
        let names = keywords.names.as_slice();
        match names.iter().position(|known| known.as_str() == name) {
            Some(n) => self.args.at(self.count() + n),
            None => Value::Unbound,
        }
    }

    /// The name of the function.
    pub fn name(&self) -> &'static str {
        NATIVES[self.id].1
    }

    /// How messages call the function.
    fn qualified(&self) -> String {
        match NATIVES[self.id] {
            ("" | "sys" | "time" | "_verdigris", name, ..) => name.to_string(),
            ("bytes", name, ..) => match instance::plain(self.at(0)) {
                Value::ByteArray(_) => format!("bytearray.{name}"),
                _ => format!("bytes.{name}"),
            },
            (place, name, ..) => format!("{place}.{name}"),
        }
    }

    /// Whether there are as many arguments by position as the table says.
    ///
    /// # Errors
    /// A `TypeError` if not.
    pub fn check_count(&self) -> Result<(), Thrown> {
        let (place, name, least, most) = NATIVES[self.id];
        // That one is called with keywords alone, for a class that is known.
        let is_free = matches!(place, "" | "math" | "sys" | "time" | "_verdigris");
        let is_static = matches!(self.id, BYTES_MAKETRANS | STR_MAKETRANS);
        let is_method = !is_free && !is_static;
        let Some(count) = self.count().checked_sub(usize::from(is_method)) else {
            let message = format!("unbound method {place}.{name}() needs an argument");
            return Err(fault::type_error(self.world, &message));
        };
        if (least..=most).contains(&count) {
            return Ok(());
        }
        let message = match (least, most) {
            (0, 0) => format!("{}() takes no arguments ({count} given)", self.qualified()),
            (1, 1) => format!(
                "{}() takes exactly one argument ({count} given)",
                self.qualified()
            ),
            _ => {
                let (which, wanted) = match (least == most, count < least) {
                    (true, _) => ("", least),
                    (false, true) => ("at least ", least),
                    (false, false) => ("at most ", most),
                };
                let plural = if wanted == 1 { "" } else { "s" };
                format!("{name} expected {which}{wanted} argument{plural}, got {count}")
            }
        };
        Err(fault::type_error(self.world, &message))
    }

    /// Whether only these keywords were given.
    ///
    /// # Errors
    /// A `TypeError` if not.
    pub fn check_keywords(&self, allowed: &[&str]) -> Result<(), Thrown> {
        let name = match self.id {
            usize::MAX => "",
            _ => self.name(),
        };
        self.check_named(name, allowed)
    }

    /// The same of what messages call so.
    ///
    /// # Errors
    /// A `TypeError` if there are others.
    pub fn check_named(&self, name: &str, allowed: &[&str]) -> Result<(), Thrown> {
        let Some(keywords) = self.args.keywords else {
            return Ok(());
        };
        for known in keywords.names.as_slice() {
            if !allowed.contains(&known.as_str()) {
                let message = match allowed.is_empty() {
                    true => match self.id {
                        usize::MAX => "the function takes no keyword arguments".to_string(),
                        _ => format!("{}() takes no keyword arguments", self.qualified()),
                    },
                    false => format!(
                        "'{}' is an invalid keyword argument for {name}()",
                        known.as_str()
                    ),
                };
                return Err(fault::type_error(self.world, &message));
            }
        }
        Ok(())
    }

    /// The object of a method was of another class.
    pub fn wrong_object(&self) -> Thrown {
        let (place, name, ..) = NATIVES[self.id];
        let class = type_name(self.world, self.at(0));
        let message = format!(
            "descriptor '{name}' for '{place}' objects doesn't apply to a '{class}' object"
        );
        fault::type_error(self.world, &message)
    }

    /// A `TypeError`.
    pub fn type_error(&self, message: &str) -> Thrown {
        fault::type_error(self.world, message)
    }

    /// A `ValueError`.
    pub fn value_error(&self, message: &str) -> Thrown {
        fault::value_error(self.world, message)
    }

    /// An argument that has to be a string.
    ///
    /// # Errors
    /// A `TypeError` if it is none.
    pub fn text(&self, n: usize) -> Result<Gc<Text>, Thrown> {
        match instance::plain(self.at(n)) {
            Value::Str(text) => Ok(text),
            other => {
                let class = type_name(self.world, other);
                let message = format!("{}() argument {n} must be str, not {class}", self.name());
                Err(self.type_error(&message))
            }
        }
    }

    /// An argument that has to be an integer of 64 bits.
    ///
    /// # Errors
    /// A `TypeError` if it is no integer, an `OverflowError` if it is too large.
    pub fn int(&self, value: Value) -> Result<i64, Thrown> {
        match collect::index(self.world, value, self.depth)? {
            Value::Int(x) => Ok(x),
            _ => {
                let message = "Python int too large to convert to C ssize_t";
                Err(fault::new(self.world, classes::OVERFLOW_ERROR, message))
            }
        }
    }

    /// An argument that has to be a number, as a float.
    ///
    /// # Errors
    /// A `TypeError` if it is none.
    pub fn float(&self, n: usize) -> Result<f64, Thrown> {
        collect::float(self.world, self.at(n), self.depth)
    }

    /// Something that is not there yet.
    pub fn missing(&self, what: &str) -> Thrown {
        fault::missing(self.world, what)
    }
}
