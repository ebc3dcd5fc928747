//! Statements and control flow. In: two integers. Out: one.

// Odd code is what is tested here.
#![allow(
    path_statements,
    unused_assignments,
    unused_braces,
    unused_mut,
    unused_variables
)]

use verdigris::prelude::*;

#[derive(Clone, Copy, PartialEq)]
pub struct Pair {
    x: i64,
    y: i64,
}

#[derive(Clone, Copy, PartialEq)]
pub struct Wrap(i64, u8);

fn half(a: i64) -> Option<i64> {
    if a % 2 == 0 { Some(a / 2) } else { None }
}

fn check(a: i64) -> Result<i64, u8> {
    if a < 0 { Err(a as u8) } else { Ok(a) }
}

pub fn let_else(a: i64, b: i64) -> i64 {
    let Some(x) = half(a) else { return -b };
    let (Ok(y), z) = (check(b), x) else {
        return x;
    };
    let Pair { x: p, .. } = Pair { x, y };
    p * 3 + y + z
}

#[unroll_safe]
pub fn let_else_in_loops(a: i64, b: i64) -> i64 {
    let mut n = a & 0xFFFF;
    let mut count = b;
    loop {
        let Some(next) = half(n) else { break };
        if next == n {
            break;
        }
        count += 1;
        n = next;
    }
    count * 1000 + n
}

pub fn let_chains(a: i64, b: i64) -> i64 {
    if let Some(x) = half(a)
        && x > 3
        && let Ok(y) = check(b)
        && y != x
    {
        x + y
    } else if a < b
        && let Some(z) = half(b)
    {
        z - 1
    } else {
        -1
    }
}

#[unroll_safe]
pub fn while_let(a: i64, b: i64) -> i64 {
    let mut state = (a & 0xFF, Some(b & 0xF));
    let mut sum = 0;
    while let (n, Some(m @ 1..=15)) = state {
        sum += n * m;
        state = (n + 1, if m > 3 { Some(m - 3) } else { None });
    }
    sum + state.0
}

#[unroll_safe]
pub fn while_chain(a: i64, b: i64) -> i64 {
    let mut n = a;
    let mut steps = 0;
    while steps < 20
        && let Some(x) = half(n)
        && x != n
    {
        n = x;
        steps += 1;
    }
    n + steps * b
}

#[unroll_safe]
pub fn ranges(a: i64, b: i64) -> i64 {
    let mut sum: i64 = 0;
    for i in (a & 3)..(b & 7) {
        sum += i + 1;
    }
    for i in (a & 3)..=(b & 7) {
        sum = sum * 3 + i;
    }
    for i in ((a & 3)..(b & 7)).rev() {
        sum = sum * 3 - i;
    }
    for i in ((a & 3)..=(b & 7)).rev() {
        sum = sum * 5 ^ i;
    }
    sum
}

#[unroll_safe]
pub fn steps(a: i64, b: i64) -> i64 {
    let by = (b & 3) as usize + 1;
    let mut sum: i64 = 0;
    for i in ((a & 7)..(b & 31)).step_by(by) {
        sum = sum.wrapping_mul(3) + i;
    }
    for i in ((a & 7)..=(b & 31)).step_by(by) {
        sum = sum.wrapping_mul(5) + i;
    }
    for i in ((a & 7)..(b & 31)).rev().step_by(by + 1) {
        sum = sum.wrapping_mul(7) - i;
    }
    for i in ((a & 7)..=(b & 31)).rev().step_by(by) {
        sum = sum.wrapping_mul(11) ^ i;
    }
    sum
}

#[unroll_safe]
pub fn steps_at_the_edges(a: i64, b: i64) -> i64 {
    let mut sum: i64 = b;
    for i in (-128i8..127).step_by(200) {
        sum = sum * 3 + i64::from(i);
    }
    for i in (-128i8..=127).rev().step_by(255) {
        sum = sum * 3 + i64::from(i);
    }
    for i in (a as u8..=255).step_by(100) {
        sum = sum * 3 + i64::from(i);
    }
    for i in (i64::MIN..i64::MAX).step_by(1 << 62) {
        sum ^= i >> 3;
    }
    sum
}

#[unroll_safe]
pub fn step_of_zero(a: i64, b: i64) -> i64 {
    let mut sum = b;
    for i in (0..a & 3).step_by((b & 3) as usize) {
        sum += i;
    }
    sum
}

#[unroll_safe]
pub fn labels(a: i64, b: i64) -> i64 {
    let mut n = 0;
    'rows: for i in 0..4 {
        for j in 0..4 {
            n += 1;
            match (i + a) & 3 {
                0 if j == 1 => continue 'rows,
                1 if j == 2 => break,
                2 if b & 1 == 1 => break 'rows,
                _ => {}
            }
            n += i * j;
        }
        n += 100;
    }
    n
}

#[unroll_safe]
pub fn loop_values(a: i64, b: i64) -> i64 {
    let mut n = a & 0xFF;
    let found = 'search: loop {
        let x = loop {
            n += 1;
            if n % 7 == b & 3 {
                break n * 2;
            }
            if n > 300 {
                break 'search -1;
            }
        };
        if x % 3 == 0 {
            break x;
        }
    };
    found + n
}

pub fn labelled_blocks(a: i64, b: i64) -> i64 {
    let x = 'outer: {
        let y = 'inner: {
            if a < b {
                break 'outer 1;
            }
            if a & 1 == 0 {
                break 'inner 2;
            }
            3
        };
        y * 10 + b
    };
    x + a
}

pub fn early_returns(a: i64, b: i64) -> i64 {
    let x = if a > 100 { return b } else { a + 1 };
    let y = match b & 3 {
        0 => return x,
        1 => x + if a == 1 { return 77 } else { 2 },
        _ => 5,
    };
    let z = Pair {
        x: y,
        y: if y > 50 { return -y } else { y },
    };
    (z.x, z.y, if a == -1 { return 9 } else { 1 }).2 + z.x * z.y
}

pub fn shadowing(a: i64, b: i64) -> i64 {
    let x = a;
    let x = x + 1;
    let y = {
        let x = x * 2;
        let x = x + b;
        x
    };
    if let Some(x) = half(x) {
        return x + y;
    }
    x - y
}

pub fn deferred(a: i64, b: i64) -> i64 {
    let x;
    let (y, z);
    if a < b {
        x = a;
        y = 1;
    } else {
        y = b;
        x = y + 1;
    }
    z = x * y;
    let w: i64;
    match z & 3 {
        0 => w = 5,
        1 => return z,
        _ => w = z,
    }
    w + x
}

pub fn never_values(a: i64, b: i64) -> i64 {
    let x: i64 = match a {
        0 => return b,
        1 => panic!("one"),
        _ => {
            if b == 5 {
                return 1;
            };
            a
        }
    };
    let y = x + if b > 7 { return x } else { b };
    y
}

pub fn swaps(a: i64, b: i64) -> i64 {
    let (mut x, mut y) = (a, b);
    (x, y) = (y, x);
    let mut pair = Pair { x: 1, y: 2 };
    (pair.x, _) = (x - y, 5);
    (x, .., y) = (pair.x, 1, 2, pair.y);
    _ = half(x);
    ((x, pair.y), y) = ((y + 1, x), x);
    x * 3 + y * 5 + pair.x * 7 + pair.y
}

pub fn assigned_structs(a: i64, b: i64) -> i64 {
    let (mut x, mut y, mut small) = (a, b, 0u8);
    Pair { x: y, y: x } = Pair { x: x + 1, y };
    Pair { x, .. } = Pair { x: x + y, y: 5 };
    Wrap(y, small) = Wrap(y + 1, x as u8);
    x * 3 + y + i64::from(small)
}

pub fn order_of_operands(a: i64, b: i64) -> i64 {
    let mut n = a;
    let x = n + {
        n += b;
        n
    } * {
        n -= 1;
        n
    };
    let mut y = 10;
    y += {
        y = 3;
        n
    };
    let pair = Pair {
        y: {
            n += 1;
            n
        },
        x: n * 2,
    };
    x + y * 3 + pair.x + pair.y
}

pub fn order_of_arguments(a: i64, b: i64) -> i64 {
    fn three(x: i64, y: i64, z: i64) -> i64 {
        x * 10000 + y * 100 + z
    }
    let mut n = a & 7;
    three(
        n,
        {
            n += b & 7;
            n
        },
        n,
    ) + (n, {
        n = 50;
        n
    })
        .0
}

pub fn short_circuit(a: i64, b: i64) -> i64 {
    let mut n = 0;
    let x = a > 3 && {
        n += 1;
        b > 3
    } || {
        n += 10;
        a == b
    };
    n + i64::from(x)
}

pub fn blocks(a: i64, b: i64) -> i64 {
    let x = {
        let y = a;
        { y + { b } }
    };
    let unit = {
        x;
    };
    match unit {
        () => x * 2,
    }
}

pub fn conditional_code(a: i64, b: i64) -> i64 {
    let mut n = a;
    #[cfg(target_pointer_width = "16")]
    {
        n = 0;
    }
    #[cfg(not(target_pointer_width = "16"))]
    {
        n += b;
    }
    #[cfg(any(target_pointer_width = "16", target_pointer_width = "32"))]
    let mut n = 5 * b;
    #[cfg_attr(all(), cfg(target_pointer_width = "16"))]
    let mut n = 6;
    if cfg!(all(not(target_pointer_width = "16"))) {
        n += 1;
    }
    n + match a {
        #[cfg(target_pointer_width = "16")]
        _ => 1,
        #[cfg(not(target_pointer_width = "16"))]
        _ => 2,
    }
}

// What follows is written by `cargo run -p conformance-tables`.

/// The functions, in the order of their numbers.
#[rustfmt::skip]
pub const CASES: &[&str] = &[
    "let_else",
    "let_else_in_loops",
    "let_chains",
    "while_let",
    "while_chain",
    "ranges",
    "steps",
    "steps_at_the_edges",
    "step_of_zero",
    "labels",
    "loop_values",
    "labelled_blocks",
    "early_returns",
    "shadowing",
    "deferred",
    "never_values",
    "swaps",
    "assigned_structs",
    "order_of_operands",
    "order_of_arguments",
    "short_circuit",
    "blocks",
    "conditional_code",
];

/// Function number `case` of two numbers.
#[rustfmt::skip]
pub fn run(case: i64, a: i64, b: i64) -> i64 {
    match case {
        0 => let_else(a, b),
        1 => let_else_in_loops(a, b),
        2 => let_chains(a, b),
        3 => while_let(a, b),
        4 => while_chain(a, b),
        5 => ranges(a, b),
        6 => steps(a, b),
        7 => steps_at_the_edges(a, b),
        8 => step_of_zero(a, b),
        9 => labels(a, b),
        10 => loop_values(a, b),
        11 => labelled_blocks(a, b),
        12 => early_returns(a, b),
        13 => shadowing(a, b),
        14 => deferred(a, b),
        15 => never_values(a, b),
        16 => swaps(a, b),
        17 => assigned_structs(a, b),
        18 => order_of_operands(a, b),
        19 => order_of_arguments(a, b),
        20 => short_circuit(a, b),
        21 => blocks(a, b),
        22 => conditional_code(a, b),
        _ => panic!("there is no such function"),
    }
}
