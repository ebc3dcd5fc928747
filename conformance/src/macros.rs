//! Macros of the crate, which the translator expands as rustc does. In: two integers. Out: one.

#![allow(
    redundant_semicolons,
    reason = "a statement that a macro is given may have a semicolon of its own"
)]

/// An opcode table: an enum, its names, and what each operation does, from one list.
macro_rules! opcodes {
    ($(
        $(#[$meta:meta])*
        $name:ident = $code:literal, $text:expr => |$a:ident, $b:ident| $body:expr;
    )*) => {
        #[derive(Clone, Copy, PartialEq, Debug)]
        #[allow(dead_code)]
        pub enum Op {
            $($(#[$meta])* $name,)*
        }

        impl Op {
            const COUNT: usize = [$(Op::$name),*].len();
            const LENGTHS: [i64; Op::COUNT] = [$(length($text)),*];

            fn of(code: i64) -> Option<Op> {
                match code {
                    $($code => Some(Op::$name),)*
                    _ => None,
                }
            }

            fn code(self) -> i64 {
                match self {
                    $(Op::$name => $code,)*
                }
            }

            fn run(self, left: i64, right: i64) -> i64 {
                match self {
                    $(Op::$name => {
                        let ($a, $b) = (left, right);
                        $body
                    })*
                }
            }
        }
    };
}

const fn length(name: Name) -> i64 {
    name.0
}

/// A name by its length.
#[derive(Clone, Copy)]
struct Name(i64);

macro_rules! named {
    ($length:expr) => {
        Name($length)
    };
}

opcodes! {
    /// Adds.
    Add = 0, named!(3) => |x, y| x.wrapping_add(y);
    Sub = 1, named!(3) => |left, right| { let t = right; left.wrapping_sub(t) };
    /// Multiplies the other way round.
    Mul = 2, named!(1 + 2) => |right, left| right.wrapping_mul(left);
    Negate = -1, Name(6) => |x, _y| x.wrapping_neg();
}

pub fn opcode_table(a: i64, b: i64) -> i64 {
    match Op::of(b % 5) {
        Some(op) => op.run(a, b).wrapping_add(op.code()),
        None => Op::COUNT as i64,
    }
}

pub fn constants_of_a_table(a: i64, _b: i64) -> i64 {
    Op::LENGTHS[(a & 3) as usize]
}

macro_rules! largest {
    ($x:expr) => { $x };
    ($x:expr, $($rest:expr),+ $(,)?) => {{
        let a = $x;
        let b = largest!($($rest),+);
        if a > b { a } else { b }
    }};
}

pub fn recursion(a: i64, b: i64) -> i64 {
    largest!(a, b, a ^ b, 3,)
}

macro_rules! twice {
    ($e:expr) => {
        $e * 2
    };
    ($($t:tt)*) => {
        0
    };
}

pub fn fragments_keep_together(a: i64, b: i64) -> i64 {
    let (a, b) = (a & 0xffff, b & 0xffff);
    twice!(a + b) - twice!(a - b) / 3
}

macro_rules! count {
    () => { 0 };
    ($head:tt $($tail:tt)*) => { 1 + count!($($tail)*) };
}

pub fn tokens_one_by_one(a: i64, _b: i64) -> i64 {
    a.wrapping_add(count!(a (b c) + 'x' "y" ::))
}

macro_rules! small {
    () => {
        0 | 1..=3
    };
}
macro_rules! both {
    ($($p:pat_param)|+ => $q:pat) => {
        ($($p)|+, $q)
    };
}

pub fn patterns(a: i64, b: i64) -> i64 {
    let first = match a & 7 {
        small!() => 1,
        x => x,
    };
    match (a & 3, b & 3) {
        both!(1 | 2 => 0 | 3) => first + 10,
        (small!(), x) if matches!(x, small!()) => first + 20,
        _ => first,
    }
}

macro_rules! integer {
    (small) => {
        i8
    };
    (large) => {
        i64
    };
}

pub fn types(a: i64, _b: i64) -> i64 {
    let narrow: integer!(small) = a as integer!(small);
    let wide: integer!(large) = narrow as integer!(large);
    wide
}

macro_rules! getters {
    ($vis:vis struct $name:ident { $($field:ident: $ty:ty = $get:ident),* $(,)? } $($rest:tt)*) => {
        #[derive(Clone, Copy)]
        $vis struct $name { $($field: $ty),* }
        impl $name {
            $($vis fn $get(&self) -> $ty { self.$field })*
        }
        getters!($($rest)*);
    };
    () => {};
}

getters! {
    pub struct Pair { first: i64 = get_first, second: i32 = get_second }
    struct One { only: i64 = get_only }
}

pub fn structs_and_methods(a: i64, b: i64) -> i64 {
    let pair = Pair {
        first: a,
        second: b as i32,
    };
    let one = One { only: 5 };
    pair.get_first() ^ i64::from(pair.get_second()) ^ one.get_only()
}

trait Shape {
    fn area(&self) -> i64;
    fn corners(&self) -> i64;
}
macro_rules! corners {
    ($n:expr) => {
        fn corners(&self) -> i64 {
            $n
        }
    };
}
macro_rules! shapes {
    ($($name:ident($($field:ident),*) $corners:literal $area:block)+) => {
        $(
            struct $name { $($field: i64),* }
            impl Shape for $name {
                fn area(&self) -> i64 {
                    let Self { $($field),* } = self;
                    $(let $field = *$field;)*
                    $area
                }
                corners!($corners);
            }
        )+
    };
}
shapes! {
    Square(side) 4 { side.wrapping_mul(side) }
    Rectangle(width, height) 4 { let area = width.wrapping_mul(height); area }
}

fn measure(shape: &impl Shape) -> i64 {
    shape.area().wrapping_add(shape.corners())
}

pub fn implementations(a: i64, b: i64) -> i64 {
    let square = Square { side: a };
    let rectangle = Rectangle {
        width: a,
        height: b,
    };
    measure(&square).wrapping_sub(measure(&rectangle))
}

mod deeper {
    pub const STEP: i64 = 11;
    macro_rules! define {
        ($name:ident, $op:tt) => {
            macro_rules! $name {
                                                    ($x:expr) => {
                                                        $x $op $crate::macros::deeper::STEP
                                                    };
                                                }
        };
    }
    define!(plus_step, ^);
    pub(crate) use plus_step;

    #[macro_export]
    macro_rules! exported_twice {
        ($x:expr) => {
            $crate::macros::deeper::plus_step!($x) | 1
        };
    }
}

pub fn macros_by_their_paths(a: i64, _b: i64) -> i64 {
    use deeper::plus_step as step;
    step!(a).wrapping_add(deeper::plus_step!(3)) ^ crate::exported_twice!(a)
}

#[macro_use]
mod shared {
    macro_rules! shadowed {
        () => {
            1
        };
    }
}

fn before_the_second() -> i64 {
    shadowed!()
}

macro_rules! shadowed {
    () => {
        2
    };
}

pub fn order_of_the_text(a: i64, _b: i64) -> i64 {
    let outer = shadowed!();
    macro_rules! shadowed {
        () => {
            3
        };
    }
    a ^ before_the_second() ^ (outer << 2) ^ (shadowed!() << 4)
}

macro_rules! rows {
    ($($name:ident: [$($value:expr),*]);* $(;)?) => {
        $(fn $name(i: usize) -> i64 { [$($value),*][i % count!($($value)*)] })*
        fn row_of(a: i64, i: usize) -> i64 {
            let mut n = -1;
            $(n += 1; if a == n { return $name(i); })*
            n
        }
    };
}
rows! {
    primes: [2, 3, 5, 7];
    squares: [1, 4, 9];
    one: [100]
}

pub fn repetitions_in_repetitions(a: i64, b: i64) -> i64 {
    row_of(a & 3, (b & 15) as usize)
}

macro_rules! optional {
    ($x:expr $(, by $y:expr)? $(; $label:tt)*) => {
        $x $(.wrapping_mul($y))? $(.wrapping_add(count!($label)))*
    };
}

pub fn parts_that_may_be_missing(a: i64, b: i64) -> i64 {
    optional!(a) ^ optional!(a, by b) ^ optional!(b; x; y)
}

macro_rules! matches {
    ($value:expr, $limit:expr) => {
        $value > $limit
    };
}

pub fn names_of_the_standard_library(a: i64, b: i64) -> i64 {
    let own = matches!(a, b) as i64;
    let std = std::matches!(a, 0..) as i64;
    own * 2 + std
}

macro_rules! ensure {
    ($condition:expr, $($message:tt)+) => {
        assert!($condition, $($message)+)
    };
}

pub fn panics_in_macros(a: i64, b: i64) -> i64 {
    ensure!(a < 1_000_000, "{} is too large, {b}", a);
    ensure!(b != 3, concat!("no ", stringify!(three), " here"));
    a
}

macro_rules! statement {
    ($s:stmt; $e:expr) => {{
        $s
        $e
    }};
    ($s:stmt => $e:expr) => {{
        $s;
        $e
    }};
}

pub fn statements(a: i64, b: i64) -> i64 {
    let late;
    statement!(let x = a; { late = b; x }) ^ late ^ statement!(let y = b => y.wrapping_mul(3))
}

macro_rules! one_of {
    ($($l:literal)|+ => $v:expr) => {
        match $v { $($l)|+ => 1, _ => 0 }
    };
}
macro_rules! convert {
    ($p:path, $t:ty) => {
        <$t>::from($p(3i32))
    };
}
macro_rules! block {
    ($b:block) => {{
        let z = 1;
        let r = $b;
        r ^ z
    }};
}

pub fn other_fragments(a: i64, b: i64) -> i64 {
    let z = a;
    one_of!(-1 | 3 => b) ^ convert!(i64::from, i64) ^ block!({ z ^ 8 })
}

macro_rules! definitions {
    ($d:tt, $($name:ident)*) => {
        $(macro_rules! $name {
            ($d($d x:expr),*) => { [$d($d x),*].len() as i64 };
        })*
    };
}
definitions!($, first_count second_count);

pub fn macros_that_are_made(a: i64, b: i64) -> i64 {
    a ^ first_count!(a, b, 3) ^ (second_count!(b) << 4)
}

// What follows is written by `cargo run -p conformance-tables`.

/// The functions, in the order of their numbers.
#[rustfmt::skip]
pub const CASES: &[&str] = &[
    "opcode_table",
    "constants_of_a_table",
    "recursion",
    "fragments_keep_together",
    "tokens_one_by_one",
    "patterns",
    "types",
    "structs_and_methods",
    "implementations",
    "macros_by_their_paths",
    "order_of_the_text",
    "repetitions_in_repetitions",
    "parts_that_may_be_missing",
    "names_of_the_standard_library",
    "panics_in_macros",
    "statements",
    "other_fragments",
    "macros_that_are_made",
];

/// Function number `case` of two numbers.
#[rustfmt::skip]
pub fn run(case: i64, a: i64, b: i64) -> i64 {
    match case {
        0 => opcode_table(a, b),
        1 => constants_of_a_table(a, b),
        2 => recursion(a, b),
        3 => fragments_keep_together(a, b),
        4 => tokens_one_by_one(a, b),
        5 => patterns(a, b),
        6 => types(a, b),
        7 => structs_and_methods(a, b),
        8 => implementations(a, b),
        9 => macros_by_their_paths(a, b),
        10 => order_of_the_text(a, b),
        11 => repetitions_in_repetitions(a, b),
        12 => parts_that_may_be_missing(a, b),
        13 => names_of_the_standard_library(a, b),
        14 => panics_in_macros(a, b),
        15 => statements(a, b),
        16 => other_fragments(a, b),
        17 => macros_that_are_made(a, b),
        _ => panic!("there is no such function"),
    }
}
