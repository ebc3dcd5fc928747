//! Strings of the library: every method of text, bytes and symbols, with positions in and out of
//! range and inside of characters. In: two integers. Out: one.

use verdigris::{library::prelude::*, prelude::*};

/// A text of characters of one to four bytes.
#[opaque]
fn text(n: i64) -> Gc<Str> {
    Str::new(match n & 7 {
        0 => "",
        1 => "a",
        2 => "größe",
        3 => "€",
        4 => "a😀b",
        5 => "größer als größe",
        6 => "b\0a",
        _ => "zzz",
    })
}

#[opaque]
fn bytes(n: i64) -> Gc<Bytes> {
    Bytes::new(match n & 7 {
        0 => b"",
        1 => b"a",
        2 => b"\xFF\x00\x80",
        3 => b"abcabcabd",
        4 => b"abd",
        5 => b"abcabcab",
        6 => b"c",
        _ => b"\x00\x80",
    })
}

fn at(n: i64) -> usize {
    (n & 15) as usize
}

/// A number that depends on every byte.
#[unroll_safe]
fn digest(text: Gc<Str>) -> i64 {
    let mut all = text.len() as i64;
    let mut n = 0;
    while n < text.len() {
        all = all.wrapping_mul(31).wrapping_add(text.byte_at(n) as i64);
        n += 1;
    }
    all
}

#[unroll_safe]
fn digest_bytes(bytes: Gc<Bytes>) -> i64 {
    let mut all = bytes.len() as i64;
    let mut n = 0;
    while n < bytes.len() {
        all = all.wrapping_mul(31).wrapping_add(bytes.at(n) as i64);
        n += 1;
    }
    all
}

pub fn lengths(a: i64, b: i64) -> i64 {
    let (x, y) = (text(a), bytes(b));
    let empty = x.is_empty() as i64 + y.is_empty() as i64 * 2;
    empty + x.len() as i64 * 4 + y.len() as i64 * 128 + x.char_count() as i64 * 4096
}

pub fn bytes_of_text(a: i64, b: i64) -> i64 {
    text(a).byte_at(at(b)) as i64
}

pub fn bytes_out_of_range(a: i64, b: i64) -> i64 {
    bytes(a).at(b as usize) as i64
}

pub fn characters(a: i64, b: i64) -> i64 {
    text(a).char_at(at(b)) as i64
}

pub fn hashes(a: i64, b: i64) -> i64 {
    let (x, y) = (text(a), bytes(b));
    (x.hash() ^ y.hash()) as i64 + (x.hash() == text(b).hash()) as i64
}

pub fn same_text(a: i64, b: i64) -> i64 {
    let (x, y) = (text(a), text(b));
    x.same(y) as i64
        + Gc::ptr_eq(x, y) as i64 * 2
        + x.same(x) as i64 * 4
        + x.same(text(a)) as i64 * 8
}

pub fn same_bytes(a: i64, b: i64) -> i64 {
    let (x, y) = (bytes(a), bytes(b));
    x.same(y) as i64 + x.same(bytes(a)) as i64 * 2
}

pub fn order_of_text(a: i64, b: i64) -> i64 {
    let (x, y) = (text(a), text(b));
    x.compare(y) * 4 + x.precedes(y) as i64 * 2 + y.precedes(x) as i64
}

pub fn order_of_bytes(a: i64, b: i64) -> i64 {
    let (x, y) = (bytes(a), bytes(b));
    x.compare(y) * 4 + x.precedes(y) as i64 * 2 + y.precedes(x) as i64
}

pub fn concat(a: i64, b: i64) -> i64 {
    let joined = text(a).concat(text(b));
    digest(joined) ^ digest_bytes(bytes(a).concat(bytes(b)))
}

pub fn concat_in_a_loop(a: i64, b: i64) -> i64 {
    digest(repeated(text(a), b & 3))
}

#[unroll_safe]
fn repeated(text: Gc<Str>, times: i64) -> Gc<Str> {
    let mut all = text;
    let mut n = 0;
    while n < times {
        all = all.concat(text);
        n += 1;
    }
    all
}

pub fn slice_of_text(a: i64, b: i64) -> i64 {
    digest(text(a).slice(at(b) & 3, at(b >> 2)))
}

pub fn slice_of_text_out_of_range(a: i64, b: i64) -> i64 {
    digest(text(a).slice(0, b as usize))
}

pub fn slice_of_bytes(a: i64, b: i64) -> i64 {
    digest_bytes(bytes(a).slice(at(b) & 3, at(b >> 2)))
}

pub fn find_text(a: i64, b: i64) -> i64 {
    match text(a).find(text(b), at(b >> 3)) {
        Some(at) => at as i64,
        None => -1,
    }
}

/// From positions in the middle of characters.
pub fn find_nothing(a: i64, b: i64) -> i64 {
    text(a).find(text(0), at(b)).map_or(-1, |at| at as i64)
}

pub fn find_bytes(a: i64, b: i64) -> i64 {
    match bytes(a).find(bytes(b), at(b >> 3)) {
        Some(at) => at as i64,
        None => -1,
    }
}

pub fn find_far_out(a: i64, b: i64) -> i64 {
    let in_text = text(a).find(text(1), b as usize).map_or(-1, |at| at as i64);
    in_text * 100
        + bytes(a)
            .find(bytes(1), b as usize)
            .map_or(-1, |at| at as i64)
}

pub fn text_as_bytes(a: i64, b: i64) -> i64 {
    let (x, y) = (text(a).to_bytes(), text(b).to_bytes());
    digest_bytes(x) + x.same(y) as i64 + (x.hash() == text(a).hash()) as i64 * 2
}

pub fn text_as_keys(a: i64, b: i64) -> i64 {
    let map = Map::new();
    map.insert(text(a), 1);
    map.insert(text(b), 2);
    map.insert(text(a ^ 1), 3);
    let first = map.get(text(a)).unwrap_or(-1);
    first * 100 + map.remove(text(b)).unwrap_or(-1) * 10 + map.len() as i64
}

pub fn bytes_as_keys(a: i64, b: i64) -> i64 {
    let map = Map::new();
    map.insert(bytes(a), b);
    map.insert(bytes(5), 2);
    map.get(bytes(b))
        .unwrap_or(-1)
        .wrapping_add(map.contains(bytes(3)) as i64)
}

pub fn sorted_text(a: i64, b: i64) -> i64 {
    let list = List::new();
    list.push(text(a));
    list.push(text(b));
    list.push(text(5));
    list.push(text(a ^ b));
    list.sort();
    digest(list.at(0).concat(list.at(1))).wrapping_add(digest(list.at(3)))
}

pub fn symbols(a: i64, b: i64) -> i64 {
    let names = Interner::new();
    let empty = names.is_empty() as i64;
    let (x, y) = (names.intern(text(a)), names.intern(text(b)));
    let again = names.intern(text(a));
    let same =
        (x == y) as i64 + (x == again) as i64 * 2 + Gc::ptr_eq(x.text(), y.text()) as i64 * 4;
    let numbers = x.number() as i64 + y.number() as i64 * 2 + names.len() as i64 * 4;
    empty + same * 2 + numbers * 16 + digest(y.text()) * 1024
}

pub fn symbols_as_keys(a: i64, b: i64) -> i64 {
    let names = Interner::new();
    let map = Map::new();
    map.insert(names.intern(text(a)), 1);
    map.insert(names.intern(text(b)), 2);
    let found = map.get(names.intern(text(a))).unwrap_or(-1);
    found * 10 + map.get(names.intern(text(5))).unwrap_or(-1)
}

#[unroll_safe]
pub fn many_symbols(a: i64, b: i64) -> i64 {
    let names = Interner::new();
    let mut all = 0i64;
    let mut n = 0;
    while n < 12 {
        let symbol = names.intern(text(n).concat(text(a.wrapping_mul(n))));
        all = all.wrapping_mul(13).wrapping_add(symbol.number() as i64);
        n += 1;
    }
    all.wrapping_add(b).wrapping_mul(names.len() as i64)
}

// What follows is written by `cargo run -p conformance-tables`.

/// The functions, in the order of their numbers.
#[rustfmt::skip]
pub const CASES: &[&str] = &[
    "lengths",
    "bytes_of_text",
    "bytes_out_of_range",
    "characters",
    "hashes",
    "same_text",
    "same_bytes",
    "order_of_text",
    "order_of_bytes",
    "concat",
    "concat_in_a_loop",
    "slice_of_text",
    "slice_of_text_out_of_range",
    "slice_of_bytes",
    "find_text",
    "find_nothing",
    "find_bytes",
    "find_far_out",
    "text_as_bytes",
    "text_as_keys",
    "bytes_as_keys",
    "sorted_text",
    "symbols",
    "symbols_as_keys",
    "many_symbols",
];

/// Function number `case` of two numbers.
#[rustfmt::skip]
pub fn run(case: i64, a: i64, b: i64) -> i64 {
    match case {
        0 => lengths(a, b),
        1 => bytes_of_text(a, b),
        2 => bytes_out_of_range(a, b),
        3 => characters(a, b),
        4 => hashes(a, b),
        5 => same_text(a, b),
        6 => same_bytes(a, b),
        7 => order_of_text(a, b),
        8 => order_of_bytes(a, b),
        9 => concat(a, b),
        10 => concat_in_a_loop(a, b),
        11 => slice_of_text(a, b),
        12 => slice_of_text_out_of_range(a, b),
        13 => slice_of_bytes(a, b),
        14 => find_text(a, b),
        15 => find_nothing(a, b),
        16 => find_bytes(a, b),
        17 => find_far_out(a, b),
        18 => text_as_bytes(a, b),
        19 => text_as_keys(a, b),
        20 => bytes_as_keys(a, b),
        21 => sorted_text(a, b),
        22 => symbols(a, b),
        23 => symbols_as_keys(a, b),
        24 => many_symbols(a, b),
        _ => panic!("there is no such function"),
    }
}
