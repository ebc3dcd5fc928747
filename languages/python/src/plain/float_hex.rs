//! Floats in hexadecimal. In: floats and texts. Out: the same the other way round. Invariant: what
//! is read is the nearest float, ties to even.

/// What is wrong with a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wrong {
    /// It is no number.
    Malformed,
    /// It is too large.
    Large,
}

/// How a float is written.
pub fn show(x: f64) -> String {
    if !x.is_finite() {
        return crate::plain::number::float_text(x);
    }
    let sign = if x.is_sign_negative() { "-" } else { "" };
    if x == 0.0 {
        return format!("{sign}0x0.0p+0");
    }
    let bits = x.to_bits();
    let fraction = bits & ((1 << 52) - 1);
    match (bits >> 52) & 0x7ff {
        0 => format!("{sign}0x0.{fraction:013x}p-1022"),
        exponent => format!("{sign}0x1.{fraction:013x}p{:+}", exponent as i64 - 1023),
    }
}

/// The float that a text says.
///
/// # Errors
/// That it is none, or too large.
pub fn parse(text: &str) -> Result<f64, Wrong> {
    let text = text.trim().to_ascii_lowercase();
    let (negative, body) = match text.strip_prefix('-') {
        Some(body) => (true, body),
        None => (false, text.strip_prefix('+').unwrap_or(&text)),
    };
    let magnitude = match body {
        "inf" | "infinity" => f64::INFINITY,
        "nan" => f64::NAN,
        _ => finite(body)?,
    };
    Ok(if negative { -magnitude } else { magnitude })
}

fn finite(body: &str) -> Result<f64, Wrong> {
    let body = body.strip_prefix("0x").unwrap_or(body);
    let (digits, exponent) = match body.split_once('p') {
        Some((digits, exponent)) => {
            let unsigned = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
            if unsigned.is_empty() || !unsigned.bytes().all(|byte| byte.is_ascii_digit()) {
                return Err(Wrong::Malformed);
            }
            let limit = if exponent.starts_with('-') {
                -1_000_000
            } else {
                1_000_000
            };
            (digits, exponent.parse::<i64>().unwrap_or(limit))
        }
        None => (body, 0),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    if whole.is_empty() && fraction.is_empty() {
        return Err(Wrong::Malformed);
    }
    // As many digits as are exact, and whether anything is behind them.
    let (mut mantissa, mut rest, mut left_out) = (0u128, false, 0);
    for digit in whole.chars().chain(fraction.chars()) {
        let digit = digit.to_digit(16).ok_or(Wrong::Malformed)?;
        if mantissa >> 112 == 0 {
            mantissa = mantissa << 4 | u128::from(digit);
        } else {
            rest |= digit != 0;
            left_out += 4;
        }
    }
    let exponent = exponent.clamp(-1_000_000, 1_000_000);
    rounded(
        mantissa,
        rest,
        exponent - fraction.len() as i64 * 4 + left_out,
    )
}

/// `mantissa` and perhaps a bit more, times a power of 2.
fn rounded(mantissa: u128, rest: bool, exponent: i64) -> Result<f64, Wrong> {
    if mantissa == 0 {
        return Ok(0.0);
    }
    let width = 128 - i64::from(mantissa.leading_zeros());
    let highest = exponent + width - 1;
    if highest > 1023 {
        return Err(Wrong::Large);
    }
    let precision = if highest < -1022 {
        53 - (-1022 - highest)
    } else {
        53
    };
    if precision < 0 {
        return Ok(0.0);
    }
    let shift = width - precision;
    let mut bits = match shift {
        ..=0 => (mantissa << -shift) as u64,
        _ => {
            let below = mantissa & ((1 << shift) - 1);
            let half = 1 << (shift - 1);
            let kept = (mantissa >> shift) as u64;
            let is_up = below > half || below == half && (rest || kept & 1 == 1);
            kept + u64::from(is_up)
        }
    };
    let mut power = exponent + shift;
    if bits == 1 << 53 {
        (bits, power) = (1 << 52, power + 1);
    }
    if bits < 1 << 52 {
        return Ok(f64::from_bits(bits));
    }
    let biased = power + 52 + 1023;
    if biased > 2046 {
        return Err(Wrong::Large);
    }
    Ok(f64::from_bits(
        (biased as u64) << 52 | bits & ((1 << 52) - 1),
    ))
}

#[cfg(test)]
mod tests {
    use super::{Wrong, parse, show};

    #[test]
    fn floats_go_there_and_back() {
        for x in [
            1.5,
            -0.0,
            0.1,
            5e-324,
            1e-310,
            f64::MAX,
            f64::MIN_POSITIVE,
            1e300,
        ] {
            assert_eq!(parse(&show(x)).map(f64::to_bits), Ok(x.to_bits()));
        }
        assert_eq!(show(0.1), "0x1.999999999999ap-4");
    }

    #[test]
    fn the_nearest_is_taken() {
        assert_eq!(parse("0x1.00000000000008p0"), Ok(1.0));
        assert_eq!(
            parse("0x1.00000000000008000000000000000000000000001p0"),
            Ok(1.0 + f64::EPSILON)
        );
        assert_eq!(parse("0x1p-1075"), Ok(0.0));
        assert_eq!(parse("0x1.8p-1075"), Ok(5e-324));
        assert_eq!(parse("0x1.fffffffffffff8p1023"), Err(Wrong::Large));
        assert_eq!(parse("0x"), Err(Wrong::Malformed));
    }
}
