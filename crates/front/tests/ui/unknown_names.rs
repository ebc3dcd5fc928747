use verdigris::prelude::*;


#[portal]
fn run(mut x: i64) -> i64 {
    let mut pc: usize = 0;
    loop {
        merge_point!(greens = [pc], reds = [x]);
        pc += 1;
        x += undefined + missing(x) + op::ADD;
        let y: Missing = x;
        if y > 0 { return nowhere::NOTHING; }
    }
}
