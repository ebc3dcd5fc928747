//! Macros of other crates: in sight everywhere, among members, and on traits.

use verdigris::prelude::*;

#[macro_use]
extern crate other;

#[derive(Clone, Copy)]
struct Pair {
    a: i64,
}

macro_rules! none {
    (none) => {};
}

impl Pair {
    other::methods!(a);
    none!(some);

    fn first(self) -> i64 {
        self.a
    }
}

trait First {
    other::declarations!(a);

    fn second(self) -> i64;
}

impl First for Pair {
    fn second(self) -> i64 {
        self.a
    }
}

#[other::changes]
trait Doubled: Sized {
    #[other::computed]
    const FACTOR: i64 = 2;

    fn doubled(self) -> i64;
}

impl Doubled for i64 {
    fn doubled(self) -> i64 {
        self * Self::FACTOR
    }
}

struct Unreached;

#[other::changes]
trait OfUnreached {
    other::declarations!(b);
}

impl OfUnreached for Unreached {}

impl Unreached {
    other::methods!(b);
}

#[portal]
fn run(n: i64) -> i64 {
    let pair = Pair { a: 1 };
    let mut i = 0;
    loop {
        merge_point!(greens = [], reds = [i, n, pair]);
        assert!(i >= 0, "negative");
        std::assert!(i < 100, "large");
        i += pair.first() + pair.second() + i.doubled();
        if i > n {
            return i;
        }
        can_enter_jit!();
    }
}
