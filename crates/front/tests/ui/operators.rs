use verdigris::prelude::*;

#[gc]
struct Node {}
#[portal]
fn run(mut x: i64, node: Gc<Node>, opt: Option<Gc<Node>>) -> i64 {
    let mut pc: usize = 0;
    loop {
        merge_point!(greens = [pc], reds = [x]);
        pc += 1;
        x = x + 1.5;
        let b = true + false;
        let f = 1.5 % 2.0;
        let g = 1.5 & 2.0;
        let u = -pc;
        let n = !1.5;
        if node < node { return x; }
        if opt > None { return x; }
        x = x >> node;
        x <<= 1.5;
        x = 1 << (2 > pc);
    }
}
