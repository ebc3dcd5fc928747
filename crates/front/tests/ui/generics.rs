use verdigris::prelude::*;

fn id<T>(t: T) -> T {
    t
}
#[gc]
struct Node<T> {
    value: T,
}
#[portal]
fn run(mut x: i64, node: Gc<Node<i64>>) -> i64 {
    let mut pc: usize = 0;
    loop {
        merge_point!(greens = [pc], reds = [x]);
        pc += 1;
        x = id(x) + id::<i64>(x);
        if x > 3 { return node.value; }
    }
}
