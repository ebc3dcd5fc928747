//! Which side of a compound assignment comes first. In: two integers. Out: one.

use std::ops::{AddAssign, Index, IndexMut, MulAssign, ShlAssign};

#[derive(Clone, Copy, PartialEq)]
pub struct Num(i64);

impl AddAssign for Num {
    fn add_assign(&mut self, other: Num) {
        self.0 = self.0.wrapping_add(other.0);
    }
}

impl MulAssign<i64> for Num {
    fn mul_assign(&mut self, other: i64) {
        self.0 = self.0.wrapping_mul(other);
    }
}

impl ShlAssign<Num> for i64 {
    fn shl_assign(&mut self, other: Num) {
        *self = self.wrapping_mul(other.0 | 1);
    }
}

fn digest(items: [Num; 4]) -> i64 {
    let [a, b, c, d] = items;
    a.0 ^ b.0.wrapping_mul(3) ^ c.0.wrapping_mul(5) ^ d.0.wrapping_mul(9)
}

pub fn of_user_type(a: i64, b: i64) -> i64 {
    let mut items = [Num(a), Num(b), Num(3), Num(4)];
    let mut at = (a & 1) as usize;
    items[at] += {
        at += 2;
        Num(b ^ at as i64)
    };
    items[at] *= {
        at -= 1;
        a ^ at as i64
    };
    digest(items) ^ at as i64
}

pub fn of_scalars(a: i64, b: i64) -> i64 {
    let mut items = [a, b, 3, 4];
    let mut at = (a & 1) as usize;
    items[at] ^= {
        at += 2;
        b ^ at as i64
    };
    digest([Num(items[0]), Num(items[1]), Num(items[2]), Num(items[3])])
}

pub fn of_scalar_and_user_type(a: i64, b: i64) -> i64 {
    let mut items = [a, b, 3, 4];
    let mut at = (a & 1) as usize;
    items[at] <<= {
        at += 2;
        Num(b ^ at as i64)
    };
    digest([Num(items[0]), Num(items[1]), Num(items[2]), Num(items[3])])
}

pub fn of_reference(a: i64, b: i64) -> i64 {
    let mut items = [a, b, 3, 4];
    let mut at = (a & 1) as usize;
    items[at] ^= &{
        at += 2;
        b ^ at as i64
    };
    digest([Num(items[0]), Num(items[1]), Num(items[2]), Num(items[3])])
}

#[derive(Clone, Copy)]
pub struct Row {
    nums: [Num; 3],
    last: Num,
}

pub fn of_nested_item(a: i64, b: i64) -> i64 {
    let row = Row {
        nums: [Num(a), Num(b), Num(7)],
        last: Num(1),
    };
    let mut rows = [row; 2];
    let (mut at, mut to) = ((a & 1) as usize, (b & 1) as usize);
    rows[at].nums[to] += {
        at = 1 - at;
        to += 1;
        Num(b.wrapping_sub(a))
    };
    rows[at].last += {
        at = 1 - at;
        rows_last(at)
    };
    let [first, second] = rows;
    let first = digest([first.nums[0], first.nums[1], first.nums[2], first.last]);
    let second = digest([second.nums[0], second.nums[1], second.nums[2], second.last]);
    first ^ second.wrapping_mul(11) ^ rows[at].nums[to].0
}

fn rows_last(at: usize) -> Num {
    Num(at as i64 + 5)
}

pub fn index_with_effects(a: i64, b: i64) -> i64 {
    let mut items = [Num(a), Num(b), Num(3), Num(4)];
    let mut at = (a & 1) as usize;
    items[{
        at += 1;
        at
    }] += Num(at as i64);
    let mut plain = [a, b, 3, 4];
    plain[{
        at += 1;
        at
    }] ^= at as i64;
    digest(items) ^ plain[0] ^ plain[1] ^ plain[2] ^ plain[3]
}

fn failing(a: i64) -> i64 {
    if a & 2 == 0 {
        panic!("the right side")
    }
    a
}

pub fn panics_of_user_type(a: i64, b: i64) -> i64 {
    let mut items = [Num(a), Num(b), Num(3)];
    items[(b & 3) as usize] += Num(failing(a));
    items[0].0 ^ items[1].0 ^ items[2].0
}

pub fn panics_of_scalars(a: i64, b: i64) -> i64 {
    let mut items = [a, b, 3];
    items[(b & 3) as usize] ^= failing(a);
    items[0] ^ items[1] ^ items[2]
}

#[derive(Clone, Copy)]
pub struct Regs {
    items: [Num; 3],
    plain: [i64; 3],
    used: i64,
}

impl Index<usize> for Regs {
    type Output = Num;
    fn index(&self, at: usize) -> &Num {
        &self.items[at]
    }
}

impl IndexMut<usize> for Regs {
    fn index_mut(&mut self, at: usize) -> &mut Num {
        self.used += 1;
        &mut self.items[at]
    }
}

impl Index<i64> for Regs {
    type Output = i64;
    fn index(&self, at: i64) -> &i64 {
        &self.plain[at as usize]
    }
}

impl IndexMut<i64> for Regs {
    fn index_mut(&mut self, at: i64) -> &mut i64 {
        self.used = self.used.wrapping_mul(3) + at;
        &mut self.plain[at as usize]
    }
}

fn regs(a: i64, b: i64) -> Regs {
    Regs {
        items: [Num(a), Num(b), Num(3)],
        plain: [a, b, 3],
        used: 1,
    }
}

pub fn index_mut_is_called_once(a: i64, b: i64) -> i64 {
    let mut regs = regs(a, b);
    regs[(a & 1) as usize] += Num(b);
    regs[(b & 1) as usize] *= b ^ 5;
    regs[b & 1] ^= 9;
    let at = a & 1;
    regs[at + 1] <<= 3;
    let items = [regs.items[0], regs.items[1], regs.items[2], Num(regs.used)];
    digest(items) ^ regs.plain[0] ^ regs.plain[1].wrapping_mul(3) ^ regs.plain[2].wrapping_mul(7)
}

pub fn index_mut_behind_scalars(a: i64, b: i64) -> i64 {
    let mut regs = regs(a, b);
    let mut at = a & 1;
    regs[at] ^= {
        at += 1;
        failing(b)
    };
    regs[b & 3] ^= failing(a);
    regs.plain[0] ^ regs.plain[1].wrapping_mul(3) ^ regs.plain[2].wrapping_mul(7) ^ regs.used
}

pub fn index_mut_before_user_type(a: i64, b: i64) -> i64 {
    let mut regs = regs(a, b);
    let mut at = (a & 1) as usize;
    regs[{
        at += 1;
        at
    }] += Num(at as i64);
    regs.items[0].0 ^ regs.items[1].0.wrapping_mul(3) ^ regs.items[2].0.wrapping_mul(7) ^ regs.used
}

fn add_all<T: AddAssign + Copy>(items: &mut [T; 3], value: T, at: usize) {
    items[at] += value;
    items[0] += items[1];
}

pub fn in_generic_code(a: i64, b: i64) -> i64 {
    let mut nums = [Num(a), Num(b), Num(3)];
    add_all(&mut nums, Num(b), (a & 3) as usize);
    let mut plain = [a & 0xff, b & 0xff, 3];
    add_all(&mut plain, a & 0xff, (b & 3) as usize);
    nums[0].0 ^ nums[1].0 ^ nums[2].0 ^ plain[0] ^ plain[1] ^ plain[2]
}

// What follows is written by `cargo run -p conformance-tables`.

/// The functions, in the order of their numbers.
#[rustfmt::skip]
pub const CASES: &[&str] = &[
    "of_user_type",
    "of_scalars",
    "of_scalar_and_user_type",
    "of_reference",
    "of_nested_item",
    "index_with_effects",
    "panics_of_user_type",
    "panics_of_scalars",
    "index_mut_is_called_once",
    "index_mut_behind_scalars",
    "index_mut_before_user_type",
    "in_generic_code",
];

/// Function number `case` of two numbers.
#[rustfmt::skip]
pub fn run(case: i64, a: i64, b: i64) -> i64 {
    match case {
        0 => of_user_type(a, b),
        1 => of_scalars(a, b),
        2 => of_scalar_and_user_type(a, b),
        3 => of_reference(a, b),
        4 => of_nested_item(a, b),
        5 => index_with_effects(a, b),
        6 => panics_of_user_type(a, b),
        7 => panics_of_scalars(a, b),
        8 => index_mut_is_called_once(a, b),
        9 => index_mut_behind_scalars(a, b),
        10 => index_mut_before_user_type(a, b),
        11 => in_generic_code(a, b),
        _ => panic!("there is no such function"),
    }
}
