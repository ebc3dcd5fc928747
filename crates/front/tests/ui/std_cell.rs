use verdigris::prelude::*;

use std::cell::Cell;
#[gc]
struct Node {
    value: Cell<i64>,
}
#[portal]
fn run(mut x: i64, node: Gc<Node>) -> i64 {
    let mut pc: usize = 0;
    loop {
        merge_point!(greens = [pc], reds = [x]);
        pc += 1;
        x += node.value.get();
    }
}
