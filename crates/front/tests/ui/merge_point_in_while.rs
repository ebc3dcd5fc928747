// The mark has no loop, and behind the `while` is no value: both follow from the first mistake.
use verdigris::prelude::*;
#[portal]
fn run(mut x: i64) -> i64 {
    while x > 0 {
        merge_point!(greens = [], reds = [x]);
        x -= 1;
        if x > 3 {
            can_enter_jit!();
        }
    }
}
