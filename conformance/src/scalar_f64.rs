//! The methods of `f64`. In: two integers. Out: one.
//!
//! Written by `cargo run -p conformance-tables --example scalars`.

#![allow(unused_variables)]

/// Some of the edges are those of doubles.
fn number(a: i64) -> f64 {
    match a {
        7 => f64::NAN,
        8 => -0.0,
        9 => f64::INFINITY,
        12 => f64::NEG_INFINITY,
        33 => 0.5,
        64 => -2.5,
        100 => 4503599627370497.5,
        1001 => 1e300,
        _ => a as f64 * 0.37,
    }
}

/// All NaNs are one.
fn bits(x: f64) -> i64 {
    if x.is_nan() { 1 } else { x.to_bits() as i64 }
}

fn mix(sum: i64, part: i64) -> i64 {
    sum.wrapping_mul(31).wrapping_add(part)
}

pub fn rounding(a: i64, b: i64) -> i64 {
    let x = number(a);
    let mut sum = 0;
    sum = mix(sum, bits(x.floor()));
    sum = mix(sum, bits(x.ceil()));
    sum = mix(sum, bits(x.trunc()));
    sum = mix(sum, bits(x.round()));
    sum = mix(sum, bits(x.round_ties_even()));
    sum = mix(sum, bits(x.fract()));
    sum
}

pub fn halves(a: i64, b: i64) -> i64 {
    let x = number(a);
    let mut sum = 0;
    sum = mix(sum, bits((a as f64 + 0.5).round()));
    sum = mix(sum, bits((a as f64 * 0.5).round_ties_even()));
    sum = mix(sum, bits((a as f64 * 0.5).round()));
    sum = mix(sum, bits(0.49999999999999994_f64.copysign(x).round()));
    sum
}

pub fn roots(a: i64, b: i64) -> i64 {
    let x = number(a);
    let y = number(b);
    let mut sum = 0;
    sum = mix(sum, bits(x.sqrt()));
    sum = mix(sum, bits(x.cbrt()));
    sum = mix(sum, bits(x.hypot(y)));
    sum = mix(sum, bits(x.recip()));
    sum
}

pub fn rem(a: i64, b: i64) -> i64 {
    let x = number(a);
    let y = number(b);
    let mut sum = 0;
    sum = mix(sum, bits(x % y));
    sum = mix(sum, bits(x.rem_euclid(y)));
    sum = mix(sum, bits(x.div_euclid(y)));
    sum
}

pub fn order(a: i64, b: i64) -> i64 {
    let x = number(a);
    let y = number(b);
    let mut sum = 0;
    sum = mix(sum, bits(x.min(y)));
    sum = mix(sum, bits(x.max(y)));
    sum = mix(sum, (x < y) as i64);
    sum = mix(sum, (x == y) as i64);
    sum = mix(sum, (x != y) as i64);
    sum = mix(sum, (x >= y) as i64);
    sum = mix(sum, (!(x <= y)) as i64);
    sum
}

pub fn clamp(a: i64, b: i64) -> i64 {
    let y = number(b);
    let mut sum = 0;
    sum = mix(sum, bits(y.clamp(-3.0, 4.5)));
    sum
}

pub fn clamp_panics(a: i64, b: i64) -> i64 {
    let x = number(a);
    let y = number(b);
    let mut sum = 0;
    sum = mix(sum, bits(y.clamp(x, 4.5)));
    sum
}

pub fn exponents(a: i64, b: i64) -> i64 {
    let x = number(a);
    let y = number(b);
    let mut sum = 0;
    sum = mix(sum, bits(x.exp()));
    sum = mix(sum, bits(x.exp2()));
    sum = mix(sum, bits(x.exp_m1()));
    sum = mix(sum, bits(x.powi(b as i32 % 50)));
    sum = mix(sum, bits(x.powf(y)));
    sum
}

pub fn logs(a: i64, b: i64) -> i64 {
    let x = number(a);
    let y = number(b);
    let mut sum = 0;
    sum = mix(sum, bits(x.ln()));
    sum = mix(sum, bits(x.log2()));
    sum = mix(sum, bits(x.log10()));
    sum = mix(sum, bits(x.ln_1p()));
    sum = mix(sum, bits(x.log(y)));
    sum
}

pub fn angles(a: i64, b: i64) -> i64 {
    let x = number(a);
    let y = number(b);
    let mut sum = 0;
    sum = mix(sum, bits(x.sin()));
    sum = mix(sum, bits(x.cos()));
    sum = mix(sum, bits(x.tan()));
    sum = mix(sum, bits(x.atan2(y)));
    sum = mix(sum, bits(x.to_degrees()));
    sum = mix(sum, bits(x.to_radians()));
    sum = mix(sum, bits(x.sin_cos().0 + x.sin_cos().1));
    sum
}

pub fn arcs(a: i64, b: i64) -> i64 {
    let x = number(a);
    let mut sum = 0;
    sum = mix(sum, bits((x / 100.0).asin()));
    sum = mix(sum, bits((x / 100.0).acos()));
    sum = mix(sum, bits(x.atan()));
    sum = mix(sum, bits(x.sinh()));
    sum = mix(sum, bits(x.cosh()));
    sum = mix(sum, bits(x.tanh()));
    sum = mix(sum, bits(x.asinh()));
    sum = mix(sum, bits(x.acosh()));
    sum = mix(sum, bits((x / 100.0).atanh()));
    sum
}

pub fn kinds(a: i64, b: i64) -> i64 {
    let x = number(a);
    let y = number(b);
    let mut sum = 0;
    sum = mix(sum, (x.is_nan()) as i64);
    sum = mix(sum, (x.is_finite()) as i64);
    sum = mix(sum, (x.is_infinite()) as i64);
    sum = mix(sum, (x.is_normal()) as i64);
    sum = mix(sum, (x.is_subnormal()) as i64);
    sum = mix(sum, (x.is_sign_negative()) as i64);
    sum = mix(sum, (x.is_sign_positive()) as i64);
    sum = mix(sum, bits(x.signum()));
    sum = mix(sum, bits(x.copysign(y)));
    sum = mix(sum, bits(x.abs()));
    sum
}

pub fn others(a: i64, b: i64) -> i64 {
    let x = number(a);
    let y = number(b);
    let mut sum = 0;
    sum = mix(sum, bits(x.mul_add(y, 1.5)));
    sum = mix(sum, bits(x.midpoint(y)));
    sum = mix(sum, bits(x.next_up()));
    sum = mix(sum, bits(x.next_down()));
    sum = mix(sum, bits(f64::from_bits(x.to_bits() ^ 1)));
    sum
}

pub fn casts(a: i64, b: i64) -> i64 {
    let x = number(a);
    let mut sum = 0;
    sum = mix(sum, (x as i8) as i64);
    sum = mix(sum, (x as u8) as i64);
    sum = mix(sum, (x as i32) as i64);
    sum = mix(sum, (x as u32) as i64);
    sum = mix(sum, (x as i64) as i64);
    sum = mix(sum, (x as u64) as i64);
    sum = mix(sum, ((x * 1e17) as i64) as i64);
    sum = mix(sum, ((x * 1e17) as u64) as i64);
    sum = mix(sum, bits(a as u64 as f64));
    sum = mix(sum, bits(f64::from(a as i32)));
    sum = mix(sum, bits(f64::from(a > b)));
    sum
}

pub fn compound(a: i64, b: i64) -> i64 {
    let x = number(a);
    let y = number(b);
    let mut sum = 0;
    sum = mix(
        sum,
        bits({
            let mut z = x;
            z %= 7.0;
            z += y;
            z
        }),
    );
    sum
}

// What follows is written by `cargo run -p conformance-tables`.

/// The functions, in the order of their numbers.
#[rustfmt::skip]
pub const CASES: &[&str] = &[
    "rounding",
    "halves",
    "roots",
    "rem",
    "order",
    "clamp",
    "clamp_panics",
    "exponents",
    "logs",
    "angles",
    "arcs",
    "kinds",
    "others",
    "casts",
    "compound",
];

/// Function number `case` of two numbers.
#[rustfmt::skip]
pub fn run(case: i64, a: i64, b: i64) -> i64 {
    match case {
        0 => rounding(a, b),
        1 => halves(a, b),
        2 => roots(a, b),
        3 => rem(a, b),
        4 => order(a, b),
        5 => clamp(a, b),
        6 => clamp_panics(a, b),
        7 => exponents(a, b),
        8 => logs(a, b),
        9 => angles(a, b),
        10 => arcs(a, b),
        11 => kinds(a, b),
        12 => others(a, b),
        13 => casts(a, b),
        14 => compound(a, b),
        _ => panic!("there is no such function"),
    }
}
