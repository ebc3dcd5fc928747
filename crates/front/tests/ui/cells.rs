use verdigris::prelude::*;

#[gc]
struct Node {
    value: Cell<i64>,
}
#[portal]
fn run(mut x: i64, node: Gc<Node>, a: GcArray<Cell<i64>>) -> i64 {
    let mut pc: usize = 0;
    loop {
        merge_point!(greens = [pc], reds = [x]);
        pc += 1;
        x += node.value;
        node.value.replace(3);
        let c = Cell::new(x);
        node.value = x;
        a[0] = x;
        a[0].set(a[1]);
    }
}
