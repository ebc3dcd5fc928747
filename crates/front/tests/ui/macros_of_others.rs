//! Macros of other crates: in sight everywhere, and among members.

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

struct Unreached;

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
        i += pair.first();
        if i > n {
            return i;
        }
        can_enter_jit!();
    }
}
