use verdigris::prelude::*;

#[gc]
struct Node {}
#[portal]
fn run(mut x: i64, node: Gc<Node>) -> i64 {
    let mut pc: usize = 0;
    loop {
        merge_point!(greens = [pc], reds = [x]);
        pc += 1;
        let b = x as bool;
        let n = node as usize;
        let f = true as f64;
        let c = x as char;
        return x;
    }
}
