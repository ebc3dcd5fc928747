use verdigris::prelude::*;

fn next(x: i64) -> Option<i64> {
    Some(x + 1)
}
#[portal]
fn run(mut x: i64) -> i64 {
    let mut pc: usize = 0;
    loop {
        merge_point!(greens = [pc], reds = [x]);
        pc += 1;
        if let Some(y) = next(x) { x = y; }
    }
}
