use verdigris::prelude::*;

#[gc]
struct Node {}
impl hashes::Hash for Node {
    fn hash_code(&self) -> i64 {
        1
    }
}
#[portal]
fn run(mut x: i64, obj: Gc<Node>) -> i64 {
    let mut pc: usize = 0;
    loop {
        merge_point!(greens = [pc], reds = [x]);
        pc += 1;
        x = obj.hash_code() + obj.count();
    }
}
