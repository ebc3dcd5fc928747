//! Numbers outside the VM. In: text, or a boxed number. Out: a [`Number`], and text. Invariant:
//! what is printed reads back as the same number of the same type; that includes `NaN`, `inf` and
//! `-0.0`.

use std::fmt;
use std::str::FromStr;

/// A number that is not in the VM's heap.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Number {
    /// An integer.
    Integer(i64),
    /// A float.
    Float(f64),
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Number::Integer(value) => write!(f, "{value}"),
            // The form with a point or an exponent, and with as many digits as tell this float from
            // all others.
            Number::Float(value) => write!(f, "{value:?}"),
        }
    }
}

impl FromStr for Number {
    type Err = String;

    /// An optional sign and digits are an integer; everything else that Rust reads as an `f64` is a
    /// float.
    fn from_str(text: &str) -> Result<Number, String> {
        let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
        if !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) {
            let value = text
                .parse()
                .map_err(|_| format!("an integer has 64 bits; for the float write `{text}.0`"))?;
            return Ok(Number::Integer(value));
        }
        let value = text.parse().map_err(|_| {
            "neither an integer such as `1000` nor a float such as `1000.5`".to_string()
        })?;
        Ok(Number::Float(value))
    }
}
