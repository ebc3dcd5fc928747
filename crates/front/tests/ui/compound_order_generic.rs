use verdigris::prelude::*;
use std::ops::AddAssign;

fn same<T>(x: T) -> T {
    x
}
fn generic<T: AddAssign + Copy>(items: &mut [T; 4], at: usize, by: T) {
    items[0] += same(by);
    items[at] += by;
    items[at] += same(by);
}

#[portal]
fn run(x: i64) -> i64 {
    let mut pc: usize = 0;
    let mut plain = [x; 4];
    loop {
        merge_point!(greens = [pc], reds = [x]);
        pc += 1;
        generic(&mut plain, pc, x);
    }
}
