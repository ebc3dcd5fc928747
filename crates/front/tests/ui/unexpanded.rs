//! Calls of macros that may declare what is taken from a glob.

use verdigris::prelude::*;

other::declare! {
    struct Thing;
}

thread_local! {
    static COUNT: std::cell::Cell<u8> = const { std::cell::Cell::new(0) };
}

macro_rules! names {
    ($($name:ident)*) => {};
}
names!(1 2);

mod apart {
    other::declare! {
        struct Thing;
    }
}

mod chosen {
    use super::table::step;
    other::declare! {
        struct Thing;
    }
    pub fn next(n: i64) -> i64 {
        step(n)
    }
}

mod table {
    pub fn step(n: i64) -> i64 {
        n + 1
    }
}

#[gc]
struct Node {
    value: i64,
}

#[portal]
fn run(n: i64) -> i64 {
    let node = Gc::new(Node { value: 1 });
    let mut i = 0;
    loop {
        merge_point!(greens = [], reds = [i, n, node]);
        i = chosen::next(i + node.value);
        if i > n {
            return i;
        }
        can_enter_jit!();
    }
}
