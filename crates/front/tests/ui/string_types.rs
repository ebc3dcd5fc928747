use verdigris::prelude::*;

fn length(x: i64, text: String) -> i64 {
    let v: Vec<i64> = Vec::new();
    text.len() as i64 + x
}
#[portal]
fn run(mut x: i64) -> i64 {
    let mut pc: usize = 0;
    loop {
        merge_point!(greens = [pc], reds = [x]);
        pc += 1;
        x += length(x, "abc");
    }
}
