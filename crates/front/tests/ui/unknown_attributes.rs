//! Attributes and derives that may change what they are on.

use derive_more::Debug;
use other::opaque;
use verdigris::prelude::*;

#[derive(Clone, Copy, other::Shift)]
#[rustfmt::skip]
struct Pair {
    a: i64,
    b: i64,
}

#[derive(Serialize, Clone, Copy, PartialEq)]
#[repr(u8)]
enum Kind {
    One,
}

#[derive(Debug, Clone, Copy)]
struct Shown {
    a: i64,
}

#[derive(Unseen)]
#[unseen]
struct Unreached;

#[changes]
impl Pair {
    fn sum(&self) -> i64 {
        self.a + self.b
    }

    #[other::twice]
    fn first(&self) -> i64 {
        self.a
    }
}

#[opaque]
fn hidden(n: i64) -> i64 {
    n
}

#[cfg_attr(all(), traced(level = 3))]
#[inline]
#[must_use]
#[allow(clippy::all)]
#[doc(hidden)]
#[cold]
fn helper(n: i64) -> i64 {
    hidden(n) + LIMIT
}

#[computed]
const LIMIT: i64 = 3;

#[wrapped]
mod inner {
    #[unseen]
    pub fn unreached() {}

    #[expect(dead_code, reason = "as a user would write it")]
    #[track_caller]
    pub fn reached(n: i64) -> i64 {
        n
    }
}

#[portal]
fn run(n: i64) -> i64 {
    let pair = Pair { a: 1, b: 2 };
    let shown = Shown { a: 1 };
    let mut i = 0;
    loop {
        merge_point!(greens = [], reds = [i, n, pair, shown]);
        i += pair.sum() + pair.first() + helper(i) + inner::reached(i);
        if i > n && Kind::One == Kind::One {
            return i;
        }
        can_enter_jit!();
    }
}
