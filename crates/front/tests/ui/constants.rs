use verdigris::prelude::*;

const A: i64 = B + 1;
const B: i64 = A - 1;
const C: i64 = 1 / 0;
const D: i64 = compute();
const fn compute() -> i64 {
    3
}
const NAME: &str = "name";
static COUNT: i64 = 4;
#[portal]
fn run(mut x: i64) -> i64 {
    let mut pc: usize = 0;
    loop {
        merge_point!(greens = [pc], reds = [x]);
        pc += 1;
        x = A + B + C + D;
        if x > COUNT { return NAME.len(); }
    }
}
