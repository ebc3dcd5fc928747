//! Closures as arguments of functions: values, functions and other closures in their place,
//! variables that they change, what leaves them and the functions that take them. In: two integers.
//! Out: one.

#[derive(Clone, Copy)]
pub struct Pair {
    left: i64,
    right: i64,
}

impl Pair {
    fn map(self, f: impl Fn(i64) -> i64) -> Pair {
        Pair {
            left: f(self.left),
            right: f(self.right),
        }
    }

    fn fold<T, F>(&self, first: T, mut f: F) -> T
    where
        F: FnMut(T, i64) -> T,
    {
        let one = f(first, self.left);
        f(one, self.right)
    }

    fn change(&mut self, f: impl FnOnce(i64, i64) -> Option<i64>) -> bool {
        let Some(left) = f(self.left, self.right) else {
            return false;
        };
        self.left = left;
        true
    }

    fn sum(self) -> i64 {
        self.left.wrapping_add(self.right)
    }
}

/// What has pairs.
pub trait Pairs {
    fn pair(&self) -> Pair;

    fn with<R>(&self, f: impl FnOnce(Pair) -> R) -> R {
        f(self.pair())
    }
}

impl Pairs for i64 {
    fn pair(&self) -> Pair {
        Pair {
            left: *self,
            right: self >> 1,
        }
    }
}

impl Pairs for bool {
    fn pair(&self) -> Pair {
        Pair {
            left: i64::from(*self),
            right: 7,
        }
    }
}

fn apply<F: Fn(i64) -> i64>(x: i64, f: F) -> i64 {
    f(x)
}

fn twice(x: i64, f: &impl Fn(i64) -> i64) -> i64 {
    f(f(x))
}

fn passed_on<F>(x: i64, f: F) -> i64
where
    F: Fn(i64) -> i64,
{
    apply(x, &f) ^ twice(x, &f)
}

fn around(x: i64, f: impl Fn(i64) -> i64) -> i64 {
    let k = 3;
    apply(x, |v| f(v + k) - k)
}

fn any_of<T: Copy, U>(x: T, f: impl FnOnce(T) -> U) -> (T, U) {
    (x, f(x))
}

fn early(x: i64, f: impl Fn(i64) -> Option<i64>) -> Option<i64> {
    if x & 1 == 1 {
        return None;
    }
    let y = f(x)?;
    if y > 100 {
        return Some(y - 100);
    }
    f(y)
}

#[verdigris::unroll_safe]
fn repeat(n: i64, mut f: impl FnMut(i64)) {
    let mut i = 0;
    while i < n {
        f(i);
        i += 1;
    }
}

fn lends(x: &mut i64, f: impl Fn(i64) -> i64) -> i64 {
    let old = *x;
    *x = f(old);
    old
}

fn refs(p: Pair, f: impl Fn(&Pair) -> bool) -> i64 {
    if f(&p) { p.left } else { p.right }
}

fn or_panic(x: i64, f: impl Fn(i64) -> bool) -> i64 {
    assert!(f(x), "refused {x}");
    x
}

fn double(x: i64) -> i64 {
    x.wrapping_mul(2)
}

fn add(table: &[i64; 3], f: impl Fn(i64) -> i64) -> i64 {
    let [a, b, c] = *table;
    f(a).wrapping_add(f(b)).wrapping_add(f(c))
}

pub fn of_closures(a: i64, b: i64) -> i64 {
    apply(a, |x| x.wrapping_add(b)) ^ twice(b, &|x: i64| -> i64 { x.wrapping_mul(a) })
}

pub fn of_functions(a: i64, b: i64) -> i64 {
    let pointer: fn(i64) -> i64 = double;
    apply(a, double)
        ^ apply(b, i64::wrapping_neg)
        ^ twice(a, &pointer)
        ^ apply(b, crate::closure_args::double)
}

pub fn of_names(a: i64, b: i64) -> i64 {
    let shift = |x: i64| x.wrapping_add(b);
    apply(a, shift) ^ twice(a, &shift) ^ shift(b)
}

pub fn through_others(a: i64, b: i64) -> i64 {
    let k = 5;
    passed_on(a, |x| x.wrapping_mul(b) + k) ^ around(b, |x| x.wrapping_mul(k))
}

pub fn nested(a: i64, b: i64) -> i64 {
    apply(a, |x| {
        apply(x, |y| apply(y, |z| x ^ y.wrapping_add(z).wrapping_mul(b)))
    })
}

pub fn types_of_results(a: i64, b: i64) -> i64 {
    let (x, even) = any_of(a, |x| x & 1 == 0);
    let (_, pair) = any_of(b, |left| Pair { left, right: x });
    let (_, some) = any_of(x, Some);
    i64::from(even) + pair.sum().wrapping_mul(3) + some.unwrap_or(b)
}

pub fn leaves(a: i64, b: i64) -> i64 {
    let f = early(a, |x| {
        if x > b {
            return Some(x.wrapping_sub(b));
        }
        let y = x.checked_add(b)?;
        Some(y & 0xff)
    });
    f.unwrap_or(-1)
}

pub fn changes_variables(a: i64, b: i64) -> i64 {
    let mut sum = b;
    let mut last = 0;
    repeat(a & 7, |i| {
        sum = sum.wrapping_add(i * a);
        last = i;
    });
    sum ^ last
}

pub fn loops_in_loops(a: i64, b: i64) -> i64 {
    let mut seen = 0i64;
    repeat(a & 3, |i| {
        repeat(b & 3, |j| {
            if j == i {
                return;
            }
            seen = seen.wrapping_mul(10).wrapping_add(i + j);
        })
    });
    seen
}

pub fn lent(a: i64, b: i64) -> i64 {
    let (mut x, mut pair) = (a, Pair { left: b, right: a });
    let old = lends(&mut x, |v| v.wrapping_mul(3));
    let left = lends(&mut pair.left, |v| v ^ pair.right);
    old.wrapping_add(x) ^ left.wrapping_sub(pair.sum())
}

pub fn methods(a: i64, b: i64) -> i64 {
    let mut pair = Pair { left: a, right: b }.map(|x| x ^ 3);
    let changed = pair.change(|x, y| x.checked_add(y).filter(|s| s & 1 == 0));
    let (count, sum) = pair.fold((0i64, a), |(n, sum), x| (n + 1, sum.wrapping_sub(x)));
    pair.sum() ^ count ^ sum ^ i64::from(changed)
}

pub fn of_traits(a: i64, b: i64) -> i64 {
    a.with(|p| p.sum().wrapping_add(b)) ^ (a < b).with(|p| Some(p.left)).map_or(b, |x| x - a)
}

pub fn references(a: i64, b: i64) -> i64 {
    refs(Pair { left: a, right: b }, |p| p.left < p.right)
        ^ refs(a.pair(), |&Pair { left, .. }| left > b)
}

pub fn panics_inside(a: i64, b: i64) -> i64 {
    or_panic(a, |x| x != 5) + or_panic(b, |x| x > -100)
}

pub fn arrays(a: i64, b: i64) -> i64 {
    let table = [a, b, a ^ b];
    add(&table, |x| x >> 1) ^ add(&[1, 2, 3], |x| table[(x - 1) as usize])
}

pub fn order_of_arguments(a: i64, b: i64) -> i64 {
    fn both(x: i64, f: impl Fn(i64, i64) -> i64, y: i64) -> i64 {
        f(x, y)
    }
    let mut n = a;
    both(
        {
            n += 1;
            n
        },
        |x, y| x.wrapping_mul(10).wrapping_sub(y),
        {
            n = n.wrapping_mul(2);
            n ^ b
        },
    )
}

pub fn changes_behind_moved(a: i64, b: i64) -> i64 {
    let mut sum = a;
    let once = apply(b, move |x| x ^ sum);
    sum = sum.wrapping_add(once);
    let again = Some(b).map(move |x| x.wrapping_mul(sum));
    sum ^= again.unwrap_or(a);
    repeat(b & 3, |i| sum = sum.wrapping_sub(i));
    sum
}

pub fn moved(a: i64, b: i64) -> i64 {
    let k = a ^ b;
    apply(b, move |x| x.wrapping_add(k)) + twice(a, &move |x: i64| x ^ k)
}

// What follows is written by `cargo run -p conformance-tables`.

/// The functions, in the order of their numbers.
#[rustfmt::skip]
pub const CASES: &[&str] = &[
    "of_closures",
    "of_functions",
    "of_names",
    "through_others",
    "nested",
    "types_of_results",
    "leaves",
    "changes_variables",
    "loops_in_loops",
    "lent",
    "methods",
    "of_traits",
    "references",
    "panics_inside",
    "arrays",
    "order_of_arguments",
    "changes_behind_moved",
    "moved",
];

/// Function number `case` of two numbers.
#[rustfmt::skip]
pub fn run(case: i64, a: i64, b: i64) -> i64 {
    match case {
        0 => of_closures(a, b),
        1 => of_functions(a, b),
        2 => of_names(a, b),
        3 => through_others(a, b),
        4 => nested(a, b),
        5 => types_of_results(a, b),
        6 => leaves(a, b),
        7 => changes_variables(a, b),
        8 => loops_in_loops(a, b),
        9 => lent(a, b),
        10 => methods(a, b),
        11 => of_traits(a, b),
        12 => references(a, b),
        13 => panics_inside(a, b),
        14 => arrays(a, b),
        15 => order_of_arguments(a, b),
        16 => changes_behind_moved(a, b),
        17 => moved(a, b),
        _ => panic!("there is no such function"),
    }
}
