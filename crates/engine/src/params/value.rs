//! The values of parameters as text.

use crate::compile::backends::BackendKind;
use crate::params::allowance::Allowance;
use crate::params::compiler::{Compiler, LazyArms};
use std::path::PathBuf;
use verdigris_heap::Stress;
use verdigris_opt::Passes;

/// A type of values.
pub(super) trait ParamValue: Sized {
    /// The accepted texts, for messages.
    const TEXTS: &'static str;
    /// The value of a text, or the reason why it has none.
    fn read(text: &str) -> Result<Self, String>;
    /// A text that [`ParamValue::read`] takes for this value.
    fn show(&self) -> String;
    /// Whether it is a value that a text can have.
    fn check(&self) -> Result<(), String> {
        Ok(())
    }
}

impl ParamValue for bool {
    const TEXTS: &'static str = "0 or 1";

    fn read(text: &str) -> Result<bool, String> {
        match text {
            "0" => Ok(false),
            "1" => Ok(true),
            _ => Err("neither 0 nor 1".to_string()),
        }
    }

    fn show(&self) -> String {
        u8::from(*self).to_string()
    }
}

impl ParamValue for Allowance {
    const TEXTS: &'static str = Allowance::VALUES;

    fn read(text: &str) -> Result<Allowance, String> {
        Allowance::parse(text)
    }

    fn show(&self) -> String {
        Allowance::show(*self)
    }

    fn check(&self) -> Result<(), String> {
        Allowance::parse(&self.show()).map(drop)
    }
}

impl ParamValue for Passes {
    const TEXTS: &'static str = "all, none, or passes joined with + and -";

    fn read(text: &str) -> Result<Passes, String> {
        Passes::parse(text)
    }

    fn show(&self) -> String {
        self.to_string()
    }
}

impl ParamValue for Stress {
    const TEXTS: &'static str = "0, 1, young or sparse";

    fn read(text: &str) -> Result<Stress, String> {
        Stress::named(text).ok_or_else(|| "neither 0, 1, `young` nor `sparse`".to_string())
    }

    fn show(&self) -> String {
        self.name().to_string()
    }
}

impl ParamValue for PathBuf {
    const TEXTS: &'static str = "a folder";

    fn read(text: &str) -> Result<PathBuf, String> {
        match text {
            "" => Err("no folder".to_string()),
            text => Ok(text.into()),
        }
    }

    fn show(&self) -> String {
        self.display().to_string()
    }
}

/// The values of a parameter.
pub(super) struct Values<T> {
    /// The accepted texts, for messages.
    pub(super) texts: &'static str,
    pub(super) read: fn(&str) -> Result<T, String>,
    /// Whether a value that was set by hand is one that a text can have.
    pub(super) check: fn(&T) -> Result<(), String>,
    /// A text that `read` takes, unless there is no value.
    pub(super) show: fn(&T) -> Option<String>,
}

impl<T: ParamValue> Values<T> {
    /// All values of a type.
    pub(super) const fn plain() -> Values<T> {
        Values {
            texts: T::TEXTS,
            read: T::read,
            check: T::check,
            show: |value| Some(value.show()),
        }
    }
}

impl<T: ParamValue> Values<Option<T>> {
    /// All values of a type, or none.
    pub(super) const fn optional() -> Values<Option<T>> {
        Values {
            texts: T::TEXTS,
            read: |text| T::read(text).map(Some),
            check: |value| value.as_ref().map_or(Ok(()), T::check),
            show: |value| value.as_ref().map(T::show),
        }
    }
}

macro_rules! named_values {
    ($($ty:ident)*) => {$(
        impl ParamValue for $ty {
            const TEXTS: &'static str = $ty::NAMES;

            fn read(text: &str) -> Result<$ty, String> {
                $ty::parse(text)
            }

            fn show(&self) -> String {
                self.name().to_string()
            }
        }
    )*};
}

named_values! { Compiler LazyArms BackendKind }

/// Whether a number is in a range.
pub(super) fn in_range(value: u64, low: u64, high: u64, why: &str) -> Result<(), String> {
    match value {
        v if v < low => Err(format!("less than {low}; {why}")),
        v if v > high => Err(format!("more than {high}; {why}")),
        _ => Ok(()),
    }
}

/// A whole number; the largest if it is too large.
pub(super) fn number(text: &str) -> Result<u64, String> {
    match text.parse() {
        Ok(value) => Ok(value),
        Err(_) if !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()) => Ok(u64::MAX),
        Err(_) => Err("not a whole number".to_string()),
    }
}

/// A number of bytes with an optional suffix `k`, `m` or `g`.
pub(super) fn bytes(text: &str) -> Result<u64, String> {
    let lower = text.to_ascii_lowercase();
    let (digits, unit) = match lower.as_bytes().last() {
        Some(b'k') => (&lower[..lower.len() - 1], 1u64 << 10),
        Some(b'm') => (&lower[..lower.len() - 1], 1 << 20),
        Some(b'g') => (&lower[..lower.len() - 1], 1 << 30),
        _ => (&lower[..], 1),
    };
    let count = number(digits).map_err(|_| "not a number of bytes".to_string())?;
    Ok(count.saturating_mul(unit))
}
