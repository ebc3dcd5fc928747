use verdigris::prelude::*;

#[gc]
struct Node {
    value: i64,
}
#[portal]
fn run(mut x: i64, node: Gc<Node>) -> i64 {
    let mut pc: usize = 0;
    loop {
        merge_point!(greens = [pc], reds = [x]);
        pc += 1;
        node.value = x;
        (x, pc) = (1, 2);
        nothing = 3;
        node.value += 1;
    }
}
