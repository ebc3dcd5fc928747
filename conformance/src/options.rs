//! Methods of `Option` and `Result`: those that panic with what they hold, and those that change an
//! option. In: two integers. Out: one, or a panic.

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Fault {
    Overflow { at: i64, wide: bool },
    Type(u8),
    End,
}

fn fault(a: i64) -> Fault {
    match a & 3 {
        0 => Fault::Overflow { at: a, wide: a > 9 },
        1 => Fault::Type(a as u8),
        _ => Fault::End,
    }
}

fn checked(a: i64, b: i64) -> Result<i64, Fault> {
    if b % 3 == 0 { Err(fault(a)) } else { Ok(a / b) }
}

pub fn unwrap_enum(a: i64, b: i64) -> i64 {
    checked(a, b).unwrap()
}

pub fn expect_enum(a: i64, b: i64) -> i64 {
    checked(a, b).expect("cannot \"divide\" {a}\n")
}

pub fn unwrap_err_enum(a: i64, b: i64) -> i64 {
    match checked(a, b).unwrap_err() {
        Fault::Overflow { at, wide } => at + i64::from(wide),
        Fault::Type(n) => i64::from(n),
        Fault::End => 0,
    }
}

pub fn expect_err_of_tuple(a: i64, b: i64) -> i64 {
    let result = if a > b {
        Err(b)
    } else {
        Ok((a, b as u8, a < 0))
    };
    result.expect_err("it is in order")
}

pub fn unwrap_of_scalars(a: i64, b: i64) -> i64 {
    let float: Result<i64, f64> = if b & 1 == 0 {
        Ok(a)
    } else {
        Err(a as f64 / 4.0)
    };
    let byte: Result<u8, i64> = u8::try_from(a).map_err(|_| a);
    let flag: Result<i64, bool> = if a == 7 { Err(b > 0) } else { Ok(b) };
    let unit: Result<i64, ()> = if a == 9 { Err(()) } else { Ok(1) };
    flag.unwrap() ^ i64::from(byte.expect("no byte")) ^ float.unwrap() ^ unit.expect("nothing")
}

pub fn unwrap_nested(a: i64, b: i64) -> i64 {
    let inner: Result<Option<i64>, Option<Fault>> = match a & 7 {
        0 => Err(None),
        1 => Err(Some(fault(b))),
        2 => Ok(None),
        _ => Ok(Some(b)),
    };
    inner.unwrap().expect("is none")
}

pub fn unwrap_or_fault(a: i64, b: i64) -> i64 {
    let mut seen = 0;
    let value = checked(a, b)
        .inspect(|x| seen += *x & 7)
        .inspect_err(|e| {
            seen += match e {
                Fault::Type(n) => i64::from(*n),
                _ => 100,
            }
        })
        .unwrap_or(5);
    value.wrapping_mul(3) ^ seen
}

pub fn inspect_option(a: i64, b: i64) -> i64 {
    let mut seen = b;
    let option = (a > b).then_some(a).inspect(|&x| seen = x ^ 1);
    option.unwrap_or(3) ^ seen
}

pub fn get_or_insert(a: i64, b: i64) -> i64 {
    let mut option = if a & 1 == 0 { Some(a) } else { None };
    let first = *option.get_or_insert(b);
    let second = *option.get_or_insert(7);
    let mut pair = (None, b);
    pair.0.get_or_insert_with(|| first ^ 5);
    let third = *pair.0.get_or_insert_with(|| panic!("it is filled"));
    let mut empty: Option<i64> = (b > 3).then_some(b);
    let fourth = *empty.get_or_insert_default();
    first ^ second.wrapping_mul(3) ^ third ^ fourth.wrapping_mul(5) ^ option.unwrap_or(1)
}

pub fn insert(a: i64, b: i64) -> i64 {
    let mut option = (a > b).then_some(a);
    let new = *option.insert(b ^ 3);
    option.map_or(0, |x| x.wrapping_mul(3)) ^ new
}

pub fn take_if(a: i64, b: i64) -> i64 {
    let mut option = (a != 0).then_some(a);
    let taken = option.take_if(|x| *x > b);
    taken.unwrap_or(11).wrapping_mul(3) ^ option.unwrap_or(13)
}

pub fn unzip(a: i64, b: i64) -> i64 {
    let pair = (a > b).then_some((a, b as u8));
    let (first, second) = pair.unzip();
    first.unwrap_or(2) ^ i64::from(second.unwrap_or(9))
}

pub fn flatten_results(a: i64, b: i64) -> i64 {
    let nested = match a & 3 {
        0 => Err(Fault::End),
        _ => Ok(checked(a, b)),
    };
    match nested.flatten() {
        Ok(x) => x,
        Err(fault) => i64::from(fault == Fault::End) - 9,
    }
}

pub fn bool_then(a: i64, b: i64) -> i64 {
    let mut asked = 0;
    let option = (a > b).then(|| {
        asked += 1;
        a ^ 3
    });
    let checked = (b != 0).then(|| a.checked_div(b)).flatten();
    option.unwrap_or(b) ^ checked.unwrap_or(9).wrapping_mul(5) ^ asked
}

/// The types are written where the variants are made, and nowhere else.
pub fn variants_with_types(a: i64, b: i64) -> i64 {
    let known = Ok::<i64, u8>(a).is_ok();
    let ok = matches!(Err::<(), i64>(b), Err(7..));
    let word = if let Some(x) = Result::<u8, bool>::Ok(a as u8).ok() {
        i64::from(x)
    } else {
        b
    };
    let small = Some::<u8>(200).map_or(0, |x| i64::from(x.wrapping_add(100)));
    let none = Option::<u8>::None.is_none() && None::<bool>.is_none();
    word.wrapping_mul(8) ^ small ^ i64::from(known) ^ i64::from(ok) << 1 ^ i64::from(none) << 2
}

// What follows is written by `cargo run -p conformance-tables`.

/// The functions, in the order of their numbers.
#[rustfmt::skip]
pub const CASES: &[&str] = &[
    "unwrap_enum",
    "expect_enum",
    "unwrap_err_enum",
    "expect_err_of_tuple",
    "unwrap_of_scalars",
    "unwrap_nested",
    "unwrap_or_fault",
    "inspect_option",
    "get_or_insert",
    "insert",
    "take_if",
    "unzip",
    "flatten_results",
    "bool_then",
    "variants_with_types",
];

/// Function number `case` of two numbers.
#[rustfmt::skip]
pub fn run(case: i64, a: i64, b: i64) -> i64 {
    match case {
        0 => unwrap_enum(a, b),
        1 => expect_enum(a, b),
        2 => unwrap_err_enum(a, b),
        3 => expect_err_of_tuple(a, b),
        4 => unwrap_of_scalars(a, b),
        5 => unwrap_nested(a, b),
        6 => unwrap_or_fault(a, b),
        7 => inspect_option(a, b),
        8 => get_or_insert(a, b),
        9 => insert(a, b),
        10 => take_if(a, b),
        11 => unzip(a, b),
        12 => flatten_results(a, b),
        13 => bool_then(a, b),
        14 => variants_with_types(a, b),
        _ => panic!("there is no such function"),
    }
}
