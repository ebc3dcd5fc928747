//! The oracle notices what it should: the MIR of a slightly different text is reported, with the
//! function and both callees. In: a text for the translator, another for rustc. Out: the
//! differences.

use std::path::PathBuf;
use verdigris_callees::{Report, compare_with_text, rustc};

/// What makes an interpreter of functions; rustc does not see it.
const PORTAL: &str = "
use verdigris::prelude::*;
#[portal]
fn main_loop(a: i64, b: i64) -> i64 {
    loop {
        merge_point!(greens = [a], reds = [b]);
        return run(a, b);
    }
}
";

/// Functions with all kinds of callees.
const TEXT: &str = "
#[derive(Clone, Copy, PartialEq, PartialOrd)]
pub struct Num(i64);
impl Num {
    fn size(&self) -> i64 { self.0 }
}
pub trait Size {
    fn size(&self) -> i64;
    fn twice(&self) -> i64 { self.size() ^ 2 }
}
impl Size for Num {
    fn size(&self) -> i64 { self.0 ^ 1 }
}
impl Size for i64 {
    fn size(&self) -> i64 { self.wrapping_mul(3) }
}
impl std::ops::Add for Num {
    type Output = Num;
    fn add(self, other: Num) -> Num { Num(self.0 ^ other.0) }
}
impl std::ops::Add<i64> for Num {
    type Output = Num;
    fn add(self, other: i64) -> Num { Num(self.0 & other) }
}
pub trait Pow {
    fn pow(self, n: i64) -> i64;
    fn cube(self) -> i64;
}
impl Pow for i64 {
    fn pow(self, n: i64) -> i64 { self ^ n }
    fn cube(self) -> i64 { self.wrapping_pow(3) }
}
impl Pow for &i64 {
    fn pow(self, n: i64) -> i64 { *self ^ n ^ 1 }
    fn cube(self) -> i64 { *self }
}
pub trait Largest {
    fn max(&self, other: i64) -> i64;
}
impl Largest for i64 {
    fn max(&self, other: i64) -> i64 { *self ^ other }
}
fn largest<T: Largest + Copy>(x: T, y: i64) -> i64 { x.max(y) }
mod inner {
    pub fn helper(x: i64) -> i64 { x ^ 5 }
}
fn helper(x: i64) -> i64 { x ^ 4 }
fn sum<T: Size + Copy>(x: T, y: Num) -> i64 { x.size() ^ y.size() ^ x.twice() }
pub fn run(a: i64, b: i64) -> i64 {
    let add = |x: i64| helper(x).max(inner::helper(b));
    let two = Num(a) + Num(b) + a;
    let less = Num(a) < Num(b);
    let pair = (a as u64).checked_add(7).map(|x| x.rotate_left(3)).unwrap_or(4);
    sum(Num(a), two) ^ sum(b, two) ^ add(a) ^ a.cube() ^ b.pow(2) ^ pair as i64 ^ less as i64 ^ largest(a, b)
}
";

fn compared(name: &str, ours: &str, theirs: &str) -> Report {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let file = folder.join(format!("{name}.rs"));
    let text = folder.join(format!("{name}.mir"));
    std::fs::write(&file, theirs).expect("the text is written");
    let theirs = rustc::mir_of_file(&file, &text).expect("rustc takes it");
    let ours = format!("{ours}{PORTAL}");
    let ours = verdigris_front::callees_of_source(&[(&format!("{name}.rs"), &ours)], &[]);
    let ours = ours.unwrap_or_else(|diagnostics| panic!("{diagnostics}"));
    compare_with_text(&ours, &theirs).expect("the text is read")
}

#[test]
fn the_same_text_has_no_differences() {
    let report = compared("same", TEXT, TEXT);
    println!("{report}");
    assert_eq!(report.differences, []);
}

/// What rustc reads instead, what has to be said of it, and whether one callee stands for another
/// of its name.
const LIES: &[(&str, &str, &str, bool)] = &[
    (
        "impl Num {\n    fn size(&self) -> i64 { self.0 }\n}",
        "",
        "sum with T = i64: rustc calls <Num as Size>::size; the translator <Num>::size",
        true,
    ),
    (
        "Num(b) + a;",
        "Num(b) + Num(a);",
        "run: rustc calls <Num as Add>::add; the translator <Num as Add<i64>>::add",
        true,
    ),
    (
        "b.pow(2)",
        "Pow::pow(b, 2)",
        "run: rustc calls <i64 as Pow>::pow; the translator <i64>::pow",
        true,
    ),
    (
        "a.cube()",
        "(&a).cube()",
        "run: rustc calls <&i64 as Pow>::cube; the translator <i64 as Pow>::cube",
        true,
    ),
    (
        "|x: i64| helper(x)",
        "|x: i64| inner::helper(x)",
        "run: rustc calls inner::helper; the translator helper",
        true,
    ),
    (
        "rotate_left(3)",
        "rotate_right(3)",
        "run: rustc calls core::num::<impl u64>::rotate_right; the translator <u64>::rotate_left",
        false,
    ),
    (
        ".max(inner",
        ".min(inner",
        "run: rustc calls <i64 as Ord>::min; the translator <any i64 as Ord>::max",
        false,
    ),
    (
        "(a as u64).checked_add",
        "(a as u32).checked_add",
        "run: rustc calls core::num::<impl u32>::checked_add",
        false,
    ),
    (
        "^ x.twice() }",
        "}",
        "sum with T = i64: rustc calls nothing else; the translator <i64 as Size>::twice",
        false,
    ),
    (
        "^ b.pow(2)",
        "^ b.pow(2) ^ helper(a)",
        "run: rustc calls helper; the translator nothing else",
        false,
    ),
    (
        "fn size(&self) -> i64 { self.wrapping_mul(3) }",
        "fn size(&self) -> i64 { self.wrapping_add(3) }",
        "size with Self = i64: rustc calls core::num::<impl i64>::wrapping_add; the translator <i64>::wrapping_mul",
        false,
    ),
];

#[test]
fn another_text_has_differences() {
    for (n, (part, lie, said, mistaken)) in LIES.iter().enumerate() {
        assert_eq!(TEXT.matches(part).count(), 1, "{part}");
        let report = compared(&format!("lie{n}"), TEXT, &TEXT.replace(part, lie));
        let differences: Vec<String> = (report.differences.iter()).map(|d| d.to_string()).collect();
        let found = differences.iter().position(|d| d.contains(said));
        let Some(found) = found else {
            panic!("{said}: {differences:#?}");
        };
        assert_eq!(report.differences[found].mistaken, *mistaken, "{said}");
    }
}
