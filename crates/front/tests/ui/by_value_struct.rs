use verdigris::prelude::*;

#[gc]
struct Node {
    value: i64,
}
fn get(node: Node) -> i64 {
    node.value
}
#[portal]
fn run(mut x: i64, node: Gc<Node>) -> i64 {
    let mut pc: usize = 0;
    loop {
        merge_point!(greens = [pc], reds = [x]);
        pc += 1;
        x += get(node);
    }
}
