use verdigris::prelude::*;
#[portal]
fn run(x: i64) -> i64 {
    if x > 3 {
        can_enter_jit!();
    }
    loop {
        merge_point!(greens = [], reds = [x]);
        return 1;
    }
}
