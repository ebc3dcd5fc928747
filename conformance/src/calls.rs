//! Functions that call others which are not traced, and functions that panic. In: two integers.
//! Out: one, or a message.

use verdigris::{concrete, prelude::*, we_are_jitted};

#[elidable]
pub fn mix(a: i64, b: i64) -> i64 {
    a.rotate_left(5) ^ b.wrapping_mul(0x9E37_79B9)
}

#[elidable]
pub fn narrow(a: u8, b: i16, c: bool) -> i8 {
    (a as i8).wrapping_add(b as i8).wrapping_sub(c as i8)
}

#[elidable]
pub fn root(x: f64) -> f64 {
    x.abs().sqrt()
}

#[elidable]
pub fn is_prime(n: u32) -> bool {
    n > 1 && (2..n).take_while(|d| d * d <= n).all(|d| n % d != 0)
}

#[opaque]
pub fn mixed(a: i64, x: f64, b: i64, y: f64) -> f64 {
    a as f64 * x - b as f64 * y
}

#[opaque]
pub fn ten(a: i64, b: i64, c: i64, d: i64, e: i64, f: i64, g: i64, h: i64, i: i64, j: i64) -> i64 {
    let list = [a, b, c, d, e, f, g, h, i, j];
    list.iter().fold(0, |sum, x| sum.wrapping_mul(3) ^ x)
}

#[opaque]
pub fn refuse_odd(a: i64) -> i64 {
    assert!(a & 1 == 0, "{a} is odd");
    a / 2
}

#[opaque]
pub fn parse(a: i64) -> i64 {
    a.to_string().trim_start_matches('-').len() as i64
}

pub fn constant_results(a: i64, b: i64) -> i64 {
    mix(a, b) ^ mix(a, b) ^ mix(1, 2) ^ mix(b, a)
}

pub fn narrow_words(a: i64, b: i64) -> i64 {
    narrow(a as u8, b as i16, a < b) as i64
}

pub fn floats_of_calls(a: i64, b: i64) -> i64 {
    (root((a & 0xFFFF) as f64) * 10.0) as i64 + (b & 1)
}

pub fn bools_of_calls(a: i64, b: i64) -> i64 {
    if is_prime((a & 0xFF) as u32) { b } else { -1 }
}

pub fn arguments_of_both_kinds(a: i64, b: i64) -> i64 {
    mixed(a & 0xFFF, 1.5, b & 0xFFF, 0.25) as i64
}

pub fn ten_arguments(a: i64, b: i64) -> i64 {
    ten(a, b, 1, a ^ b, 2, b, a, 3, b & a, 4)
}

pub fn any_rust_inside(a: i64, b: i64) -> i64 {
    parse(a) * 100 + parse(b)
}

pub fn calls_that_panic(a: i64, b: i64) -> i64 {
    refuse_odd(a) ^ b
}

pub fn panics_behind_changes(a: i64, b: i64) -> i64 {
    let sum = a.wrapping_add(b);
    let half = refuse_odd(sum & 0xFF);
    half.wrapping_add(refuse_odd(a & 0xFE))
}

pub fn division_by_zero(a: i64, b: i64) -> i64 {
    a / (b & 3)
}

pub fn remainder_by_zero(a: i64, b: i64) -> i64 {
    b % (a & 7)
}

pub fn division_that_overflows(a: i64, b: i64) -> i64 {
    a / (b | 1)
}

pub fn narrow_division(a: i64, b: i64) -> i64 {
    ((a as i8) / (b as i8)) as i64
}

pub fn unsigned_division(a: i64, b: i64) -> i64 {
    ((a as u64) / (b as u64) + (a as u64) % (b as u64)) as i64
}

pub fn explicit_panics(a: i64, b: i64) -> i64 {
    if a > b {
        panic!("the first is larger");
    }
    b.wrapping_sub(a)
}

pub fn unreachable_code(a: i64, b: i64) -> i64 {
    match a & 3 {
        0 => b,
        1 => b ^ 1,
        2 => 2,
        _ => unreachable!(),
    }
}

pub fn unreachable_with_a_reason(a: i64, b: i64) -> i64 {
    if a & b & 1 == 1 {
        unreachable!("both are odd");
    }
    a | b
}

pub fn assertions(a: i64, b: i64) -> i64 {
    assert!(a != b);
    assert!(a ^ b != 7, "seven apart");
    a.wrapping_sub(b)
}

pub fn debug_assertions_do_nothing(a: i64, b: i64) -> i64 {
    debug_assert!(a < b);
    debug_assert!(a > b, "never looked at");
    a ^ b
}

pub fn todo_and_unimplemented(a: i64, b: i64) -> i64 {
    match (a & 7, b & 7) {
        (1, 2) => todo!(),
        (3, _) => unimplemented!(),
        (_, 5) => unimplemented!("five"),
        (x, y) => x * 10 + y,
    }
}

pub fn failed_expectations(a: i64, b: i64) -> i64 {
    let even = if a & 1 == 0 { Some(a) } else { None };
    even.expect("an even number") ^ b
}

pub fn failed_unwraps(a: i64, b: i64) -> i64 {
    let positive = if a >= 0 { Some(b) } else { None };
    positive.unwrap()
}

pub fn panics_in_arguments(a: i64, b: i64) -> i64 {
    mix(a / (b & 1), refuse_odd(a & 2))
}

pub fn short_circuits(a: i64, b: i64) -> i64 {
    let safe = b & 3 != 0 && a / (b & 3) > 2;
    let other = b & 3 == 0 || a % (b & 3) == 1;
    safe as i64 + 2 * other as i64
}

pub fn jitted_code_knows(a: i64, b: i64) -> i64 {
    let x = if we_are_jitted() { a ^ b } else { b ^ a };
    x.wrapping_add(1)
}

pub fn demanded_words(a: i64, b: i64) -> i64 {
    let low = promote(a & 3);
    let twice = concrete(low * 2);
    match twice {
        0 => a,
        2 => b,
        _ => a ^ b ^ concrete(twice + 1),
    }
}

/// A demand on what comes out of a `Result`, whose error is red.
pub fn demanded_results(a: i64, b: i64) -> i64 {
    fn half(known: i64, of: i64) -> Result<i64, i64> {
        if of & 1 == 1 {
            return Err(of);
        }
        Ok(known + 1)
    }
    match half(promote(a & 7), b) {
        Ok(known) => concrete(known) ^ b,
        Err(odd) => odd.wrapping_mul(3) ^ a,
    }
}

pub fn promoted_words(a: i64, b: i64) -> i64 {
    match promote(a & 3) {
        0 => b,
        1 => b.wrapping_add(1),
        n => b.wrapping_mul(n),
    }
}

#[unroll_safe]
pub fn calls_in_loops(a: i64, b: i64) -> i64 {
    let mut sum = 0i64;
    let mut n = 0;
    while n < 4 {
        sum = sum.wrapping_add(mix(a, n)) ^ parse(b);
        n += 1;
    }
    sum
}

// What follows is written by `cargo run -p conformance-tables`.

/// The functions, in the order of their numbers.
#[rustfmt::skip]
pub const CASES: &[&str] = &[
    "mix",
    "constant_results",
    "narrow_words",
    "floats_of_calls",
    "bools_of_calls",
    "arguments_of_both_kinds",
    "ten_arguments",
    "any_rust_inside",
    "calls_that_panic",
    "panics_behind_changes",
    "division_by_zero",
    "remainder_by_zero",
    "division_that_overflows",
    "narrow_division",
    "unsigned_division",
    "explicit_panics",
    "unreachable_code",
    "unreachable_with_a_reason",
    "assertions",
    "debug_assertions_do_nothing",
    "todo_and_unimplemented",
    "failed_expectations",
    "failed_unwraps",
    "panics_in_arguments",
    "short_circuits",
    "jitted_code_knows",
    "demanded_words",
    "demanded_results",
    "promoted_words",
    "calls_in_loops",
];

/// Function number `case` of two numbers.
#[rustfmt::skip]
pub fn run(case: i64, a: i64, b: i64) -> i64 {
    match case {
        0 => mix(a, b),
        1 => constant_results(a, b),
        2 => narrow_words(a, b),
        3 => floats_of_calls(a, b),
        4 => bools_of_calls(a, b),
        5 => arguments_of_both_kinds(a, b),
        6 => ten_arguments(a, b),
        7 => any_rust_inside(a, b),
        8 => calls_that_panic(a, b),
        9 => panics_behind_changes(a, b),
        10 => division_by_zero(a, b),
        11 => remainder_by_zero(a, b),
        12 => division_that_overflows(a, b),
        13 => narrow_division(a, b),
        14 => unsigned_division(a, b),
        15 => explicit_panics(a, b),
        16 => unreachable_code(a, b),
        17 => unreachable_with_a_reason(a, b),
        18 => assertions(a, b),
        19 => debug_assertions_do_nothing(a, b),
        20 => todo_and_unimplemented(a, b),
        21 => failed_expectations(a, b),
        22 => failed_unwraps(a, b),
        23 => panics_in_arguments(a, b),
        24 => short_circuits(a, b),
        25 => jitted_code_knows(a, b),
        26 => demanded_words(a, b),
        27 => demanded_results(a, b),
        28 => promoted_words(a, b),
        29 => calls_in_loops(a, b),
        _ => panic!("there is no such function"),
    }
}
