//! Builders of the library: every method, on builders that compiled code makes and keeps to itself
//! (`own_`), and on builders that exist (`kept_`). In: two integers. Out: one, in which every byte
//! of the string counts.

use verdigris::{Bytes, Str, StrBuilder, prelude::*};

/// A builder that a called function has made, with some bytes in it.
#[opaque]
fn kept(len: i64) -> Gc<StrBuilder> {
    let builder = StrBuilder::new();
    for n in 0..len {
        builder.push_byte(b'a' + (n & 15) as u8);
    }
    builder
}

#[opaque]
fn text(n: i64) -> Gc<Str> {
    Str::new(match n & 3 {
        0 => "",
        1 => "größe",
        2 => "😀",
        _ => "a long text that has no room in the first array",
    })
}

fn small(n: i64) -> i64 {
    n & 31
}

/// A number that depends on every byte.
#[elidable]
fn digest(text: Gc<Str>) -> i64 {
    let step = |all: i64, byte| all.wrapping_mul(31).wrapping_add(byte as i64);
    text.as_str().bytes().fold(text.len() as i64, step)
}

#[elidable]
fn digest_bytes(bytes: Gc<Bytes>) -> i64 {
    let step = |all: i64, &byte: &u8| all.wrapping_mul(31).wrapping_add(byte as i64);
    bytes.as_slice().iter().fold(bytes.len() as i64, step)
}

fn ascii(n: i64) -> u8 {
    b' ' + (n & 63) as u8
}

fn with_bytes(builder: Gc<StrBuilder>, a: i64, b: i64) -> i64 {
    let before = builder.is_empty() as i64 + builder.len() as i64 * 2;
    builder.push_byte(ascii(a));
    builder.push_byte(ascii(b));
    let after = builder.is_empty() as i64 + builder.len() as i64 * 2;
    digest(builder.finish()) + before * 3 + after
}

pub fn own_bytes(a: i64, b: i64) -> i64 {
    with_bytes(StrBuilder::new(), a, b)
}

pub fn kept_bytes(a: i64, b: i64) -> i64 {
    with_bytes(kept(small(a)), a, b)
}

#[unroll_safe]
fn grown(builder: Gc<StrBuilder>, a: i64) -> i64 {
    let mut n = 0;
    while n < 40 {
        builder.push_byte(ascii(a ^ n));
        n += 1;
    }
    digest(builder.finish())
}

pub fn own_growth(a: i64, b: i64) -> i64 {
    grown(StrBuilder::new(), a).wrapping_add(b)
}

pub fn kept_growth(a: i64, b: i64) -> i64 {
    grown(kept(small(a)), b)
}

/// A builder of which only the length is needed.
#[unroll_safe]
pub fn own_length(a: i64, b: i64) -> i64 {
    let builder = StrBuilder::new();
    let mut n = 0;
    while n < small(a) {
        builder.push_byte(ascii(b));
        n += 1;
    }
    builder.len() as i64
}

fn character(n: i64) -> char {
    match n & 7 {
        0 => 'a',
        1 => '\x7F',
        2 => '\u{80}',
        3 => '\u{7FF}',
        4 => '\u{800}',
        5 => '\u{FFFF}',
        6 => '\u{10000}',
        _ => '\u{10FFFF}',
    }
}

fn with_characters(builder: Gc<StrBuilder>, a: i64, b: i64) -> i64 {
    builder.push_char(character(a));
    builder.push_char('x');
    builder.push_char(character(b));
    let text = builder.finish();
    digest(text) + text.char_count() as i64
}

pub fn own_characters(a: i64, b: i64) -> i64 {
    with_characters(StrBuilder::new(), a, b)
}

pub fn kept_characters(a: i64, b: i64) -> i64 {
    with_characters(kept(small(b)), a, b)
}

fn with_strings(builder: Gc<StrBuilder>, a: i64, b: i64) -> i64 {
    builder.push_str(text(a));
    builder.push_bytes(text(b).to_bytes());
    builder.push_str(builder.finish());
    digest(builder.finish())
}

pub fn own_strings(a: i64, b: i64) -> i64 {
    with_strings(StrBuilder::new(), a, b)
}

pub fn kept_strings(a: i64, b: i64) -> i64 {
    with_strings(kept(small(a)), a, b)
}

pub fn integers(a: i64, b: i64) -> i64 {
    let builder = kept(small(a));
    builder.push_int(a);
    builder.push_char(' ');
    builder.push_int(b);
    digest(builder.finish())
}

pub fn floats(a: i64, b: i64) -> i64 {
    let builder = StrBuilder::new();
    builder.push_float(a as f64 / b as f64);
    builder.push_char(' ');
    builder.push_float(b as f64 * 0.1);
    digest(builder.finish())
}

pub fn truncate(a: i64, b: i64) -> i64 {
    let builder = kept(small(a));
    builder.truncate(small(b) as usize);
    let len = builder.len() as i64;
    builder.push_byte(b'!');
    digest(builder.finish()) + len
}

pub fn truncate_far_out(a: i64, b: i64) -> i64 {
    let builder = kept(small(a));
    builder.truncate(b as usize);
    builder.len() as i64
}

pub fn truncate_own(a: i64, b: i64) -> i64 {
    let builder = StrBuilder::new();
    builder.push_byte(ascii(a));
    builder.push_byte(ascii(b));
    builder.truncate((b & 3) as usize);
    builder.push_byte(b'.');
    digest(builder.finish())
}

pub fn cut_characters(a: i64, b: i64) -> i64 {
    let builder = StrBuilder::new();
    builder.push_char(character(a));
    builder.truncate((b & 3) as usize);
    digest(builder.finish())
}

pub fn bytes_that_are_no_text(a: i64, b: i64) -> i64 {
    let builder = kept(small(a));
    builder.push_byte(b as u8);
    let bytes = digest_bytes(builder.finish_bytes());
    bytes.wrapping_add(digest(builder.finish()))
}

pub fn finished_twice(a: i64, b: i64) -> i64 {
    let builder = kept(small(a));
    let first = builder.finish();
    builder.push_int(b);
    let second = builder.finish();
    digest(first).wrapping_mul(3).wrapping_add(digest(second)) + first.same(second) as i64
}

#[opaque]
fn itself(builder: Gc<StrBuilder>) -> Gc<StrBuilder> {
    builder
}

pub fn escape_half_way(a: i64, b: i64) -> i64 {
    let builder = StrBuilder::new();
    builder.push_byte(ascii(a));
    let same = if b & 1 == 0 { itself(builder) } else { builder };
    same.push_byte(ascii(b));
    digest(builder.finish())
}

// What follows is written by `cargo run -p conformance-tables`.

/// The functions, in the order of their numbers.
#[rustfmt::skip]
pub const CASES: &[&str] = &[
    "own_bytes",
    "kept_bytes",
    "own_growth",
    "kept_growth",
    "own_length",
    "own_characters",
    "kept_characters",
    "own_strings",
    "kept_strings",
    "integers",
    "floats",
    "truncate",
    "truncate_far_out",
    "truncate_own",
    "cut_characters",
    "bytes_that_are_no_text",
    "finished_twice",
    "escape_half_way",
];

/// Function number `case` of two numbers.
#[rustfmt::skip]
pub fn run(case: i64, a: i64, b: i64) -> i64 {
    match case {
        0 => own_bytes(a, b),
        1 => kept_bytes(a, b),
        2 => own_growth(a, b),
        3 => kept_growth(a, b),
        4 => own_length(a, b),
        5 => own_characters(a, b),
        6 => kept_characters(a, b),
        7 => own_strings(a, b),
        8 => kept_strings(a, b),
        9 => integers(a, b),
        10 => floats(a, b),
        11 => truncate(a, b),
        12 => truncate_far_out(a, b),
        13 => truncate_own(a, b),
        14 => cut_characters(a, b),
        15 => bytes_that_are_no_text(a, b),
        16 => finished_twice(a, b),
        17 => escape_half_way(a, b),
        _ => panic!("there is no such function"),
    }
}
