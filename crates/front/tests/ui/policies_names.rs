use verdigris::prelude::*;

#[gc]
struct Code {
    n: i64,
}

#[portal(can_never_inline = missing, should_unroll_one_iteration = Code)]
fn run(mut x: i64) -> i64 {
    let mut pc: usize = 0;
    loop {
        merge_point!(greens = [pc], reds = [x]);
        pc += 1;
        x += 1;
    }
}
