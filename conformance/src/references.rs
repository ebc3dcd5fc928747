//! Which implementation is meant where a trait is implemented for a type and for references to it.
//! In: two integers. Out: one.

use std::ops::{Add, AddAssign, Mul, Neg};
use verdigris::prelude::*;

#[derive(Clone, Copy)]
pub struct Num(i64);

trait Size: Copy {
    fn size(self) -> i64;
    fn abs(&self, by: i64) -> i64;
    fn both(self) -> i64 {
        self.size().wrapping_mul(3) ^ self.abs(2)
    }
}

impl Size for Num {
    fn size(self) -> i64 {
        self.0 ^ 1
    }
    fn abs(&self, by: i64) -> i64 {
        self.0.wrapping_mul(by)
    }
}

impl Size for &Num {
    fn size(self) -> i64 {
        self.0 ^ 2
    }
    fn abs(&self, by: i64) -> i64 {
        self.0.wrapping_add(by)
    }
}

impl Size for i64 {
    fn size(self) -> i64 {
        self ^ 4
    }
    fn abs(&self, by: i64) -> i64 {
        *self ^ by
    }
}

impl Add for Num {
    type Output = Num;
    fn add(self, other: Num) -> Num {
        Num(self.0.wrapping_mul(3) ^ other.0)
    }
}

impl Add<&Num> for Num {
    type Output = Num;
    fn add(self, other: &Num) -> Num {
        Num(self.0.wrapping_mul(5) ^ other.0)
    }
}

impl Add for &Num {
    type Output = Num;
    fn add(self, other: &Num) -> Num {
        Num(self.0.wrapping_mul(7) ^ other.0)
    }
}

impl AddAssign for Num {
    fn add_assign(&mut self, other: Num) {
        self.0 = self.0.wrapping_mul(11) ^ other.0;
    }
}

impl AddAssign<&Num> for Num {
    fn add_assign(&mut self, other: &Num) {
        self.0 = self.0.wrapping_mul(13) ^ other.0;
    }
}

impl Neg for Num {
    type Output = i64;
    fn neg(self) -> i64 {
        self.0 ^ 17
    }
}

impl Neg for &Num {
    type Output = i64;
    fn neg(self) -> i64 {
        self.0 ^ 19
    }
}

/// A value of one of the sides, whichever has this operator alone.
impl Mul<i64> for &Num {
    type Output = i64;
    fn mul(self, other: i64) -> i64 {
        self.0.wrapping_mul(other)
    }
}

fn taken<T: Size>(t: T) -> i64 {
    t.size() ^ T::size(t).wrapping_mul(3) ^ Size::abs(&t, 3)
}

fn lent<T: Size>(t: &T) -> i64 {
    t.abs(1) ^ taken(*t)
}

pub fn parameters_are_values(a: i64, b: i64) -> i64 {
    let x = Num(a);
    x.both() ^ taken(x) ^ lent(&Num(b)).wrapping_mul(5) ^ taken(b) ^ taken::<Num>(Num(b))
}

pub fn parameters_are_references(a: i64, b: i64) -> i64 {
    let x = Num(a);
    let y = &Num(b);
    (&x).both() ^ taken(&x) ^ lent(&y).wrapping_mul(5) ^ taken::<&Num>(&x)
}

pub fn operators_of_values(a: i64, b: i64) -> i64 {
    let mut sum = Num(a) + Num(b);
    sum += Num(a ^ b);
    sum = Num(7) + sum;
    -sum
}

// That references are taken is the point.
#[allow(clippy::op_ref)]
pub fn operators_of_references(a: i64, b: i64) -> i64 {
    let (x, y) = (Num(a), Num(b));
    let mut sum = &x + &y;
    sum += &y;
    let other = x + &sum;
    -&other ^ &sum * a
}

pub fn paths_to_references(a: i64, b: i64) -> i64 {
    let (x, y) = (Num(a), Num(b));
    <&Num as Size>::size(&x)
        ^ <Num as Size>::size(y).wrapping_mul(3)
        ^ Size::size(&y)
        ^ Size::size(x).wrapping_mul(5)
        ^ <Num as Add<&Num>>::add(x, &y).0
        ^ <&Num as Add>::add(&x, &y).0
}

// So is that a number is cloned.
#[allow(clippy::clone_on_copy)]
pub fn chains_of_numbers(a: i64, b: i64) -> i64 {
    let own = a.wrapping_mul(3).abs() ^ a.max(b).abs() ^ promote(b).abs();
    own ^ a.clone().min(b).abs().wrapping_mul(7) ^ a.size().wrapping_mul(3).abs()
}

fn signum_of<T: Signum>(t: T) -> i64 {
    t.signum()
}

trait Signum {
    fn signum(&self) -> i64;
}

impl Signum for i64 {
    fn signum(&self) -> i64 {
        *self ^ 23
    }
}

pub fn parameter_without_own_methods(a: i64, b: i64) -> i64 {
    signum_of(a).wrapping_mul(3) ^ signum_of(b)
}

// What follows is written by `cargo run -p conformance-tables`.

/// The functions, in the order of their numbers.
#[rustfmt::skip]
pub const CASES: &[&str] = &[
    "parameters_are_values",
    "parameters_are_references",
    "operators_of_values",
    "operators_of_references",
    "paths_to_references",
    "chains_of_numbers",
    "parameter_without_own_methods",
];

/// Function number `case` of two numbers.
#[rustfmt::skip]
pub fn run(case: i64, a: i64, b: i64) -> i64 {
    match case {
        0 => parameters_are_values(a, b),
        1 => parameters_are_references(a, b),
        2 => operators_of_values(a, b),
        3 => operators_of_references(a, b),
        4 => paths_to_references(a, b),
        5 => chains_of_numbers(a, b),
        6 => parameter_without_own_methods(a, b),
        _ => panic!("there is no such function"),
    }
}
