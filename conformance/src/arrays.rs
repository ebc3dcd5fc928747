//! Arrays of fixed length, held by value, and constant tables. In: two integers. Out: one.

use verdigris::prelude::*;

#[derive(Clone, Copy, PartialEq)]
pub struct Cell3 {
    kind: u8,
    items: [i64; 3],
}

#[derive(Clone, Copy, PartialEq)]
pub enum Op {
    Nop,
    Push(i64),
    Jump { to: u16, back: bool },
}

const PRIMES: [i64; 8] = [2, 3, 5, 7, 11, 13, 17, 19];
static SQUARES: [u8; 16] = [
    0, 1, 4, 9, 16, 25, 36, 49, 64, 81, 100, 121, 144, 169, 196, 225,
];
const HALVES: [f64; 4] = [0.5, -1.5, 2.5, -0.0];
const FLAGS: [bool; 5] = [true, false, false, true, true];
const GRID: [[i16; 4]; 3] = [[1, -2, 3, -4], [10, 20, 30, 40], [-100, 0, 100, 200]];
const OPS: [Op; 4] = [
    Op::Nop,
    Op::Push(-7),
    Op::Jump { to: 9, back: true },
    Op::Push(1 << 40),
];
const BYTES: &[u8] = b"\x00traced code\xff";
static NAMES: &[(u8, i64)] = &[(1, 10), (2, -20), (3, 30)];
const BIG: [u16; 300] = [7; 300];
const UNSIGNED: [u64; 3] = [u64::MAX, 0, 1 << 63];
const SHAPES: [Cell3; 2] = [
    Cell3 {
        kind: 1,
        items: [1, 2, 3],
    },
    Cell3 {
        kind: 2,
        items: PICKED,
    },
];
const PICKED: [i64; 3] = [PRIMES[7], PRIMES[0] * 100, -1];
const N: usize = 5;

fn index(a: i64, n: usize) -> usize {
    (a as u64 % n as u64) as usize
}

pub fn literal(a: i64, b: i64) -> i64 {
    let x = [a, b, 3];
    x[0] * 100 + x[1] - x[2]
}

pub fn by_variable(a: i64, b: i64) -> i64 {
    let x = [a, b, a ^ b, 17];
    x[index(b, 4)]
}

pub fn out_of_bounds(a: i64, b: i64) -> i64 {
    let x = [a, b, 5];
    x[a as usize]
}

pub fn repeat(a: i64, b: i64) -> i64 {
    let mut x = [a; N];
    x[2] = b;
    x[index(b, N)] += 1;
    x[0] + 3 * x[1] + 5 * x[2] + 7 * x[3] + 11 * x[4]
}

pub fn write_variable(a: i64, b: i64) -> i64 {
    let mut x = [1i32, 2, 3, 4];
    x[index(a, 4)] = b as i32;
    x[index(b, 4)] *= -3;
    i64::from(x[0]) + i64::from(x[1]) * 3 + i64::from(x[2]) * 7 + i64::from(x[3]) * 13
}

pub fn write_out_of_bounds(a: i64, b: i64) -> i64 {
    let mut x = [0u8; 4];
    x[(b & 7) as usize] = a as u8;
    i64::from(x[0]) + i64::from(x[3])
}

pub fn length(a: i64, b: i64) -> i64 {
    let x = [a, b];
    (x.len() + PRIMES.len() + BYTES.len() + GRID.len() + GRID[1].len()) as i64 + x[0]
}

#[unroll_safe]
pub fn sum_by_index(a: i64, b: i64) -> i64 {
    let x = [a, b, a & b, a | b];
    let mut sum = 0i64;
    for i in 0..x.len() {
        sum = sum.wrapping_mul(3).wrapping_add(x[i]);
    }
    sum
}

#[unroll_safe]
pub fn sum_items(a: i64, b: i64) -> i64 {
    let mut sum = 0i64;
    for x in [a, b, 7, a - b] {
        if x == 7 {
            continue;
        }
        sum = sum.wrapping_mul(5).wrapping_add(x);
    }
    sum
}

#[unroll_safe]
pub fn pairs_of_items(a: i64, b: i64) -> i64 {
    let mut sum = 0;
    for (x, y) in [(a, 1), (b, 2), (3, a)] {
        if y == b {
            break;
        }
        sum += x * y;
    }
    sum
}

#[unroll_safe]
pub fn table_items(a: i64, b: i64) -> i64 {
    let mut sum = 0;
    for p in PRIMES {
        if a % p == 0 {
            sum += p;
        }
    }
    sum + b
}

pub fn nested(a: i64, b: i64) -> i64 {
    let mut x = [[a, b], [b, a], [1, 2]];
    x[index(a, 3)][index(b, 2)] = 1000;
    x[1][index(a, 2)] -= 5;
    x[0][0] + 3 * x[0][1] + 5 * x[1][0] + 7 * x[1][1] + 11 * x[2][0] + 13 * x[2][1]
}

pub fn in_structs(a: i64, b: i64) -> i64 {
    let mut cell = Cell3 {
        kind: a as u8,
        items: [a, b, 1],
    };
    let other = cell;
    cell.items[index(b, 3)] = 50;
    let mut cells = [cell, other];
    cells[index(a, 2)].items[index(b, 3)] += 9;
    cells[index(b, 2)].kind ^= 3;
    let [x, y] = cells;
    x.items[0] + 3 * x.items[1] + 5 * y.items[2] + i64::from(x.kind) + 7 * i64::from(y.kind)
}

pub fn of_options(a: i64, b: i64) -> i64 {
    let mut x = [None, Some(a), Some(3)];
    x[index(b, 3)] = if a < b { None } else { Some(b) };
    match (x[index(a, 3)], x[0]) {
        (Some(n), None) => n,
        (Some(n), Some(m)) => n ^ m,
        (None, first) => first.unwrap_or(-1),
    }
}

pub fn equality(a: i64, b: i64) -> i64 {
    let x = [a, b];
    let y = [b, a];
    i64::from(x == y) + 2 * i64::from(x != [3, b]) + 4 * i64::from([[1u8, 2]] == [[a as u8, 2]])
}

pub fn patterns(a: i64, b: i64) -> i64 {
    match [a & 3, b & 3, 2] {
        [0, .., 2] if b > 5 => 1,
        [x, 1 | 2, ..] => x + 10,
        [.., y, 2] => y + 100,
        [x, y, z] => x + y + z + 1000,
    }
}

pub fn passed(a: i64, b: i64) -> i64 {
    fn rotate(x: [i64; 3]) -> [i64; 3] {
        [x[1], x[2], x[0]]
    }
    let x = rotate(rotate([a, b, 7]));
    x[0] + 2 * x[1] + 4 * x[2] + rotate([1, a, b])[index(a, 3)]
}

#[unroll_safe]
pub fn in_a_loop(a: i64, b: i64) -> i64 {
    let mut counts = [0i64; 4];
    let mut n = a as u32;
    while n != 0 {
        counts[(n & 3) as usize] += 1;
        n >>= 5;
    }
    counts[0] + 10 * counts[1] + 100 * counts[2] + 1000 * counts[index(b, 4)]
}

pub fn order_of_reading(a: i64, b: i64) -> i64 {
    let mut x = [a, b, 3];
    let y = x[{
        x[0] = 77;
        index(a, 3)
    }];
    y + x[0]
}

pub fn order_of_writing(a: i64, b: i64) -> i64 {
    let mut x = [a, b, 3];
    let mut i = 0;
    x[{
        i += 1;
        i
    }] = {
        i += 1;
        a + i as i64
    };
    x[i] += {
        i = 0;
        7
    };
    x[0] + 3 * x[1] + 9 * x[2]
}

pub fn table(a: i64, b: i64) -> i64 {
    PRIMES[index(a, 8)] * 1000 + i64::from(SQUARES[index(b, 16)]) + PRIMES[3]
}

pub fn table_out_of_bounds(a: i64, b: i64) -> i64 {
    PRIMES[(a & 15) as usize] + i64::from(BYTES[(b & 15) as usize])
}

pub fn table_of_floats(a: i64, b: i64) -> i64 {
    let x = HALVES[index(a, 4)];
    let y = if FLAGS[index(b, 5)] { x * 4.0 } else { x };
    y as i64 + i64::from(1.0 / x < 0.0)
}

pub fn table_of_rows(a: i64, b: i64) -> i64 {
    let row = GRID[index(a, 3)];
    i64::from(GRID[index(a, 3)][index(b, 4)]) * 7
        + i64::from(GRID[1][index(b, 4)])
        + i64::from(GRID[index(b, 3)][2])
        + i64::from(row[index(b, 4)])
}

pub fn table_of_enums(a: i64, b: i64) -> i64 {
    match OPS[index(a, 4)] {
        Op::Nop => b,
        Op::Push(n) => n + 1,
        Op::Jump { to, back } => i64::from(to) * if back { -1 } else { 1 },
    }
}

pub fn table_of_structs(a: i64, b: i64) -> i64 {
    let shape = SHAPES[index(a, 2)];
    i64::from(shape.kind) + shape.items[index(b, 3)] + SHAPES[1].items[index(a, 3)]
}

pub fn table_of_tuples(a: i64, b: i64) -> i64 {
    let (x, y) = NAMES[index(a, NAMES.len())];
    i64::from(x) + y + NAMES[index(b, 3)].1
}

pub fn table_of_unsigned(a: i64, b: i64) -> i64 {
    (UNSIGNED[index(a, 3)] >> 1) as i64 + i64::from(BIG[index(b, 300)])
}

pub fn table_as_value(a: i64, b: i64) -> i64 {
    let mut primes = PRIMES;
    primes[index(a, 8)] = b;
    primes[0] + primes[1] * 3 + primes[7] * 5
}

pub fn destructured(a: i64, b: i64) -> i64 {
    let (mut x, mut y) = (a, b);
    [x, y] = [y, x + 1];
    let [p, .., q] = [x, 1, 2, y];
    p * 3 + q
}

fn first_of(items: &[i64; 3], at: usize) -> i64 {
    items[at % 3] ^ items[2]
}

fn shift(items: &mut [i64; 3], by: i64) {
    items[0] += by;
    *items = [items[1], items[2], items[0]];
}

struct Frame {
    regs: [i64; 3],
}

impl Frame {
    fn top(&self) -> i64 {
        self.regs[0]
    }
    fn put(&mut self, at: usize, value: i64) {
        self.regs[at] = value;
    }
}

fn digest(frame: &Frame) -> i64 {
    frame.top().wrapping_mul(3) ^ first_of(&frame.regs, 1)
}

pub fn behind_references(a: i64, b: i64) -> i64 {
    let mut items = [a, b, 7];
    shift(&mut items, 3);
    let mut frame = Frame { regs: items };
    frame.put((a & 1) as usize, b ^ 1);
    digest(&frame) ^ first_of(&items, a as usize & 3)
}

fn turn(items: &mut [i64; 3], at: usize) -> i64 {
    let old = (*items)[at % 3];
    (*items)[at % 3] = (*items)[(at + 1) % 3] ^ 5;
    (*items)[1] += (items)[2] & 0xff;
    old
}

fn turn_frame(frame: &mut Frame, at: usize) -> i64 {
    (*frame).regs[0] = (*frame).regs[at % 3] ^ 1;
    turn(&mut (*frame).regs, at + 1)
}

/// `*name` of a `&mut`, where the name alone would do.
pub fn behind_written_references(a: i64, b: i64) -> i64 {
    let at = (a & 3) as usize;
    let mut items = [a & 0xffff, b & 0xffff, 7];
    let first = turn(&mut items, at);
    let lent = &mut items;
    (*lent)[2] = first ^ lent[0];
    (*lent)[at] -= 1;
    let mut frame = Frame { regs: items };
    let second = turn_frame(&mut frame, (b & 1) as usize);
    digest(&frame) ^ second << 3
}

/// An array on the stack, of arrays on the heap.
pub fn arrays_of_heap_arrays(a: i64, b: i64) -> i64 {
    let rows: [GcArray<Cell<i64>>; 2] = [GcArray::new(2, a), GcArray::new(3, b)];
    let pair = (rows, 7);
    rows[1][2].set(a ^ b);
    pair.0[(b & 1) as usize][(a & 1) as usize].set(pair.1);
    rows[0][1].get().wrapping_mul(31) ^ rows[1][0].get() ^ pair.0[1][(b & 3) as usize].get() << 1
}

// What follows is written by `cargo run -p conformance-tables`.

/// The functions, in the order of their numbers.
#[rustfmt::skip]
pub const CASES: &[&str] = &[
    "literal",
    "by_variable",
    "out_of_bounds",
    "repeat",
    "write_variable",
    "write_out_of_bounds",
    "length",
    "sum_by_index",
    "sum_items",
    "pairs_of_items",
    "table_items",
    "nested",
    "in_structs",
    "of_options",
    "equality",
    "patterns",
    "passed",
    "in_a_loop",
    "order_of_reading",
    "order_of_writing",
    "table",
    "table_out_of_bounds",
    "table_of_floats",
    "table_of_rows",
    "table_of_enums",
    "table_of_structs",
    "table_of_tuples",
    "table_of_unsigned",
    "table_as_value",
    "destructured",
    "behind_references",
    "behind_written_references",
    "arrays_of_heap_arrays",
];

/// Function number `case` of two numbers.
#[rustfmt::skip]
pub fn run(case: i64, a: i64, b: i64) -> i64 {
    match case {
        0 => literal(a, b),
        1 => by_variable(a, b),
        2 => out_of_bounds(a, b),
        3 => repeat(a, b),
        4 => write_variable(a, b),
        5 => write_out_of_bounds(a, b),
        6 => length(a, b),
        7 => sum_by_index(a, b),
        8 => sum_items(a, b),
        9 => pairs_of_items(a, b),
        10 => table_items(a, b),
        11 => nested(a, b),
        12 => in_structs(a, b),
        13 => of_options(a, b),
        14 => equality(a, b),
        15 => patterns(a, b),
        16 => passed(a, b),
        17 => in_a_loop(a, b),
        18 => order_of_reading(a, b),
        19 => order_of_writing(a, b),
        20 => table(a, b),
        21 => table_out_of_bounds(a, b),
        22 => table_of_floats(a, b),
        23 => table_of_rows(a, b),
        24 => table_of_enums(a, b),
        25 => table_of_structs(a, b),
        26 => table_of_tuples(a, b),
        27 => table_of_unsigned(a, b),
        28 => table_as_value(a, b),
        29 => destructured(a, b),
        30 => behind_references(a, b),
        31 => behind_written_references(a, b),
        32 => arrays_of_heap_arrays(a, b),
        _ => panic!("there is no such function"),
    }
}
