//! Names that macros of the crate bring, and names that they are given: variables, labels,
//! functions, fields. In: two integers. Out: one.

macro_rules! swap {
    ($a:expr, $b:expr) => {
        let t = $a;
        $a = $b;
        $b = t;
    };
}

pub fn variables_of_a_macro_are_its_own(a: i64, b: i64) -> i64 {
    let mut t = a;
    let mut u = b;
    swap!(t, u);
    t.wrapping_sub(u)
}

macro_rules! bind {
    ($name:ident = $value:expr) => {
        let $name = $value;
        #[allow(unused_variables)]
        let hidden = 77;
    };
}

pub fn variables_of_the_caller_stay(a: i64, b: i64) -> i64 {
    let hidden = a;
    bind!(seen = b);
    hidden.wrapping_mul(3).wrapping_sub(seen)
}

pub fn macros_of_a_function_see_its_variables(a: i64, b: i64) -> i64 {
    let x = a;
    macro_rules! first {
        ($y:ident) => {
            x.wrapping_sub($y)
        };
    }
    let x = b;
    let y = first!(x);
    let x = x ^ y;
    first!(x)
}

macro_rules! find {
    ($label:lifetime, $i:ident in $range:expr, $($found:tt)*) => {
        $label: loop {
            let mut $i = $range;
            'inner: loop {
                if $i <= 0 {
                    break $label 0;
                }
                $($found)*
                $i -= 1;
                if $i == 5 {
                    continue 'inner;
                }
            }
        }
    };
}

#[verdigris::unroll_safe]
pub fn labels(a: i64, b: i64) -> i64 {
    find!('outer, i in a & 7, if i == b & 3 { break 'outer i * 10; })
}

#[verdigris::unroll_safe]
pub fn labels_of_a_macro_are_its_own(a: i64, _b: i64) -> i64 {
    macro_rules! skip {
        ($condition:expr, $then:expr) => {
            'here: loop {
                if $condition {
                    $then
                }
                break 'here;
            }
        };
    }
    let mut n = 0;
    'here: loop {
        n += 1;
        skip!(n > (a & 3), break 'here);
    }
    n
}

#[derive(Clone, Copy)]
struct Pair {
    first: i64,
    second: i32,
}

fn helper(n: i64) -> i64 {
    n ^ 5
}
const LIMIT: i64 = 3;

macro_rules! with {
    ($i:ident, $e:expr) => {{
        let $i = 5;
        let hidden = 3;
        $e ^ hidden ^ helper(hidden)
    }};
}
macro_rules! field {
    ($s:ident . $f:ident) => {{
        let Pair { $f, .. } = $s;
        let first = 1;
        i64::from($f) ^ first
    }};
}
macro_rules! build {
    ($first:expr) => {{
        let first = $first;
        Pair { first, second: 2 }
    }};
}

pub fn functions_and_fields_are_the_callers(a: i64, b: i64) -> i64 {
    let hidden = a;
    let helper = b;
    let first = 7;
    let pair = build!(a ^ first);
    with!(k, hidden.wrapping_mul(k) ^ helper) ^ field!(pair.second) ^ field!(pair.first)
}

macro_rules! item {
    ($name:ident, $param:ident, $body:expr) => {
        fn $name($param: i64, other: i64) -> i64 {
            let t = other;
            $body ^ t
        }
    };
}
item!(made, t, t.wrapping_mul(3));

pub fn parameters_of_a_function_that_is_made(a: i64, b: i64) -> i64 {
    made(a, b)
}

macro_rules! closure {
    ($x:ident => $e:expr) => {{
        let f = |$x: i64| {
            let y = 1;
            $e ^ y
        };
        f(3)
    }};
}
macro_rules! found {
    ($e:expr) => {
        if let Some(x) = Some(4) { x ^ $e } else { 0 }
    };
}
macro_rules! pick {
    ($v:expr) => {
        match $v {
            LIMIT => 1,
            other => other,
        }
    };
}

pub fn names_in_patterns(a: i64, b: i64) -> i64 {
    let (x, y, other) = (a, b, 6);
    closure!(q => q.wrapping_mul(y)) ^ found!(x) ^ pick!(a & other)
}

// What follows is written by `cargo run -p conformance-tables`.

/// The functions, in the order of their numbers.
#[rustfmt::skip]
pub const CASES: &[&str] = &[
    "variables_of_a_macro_are_its_own",
    "variables_of_the_caller_stay",
    "macros_of_a_function_see_its_variables",
    "labels",
    "labels_of_a_macro_are_its_own",
    "functions_and_fields_are_the_callers",
    "parameters_of_a_function_that_is_made",
    "names_in_patterns",
];

/// Function number `case` of two numbers.
#[rustfmt::skip]
pub fn run(case: i64, a: i64, b: i64) -> i64 {
    match case {
        0 => variables_of_a_macro_are_its_own(a, b),
        1 => variables_of_the_caller_stay(a, b),
        2 => macros_of_a_function_see_its_variables(a, b),
        3 => labels(a, b),
        4 => labels_of_a_macro_are_its_own(a, b),
        5 => functions_and_fields_are_the_callers(a, b),
        6 => parameters_of_a_function_that_is_made(a, b),
        7 => names_in_patterns(a, b),
        _ => panic!("there is no such function"),
    }
}
