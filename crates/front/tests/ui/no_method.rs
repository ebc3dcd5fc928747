use verdigris::prelude::*;

#[gc]
struct Node {}
#[portal]
fn run(mut x: i64, opt: Option<Gc<Node>>) -> i64 {
    let mut pc: usize = 0;
    loop {
        merge_point!(greens = [pc], reds = [x]);
        pc += 1;
        x = x.pow(2) + (pc as f64).sqrt() as i64 + i64::from_str_radix(x) + opt.map(f).unwrap();
    }
}
