use verdigris::prelude::*;

struct Countdown {
    left: i64,
}
struct Words {
    count: i64,
}
impl Iterator for Words {
    type Item = i64;
    fn next(&mut self) -> Option<i64> {
        None
    }
}
fn hidden(x: i64) -> impl Copy {
    x
}
#[unroll_safe]
fn loops(x: i64) -> i64 {
    let mut items = [1, 2, x];
    for item in &mut items {
        *item += 1;
    }
    for item in items.iter_mut() {
        *item += 1;
    }
    for item in (Countdown { left: x }) {
        return item;
    }
    for item in (Words { count: x }).map(|w| w + 1) {
        return item;
    }
    for (n, item) in (Words { count: x }) {
        return item;
    }
    items.sort();
    items[0]
}
fn converted(x: i64) -> u8 {
    let byte = x.try_into();
    let flag: Result<bool, ()> = x.try_into();
    x.try_into().map_or(0, |n: i64| n)
}
fn compared(text: &str) -> bool {
    text == "name"
}

#[portal]
fn run(mut x: i64) -> i64 {
    let mut pc: usize = 0;
    loop {
        merge_point!(greens = [pc], reds = [x]);
        pc += 1;
        hidden(x);
        x = loops(x);
        converted(x);
        compared("a");
    }
}
