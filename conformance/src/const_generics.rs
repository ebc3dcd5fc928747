//! `const` parameters of functions, types, traits and implementations. In: two integers. Out: one.

use verdigris::prelude::*;

#[unroll_safe]
fn sum<const N: usize>(items: [i64; N]) -> i64 {
    let mut total = 0i64;
    for item in items {
        total = total.wrapping_mul(3).wrapping_add(item);
    }
    total
}

fn add<const BY: i64>(x: i64) -> i64 {
    x.wrapping_add(BY)
}

fn chosen<const NEGATIVE: bool, const MARK: char>(x: i64) -> i64 {
    let x = if NEGATIVE { x.wrapping_neg() } else { x };
    x ^ i64::from(u32::from(MARK))
}

const SIX: i64 = 6;
const LEN: usize = 3;

pub fn functions(a: i64, b: i64) -> i64 {
    let three = sum([a, b, 5]);
    let two = sum::<2>([a & 3, b]);
    let none = sum([]);
    three ^ two ^ none ^ add::<3>(a) ^ add::<-4>(b) ^ add::<SIX>(a) ^ add::<{ SIX * 2 + 1 }>(b)
}

pub fn scalars(a: i64, b: i64) -> i64 {
    chosen::<true, 'x'>(a) ^ chosen::<false, '\n'>(b).wrapping_mul(3)
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stack<const N: usize> {
    items: [i64; N],
    len: usize,
}

impl<const N: usize> Stack<N> {
    const ROOM: usize = N;

    fn new() -> Self {
        Stack {
            items: [0; N],
            len: 0,
        }
    }

    fn push(&mut self, item: i64) -> bool {
        if self.len == N {
            return false;
        }
        self.items[self.len] = item;
        self.len += 1;
        true
    }

    fn pop(&mut self) -> Option<i64> {
        self.len = self.len.checked_sub(1)?;
        Some(self.items[self.len])
    }

    fn doubled(self) -> [i64; N] {
        let mut items = self.items;
        if N > 0 {
            items[N - 1] = items[N - 1].wrapping_mul(2);
        }
        items
    }
}

impl Stack<1> {
    fn only(&self) -> i64 {
        self.items[0]
    }
}

pub fn types(a: i64, b: i64) -> i64 {
    let mut stack = Stack::<2>::new();
    let first = stack.push(a);
    stack.push(b);
    let third = stack.push(7);
    let top = stack.pop().unwrap_or(3);
    let mut one: Stack<1> = Stack::new();
    one.push(a ^ 5);
    let room = Stack::<LEN>::ROOM + Stack::<{ LEN + 1 }>::ROOM;
    top ^ one.only() ^ sum(stack.doubled()) ^ i64::from(first) ^ i64::from(third) ^ room as i64
}

pub fn compared(a: i64, b: i64) -> i64 {
    let stack = |x: i64| Stack {
        items: [x & 1, x & 3],
        len: (x & 4) as usize,
    };
    let (p, q) = (stack(a), stack(b));
    let flags = (p < q, p == q, p >= q, [a & 1, 4] < [b & 1, 3]);
    i64::from(flags.0)
        + i64::from(flags.1) * 2
        + i64::from(flags.2) * 4
        + i64::from(flags.3) * 8
        + p.cmp(&q) as i64 * 16
        + i64::from([Some(a), None].max([Some(b), None]) == [Some(a), None]) * 100
}

pub trait Sized64 {
    const SIZE: usize;
    fn total(&self) -> i64;
}

impl<T: Copy + Into<i64>, const N: usize> Sized64 for [T; N] {
    const SIZE: usize = N * 8;
    #[unroll_safe]
    fn total(&self) -> i64 {
        let mut total = 0i64;
        for item in *self {
            let item: i64 = item.into();
            total = total.wrapping_add(item);
        }
        total
    }
}

impl<const N: usize> Sized64 for Stack<N> {
    const SIZE: usize = N;
    fn total(&self) -> i64 {
        self.items.total()
    }
}

fn size_of_any<S: Sized64>(value: &S) -> i64 {
    value.total() ^ S::SIZE as i64
}

pub fn traits(a: i64, b: i64) -> i64 {
    let bytes = [a as u8, b as u8, 3];
    let stack = Stack {
        items: [a, b],
        len: 1,
    };
    size_of_any(&bytes) ^ size_of_any(&stack).wrapping_mul(3) ^ size_of_any(&[a; 4])
}

pub struct Bounded<const LOW: i64, const HIGH: i64 = 100>(i64);

impl<const LOW: i64, const HIGH: i64> Bounded<LOW, HIGH> {
    fn new(x: i64) -> Option<Self> {
        (x >= LOW && x < HIGH).then_some(Bounded(x))
    }
    fn get(&self) -> i64 {
        self.0 - LOW
    }
}

type Digit = Bounded<0, 10>;

pub fn defaults(a: i64, b: i64) -> i64 {
    let wide: Option<Bounded<-3>> = Bounded::new(a);
    let digit = Digit::new(b);
    wide.map_or(-1, |w| w.get()) * 1000 + digit.map_or(-1, |d| d.get())
}

fn first<T: Copy, const N: usize>(items: &[T; N], other: T) -> T {
    if N == 0 { other } else { items[N / 2] }
}

fn filled<const N: usize>(x: i64) -> [i64; N] {
    [x; N]
}

pub fn inferred(a: i64, b: i64) -> i64 {
    let items: [i64; 5] = filled(a);
    let pair: (Option<[i64; 2]>, i64) = (Some(filled(b)), 3);
    let made = first(&items, 2) ^ first(&[b, a, 1], 4) ^ first(&[], b);
    made ^ sum(pair.0.unwrap_or(filled(1)))
}

// What follows is written by `cargo run -p conformance-tables`.

/// The functions, in the order of their numbers.
#[rustfmt::skip]
pub const CASES: &[&str] = &[
    "functions",
    "scalars",
    "types",
    "compared",
    "traits",
    "defaults",
    "inferred",
];

/// Function number `case` of two numbers.
#[rustfmt::skip]
pub fn run(case: i64, a: i64, b: i64) -> i64 {
    match case {
        0 => functions(a, b),
        1 => scalars(a, b),
        2 => types(a, b),
        3 => compared(a, b),
        4 => traits(a, b),
        5 => defaults(a, b),
        6 => inferred(a, b),
        _ => panic!("there is no such function"),
    }
}
