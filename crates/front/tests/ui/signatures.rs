use verdigris::prelude::*;

#[opaque]
fn many(a: i64, b: i64, c: i64, d: i64, e: i64, f: i64, g: i64, h: i64, i: i64, j: i64, k: i64) -> i64 {
    a
}
#[opaque]
fn text(s: &str) -> i64 {
    0
}
#[opaque]
fn fail(x: i64) -> ! {
    panic!()
}
#[opaque]
fn nothing(u: ()) {}
#[gc]
struct Node {}
impl Node {
    #[elidable]
    fn get(self: Gc<Node>) -> i64 {
        1
    }
    #[opaque]
    fn count() -> i64 {
        1
    }
}
#[portal]
fn run(mut x: i64, node: Gc<Node>) -> i64 {
    let mut pc: usize = 0;
    loop {
        merge_point!(greens = [pc], reds = [x]);
        pc += 1;
        x = many(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11) + text("a") + node.get();
        nothing(());
        if x > Node::count() { fail(x); }
    }
}
