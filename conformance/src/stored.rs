//! Values in the heap: tuples, options and results in cells, and values in plain fields and items;
//! literals that are handed on. In: two integers. Out: one.

use verdigris::{List, prelude::*};

#[gc]
pub struct Leaf {
    pub number: i64,
}

#[value]
#[derive(Clone, Copy, PartialEq)]
pub enum Op {
    Push(i64),
    Add,
    Scale(f64, bool),
    Jump { to: u16, back: bool },
    Nop,
}

#[value]
#[derive(Clone, Copy)]
pub struct Span {
    pub from: i64,
    pub to: i64,
    pub op: Op,
}

#[gc]
pub struct Cells {
    pub pair: Cell<(i64, f64)>,
    pub narrow: Cell<(u8, bool, char)>,
    pub option: Cell<Option<i64>>,
    pub letter: Cell<Option<char>>,
    pub result: Cell<Result<i64, (bool, f64)>>,
    pub leaf: Cell<(Gc<Leaf>, Option<Gc<Leaf>>)>,
    pub nested: Cell<((i64, Option<f64>), Result<(), Op>)>,
}

fn cells(a: i64, b: i64) -> Gc<Cells> {
    let leaf = Gc::new(Leaf { number: a });
    Gc::new(Cells {
        pair: Cell::new((a, b as f64)),
        narrow: Cell::new((a as u8, b > 0, 'x')),
        option: Cell::new(None),
        letter: Cell::new(Some('y')),
        result: Cell::new(Ok(b)),
        leaf: Cell::new((leaf, None)),
        nested: Cell::new(((a, None), Ok(()))),
    })
}

#[opaque]
fn keep(cells: Gc<Cells>) -> Gc<Cells> {
    cells
}

pub fn cell_of_pair(a: i64, b: i64) -> i64 {
    let c = cells(a, b);
    let (x, y) = c.pair.get();
    c.pair.set((x.wrapping_add(1), y * 2.0));
    c.pair.get().0 ^ c.pair.get().1 as i64
}

pub fn cell_of_pair_kept(a: i64, b: i64) -> i64 {
    let c = keep(cells(a, b));
    let (x, y) = c.pair.replace((b, 0.5));
    x.wrapping_add(y as i64)
        .wrapping_add((c.pair.get().1 * 4.0) as i64)
}

pub fn cell_of_narrow(a: i64, b: i64) -> i64 {
    let c = keep(cells(a, b));
    let (x, y, z) = c.narrow.get();
    c.narrow.set((x.wrapping_add(200), !y, 'z'));
    let (u, v, w) = c.narrow.get();
    i64::from(x)
        ^ i64::from(y)
        ^ i64::from(u) << 8
        ^ i64::from(v) << 20
        ^ (z as i64)
        ^ (w as i64) << 24
}

pub fn cell_of_option(a: i64, b: i64) -> i64 {
    let c = keep(cells(a, b));
    if a > b {
        c.option.set(Some(a));
    }
    let first = c.option.get().unwrap_or(-7);
    c.option.set(None);
    first.wrapping_add(i64::from(c.option.get().is_none()))
}

pub fn cell_of_option_virtual(a: i64, b: i64) -> i64 {
    let c = cells(a, b);
    if a > b {
        c.option.set(Some(a));
        c.letter.set(None);
    }
    match (c.option.get(), c.letter.get()) {
        (Some(x), Some(y)) => x ^ y as i64,
        (Some(x), None) => x,
        (None, letter) => letter.map_or(1, |l| l as i64),
    }
}

pub fn cell_of_result(a: i64, b: i64) -> i64 {
    let c = keep(cells(a, b));
    if b & 1 == 1 {
        c.result.set(Err((a > 0, a as f64)));
    }
    match c.result.get() {
        Ok(x) => x,
        Err((true, x)) => x as i64,
        Err((false, x)) => -(x as i64),
    }
}

pub fn cell_of_references(a: i64, b: i64) -> i64 {
    let c = keep(cells(a, b));
    let (first, second) = c.leaf.get();
    if second.is_none() {
        c.leaf.set((Gc::new(Leaf { number: b }), Some(first)));
    }
    let (first, second) = c.leaf.get();
    let second = second.map_or(0, |leaf| leaf.number);
    first.number.wrapping_mul(3).wrapping_add(second)
}

pub fn cell_of_nested(a: i64, b: i64) -> i64 {
    let c = keep(cells(a, b));
    if a > b {
        c.nested.set(((b, Some(0.25)), Err(Op::Push(a))));
    }
    let ((n, part), result) = c.nested.get();
    let part = part.map_or(0, |x| (x * 8.0) as i64);
    match result {
        Ok(()) => n.wrapping_add(part),
        Err(Op::Push(x)) => x.wrapping_sub(part),
        Err(_) => 0,
    }
}

pub fn array_of_pairs(a: i64, b: i64) -> i64 {
    let array = GcArray::<Cell<(i64, bool)>>::new(4, (0, false));
    array[(a & 3) as usize].set((b, true));
    let (x, seen) = array[(b & 3) as usize].get();
    if seen { x } else { a }
}

#[opaque]
fn results(b: i64) -> GcArray<Cell<Result<i64, (bool, f64)>>> {
    GcArray::from_slice(&[Ok(b), Err((true, 1.5)), Ok(3), Err((false, b as f64))])
}

pub fn array_of_results(a: i64, b: i64) -> i64 {
    let array = results(b);
    let n = (a & 3) as usize;
    array[3 - n].set(Ok(a));
    match array[n].get() {
        Ok(x) => x,
        Err((flag, x)) => (x as i64) ^ i64::from(flag),
    }
}

pub fn list_of_pairs(a: i64, b: i64) -> i64 {
    let list = List::new();
    list.push((a, a > b));
    list.push((b, false));
    let (x, flag) = list.at((a & 1) as usize);
    list.set(0, (x, !flag));
    x.wrapping_add(i64::from(list.at(0).1))
}

#[gc]
pub struct Code {
    pub ops: GcArray<Op>,
    pub spans: GcArray<Span>,
    pub first: Op,
    pub count: u8,
    pub last: Span,
}

#[opaque]
fn code(a: i64) -> Gc<Code> {
    let ops = [
        Op::Push(a),
        Op::Push(3),
        Op::Add,
        Op::Scale(0.5, a > 0),
        Op::Jump { to: 2, back: true },
        Op::Nop,
    ];
    let span = Span {
        from: a,
        to: 7,
        op: Op::Push(1),
    };
    Gc::new(Code {
        ops: GcArray::from_slice(&ops),
        spans: GcArray::from_slice(&[span, Span { from: 1, ..span }]),
        first: ops[(a & 3) as usize],
        count: 200,
        last: Span {
            op: Op::Add,
            ..span
        },
    })
}

fn value(op: Op, x: i64) -> i64 {
    match op {
        Op::Push(n) => n,
        Op::Add => x.wrapping_add(1),
        Op::Scale(by, true) => (x as f64 * by) as i64,
        Op::Scale(_, false) => -1,
        Op::Jump { to, back } => i64::from(to) << i64::from(back),
        Op::Nop => x,
    }
}

pub fn plain_item(a: i64, b: i64) -> i64 {
    let code = code(a);
    value(code.ops[b.rem_euclid(6) as usize], b)
}

pub fn plain_item_out_of_range(a: i64, b: i64) -> i64 {
    let code = code(a);
    value(code.ops[(b & 7) as usize], b)
}

pub fn plain_items_of_constant(a: i64, b: i64) -> i64 {
    let code = promote(code(a));
    value(code.ops[1], a).wrapping_add(value(code.ops[2], b))
}

pub fn plain_field(a: i64, b: i64) -> i64 {
    let code = code(a);
    let same = code.first == Op::Push(3);
    value(code.first, b)
        .wrapping_add(i64::from(same))
        .wrapping_add(i64::from(code.count))
}

pub fn plain_struct(a: i64, b: i64) -> i64 {
    let code = code(a);
    let Span { from, op, .. } = code.spans[(b & 1) as usize];
    from.wrapping_add(code.last.to)
        .wrapping_add(value(op, b))
        .wrapping_sub(value(code.last.op, b))
}

#[unroll_safe]
pub fn plain_program(a: i64, b: i64) -> i64 {
    let code = code(a);
    let (mut pc, mut acc) = (0, b);
    for _ in 0..8 {
        match code.ops[pc] {
            Op::Push(n) => acc = acc.wrapping_mul(2).wrapping_add(n),
            Op::Jump { to, .. } if acc & 1 == 0 => {
                pc = to as usize;
                continue;
            }
            Op::Nop => break,
            op => acc = value(op, acc),
        }
        pc += 1;
    }
    acc
}

#[opaque]
fn sum(bytes: &[u8], x: i64) -> i64 {
    bytes
        .iter()
        .fold(x, |sum, b| sum.wrapping_mul(31).wrapping_add(i64::from(*b)))
}

#[opaque]
fn count(text: &str, letter: char) -> i64 {
    text.chars().filter(|c| *c == letter).count() as i64
}

pub fn byte_string(a: i64, b: i64) -> i64 {
    sum(b"ab\x00\"\\\xff", a) ^ sum(b"", b)
}

pub fn byte_string_chosen(a: i64, b: i64) -> i64 {
    let bytes: &[u8] = if a > b { b"more" } else { b"less" };
    sum(bytes, 1)
}

pub fn byte_string_items(a: i64, _b: i64) -> i64 {
    let digits = b"0123456789abcdef";
    i64::from(digits[(a & 15) as usize])
}

pub fn texts_and_letters(a: i64, b: i64) -> i64 {
    count("a letter, and another", 'a') + count("\u{e9}t\u{e9}", if a > b { '\u{e9}' } else { 't' })
}

fn name(n: i64) -> &'static str {
    match n & 3 {
        0 => "nought",
        1 => "one",
        _ => "many, too many",
    }
}

fn bytes_of(n: i64) -> &'static [u8] {
    if n > 0 { b"positive" } else { b"not" }
}

pub fn text_as_result(a: i64, b: i64) -> i64 {
    count(name(a), 'n').wrapping_add(sum(bytes_of(b), 0))
}

// What follows is written by `cargo run -p conformance-tables`.

/// The functions, in the order of their numbers.
#[rustfmt::skip]
pub const CASES: &[&str] = &[
    "cell_of_pair",
    "cell_of_pair_kept",
    "cell_of_narrow",
    "cell_of_option",
    "cell_of_option_virtual",
    "cell_of_result",
    "cell_of_references",
    "cell_of_nested",
    "array_of_pairs",
    "array_of_results",
    "list_of_pairs",
    "plain_item",
    "plain_item_out_of_range",
    "plain_items_of_constant",
    "plain_field",
    "plain_struct",
    "plain_program",
    "byte_string",
    "byte_string_chosen",
    "byte_string_items",
    "texts_and_letters",
    "text_as_result",
];

/// Function number `case` of two numbers.
#[rustfmt::skip]
pub fn run(case: i64, a: i64, b: i64) -> i64 {
    match case {
        0 => cell_of_pair(a, b),
        1 => cell_of_pair_kept(a, b),
        2 => cell_of_narrow(a, b),
        3 => cell_of_option(a, b),
        4 => cell_of_option_virtual(a, b),
        5 => cell_of_result(a, b),
        6 => cell_of_references(a, b),
        7 => cell_of_nested(a, b),
        8 => array_of_pairs(a, b),
        9 => array_of_results(a, b),
        10 => list_of_pairs(a, b),
        11 => plain_item(a, b),
        12 => plain_item_out_of_range(a, b),
        13 => plain_items_of_constant(a, b),
        14 => plain_field(a, b),
        15 => plain_struct(a, b),
        16 => plain_program(a, b),
        17 => byte_string(a, b),
        18 => byte_string_chosen(a, b),
        19 => byte_string_items(a, b),
        20 => texts_and_letters(a, b),
        21 => text_as_result(a, b),
        _ => panic!("there is no such function"),
    }
}
