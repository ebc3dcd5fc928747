//! Panics with messages that are made when they happen, and the macros that compare. In: two
//! integers. Out: one, or a panic with a message of these.

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Op {
    Push(i64),
    Jump { to: u8, back: bool },
    Halt,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Span {
    pub from: i32,
    pub to: i32,
}

const LIMIT: i64 = 100;

fn op(a: i64, b: i64) -> Op {
    match a & 3 {
        0 => Op::Push(b),
        1 => Op::Jump {
            to: b as u8,
            back: b < 0,
        },
        _ => Op::Halt,
    }
}

pub fn positional(a: i64, b: i64) -> i64 {
    if a < b {
        panic!("bad opcode {} at {:>5}", a, b as u32);
    }
    a.wrapping_sub(b)
}

pub fn captured(a: i64, b: i64) -> i64 {
    let width = 12;
    let code = b as u8;
    if a & 7 == 5 {
        panic!("{{{a}}} of {LIMIT}: {code:0width$x} {code:#04b}");
    }
    a + i64::from(code)
}

pub fn named(a: i64, b: i64) -> i64 {
    if b % 7 == 3 {
        panic!(
            "{first} and {second:?}, {first:+}",
            first = a,
            second = b as i8 as f64 / 4.0
        );
    }
    b
}

pub fn mixed(a: i64, b: i64) -> i64 {
    if b > a {
        panic!("{1} {0} {x} {}", a as u16, b as i16, x = a == 3);
    }
    a
}

pub fn debug_of_enum(a: i64, b: i64) -> i64 {
    match op(a, b) {
        Op::Push(n) => n,
        Op::Halt => 5,
        other => panic!("cannot run {other:?} or {:?}", op(b, a)),
    }
}

pub fn debug_of_struct(a: i64, b: i64) -> i64 {
    let span = Span {
        from: a as i32,
        to: b as i32,
    };
    if span.from > span.to {
        panic!("empty {span:?}");
    }
    i64::from(span.to) - i64::from(span.from)
}

pub fn debug_pretty(a: i64, b: i64) -> i64 {
    let span = Span {
        from: a as i32,
        to: b as i32,
    };
    assert!(span.from <= span.to, "empty {:#?}", span);
    i64::from(span.to)
}

pub fn debug_of_tuple(a: i64, b: i64) -> i64 {
    let pair = (a, b < 3, Some(b as u8), if a < 0 { Err(a) } else { Ok(b) });
    if a & 5 == 5 {
        panic!("{:?} {:?}", pair, None::<i64>);
    }
    pair.0
}

pub fn fixed_strings(a: i64, b: i64) -> i64 {
    if a > 3 {
        unreachable!("{}: {}{} {a}", "name", "it's", concat!("x", 1));
    }
    a ^ b
}

pub fn todo_formatted(a: i64, b: i64) -> i64 {
    match a & 7 {
        1 => todo!("case {}", b),
        2 => unimplemented!("case {b}"),
        3 => todo!(),
        4 => unreachable!(),
        5 => unimplemented!("plain"),
        6 => panic!(),
        _ => b,
    }
}

pub fn asserts(a: i64, b: i64) -> i64 {
    assert!(a != 3);
    assert!(a < 1000, "{a} is too large");
    assert!(b > -1000, "plain {{}}");
    a * 3 + b
}

pub fn equal(a: i64, b: i64) -> i64 {
    assert_eq!(a & 3, b & 3);
    a
}

pub fn equal_with_message(a: i64, b: i64) -> i64 {
    assert_eq!(a & 7 == 5, false, "{a} is wrong, unlike {}", b & !7);
    b
}

pub fn not_equal(a: i64, b: i64) -> i64 {
    assert_ne!(a, b);
    assert_ne!(a as u8, 7u8, "seven");
    a - b
}

pub fn equal_values(a: i64, b: i64) -> i64 {
    assert_eq!(Some(a as u8), if b < 0 { None } else { Some(a as u8) });
    assert_ne!(op(a, b), Op::Halt);
    a
}

pub fn equal_floats(a: i64, b: i64) -> i64 {
    let x = a as f64 / b as f64;
    assert_eq!(x, x, "{x} of {b}");
    x as i64
}

pub fn sides_once(a: i64, b: i64) -> i64 {
    let mut n = a;
    assert_eq!(
        {
            n += 1;
            n
        },
        {
            n += b & 1;
            n
        }
    );
    n
}

pub fn lines(a: i64, b: i64) -> i64 {
    let here = i64::from(line!()) * 1000 + i64::from(column!());
    if a == b { here } else { i64::from(line!()) + a }
}

pub fn diverges(a: i64, b: i64) -> i64 {
    let x: i64 = if a < 0 { panic!("negative: {a}") } else { a };
    x + b
}

// What follows is written by `cargo run -p conformance-tables`.

/// The functions, in the order of their numbers.
#[rustfmt::skip]
pub const CASES: &[&str] = &[
    "positional",
    "captured",
    "named",
    "mixed",
    "debug_of_enum",
    "debug_of_struct",
    "debug_pretty",
    "debug_of_tuple",
    "fixed_strings",
    "todo_formatted",
    "asserts",
    "equal",
    "equal_with_message",
    "not_equal",
    "equal_values",
    "equal_floats",
    "sides_once",
    "lines",
    "diverges",
];

/// Function number `case` of two numbers.
#[rustfmt::skip]
pub fn run(case: i64, a: i64, b: i64) -> i64 {
    match case {
        0 => positional(a, b),
        1 => captured(a, b),
        2 => named(a, b),
        3 => mixed(a, b),
        4 => debug_of_enum(a, b),
        5 => debug_of_struct(a, b),
        6 => debug_pretty(a, b),
        7 => debug_of_tuple(a, b),
        8 => fixed_strings(a, b),
        9 => todo_formatted(a, b),
        10 => asserts(a, b),
        11 => equal(a, b),
        12 => equal_with_message(a, b),
        13 => not_equal(a, b),
        14 => equal_values(a, b),
        15 => equal_floats(a, b),
        16 => sides_once(a, b),
        17 => lines(a, b),
        18 => diverges(a, b),
        _ => panic!("there is no such function"),
    }
}
