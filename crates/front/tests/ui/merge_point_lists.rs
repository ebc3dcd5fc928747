use verdigris::prelude::*;
#[portal]
fn run(x: i64) -> i64 {
    loop {
        merge_point!(reds = [x]);
        return 1;
    }
}
