// Lists of other names, and marks without a merge point to go back to.
use verdigris::prelude::*;

#[portal]
fn run(mut x: i64) -> i64 {
    let mut pc: usize = 0;
    loop {
        merge_point!(green = [pc], red = [x]);
        pc += 1;
        x -= 1;
        if x == 0 {
            return x;
        }
        can_enter_jit!();
    }
}
