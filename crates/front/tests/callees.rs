//! Which function each call means, as text. In: a source. Out: each traced function with its callees; that these are rustc's is tested in
//! `testing/callees`.

use expect_test::expect;
use verdigris_front::callees_of_source;

/// Calls of all kinds.
const TEXT: &str = "
use verdigris::prelude::*;
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
    let list = callees_of_source(&[("src/main.rs", TEXT)]);
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
