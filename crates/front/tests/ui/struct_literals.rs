use verdigris::prelude::*;

#[gc]
struct Node {
    value: Cell<i64>,
    plain: i64,
}
#[portal]
fn run(mut x: i64) -> i64 {
    let mut pc: usize = 0;
    loop {
        merge_point!(greens = [pc], reds = [x]);
        pc += 1;
        let a = Gc::new(Node { value: x });
        let b = Gc::new(Node { value: Cell::new(x), value: Cell::new(1) });
        let c = Node { value: Cell::new(x), plain: 1 };
        let d = Gc::new(Node { value: Cell::new(x), plain: 1, other: 2 });
        let e = Gc::new(Node { value: Cell::new(x), ..*b });
        let f = Gc::new(make());
        return x;
    }
}
