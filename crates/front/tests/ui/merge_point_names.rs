use verdigris::prelude::*;
const N: i64 = 1;
#[portal]
fn run(x: i64) -> i64 {
    loop {
        merge_point!(greens = [x, x + 1], reds = [N, x], blues = [x]);
        return 1;
    }
}
