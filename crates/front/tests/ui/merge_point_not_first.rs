use verdigris::prelude::*;
#[portal]
fn run(x: i64) -> i64 {
    loop {
        let y = x;
        merge_point!(greens = [], reds = [x]);
        return y;
    }
}
