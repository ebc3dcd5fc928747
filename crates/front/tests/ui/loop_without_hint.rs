use verdigris::prelude::*;

#[gc]
struct Node {}
impl Node {
    fn count() -> i64 {
        for i in 0..3 {
            if i > 2 {
                return i;
            }
        }
        3
    }
}
fn sum(n: i64) -> i64 {
    let mut i = 0;
    while i < n {
        i += 1;
    }
    i
}
#[portal]
fn run(mut x: i64) -> i64 {
    let mut pc: usize = 0;
    loop {
        merge_point!(greens = [pc], reds = [x]);
        pc += 1;
        x = sum(x) + Node::count();
    }
}
