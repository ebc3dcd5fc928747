use verdigris::prelude::*;


#[portal]
fn run(mut x: i64, a: GcArray<i64>) -> i64 {
    let mut pc: usize = 0;
    loop {
        merge_point!(greens = [pc], reds = [x]);
        pc += 1;
        for i in a { x += 1; }
        for i in 0.. { x += 1; }
        for (i, j) in 0..3 { x += 1; }
        return x;
    }
}
