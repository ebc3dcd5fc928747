use verdigris::prelude::*;
#[portal]
fn run(x: i64) -> i64 {
    loop {
        if x > 0 {
            return x;
        }
    }
}
