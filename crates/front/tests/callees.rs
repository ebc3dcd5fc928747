//! Which function each call means, as text. In: a source. Out: each traced function with its
//! callees; that these are rustc's is tested in `testing/callees`.

use expect_test::expect;
use verdigris_front::callees_of_source;

/// Calls of all kinds.
const TEXT: &str = "
use verdigris::{we_are_jitted, prelude::*};
#[derive(Clone, Copy, PartialEq)]
pub struct Num(i64);
impl Num {
    fn size(&self) -> i64 { self.0 }
}
trait Size {
    fn size(&self) -> i64;
    fn twice(&self) -> i64 { self.size() }
}
impl Size for &Num {
    fn size(&self) -> i64 { self.0.wrapping_mul(2) }
}
impl Size for i64 {
    fn size(&self) -> i64 { *self }
}
impl std::ops::Add<i64> for Num {
    type Output = Num;
    fn add(self, other: i64) -> Num { Num(self.0 ^ other) }
}
fn twice<T: Size>(x: T) -> i64 { x.twice() }
fn half(x: i64) -> i64 { x >> 1 }
#[portal]
fn run(a: i64, b: i64) -> i64 {
    loop {
        merge_point!(greens = [a], reds = [b]);
        let add = |x: i64| half(x).max(3);
        let num: Num = Num(a) + b;
        let same = num == Num(b);
        let halves: fn(i64) -> i64 = half;
        if !we_are_jitted() {
            return unknown(a);
        }
        return add(a) ^ add(b) ^ num.size() ^ twice(a) ^ Some(a).map(half).unwrap_or(same as i64) ^ halves(b);
    }
}
";

#[test]
fn each_call_is_named_once() {
    let list = callees_of_source(&[("src/main.rs", TEXT)], &[]);
    let list = list.unwrap_or_else(|diagnostics| panic!("{diagnostics}"));
    let text: String = list.iter().map(ToString::to_string).collect();
    expect![[r#"
        run
            <Num as Add<i64>>::add
            <any Num as PartialEq>::eq
            verdigris::we_are_jitted
            half
            <any i64 as Ord>::max
            <Num>::size
            twice
            <Option<i64>>::map
            <Option<i64>>::unwrap_or
            value half
        <impl at src/main.rs:18:1>::add with Self = Num
        half
        <impl at src/main.rs:5:1>::size with Self = Num
        twice with T = i64
            <i64 as Size>::twice
        Size::twice with Self = i64
            <i64 as Size>::size
        <impl at src/main.rs:15:1>::size with Self = i64
    "#]]
    .assert_eq(&text);
    assert!(list.iter().any(|function| function.skipped == ["unknown"]));
}

/// Traits that a type and references to it both implement.
const REFERENCES: &str = "
use verdigris::{we_are_jitted, prelude::*};
use std::ops::{Add, AddAssign, Neg};
#[derive(Clone, Copy)]
pub struct Num(i64);
trait Size: Copy {
    fn size(self) -> i64;
    fn abs(&self, by: i64) -> i64;
    fn both(self) -> i64 { self.size() ^ self.abs(2) }
}
impl Size for Num {
    fn size(self) -> i64 { self.0 }
    fn abs(&self, by: i64) -> i64 { self.0 ^ by }
}
impl Size for &Num {
    fn size(self) -> i64 { self.0 + 1 }
    fn abs(&self, by: i64) -> i64 { self.0 & by }
}
impl Size for i64 {
    fn size(self) -> i64 { self }
    fn abs(&self, by: i64) -> i64 { *self ^ by }
}
impl Add for Num {
    type Output = Num;
    fn add(self, other: Num) -> Num { Num(self.0 ^ other.0) }
}
impl Add<&Num> for Num {
    type Output = Num;
    fn add(self, other: &Num) -> Num { Num(self.0 & other.0) }
}
impl Add for &Num {
    type Output = Num;
    fn add(self, other: &Num) -> Num { Num(self.0 | other.0) }
}
impl AddAssign for Num {
    fn add_assign(&mut self, other: Num) { self.0 ^= other.0; }
}
impl AddAssign<&Num> for Num {
    fn add_assign(&mut self, other: &Num) { self.0 &= other.0; }
}
impl Neg for Num {
    type Output = i64;
    fn neg(self) -> i64 { self.0 }
}
impl Neg for &Num {
    type Output = i64;
    fn neg(self) -> i64 { !self.0 }
}
fn taken<T: Size>(t: T) -> i64 { t.size() ^ T::size(t) ^ Size::abs(&t, 3) }
fn lent<T: Size>(t: &T) -> i64 { t.abs(1) ^ taken(*t) }
fn values(a: Num, b: Num) -> i64 {
    let mut sum = a + b;
    sum += b;
    -sum ^ a.size() ^ a.both() ^ taken(a) ^ lent(&b) ^ <Num as Size>::size(a) ^ Size::size(b)
}
fn references(a: Num, b: Num) -> i64 {
    let mut sum = &a + &b;
    sum += &b;
    let other = a + &sum;
    -&other ^ (&a).size() ^ (&a).both() ^ taken(&a) ^ lent(&&b) ^ <&Num as Size>::size(&a) ^ Size::size(&b)
}
fn numbers(x: i64, y: i64) -> i64 {
    x.wrapping_mul(3).abs() ^ x.max(y).abs() ^ promote(x).abs() ^ x.clone().min(y).abs()
}
#[portal]
fn run(a: i64, b: i64) -> i64 {
    loop {
        merge_point!(greens = [a], reds = [b]);
        return values(Num(a), Num(b)) ^ references(Num(a), Num(b)) ^ numbers(a, b);
    }
}
";

#[test]
fn references_say_which_implementation_is_meant() {
    let list = callees_of_source(&[("src/main.rs", REFERENCES)], &[]);
    let list = list.unwrap_or_else(|diagnostics| panic!("{diagnostics}"));
    let text: String = list.iter().map(ToString::to_string).collect();
    expect![[r#"
        run
            values
            references
            numbers
        values
            <Num as Add>::add
            <Num as AddAssign>::add_assign
            <Num as Neg>::neg
            <Num as Size>::size
            <Num as Size>::both
            taken
            lent
            <Num as Size>::size
            <Num as Size>::size
        references
            <&Num as Add>::add
            <Num as AddAssign<Num>>::add_assign
            <Num as Add<Num>>::add
            <&Num as Neg>::neg
            <&Num as Size>::size
            <&Num as Size>::both
            taken
            lent
            <&Num as Size>::size
            <&Num as Size>::size
        numbers
            <i64>::wrapping_mul
            <i64>::abs
            <any i64 as Ord>::max
            <i64>::abs
            verdigris::promote
            <i64>::abs
            <any i64 as Clone>::clone
            <any i64 as Ord>::min
            <i64>::abs
        <impl at src/main.rs:23:1>::add with Self = Num
        <impl at src/main.rs:35:1>::add_assign with Self = Num
        <impl at src/main.rs:41:1>::neg with Self = Num
        <impl at src/main.rs:11:1>::size with Self = Num
        Size::both with Self = Num
            <Num as Size>::size
            <Num as Size>::abs
        taken with T = Num
            <Num as Size>::size
            <Num as Size>::size
            <Num as Size>::abs
        lent with T = Num
            <Num as Size>::abs
            taken
        <impl at src/main.rs:31:1>::add with Self = Num
        <impl at src/main.rs:38:1>::add_assign with Self = Num
        <impl at src/main.rs:27:1>::add with Self = Num
        <impl at src/main.rs:45:1>::neg with Self = Num
        <impl at src/main.rs:15:1>::size with Self = Num
        Size::both with Self = &Num
            <&Num as Size>::size
            <&Num as Size>::abs
        taken with T = &Num
            <&Num as Size>::size
            <&Num as Size>::size
            <&Num as Size>::abs
        lent with T = &Num
            <&Num as Size>::abs
            taken
        <impl at src/main.rs:11:1>::abs with Self = Num
        <impl at src/main.rs:15:1>::abs with Self = Num
    "#]]
    .assert_eq(&text);
}

/// Calls that are never reached.
const UNREACHABLE: &str = "
use verdigris::{we_are_jitted, prelude::*};
fn half(x: i64) -> i64 { x >> 1 }
fn left(x: i64) -> i64 {
    if x > 3 {
        return half(x);
        let _y = x.wrapping_mul(2);
    }
    if x > 2 { half(half({ return x.abs(); })) } else if true && x > 1 { x.signum() } else { x.pow(2) }
}
#[portal]
fn run(a: i64) -> i64 {
    loop {
        merge_point!(greens = [], reds = [a]);
        return left(a);
    }
}
";

#[test]
fn what_is_never_reached_is_told_apart() {
    let list = callees_of_source(&[("src/main.rs", UNREACHABLE)], &[]);
    let list = list.unwrap_or_else(|diagnostics| panic!("{diagnostics}"));
    let text: String = list.iter().map(ToString::to_string).collect();
    expect![[r#"
        run
            left
        left
            half
            <i64>::abs
            unreachable <i64>::wrapping_mul
            unreachable half
            unreachable half
            unreachable <i64>::signum
            unreachable <i64>::pow
        half
        i64::signum
        i64::pow
        i64::wrapping_pow
    "#]]
    .assert_eq(&text);
}
