use verdigris::prelude::*;

#[opaque]
#[elidable]
fn both(x: i64) -> i64 {
    x
}
#[portal]
fn run(mut x: i64) -> i64 {
    let mut pc: usize = 0;
    loop {
        merge_point!(greens = [pc], reds = [x]);
        pc += 1;
        x = both(x);
    }
}
