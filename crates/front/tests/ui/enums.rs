use verdigris::prelude::*;

enum Op {
    Add = 3,
    Sub,
}
#[portal]
fn run(mut x: i64, op: Op) -> i64 {
    let mut pc: usize = 0;
    loop {
        merge_point!(greens = [pc], reds = [x]);
        pc += 1;
        match op { Op::Add => {} _ => return x }
        x = Op::Add as i64 + Op::Sub;
    }
}
