//! Patterns. In: two integers. Out: one.

#[derive(Clone, Copy, PartialEq)]
pub enum Tree {
    Leaf,
    One(i64),
    Two { left: (i64, u8), right: Option<i64> },
    Pair(Option<(i64, i64)>, bool),
}

impl Tree {
    const NINE: i64 = 9;
    const DOT: Tree = Tree::One(Self::NINE);
}

#[derive(Clone, Copy, PartialEq)]
pub struct Point(i64, i64, i64, i64);

const LOW: i64 = -5;
const HIGH: i64 = LOW + 10;

mod limits {
    pub const TOP: i64 = 100;
}

fn tree(a: i64, b: i64) -> Tree {
    match (a % 5 + 5) % 5 {
        0 => Tree::Leaf,
        1 => Tree::One(b),
        2 => Tree::Two {
            left: (b, a as u8),
            right: if b & 1 == 0 { Some(a) } else { None },
        },
        3 => Tree::Pair(Some((a, b)), b < 0),
        _ => Tree::Pair(None, b < a),
    }
}

pub fn nested(a: i64, b: i64) -> i64 {
    match tree(a, b) {
        Tree::Two {
            left: (x, 0..=99),
            right: Some(y),
        } => x + y,
        Tree::Two {
            left: (x, small), ..
        } => x - i64::from(small),
        Tree::Pair(Some((x, 3)), _) => x,
        Tree::Pair(Some((_, y)), true) => -y,
        Tree::Pair(..) => 7,
        Tree::One(-5) => 55,
        Tree::One(x) => x,
        Tree::Leaf => 0,
    }
}

pub fn alternatives(a: i64, b: i64) -> i64 {
    match tree(a, b) {
        Tree::One(x)
        | Tree::Pair(Some((x, 0 | 7 | 9)), _)
        | Tree::Two {
            left: (x, _),
            right: None,
        } => x,
        Tree::Two {
            right: Some(x @ (1 | 2 | 3..=20)),
            ..
        }
        | Tree::Pair(Some((_, x)), false) => x + 1000,
        Tree::Leaf | Tree::Two { .. } | Tree::Pair(None | Some(_), true | false) => -1,
    }
}

pub fn alternatives_in_tuples(a: i64, b: i64) -> i64 {
    match (a & 3, b & 3, a < b) {
        (0 | 1, x, true) | (x, 0 | 1, false) => x,
        (x @ (2 | 3), y @ 2.., _) => x * 10 + y,
        (x, y, z) => x * 100 + y + i64::from(z),
    }
}

pub fn ranges(a: i64, b: i64) -> i64 {
    let x = match a {
        i64::MIN..=-100 => 1,
        -99..0 => 2,
        0 => 3,
        1..=9 => 4,
        10..100 => 5,
        100.. => 6,
    };
    let y = match b as u8 {
        ..10 => 1,
        10..=19 => 2,
        20..=u8::MAX => 3,
    };
    let z = match a as i8 {
        ..=-1 => 1,
        0.. => 2,
    };
    x * 100 + y * 10 + z
}

pub fn bytes(a: i64, b: i64) -> i64 {
    match a as u8 {
        b'0'..=b'9' => 1,
        b'a'..=b'z' | b'A'..=b'Z' | b'_' => 2,
        b' ' | b'\n' | b'\t' => b,
        b'\\' => 3,
        _ => 4,
    }
}

pub fn bindings(a: i64, b: i64) -> i64 {
    match (a, b) {
        (x @ 0..=9, y) | (y, x @ 10..=19) => x * y,
        whole @ (_, 5) => whole.0 + whole.1,
        (x, y) if x > y => x,
        _ => 0,
    }
}

pub fn guards(a: i64, b: i64) -> i64 {
    match tree(a, b) {
        Tree::One(x) if x > 10 => x,
        Tree::One(x) | Tree::Two { right: Some(x), .. } if x & 1 == 1 => x * 3,
        Tree::Pair(Some((x, y)), _) if x == y || x == 8 => 1,
        Tree::Pair(Some((x, y)), sign) if sign == (x < y) => 2,
        Tree::One(_) => 3,
        Tree::Two { left: (l, _), .. } if l != 0 => l,
        _ => 4,
    }
}

pub fn guards_with_let(a: i64, b: i64) -> i64 {
    let mut tried = 0;
    let x = match (a & 1, b & 1) {
        (0 | 1, n) | (n, 0)
            if {
                tried += 1;
                n == 1 && a > 0
            } =>
        {
            10
        }
        _ => 20,
    };
    x + tried
}

pub fn constants(a: i64, b: i64) -> i64 {
    let x = match a {
        LOW => 1,
        HIGH => 2,
        limits::TOP => 3,
        Tree::NINE => 4,
        i64::MAX => 5,
        LOW..=HIGH => 6,
        _ => 7,
    };
    let y = match tree(a, b) {
        Tree::DOT => 10,
        Tree::One(..) => 20,
        _ => 30,
    };
    x + y
}

pub fn negative_literals(a: i64, b: i64) -> i64 {
    match (a as i8, b) {
        (-128, _) => 1,
        (-3..=-1, -1) => 2,
        (-5, -100..=-1) => 3,
        (_, -9223372036854775808) => 4,
        _ => 5,
    }
}

pub fn rest_of_tuples(a: i64, b: i64) -> i64 {
    let t = (a, b, a ^ b, 4);
    let (first, ..) = t;
    let (.., last) = t;
    let (x, .., y) = t;
    let Point(p, .., q) = Point(1, a, b, first);
    match (t, Point(a, 2, 3, b)) {
        ((.., 4), Point(1, ..)) => first + last,
        ((_, 5, ..), Point(.., 3 | 5)) => x * y,
        ((..), Point(..)) => p + q,
    }
}

pub fn tuples_of_enums(a: i64, b: i64) -> i64 {
    match (tree(a, b), tree(b, a)) {
        (Tree::Leaf, Tree::Leaf) => 0,
        (Tree::Leaf, Tree::One(x)) | (Tree::One(x), Tree::Leaf) => x,
        (Tree::One(x), Tree::One(y)) => x ^ y,
        (Tree::Two { left: (x, _), .. }, _) | (_, Tree::Two { left: (x, _), .. }) => x + 1,
        (Tree::Pair(None, x), Tree::Pair(None, y)) => i64::from(x) + 2 * i64::from(y),
        _ => -1,
    }
}

pub fn in_closures_of_if(a: i64, b: i64) -> i64 {
    let x = if let Tree::One(n) | Tree::Pair(Some((n, _)), _) = tree(a, b) {
        n
    } else if let (0..=3, y) | (y, 9) = (a, b) {
        y
    } else {
        4
    };
    x + i64::from(matches!(tree(b, a), Tree::Leaf | Tree::One(0..)))
        + 2 * i64::from(matches!(a, x if x > b))
}

pub fn bools(a: i64, b: i64) -> i64 {
    match (a < b, a & 1 == 0) {
        (true, false) => 1,
        (false, _) if b == 3 => 2,
        (x, true) => 3 + i64::from(x),
        (false, false) => 5,
    }
}

pub fn parameters(a: i64, b: i64) -> i64 {
    fn take((x, y): (i64, i64), Point(p, ..): Point, [q, _]: [i64; 2], _: u8) -> i64 {
        x * 2 + y * 3 + p * 5 + q
    }
    take((a, b), Point(b, 1, 2, 3), [a, b], 3)
}

pub fn many_values(a: i64, b: i64) -> i64 {
    match a {
        0 => 3,
        1 => 1,
        2 => 4,
        3 => 1,
        4 => 5,
        5 => 9,
        6 => 2,
        7 | 8 | 9 | 12 | 33 => b,
        64 | 100 => b + 1,
        _ => a,
    }
}

pub fn variants_by_path(a: i64, b: i64) -> i64 {
    let option = if a & 1 == 0 {
        Option::Some(a)
    } else {
        Option::None
    };
    let result: Result<i64, bool> = match b & 3 {
        0 => std::result::Result::Err(a > b),
        _ => Result::Ok(b),
    };
    match (option, result) {
        (std::option::Option::Some(x), Result::Ok(y)) => x ^ y,
        (Option::Some(x), Result::Err(flag)) => x + i64::from(flag),
        (Option::None, rest) => rest.unwrap_or(3),
    }
}

// What follows is written by `cargo run -p conformance-tables`.

/// The functions, in the order of their numbers.
#[rustfmt::skip]
pub const CASES: &[&str] = &[
    "nested",
    "alternatives",
    "alternatives_in_tuples",
    "ranges",
    "bytes",
    "bindings",
    "guards",
    "guards_with_let",
    "constants",
    "negative_literals",
    "rest_of_tuples",
    "tuples_of_enums",
    "in_closures_of_if",
    "bools",
    "parameters",
    "many_values",
    "variants_by_path",
];

/// Function number `case` of two numbers.
#[rustfmt::skip]
pub fn run(case: i64, a: i64, b: i64) -> i64 {
    match case {
        0 => nested(a, b),
        1 => alternatives(a, b),
        2 => alternatives_in_tuples(a, b),
        3 => ranges(a, b),
        4 => bytes(a, b),
        5 => bindings(a, b),
        6 => guards(a, b),
        7 => guards_with_let(a, b),
        8 => constants(a, b),
        9 => negative_literals(a, b),
        10 => rest_of_tuples(a, b),
        11 => tuples_of_enums(a, b),
        12 => in_closures_of_if(a, b),
        13 => bools(a, b),
        14 => parameters(a, b),
        15 => many_values(a, b),
        16 => variants_by_path(a, b),
        _ => panic!("there is no such function"),
    }
}
