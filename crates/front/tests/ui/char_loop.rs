use verdigris::prelude::*;

#[portal]
fn run(mut x: i64) -> i64 {
    loop {
        merge_point!(greens = [], reds = [x]);
        for c in 'a'..='z' {
            x += c as i64;
        }
        return x;
    }
}
