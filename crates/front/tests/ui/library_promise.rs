use verdigris::prelude::*;

#[portal]
fn run(mut x: usize) -> usize {
    let mut pc: usize = 0;
    loop {
        merge_point!(greens = [pc], reds = [x]);
        pc += 1;
        x = verdigris::rt::at_most(x, 3);
        if x == 0 { return x; }
    }
}
