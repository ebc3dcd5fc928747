use verdigris::prelude::*;

#[unroll_safe]
fn helper(x: i64) -> i64 {
    loop {
        merge_point!(greens = [], reds = [x]);
        can_enter_jit!();
    }
}
#[portal]
fn run(mut x: i64) -> i64 {
    let mut pc: usize = 0;
    loop {
        merge_point!(greens = [pc], reds = [x]);
        pc += 1;
        x += helper(x);
    }
}
