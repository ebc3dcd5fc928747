use verdigris::prelude::*;

#[gc]
struct Int {}
#[object(Obj)]
enum Kind {
    Int(Gc<Int>),
}
#[portal]
fn run(mut x: i64, int: Gc<Int>, mut obj: Obj, mut opt: Option<Gc<Int>>) -> i64 {
    let mut pc: usize = 0;
    loop {
        merge_point!(greens = [pc], reds = [x]);
        pc += 1;
        obj = int;
        opt = int;
        if x > 0 { return x; }
    }
}
