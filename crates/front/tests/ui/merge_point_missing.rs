use verdigris::prelude::*;

#[portal]
fn run(mut x: i64) -> i64 {
    loop {
        x -= 1;
        if x > 0 {
            can_enter_jit!();
        }
    }
}
