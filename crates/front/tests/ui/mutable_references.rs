use verdigris::prelude::*;

#[gc]
struct Node {}
impl Node {
    fn bump(&mut self) {}
}
fn advance(pc: &mut usize) {
    *pc += 1;
}
#[portal]
fn run(mut x: i64, node: Gc<Node>) -> i64 {
    let mut pc: usize = 0;
    loop {
        merge_point!(greens = [pc], reds = [x]);
        pc += 1;
        node.bump();
        advance(&mut pc);
        return x;
    }
}
