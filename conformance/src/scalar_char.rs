//! The methods of `char`. In: two integers. Out: one.
//!
//! Written by `cargo run -p conformance-tables --example scalars`.

#![allow(unused_variables)]

/// Characters of ASCII, and some of all others.
fn number(a: i64) -> char {
    match char::from_u32(a as u32 & 0x7FF) {
        Some(c) if a < 1000 => c,
        _ => match char::from_u32(a as u32 & 0x1F_FFFF) {
            Some(c) => c,
            None => '\u{3b1}',
        },
    }
}

fn mix(sum: i64, part: i64) -> i64 {
    sum.wrapping_mul(31).wrapping_add(part)
}

pub fn unicode(a: i64, b: i64) -> i64 {
    let x = number(a);
    let mut sum = 0;
    sum = mix(sum, (x.is_alphabetic()) as i64);
    sum = mix(sum, (x.is_numeric()) as i64);
    sum = mix(sum, (x.is_alphanumeric()) as i64);
    sum = mix(sum, (x.is_whitespace()) as i64);
    sum = mix(sum, (x.is_control()) as i64);
    sum = mix(sum, (x.is_uppercase()) as i64);
    sum = mix(sum, (x.is_lowercase()) as i64);
    sum
}

pub fn digits(a: i64, b: i64) -> i64 {
    let x = number(a);
    let n = (b & 63) as u32;
    let mut sum = 0;
    sum = mix(
        sum,
        match x.to_digit(n % 35 + 2) {
            Some(v) => v as i64,
            None => -7777,
        },
    );
    sum = mix(sum, (x.is_digit(16)) as i64);
    sum = mix(
        sum,
        match char::from_digit(n % 40, n % 37) {
            Some(v) => v as i64,
            None => -7777,
        },
    );
    sum = mix(
        sum,
        match char::from_u32(a as u32) {
            Some(v) => v as i64,
            None => -7777,
        },
    );
    sum
}

pub fn digits_panic(a: i64, b: i64) -> i64 {
    let x = number(a);
    let n = (b & 63) as u32;
    let mut sum = 0;
    sum = mix(
        sum,
        match x.to_digit(n) {
            Some(v) => v as i64,
            None => -7777,
        },
    );
    sum
}

pub fn sizes(a: i64, b: i64) -> i64 {
    let x = number(a);
    let n = (b & 63) as u32;
    let mut sum = 0;
    sum = mix(sum, (x.len_utf8()) as i64);
    sum = mix(sum, (x.len_utf16()) as i64);
    sum = mix(sum, (x as u32) as i64);
    sum = mix(sum, (x as u8) as i64);
    sum = mix(sum, (u32::from(x)) as i64);
    sum = mix(sum, (char::from(n as u8)) as i64);
    sum
}

pub fn order(a: i64, b: i64) -> i64 {
    let x = number(a);
    let y = number(b);
    let mut sum = 0;
    sum = mix(sum, (x.min(y)) as i64);
    sum = mix(sum, (x.max(y)) as i64);
    sum = mix(sum, (x < y) as i64);
    sum = mix(sum, (x == 'a') as i64);
    sum = mix(sum, (x >= '\u{e9}') as i64);
    sum = mix(sum, (x != char::MAX) as i64);
    sum
}

pub fn tries(a: i64, b: i64) -> i64 {
    let x = number(a);
    let mut sum = 0;
    sum = mix(
        sum,
        match char::try_from(a as u32).ok() {
            Some(v) => v as i64,
            None => -7777,
        },
    );
    sum = mix(
        sum,
        match u8::try_from(x).ok() {
            Some(v) => v as i64,
            None => -7777,
        },
    );
    sum = mix(
        sum,
        match u16::try_from(x).ok() {
            Some(v) => v as i64,
            None => -7777,
        },
    );
    sum
}

pub fn patterns(a: i64, b: i64) -> i64 {
    let x = number(a);
    let mut sum = 0;
    sum = mix(
        sum,
        (match x {
            'a'..='z' => 1,
            'A'..'[' | '_' => 2,
            '\u{80}'.. => 3,
            _ => 4,
        }) as i64,
    );
    sum = mix(
        sum,
        (match x {
            '\0'..='\u{d7ff}' => 1,
            '\u{e000}'..=char::MAX => 2,
        }) as i64,
    );
    sum
}

pub fn ascii(a: i64, b: i64) -> i64 {
    let x = number(a);
    let mut sum = 0;
    sum = mix(sum, (x.is_ascii()) as i64);
    sum = mix(sum, (x.is_ascii_alphabetic()) as i64);
    sum = mix(sum, (x.is_ascii_uppercase()) as i64);
    sum = mix(sum, (x.is_ascii_lowercase()) as i64);
    sum = mix(sum, (x.is_ascii_digit()) as i64);
    sum = mix(sum, (x.is_ascii_hexdigit()) as i64);
    sum = mix(sum, (x.is_ascii_alphanumeric()) as i64);
    sum = mix(sum, (x.is_ascii_graphic()) as i64);
    sum = mix(sum, (x.is_ascii_punctuation()) as i64);
    sum = mix(sum, (x.is_ascii_control()) as i64);
    sum = mix(sum, (x.is_ascii_whitespace()) as i64);
    sum
}

pub fn ascii_case(a: i64, b: i64) -> i64 {
    let x = number(a);
    let y = number(b);
    let mut sum = 0;
    sum = mix(sum, (x.to_ascii_uppercase()) as i64);
    sum = mix(sum, (x.to_ascii_lowercase()) as i64);
    sum = mix(sum, (x.eq_ignore_ascii_case(&y)) as i64);
    sum
}

// What follows is written by `cargo run -p conformance-tables`.

/// The functions, in the order of their numbers.
#[rustfmt::skip]
pub const CASES: &[&str] = &[
    "unicode",
    "digits",
    "digits_panic",
    "sizes",
    "order",
    "tries",
    "patterns",
    "ascii",
    "ascii_case",
];

/// Function number `case` of two numbers.
#[rustfmt::skip]
pub fn run(case: i64, a: i64, b: i64) -> i64 {
    match case {
        0 => unicode(a, b),
        1 => digits(a, b),
        2 => digits_panic(a, b),
        3 => sizes(a, b),
        4 => order(a, b),
        5 => tries(a, b),
        6 => patterns(a, b),
        7 => ascii(a, b),
        8 => ascii_case(a, b),
        _ => panic!("there is no such function"),
    }
}
