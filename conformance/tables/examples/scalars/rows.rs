//! Which methods the scalar types have. A table for each kind of type. Invariant:
//! a row is a function of the suite, and its expressions do not depend on one another.

/// What a method gives.
#[derive(Clone, Copy)]
pub enum Form {
    /// An integer or a `bool`.
    Int,
    /// An `Option` of an integer.
    Opt,
    /// An integer and a `bool`.
    Pair,
    /// A double.
    Float,
}
use Form::{Float, Int, Opt, Pair};

/// A function: its name, and expressions over `x`, `y` of the type and `n: u32`.
pub type Row = (&'static str, &'static [(Form, &'static str)]);
/// All integers.
pub const BOTH: &[Row] = &[
    (
        "add",
        &[
            (Opt, "x.checked_add(y)"),
            (Pair, "x.overflowing_add(y)"),
            (Int, "x.saturating_add(y)"),
            (Int, "x.wrapping_add(y)"),
        ],
    ),
    (
        "sub",
        &[
            (Opt, "x.checked_sub(y)"),
            (Pair, "x.overflowing_sub(y)"),
            (Int, "x.saturating_sub(y)"),
            (Int, "x.wrapping_sub(y)"),
        ],
    ),
    (
        "mul",
        &[
            (Opt, "x.checked_mul(y)"),
            (Pair, "x.overflowing_mul(y)"),
            (Int, "x.saturating_mul(y)"),
            (Int, "x.wrapping_mul(y)"),
        ],
    ),
    (
        "div",
        &[
            (Opt, "x.checked_div(y)"),
            (Opt, "x.checked_rem(y)"),
            (Opt, "x.checked_div_euclid(y)"),
            (Opt, "x.checked_rem_euclid(y)"),
        ],
    ),
    (
        "div_panics",
        &[(Int, "x.div_euclid(y)"), (Int, "x.rem_euclid(y)")],
    ),
    ("rem_panics", &[(Int, "x.rem_euclid(y)")]),
    (
        "div_wraps",
        &[
            (Pair, "x.overflowing_div(y)"),
            (Pair, "x.overflowing_rem(y)"),
            (Int, "x.wrapping_div_euclid(y)"),
            (Int, "x.wrapping_rem_euclid(y)"),
            (Pair, "x.overflowing_div_euclid(y)"),
            (Pair, "x.overflowing_rem_euclid(y)"),
            (Int, "x.saturating_div(y)"),
        ],
    ),
    (
        "neg",
        &[
            (Opt, "x.checked_neg()"),
            (Pair, "x.overflowing_neg()"),
            (Int, "x.wrapping_neg()"),
            (Int, "y.wrapping_neg()"),
        ],
    ),
    (
        "shifts",
        &[
            (Opt, "x.checked_shl(n)"),
            (Opt, "x.checked_shr(n)"),
            (Pair, "x.overflowing_shl(n)"),
            (Pair, "x.overflowing_shr(n)"),
            (Int, "x.wrapping_shl(n)"),
            (Int, "x.wrapping_shr(n)"),
            (Int, "x.unbounded_shl(n)"),
            (Int, "x.unbounded_shr(n)"),
        ],
    ),
    (
        "powers",
        &[
            (Opt, "x.checked_pow(n)"),
            (Pair, "x.overflowing_pow(n)"),
            (Int, "x.wrapping_pow(n)"),
            (Int, "x.saturating_pow(n)"),
            (Int, "x.pow(n)"),
            (Opt, "x.checked_pow(2)"),
        ],
    ),
    ("strict_add", &[(Int, "x.strict_add(y)")]),
    ("strict_sub", &[(Int, "x.strict_sub(y)")]),
    ("strict_mul", &[(Int, "x.strict_mul(y)")]),
    (
        "strict_others",
        &[
            (Int, "x.strict_shl(n & 15)"),
            (Int, "x.strict_shr(n & 15)"),
            (Int, "x.strict_div(y)"),
            (Int, "x.strict_rem(y)"),
        ],
    ),
    (
        "order",
        &[
            (Int, "x.min(y)"),
            (Int, "x.max(y)"),
            (Int, "x.abs_diff(y)"),
            (Int, "x.midpoint(y)"),
            (Int, "x.lt(&y)"),
            (Int, "x.ge(&y)"),
        ],
    ),
    ("clamp", &[(Int, "y.clamp(x, 100)")]),
    (
        "counts",
        &[
            (Int, "x.leading_zeros()"),
            (Int, "x.trailing_zeros()"),
            (Int, "x.leading_ones()"),
            (Int, "x.trailing_ones()"),
            (Int, "x.count_ones()"),
            (Int, "x.count_zeros()"),
        ],
    ),
    (
        "bits",
        &[
            (Int, "x.rotate_left(n)"),
            (Int, "x.rotate_right(n)"),
            (Int, "x.swap_bytes()"),
            (Int, "x.reverse_bits()"),
            (Int, "x.to_be()"),
            (Int, "x.to_le()"),
            (Int, "$T::from_be(x)"),
            (Int, "$T::from_le(x)"),
        ],
    ),
    (
        "logs",
        &[
            (Opt, "x.checked_ilog2()"),
            (Opt, "x.checked_ilog10()"),
            (Opt, "x.checked_ilog(y)"),
        ],
    ),
    ("ilog2", &[(Int, "x.ilog2()")]),
    ("ilog10", &[(Int, "x.ilog10()"), (Int, "x.ilog(y)")]),
    ("root", &[(Int, "x.isqrt()")]),
    (
        "from_word",
        &[
            (Opt, "$T::try_from(a).ok()"),
            (Opt, "$T::try_from(a as u64).ok()"),
            (Opt, "$T::try_from(b as i16).ok()"),
            (Int, "u8::try_from(x).is_err()"),
            (Int, "i32::try_from(x).unwrap_or(-5)"),
        ],
    ),
    (
        "casts",
        &[
            (Int, "(a as f64 * 0.37) as $T"),
            (Int, "x as f64 as i64"),
            (Int, "x as u16"),
            (Int, "x as i8"),
            (Int, "(x as u8) as char"),
            (Int, "x as u32"),
        ],
    ),
];

/// Signed integers.
pub const SIGNED: &[Row] = &[
    (
        "abs",
        &[
            (Opt, "x.checked_abs()"),
            (Pair, "x.overflowing_abs()"),
            (Int, "x.saturating_abs()"),
            (Int, "x.wrapping_abs()"),
            (Int, "x.abs()"),
            (Int, "x.unsigned_abs()"),
            (Int, "x.saturating_neg()"),
        ],
    ),
    (
        "signs",
        &[
            (Int, "x.signum()"),
            (Int, "x.is_positive()"),
            (Int, "x.is_negative()"),
            (Int, "x.cast_unsigned()"),
            (Opt, "x.checked_isqrt()"),
        ],
    ),
    (
        "mixed",
        &[
            (Opt, "x.checked_add_unsigned(y as $O)"),
            (Opt, "x.checked_sub_unsigned(y as $O)"),
            (Int, "x.wrapping_add_unsigned(y as $O)"),
            (Int, "x.wrapping_sub_unsigned(y as $O)"),
            (Pair, "x.overflowing_add_unsigned(y as $O)"),
            (Pair, "x.overflowing_sub_unsigned(y as $O)"),
            (Int, "x.saturating_add_unsigned(y as $O)"),
            (Int, "x.saturating_sub_unsigned(y as $O)"),
        ],
    ),
    ("strict_neg", &[(Int, "x.strict_neg()")]),
    ("strict_abs", &[(Int, "x.strict_abs()")]),
];

/// Unsigned integers.
pub const UNSIGNED: &[Row] = &[
    (
        "multiples",
        &[
            (Opt, "x.checked_next_multiple_of(y)"),
            (Int, "x.is_multiple_of(y)"),
        ],
    ),
    (
        "multiples_panic",
        &[
            (Int, "x.div_ceil(y)"),
            (Int, "(x / 2).next_multiple_of(y / 2)"),
        ],
    ),
    (
        "powers_of_two",
        &[
            (Int, "x.is_power_of_two()"),
            (Int, "x.next_power_of_two()"),
            (Opt, "x.checked_next_power_of_two()"),
            (Int, "x.cast_signed()"),
        ],
    ),
    (
        "mixed",
        &[
            (Opt, "x.checked_add_signed(y as $O)"),
            (Opt, "x.checked_sub_signed(y as $O)"),
            (Int, "x.wrapping_add_signed(y as $O)"),
            (Int, "x.wrapping_sub_signed(y as $O)"),
            (Pair, "x.overflowing_add_signed(y as $O)"),
            (Pair, "x.overflowing_sub_signed(y as $O)"),
            (Int, "x.saturating_add_signed(y as $O)"),
            (Int, "x.saturating_sub_signed(y as $O)"),
        ],
    ),
];

/// `u8` and `char`.
pub const BYTE: &[Row] = &[
    (
        "ascii",
        &[
            (Int, "x.is_ascii()"),
            (Int, "x.is_ascii_alphabetic()"),
            (Int, "x.is_ascii_uppercase()"),
            (Int, "x.is_ascii_lowercase()"),
            (Int, "x.is_ascii_digit()"),
            (Int, "x.is_ascii_hexdigit()"),
            (Int, "x.is_ascii_alphanumeric()"),
            (Int, "x.is_ascii_graphic()"),
            (Int, "x.is_ascii_punctuation()"),
            (Int, "x.is_ascii_control()"),
            (Int, "x.is_ascii_whitespace()"),
        ],
    ),
    (
        "ascii_case",
        &[
            (Int, "x.to_ascii_uppercase()"),
            (Int, "x.to_ascii_lowercase()"),
            (Int, "x.eq_ignore_ascii_case(&y)"),
        ],
    ),
];

/// `char`.
pub const CHAR: &[Row] = &[
    (
        "unicode",
        &[
            (Int, "x.is_alphabetic()"),
            (Int, "x.is_numeric()"),
            (Int, "x.is_alphanumeric()"),
            (Int, "x.is_whitespace()"),
            (Int, "x.is_control()"),
            (Int, "x.is_uppercase()"),
            (Int, "x.is_lowercase()"),
        ],
    ),
    (
        "digits",
        &[
            (Opt, "x.to_digit(n % 35 + 2)"),
            (Int, "x.is_digit(16)"),
            (Opt, "char::from_digit(n % 40, n % 37)"),
            (Opt, "char::from_u32(a as u32)"),
        ],
    ),
    ("digits_panic", &[(Opt, "x.to_digit(n)")]),
    (
        "sizes",
        &[
            (Int, "x.len_utf8()"),
            (Int, "x.len_utf16()"),
            (Int, "x as u32"),
            (Int, "x as u8"),
            (Int, "u32::from(x)"),
            (Int, "char::from(n as u8)"),
        ],
    ),
    (
        "order",
        &[
            (Int, "x.min(y)"),
            (Int, "x.max(y)"),
            (Int, "x < y"),
            (Int, "x == 'a'"),
            (Int, "x >= '\\u{e9}'"),
            (Int, "x != char::MAX"),
        ],
    ),
    (
        "tries",
        &[
            (Opt, "char::try_from(a as u32).ok()"),
            (Opt, "u8::try_from(x).ok()"),
            (Opt, "u16::try_from(x).ok()"),
        ],
    ),
    (
        "patterns",
        &[
            (
                Int,
                "match x { 'a'..='z' => 1, 'A'..'[' | '_' => 2, '\\u{80}'.. => 3, _ => 4 }",
            ),
            (
                Int,
                "match x { '\\0'..='\\u{d7ff}' => 1, '\\u{e000}'..=char::MAX => 2 }",
            ),
        ],
    ),
];

/// `f64`.
pub const F64: &[Row] = &[
    (
        "rounding",
        &[
            (Float, "x.floor()"),
            (Float, "x.ceil()"),
            (Float, "x.trunc()"),
            (Float, "x.round()"),
            (Float, "x.round_ties_even()"),
            (Float, "x.fract()"),
        ],
    ),
    (
        "halves",
        &[
            (Float, "(a as f64 + 0.5).round()"),
            (Float, "(a as f64 * 0.5).round_ties_even()"),
            (Float, "(a as f64 * 0.5).round()"),
            (Float, "0.49999999999999994_f64.copysign(x).round()"),
        ],
    ),
    (
        "roots",
        &[
            (Float, "x.sqrt()"),
            (Float, "x.cbrt()"),
            (Float, "x.hypot(y)"),
            (Float, "x.recip()"),
        ],
    ),
    (
        "rem",
        &[
            (Float, "x % y"),
            (Float, "x.rem_euclid(y)"),
            (Float, "x.div_euclid(y)"),
        ],
    ),
    (
        "order",
        &[
            (Float, "x.min(y)"),
            (Float, "x.max(y)"),
            (Int, "x < y"),
            (Int, "x == y"),
            (Int, "x != y"),
            (Int, "x >= y"),
            (Int, "!(x <= y)"),
        ],
    ),
    ("clamp", &[(Float, "y.clamp(-3.0, 4.5)")]),
    ("clamp_panics", &[(Float, "y.clamp(x, 4.5)")]),
    (
        "exponents",
        &[
            (Float, "x.exp()"),
            (Float, "x.exp2()"),
            (Float, "x.exp_m1()"),
            (Float, "x.powi(b as i32 % 50)"),
            (Float, "x.powf(y)"),
        ],
    ),
    (
        "logs",
        &[
            (Float, "x.ln()"),
            (Float, "x.log2()"),
            (Float, "x.log10()"),
            (Float, "x.ln_1p()"),
            (Float, "x.log(y)"),
        ],
    ),
    (
        "angles",
        &[
            (Float, "x.sin()"),
            (Float, "x.cos()"),
            (Float, "x.tan()"),
            (Float, "x.atan2(y)"),
            (Float, "x.to_degrees()"),
            (Float, "x.to_radians()"),
            (Float, "x.sin_cos().0 + x.sin_cos().1"),
        ],
    ),
    (
        "arcs",
        &[
            (Float, "(x / 100.0).asin()"),
            (Float, "(x / 100.0).acos()"),
            (Float, "x.atan()"),
            (Float, "x.sinh()"),
            (Float, "x.cosh()"),
            (Float, "x.tanh()"),
            (Float, "x.asinh()"),
            (Float, "x.acosh()"),
            (Float, "(x / 100.0).atanh()"),
        ],
    ),
    (
        "kinds",
        &[
            (Int, "x.is_nan()"),
            (Int, "x.is_finite()"),
            (Int, "x.is_infinite()"),
            (Int, "x.is_normal()"),
            (Int, "x.is_subnormal()"),
            (Int, "x.is_sign_negative()"),
            (Int, "x.is_sign_positive()"),
            (Float, "x.signum()"),
            (Float, "x.copysign(y)"),
            (Float, "x.abs()"),
        ],
    ),
    (
        "others",
        &[
            (Float, "x.mul_add(y, 1.5)"),
            (Float, "x.midpoint(y)"),
            (Float, "x.next_up()"),
            (Float, "x.next_down()"),
            (Float, "f64::from_bits(x.to_bits() ^ 1)"),
        ],
    ),
    (
        "casts",
        &[
            (Int, "x as i8"),
            (Int, "x as u8"),
            (Int, "x as i32"),
            (Int, "x as u32"),
            (Int, "x as i64"),
            (Int, "x as u64"),
            (Int, "(x * 1e17) as i64"),
            (Int, "(x * 1e17) as u64"),
            (Float, "a as u64 as f64"),
            (Float, "f64::from(a as i32)"),
            (Float, "f64::from(a > b)"),
        ],
    ),
    (
        "compound",
        &[(Float, "{ let mut z = x; z %= 7.0; z += y; z }")],
    ),
];
