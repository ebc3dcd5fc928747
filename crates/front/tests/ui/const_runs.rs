use verdigris::prelude::*;

const ENDLESS: i64 = loop {};
const PANICS: i64 = check(-1);
const OUTSIDE: u8 = TABLE[TABLE.len()];
const TABLE: [u8; 2] = [1, 2];
const RUNTIME: i64 = not_const();
const ADDRESS: Option<Gc<Node>> = make();

#[gc]
struct Node {
    x: i64,
}
const fn check(x: i64) -> i64 {
    assert!(x > 0);
    x
}
fn not_const() -> i64 {
    1
}
fn make() -> Option<Gc<Node>> {
    Some(Gc::new(Node { x: 1 }))
}
#[portal]
fn run(mut x: i64) -> i64 {
    let mut pc: usize = 0;
    loop {
        merge_point!(greens = [pc], reds = [x]);
        pc += 1;
        x = ENDLESS + PANICS + OUTSIDE as i64 + RUNTIME;
        let node = ADDRESS;
    }
}
