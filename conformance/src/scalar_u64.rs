//! The methods of `u64`. In: two integers. Out: one.
//!
//! Written by `cargo run -p conformance-tables --example scalars`.

#![allow(unused_variables)]

/// Two of the edges are those of the type.
fn number(a: i64) -> u64 {
    match a {
        7 => u64::MIN,
        12 => u64::MAX,
        _ => a as u64,
    }
}

fn mix(sum: i64, part: i64) -> i64 {
    sum.wrapping_mul(31).wrapping_add(part)
}

pub fn add(a: i64, b: i64) -> i64 {
    let x = number(a);
    let y = number(b);
    let mut sum = 0;
    sum = mix(
        sum,
        match x.checked_add(y) {
            Some(v) => v as i64,
            None => -7777,
        },
    );
    sum = mix(sum, {
        let (v, over) = x.overflowing_add(y);
        v as i64 * 2 + over as i64
    });
    sum = mix(sum, (x.saturating_add(y)) as i64);
    sum = mix(sum, (x.wrapping_add(y)) as i64);
    sum
}

pub fn sub(a: i64, b: i64) -> i64 {
    let x = number(a);
    let y = number(b);
    let mut sum = 0;
    sum = mix(
        sum,
        match x.checked_sub(y) {
            Some(v) => v as i64,
            None => -7777,
        },
    );
    sum = mix(sum, {
        let (v, over) = x.overflowing_sub(y);
        v as i64 * 2 + over as i64
    });
    sum = mix(sum, (x.saturating_sub(y)) as i64);
    sum = mix(sum, (x.wrapping_sub(y)) as i64);
    sum
}

pub fn mul(a: i64, b: i64) -> i64 {
    let x = number(a);
    let y = number(b);
    let mut sum = 0;
    sum = mix(
        sum,
        match x.checked_mul(y) {
            Some(v) => v as i64,
            None => -7777,
        },
    );
    sum = mix(sum, {
        let (v, over) = x.overflowing_mul(y);
        v as i64 * 2 + over as i64
    });
    sum = mix(sum, (x.saturating_mul(y)) as i64);
    sum = mix(sum, (x.wrapping_mul(y)) as i64);
    sum
}

pub fn div(a: i64, b: i64) -> i64 {
    let x = number(a);
    let y = number(b);
    let mut sum = 0;
    sum = mix(
        sum,
        match x.checked_div(y) {
            Some(v) => v as i64,
            None => -7777,
        },
    );
    sum = mix(
        sum,
        match x.checked_rem(y) {
            Some(v) => v as i64,
            None => -7777,
        },
    );
    sum = mix(
        sum,
        match x.checked_div_euclid(y) {
            Some(v) => v as i64,
            None => -7777,
        },
    );
    sum = mix(
        sum,
        match x.checked_rem_euclid(y) {
            Some(v) => v as i64,
            None => -7777,
        },
    );
    sum
}

pub fn div_panics(a: i64, b: i64) -> i64 {
    let x = number(a);
    let y = number(b);
    let mut sum = 0;
    sum = mix(sum, (x.div_euclid(y)) as i64);
    sum = mix(sum, (x.rem_euclid(y)) as i64);
    sum
}

pub fn rem_panics(a: i64, b: i64) -> i64 {
    let x = number(a);
    let y = number(b);
    let mut sum = 0;
    sum = mix(sum, (x.rem_euclid(y)) as i64);
    sum
}

pub fn div_wraps(a: i64, b: i64) -> i64 {
    let x = number(a);
    let y = number(b);
    let mut sum = 0;
    sum = mix(sum, {
        let (v, over) = x.overflowing_div(y);
        v as i64 * 2 + over as i64
    });
    sum = mix(sum, {
        let (v, over) = x.overflowing_rem(y);
        v as i64 * 2 + over as i64
    });
    sum = mix(sum, (x.wrapping_div_euclid(y)) as i64);
    sum = mix(sum, (x.wrapping_rem_euclid(y)) as i64);
    sum = mix(sum, {
        let (v, over) = x.overflowing_div_euclid(y);
        v as i64 * 2 + over as i64
    });
    sum = mix(sum, {
        let (v, over) = x.overflowing_rem_euclid(y);
        v as i64 * 2 + over as i64
    });
    sum = mix(sum, (x.saturating_div(y)) as i64);
    sum
}

pub fn neg(a: i64, b: i64) -> i64 {
    let x = number(a);
    let y = number(b);
    let mut sum = 0;
    sum = mix(
        sum,
        match x.checked_neg() {
            Some(v) => v as i64,
            None => -7777,
        },
    );
    sum = mix(sum, {
        let (v, over) = x.overflowing_neg();
        v as i64 * 2 + over as i64
    });
    sum = mix(sum, (x.wrapping_neg()) as i64);
    sum = mix(sum, (y.wrapping_neg()) as i64);
    sum
}

pub fn shifts(a: i64, b: i64) -> i64 {
    let x = number(a);
    let n = (b & 63) as u32;
    let mut sum = 0;
    sum = mix(
        sum,
        match x.checked_shl(n) {
            Some(v) => v as i64,
            None => -7777,
        },
    );
    sum = mix(
        sum,
        match x.checked_shr(n) {
            Some(v) => v as i64,
            None => -7777,
        },
    );
    sum = mix(sum, {
        let (v, over) = x.overflowing_shl(n);
        v as i64 * 2 + over as i64
    });
    sum = mix(sum, {
        let (v, over) = x.overflowing_shr(n);
        v as i64 * 2 + over as i64
    });
    sum = mix(sum, (x.wrapping_shl(n)) as i64);
    sum = mix(sum, (x.wrapping_shr(n)) as i64);
    sum = mix(sum, (x.unbounded_shl(n)) as i64);
    sum = mix(sum, (x.unbounded_shr(n)) as i64);
    sum
}

pub fn powers(a: i64, b: i64) -> i64 {
    let x = number(a);
    let n = (b & 63) as u32;
    let mut sum = 0;
    sum = mix(
        sum,
        match x.checked_pow(n) {
            Some(v) => v as i64,
            None => -7777,
        },
    );
    sum = mix(sum, {
        let (v, over) = x.overflowing_pow(n);
        v as i64 * 2 + over as i64
    });
    sum = mix(sum, (x.wrapping_pow(n)) as i64);
    sum = mix(sum, (x.saturating_pow(n)) as i64);
    sum = mix(sum, (x.pow(n)) as i64);
    sum = mix(
        sum,
        match x.checked_pow(2) {
            Some(v) => v as i64,
            None => -7777,
        },
    );
    sum
}

pub fn strict_add(a: i64, b: i64) -> i64 {
    let x = number(a);
    let y = number(b);
    let mut sum = 0;
    sum = mix(sum, (x.strict_add(y)) as i64);
    sum
}

pub fn strict_sub(a: i64, b: i64) -> i64 {
    let x = number(a);
    let y = number(b);
    let mut sum = 0;
    sum = mix(sum, (x.strict_sub(y)) as i64);
    sum
}

pub fn strict_mul(a: i64, b: i64) -> i64 {
    let x = number(a);
    let y = number(b);
    let mut sum = 0;
    sum = mix(sum, (x.strict_mul(y)) as i64);
    sum
}

pub fn strict_others(a: i64, b: i64) -> i64 {
    let x = number(a);
    let y = number(b);
    let n = (b & 63) as u32;
    let mut sum = 0;
    sum = mix(sum, (x.strict_shl(n & 15)) as i64);
    sum = mix(sum, (x.strict_shr(n & 15)) as i64);
    sum = mix(sum, (x.strict_div(y)) as i64);
    sum = mix(sum, (x.strict_rem(y)) as i64);
    sum
}

pub fn order(a: i64, b: i64) -> i64 {
    let x = number(a);
    let y = number(b);
    let mut sum = 0;
    sum = mix(sum, (x.min(y)) as i64);
    sum = mix(sum, (x.max(y)) as i64);
    sum = mix(sum, (x.abs_diff(y)) as i64);
    sum = mix(sum, (x.midpoint(y)) as i64);
    sum = mix(sum, (x.lt(&y)) as i64);
    sum = mix(sum, (x.ge(&y)) as i64);
    sum
}

pub fn clamp(a: i64, b: i64) -> i64 {
    let x = number(a);
    let y = number(b);
    let mut sum = 0;
    sum = mix(sum, (y.clamp(x, 100)) as i64);
    sum
}

pub fn counts(a: i64, b: i64) -> i64 {
    let x = number(a);
    let mut sum = 0;
    sum = mix(sum, (x.leading_zeros()) as i64);
    sum = mix(sum, (x.trailing_zeros()) as i64);
    sum = mix(sum, (x.leading_ones()) as i64);
    sum = mix(sum, (x.trailing_ones()) as i64);
    sum = mix(sum, (x.count_ones()) as i64);
    sum = mix(sum, (x.count_zeros()) as i64);
    sum
}

pub fn bits(a: i64, b: i64) -> i64 {
    let x = number(a);
    let n = (b & 63) as u32;
    let mut sum = 0;
    sum = mix(sum, (x.rotate_left(n)) as i64);
    sum = mix(sum, (x.rotate_right(n)) as i64);
    sum = mix(sum, (x.swap_bytes()) as i64);
    sum = mix(sum, (x.reverse_bits()) as i64);
    sum = mix(sum, (x.to_be()) as i64);
    sum = mix(sum, (x.to_le()) as i64);
    sum = mix(sum, (u64::from_be(x)) as i64);
    sum = mix(sum, (u64::from_le(x)) as i64);
    sum
}

pub fn logs(a: i64, b: i64) -> i64 {
    let x = number(a);
    let y = number(b);
    let mut sum = 0;
    sum = mix(
        sum,
        match x.checked_ilog2() {
            Some(v) => v as i64,
            None => -7777,
        },
    );
    sum = mix(
        sum,
        match x.checked_ilog10() {
            Some(v) => v as i64,
            None => -7777,
        },
    );
    sum = mix(
        sum,
        match x.checked_ilog(y) {
            Some(v) => v as i64,
            None => -7777,
        },
    );
    sum
}

pub fn ilog2(a: i64, b: i64) -> i64 {
    let x = number(a);
    let mut sum = 0;
    sum = mix(sum, (x.ilog2()) as i64);
    sum
}

pub fn ilog10(a: i64, b: i64) -> i64 {
    let x = number(a);
    let y = number(b);
    let mut sum = 0;
    sum = mix(sum, (x.ilog10()) as i64);
    sum = mix(sum, (x.ilog(y)) as i64);
    sum
}

pub fn root(a: i64, b: i64) -> i64 {
    let x = number(a);
    let mut sum = 0;
    sum = mix(sum, (x.isqrt()) as i64);
    sum
}

pub fn from_word(a: i64, b: i64) -> i64 {
    let x = number(a);
    let mut sum = 0;
    sum = mix(
        sum,
        match u64::try_from(a).ok() {
            Some(v) => v as i64,
            None => -7777,
        },
    );
    sum = mix(
        sum,
        match u64::try_from(a as u64).ok() {
            Some(v) => v as i64,
            None => -7777,
        },
    );
    sum = mix(
        sum,
        match u64::try_from(b as i16).ok() {
            Some(v) => v as i64,
            None => -7777,
        },
    );
    sum = mix(sum, (u8::try_from(x).is_err()) as i64);
    sum = mix(sum, (i32::try_from(x).unwrap_or(-5)) as i64);
    sum
}

pub fn casts(a: i64, b: i64) -> i64 {
    let x = number(a);
    let mut sum = 0;
    sum = mix(sum, ((a as f64 * 0.37) as u64) as i64);
    sum = mix(sum, (x as f64 as i64) as i64);
    sum = mix(sum, (x as u16) as i64);
    sum = mix(sum, (x as i8) as i64);
    sum = mix(sum, ((x as u8) as char) as i64);
    sum = mix(sum, (x as u32) as i64);
    sum
}

pub fn multiples(a: i64, b: i64) -> i64 {
    let x = number(a);
    let y = number(b);
    let mut sum = 0;
    sum = mix(
        sum,
        match x.checked_next_multiple_of(y) {
            Some(v) => v as i64,
            None => -7777,
        },
    );
    sum = mix(sum, (x.is_multiple_of(y)) as i64);
    sum
}

pub fn multiples_panic(a: i64, b: i64) -> i64 {
    let x = number(a);
    let y = number(b);
    let mut sum = 0;
    sum = mix(sum, (x.div_ceil(y)) as i64);
    sum = mix(sum, ((x / 2).next_multiple_of(y / 2)) as i64);
    sum
}

pub fn powers_of_two(a: i64, b: i64) -> i64 {
    let x = number(a);
    let mut sum = 0;
    sum = mix(sum, (x.is_power_of_two()) as i64);
    sum = mix(sum, (x.next_power_of_two()) as i64);
    sum = mix(
        sum,
        match x.checked_next_power_of_two() {
            Some(v) => v as i64,
            None => -7777,
        },
    );
    sum = mix(sum, (x.cast_signed()) as i64);
    sum
}

pub fn mixed(a: i64, b: i64) -> i64 {
    let x = number(a);
    let y = number(b);
    let mut sum = 0;
    sum = mix(
        sum,
        match x.checked_add_signed(y as i64) {
            Some(v) => v as i64,
            None => -7777,
        },
    );
    sum = mix(
        sum,
        match x.checked_sub_signed(y as i64) {
            Some(v) => v as i64,
            None => -7777,
        },
    );
    sum = mix(sum, (x.wrapping_add_signed(y as i64)) as i64);
    sum = mix(sum, (x.wrapping_sub_signed(y as i64)) as i64);
    sum = mix(sum, {
        let (v, over) = x.overflowing_add_signed(y as i64);
        v as i64 * 2 + over as i64
    });
    sum = mix(sum, {
        let (v, over) = x.overflowing_sub_signed(y as i64);
        v as i64 * 2 + over as i64
    });
    sum = mix(sum, (x.saturating_add_signed(y as i64)) as i64);
    sum = mix(sum, (x.saturating_sub_signed(y as i64)) as i64);
    sum
}

// What follows is written by `cargo run -p conformance-tables`.

/// The functions, in the order of their numbers.
#[rustfmt::skip]
pub const CASES: &[&str] = &[
    "add",
    "sub",
    "mul",
    "div",
    "div_panics",
    "rem_panics",
    "div_wraps",
    "neg",
    "shifts",
    "powers",
    "strict_add",
    "strict_sub",
    "strict_mul",
    "strict_others",
    "order",
    "clamp",
    "counts",
    "bits",
    "logs",
    "ilog2",
    "ilog10",
    "root",
    "from_word",
    "casts",
    "multiples",
    "multiples_panic",
    "powers_of_two",
    "mixed",
];

/// Function number `case` of two numbers.
#[rustfmt::skip]
pub fn run(case: i64, a: i64, b: i64) -> i64 {
    match case {
        0 => add(a, b),
        1 => sub(a, b),
        2 => mul(a, b),
        3 => div(a, b),
        4 => div_panics(a, b),
        5 => rem_panics(a, b),
        6 => div_wraps(a, b),
        7 => neg(a, b),
        8 => shifts(a, b),
        9 => powers(a, b),
        10 => strict_add(a, b),
        11 => strict_sub(a, b),
        12 => strict_mul(a, b),
        13 => strict_others(a, b),
        14 => order(a, b),
        15 => clamp(a, b),
        16 => counts(a, b),
        17 => bits(a, b),
        18 => logs(a, b),
        19 => ilog2(a, b),
        20 => ilog10(a, b),
        21 => root(a, b),
        22 => from_word(a, b),
        23 => casts(a, b),
        24 => multiples(a, b),
        25 => multiples_panic(a, b),
        26 => powers_of_two(a, b),
        27 => mixed(a, b),
        _ => panic!("there is no such function"),
    }
}
