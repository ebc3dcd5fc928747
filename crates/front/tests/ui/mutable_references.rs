use verdigris::prelude::*;

#[gc]
struct Node {
    state: i64,
}
impl Node {
    fn bump(&mut self) {}
}
struct Pair {
    left: i64,
    right: i64,
}
struct Holder<'a> {
    to: &'a i64,
}
impl Pair {
    fn larger(&mut self) -> &mut i64 {
        &mut self.left
    }
    fn bump(&mut self) {
        self.left += 1;
    }
}
fn advance(pc: &mut usize) {
    *pc += 1;
}
fn keep(holder: Holder<'_>) -> i64 {
    *holder.to
}
#[opaque]
fn native(x: &mut i64, y: &Pair) {}
#[portal]
fn run(mut x: i64, node: Gc<Node>) -> i64 {
    let mut pc: usize = 0;
    loop {
        merge_point!(greens = [pc], reds = [x]);
        node.bump();
        advance(&mut pc);
        let mut pair = Pair { left: x, right: 2 };
        let r = if x > 1 { &mut pair.left } else { &mut pair.right };
        let l = &mut pair.left;
        *l += 1;
        let copy = l + 1;
        let both = (l, 3);
        l = &mut pair.right;
        *pair.larger() += 1;
        advance(&mut node.state);
        advance(chosen(&mut pc));
        match Some(x) {
            Some(ref mut y) => *y += 1,
            None => {}
        }
        match (x, pair.left) {
            (1, ref mut y) | (ref mut y, 1) => *y += 1,
            _ => {}
        }
        native(&mut x, &pair);
        keep(Holder { to: &x });
        return x;
    }
}
fn chosen(pc: &mut usize) -> usize {
    *pc
}
