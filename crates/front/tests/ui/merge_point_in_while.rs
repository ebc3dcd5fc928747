use verdigris::prelude::*;
#[portal]
fn run(x: i64) -> i64 {
    while x > 0 {
        merge_point!(greens = [], reds = [x]);
    }
    x
}
