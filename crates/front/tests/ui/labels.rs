use verdigris::prelude::*;

fn helper() -> i64 {
    break;
}
#[portal]
fn run(mut x: i64) -> i64 {
    let mut pc: usize = 0;
    loop {
        merge_point!(greens = [pc], reds = [x]);
        pc += 1;
        'a: { break 'b; }
        'c: { continue 'c; }
        while x > 0 { break x; }
        if x > 0 { return helper(); }
    }
}
