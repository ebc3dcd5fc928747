//! Functions over values that are made of others: tuples, structs, enums, options, results. In: two
//! integers. Out: one. Nothing here is on the heap.

use verdigris::prelude::*;

#[derive(Clone, Copy, PartialEq)]
pub struct Point {
    x: i64,
    y: i64,
}

#[derive(Clone, Copy, PartialEq)]
pub struct Line {
    from: Point,
    to: Point,
    open: bool,
}

#[derive(Clone, Copy, PartialEq)]
pub struct Meters(i64);

#[derive(Clone, Copy, PartialEq)]
pub struct Nothing;

#[derive(Clone, Copy, PartialEq)]
pub enum Color {
    Red,
    Green,
    Blue,
}

#[derive(Clone, Copy, PartialEq)]
pub enum Step {
    Low = 3,
    High = 40,
    Top,
}

#[derive(Clone, Copy, PartialEq)]
pub enum Num {
    Nil,
    Int(i64),
    Byte(u8),
    Float(f64),
    Flag(bool),
}

#[derive(Clone, Copy, PartialEq)]
pub enum Shape {
    Dot,
    Circle { center: Point, radius: i64 },
    Rect { from: Point, to: Point },
    Tagged(Color, Num),
}

#[derive(Clone, Copy, PartialEq)]
pub enum Fault {
    Negative(i64),
    Zero,
    Large { by: i64 },
}

pub enum Only {
    One(i64, i64),
}

const ORIGIN: Point = Point { x: 0, y: 0 };
const UNIT: Line = Line {
    from: ORIGIN,
    to: Point { x: 1, y: 1 },
    open: true,
};
const DEFAULT: Num = Num::Int(42);

impl Point {
    fn new(x: i64, y: i64) -> Point {
        Point { x, y }
    }

    fn plus(self, other: Point) -> Self {
        Self {
            x: self.x.wrapping_add(other.x),
            y: self.y.wrapping_add(other.y),
        }
    }

    fn weight(&self) -> i64 {
        self.x.wrapping_mul(3).wrapping_sub(self.y)
    }

    fn flipped(&self) -> Point {
        let Point { x, y } = *self;
        Point { x: y, y: x }
    }
}

impl Num {
    fn of(a: i64) -> Num {
        match a & 7 {
            0 => Num::Nil,
            1 | 2 => Num::Int(a),
            3 => Num::Byte(a as u8),
            4 | 5 => Num::Float(a as f64 / 4.0),
            _ => Num::Flag(a > 0),
        }
    }

    fn code(self) -> i64 {
        match self {
            Self::Nil => -1,
            Self::Int(i) => i,
            Num::Byte(b) => b as i64 + 1000,
            Num::Float(f) => (f * 8.0) as i64,
            Num::Flag(true) => 77,
            Num::Flag(false) => 78,
        }
    }

    fn is_number(&self) -> bool {
        matches!(*self, Num::Int(_) | Num::Byte(_) | Num::Float(_))
    }

    fn add(self, other: Num) -> Option<Num> {
        match (self, other) {
            (Num::Int(a), Num::Int(b)) => Some(Num::Int(a.wrapping_add(b))),
            (Num::Float(a), Num::Float(b)) => Some(Num::Float(a + b)),
            (Num::Int(a), Num::Float(b)) | (Num::Float(b), Num::Int(a)) => {
                Some(Num::Float(a as f64 + b))
            }
            (Num::Byte(a), n) | (n, Num::Byte(a)) if n.is_number() => Num::Int(a as i64).add_int(n),
            _ => None,
        }
    }

    fn add_int(self, other: Num) -> Option<Num> {
        let Num::Int(a) = self else { return None };
        match other {
            Num::Int(b) => Some(Num::Int(a.wrapping_add(b))),
            Num::Byte(b) => Some(Num::Int(a.wrapping_add(b as i64))),
            Num::Float(b) => Some(Num::Float(b + a as f64)),
            Num::Nil | Num::Flag(_) => None,
        }
    }
}

impl Color {
    fn next(self) -> Color {
        match self {
            Color::Red => Color::Green,
            Color::Green => Color::Blue,
            Color::Blue => Color::Red,
        }
    }
}

fn color(a: i64) -> Color {
    match a.wrapping_rem(3) {
        0 => Color::Red,
        1 | -1 => Color::Green,
        _ => Color::Blue,
    }
}

fn shape(a: i64, b: i64) -> Shape {
    match a & 3 {
        0 => Shape::Dot,
        1 => Shape::Circle {
            radius: b & 0xFF,
            center: Point::new(a, b),
        },
        2 => Shape::Rect {
            from: ORIGIN,
            to: Point { x: a, y: b },
        },
        _ => Shape::Tagged(color(b), Num::of(b)),
    }
}

fn half(a: i64) -> Option<i64> {
    if a & 1 == 0 { Some(a / 2) } else { None }
}

fn checked(a: i64) -> Result<i64, Fault> {
    if a < 0 {
        return Err(Fault::Negative(a));
    }
    if a == 0 {
        return Err(Fault::Zero);
    }
    if a > 1000 {
        Err(Fault::Large { by: a - 1000 })
    } else {
        Ok(a)
    }
}

fn both(a: i64, b: i64) -> Result<(i64, i64), Fault> {
    let a = checked(a)?;
    let b = checked(b)?;
    Ok((a, b))
}

fn fault(f: Fault) -> i64 {
    match f {
        Fault::Negative(n) => n.wrapping_mul(2),
        Fault::Zero => -1,
        Fault::Large { by } => by,
    }
}

fn divmod(a: i64, b: i64) -> (i64, i64) {
    if b == 0 {
        (a, 0)
    } else {
        (a.wrapping_div(b), a.wrapping_rem(b))
    }
}

fn swap((a, b): (i64, i64)) -> (i64, i64) {
    (b, a)
}

fn norm(Point { x, y: up }: Point, Meters(m): Meters) -> i64 {
    x.wrapping_add(up).wrapping_add(m)
}

fn quarter(a: i64) -> Option<i64> {
    half(half(a)?)
}

fn nested(a: i64) -> Option<Option<i64>> {
    match a & 3 {
        0 => None,
        1 => Some(None),
        _ => Some(half(a)),
    }
}

pub fn tuple_locals(a: i64, b: i64) -> i64 {
    let t = (a, b, a < b);
    let u = (t.1, t.0);
    if t.2 {
        u.0.wrapping_sub(u.1)
    } else {
        u.0.wrapping_add(u.1)
    }
}

pub fn tuple_destructuring(a: i64, b: i64) -> i64 {
    let (q, r) = divmod(a, b);
    let (x, (y, z)) = (q, (r, b));
    x.wrapping_mul(31).wrapping_add(y).wrapping_add(z)
}

pub fn tuple_parameter(a: i64, b: i64) -> i64 {
    let (x, y) = swap(swap(swap((a, b))));
    x.wrapping_mul(2).wrapping_sub(y)
}

pub fn tuple_assignment(a: i64, b: i64) -> i64 {
    let mut x;
    let mut y;
    (x, y) = (a, b);
    (x, y) = (y, x);
    (x, _) = (x.wrapping_add(1), 0);
    y = y.wrapping_sub(x);
    x.wrapping_mul(y)
}

pub fn tuple_fields_assigned(a: i64, b: i64) -> i64 {
    let mut t = (a, (b, false));
    t.0 = t.0.wrapping_add(b);
    t.1.0 ^= 5;
    t.1.1 = t.0 > t.1.0;
    t.1 = (t.1.0.wrapping_add(1), !t.1.1);
    t.0.wrapping_add(t.1.0).wrapping_add(t.1.1 as i64)
}

pub fn one_tuple(a: i64, b: i64) -> i64 {
    let t = (a,);
    let (x,) = t;
    x.wrapping_add(t.0).wrapping_sub(b)
}

pub fn struct_fields(a: i64, b: i64) -> i64 {
    let p = Point { y: b, x: a };
    let q = p.plus(Point::new(1, 2)).flipped();
    q.x.wrapping_mul(5).wrapping_add(q.weight())
}

pub fn struct_update(a: i64, b: i64) -> i64 {
    let p = Point { x: a, ..ORIGIN };
    let l = Line {
        to: Point { y: b, ..p },
        ..UNIT
    };
    l.to.plus(l.from).weight().wrapping_add(l.open as i64)
}

pub fn struct_assignment(a: i64, b: i64) -> i64 {
    let mut l = UNIT;
    l.from.x = a;
    l.to = l.from.flipped();
    l.to.y ^= b & 0xFFFF;
    l.from.y += b & 0xFF;
    l.open = l.from == l.to;
    l.to.weight()
        .wrapping_sub(l.from.weight())
        .wrapping_add(l.open as i64)
}

pub fn nested_struct_pattern(a: i64, b: i64) -> i64 {
    let line = Line {
        from: Point::new(a, b),
        to: Point::new(b, a),
        open: a == b,
    };
    match line {
        Line {
            open: true,
            from: Point { x, .. },
            ..
        } => x,
        Line {
            from: Point { x: 0, y },
            ..
        } => y.wrapping_neg(),
        Line {
            from,
            to: Point { x: 1..=9, y },
            ..
        } => from.x.wrapping_add(y),
        Line { to, .. } => to.weight(),
    }
}

pub fn unit_struct(a: i64, b: i64) -> i64 {
    let n = (Nothing, a);
    match n {
        (Nothing, 0) => b,
        (Nothing, x) => x,
    }
}

pub fn newtypes(a: i64, b: i64) -> i64 {
    let m = Meters(a);
    let Meters(n) = Meters(m.0 ^ b);
    norm(Point::new(a, b), Meters(n))
}

pub fn equal_structs(a: i64, b: i64) -> i64 {
    let p = Point::new(a & 3, b & 3);
    let q = Point::new(b & 3, a & 3);
    (p == q) as i64 + 2 * (p != q.flipped()) as i64 + 4 * ((a, b) == (b, a)) as i64
}

pub fn plain_enum(a: i64, b: i64) -> i64 {
    let c = color(a).next();
    match (c, color(b)) {
        (Color::Red, Color::Red) => 1,
        (Color::Red, _) => 2,
        (_, Color::Green | Color::Blue) => 3,
        (Color::Green, Color::Red) => 4,
        (Color::Blue, Color::Red) => 5,
    }
}

pub fn enum_numbers(a: i64, b: i64) -> i64 {
    let step = if a > b {
        Step::High
    } else if a == b {
        Step::Top
    } else {
        Step::Low
    };
    step as i64 * 100 + color(b) as i64 + Step::Top as i64
}

pub fn enum_payloads(a: i64, b: i64) -> i64 {
    Num::of(a).code().wrapping_sub(Num::of(b).code())
}

pub fn enum_sums(a: i64, b: i64) -> i64 {
    match Num::of(a).add(Num::of(b)) {
        Some(n) => n.code(),
        None => -5,
    }
}

pub fn enum_equality(a: i64, b: i64) -> i64 {
    let (x, y) = (Num::of(a), Num::of(b));
    (x == y) as i64 + 2 * (x != x) as i64 + 4 * (shape(a, b) == shape(b, b)) as i64
}

pub fn struct_variants(a: i64, b: i64) -> i64 {
    match shape(a, b) {
        Shape::Dot => 0,
        Shape::Circle { radius, .. } if radius > 100 => -radius,
        Shape::Circle { radius: r, center } => center.x.wrapping_add(r),
        Shape::Rect {
            from,
            to: Point { x, y },
        } => x.wrapping_sub(from.y).wrapping_mul(y),
        Shape::Tagged(Color::Blue, Num::Int(i)) => i,
        Shape::Tagged(Color::Red | Color::Green, Num::Float(f)) => f as i64,
        Shape::Tagged(c, n) => n.code().wrapping_add(c as i64),
    }
}

pub fn one_variant(a: i64, b: i64) -> i64 {
    let Only::One(x, y) = Only::One(a, b);
    let only = Only::One(y, x);
    match only {
        Only::One(0, z) => z,
        Only::One(z, _) => z.wrapping_mul(2),
    }
}

pub fn constants(a: i64, b: i64) -> i64 {
    let n = if a < b { DEFAULT } else { Num::Nil };
    n.code().wrapping_add(UNIT.to.x).wrapping_add(ORIGIN.y)
}

pub fn options(a: i64, b: i64) -> i64 {
    match (half(a), half(b)) {
        (Some(x), Some(y)) => x.wrapping_add(y),
        (Some(x), None) | (None, Some(x)) => x,
        (None, None) => -1,
    }
}

pub fn option_methods(a: i64, b: i64) -> i64 {
    let o = half(a);
    let s = o.is_some() as i64 + 2 * o.is_none() as i64;
    let r = o.unwrap_or(b).wrapping_add(half(b).or(o).unwrap_or(7));
    s.wrapping_add(r).wrapping_add(o.clone().unwrap_or(0))
}

pub fn option_question(a: i64, b: i64) -> i64 {
    match quarter(a) {
        Some(q) => q,
        None => match quarter(b) {
            Some(q) => q.wrapping_neg(),
            None => 1,
        },
    }
}

pub fn option_of_option(a: i64, b: i64) -> i64 {
    let x = match nested(a) {
        None => 0,
        Some(None) => 1,
        Some(Some(v)) => v,
    };
    let y = if let Some(Some(v)) = nested(b) { v } else { -3 };
    x.wrapping_add(y)
}

pub fn option_unwrap(a: i64, b: i64) -> i64 {
    let even = a & !1;
    half(even)
        .unwrap()
        .wrapping_add(half(b & !1).expect("even"))
}

pub fn option_equality(a: i64, b: i64) -> i64 {
    (half(a) == half(b)) as i64 + 2 * (half(a) == None) as i64 + 4 * (half(a) != Some(b)) as i64
}

pub fn results(a: i64, b: i64) -> i64 {
    match both(a, b) {
        Ok((x, y)) => x.wrapping_mul(1000).wrapping_add(y),
        Err(Fault::Zero) => 0,
        Err(f) => fault(f),
    }
}

pub fn result_methods(a: i64, b: i64) -> i64 {
    let r = checked(a);
    let n = r.is_ok() as i64 + 2 * r.is_err() as i64;
    let v = r.unwrap_or(b);
    let o = checked(b).ok();
    let e = checked(b).err();
    let x = match (o, e) {
        (Some(v), None) => v,
        (None, Some(f)) => fault(f),
        _ => -100,
    };
    n.wrapping_add(v).wrapping_add(x)
}

pub fn ok_or(a: i64, b: i64) -> i64 {
    match half(a).ok_or(Fault::Negative(b)) {
        Ok(x) => x,
        Err(Fault::Negative(n)) => n.wrapping_neg(),
        Err(_) => 1,
    }
}

pub fn result_of_unit(a: i64, b: i64) -> i64 {
    fn test(a: i64) -> Result<(), i64> {
        if a & 4 == 0 {
            return Err(a);
        }
        Ok(())
    }
    fn tests(a: i64, b: i64) -> Result<(), i64> {
        test(a)?;
        test(b)
    }
    match tests(a, b) {
        Ok(()) => 11,
        Err(e) => e,
    }
}

pub fn let_else(a: i64, b: i64) -> i64 {
    let Some(x) = half(a) else { return b };
    let Ok(y) = checked(x) else {
        return x.wrapping_neg();
    };
    let (Num::Int(z), _) = (Num::of(b), 0) else {
        return y;
    };
    z.wrapping_add(y)
}

pub fn if_let_chain(a: i64, b: i64) -> i64 {
    if let Some(x) = half(a)
        && x > b
        && let Num::Int(y) = Num::of(b)
    {
        y
    } else if let Num::Float(f) = Num::of(a) {
        f as i64
    } else {
        -8
    }
}

#[unroll_safe]
pub fn while_let(a: i64, _: i64) -> i64 {
    let mut n = a | 1024;
    let mut count = 0;
    while let Some(h) = half(n) {
        n = h;
        count += 1;
        if count > 70 {
            break;
        }
    }
    count
}

#[unroll_safe]
pub fn loop_carried_struct(a: i64, b: i64) -> i64 {
    let mut p = Point::new(a, b);
    let mut n = 0;
    while n < 9 {
        p = Point {
            x: p.y.wrapping_add(n),
            y: p.x ^ p.y,
        };
        n += 1;
    }
    p.weight()
}

#[unroll_safe]
pub fn loop_carried_enum(a: i64, b: i64) -> i64 {
    let mut n = Num::of(a);
    let mut i = 0;
    loop {
        n = match n {
            Num::Nil => Num::Int(b),
            Num::Int(x) if x & 1 == 0 => Num::Float(x as f64),
            Num::Int(x) => Num::Int(x.wrapping_add(3)),
            Num::Byte(x) => Num::Flag(x > 9),
            Num::Float(f) => Num::Byte(f as u8),
            Num::Flag(_) => Num::Nil,
        };
        i += 1;
        if i == 11 {
            break n.code();
        }
    }
}

#[unroll_safe]
pub fn loop_with_tuple_value(a: i64, b: i64) -> i64 {
    let mut i = 0;
    let (n, found) = loop {
        if i * i > a {
            break (i, true);
        }
        i += 1;
        if i > 20 {
            break (b, false);
        }
    };
    if found { n } else { n.wrapping_neg() }
}

pub fn for_with_result(a: i64, b: i64) -> i64 {
    #[unroll_safe]
    fn sum(a: i64, b: i64) -> Result<i64, Fault> {
        let mut s = 0;
        for i in 0..5 {
            s += checked(a.wrapping_add(i))? + checked(b)?;
        }
        Ok(s)
    }
    match sum(a, b) {
        Ok(s) => s,
        Err(f) => fault(f),
    }
}

pub fn block_values(a: i64, b: i64) -> i64 {
    let p = 'out: {
        let Some(x) = half(a) else {
            break 'out Point::new(0, b);
        };
        if x > b {
            break 'out Point::new(x, 1);
        }
        Point::new(b, x)
    };
    p.weight()
}

pub fn if_values(a: i64, b: i64) -> i64 {
    let (x, y) = if a > b { (a, b) } else { (b, a) };
    let n = if x > 10 {
        Num::Int(y)
    } else if y > 0 {
        Num::Flag(true)
    } else {
        Num::Nil
    };
    n.code()
}

pub fn guards_fall_through(a: i64, b: i64) -> i64 {
    match (Num::of(a), b) {
        (Num::Int(x), y) if x > y => 1,
        (Num::Int(x), 0..=9) if x < 0 => 2,
        (Num::Int(_), 5) => 3,
        (Num::Int(x), y) if x == y => 4,
        (_, 10..=99) => 5,
        (Num::Float(f), _) if f > 0.0 => 6,
        (n, y) if n.code() == y => 7,
        _ => 8,
    }
}

pub fn bindings_at(a: i64, b: i64) -> i64 {
    match (a, half(b)) {
        (n @ 0..=50, o @ Some(_)) => n.wrapping_add(o.unwrap_or(0)),
        (n @ (-3 | -5 | 60..=i64::MAX), o) => n.wrapping_sub(o.is_some() as i64),
        (n, Some(m @ 0)) | (m @ n, None) => {
            let _ = m;
            n
        }
        (_, Some(m)) => m,
    }
}

pub fn alternatives_with_names(a: i64, b: i64) -> i64 {
    match shape(a, b) {
        Shape::Circle { center: p, .. } | Shape::Rect { to: p, .. } => p.weight(),
        Shape::Tagged(_, Num::Int(x)) => x,
        Shape::Tagged(c @ (Color::Red | Color::Blue), _) => c as i64,
        Shape::Dot | Shape::Tagged(Color::Green, _) => -2,
    }
}

pub fn alternatives_inside(a: i64, b: i64) -> i64 {
    match (half(a), half(b)) {
        (Some(1 | 2 | 4) | None, Some(x @ (0 | 8..=32))) => x,
        (Some(x), None | Some(1)) => x,
        (Some(0), Some(_)) | (None, None) => -1,
        (x, y) => x.unwrap_or(3).wrapping_mul(y.unwrap_or(4)),
    }
}

pub fn bools_in_patterns(a: i64, b: i64) -> i64 {
    match (a > 0, b > 0, a > b) {
        (true, true, _) => 1,
        (false, true, false) => 2,
        (_, false, true) => 3,
        (x, y, z) => 4 + x as i64 + 2 * (y as i64) + 4 * (z as i64),
    }
}

pub fn narrow_payloads(a: i64, b: i64) -> i64 {
    let x: Result<u8, i16> = if a > b { Ok(a as u8) } else { Err(b as i16) };
    let y: (i8, u32) = (a as i8, b as u32);
    let z = match x {
        Ok(u) => u.wrapping_add(y.0 as u8) as i64,
        Err(i) => i.wrapping_sub(1) as i64,
    };
    z.wrapping_add(y.1.wrapping_add(1) as i64)
}

pub fn floats_in_variants(a: i64, b: i64) -> i64 {
    let x: Option<f64> = if a & 1 == 0 {
        Some(a as f64 / 3.0)
    } else {
        None
    };
    let y: Result<f64, (f64, i64)> = if b > 5 { Ok(b as f64) } else { Err((0.25, b)) };
    let f = match (x, y) {
        (Some(f), Ok(g)) => f + g,
        (None, Ok(g)) => g,
        (Some(f), Err((g, n))) => f * g + n as f64,
        (None, Err((g, _))) => g,
    };
    (f * 16.0) as i64
}

pub fn matches_and_asserts(a: i64, b: i64) -> i64 {
    let n = Num::of(a);
    assert!(matches!(n, Num::Nil) || n != Num::Nil);
    let m = matches!((n, b), (Num::Int(x), y) if x < y);
    m as i64 * 2 + matches!(half(b), Some(2..=64)) as i64
}

pub fn values_through_functions(a: i64, b: i64) -> i64 {
    fn pick(first: bool, x: Shape, y: Shape) -> Shape {
        if first { x } else { y }
    }
    fn area(s: Shape) -> (i64, bool) {
        match s {
            Shape::Rect { from, to } => (to.x.wrapping_sub(from.x).wrapping_mul(to.y), true),
            Shape::Circle { radius, .. } => (radius.wrapping_mul(radius), true),
            _ => (0, false),
        }
    }
    let (n, known) = area(pick(a > b, shape(a, b), shape(b, a)));
    if known { n } else { n.wrapping_sub(1) }
}

pub fn early_returns(a: i64, b: i64) -> i64 {
    #[unroll_safe]
    fn find(a: i64, b: i64) -> (bool, Num) {
        if a == b {
            return (true, Num::Nil);
        }
        let mut i = 0;
        while i < 6 {
            if (a ^ i) & 7 == b & 7 {
                return (true, Num::Int(i));
            }
            i += 1;
        }
        (false, Num::of(b))
    }
    match find(a, b) {
        (true, Num::Int(i)) => i,
        (true, _) => -1,
        (false, n) => n.code(),
    }
}

pub fn order_of_evaluation(a: i64, b: i64) -> i64 {
    let mut n = a;
    let p = Point {
        y: {
            n = n.wrapping_add(1);
            n
        },
        x: {
            n = n.wrapping_mul(2);
            n ^ b
        },
    };
    let t = (n, {
        n = 5;
        n
    });
    p.weight().wrapping_add(t.0).wrapping_sub(t.1)
}

pub fn shadowing(a: i64, b: i64) -> i64 {
    let p = (a, b);
    let p = Point { x: p.1, y: p.0 };
    let p = Some(p);
    let Some(p) = p else { return 0 };
    let Point { x: p, .. } = p;
    p
}

pub fn large_values(a: i64, b: i64) -> i64 {
    let l = Line {
        from: Point::new(a, 1),
        to: Point::new(b, 2),
        open: a < b,
    };
    let pair = (l, Line { open: !l.open, ..l });
    let x: Result<(Line, Line), Shape> = if b & 1 == 0 {
        Ok(pair)
    } else {
        Err(shape(a, b))
    };
    match x {
        Ok((Line { from, .. }, Line { to, open, .. })) => {
            from.plus(to).weight().wrapping_add(open as i64)
        }
        Err(Shape::Tagged(..)) => 3,
        Err(s) => (s == Shape::Dot) as i64,
    }
}

#[unroll_safe]
pub fn mutable_state(a: i64, b: i64) -> i64 {
    let mut best: Option<(i64, i64)> = None;
    let mut i = 0;
    while i < 8 {
        let key = (a ^ (b << (i & 3))) & 0xFF;
        best = match best {
            Some((k, _)) if k >= key => best,
            _ => Some((key, i)),
        };
        i += 1;
    }
    match best {
        Some((key, at)) => key * 10 + at,
        None => -1,
    }
}

#[unroll_safe]
pub fn state_machine(a: i64, b: i64) -> i64 {
    enum State {
        Start,
        Digits { value: i64, left: u8 },
        Done(i64),
    }
    let mut state = State::Start;
    let mut bits = a;
    loop {
        state = match state {
            State::Start => State::Digits { value: b, left: 6 },
            State::Digits { value, left: 0 } => State::Done(value),
            State::Digits { value, left } => {
                let bit = bits & 1;
                bits >>= 1;
                State::Digits {
                    value: value.wrapping_mul(2).wrapping_add(bit),
                    left: left - 1,
                }
            }
            State::Done(value) => return value,
        };
    }
}

pub fn wide_ranges_in_tuples(a: i64, b: i64) -> i64 {
    match (a, b) {
        (i64::MIN..=-1, i64::MIN..=-1) => 1,
        (0..=1000, 0..=1000) if a == b => 2,
        (0.., 0..) => 3,
        (x, 7) => x,
        (-100..=-1, _) => 4,
        _ => 5,
    }
}

pub fn promoted_units(a: i64, b: i64) -> i64 {
    let u: ((), i64) = ((), a);
    let ((), x) = u;
    let e: Result<(), ()> = if x > b { Ok(()) } else { Err(()) };
    e.is_ok() as i64
}

#[unroll_safe]
pub fn or_patterns_in_loops(a: i64, b: i64) -> i64 {
    let mut left = Some((a, 5));
    let mut sum = b;
    while let Some((n, count @ 1..)) = left {
        sum = sum.wrapping_mul(3).wrapping_add(n);
        left = match n & 3 {
            0 | 3 => Some((n >> 1, count - 1)),
            _ if count == 2 => None,
            _ => Some((n.wrapping_add(1), count - 1)),
        };
    }
    sum
}

pub fn results_of_enums(a: i64, b: i64) -> i64 {
    fn parse(a: i64) -> Result<Num, Color> {
        match Num::of(a) {
            Num::Nil => Err(Color::Red),
            Num::Flag(b) => Err(if b { Color::Green } else { Color::Blue }),
            n => Ok(n),
        }
    }
    fn sum(a: i64, b: i64) -> Result<Num, Color> {
        let sum = parse(a)?.add(parse(b)?);
        sum.ok_or(Color::Blue)
    }
    match sum(a, b) {
        Ok(n) => n.code(),
        Err(c) => -(c as i64),
    }
}

pub fn tuples_of_options(a: i64, b: i64) -> i64 {
    let t: (Option<i64>, Option<bool>, Option<f64>) = (half(a), Some(a > b), None);
    match t {
        (Some(0), Some(false), _) => 1,
        (None, Some(x), None) => 2 + x as i64,
        (Some(n), Some(true), None) => n,
        (_, _, f) => f.is_some() as i64 - 1,
    }
}

pub fn methods_by_reference(a: i64, b: i64) -> i64 {
    let (p, n) = (Point::new(a, b), Num::of(a));
    let q = Point::flipped(&p);
    p.weight()
        .wrapping_sub(q.weight())
        .wrapping_add(n.is_number() as i64)
}

pub fn parts_of_calls(a: i64, b: i64) -> i64 {
    let n = divmod(a, b).0.wrapping_add(shape_point(a, b).x);
    Point::new(n, b).plus(ORIGIN).flipped().y
}

fn shape_point(a: i64, b: i64) -> Point {
    match shape(a, b) {
        Shape::Circle { center, .. } => center,
        Shape::Rect { to, .. } => to,
        _ => ORIGIN,
    }
}

pub fn values_that_are_replaced(a: i64, b: i64) -> i64 {
    let mut s = shape(a, b);
    if let Shape::Dot = s {
        s = Shape::Tagged(Color::Green, DEFAULT);
    }
    let mut n = Num::Byte(3);
    if let Shape::Tagged(_, m) = s {
        n = m;
    } else if s != Shape::Dot {
        n = Num::Float(b as f64);
    }
    n.code()
}

pub fn guards_are_asked_again(a: i64, b: i64) -> i64 {
    let mut n = 0;
    let x = match (a & 3, half(b)) {
        (1 | 1..=2, _) | (_, None) if n == b & 7 => 10,
        (0 | 2 | 0..=3, Some(0 | _) | None)
            if {
                n += 1;
                n > a & 7
            } =>
        {
            20
        }
        (1 | _, Some(y)) | (y, _)
            if {
                n += 10;
                y > n
            } =>
        {
            30
        }
        _ => 40,
    };
    x + n
}

// What follows is written by `cargo run -p conformance-tables`.

/// The functions, in the order of their numbers.
#[rustfmt::skip]
pub const CASES: &[&str] = &[
    "tuple_locals",
    "tuple_destructuring",
    "tuple_parameter",
    "tuple_assignment",
    "tuple_fields_assigned",
    "one_tuple",
    "struct_fields",
    "struct_update",
    "struct_assignment",
    "nested_struct_pattern",
    "unit_struct",
    "newtypes",
    "equal_structs",
    "plain_enum",
    "enum_numbers",
    "enum_payloads",
    "enum_sums",
    "enum_equality",
    "struct_variants",
    "one_variant",
    "constants",
    "options",
    "option_methods",
    "option_question",
    "option_of_option",
    "option_unwrap",
    "option_equality",
    "results",
    "result_methods",
    "ok_or",
    "result_of_unit",
    "let_else",
    "if_let_chain",
    "while_let",
    "loop_carried_struct",
    "loop_carried_enum",
    "loop_with_tuple_value",
    "for_with_result",
    "block_values",
    "if_values",
    "guards_fall_through",
    "bindings_at",
    "alternatives_with_names",
    "alternatives_inside",
    "bools_in_patterns",
    "narrow_payloads",
    "floats_in_variants",
    "matches_and_asserts",
    "values_through_functions",
    "early_returns",
    "order_of_evaluation",
    "shadowing",
    "large_values",
    "mutable_state",
    "state_machine",
    "wide_ranges_in_tuples",
    "promoted_units",
    "or_patterns_in_loops",
    "results_of_enums",
    "tuples_of_options",
    "methods_by_reference",
    "parts_of_calls",
    "values_that_are_replaced",
    "guards_are_asked_again",
];

/// Function number `case` of two numbers.
#[rustfmt::skip]
pub fn run(case: i64, a: i64, b: i64) -> i64 {
    match case {
        0 => tuple_locals(a, b),
        1 => tuple_destructuring(a, b),
        2 => tuple_parameter(a, b),
        3 => tuple_assignment(a, b),
        4 => tuple_fields_assigned(a, b),
        5 => one_tuple(a, b),
        6 => struct_fields(a, b),
        7 => struct_update(a, b),
        8 => struct_assignment(a, b),
        9 => nested_struct_pattern(a, b),
        10 => unit_struct(a, b),
        11 => newtypes(a, b),
        12 => equal_structs(a, b),
        13 => plain_enum(a, b),
        14 => enum_numbers(a, b),
        15 => enum_payloads(a, b),
        16 => enum_sums(a, b),
        17 => enum_equality(a, b),
        18 => struct_variants(a, b),
        19 => one_variant(a, b),
        20 => constants(a, b),
        21 => options(a, b),
        22 => option_methods(a, b),
        23 => option_question(a, b),
        24 => option_of_option(a, b),
        25 => option_unwrap(a, b),
        26 => option_equality(a, b),
        27 => results(a, b),
        28 => result_methods(a, b),
        29 => ok_or(a, b),
        30 => result_of_unit(a, b),
        31 => let_else(a, b),
        32 => if_let_chain(a, b),
        33 => while_let(a, b),
        34 => loop_carried_struct(a, b),
        35 => loop_carried_enum(a, b),
        36 => loop_with_tuple_value(a, b),
        37 => for_with_result(a, b),
        38 => block_values(a, b),
        39 => if_values(a, b),
        40 => guards_fall_through(a, b),
        41 => bindings_at(a, b),
        42 => alternatives_with_names(a, b),
        43 => alternatives_inside(a, b),
        44 => bools_in_patterns(a, b),
        45 => narrow_payloads(a, b),
        46 => floats_in_variants(a, b),
        47 => matches_and_asserts(a, b),
        48 => values_through_functions(a, b),
        49 => early_returns(a, b),
        50 => order_of_evaluation(a, b),
        51 => shadowing(a, b),
        52 => large_values(a, b),
        53 => mutable_state(a, b),
        54 => state_machine(a, b),
        55 => wide_ranges_in_tuples(a, b),
        56 => promoted_units(a, b),
        57 => or_patterns_in_loops(a, b),
        58 => results_of_enums(a, b),
        59 => tuples_of_options(a, b),
        60 => methods_by_reference(a, b),
        61 => parts_of_calls(a, b),
        62 => values_that_are_replaced(a, b),
        63 => guards_are_asked_again(a, b),
        _ => panic!("there is no such function"),
    }
}
