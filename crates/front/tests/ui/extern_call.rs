use verdigris::prelude::*;

use std::time::Instant;
#[portal]
fn run(mut x: i64) -> i64 {
    let mut pc: usize = 0;
    loop {
        merge_point!(greens = [pc], reds = [x]);
        pc += 1;
        x += std::cmp::max(x, 3);
        let v = Vec::with_capacity(pc);
        let t = std::time::Instant::now().elapsed();
        if rand::random() { return x; }
    }
}
