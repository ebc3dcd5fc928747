use verdigris::prelude::*;

fn helper(x: i64) -> i64 {
    x;
}
#[portal]
fn run(mut x: i64) -> i64 {
    let mut pc: usize = 0;
    loop {
        merge_point!(greens = [pc], reds = [x]);
        pc += 1;
        let y: usize = x;
        let z = if x > 0 { 1u8 } else { x };
        pc = x + y;
        if x { return true; }
        return helper(pc);
    }
}
