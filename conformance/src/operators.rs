//! Operators that are methods: assigning ones, unary ones, and indices. In: two integers. Out: one.

use std::ops::{
    Add, AddAssign, BitXorAssign, Index, IndexMut, MulAssign, Neg, Not, ShlAssign, SubAssign,
};
use verdigris::prelude::*;

#[derive(Clone, Copy, PartialEq)]
pub struct Vector {
    x: i64,
    y: i64,
}

impl Add for Vector {
    type Output = Vector;
    fn add(self, other: Vector) -> Vector {
        Vector {
            x: self.x.wrapping_add(other.x),
            y: self.y.wrapping_add(other.y),
        }
    }
}

impl AddAssign for Vector {
    fn add_assign(&mut self, other: Vector) {
        *self = *self + other;
        self.y ^= 1;
    }
}

impl AddAssign<i64> for Vector {
    fn add_assign(&mut self, other: i64) {
        self.x = self.x.wrapping_add(other);
    }
}

impl SubAssign<&Vector> for Vector {
    fn sub_assign(&mut self, other: &Vector) {
        self.x -= other.x;
        self.y -= other.y;
    }
}

impl MulAssign<i64> for Vector {
    fn mul_assign(&mut self, factor: i64) {
        if factor == 13 {
            return;
        }
        self.x *= factor;
        self.y *= factor;
    }
}

impl BitXorAssign for Vector {
    fn bitxor_assign(&mut self, other: Vector) {
        self.x ^= other.y;
        self.y ^= other.x;
    }
}

impl ShlAssign<u32> for Vector {
    fn shl_assign(&mut self, by: u32) {
        self.x = self.x.wrapping_shl(by);
    }
}

impl Neg for Vector {
    type Output = Vector;
    fn neg(self) -> Vector {
        Vector {
            x: -self.x,
            y: self.y,
        }
    }
}

impl Not for Vector {
    type Output = i64;
    fn not(self) -> i64 {
        !self.x ^ self.y
    }
}

fn sum(v: Vector) -> i64 {
    v.x.wrapping_mul(31).wrapping_add(v.y)
}

pub fn assigned_locals(a: i64, b: i64) -> i64 {
    let mut v = Vector { x: a, y: b };
    let w = v;
    v += w;
    v += 5;
    v *= b;
    v -= &w;
    v ^= Vector { x: 3, y: a };
    v <<= 3;
    sum(v)
}

pub fn assigned_parts(a: i64, b: i64) -> i64 {
    let mut pair = (Vector { x: a, y: b }, a);
    pair.0 += pair.1;
    pair.0 *= 3;
    let lent = &mut pair;
    lent.0 += Vector { x: 1, y: 2 };
    sum(pair.0)
}

pub fn assigned_items(a: i64, b: i64) -> i64 {
    let mut items = [Vector { x: a, y: 1 }, Vector { x: b, y: 2 }];
    let at = (a & 1) as usize;
    items[at] += Vector { x: 4, y: b };
    items[1] *= a;
    items[at] += 1;
    sum(items[0]).wrapping_add(sum(items[1]).wrapping_mul(7))
}

fn twice(v: &mut Vector) -> i64 {
    *v += *v;
    v.y
}

pub fn assigned_references(a: i64, b: i64) -> i64 {
    let mut v = Vector { x: a, y: b };
    let y = twice(&mut v);
    sum(v).wrapping_add(y)
}

struct Total<T>(T);

impl<T: AddAssign<i64>> AddAssign<i64> for Total<T> {
    fn add_assign(&mut self, other: i64) {
        self.0 += other;
        self.0 += 1;
    }
}

pub fn assigned_generic(a: i64, b: i64) -> i64 {
    let mut plain = Total(a & 0xFFFF);
    plain += b & 0xFF;
    let mut nested = Total(Total(Vector { x: a, y: b }));
    nested += 7;
    plain.0 ^ sum(nested.0.0)
}

pub fn unary(a: i64, b: i64) -> i64 {
    let v = Vector { x: a, y: b };
    sum(-v).wrapping_add(!v).wrapping_sub(!-v)
}

#[derive(Clone, Copy)]
pub enum Reg {
    Acc,
    Counter,
    Other(u8),
}

#[derive(Clone, Copy)]
pub struct Regs {
    acc: i64,
    counter: i64,
    others: [i64; 4],
}

impl Index<Reg> for Regs {
    type Output = i64;
    fn index(&self, reg: Reg) -> &i64 {
        match reg {
            Reg::Acc => &self.acc,
            Reg::Counter => &self.counter,
            Reg::Other(n) => &self.others[n as usize],
        }
    }
}

impl IndexMut<Reg> for Regs {
    fn index_mut(&mut self, reg: Reg) -> &mut i64 {
        match reg {
            Reg::Acc => &mut self.acc,
            Reg::Counter => {
                self.acc += 1;
                &mut self.counter
            }
            Reg::Other(n) => {
                let n = n as usize;
                if n == 9 {
                    panic!("there is no register {n}")
                } else {
                    &mut self.others[n]
                }
            }
        }
    }
}

fn reg(n: i64) -> Reg {
    match n & 7 {
        0 => Reg::Acc,
        1 => Reg::Counter,
        n => Reg::Other(n as u8 - 2),
    }
}

fn regs(a: i64, b: i64) -> Regs {
    Regs {
        acc: a,
        counter: b,
        others: [1, a, b, 4],
    }
}

fn digest(regs: &Regs) -> i64 {
    let others = regs.others;
    (regs.acc ^ regs.counter.wrapping_mul(3))
        .wrapping_add(others[0] ^ others[1].wrapping_mul(5))
        .wrapping_add(others[2] ^ others[3].wrapping_mul(9))
}

pub fn index_by_value(a: i64, b: i64) -> i64 {
    let regs = regs(a, b);
    regs[reg(a)].wrapping_sub(regs[reg(b)]) ^ regs[Reg::Acc]
}

pub fn index_assigned(a: i64, b: i64) -> i64 {
    let mut regs = regs(a, b);
    regs[reg(a)] = b ^ 5;
    regs[reg(b)] += a & 15;
    regs[Reg::Other(1)] -= 3;
    digest(&regs)
}

pub fn index_of_self(a: i64, b: i64) -> i64 {
    let mut regs = regs(a, b);
    regs.step(reg(a), reg(b));
    digest(&regs)
}

impl Regs {
    fn step(&mut self, to: Reg, from: Reg) {
        self[to] = self[from].wrapping_mul(2);
        self[Reg::Counter] -= 1;
    }
}

pub fn index_that_panics(a: i64, b: i64) -> i64 {
    let mut regs = regs(a, b);
    regs[Reg::Other(a as u8 & 15)] += b & 7;
    digest(&regs)
}

#[gc]
pub struct Table {
    items: GcArray<i64>,
    first: i64,
}

impl Index<usize> for Table {
    type Output = i64;
    fn index(&self, at: usize) -> &i64 {
        if at == 0 {
            &self.first
        } else {
            &self.items[at - 1]
        }
    }
}

impl Index<bool> for Table {
    type Output = i64;
    fn index(&self, _: bool) -> &i64 {
        &self.first
    }
}

pub fn index_on_the_heap(a: i64, b: i64) -> i64 {
    let table = Gc::new(Table {
        items: GcArray::new(3, b),
        first: a,
    });
    table[(a & 3) as usize].wrapping_add(table[a > b]) ^ table[1]
}

fn bump(x: &mut i64, by: i64) -> i64 {
    *x = x.wrapping_add(by);
    *x & 3
}

impl Vector {
    fn turn(&mut self) -> i64 {
        let x = self.x;
        self.x = self.y;
        self.y = x;
        x
    }
}

pub fn items_lent(a: i64, b: i64) -> i64 {
    let mut items = [a, b, 7];
    let at = (a & 3) as usize;
    let first = bump(&mut items[at], b);
    let second = bump(&mut items[first as usize % 3], 5);
    items[0] ^ items[1].wrapping_mul(3) ^ items[2].wrapping_mul(5) ^ first ^ second
}

pub fn methods_of_items(a: i64, b: i64) -> i64 {
    let mut pairs = [
        (Vector { x: a, y: b }, Some(a)),
        (Vector { x: 1, y: a }, None),
    ];
    let at = (b & 1) as usize;
    let turned = pairs[at].0.turn();
    let taken = pairs[1 - at].1.take().unwrap_or(4);
    let left = pairs[0].1.unwrap_or(1) ^ pairs[1].1.unwrap_or(2);
    sum(pairs[0].0) ^ sum(pairs[1].0).wrapping_mul(3) ^ turned ^ taken ^ left
}

mod globbed {
    use std::ops::*;

    #[derive(Clone, Copy)]
    pub struct Sum(pub i64);

    impl Add for Sum {
        type Output = Sum;
        fn add(self, other: Sum) -> Sum {
            Sum(self.0.wrapping_add(other.0))
        }
    }

    impl Neg for Sum {
        type Output = Sum;
        fn neg(self) -> Sum {
            Sum(self.0.wrapping_neg())
        }
    }
}

pub fn traits_from_a_glob(a: i64, b: i64) -> i64 {
    (-(globbed::Sum(a) + globbed::Sum(b))).0
}

#[derive(Clone, Copy, PartialEq)]
struct Tagged {
    value: i64,
    tag: bool,
}

impl PartialEq<i64> for Tagged {
    fn eq(&self, other: &i64) -> bool {
        self.value == *other
    }
}

pub fn a_derived_comparison_and_another(a: i64, b: i64) -> i64 {
    let p = Tagged {
        value: a,
        tag: true,
    };
    let q = Tagged {
        value: b,
        tag: a > 0,
    };
    (p == q) as i64 + 2 * (p == b) as i64 + 4 * (q != p) as i64 + 8 * (Some(p) == Some(q)) as i64
}

mod unimported {
    pub trait Pow {
        fn pow(&self, n: u32) -> i64;
    }

    impl Pow for i64 {
        fn pow(&self, n: u32) -> i64 {
            i64::from(n)
        }
    }

    impl Pow for bool {
        fn pow(&self, n: u32) -> i64 {
            i64::from(n) + 1
        }
    }

    pub fn imported(x: bool) -> i64 {
        x.pow(4)
    }
}

pub fn a_method_of_a_trait_that_is_not_imported(a: i64, b: i64) -> i64 {
    (a & 0xff).pow(2) ^ unimported::imported(b > 0)
}

// What follows is written by `cargo run -p conformance-tables`.

/// The functions, in the order of their numbers.
#[rustfmt::skip]
pub const CASES: &[&str] = &[
    "assigned_locals",
    "assigned_parts",
    "assigned_items",
    "assigned_references",
    "assigned_generic",
    "unary",
    "index_by_value",
    "index_assigned",
    "index_of_self",
    "index_that_panics",
    "index_on_the_heap",
    "items_lent",
    "methods_of_items",
    "traits_from_a_glob",
    "a_derived_comparison_and_another",
    "a_method_of_a_trait_that_is_not_imported",
];

/// Function number `case` of two numbers.
#[rustfmt::skip]
pub fn run(case: i64, a: i64, b: i64) -> i64 {
    match case {
        0 => assigned_locals(a, b),
        1 => assigned_parts(a, b),
        2 => assigned_items(a, b),
        3 => assigned_references(a, b),
        4 => assigned_generic(a, b),
        5 => unary(a, b),
        6 => index_by_value(a, b),
        7 => index_assigned(a, b),
        8 => index_of_self(a, b),
        9 => index_that_panics(a, b),
        10 => index_on_the_heap(a, b),
        11 => items_lent(a, b),
        12 => methods_of_items(a, b),
        13 => traits_from_a_glob(a, b),
        14 => a_derived_comparison_and_another(a, b),
        15 => a_method_of_a_trait_that_is_not_imported(a, b),
        _ => panic!("there is no such function"),
    }
}
