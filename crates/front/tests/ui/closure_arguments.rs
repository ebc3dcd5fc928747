use verdigris::prelude::*;

#[opaque]
fn called(x: i64, f: impl Fn(i64) -> i64) -> i64 {
    f(x)
}
fn recurses(x: i64, f: &dyn Fn(i64) -> i64) -> i64 {
    f(x)
}
fn repeats<F: Fn(i64) -> i64>(x: i64, f: F) -> i64 {
    if x > 0 { repeats(x - 1, f) } else { f(x) }
}
fn loops(mut x: i64, f: impl Fn(i64) -> i64) -> i64 {
    while x < 10 {
        x = f(x);
    }
    x
}
fn plain(x: i64, f: impl Fn(i64) -> i64) -> i64 {
    f(x)
}
fn two(f: impl Fn(i64, i64) -> i64) -> i64 {
    f(1, 2, 3)
}
#[portal]
fn run(mut x: i64) -> i64 {
    loop {
        merge_point!(greens = [], reds = [x]);
        x = called(x, |v| v + 1);
        x = repeats(x, |v| v + 1);
        x = loops(x, |v| v + 1);
        x = plain(x, |v| v > 1);
        x = plain(x, |v, w| v + w);
        x = plain(x, |v| break);
        x = plain(x, 5);
        x = plain(|v| v);
        let add = |a: i64, b: i64| a + b;
        x = plain(x, add);
        x = two(add);
        x = use_both(x);
        let held = plain;
        let boxed = |v: i64| v;
        let pair = (boxed, x);
        return x;
    }
}

fn has_a_loop(x: i64) -> i64 {
    let find = |v: i64| loop {
        if v > 3 {
            break v;
        }
    };
    plain(x, find)
}
#[unroll_safe]
fn may_loop(x: i64) -> i64 {
    plain(x, |v| loop {
        if v > 3 {
            break v;
        }
    })
}
fn use_both(x: i64) -> i64 {
    has_a_loop(x) + may_loop(x)
}
