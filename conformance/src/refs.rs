//! References to values in locals: `&mut` passed down, re-lent, to parts, to payloads; `&` as
//! values; references in patterns. In: two integers. Out: one.

use verdigris::prelude::*;

#[derive(Clone, Copy, PartialEq)]
pub struct Pair {
    left: i64,
    right: i64,
}

#[derive(Clone, Copy, PartialEq)]
pub struct State {
    pc: usize,
    pair: Pair,
    flag: bool,
    ratio: f64,
    mode: Mode,
    last: Option<i64>,
}

#[derive(Clone, Copy, PartialEq)]
pub enum Mode {
    Idle,
    Counting(i64),
    Both(u8, Pair),
    Named { step: i64, pair: Pair },
}

#[derive(Clone, Copy, PartialEq)]
pub struct Wrapper(i64, Mode);

impl Pair {
    fn new(left: i64, right: i64) -> Pair {
        Pair { left, right }
    }

    fn sum(&self) -> i64 {
        self.left.wrapping_add(self.right)
    }

    fn swap(&mut self) {
        let left = self.left;
        self.left = self.right;
        self.right = left;
    }

    fn bump(&mut self, by: i64) -> i64 {
        self.left += by;
        self.right -= by;
        self.sum()
    }

    fn bump_both(&mut self, other: &mut Pair) -> i64 {
        let first = self.bump(1);
        other.bump(first) ^ self.bump(other.left)
    }

    fn left_mut(&mut self, to: i64) -> &Pair {
        self.left = to;
        &*self
    }

    fn smaller<'a>(&'a self, other: &'a Pair) -> &'a Pair {
        if self.sum() < other.sum() {
            self
        } else {
            other
        }
    }
}

impl State {
    fn new(a: i64, b: i64) -> State {
        State {
            pc: 0,
            pair: Pair::new(a, b),
            flag: a > b,
            ratio: 0.5,
            mode: Mode::Idle,
            last: None,
        }
    }

    fn next(&mut self, program: i64) -> i64 {
        let byte = (program >> (self.pc * 8)) & 0xFF;
        self.pc = (self.pc + 1) & 7;
        byte
    }

    fn step(&mut self, program: i64) {
        match self.next(program) {
            0..=63 => self.pair.swap(),
            64..=127 => {
                let by = self.next(program);
                self.pair.bump(by);
            }
            128..=191 => self.mode.advance(self.pair.left),
            byte => self.last = Some(byte),
        }
        self.ratio *= 1.5;
    }

    fn checked(&mut self, by: i64) -> Option<i64> {
        self.pc += 1;
        if by == 0 {
            return None;
        }
        let last = self.last?;
        self.pc += 10;
        Some(last / by)
    }

    fn digest(&self) -> i64 {
        let mode = self.mode.weight();
        let last = match &self.last {
            Some(x) => *x,
            None => -7,
        };
        let flag = i64::from(self.flag);
        self.pc as i64 * 31 + self.pair.sum() + mode * 5 + last * 3 + flag + self.ratio as i64
    }
}

impl Mode {
    fn advance(&mut self, by: i64) {
        match self {
            Mode::Idle => *self = Mode::Counting(by),
            Mode::Counting(n) if *n > 1000 => *self = Mode::Both(3, Pair::new(*n, by)),
            Mode::Counting(n) => *n += by,
            Mode::Both(byte, pair) => {
                *byte = byte.wrapping_mul(7).wrapping_add(1);
                if pair.bump(by) < 0 {
                    *self = Mode::Named {
                        step: by,
                        pair: Pair::new(1, 2),
                    };
                }
            }
            Mode::Named { step, pair } => {
                pair.left ^= *step;
                *step += 1;
            }
        }
    }

    fn weight(&self) -> i64 {
        match self {
            Mode::Idle => 1,
            Mode::Counting(n) => *n,
            Mode::Both(byte, pair) => i64::from(*byte) + pair.sum(),
            Mode::Named {
                step,
                pair: Pair { left, .. },
            } => step.wrapping_mul(*left),
        }
    }

    fn is_idle(self) -> bool {
        self == Mode::Idle
    }
}

fn next(pc: &mut usize) -> i64 {
    let at = *pc;
    *pc += 1;
    at as i64
}

fn two(pc: &mut usize) -> i64 {
    let first = next(pc);
    let second = next(&mut *pc);
    first * 10 + second
}

fn early(x: &mut i64, limit: i64) -> i64 {
    *x += 1;
    if *x > limit {
        *x = -1;
        return 5;
    }
    *x *= 2;
    6
}

fn tried(x: &mut i64, by: i64) -> Result<i64, i64> {
    *x += 1;
    let half = halve(by)?;
    *x += 100;
    Ok(half)
}

fn halve(x: i64) -> Result<i64, i64> {
    if x & 1 == 0 { Ok(x / 2) } else { Err(x) }
}

fn exchange(x: &mut i64, y: &mut i64) {
    let old = *x;
    *x = *y;
    *y = old;
}

fn add_to(total: &mut i64, x: &i64) {
    *total = total.wrapping_add(*x);
}

fn spread((x, y): &mut (i64, i64), by: i64) {
    *x += by;
    *y -= by;
}

fn take_ref(&(x, y): &(i64, i64)) -> i64 {
    x - y
}

fn refresh(x: &mut i64) -> ! {
    *x = 4;
    panic!("never comes back")
}

#[unroll_safe]
fn drain(left: &mut i64) -> i64 {
    let mut rounds = 0;
    while *left > 0 && rounds < 6 {
        *left -= 3;
        rounds += 1;
    }
    rounds
}

fn narrow(x: &mut u8, y: &mut i16) {
    *x += 200;
    *y = y.wrapping_mul(300);
}

pub fn lent_local(a: i64, b: i64) -> i64 {
    let mut pc = (a & 7) as usize;
    let first = next(&mut pc);
    let second = next(&mut pc);
    first * 100 + second * 10 + pc as i64 + b
}

pub fn lent_again(a: i64, b: i64) -> i64 {
    let mut pc = (a & 15) as usize;
    let x = two(&mut pc);
    x.wrapping_mul(b) + pc as i64
}

pub fn lent_order(a: i64, _: i64) -> i64 {
    let mut pc = (a & 15) as usize;
    let x = pc as i64 * 1000 + next(&mut pc) * 100 + pc as i64 * 10 + next(&mut pc);
    x + pc as i64
}

pub fn lent_compound(a: i64, _: i64) -> i64 {
    let mut pc = (a & 15) as usize;
    pc += two(&mut pc) as usize;
    pc as i64
}

pub fn lent_early_return(a: i64, b: i64) -> i64 {
    let mut x = a;
    let r = early(&mut x, b);
    r + x
}

pub fn lent_try(a: i64, b: i64) -> i64 {
    let mut x = a;
    let r = match tried(&mut x, b) {
        Ok(h) => h,
        Err(e) => e.wrapping_mul(3),
    };
    r ^ x
}

pub fn lent_two(a: i64, b: i64) -> i64 {
    let (mut x, mut y) = (a, b);
    exchange(&mut x, &mut y);
    x.wrapping_mul(3) - y
}

pub fn lent_parts(a: i64, b: i64) -> i64 {
    let mut pair = Pair::new(a, b);
    exchange(&mut pair.left, &mut pair.right);
    let mut tuple = (a, (b, 3));
    exchange(&mut tuple.0, &mut tuple.1.0);
    pair.left.wrapping_mul(5) ^ tuple.0 ^ tuple.1.0.wrapping_mul(7) ^ tuple.1.1
}

pub fn lent_deep_part(a: i64, b: i64) -> i64 {
    let mut state = State::new(a, b);
    exchange(&mut state.pair.left, &mut state.pair.right);
    next(&mut state.pc);
    state.digest()
}

pub fn lent_in_loop(a: i64, b: i64) -> i64 {
    let mut left = a & 31;
    let rounds = drain(&mut left);
    rounds * 100 + left + b
}

pub fn lent_tuple_pattern(a: i64, b: i64) -> i64 {
    let mut t = (a, b);
    spread(&mut t, 5);
    t.0.wrapping_mul(3) ^ t.1 ^ take_ref(&t)
}

pub fn lent_temporary(a: i64, b: i64) -> i64 {
    early(&mut (a + 1), b) + early(&mut 3, a)
}

pub fn lent_narrow(a: i64, b: i64) -> i64 {
    let (mut x, mut y) = (a as u8, b as i16);
    narrow(&mut x, &mut y);
    i64::from(x) * 100_000 + i64::from(y)
}

pub fn lent_never(a: i64, b: i64) -> i64 {
    let mut x = a;
    if a > b {
        refresh(&mut x);
    }
    x - b
}

pub fn lent_conditionally(a: i64, b: i64) -> i64 {
    let (mut x, mut y) = (a, b);
    if a > b {
        early(&mut x, 10);
    } else {
        early(&mut y, 20);
    }
    x.wrapping_mul(3) ^ y
}

pub fn mut_method(a: i64, b: i64) -> i64 {
    let mut pair = Pair::new(a, b);
    pair.swap();
    let s = pair.bump(3);
    s ^ pair.left
}

pub fn mut_method_of_part(a: i64, b: i64) -> i64 {
    let mut state = State::new(a, b);
    state.pair.swap();
    state.mode.advance(a);
    state.mode.advance(b);
    state.digest()
}

pub fn mut_method_two_phases(a: i64, b: i64) -> i64 {
    let mut pair = Pair::new(a, b);
    pair.bump(pair.sum());
    pair.bump(pair.left.wrapping_mul(2)) ^ pair.right
}

pub fn mut_method_by_path(a: i64, b: i64) -> i64 {
    let mut pair = Pair::new(a, b);
    Pair::swap(&mut pair);
    Pair::bump(&mut pair, 4) - pair.left + Pair::sum(&pair)
}

pub fn mut_method_on_temporary(a: i64, b: i64) -> i64 {
    Pair::new(a, b).bump(7) + Pair::new(b, a).left_mut(3).sum()
}

pub fn mut_methods_on_both(a: i64, b: i64) -> i64 {
    let (mut p, mut q) = (Pair::new(a, 1), Pair::new(2, b));
    let r = p.bump_both(&mut q);
    r ^ p.sum() ^ q.left
}

pub fn machine(a: i64, b: i64) -> i64 {
    let mut state = State::new(a, b);
    state.step(a);
    state.step(b);
    state.step(a ^ b);
    state.step(a);
    state.digest()
}

pub fn mut_method_with_try(a: i64, b: i64) -> i64 {
    let mut state = State::new(a, b);
    if a & 1 == 0 {
        state.last = Some(b & 0xFFFF);
    }
    let r = state.checked(a & 3);
    state.digest() + r.unwrap_or(-5)
}

pub fn enum_advance(a: i64, b: i64) -> i64 {
    let mut mode = Mode::Idle;
    mode.advance(a);
    mode.advance(b);
    mode.advance(b);
    mode.advance(a);
    mode.advance(-1);
    mode.weight()
}

pub fn alias_local(a: i64, b: i64) -> i64 {
    let mut x = a;
    let r = &mut x;
    *r += b;
    *r ^= 5;
    let y = *r;
    x.wrapping_mul(3) - y
}

pub fn alias_of_alias(a: i64, b: i64) -> i64 {
    let mut pair = Pair::new(a, b);
    let p = &mut pair;
    p.left += 1;
    let left = &mut p.left;
    *left *= 2;
    let again = &mut *left;
    *again -= 3;
    p.swap();
    pair.left - pair.right
}

pub fn alias_moved(a: i64, b: i64) -> i64 {
    let mut x = a;
    let r = &mut x;
    let s: &mut i64 = r;
    *s += b;
    early(s, 10);
    x
}

pub fn alias_of_value(a: i64, b: i64) -> i64 {
    let r = &mut (a + b);
    *r += 1;
    *r
}

pub fn alias_shadows(a: i64, b: i64) -> i64 {
    let mut x = a;
    {
        let x = &mut x;
        *x += b;
        exchange(x, &mut (b ^ 9));
        *x += a;
    }
    x
}

pub fn alias_destructured(a: i64, b: i64) -> i64 {
    let mut state = State::new(a, b);
    let State {
        pc,
        pair: Pair { left, .. },
        ..
    } = &mut state;
    *pc += 5;
    *left ^= 77;
    let (x, y) = &mut (a, b);
    *x += 1;
    *y += *x;
    state.digest() + *y
}

pub fn alias_of_payload(a: i64, b: i64) -> i64 {
    let mut opt = if a > b { Some(a) } else { None };
    if let Some(x) = &mut opt {
        *x += 10;
    }
    match &mut opt {
        Some(x) if *x > 100 => *x = 100,
        Some(x) => *x += 1,
        None => opt = Some(3),
    }
    match opt {
        Some(x) => x,
        None => -1,
    }
}

pub fn alias_by_ref_mut(a: i64, b: i64) -> i64 {
    let mut mode = if a > 0 {
        Mode::Counting(a)
    } else {
        Mode::Both(1, Pair::new(a, b))
    };
    match mode {
        Mode::Counting(ref mut n) => *n ^= b,
        Mode::Both(
            ref mut byte,
            Pair {
                ref mut left,
                right,
            },
        ) => {
            *byte += 1;
            *left += right;
        }
        _ => {}
    }
    mode.weight()
}

pub fn alias_as_mut(a: i64, b: i64) -> i64 {
    let mut opt = Some(Pair::new(a, b));
    if let Some(p) = opt.as_mut() {
        p.swap();
        p.left += 1;
    }
    match opt {
        Some(Pair { left, right }) => left.wrapping_mul(3) - right,
        None => 0,
    }
}

pub fn alias_in_let_else(a: i64, b: i64) -> i64 {
    let mut mode = if a > b { Mode::Counting(b) } else { Mode::Idle };
    let Mode::Counting(n) = &mut mode else {
        return -3;
    };
    *n += a;
    mode.weight()
}

pub fn alias_in_result(a: i64, b: i64) -> i64 {
    let mut r: Result<i64, Pair> = if a > b { Ok(a) } else { Err(Pair::new(a, b)) };
    match &mut r {
        Ok(x) => *x += 1,
        Err(p) => p.swap(),
    }
    match r {
        Ok(x) => x,
        Err(p) => p.left,
    }
}

#[unroll_safe]
pub fn alias_in_while_let(a: i64, b: i64) -> i64 {
    let mut opt = Some(a & 7);
    let mut sum = b;
    while let Some(x) = &mut opt {
        sum += *x;
        *x -= 1;
        if *x < 0 {
            opt = None;
        }
    }
    sum
}

pub fn wrapped_enum(a: i64, b: i64) -> i64 {
    let mut w = Wrapper(a, Mode::Counting(b));
    match &mut w {
        Wrapper(0, mode) => mode.advance(5),
        Wrapper(n, Mode::Counting(m)) => {
            *n += 1;
            *m += *n;
        }
        Wrapper(n, _) => *n = 0,
    }
    w.0.wrapping_mul(31) + w.1.weight()
}

pub fn shared_argument(a: i64, b: i64) -> i64 {
    let mut total = 0;
    add_to(&mut total, &a);
    add_to(&mut total, &(b + 1));
    let r = &total;
    *r + total
}

pub fn shared_local(a: i64, b: i64) -> i64 {
    let pair = Pair::new(a, b);
    let p = &pair;
    let q = &p.left;
    let pp = &p;
    *q + pp.right + p.sum() + (*p).left
}

pub fn shared_compare(a: i64, b: i64) -> i64 {
    let (x, y) = (Pair::new(a, b), Pair::new(b, a));
    let (p, q) = (&x, &y);
    i64::from(p == q) + 2 * i64::from(&a == &b) + 4 * i64::from(*p != *q) + 8 * i64::from(&a < &b)
}

pub fn shared_arithmetic(a: i64, b: i64) -> i64 {
    let (p, q) = (&a, &b);
    (p ^ q) + (*p & 7) * (q & &15) - -p
}

pub fn shared_result(a: i64, b: i64) -> i64 {
    let (x, y) = (Pair::new(a, b), Pair::new(b, 5));
    let s = x.smaller(&y);
    s.left.wrapping_mul(3) + s.right
}

pub fn shared_match(a: i64, b: i64) -> i64 {
    let opt = if a > b { Some(Pair::new(a, b)) } else { None };
    let first = match &opt {
        Some(Pair { left, right }) => *left - *right,
        None => 4,
    };
    let second = match opt {
        Some(ref p) => p.sum(),
        None => 5,
    };
    if let Some(p) = &opt
        && p.left > 3
    {
        return first ^ p.right;
    }
    first + second
}

pub fn shared_patterns(a: i64, b: i64) -> i64 {
    let pair = (a, b);
    let &(x, y) = &pair;
    let ref z = x;
    match &pair {
        &(0, n) => n,
        (1, n) => *n + 1,
        (m, _) => *m + y + *z,
    }
}

pub fn self_by_value_of_reference(a: i64, b: i64) -> i64 {
    let mut mode = if a > b { Mode::Idle } else { Mode::Counting(a) };
    let r = &mut mode;
    let idle = i64::from(r.is_idle());
    r.advance(b);
    idle + i64::from(r.is_idle()) * 2 + r.weight()
}

pub fn panic_behind_assignment(a: i64, b: i64) -> i64 {
    let mut x = a;
    let q = divide(&mut x, b);
    q + x
}

fn divide(x: &mut i64, y: i64) -> i64 {
    *x += 1;
    let q = *x / y;
    *x += 1;
    q
}

struct Machine {
    top: i64,
    next: i64,
    last: Option<(i64, bool)>,
}

pub fn swapped_and_taken(a: i64, b: i64) -> i64 {
    let mut machine = Machine {
        top: a,
        next: b,
        last: (a > b).then_some((a, b > 0)),
    };
    let mut other = 5;
    std::mem::swap(&mut machine.top, &mut machine.next);
    let old = std::mem::replace(&mut machine.top, a ^ 1);
    std::mem::swap(&mut other, &mut machine.next);
    let taken = core::mem::take(&mut machine.last);
    let left = std::mem::take(&mut other);
    let seen = taken.map_or(3, |(x, flag)| x ^ i64::from(flag));
    let rest = i64::from(machine.last.is_none()) + other;
    let kept = machine.top ^ machine.next.wrapping_mul(5);
    drop(machine);
    old ^ seen.wrapping_mul(3) ^ kept ^ left ^ rest
}

// What follows is written by `cargo run -p conformance-tables`.

/// The functions, in the order of their numbers.
#[rustfmt::skip]
pub const CASES: &[&str] = &[
    "lent_local",
    "lent_again",
    "lent_order",
    "lent_compound",
    "lent_early_return",
    "lent_try",
    "lent_two",
    "lent_parts",
    "lent_deep_part",
    "lent_in_loop",
    "lent_tuple_pattern",
    "lent_temporary",
    "lent_narrow",
    "lent_never",
    "lent_conditionally",
    "mut_method",
    "mut_method_of_part",
    "mut_method_two_phases",
    "mut_method_by_path",
    "mut_method_on_temporary",
    "mut_methods_on_both",
    "machine",
    "mut_method_with_try",
    "enum_advance",
    "alias_local",
    "alias_of_alias",
    "alias_moved",
    "alias_of_value",
    "alias_shadows",
    "alias_destructured",
    "alias_of_payload",
    "alias_by_ref_mut",
    "alias_as_mut",
    "alias_in_let_else",
    "alias_in_result",
    "alias_in_while_let",
    "wrapped_enum",
    "shared_argument",
    "shared_local",
    "shared_compare",
    "shared_arithmetic",
    "shared_result",
    "shared_match",
    "shared_patterns",
    "self_by_value_of_reference",
    "panic_behind_assignment",
    "swapped_and_taken",
];

/// Function number `case` of two numbers.
#[rustfmt::skip]
pub fn run(case: i64, a: i64, b: i64) -> i64 {
    match case {
        0 => lent_local(a, b),
        1 => lent_again(a, b),
        2 => lent_order(a, b),
        3 => lent_compound(a, b),
        4 => lent_early_return(a, b),
        5 => lent_try(a, b),
        6 => lent_two(a, b),
        7 => lent_parts(a, b),
        8 => lent_deep_part(a, b),
        9 => lent_in_loop(a, b),
        10 => lent_tuple_pattern(a, b),
        11 => lent_temporary(a, b),
        12 => lent_narrow(a, b),
        13 => lent_never(a, b),
        14 => lent_conditionally(a, b),
        15 => mut_method(a, b),
        16 => mut_method_of_part(a, b),
        17 => mut_method_two_phases(a, b),
        18 => mut_method_by_path(a, b),
        19 => mut_method_on_temporary(a, b),
        20 => mut_methods_on_both(a, b),
        21 => machine(a, b),
        22 => mut_method_with_try(a, b),
        23 => enum_advance(a, b),
        24 => alias_local(a, b),
        25 => alias_of_alias(a, b),
        26 => alias_moved(a, b),
        27 => alias_of_value(a, b),
        28 => alias_shadows(a, b),
        29 => alias_destructured(a, b),
        30 => alias_of_payload(a, b),
        31 => alias_by_ref_mut(a, b),
        32 => alias_as_mut(a, b),
        33 => alias_in_let_else(a, b),
        34 => alias_in_result(a, b),
        35 => alias_in_while_let(a, b),
        36 => wrapped_enum(a, b),
        37 => shared_argument(a, b),
        38 => shared_local(a, b),
        39 => shared_compare(a, b),
        40 => shared_arithmetic(a, b),
        41 => shared_result(a, b),
        42 => shared_match(a, b),
        43 => shared_patterns(a, b),
        44 => self_by_value_of_reference(a, b),
        45 => panic_behind_assignment(a, b),
        46 => swapped_and_taken(a, b),
        _ => panic!("there is no such function"),
    }
}
