//! Comparisons: `core::cmp::Ordering`, the methods of `PartialEq`, `PartialOrd` and `Ord`, derived
//! and written by hand. In: two integers. Out: one.

use std::cmp::Ordering;
use verdigris::prelude::*;

fn number(order: Ordering) -> i64 {
    match order {
        Ordering::Less => -1,
        Ordering::Equal => 0,
        Ordering::Greater => 1,
    }
}

fn maybe(order: Option<Ordering>) -> i64 {
    order.map_or(7, number)
}

/// Numbers that are often equal.
fn small(a: i64) -> i64 {
    a & 3
}

fn double(a: i64) -> f64 {
    match a & 15 {
        0 => f64::NAN,
        1 => -0.0,
        2 => 0.0,
        3 => f64::INFINITY,
        4 => -f64::NAN,
        n => (n as f64) / 3.0 - 2.0,
    }
}

pub fn cmp_of_widths(a: i64, b: i64) -> i64 {
    let narrow = number((a as i8).cmp(&(b as i8))) * 3 + number((a as u8).cmp(&(b as u8)));
    let middle = number((a as i32).cmp(&(b as i32))) * 3 + number((a as u16).cmp(&(b as u16)));
    let wide = number(a.cmp(&b)) * 3 + number((a as u64).cmp(&(b as u64)));
    let sizes = number((a as isize).cmp(&(b as isize))) + number((a as usize).cmp(&(b as usize)));
    narrow * 1000 + middle * 100 + wide * 10 + sizes
}

pub fn cmp_of_bool_and_char(a: i64, b: i64) -> i64 {
    let flags = (a > 3).cmp(&(b > 3));
    let chars = char::from(a as u8).cmp(&char::from(b as u8));
    number(flags) * 10 + number(chars) + number(().cmp(&()))
}

pub fn partial_cmp_of_scalars(a: i64, b: i64) -> i64 {
    maybe(a.partial_cmp(&b)) * 100
        + maybe((a > 0).partial_cmp(&(b > 0))) * 10
        + maybe(double(a).partial_cmp(&double(b)))
}

pub fn total_cmp(a: i64, b: i64) -> i64 {
    number(double(a).total_cmp(&double(b)))
}

#[unroll_safe]
pub fn methods_of_ordering(a: i64, b: i64) -> i64 {
    let order = a.cmp(&b);
    let flags = [
        order.is_lt(),
        order.is_le(),
        order.is_gt(),
        order.is_ge(),
        order.is_eq(),
        order.is_ne(),
    ];
    let mut bits = 0;
    for flag in flags {
        bits = bits * 2 + i64::from(flag);
    }
    bits * 10 + number(order.reverse())
}

pub fn then(a: i64, b: i64) -> i64 {
    let order = small(a).cmp(&small(b)).then(a.cmp(&b));
    let mut asked = 0;
    let lazy = small(b).cmp(&small(a)).then_with(|| {
        asked += 1;
        b.cmp(&a)
    });
    number(order) * 100 + number(lazy) * 10 + asked
}

pub fn ordering_as_number(a: i64, b: i64) -> i64 {
    let order = a.cmp(&b);
    order as i64 * 100 + (order as i8) as i64 * 10 + Ordering::Greater as i64
}

pub fn ordering_compared(a: i64, b: i64) -> i64 {
    let (first, second) = (a.cmp(&b), small(a).cmp(&small(b)));
    let equal = i64::from(first == second) + i64::from(first != Ordering::Less) * 2;
    equal + i64::from(first < second) * 4 + number(first.cmp(&second)) * 10
}

pub fn ordering_in_patterns(a: i64, b: i64) -> i64 {
    use std::cmp::Ordering::*;
    match (a.cmp(&b), small(a).cmp(&small(b))) {
        (Less, Less) => 1,
        (Less | Greater, Equal) => 2,
        (Equal, order) => 3 + number(order),
        (order @ Greater, _) => 5 + number(order),
        _ => 6,
    }
}

pub fn ordering_in_a_message(a: i64, b: i64) -> i64 {
    let order = a.cmp(&b);
    assert!(order != Ordering::Greater || a < 100, "{a} {order:?} {b}");
    assert_eq!(small(a).cmp(&small(b)).is_gt(), false);
    number(order)
}

pub fn free_functions(a: i64, b: i64) -> i64 {
    let high = std::cmp::max(a as u8, b as u8);
    i64::from(high) * 3 + std::cmp::min(a, b)
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Point {
    x: i64,
    y: u8,
}

#[derive(Clone, Copy, PartialEq, PartialOrd)]
pub struct Weight(f64, bool);

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Nothing;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    Low = 5,
    Middle = 3,
    High,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Value {
    Nil,
    Int(i64),
    Pair { first: u8, second: Option<Level> },
    Last(Point),
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Both<A, B> {
    a: A,
    b: B,
}

fn point(a: i64) -> Point {
    Point {
        x: small(a),
        y: a as u8,
    }
}

fn level(a: i64) -> Level {
    match small(a) {
        0 => Level::Low,
        1 => Level::Middle,
        _ => Level::High,
    }
}

fn value(a: i64) -> Value {
    match small(a >> 1) {
        0 => Value::Nil,
        1 => Value::Int(a),
        2 => Value::Pair {
            first: a as u8 & 1,
            second: (a & 8 == 0).then_some(level(a)),
        },
        _ => Value::Last(point(a)),
    }
}

/// What the four operators say.
fn operators<T: PartialOrd + Copy>(a: T, b: T) -> i64 {
    let flags = (a < b, a <= b, a > b, a >= b);
    i64::from(flags.0)
        + i64::from(flags.1) * 2
        + i64::from(flags.2) * 4
        + i64::from(flags.3) * 8
        + maybe(a.partial_cmp(&b)) * 16
}

fn extremes<T: Ord + Copy>(a: T, b: T) -> (T, T) {
    (a.max(b), std::cmp::min(a, b))
}

pub fn derived_struct(a: i64, b: i64) -> i64 {
    let (p, q) = (point(a), point(b));
    let (high, low) = extremes(p, q);
    operators(p, q) + number(p.cmp(&q)) * 1000 + i64::from(high.y) - i64::from(low.y)
}

pub fn derived_floats(a: i64, b: i64) -> i64 {
    let (p, q) = (Weight(double(a), a > b), Weight(double(b), b > 3));
    operators(p, q) * 10 + i64::from(p < q)
}

pub fn derived_numbers(a: i64, b: i64) -> i64 {
    let (p, q) = (level(a), level(b));
    operators(p, q) + p.cmp(&q) as i64 * 1000 + p.max(q) as i64
}

pub fn derived_enum(a: i64, b: i64) -> i64 {
    let (p, q) = (value(a), value(b));
    operators(p, q) + number(p.cmp(&q)) * 1000 + i64::from(p == q)
}

pub fn derived_empty(a: i64, b: i64) -> i64 {
    let pair = (Nothing, a);
    operators(pair, (Nothing, b)) + number(Nothing.cmp(&Nothing))
}

pub fn derived_generic(a: i64, b: i64) -> i64 {
    let p = Both {
        a: level(a),
        b: (a as u8, Some(b)),
    };
    let q = Both {
        a: level(b),
        b: (b as u8, None),
    };
    let r = Both { a: 1, b: a };
    operators(p, q) + number(r.cmp(&Both { a: 1, b })) * 1000
}

pub fn tuples(a: i64, b: i64) -> i64 {
    let (p, q) = ((small(a), double(a)), (small(b), double(b)));
    let one = ((a as u8,), (b as u8,));
    let three = number((small(a), a > 0, a).cmp(&(small(b), b > 0, b)));
    operators(p, q) + i64::from(one.0 < one.1) * 1000 + three * 10_000
}

pub fn options_and_results(a: i64, b: i64) -> i64 {
    let option = |n: i64| (n > 1).then_some(n);
    let p = if a & 4 == 0 { Ok(small(a)) } else { Err(a > 9) };
    let q = if b & 4 == 0 { Ok(small(b)) } else { Err(b > 9) };
    let order = option(a).cmp(&option(b));
    operators(option(a), option(b)) + operators(p, q) * 1000 + number(order) * 1_000_000
}

pub fn clamp(a: i64, b: i64) -> i64 {
    let low = Point { x: 1, y: 9 };
    let high = Point { x: small(b), y: 60 };
    let kept = point(a).clamp(low, high);
    kept.x * 1000 + i64::from(kept.y) + i64::from((a > 0).clamp(false, b > 0))
}

/// Ordered by its last digit.
#[derive(Clone, Copy, Debug)]
pub struct Digit(pub i64);

impl PartialEq for Digit {
    fn eq(&self, other: &Self) -> bool {
        self.0.rem_euclid(10) == other.0.rem_euclid(10)
    }
}

impl Eq for Digit {}

impl PartialOrd for Digit {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Digit {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.rem_euclid(10).cmp(&other.0.rem_euclid(10)).reverse()
    }
}

pub fn by_hand(a: i64, b: i64) -> i64 {
    let (p, q) = (Digit(a), Digit(b));
    let (high, low) = extremes(p, q);
    let equal = i64::from(p == q) + i64::from(p != q) * 2 + i64::from(p.eq(&q)) * 4;
    operators(p, q) + equal * 1000 + (high.0.wrapping_sub(low.0) & 0xFF) * 10_000
}

/// Derived, of parts that are not.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Word {
    Digit(Digit, u8),
    Other,
}

pub fn derived_around_by_hand(a: i64, b: i64) -> i64 {
    let word = |n: i64| match n & 7 {
        3 => Word::Other,
        _ => Word::Digit(Digit(n), n as u8 & 1),
    };
    let (p, q) = (word(a), word(b));
    let equal =
        i64::from(p == q) + i64::from(Some(p) == Some(q)) * 2 + i64::from((p, 1) != (q, 1)) * 4;
    operators(p, q) + equal * 1000
}

pub fn asserted_by_hand(a: i64, b: i64) -> i64 {
    assert_ne!(Digit(a), Digit(b), "{a} and {b}");
    a
}

/// Compares with numbers too.
#[derive(Clone, Copy)]
pub struct Big(i64);

impl PartialEq<i64> for Big {
    fn eq(&self, other: &i64) -> bool {
        self.0 / 2 == *other
    }
}

impl PartialOrd<i64> for Big {
    fn partial_cmp(&self, other: &i64) -> Option<Ordering> {
        (self.0 & 7 != 0)
            .then_some(())
            .and_then(|()| (self.0 / 2).partial_cmp(other))
    }
    fn gt(&self, other: &i64) -> bool {
        *other == 3
    }
}

pub fn with_another_type(a: i64, b: i64) -> i64 {
    let big = Big(a);
    let flags = (big == b, big != b, big < b, big > b, big >= 2);
    i64::from(flags.0)
        + i64::from(flags.1) * 2
        + i64::from(flags.2) * 4
        + i64::from(flags.3) * 8
        + i64::from(flags.4) * 16
}

pub fn called_by_path(a: i64, b: i64) -> i64 {
    let order = Ord::cmp(&a, &b).then(Point::cmp(&point(a), &point(b)));
    let partial = PartialOrd::partial_cmp(&double(a), &double(b));
    let less = <Point as PartialOrd>::lt(&point(a), &point(b));
    let same = PartialEq::eq(&Digit(a), &Digit(b));
    number(order) * 100 + maybe(partial) * 10 + i64::from(less) * 2 + i64::from(same)
}

pub fn order_of_an_option(a: i64, b: i64) -> i64 {
    let order = double(a).partial_cmp(&double(b));
    let less = order.is_some_and(Ordering::is_lt);
    let not_more = order.is_some_and(|o| o != Ordering::Greater);
    i64::from(order == Some(Ordering::Equal)) + i64::from(less) * 2 + i64::from(not_more) * 4
}

#[unroll_safe]
fn largest<T: PartialOrd + Copy>(items: [T; 4]) -> T {
    let mut best = items[0];
    for item in items {
        if item > best {
            best = item;
        }
    }
    best
}

pub fn generic_loop(a: i64, b: i64) -> i64 {
    let p = largest([point(a), point(b), point(a ^ b), point(a.wrapping_add(b))]);
    let x = largest([double(a), double(b), 0.5, double(a >> 4)]);
    p.x * 1000 + i64::from(p.y) + (x.to_bits() >> 40) as i64
}

#[gc]
pub struct Entry {
    key: i64,
    rank: Cell<i64>,
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        self.key.partial_cmp(&other.key)
    }
}

#[gc]
pub struct Held {
    order: Cell<Ordering>,
}

#[elidable]
fn by_digits(a: i64, b: i64) -> Ordering {
    a.to_string().cmp(&b.to_string())
}

pub fn ordering_in_words(a: i64, b: i64) -> i64 {
    let held = Gc::new(Held {
        order: Cell::new(by_digits(a, b)),
    });
    let orders: GcArray<Cell<Ordering>> = GcArray::new(2, a.cmp(&b));
    orders[1].set(held.order.get().reverse());
    number(orders[0].get()) * 3 + number(orders[1].get())
}

pub fn on_the_heap(a: i64, b: i64) -> i64 {
    let entry = |n: i64| {
        Gc::new(Entry {
            key: small(n),
            rank: Cell::new(n),
        })
    };
    let (p, q) = (entry(a), entry(b));
    maybe(p.partial_cmp(&q)) * 10 + p.rank.get().wrapping_sub(q.rank.get()) % 7
}

// What follows is written by `cargo run -p conformance-tables`.

/// The functions, in the order of their numbers.
#[rustfmt::skip]
pub const CASES: &[&str] = &[
    "cmp_of_widths",
    "cmp_of_bool_and_char",
    "partial_cmp_of_scalars",
    "total_cmp",
    "methods_of_ordering",
    "then",
    "ordering_as_number",
    "ordering_compared",
    "ordering_in_patterns",
    "ordering_in_a_message",
    "free_functions",
    "derived_struct",
    "derived_floats",
    "derived_numbers",
    "derived_enum",
    "derived_empty",
    "derived_generic",
    "tuples",
    "options_and_results",
    "clamp",
    "by_hand",
    "derived_around_by_hand",
    "asserted_by_hand",
    "with_another_type",
    "called_by_path",
    "order_of_an_option",
    "generic_loop",
    "ordering_in_words",
    "on_the_heap",
];

/// Function number `case` of two numbers.
#[rustfmt::skip]
pub fn run(case: i64, a: i64, b: i64) -> i64 {
    match case {
        0 => cmp_of_widths(a, b),
        1 => cmp_of_bool_and_char(a, b),
        2 => partial_cmp_of_scalars(a, b),
        3 => total_cmp(a, b),
        4 => methods_of_ordering(a, b),
        5 => then(a, b),
        6 => ordering_as_number(a, b),
        7 => ordering_compared(a, b),
        8 => ordering_in_patterns(a, b),
        9 => ordering_in_a_message(a, b),
        10 => free_functions(a, b),
        11 => derived_struct(a, b),
        12 => derived_floats(a, b),
        13 => derived_numbers(a, b),
        14 => derived_enum(a, b),
        15 => derived_empty(a, b),
        16 => derived_generic(a, b),
        17 => tuples(a, b),
        18 => options_and_results(a, b),
        19 => clamp(a, b),
        20 => by_hand(a, b),
        21 => derived_around_by_hand(a, b),
        22 => asserted_by_hand(a, b),
        23 => with_another_type(a, b),
        24 => called_by_path(a, b),
        25 => order_of_an_option(a, b),
        26 => generic_loop(a, b),
        27 => ordering_in_words(a, b),
        28 => on_the_heap(a, b),
        _ => panic!("there is no such function"),
    }
}
