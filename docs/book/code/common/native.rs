//! Native functions: those of the language that are written in Rust. In: a value. Out: a value, or
//! a fault. Invariant: each says by its mark what the JIT may do with a call.

use crate::fault::{self, Fault};
use crate::value::Value;
use verdigris::{Str, prelude::*};

/// A native function.
#[value]
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Native {
    Sqrt,
    Len,
    Upper,
    Clock,
}

impl Native {
    /// All of them; their numbers are those of the first globals.
    pub const ALL: [Native; 4] = [Native::Sqrt, Native::Len, Native::Upper, Native::Clock];

    /// Their names, in the same order.
    pub const NAMES: [&'static str; 4] = ["sqrt", "len", "upper", "clock"];

    /// Its name.
    pub fn text(self) -> &'static str {
        Native::NAMES[self as usize]
    }

    /// Its name, for faults.
    pub fn name(self) -> Gc<Str> {
        name(self)
    }

    // ANCHOR: call
    /// Calls it.
    ///
    /// # Errors
    /// If it is not for this value.
    pub fn call(self, value: Value) -> Result<Value, Gc<Fault>> {
        match (self, value) {
            (Native::Sqrt, Value::Float(x)) => Ok(Value::Float(x.sqrt())),
            (Native::Sqrt, Value::Int(x)) => Ok(Value::Float((x as f64).sqrt())),
            (Native::Len, Value::Text(text)) => Ok(Value::Int(text.len() as i64)),
            (Native::Upper, Value::Text(text)) => Ok(Value::Text(upper(text))),
            (Native::Clock, _) => Ok(Value::Float(clock())),
            _ => Err(fault::not_for(self.name(), value)),
        }
    }
    // ANCHOR_END: call
}

#[opaque]
fn name(native: Native) -> Gc<Str> {
    Str::new(native.text())
}

// ANCHOR: effects
/// A text in capitals. `#[elidable]` promises: the same text gives the same result, and no program
/// can notice the call.
#[elidable]
fn upper(text: Gc<Str>) -> Gc<Str> {
    Str::new(&text.as_str().to_uppercase())
}

/// Seconds since 1970. `#[opaque]` promises nothing: it is called each time. That it touches no
/// object, its source says.
#[opaque]
fn clock() -> f64 {
    let now = std::time::SystemTime::now();
    let since = now.duration_since(std::time::UNIX_EPOCH);
    since.map_or(0.0, |duration| duration.as_secs_f64())
}
// ANCHOR_END: effects
