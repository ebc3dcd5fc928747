//! The methods of `Option` and `Result`, with values, closures and functions as arguments; closures
//! with names. In: two integers. Out: one.

#[derive(Clone, Copy, PartialEq)]
pub struct Span {
    from: i64,
    to: i64,
}

#[derive(Clone, Copy, PartialEq)]
pub enum Token {
    Number(i64),
    End,
}

impl Span {
    fn len(&self) -> i64 {
        self.to.wrapping_sub(self.from)
    }
}

fn even(x: i64) -> Option<i64> {
    if x & 1 == 0 { Some(x / 2) } else { None }
}

fn rarely_odd(x: i64) -> Option<i64> {
    even(if x == 5 { x } else { x & !1 })
}

fn positive(x: i64) -> Result<i64, i64> {
    if x > 0 { Ok(x) } else { Err(x ^ 0x55) }
}

fn span(a: i64, b: i64) -> Option<Span> {
    if a < b {
        Some(Span { from: a, to: b })
    } else {
        None
    }
}

fn double(x: i64) -> i64 {
    x.wrapping_mul(2)
}

fn number(x: Option<i64>) -> i64 {
    match x {
        Some(x) => x,
        None => -99,
    }
}

fn either(x: Result<i64, i64>) -> i64 {
    match x {
        Ok(x) => x,
        Err(e) => e.wrapping_mul(1000) - 1,
    }
}

pub fn map(a: i64, b: i64) -> i64 {
    number(even(a).map(|x| x + b)) ^ number(even(b).map(double))
}

pub fn map_to_variant(a: i64, b: i64) -> i64 {
    match even(a).map(Token::Number) {
        Some(Token::Number(n)) => n,
        Some(Token::End) => b,
        None => number(even(b).map(Some).flatten()),
    }
}

pub fn map_or(a: i64, b: i64) -> i64 {
    even(a).map_or(b, |x| x - 1) + positive(b).map_or(3, |x| x & 7) * 5
}

pub fn map_or_else(a: i64, b: i64) -> i64 {
    even(a).map_or_else(|| b - 1, |x| x + 1) ^ positive(b).map_or_else(|e| e + a, |x| x - a)
}

pub fn and_then(a: i64, b: i64) -> i64 {
    number(even(a).and_then(even)) + either(positive(b).and_then(|x| positive(x - 4)))
}

pub fn unwrap_or(a: i64, b: i64) -> i64 {
    even(a).unwrap_or(b) + positive(b).unwrap_or(a)
}

pub fn unwrap_or_else(a: i64, b: i64) -> i64 {
    even(a).unwrap_or_else(|| b / 3) + positive(b).unwrap_or_else(|e| e - a)
}

pub fn unwrap_or_default(a: i64, b: i64) -> i64 {
    let (x, y) = even(a).map(|x| (x, x > b)).unwrap_or_default();
    x + i64::from(y) + positive(b).unwrap_or_default()
}

pub fn unwrap_or_else_panics(a: i64, b: i64) -> i64 {
    rarely_odd(a).unwrap_or_else(|| panic!("odd")) - b
}

pub fn unwrap_some(a: i64, b: i64) -> i64 {
    rarely_odd(a).unwrap() + b
}

pub fn expect_some(a: i64, b: i64) -> i64 {
    rarely_odd(a).expect("an even number") + b
}

pub fn unwrap_ok_of_unit(a: i64, b: i64) -> i64 {
    let r: Result<i64, ()> = even(a).ok_or(());
    let flag: Result<i64, bool> = positive(b).map_err(|e| e > 100);
    r.unwrap() + flag.expect("positive")
}

pub fn unwrap_err_of_unit(a: i64, b: i64) -> i64 {
    let r: Result<(), i64> = positive(a).map(|_| ());
    r.unwrap_err() + b
}

pub fn ok_or(a: i64, b: i64) -> i64 {
    either(even(a).ok_or(b)) + either(even(b).ok_or_else(|| a - 1))
}

pub fn map_err(a: i64, b: i64) -> i64 {
    match positive(a).map_err(|e| (e, b)) {
        Ok(x) => x,
        Err((e, b)) => e - b,
    }
}

pub fn halves(a: i64, b: i64) -> i64 {
    number(positive(a).ok()) ^ number(positive(b).err())
}

pub fn is_and(a: i64, b: i64) -> i64 {
    i64::from(even(a).is_some_and(|x| x > b))
        + 2 * i64::from(even(b).is_none_or(|x| x < a))
        + 4 * i64::from(positive(a).is_ok_and(|x| x & 2 == 2))
        + 8 * i64::from(positive(b).is_err_and(|e| e & 1 == 1))
}

pub fn filter(a: i64, b: i64) -> i64 {
    number(even(a).filter(|x| *x > b)) - number(even(b).filter(|&x| x & 1 == 0))
}

pub fn or_and(a: i64, b: i64) -> i64 {
    number(even(a).or(even(b))) + number(even(a).and(even(b + 2)))
}

pub fn or_and_of_results(a: i64, b: i64) -> i64 {
    either(positive(a).or(positive(b))) ^ either(positive(a).and(positive(b)))
}

pub fn or_else(a: i64, b: i64) -> i64 {
    number(even(a).or_else(|| even(b))) + either(positive(b).or_else(|e| positive(e + a)))
}

pub fn xor(a: i64, b: i64) -> i64 {
    number(even(a).xor(even(b)))
}

pub fn zip(a: i64, b: i64) -> i64 {
    match even(a).zip(span(a, b)) {
        Some((x, s)) => x ^ s.len(),
        None => 7,
    }
}

pub fn flatten(a: i64, b: i64) -> i64 {
    number(even(a).map(|x| even(x ^ b)).flatten())
}

pub fn transpose(a: i64, b: i64) -> i64 {
    let first = match even(a).map(positive).transpose() {
        Ok(Some(x)) => x,
        Ok(None) => 1,
        Err(e) => e - 5,
    };
    let second = match positive(b).map(even).transpose() {
        Some(Ok(x)) => x,
        Some(Err(e)) => e ^ 9,
        None => 2,
    };
    first.wrapping_mul(31) + second
}

pub fn take(a: i64, b: i64) -> i64 {
    let mut x = even(a);
    let y = x.take();
    i64::from(x.is_none()) + number(y) + b
}

pub fn replace_and_insert(a: i64, b: i64) -> i64 {
    let mut x = even(a);
    let old = x.replace(b);
    let new = number(x);
    let _ = x.insert(a);
    number(old) ^ new ^ number(x).wrapping_mul(3)
}

pub fn take_of_part(a: i64, b: i64) -> i64 {
    let mut pair = (even(a), even(b));
    let first = pair.0.take();
    number(first) + number(pair.0) + number(pair.1)
}

fn empty(x: &mut Option<i64>) -> i64 {
    x.take().unwrap_or(-4)
}

pub fn take_of_lent(a: i64, b: i64) -> i64 {
    let mut x = even(a);
    empty(&mut x) + empty(&mut x) + b
}

pub fn copied(a: i64, b: i64) -> i64 {
    let x = even(a);
    number(x.as_ref().copied()) + number(x.as_ref().map(|x| *x + b)) + number(x.clone())
}

pub fn option_equality(a: i64, b: i64) -> i64 {
    i64::from(even(a) == Some(b))
        + 2 * i64::from(even(a) != even(b))
        + 4 * i64::from(positive(a) == Err(b))
}

pub fn question_in_closure(a: i64, b: i64) -> i64 {
    number(even(a).and_then(|x| {
        let y = even(x)?;
        even(y + b)
    }))
}

pub fn return_in_closure(a: i64, b: i64) -> i64 {
    let x = even(a).map(|x| {
        if x > b {
            return 100;
        }
        x - b
    });
    number(x) + 1
}

pub fn question_of_result_in_closure(a: i64, b: i64) -> i64 {
    either(positive(a).and_then(|x| {
        let y = positive(b)?;
        if y > x {
            return Err(y);
        }
        Ok(x - y)
    }))
}

pub fn chain(a: i64, b: i64) -> i64 {
    span(a, b)
        .map(|s| s.len())
        .filter(|len| *len > 2)
        .and_then(|len| even(len))
        .ok_or(b)
        .map_err(|e| e & 0xFF)
        .unwrap_or_else(|e| e + a)
}

pub fn captures(a: i64, b: i64) -> i64 {
    let mut calls = 0;
    let x = even(a).map(|x| {
        calls += 1;
        x + b
    });
    let y = even(b).or_else(|| {
        calls += 10;
        x
    });
    number(y) + calls
}

pub fn nested(a: i64, b: i64) -> i64 {
    number(even(a).and_then(|x| even(b).map(|y| x * 3 - y)))
}

pub fn patterns_of_parameters(a: i64, b: i64) -> i64 {
    let pair = even(a).zip(even(b));
    let x = pair.map(|(x, y)| x - y);
    let y = span(a, b).map(|Span { from, to }| from ^ to);
    let z = span(b, a).map(|s: Span| -> i64 { s.from });
    number(x) + number(y) + number(z)
}

pub fn named_closure(a: i64, b: i64) -> i64 {
    let add = |x: i64, y: i64| x + y;
    let twice = |x| add(x, x);
    add(a, twice(b)) ^ twice(add(a, 1))
}

pub fn named_closure_captures(a: i64, b: i64) -> i64 {
    let mut sum = 0;
    let mut note = |x: i64| {
        sum += x;
        sum * 2
    };
    let first = note(a);
    let second = note(b);
    first ^ second ^ sum
}

pub fn named_closure_shadowed(a: i64, b: i64) -> i64 {
    let k = a & 15;
    let f = |x: i64| x * k;
    let k = 1000;
    f(b) + k
}

pub fn named_closure_returns(a: i64, b: i64) -> i64 {
    let clamp = |x: i64| {
        if x < 0 {
            return 0;
        }
        if x > 50 {
            return 50;
        }
        x
    };
    clamp(a) * 100 + clamp(b)
}

pub fn named_closure_as_argument(a: i64, b: i64) -> i64 {
    let step = |x: i64| x - 3;
    number(even(a).map(step)) + even(b).map_or(1, step)
}

pub fn move_closure(a: i64, b: i64) -> i64 {
    let k = a - 1;
    number(even(b).map(move |x| x ^ k))
}

pub fn results_in_order(a: i64, b: i64) -> i64 {
    let mut n = a & 7;
    let mut next = || {
        n += 1;
        n
    };
    even(next()).unwrap_or(next()) * 100 + next() + b
}

// What follows is written by `cargo run -p conformance-tables`.

/// The functions, in the order of their numbers.
#[rustfmt::skip]
pub const CASES: &[&str] = &[
    "map",
    "map_to_variant",
    "map_or",
    "map_or_else",
    "and_then",
    "unwrap_or",
    "unwrap_or_else",
    "unwrap_or_default",
    "unwrap_or_else_panics",
    "unwrap_some",
    "expect_some",
    "unwrap_ok_of_unit",
    "unwrap_err_of_unit",
    "ok_or",
    "map_err",
    "halves",
    "is_and",
    "filter",
    "or_and",
    "or_and_of_results",
    "or_else",
    "xor",
    "zip",
    "flatten",
    "transpose",
    "take",
    "replace_and_insert",
    "take_of_part",
    "take_of_lent",
    "copied",
    "option_equality",
    "question_in_closure",
    "return_in_closure",
    "question_of_result_in_closure",
    "chain",
    "captures",
    "nested",
    "patterns_of_parameters",
    "named_closure",
    "named_closure_captures",
    "named_closure_shadowed",
    "named_closure_returns",
    "named_closure_as_argument",
    "move_closure",
    "results_in_order",
];

/// Function number `case` of two numbers.
#[rustfmt::skip]
pub fn run(case: i64, a: i64, b: i64) -> i64 {
    match case {
        0 => map(a, b),
        1 => map_to_variant(a, b),
        2 => map_or(a, b),
        3 => map_or_else(a, b),
        4 => and_then(a, b),
        5 => unwrap_or(a, b),
        6 => unwrap_or_else(a, b),
        7 => unwrap_or_default(a, b),
        8 => unwrap_or_else_panics(a, b),
        9 => unwrap_some(a, b),
        10 => expect_some(a, b),
        11 => unwrap_ok_of_unit(a, b),
        12 => unwrap_err_of_unit(a, b),
        13 => ok_or(a, b),
        14 => map_err(a, b),
        15 => halves(a, b),
        16 => is_and(a, b),
        17 => filter(a, b),
        18 => or_and(a, b),
        19 => or_and_of_results(a, b),
        20 => or_else(a, b),
        21 => xor(a, b),
        22 => zip(a, b),
        23 => flatten(a, b),
        24 => transpose(a, b),
        25 => take(a, b),
        26 => replace_and_insert(a, b),
        27 => take_of_part(a, b),
        28 => take_of_lent(a, b),
        29 => copied(a, b),
        30 => option_equality(a, b),
        31 => question_in_closure(a, b),
        32 => return_in_closure(a, b),
        33 => question_of_result_in_closure(a, b),
        34 => chain(a, b),
        35 => captures(a, b),
        36 => nested(a, b),
        37 => patterns_of_parameters(a, b),
        38 => named_closure(a, b),
        39 => named_closure_captures(a, b),
        40 => named_closure_shadowed(a, b),
        41 => named_closure_returns(a, b),
        42 => named_closure_as_argument(a, b),
        43 => move_closure(a, b),
        44 => results_in_order(a, b),
        _ => panic!("there is no such function"),
    }
}
