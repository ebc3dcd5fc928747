//! Numbers as text. In: bytes. Out: integers and floats, and the other way round. Invariant: what
//! is written here is read back as the same number, but for floats, which are written with 14
//! digits, as Lua does.
//!
//! Source: Lua 5.4 reference manual, sections 3.1 and 3.4.3.

use language_support::decimal::{self, Digits};

/// A number that a text denotes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Number {
    /// An integer.
    Int(i64),
    /// A float.
    Float(f64),
}

/// The number that a whole text denotes, with white space around it and a sign before it.
pub fn parse(text: &[u8]) -> Option<Number> {
    let text = trim(text);
    let (negative, digits) = match text.first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    if negative && digits == b"9223372036854775808" {
        return Some(Number::Int(i64::MIN));
    }
    let number = unsigned(digits)?;
    Some(match number {
        Number::Int(i) if negative => Number::Int(i.wrapping_neg()),
        Number::Float(f) if negative => Number::Float(-f),
        number => number,
    })
}

/// The number that a numeral denotes: no sign, nothing around it.
pub fn unsigned(text: &[u8]) -> Option<Number> {
    if text.len() > 1 && text[0] == b'0' && (text[1] | 32) == b'x' {
        return hexadecimal(&text[2..]);
    }
    decimal(text)
}

/// Without white space at both ends.
pub fn trim(mut text: &[u8]) -> &[u8] {
    let space = |byte: &u8| matches!(byte, b' ' | b'\t'..=b'\r');
    while let [first, rest @ ..] = text
        && space(first)
    {
        text = rest;
    }
    while let [rest @ .., last] = text
        && space(last)
    {
        text = rest;
    }
    text
}

fn decimal(text: &[u8]) -> Option<Number> {
    if !text.is_empty() && text.iter().all(u8::is_ascii_digit) {
        let mut value: u64 = 0;
        for &digit in text {
            let next = value
                .checked_mul(10)
                .and_then(|v| v.checked_add(u64::from(digit - b'0')));
            match next {
                Some(next) if next <= i64::MAX as u64 => value = next,
                // Too large for an integer, so it is a float.
                _ => return float(text),
            }
        }
        return Some(Number::Int(value as i64));
    }
    float(text)
}

fn float(text: &[u8]) -> Option<Number> {
    // Rust takes words such as `inf` too.
    let plain = |byte: &u8| matches!(byte, b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-');
    if !text.iter().all(plain) || matches!(text.first(), Some(b'+' | b'-' | b'e' | b'E') | None) {
        return None;
    }
    let text = std::str::from_utf8(text).ok()?;
    if text == "." {
        return None;
    }
    text.parse().ok().map(Number::Float)
}

/// A hexadecimal numeral behind its `0x`. Integers wrap around.
fn hexadecimal(text: &[u8]) -> Option<Number> {
    let mut mantissa: u64 = 0;
    let (mut wrapped, mut exponent) = (0u64, 0i64);
    let (mut any, mut point, mut sticky) = (false, false, false);
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        let Some(digit) = (byte as char).to_digit(16) else {
            if byte == b'.' && !point {
                point = true;
                at += 1;
                continue;
            }
            break;
        };
        any = true;
        wrapped = wrapped.wrapping_mul(16).wrapping_add(u64::from(digit));
        if mantissa >> 59 == 0 {
            mantissa = mantissa * 16 + u64::from(digit);
            exponent -= if point { 4 } else { 0 };
        } else {
            // The mantissa is full: digits count for the exponent and for rounding only.
            sticky |= digit != 0;
            exponent += if point { 0 } else { 4 };
        }
        at += 1;
    }
    if !any {
        return None;
    }
    let has_exponent = matches!(text.get(at), Some(b'p' | b'P'));
    if has_exponent {
        exponent = exponent.saturating_add(binary_exponent(&text[at + 1..])?);
    } else if at < text.len() {
        return None;
    }
    if !point && !has_exponent {
        return Some(Number::Int(wrapped as i64));
    }
    Some(Number::Float(scaled(
        mantissa | u64::from(sticky),
        exponent,
    )))
}

fn binary_exponent(text: &[u8]) -> Option<i64> {
    let (negative, digits) = match text.first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let value = digits.iter().fold(0i64, |value, &digit| {
        (value * 10 + i64::from(digit - b'0')).min(1 << 40)
    });
    Some(if negative { -value } else { value })
}

/// `mantissa * 2^exponent`, in steps that are exact but for the last.
fn scaled(mantissa: u64, exponent: i64) -> f64 {
    let mut value = mantissa as f64;
    let mut left = exponent.clamp(-4000, 4000);
    while left > 0 {
        let step = left.min(1000);
        value *= 2f64.powi(step as i32);
        left -= step;
    }
    while left < 0 {
        let step = (-left).min(1000);
        value /= 2f64.powi(step as i32);
        left += step;
    }
    value
}

/// A float as `print` shows it: 14 digits, and a mark that it is no integer.
pub fn show_float(value: f64) -> String {
    if value.is_nan() {
        // As on x86, whose operations make negative ones. Which sign a NaN has depends on how an
        // operation is compiled.
        return "-nan".to_string();
    }
    if value.is_infinite() {
        return if value > 0.0 { "inf" } else { "-inf" }.to_string();
    }
    let mut text = general(value, 14, false);
    if text.bytes().all(|b| b.is_ascii_digit() || b == b'-') {
        text += ".0";
    }
    text
}

/// A finite float as C's `%.{precision}g` shows it; with `#` trailing zeros stay.
pub fn general(value: f64, precision: usize, alternative: bool) -> String {
    let precision = precision.max(1);
    if alternative || precision > decimal::EXACT {
        return exact_general(value, precision, alternative);
    }
    let digits = Digits::of(value.abs(), precision);
    let mut text = String::with_capacity(24);
    if value.is_sign_negative() {
        text.push('-');
    }
    let exponent = digits.exponent();
    match (-4..precision as i32).contains(&exponent) {
        true => digits.put_plain(&mut text, None),
        false => {
            digits.put_mantissa(&mut text);
            text += &exponent_text(exponent.into());
        }
    }
    text
}

/// The same for any precision.
fn exact_general(value: f64, precision: usize, alternative: bool) -> String {
    let scientific = format!("{:.*e}", precision - 1, value);
    let (mantissa, exponent) = scientific.split_once('e').expect("there is an exponent");
    let exponent: i64 = exponent.parse().expect("it is a number");
    if exponent < -4 || exponent >= precision as i64 {
        let mantissa = if alternative {
            mantissa
        } else {
            strip(mantissa)
        };
        return format!("{mantissa}{}", exponent_text(exponent));
    }
    let decimals = (precision as i64 - 1 - exponent) as usize;
    let fixed = format!("{value:.decimals$}");
    if alternative {
        return fixed;
    }
    strip(&fixed).to_string()
}

/// An exponent as C shows it: a sign and two digits at least.
pub fn exponent_text(exponent: i64) -> String {
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("e{sign}{:02}", exponent.abs())
}

/// A decimal fraction without zeros at its end.
fn strip(text: &str) -> &str {
    if !text.contains('.') {
        return text;
    }
    text.trim_end_matches('0').trim_end_matches('.')
}

/// The integer that a float is, if it is one.
#[inline(always)]
pub fn float_to_integer(value: f64) -> Option<i64> {
    let integer = value as i64;
    // A float that is too large becomes the largest integer, which no float is.
    if integer as f64 == value && integer != i64::MAX {
        Some(integer)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numerals_are_what_the_manual_says() {
        let read = |text: &str| parse(text.as_bytes());
        assert_eq!(read(" 10 "), Some(Number::Int(10)));
        assert_eq!(read("-0x10"), Some(Number::Int(-16)));
        assert_eq!(read("0xffffffffffffffffff"), Some(Number::Int(-1)));
        assert_eq!(read("9223372036854775807"), Some(Number::Int(i64::MAX)));
        assert_eq!(
            read("9223372036854775808"),
            Some(Number::Float(9223372036854775808.0))
        );
        assert_eq!(read("0x.8p1"), Some(Number::Float(1.0)));
        assert_eq!(read("0xA.8p-2"), Some(Number::Float(2.625)));
        assert_eq!(read("3e2"), Some(Number::Float(300.0)));
        assert_eq!(read(".5"), Some(Number::Float(0.5)));
        assert_eq!(read("5."), Some(Number::Float(5.0)));
        for wrong in [
            "", " ", "0x", "1e", "1 2", "inf", "nan", "0x1p", "--1", ".", "e1", "1e+",
        ] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }

    /// Floats of many kinds: any bits, quotients of small integers, halves of decimals, powers of
    /// ten and of two and their neighbours.
    fn floats() -> Vec<f64> {
        let mut state = 1u64;
        let mut random = || {
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            state >> 20
        };
        let mut floats = vec![0.0, 5e-324, f64::MAX, 0.5, 0.25, 0.05, 9.5, 99.995];
        for n in 0..20_000 {
            floats.push(f64::from_bits(random() << 20 | random() & 0xf_ffff).abs());
            floats.push((random() % 100_000) as f64 / (1 + random() % 1000) as f64);
            floats.push((random() % 1_000_000) as f64 / 10f64.powi((random() % 20) as i32));
            floats.push((2 * (random() % 100_000) + 1) as f64 / (1u64 << (n % 40)) as f64);
        }
        for power in -30..30 {
            for near in [10f64.powi(power), 2f64.powi(power)] {
                let bits = near.to_bits();
                floats.extend((bits - 2..=bits + 2).map(f64::from_bits));
            }
        }
        floats.retain(|float| float.is_finite());
        floats
    }

    #[test]
    fn floats_are_shown_as_by_the_exact_algorithm() {
        for value in floats() {
            for precision in [1, 2, 6, 14, 15] {
                let exact = exact_general(value, precision, false);
                assert_eq!(general(value, precision, false), exact, "{value:e}");
            }
            for decimals in [0, 1, 2, 3, 9, 15, 16] {
                let exact = format!("{value:.decimals$}");
                assert_eq!(decimal::fixed(value, decimals), exact, "{value:e}");
            }
        }
    }

    #[test]
    fn floats_are_shown_with_fourteen_digits() {
        let shown = [
            1.0,
            0.1,
            1e15,
            1e100,
            -0.0,
            1.0 / 3.0,
            123456789012345680.0,
            1e-5,
        ];
        assert_eq!(
            shown.map(show_float),
            [
                "1.0",
                "0.1",
                "1e+15",
                "1e+100",
                "-0.0",
                "0.33333333333333",
                "1.2345678901235e+17",
                "1e-05"
            ]
        );
    }
}
