//! What interpreters are full of: conversions of bytes to instructions, loops over items, small
//! arrays. In: two integers. Out: one.

use verdigris::prelude::*;

#[derive(Clone, Copy, PartialEq, Debug)]
#[repr(u8)]
pub enum Op {
    Move,
    Load = 4,
    Add,
}

impl TryFrom<u8> for Op {
    type Error = u8;
    fn try_from(byte: u8) -> Result<Op, u8> {
        match byte {
            0 => Ok(Op::Move),
            4 => Ok(Op::Load),
            5 => Ok(Op::Add),
            other => Err(other),
        }
    }
}

pub fn try_from_bytes(a: i64, b: i64) -> i64 {
    let op: Result<Op, u8> = (a as u8 & 7).try_into();
    let other = Op::try_from(b as u8 & 7);
    match (op, other) {
        (Ok(op), Ok(other)) => op as i64 * 10 + other as i64,
        (Err(byte), _) => -i64::from(byte),
        (_, Err(byte)) => 100 + i64::from(byte),
    }
}

pub fn try_into_integers(a: i64, b: i64) -> i64 {
    let byte: Result<u8, _> = a.try_into();
    let index: Result<usize, _> = b.try_into();
    let digit: u8 = (b & 3).try_into().unwrap_or(9);
    let small: i8 = a.try_into().unwrap_or_default();
    let known = i64::from(byte.unwrap_or(7)) ^ index.map_or(-1, |n| n as i64);
    known ^ i64::from(digit) ^ i64::from(small)
}

pub struct Digits {
    left: u64,
}

impl Iterator for Digits {
    type Item = u8;
    fn next(&mut self) -> Option<u8> {
        if self.left == 0 {
            return None;
        }
        let digit = self.left % 10;
        self.left /= 10;
        Some(digit as u8)
    }
}

pub struct Number(i64);

impl IntoIterator for Number {
    type Item = u8;
    type IntoIter = Digits;
    fn into_iter(self) -> Digits {
        Digits {
            left: self.0 as u64 & 0xFFF,
        }
    }
}

#[unroll_safe]
pub fn iterators(a: i64, b: i64) -> i64 {
    let mut sum = 0;
    for digit in (Digits {
        left: a as u64 & 0xFFF,
    }) {
        sum = sum * 3 + i64::from(digit);
    }
    'outer: for digit in Number(b) {
        if digit == 3 {
            continue;
        }
        for other in Number(a) {
            if other == digit {
                break 'outer;
            }
            sum += 1;
        }
    }
    sum
}

const PRIMES: [i64; 5] = [2, 3, 5, 7, 11];

#[unroll_safe]
pub fn loops_over_items(a: i64, b: i64) -> i64 {
    let items = [a, b, 3];
    let mut sum = 0i64;
    for item in &items {
        sum = sum.wrapping_mul(3).wrapping_add(*item);
    }
    for &item in items.iter() {
        sum ^= item;
    }
    for (n, item) in items.iter().enumerate() {
        sum = sum.wrapping_add(item.wrapping_mul(n as i64));
    }
    for (n, prime) in PRIMES.iter().enumerate() {
        if n as i64 > (a & 7) {
            break;
        }
        sum = sum.wrapping_add(*prime);
    }
    for item in items.into_iter() {
        sum = sum.wrapping_sub(item >> 1);
    }
    sum
}

pub struct Frame {
    regs: [i64; 4],
    rows: [[i64; 2]; 2],
}

pub fn methods_of_arrays(a: i64, b: i64) -> i64 {
    let mut frame = Frame {
        regs: [a, b, 3, 4],
        rows: [[a, 1], [b, 2]],
    };
    frame.regs.swap((a & 3) as usize, 1);
    frame.rows[(b & 1) as usize].swap(0, 1);
    let has = frame.regs.contains(&a) as i64 + [1, 2].contains(&(b & 3)) as i64 * 2;
    let first = frame.regs.first().copied().unwrap_or(0);
    let last = frame.regs.last().map_or(0, |x| *x);
    let got = frame.regs.get(a as usize & 7).copied().unwrap_or(-5);
    let mut other = frame.regs;
    other.reverse();
    let row = frame.rows[0];
    frame.rows[1].fill(b ^ 1);
    let empty: [i64; 0] = [];
    has ^ first.wrapping_mul(3)
        ^ last
        ^ got.wrapping_mul(5)
        ^ other[1].wrapping_mul(7)
        ^ row[0].wrapping_mul(11)
        ^ frame.rows[1][1]
        ^ i64::from(empty.is_empty() && !other.is_empty())
}

pub fn swap_out_of_bounds(a: i64, b: i64) -> i64 {
    let mut items = [a, b, 7];
    items.swap((b & 3) as usize, 0);
    items[0] ^ items[2].wrapping_mul(3)
}

pub fn ranges(a: i64, b: i64) -> i64 {
    let digit = (0..10).contains(&a);
    let upper = ('A'..='Z').contains(&char::from(b as u8));
    let between = (a..b).contains(&5);
    let open = (3..).contains(&a) as i64 + (..=b).contains(&a) as i64 * 2;
    i64::from(digit) + i64::from(upper) * 2 + i64::from(between) * 4 + open * 8
}

/// Operands of instructions, in either order of their bytes.
pub fn operands_of_several_bytes(a: i64, b: i64) -> i64 {
    let [low, high] = (a as u16).to_le_bytes();
    let jump = i16::from_be_bytes([low, high]);
    let word = u32::from_le_bytes([b as u8, low, high, 0xFE]);
    let wide = i64::from_ne_bytes(b.to_ne_bytes());
    let double = f64::from_be_bytes(a.to_be_bytes());
    let back = f64::from_le_bytes(double.to_le_bytes()).to_bits() == a as u64;
    let byte = i8::from_le_bytes([b as u8]);
    i64::from(jump) ^ i64::from(word) << 7 ^ wide ^ i64::from(back) ^ i64::from(byte) << 40
}

#[opaque]
fn row(a: i64, b: i64) -> GcArray<i64> {
    let items: Vec<i64> = (0..a & 7).map(|n| b.wrapping_add(n)).collect();
    GcArray::from_slice(&items)
}

#[unroll_safe]
pub fn loops_over_items_of_the_heap(a: i64, b: i64) -> i64 {
    let items = row(a, b);
    let mut sum = 0i64;
    for &item in items.iter() {
        if item == 3 {
            continue;
        }
        sum = sum.wrapping_mul(3).wrapping_add(item);
    }
    for (n, item) in items.iter().enumerate() {
        if *item == a {
            break;
        }
        sum ^= *item << n;
    }
    sum
}

pub fn items_that_may_be_there(a: i64, b: i64) -> i64 {
    let items = row(a, b);
    let ends = match (items.first(), items.last()) {
        (Some(first), Some(last)) => first ^ last.wrapping_mul(3),
        _ => -1,
    };
    let there = items.get((b & 15) as usize).copied().unwrap_or(100);
    let never = items.get(items.len()).is_some() || items.is_empty();
    ends.wrapping_add(there) ^ i64::from(never)
}

#[gc]
pub struct Pair {
    left: i64,
    right: Option<Gc<Pair>>,
    count: Cell<i64>,
}

#[unroll_safe]
pub fn objects_taken_apart(a: i64, b: i64) -> i64 {
    let last = Gc::new(Pair {
        left: b,
        right: None,
        count: Cell::new(0),
    });
    let pair = Gc::new(Pair {
        left: a,
        right: Some(last),
        count: Cell::new(1),
    });
    let Pair { left, right, .. } = *pair;
    let Pair {
        left: first,
        right: Some(_) | None,
        count: _,
    } = &*pair;
    let mut sum = left.wrapping_mul(7) ^ *first;
    if let Some(next) = right {
        let &Pair { left, right, .. } = &*next;
        sum = sum.wrapping_add(left) ^ i64::from(right.is_none());
    }
    sum.wrapping_add(pair.count.get())
}

#[derive(Clone, Copy, Default)]
pub struct Config {
    limit: i64,
    flags: [bool; 3],
    slots: [Option<i64>; 2],
}

pub fn default_arrays(a: i64, b: i64) -> i64 {
    let mut config = Config {
        limit: a,
        ..Default::default()
    };
    config.slots[(b & 1) as usize] = Some(b);
    let set = config.flags.contains(&true);
    config.limit ^ config.slots[0].unwrap_or(3) ^ i64::from(set)
}

// What follows is written by `cargo run -p conformance-tables`.

/// The functions, in the order of their numbers.
#[rustfmt::skip]
pub const CASES: &[&str] = &[
    "try_from_bytes",
    "try_into_integers",
    "iterators",
    "loops_over_items",
    "methods_of_arrays",
    "swap_out_of_bounds",
    "ranges",
    "operands_of_several_bytes",
    "loops_over_items_of_the_heap",
    "items_that_may_be_there",
    "objects_taken_apart",
    "default_arrays",
];

/// Function number `case` of two numbers.
#[rustfmt::skip]
pub fn run(case: i64, a: i64, b: i64) -> i64 {
    match case {
        0 => try_from_bytes(a, b),
        1 => try_into_integers(a, b),
        2 => iterators(a, b),
        3 => loops_over_items(a, b),
        4 => methods_of_arrays(a, b),
        5 => swap_out_of_bounds(a, b),
        6 => ranges(a, b),
        7 => operands_of_several_bytes(a, b),
        8 => loops_over_items_of_the_heap(a, b),
        9 => items_that_may_be_there(a, b),
        10 => objects_taken_apart(a, b),
        11 => default_arrays(a, b),
        _ => panic!("there is no such function"),
    }
}
