//! Functions that call out of the traced code with values of several words: tuples, enums, options,
//! results, methods of values. In: two integers. Out: one. The called functions do with their
//! arguments what rustc's code does.

use verdigris::prelude::*;

#[value]
#[derive(Clone, Copy, PartialEq)]
pub enum Num {
    Nil,
    Int(i64),
    Float(f64),
    Pair(Gc<Pair>),
}

#[gc]
pub struct Pair {
    left: i64,
    right: Cell<i64>,
}

#[value]
#[derive(Clone, Copy, PartialEq)]
pub struct Meters(f64);

#[value]
#[derive(Clone, Copy, PartialEq)]
pub struct Span {
    from: i64,
    to: i64,
}

#[opaque]
fn divide(a: i64, b: i64) -> (i64, i64) {
    match b {
        0 => (i64::MAX, a),
        _ => (a.wrapping_div(b), a.wrapping_rem(b)),
    }
}

#[elidable]
fn classify(n: i64) -> Num {
    match n & 3 {
        0 => Num::Nil,
        1 => Num::Int(n.wrapping_mul(3)),
        2 => Num::Float(n as f64 * 0.25),
        _ => Num::Int(-1),
    }
}

#[opaque]
fn make(n: i64, m: i64) -> Num {
    match n & 3 {
        0 => Num::Nil,
        1 => Num::Int(m),
        2 => Num::Float(m as f64),
        _ => Num::Pair(Gc::new(Pair {
            left: n,
            right: Cell::new(m),
        })),
    }
}

#[opaque]
fn weigh(x: Num, y: Num, by: i64) -> i64 {
    weight(x).wrapping_mul(by).wrapping_add(weight(y))
}

fn weight(x: Num) -> i64 {
    match x {
        Num::Nil => 1,
        Num::Int(n) => n,
        Num::Float(f) => (f * 2.0) as i64,
        Num::Pair(pair) => pair.left.wrapping_sub(pair.right.get()),
    }
}

#[opaque]
fn checked(a: i64, b: i64) -> Result<i64, Span> {
    match a.checked_add(b) {
        Some(sum) => Ok(sum),
        None => Err(Span { from: a, to: b }),
    }
}

#[opaque]
fn half(n: i64) -> Option<i64> {
    (n % 2 == 0).then_some(n / 2)
}

#[opaque]
fn strict(n: i64) -> (i64, Num) {
    if n == 7 {
        panic!("seven");
    }
    (n, Num::Int(n))
}

#[opaque]
fn stretch(m: Meters, by: f64) -> Meters {
    Meters(m.0 * by)
}

#[opaque]
fn mixed(
    a: (i64, f64),
    b: Option<i64>,
    c: Result<i64, f64>,
    d: bool,
    e: Option<Gc<Pair>>,
) -> (f64, i64) {
    let b = b.unwrap_or(-1);
    let c = match c {
        Ok(n) => n as f64,
        Err(f) => -f,
    };
    let e = e.map_or(0, |e| e.right.get());
    (
        a.1 + c,
        a.0.wrapping_add(b)
            .wrapping_add(i64::from(d))
            .wrapping_add(e),
    )
}

impl Num {
    #[opaque]
    fn size(self) -> i64 {
        weight(self)
    }

    #[elidable]
    fn is_number(&self) -> bool {
        matches!(self, Num::Int(_) | Num::Float(_))
    }

    #[opaque]
    fn plus(self, other: Num) -> Num {
        match (self, other) {
            (Num::Int(a), Num::Int(b)) => Num::Int(a.wrapping_add(b)),
            (Num::Float(a), Num::Float(b)) => Num::Float(a + b),
            _ => other,
        }
    }

    #[opaque(Self)]
    fn unit() -> Num {
        Num::Int(1)
    }
}

impl Span {
    #[opaque]
    fn swapped(&self) -> Span {
        Span {
            from: self.to,
            to: self.from,
        }
    }
}

pub fn tuple_result(a: i64, b: i64) -> i64 {
    let (quotient, remainder) = divide(a, b);
    quotient.wrapping_mul(31).wrapping_add(remainder)
}

pub fn tuple_result_in_part(a: i64, b: i64) -> i64 {
    divide(a, b).1
}

pub fn enum_result(a: i64, b: i64) -> i64 {
    weight(make(a, b))
}

pub fn enum_results_twice(a: i64, b: i64) -> i64 {
    let x = make(a, b);
    let y = make(b, a);
    weight(x).wrapping_sub(weight(y))
}

pub fn enum_parameters(a: i64, b: i64) -> i64 {
    weigh(make(a, b), Num::Float(2.5), b)
}

pub fn enum_parameters_from_values(a: i64, b: i64) -> i64 {
    let pair = Num::Pair(Gc::new(Pair {
        left: a,
        right: Cell::new(b),
    }));
    let x = if a < b { pair } else { Num::Int(b) };
    weigh(x, pair, a)
}

pub fn elidable_value(a: i64, b: i64) -> i64 {
    let again = weight(classify(a)).wrapping_add(weight(classify(a)));
    again.wrapping_add(weight(classify(6))).wrapping_add(b)
}

pub fn elidable_value_compared(a: i64, b: i64) -> i64 {
    i64::from(classify(a) == classify(b))
}

pub fn result_of_words(a: i64, b: i64) -> i64 {
    match checked(a, b) {
        Ok(sum) => sum,
        Err(span) => span.from ^ span.to,
    }
}

fn twice(a: i64) -> Result<i64, Span> {
    let sum = checked(a, a)?;
    Ok(sum.wrapping_add(1))
}

pub fn question_mark(a: i64, b: i64) -> i64 {
    match twice(a) {
        Ok(n) => n,
        Err(span) => span.to.wrapping_add(b),
    }
}

pub fn option_of_word(a: i64, b: i64) -> i64 {
    match half(a) {
        Some(n) => n,
        None => b,
    }
}

pub fn option_given_back(a: i64, b: i64) -> i64 {
    if let Some(n) = half(a)
        && let Some(m) = half(b)
    {
        return n.wrapping_add(m);
    }
    -1
}

pub fn panics_with_value(a: i64, b: i64) -> i64 {
    let (n, num) = strict(a & 15);
    n.wrapping_add(weight(num)).wrapping_add(b)
}

pub fn single_float_in_struct(a: i64, b: i64) -> i64 {
    let m = stretch(Meters(a as f64), b as f64);
    m.0 as i64
}

pub fn many_words(a: i64, b: i64) -> i64 {
    let pair = Gc::new(Pair {
        left: 1,
        right: Cell::new(b),
    });
    let result = if a > b { Ok(a) } else { Err(b as f64) };
    let option = if a == b { None } else { Some(pair) };
    let (f, n) = mixed((a, 0.5), half(b), result, a < 0, option);
    (f as i64).wrapping_add(n)
}

pub fn methods_of_values(a: i64, b: i64) -> i64 {
    let x = make(a, b).plus(Num::unit());
    match x.is_number() {
        true => x.size(),
        false => b,
    }
}

pub fn borrowed_receiver(a: i64, b: i64) -> i64 {
    let span = Span { from: a, to: b };
    let swapped = span.swapped();
    swapped.from.wrapping_mul(2).wrapping_sub(swapped.to)
}

pub fn values_live_across_calls(a: i64, b: i64) -> i64 {
    let x = make(3, a);
    let y = make(3, b);
    let (q, r) = divide(a, 10);
    let z = make(a, q);
    weigh(x, y, r).wrapping_add(weight(z))
}

#[unroll_safe]
pub fn value_in_a_loop(a: i64, b: i64) -> i64 {
    let mut x = Num::Nil;
    let mut n = 0;
    let mut sum = 0i64;
    while n < (a & 3) {
        x = x.plus(make(n + 1, b));
        sum = sum.wrapping_add(x.size());
        n += 1;
    }
    sum
}

// What follows is written by `cargo run -p conformance-tables`.

/// The functions, in the order of their numbers.
#[rustfmt::skip]
pub const CASES: &[&str] = &[
    "tuple_result",
    "tuple_result_in_part",
    "enum_result",
    "enum_results_twice",
    "enum_parameters",
    "enum_parameters_from_values",
    "elidable_value",
    "elidable_value_compared",
    "result_of_words",
    "question_mark",
    "option_of_word",
    "option_given_back",
    "panics_with_value",
    "single_float_in_struct",
    "many_words",
    "methods_of_values",
    "borrowed_receiver",
    "values_live_across_calls",
    "value_in_a_loop",
];

/// Function number `case` of two numbers.
#[rustfmt::skip]
pub fn run(case: i64, a: i64, b: i64) -> i64 {
    match case {
        0 => tuple_result(a, b),
        1 => tuple_result_in_part(a, b),
        2 => enum_result(a, b),
        3 => enum_results_twice(a, b),
        4 => enum_parameters(a, b),
        5 => enum_parameters_from_values(a, b),
        6 => elidable_value(a, b),
        7 => elidable_value_compared(a, b),
        8 => result_of_words(a, b),
        9 => question_mark(a, b),
        10 => option_of_word(a, b),
        11 => option_given_back(a, b),
        12 => panics_with_value(a, b),
        13 => single_float_in_struct(a, b),
        14 => many_words(a, b),
        15 => methods_of_values(a, b),
        16 => borrowed_receiver(a, b),
        17 => values_live_across_calls(a, b),
        18 => value_in_a_loop(a, b),
        _ => panic!("there is no such function"),
    }
}
