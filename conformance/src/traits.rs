//! Traits with static dispatch. In: two integers. Out: one.

use std::ops::{Add, Mul, Neg, Not, Sub};
use verdigris::{Word, prelude::*};

pub trait Shape {
    const SIDES: i64;
    fn area(self) -> i64;
    fn make(n: i64) -> Self;
    fn name() -> i64 {
        Self::SIDES + 100
    }
    fn twice(self) -> i64
    where
        Self: Sized + Copy,
    {
        self.area()
            .wrapping_add(self.area())
            .wrapping_add(Self::SIDES)
    }
}

#[derive(Clone, Copy, PartialEq, Default)]
pub struct Square(i64);

#[derive(Clone, Copy, PartialEq, Default)]
pub struct Rect {
    w: i64,
    h: i64,
}

impl Shape for Square {
    const SIDES: i64 = 4;
    fn area(self) -> i64 {
        self.0.wrapping_mul(self.0)
    }
    fn make(n: i64) -> Self {
        Square(n)
    }
}

impl Shape for Rect {
    const SIDES: i64 = 5;
    fn area(self) -> i64 {
        self.w.wrapping_mul(self.h)
    }
    fn make(n: i64) -> Self {
        Rect { w: n, h: 2 }
    }
    fn twice(self) -> i64 {
        self.w
    }
}

impl Shape for i64 {
    const SIDES: i64 = 0;
    fn area(self) -> i64 {
        self
    }
    fn make(n: i64) -> i64 {
        n.wrapping_neg()
    }
}

impl<A: Shape, B: Shape> Shape for (A, B) {
    const SIDES: i64 = A::SIDES * 10 + B::SIDES;
    fn area(self) -> i64 {
        self.0.area().wrapping_sub(self.1.area())
    }
    fn make(n: i64) -> Self {
        (A::make(n), B::make(3))
    }
}

fn total<S: Shape + Copy>(shape: S) -> i64 {
    shape
        .twice()
        .wrapping_add(S::SIDES)
        .wrapping_add(S::make(3).area())
}

fn area_of(shape: impl Shape) -> i64 {
    shape.area()
}

pub trait Holder {
    type Item;
    fn item(&self) -> Self::Item;
}

#[gc]
pub struct Holds<T: Word> {
    item: T,
}

impl<T: Word> Holder for Gc<Holds<T>> {
    type Item = T;
    fn item(&self) -> T {
        self.item
    }
}

impl<A: Holder, B: Holder> Holder for (A, B) {
    type Item = (A::Item, B::Item);
    fn item(&self) -> Self::Item {
        (self.0.item(), self.1.item())
    }
}

pub trait Doubled: Holder {
    fn doubled(&self) -> (Self::Item, Self::Item);
}

impl<H: Holder> Doubled for H {
    fn doubled(&self) -> (H::Item, Self::Item) {
        (self.item(), self.item())
    }
}

fn take<H: Holder>(holder: H) -> H::Item {
    holder.item()
}

fn take_where<H>(holder: H) -> <H as Holder>::Item
where
    H: Holder,
{
    holder.item()
}

#[gc]
pub struct Counter {
    count: Cell<i64>,
}

pub trait Count {
    fn count(&self) -> i64;
    fn count_twice(&self) -> i64 {
        self.count().wrapping_add(self.count())
    }
}

impl Count for Counter {
    fn count(&self) -> i64 {
        self.count.set(self.count.get().wrapping_add(1));
        self.count.get()
    }
}

#[derive(Clone, Copy)]
pub struct V {
    x: i64,
    y: i64,
}

impl Add for V {
    type Output = V;
    fn add(self, other: V) -> V {
        V {
            x: self.x.wrapping_add(other.x),
            y: self.y.wrapping_add(other.y),
        }
    }
}

impl Sub<i64> for V {
    type Output = i64;
    fn sub(self, n: i64) -> i64 {
        self.x.wrapping_sub(n)
    }
}

impl Mul<i64> for V {
    type Output = V;
    fn mul(self, n: i64) -> V {
        V {
            x: self.x.wrapping_mul(n),
            y: self.y.wrapping_mul(n),
        }
    }
}

impl Mul<V> for i64 {
    type Output = V;
    fn mul(self, v: V) -> V {
        v * self
    }
}

impl Mul for V {
    type Output = i64;
    fn mul(self, other: V) -> i64 {
        self.x
            .wrapping_mul(other.x)
            .wrapping_add(self.y.wrapping_mul(other.y))
    }
}

impl Neg for V {
    type Output = V;
    fn neg(self) -> V {
        V {
            x: self.x.wrapping_neg(),
            y: self.y.wrapping_neg(),
        }
    }
}

impl Not for V {
    type Output = V;
    fn not(self) -> V {
        V {
            x: self.y,
            y: self.x,
        }
    }
}

impl From<i64> for V {
    fn from(x: i64) -> V {
        V { x, y: 1 }
    }
}

impl From<(i64, i64)> for V {
    fn from(pair: (i64, i64)) -> V {
        V {
            x: pair.0,
            y: pair.1,
        }
    }
}

fn sum<T: Add<Output = T>>(a: T, b: T) -> T {
    a + b
}

#[derive(Default)]
pub struct Defaults {
    a: i64,
    b: Option<i64>,
    c: (bool, f64),
    d: Level,
}

#[derive(Clone, Copy, Default, PartialEq)]
pub enum Level {
    Low,
    #[default]
    Middle,
    High,
}

pub enum Fault {
    Small(i64),
    Flag(bool),
}

impl From<bool> for Fault {
    fn from(flag: bool) -> Fault {
        Fault::Flag(flag)
    }
}

impl From<i64> for Fault {
    fn from(n: i64) -> Fault {
        Fault::Small(n)
    }
}

fn small(n: i64) -> Result<i64, i64> {
    if n < 10 { Err(n) } else { Ok(n) }
}

fn even(n: i64) -> Result<i64, bool> {
    if n & 1 == 0 { Ok(n) } else { Err(n > 0) }
}

fn both(a: i64, b: i64) -> Result<i64, Fault> {
    let a = small(a)?;
    let b = even(b)?;
    if a == b {
        return Err(true.into());
    }
    Ok(a.wrapping_sub(b))
}

pub fn methods(a: i64, b: i64) -> i64 {
    Square(a).area().wrapping_add(Rect { w: a, h: b }.area())
}

pub fn provided_methods(a: i64, b: i64) -> i64 {
    Square(a).twice().wrapping_sub(Rect { w: b, h: 1 }.twice())
}

pub fn methods_of_primitives(a: i64, b: i64) -> i64 {
    a.area().wrapping_add(b.twice())
}

pub fn parameters(a: i64, b: i64) -> i64 {
    total(Square(a))
        .wrapping_add(total(Rect { w: a, h: b }))
        .wrapping_add(total(b))
}

pub fn anonymous_parameters(a: i64, b: i64) -> i64 {
    area_of(Square(a)).wrapping_sub(area_of(b))
}

pub fn implementations_for_tuples(a: i64, b: i64) -> i64 {
    total((Square(a), b)).wrapping_add(<(i64, Square)>::SIDES)
}

pub fn functions_without_self(a: i64, b: i64) -> i64 {
    let square: Square = Shape::make(a);
    square
        .area()
        .wrapping_add(Rect::name())
        .wrapping_add(<i64 as Shape>::make(b))
}

pub fn functions_by_the_trait(a: i64, b: i64) -> i64 {
    Shape::area(Square(a)).wrapping_add(Shape::area(b))
}

pub fn constants(a: i64, b: i64) -> i64 {
    a.wrapping_mul(Square::SIDES)
        .wrapping_add(b.wrapping_mul(<Rect as Shape>::SIDES))
}

pub fn associated_types(a: i64, b: i64) -> i64 {
    let first = Gc::new(Holds { item: a });
    let second = Gc::new(Holds { item: b > 0 });
    let (n, flag) = take((first, second));
    if flag { n } else { take_where(first) ^ 1 }
}

pub fn blanket_implementations(a: i64, b: i64) -> i64 {
    let holder = Gc::new(Holds { item: a });
    let pair = holder.doubled();
    pair.0.wrapping_add(pair.1).wrapping_mul(b)
}

pub fn implementations_for_classes(a: i64, b: i64) -> i64 {
    let counter = Gc::new(Counter {
        count: Cell::new(a),
    });
    counter
        .count_twice()
        .wrapping_mul(b)
        .wrapping_add(counter.count())
}

pub fn addition(a: i64, b: i64) -> i64 {
    let v = V { x: a, y: b } + V { x: 1, y: 2 };
    v.x ^ v.y
}

pub fn other_operators(a: i64, b: i64) -> i64 {
    let v = V { x: a, y: b };
    let w = -(v * 3) + 2 * v;
    (!w * v).wrapping_add(w - a)
}

pub fn operators_on_parameters(a: i64, b: i64) -> i64 {
    sum(V { x: a, y: b }, V { x: b, y: a })
        .x
        .wrapping_sub(sum(1, 2))
}

pub fn conversions(a: i64, b: i64) -> i64 {
    let v: V = (a, b).into();
    let w = V::from(a);
    v * w
}

pub fn derived_defaults(a: i64, b: i64) -> i64 {
    let d: Defaults = Default::default();
    let square = Square::default();
    if d.b.is_none() && !d.c.0 && d.c.1 == 0.0 && d.d == Level::Middle {
        a.wrapping_add(d.a).wrapping_add(square.0)
    } else {
        b
    }
}

pub fn conversions_of_errors(a: i64, b: i64) -> i64 {
    match both(a, b) {
        Ok(n) => n,
        Err(Fault::Small(n)) => n.wrapping_mul(1000),
        Err(Fault::Flag(flag)) => flag as i64,
    }
}

pub fn order_of_operands(a: i64, b: i64) -> i64 {
    let counter = Gc::new(Counter {
        count: Cell::new(a),
    });
    let v = V {
        x: counter.count(),
        y: b,
    } * V {
        x: counter.count(),
        y: counter.count(),
    };
    v.wrapping_add(counter.count.get())
}

#[gc]
pub struct Tagged {
    tag: i64,
}

impl Tagged {
    fn worth(&self) -> i64 {
        self.tag
    }
    fn own_worth(&self) -> i64 {
        self.worth().wrapping_mul(3)
    }
}

trait Worth {
    fn worth(self) -> i64;
}

impl Worth for Gc<Tagged> {
    fn worth(self) -> i64 {
        self.tag ^ 1
    }
}

fn worth_of<T: Worth>(x: T) -> i64 {
    x.worth()
}

/// A pointer's trait comes before the object's own methods, and these come before it inside of the
/// class.
pub fn own_methods_and_those_of_pointers(a: i64, b: i64) -> i64 {
    let (x, y) = (Gc::new(Tagged { tag: a }), Gc::new(Tagged { tag: b }));
    let pair = (x.worth(), y.own_worth());
    pair.0.wrapping_add(pair.1) ^ worth_of(y)
}

// What follows is written by `cargo run -p conformance-tables`.

/// The functions, in the order of their numbers.
#[rustfmt::skip]
pub const CASES: &[&str] = &[
    "methods",
    "provided_methods",
    "methods_of_primitives",
    "parameters",
    "anonymous_parameters",
    "implementations_for_tuples",
    "functions_without_self",
    "functions_by_the_trait",
    "constants",
    "associated_types",
    "blanket_implementations",
    "implementations_for_classes",
    "addition",
    "other_operators",
    "operators_on_parameters",
    "conversions",
    "derived_defaults",
    "conversions_of_errors",
    "order_of_operands",
    "own_methods_and_those_of_pointers",
];

/// Function number `case` of two numbers.
#[rustfmt::skip]
pub fn run(case: i64, a: i64, b: i64) -> i64 {
    match case {
        0 => methods(a, b),
        1 => provided_methods(a, b),
        2 => methods_of_primitives(a, b),
        3 => parameters(a, b),
        4 => anonymous_parameters(a, b),
        5 => implementations_for_tuples(a, b),
        6 => functions_without_self(a, b),
        7 => functions_by_the_trait(a, b),
        8 => constants(a, b),
        9 => associated_types(a, b),
        10 => blanket_implementations(a, b),
        11 => implementations_for_classes(a, b),
        12 => addition(a, b),
        13 => other_operators(a, b),
        14 => operators_on_parameters(a, b),
        15 => conversions(a, b),
        16 => derived_defaults(a, b),
        17 => conversions_of_errors(a, b),
        18 => order_of_operands(a, b),
        19 => own_methods_and_those_of_pointers(a, b),
        _ => panic!("there is no such function"),
    }
}
