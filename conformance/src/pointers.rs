//! Pointers to functions: by name, from tables, in values, to methods, marked functions and
//! closures. In: two integers. Out: one.

use verdigris::prelude::*;

type Binary = fn(i64, i64) -> i64;

fn add(a: i64, b: i64) -> i64 {
    a.wrapping_add(b)
}

fn sub(a: i64, b: i64) -> i64 {
    a.wrapping_sub(b)
}

fn mul(a: i64, b: i64) -> i64 {
    a.wrapping_mul(b)
}

fn div(a: i64, b: i64) -> i64 {
    a / b
}

static OPS: [Binary; 4] = [add, sub, mul, div];

const DEFAULT: Binary = mul;

const NAMED: &[(i64, Binary)] = &[(3, add), (5, sub), (7, mul)];

const SPARSE: [Option<Binary>; 4] = [Some(add), None, Some(mul), None];

static GRID: [[fn(i64) -> i64; 2]; 2] = [[double, negate], [square, double]];

fn double(x: i64) -> i64 {
    x.wrapping_mul(2)
}

fn negate(x: i64) -> i64 {
    x.wrapping_neg()
}

fn square(x: i64) -> i64 {
    x.wrapping_mul(x)
}

fn index(x: i64, n: i64) -> usize {
    x.rem_euclid(n) as usize
}

fn apply(f: Binary, a: i64, b: i64) -> i64 {
    f(a, b)
}

fn choose(add_them: bool) -> fn(i64, i64) -> i64 {
    if add_them { add } else { sub }
}

pub fn by_name(a: i64, b: i64) -> i64 {
    let f = add;
    f(a, b)
}

pub fn by_choice(a: i64, b: i64) -> i64 {
    let f: fn(i64, i64) -> i64 = if a < b { add } else { sub };
    f(a, b)
}

pub fn by_match(a: i64, b: i64) -> i64 {
    let f: Binary = match a & 3 {
        0 => add,
        1 => sub,
        2 => mul,
        _ => div,
    };
    f(a, b)
}

pub fn as_argument(a: i64, b: i64) -> i64 {
    apply(sub, apply(add, a, b), apply(mul, a, b))
}

pub fn as_result(a: i64, b: i64) -> i64 {
    choose(a > b)(a, b)
}

pub fn assigned(a: i64, b: i64) -> i64 {
    let mut f: Binary = add;
    let first = f(a, b);
    if first > 10 {
        f = sub;
    }
    f(first, b)
}

pub fn table(a: i64, b: i64) -> i64 {
    OPS[index(a, 4)](a, b)
}

pub fn table_out_of_range(a: i64, b: i64) -> i64 {
    OPS[index(a, 5)](a, b | 1)
}

pub fn table_known(a: i64, b: i64) -> i64 {
    (OPS[1])(a, b) ^ OPS[0](a, b)
}

pub fn table_promoted(a: i64, b: i64) -> i64 {
    let n = promote(a & 1) as usize;
    OPS[n](a, b)
}

pub fn table_of_pairs(a: i64, b: i64) -> i64 {
    let (weight, f) = NAMED[index(b, 3)];
    f(a, b).wrapping_mul(weight)
}

pub fn table_of_options(a: i64, b: i64) -> i64 {
    match SPARSE[index(a, 4)] {
        Some(f) => f(a, b),
        None => -1,
    }
}

pub fn table_of_tables(a: i64, b: i64) -> i64 {
    GRID[index(a, 2)][index(b, 2)](a)
}

pub fn constant(a: i64, b: i64) -> i64 {
    DEFAULT(a, b)
}

pub fn in_tuple(a: i64, b: i64) -> i64 {
    let (f, g): (Binary, Binary) = (add, mul);
    g(f(a, b), b)
}

struct Rule {
    test: fn(i64) -> bool,
    then: fn(i64) -> i64,
}

fn is_even(x: i64) -> bool {
    x & 1 == 0
}

fn is_small(x: i64) -> bool {
    x < 10
}

impl Rule {
    fn run(&self, x: i64) -> i64 {
        if (self.test)(x) { (self.then)(x) } else { x }
    }
}

pub fn in_struct(a: i64, b: i64) -> i64 {
    let halve = Rule {
        test: is_even,
        then: negate,
    };
    let grow = Rule {
        test: is_small,
        ..Rule {
            test: is_even,
            then: double,
        }
    };
    grow.run(halve.run(a)).wrapping_add(b)
}

enum Step {
    Keep,
    One(fn(i64) -> i64),
    Two(fn(i64) -> i64, fn(i64) -> i64),
}

pub fn in_enum(a: i64, b: i64) -> i64 {
    let step = match b & 3 {
        0 => Step::Keep,
        1 => Step::One(double),
        _ => Step::Two(negate, square),
    };
    match step {
        Step::Keep => a,
        Step::One(f) => f(a),
        Step::Two(f, g) => f(g(a)),
    }
}

#[unroll_safe]
pub fn in_array(a: i64, b: i64) -> i64 {
    let fs = [add, sub, mul];
    let mut sum = a;
    for f in fs {
        sum = f(sum, b);
    }
    sum
}

pub fn in_option(a: i64, b: i64) -> i64 {
    let f: Option<fn(i64) -> i64> = if a > b { Some(double) } else { None };
    f.map(|f| f(a)).unwrap_or(b)
}

pub fn to_method_of_option(a: i64, b: i64) -> i64 {
    let f: fn(i64) -> i64 = if a > b { double } else { negate };
    Some(a).map(f).unwrap_or(0)
}

fn advance(counter: &mut (i64, i64), by: i64) {
    counter.0 = counter.0.wrapping_add(by);
    counter.1 += 1;
}

fn retreat(counter: &mut (i64, i64), by: i64) {
    counter.0 = counter.0.wrapping_sub(by);
    counter.1 -= 1;
}

pub fn with_mutable_reference(a: i64, b: i64) -> i64 {
    let moves: [fn(&mut (i64, i64), i64); 2] = [advance, retreat];
    let mut counter = (a, 0);
    let f = moves[index(b, 2)];
    f(&mut counter, b);
    moves[0](&mut counter, 1);
    counter.0.wrapping_mul(10).wrapping_add(counter.1)
}

#[derive(Clone, Copy)]
struct Point {
    x: i64,
    y: i64,
}

impl Point {
    fn sum(self) -> i64 {
        self.x.wrapping_add(self.y)
    }
    fn first(&self) -> i64 {
        self.x
    }
    fn swapped(self) -> Point {
        Point {
            x: self.y,
            y: self.x,
        }
    }
    fn shift(&mut self, by: i64) {
        self.x = self.x.wrapping_add(by);
    }
}

pub fn to_methods(a: i64, b: i64) -> i64 {
    let turn: fn(Point) -> Point = Point::swapped;
    let read: fn(&Point) -> i64 = Point::first;
    let change: fn(&mut Point, i64) = Point::shift;
    let total = Point::sum;
    let mut point = turn(Point { x: a, y: b });
    change(&mut point, 3);
    read(&point).wrapping_sub(total(point))
}

#[gc]
pub struct Counter {
    pub count: Cell<i64>,
}

impl Counter {
    fn bump(&self, by: i64) -> i64 {
        self.count.set(self.count.get().wrapping_add(by));
        self.count.get()
    }
    fn reset(&self, by: i64) -> i64 {
        self.count.set(by);
        0
    }
}

pub fn to_methods_of_classes(a: i64, b: i64) -> i64 {
    let counter = Gc::new(Counter {
        count: Cell::new(a),
    });
    let f: fn(&Counter, i64) -> i64 = if b > 3 { Counter::bump } else { Counter::reset };
    let before = f(&counter, b);
    before ^ counter.count.get()
}

trait Shape {
    fn area(&self) -> i64;
    fn unit() -> i64;
}

struct Square(i64);

struct Strip(i64, i64);

impl Shape for Square {
    fn area(&self) -> i64 {
        self.0.wrapping_mul(self.0)
    }
    fn unit() -> i64 {
        1
    }
}

impl Shape for Strip {
    fn area(&self) -> i64 {
        self.0.wrapping_mul(self.1)
    }
    fn unit() -> i64 {
        2
    }
}

fn units<S: Shape, T: Shape>() -> [fn() -> i64; 2] {
    [S::unit, <T as Shape>::unit]
}

pub fn to_trait_methods(a: i64, b: i64) -> i64 {
    let area: fn(&Strip) -> i64 = Strip::area;
    let units = units::<Square, Strip>();
    let other: fn(&Square) -> i64 = <Square as Shape>::area;
    area(&Strip(a, b))
        .wrapping_add(units[index(a, 2)]())
        .wrapping_sub(other(&Square(b)))
}

fn larger<T: PartialOrd + Copy>(a: T, b: T) -> T {
    if a > b { a } else { b }
}

pub fn to_generic_functions(a: i64, b: i64) -> i64 {
    let f: fn(i64, i64) -> i64 = larger;
    let g = larger::<u8>;
    f(a, b).wrapping_add(i64::from(g(a as u8, b as u8)))
}

fn twice<F: Fn(i64) -> i64>(f: F, x: i64) -> i64 {
    f(f(x))
}

fn each(f: impl Fn(i64) -> i64, a: i64, b: i64) -> i64 {
    f(a) ^ f(b)
}

pub fn as_generic_argument(a: i64, b: i64) -> i64 {
    let f: fn(i64) -> i64 = if a > b { negate } else { double };
    twice(f, a).wrapping_add(each(square, a, b))
}

#[opaque]
fn outside(a: i64, b: i64) -> i64 {
    a.rotate_left(3) ^ b
}

#[elidable]
fn pure(a: i64, b: i64) -> i64 {
    a.rotate_right(7).wrapping_add(b)
}

pub fn to_marked_functions(a: i64, b: i64) -> i64 {
    let fs: [Binary; 3] = [outside, add, pure];
    fs[index(a, 3)](a, b)
}

fn fails(a: i64) -> i64 {
    panic!("no value for {a}")
}

fn never(a: i64) -> ! {
    panic!("never {a}")
}

pub fn panicking(a: i64, b: i64) -> i64 {
    let f: fn(i64) -> i64 = if b & 3 == 0 { fails } else { square };
    f(a)
}

pub fn never_returning(a: i64, b: i64) -> i64 {
    let f: fn(i64) -> ! = never;
    if b & 3 == 0 { f(a) } else { a }
}

pub fn closure(a: i64, b: i64) -> i64 {
    let f: fn(i64, i64) -> i64 = |x, y| x.wrapping_mul(3).wrapping_sub(y);
    f(a, b)
}

pub fn closures_in_array(a: i64, b: i64) -> i64 {
    let fs: [Binary; 3] = [
        |x, y| x & y,
        |x, _| {
            if x > 5 {
                return x;
            }
            !x
        },
        add,
    ];
    fs[index(b, 3)](a, b)
}

static CLOSURES: [fn(i64) -> i64; 3] = [|x| x ^ 1, |x: i64| -> i64 { x >> 1 }, square];

pub fn closures_in_table(a: i64, b: i64) -> i64 {
    CLOSURES[index(b, 3)](a)
}

pub fn closure_with_patterns(a: i64, b: i64) -> i64 {
    let f: fn((i64, i64), &mut i64) = |(x, y), out: &mut i64| *out = x.wrapping_sub(y);
    let mut out = 0;
    f((a, b), &mut out);
    out
}

pub fn cast(a: i64, b: i64) -> i64 {
    let f = add as fn(i64, i64) -> i64;
    let g = (|x: i64, y: i64| x | y) as Binary;
    f(a, b) ^ g(a, b)
}

pub fn no_arguments(a: i64, b: i64) -> i64 {
    fn one() -> i64 {
        1
    }
    fn nothing() {}
    let f: fn() -> i64 = one;
    let g: fn() = nothing;
    g();
    a.wrapping_add(f()).wrapping_add(b)
}

pub fn several_results(a: i64, b: i64) -> i64 {
    fn split(x: i64) -> (i64, Option<f64>) {
        (x >> 1, if x & 1 == 1 { Some(0.5) } else { None })
    }
    fn whole(x: i64) -> (i64, Option<f64>) {
        (x, None)
    }
    let f: fn(i64) -> (i64, Option<f64>) = if a > b { split } else { whole };
    let (n, rest) = f(a);
    match rest {
        Some(rest) => n.wrapping_add((rest * 4.0) as i64),
        None => n,
    }
}

/// Threaded code: each handler says which one is next.
#[unroll_safe]
pub fn threaded(a: i64, b: i64) -> i64 {
    let mut state = (a, b, 0);
    let mut pc = 0;
    let mut steps = 0;
    while pc < 3 && steps < 12 {
        pc = HANDLERS[pc](&mut state);
        steps += 1;
    }
    state.2 ^ state.0
}

type State = (i64, i64, i64);

static HANDLERS: [fn(&mut State) -> usize; 3] = [start, body, test];

fn start(state: &mut State) -> usize {
    state.2 = state.1;
    1
}

fn body(state: &mut State) -> usize {
    state.2 = state.2.wrapping_mul(3).wrapping_add(state.0);
    2
}

fn test(state: &mut State) -> usize {
    state.0 = state.0.wrapping_sub(1);
    if state.0 & 3 == 0 { 3 } else { 1 }
}

// What follows is written by `cargo run -p conformance-tables`.

/// The functions, in the order of their numbers.
#[rustfmt::skip]
pub const CASES: &[&str] = &[
    "by_name",
    "by_choice",
    "by_match",
    "as_argument",
    "as_result",
    "assigned",
    "table",
    "table_out_of_range",
    "table_known",
    "table_promoted",
    "table_of_pairs",
    "table_of_options",
    "table_of_tables",
    "constant",
    "in_tuple",
    "in_struct",
    "in_enum",
    "in_array",
    "in_option",
    "to_method_of_option",
    "with_mutable_reference",
    "to_methods",
    "to_methods_of_classes",
    "to_trait_methods",
    "to_generic_functions",
    "as_generic_argument",
    "to_marked_functions",
    "panicking",
    "never_returning",
    "closure",
    "closures_in_array",
    "closures_in_table",
    "closure_with_patterns",
    "cast",
    "no_arguments",
    "several_results",
    "threaded",
];

/// Function number `case` of two numbers.
#[rustfmt::skip]
pub fn run(case: i64, a: i64, b: i64) -> i64 {
    match case {
        0 => by_name(a, b),
        1 => by_choice(a, b),
        2 => by_match(a, b),
        3 => as_argument(a, b),
        4 => as_result(a, b),
        5 => assigned(a, b),
        6 => table(a, b),
        7 => table_out_of_range(a, b),
        8 => table_known(a, b),
        9 => table_promoted(a, b),
        10 => table_of_pairs(a, b),
        11 => table_of_options(a, b),
        12 => table_of_tables(a, b),
        13 => constant(a, b),
        14 => in_tuple(a, b),
        15 => in_struct(a, b),
        16 => in_enum(a, b),
        17 => in_array(a, b),
        18 => in_option(a, b),
        19 => to_method_of_option(a, b),
        20 => with_mutable_reference(a, b),
        21 => to_methods(a, b),
        22 => to_methods_of_classes(a, b),
        23 => to_trait_methods(a, b),
        24 => to_generic_functions(a, b),
        25 => as_generic_argument(a, b),
        26 => to_marked_functions(a, b),
        27 => panicking(a, b),
        28 => never_returning(a, b),
        29 => closure(a, b),
        30 => closures_in_array(a, b),
        31 => closures_in_table(a, b),
        32 => closure_with_patterns(a, b),
        33 => cast(a, b),
        34 => no_arguments(a, b),
        35 => several_results(a, b),
        36 => threaded(a, b),
        _ => panic!("there is no such function"),
    }
}
