use verdigris::prelude::*;

fn helper(x: i64, y: i64) -> i64 {
    x + y
}
#[portal]
fn run(mut x: i64) -> i64 {
    let mut pc: usize = 0;
    loop {
        merge_point!(greens = [pc], reds = [x]);
        pc += 1;
        x = helper(x) + helper(x, 1, 2) + promote();
    }
}
