use verdigris::prelude::*;

const LIMIT: i64 = 1;
#[portal]
fn run(mut x: i64) -> i64 {
    let mut pc: usize = 0;
    loop {
        merge_point!(greens = [pc], reds = [x]);
        pc += 1;
        x = x(1) + (pc)(2) + LIMIT(3) + (if x > 0 { x } else { 1 })(x);
    }
}
