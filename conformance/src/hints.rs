//! Hints of traced code: when it is looked into and when called, what is promoted for a call. In:
//! pairs of numbers. Out: numbers. Invariant: no hint changes what comes out.

use verdigris::{
    Bytes, Str, conditional_call, elidable_promote, is_constant, is_virtual, look_inside_iff,
    loop_invariant, prelude::*,
};

// ANCHOR: look_inside
fn few_turns(_x: i64, turns: i64) -> bool {
    is_constant(turns)
}

/// Looked into if the number of turns is known.
#[look_inside_iff(few_turns)]
fn turned(x: i64, turns: i64) -> i64 {
    let mut x = x;
    let mut turn = 0;
    while turn < turns {
        if x == 5 {
            return turn;
        }
        x = x.rotate_left(3) ^ turn;
        turn += 1;
    }
    x
}

pub fn looked_into_with_a_constant(a: i64, b: i64) -> i64 {
    turned(a, 3).wrapping_add(turned(b, 1))
}

pub fn called_without_one(a: i64, b: i64) -> i64 {
    turned(a, b & 7)
}

pub fn looked_into_with_a_promoted_argument(a: i64, b: i64) -> i64 {
    turned(a, promote(b & 3))
}
// ANCHOR_END: look_inside

#[gc]
pub(crate) struct Pair {
    left: Cell<i64>,
    right: i64,
}

fn is_new(pair: Gc<Pair>, _more: i64) -> bool {
    is_virtual(pair)
}

#[look_inside_iff(is_new)]
fn bumped(pair: Gc<Pair>, more: i64) -> i64 {
    pair.left.set(pair.left.get().wrapping_add(more));
    pair.left.get() ^ pair.right
}

#[opaque]
fn new_pair(left: i64, right: i64) -> Gc<Pair> {
    Gc::new(Pair {
        left: Cell::new(left),
        right,
    })
}

/// The first call is looked into, for the object need not exist; the second object does.
pub fn looked_into_for_a_virtual(a: i64, b: i64) -> i64 {
    let made = Gc::new(Pair {
        left: Cell::new(a),
        right: b,
    });
    let given = new_pair(b, a);
    let sum = bumped(made, 7).wrapping_mul(bumped(given, 9));
    sum ^ made.left.get() ^ given.left.get()
}

impl Pair {
    fn wants(&self, which: bool) -> bool {
        is_virtual(self) && is_constant(which)
    }

    fn small(n: i64) -> bool {
        is_constant(n)
    }

    #[look_inside_iff(Self::wants)]
    fn half(&self, which: bool) -> i64 {
        if which { self.left.get() } else { self.right }
    }

    #[look_inside_iff(Pair::small)]
    fn twice(n: i64) -> i64 {
        Self::doubled(n) + 1
    }

    fn doubled(n: i64) -> i64 {
        n.wrapping_mul(2)
    }

    #[elidable_promote(self)]
    fn mixed(&self, n: i64) -> i64 {
        self.right.wrapping_mul(31) ^ n
    }
}

pub fn methods_are_looked_into(a: i64, b: i64) -> i64 {
    let made = Gc::new(Pair {
        left: Cell::new(a),
        right: b,
    });
    let given = new_pair(b, a);
    made.half(true) ^ given.half(true) ^ given.half(b > 3) ^ Pair::twice(a) ^ Pair::twice(4)
}

fn odd_are_looked_into(n: i64, _d: i64) -> bool {
    n & 1 == 1
}

/// A predicate that depends on the value itself; dividing by zero panics both ways.
#[look_inside_iff(odd_are_looked_into)]
fn divided(n: i64, d: i64) -> i64 {
    n / d
}

pub fn predicates_on_values(a: i64, b: i64) -> i64 {
    divided(a, b & 3)
}

/// The result of a called one is taken apart as that of a traced one is.
#[look_inside_iff(few_turns)]
fn checked(x: i64, turns: i64) -> Result<(i64, bool), Option<i64>> {
    if x < turns {
        return Err(if x < 0 { None } else { Some(x) });
    }
    Ok((x.wrapping_sub(turns), turns & 1 == 0))
}

pub fn results_of_several_words(a: i64, b: i64) -> i64 {
    let one = match checked(a, 2) {
        Ok((n, even)) => n ^ even as i64,
        Err(Some(n)) => n,
        Err(None) => -1,
    };
    match checked(b, a & 15) {
        Ok((n, even)) => one ^ n ^ even as i64,
        Err(Some(n)) => one.wrapping_add(n),
        Err(None) => one,
    }
}

// ANCHOR: elidable_promote
#[elidable_promote]
fn looked_up(key: i64, table: i64) -> i64 {
    let table: Vec<i64> = (0..8).map(|n| n * table).collect();
    table[(key & 7) as usize]
}

pub fn look_ups_of_promoted_keys(a: i64, b: i64) -> i64 {
    looked_up(a & 3, 5).wrapping_add(b)
}
// ANCHOR_END: elidable_promote

/// What has been found, in two words, of which the second may be any object.
#[value]
#[derive(Clone, Copy)]
pub(crate) enum Found {
    Nothing,
    Number(i64),
    Fraction(f64),
    Shared(Gc<Pair>),
}

#[gc]
struct Finder {
    last: Cell<Found>,
}

#[elidable_promote]
fn found(key: i64) -> Found {
    match key {
        0 => Found::Nothing,
        1 => Found::Number(7),
        2 => Found::Shared(Gc::new(Pair {
            left: Cell::new(2),
            right: 40,
        })),
        3 => Found::Fraction(2.5),
        _ => panic!("no such key"),
    }
}

fn weight(found: Found) -> i64 {
    match found {
        Found::Nothing => -1,
        Found::Number(n) => n,
        Found::Fraction(x) => (x * 4.0) as i64,
        Found::Shared(pair) => pair.right,
    }
}

pub fn look_ups_of_values(a: i64, b: i64) -> i64 {
    weight(found(b & 3)).wrapping_mul(a)
}

/// The object is in the other one, though the trace knew it as a constant.
pub fn found_values_are_stored(a: i64, b: i64) -> i64 {
    let finder = new_finder();
    finder.last.set(found(b & 3));
    let pair = new_pair(a, b);
    weight(finder.last.get()) ^ pair.right
}

#[opaque]
fn new_finder() -> Gc<Finder> {
    Gc::new(Finder {
        last: Cell::new(Found::Nothing),
    })
}

/// A value that was looked up is looked up itself.
#[elidable]
fn heavier(found: Found, by: i64) -> Found {
    match found {
        Found::Nothing => Found::Number(by),
        Found::Number(n) => Found::Number(n + by),
        Found::Fraction(x) => Found::Fraction(x + by as f64),
        Found::Shared(pair) => Found::Number(pair.right + by),
    }
}

pub fn look_ups_of_found_values(a: i64, b: i64) -> i64 {
    weight(heavier(found(b & 3), 5)) ^ a
}

pub fn look_ups_that_panic(a: i64, b: i64) -> i64 {
    weight(found(a & 7)) ^ b
}

#[elidable_promote(scale)]
fn scaled(scale: i64, mut n: i64) -> i64 {
    n = n.wrapping_mul(scale);
    n ^ (n >> 3)
}

pub fn some_arguments_are_promoted(a: i64, b: i64) -> i64 {
    scaled(a & 1, b)
}

pub fn receivers_are_promoted(a: i64, b: i64) -> i64 {
    new_pair(a, b).mixed(a)
}

#[elidable_promote]
fn refuses_three(n: i64) -> i64 {
    assert!(n != 3, "three");
    n + 1
}

pub fn promoted_calls_that_panic(a: i64, b: i64) -> i64 {
    refuses_three(a & 7) ^ b
}

// ANCHOR: loop_invariant
#[loop_invariant]
fn base() -> i64 {
    std::hint::black_box(12)
}

#[loop_invariant]
fn refuses() -> Option<i64> {
    base().checked_add(base())
}

pub fn invariant_calls(a: i64, b: i64) -> i64 {
    let counter = new_pair(a, b);
    counter.left.set(base());
    base().wrapping_mul(a) ^ counter.left.get() ^ refuses().unwrap_or(b)
}
// ANCHOR_END: loop_invariant

#[opaque]
fn name(n: i64) -> Gc<Str> {
    Str::new(match n & 3 {
        0 => "even",
        1 => "größe",
        2 => "",
        _ => "odd",
    })
}

pub fn text_is_promoted(a: i64, b: i64) -> i64 {
    let key = Str::promote(name(a));
    (key.char_count() as i64) ^ key.compare(name(b)).wrapping_mul(a)
}

#[opaque]
fn raw(n: i64) -> Gc<Bytes> {
    Bytes::new(if n & 1 == 0 { b"\xFF\0" } else { b"odd" })
}

pub fn bytes_are_promoted(a: i64, b: i64) -> i64 {
    let key = Bytes::promote(raw(a));
    b ^ (key.len() as i64) ^ (Bytes::promote(key).at(1) as i64) << 8
}

/// What is made in the trace is compared as well.
pub fn joined_text_is_promoted(a: i64, b: i64) -> i64 {
    let key = Str::promote(name(a).concat(name(b)));
    (key.char_count() as i64).wrapping_mul(b)
}

// ANCHOR: conditional_call
#[conditional_call]
fn add_to(wanted: bool, pair: Gc<Pair>, more: i64) {
    if more == 13 {
        panic!("thirteen");
    }
    pair.left.set(pair.left.get().wrapping_add(more));
}

pub fn called_on_a_condition(a: i64, b: i64) -> i64 {
    let pair = new_pair(a, b);
    add_to(a > b, pair, b & 15);
    add_to(b & 3 == 2, pair, 3);
    pair.left.get()
}

/// The object need not exist: no function is given it.
pub fn never_called(a: i64, b: i64) -> i64 {
    let pair = Gc::new(Pair {
        left: Cell::new(a),
        right: b,
    });
    add_to(a & 2 == 4, pair, 7);
    pair.left.get() ^ pair.right
}
// ANCHOR_END: conditional_call

pub struct OfMarks;
type Marks = GcArray<Cell<i64>, OfMarks>;

/// How long the left one is in decimal, and the first mark.
#[opaque(reads(Pair.left, Marks[]), writes())]
fn length(pair: Gc<Pair>, marks: Marks) -> i64 {
    pair.left.get().to_string().len() as i64 ^ marks[0].get()
}

/// It writes what it is said to write; what it reads is read off its source.
#[opaque(writes(Pair.*))]
fn shorten(pair: Gc<Pair>) {
    let text = pair.left.get().to_string();
    pair.left.set(text[..text.len() / 2].len() as i64);
}

/// What a function is said not to touch stays as it is, and what it is said to touch does not.
#[unroll_safe]
pub fn touched_as_the_author_says(a: i64, b: i64) -> i64 {
    let pair = new_pair(a, b);
    let marks: Marks = GcArray::new(2, a);
    let mut sum = 0i64;
    let mut turn = 0;
    while turn < 3 {
        pair.left.set(pair.left.get().wrapping_add(turn));
        marks[1].set(marks[1].get() ^ turn);
        sum = sum.wrapping_add(length(pair, marks));
        marks[0].set(turn);
        shorten(pair);
        sum = sum
            .wrapping_add(pair.left.get())
            .wrapping_add(marks[1].get());
        turn += 1;
    }
    sum
}

// What follows is written by `cargo run -p conformance-tables`.

/// The functions, in the order of their numbers.
#[rustfmt::skip]
pub const CASES: &[&str] = &[
    "looked_into_with_a_constant",
    "called_without_one",
    "looked_into_with_a_promoted_argument",
    "looked_into_for_a_virtual",
    "methods_are_looked_into",
    "predicates_on_values",
    "results_of_several_words",
    "look_ups_of_promoted_keys",
    "look_ups_of_values",
    "found_values_are_stored",
    "look_ups_of_found_values",
    "look_ups_that_panic",
    "some_arguments_are_promoted",
    "receivers_are_promoted",
    "promoted_calls_that_panic",
    "invariant_calls",
    "text_is_promoted",
    "bytes_are_promoted",
    "joined_text_is_promoted",
    "called_on_a_condition",
    "never_called",
    "touched_as_the_author_says",
];

/// Function number `case` of two numbers.
#[rustfmt::skip]
pub fn run(case: i64, a: i64, b: i64) -> i64 {
    match case {
        0 => looked_into_with_a_constant(a, b),
        1 => called_without_one(a, b),
        2 => looked_into_with_a_promoted_argument(a, b),
        3 => looked_into_for_a_virtual(a, b),
        4 => methods_are_looked_into(a, b),
        5 => predicates_on_values(a, b),
        6 => results_of_several_words(a, b),
        7 => look_ups_of_promoted_keys(a, b),
        8 => look_ups_of_values(a, b),
        9 => found_values_are_stored(a, b),
        10 => look_ups_of_found_values(a, b),
        11 => look_ups_that_panic(a, b),
        12 => some_arguments_are_promoted(a, b),
        13 => receivers_are_promoted(a, b),
        14 => promoted_calls_that_panic(a, b),
        15 => invariant_calls(a, b),
        16 => text_is_promoted(a, b),
        17 => bytes_are_promoted(a, b),
        18 => joined_text_is_promoted(a, b),
        19 => called_on_a_condition(a, b),
        20 => never_called(a, b),
        21 => touched_as_the_author_says(a, b),
        _ => panic!("there is no such function"),
    }
}
