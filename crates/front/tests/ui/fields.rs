use verdigris::prelude::*;

#[gc]
struct Node {
    value: i64,
}
#[object(Obj)]
enum Kind {
    Node(Gc<Node>),
}
#[portal]
fn run(mut x: i64, node: Gc<Node>, obj: Obj) -> i64 {
    let mut pc: usize = 0;
    loop {
        merge_point!(greens = [pc], reds = [x]);
        pc += 1;
        x += node.valu + obj.value + x.value + node.0;
    }
}
