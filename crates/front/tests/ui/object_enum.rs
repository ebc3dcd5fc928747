use verdigris::prelude::*;

#[gc]
struct A {}
#[object(Obj)]
enum Kind {
    A(Gc<A>),
    B(Gc<A>),
    C(i64),
    D,
}
#[portal]
fn run(mut x: i64, obj: Obj) -> i64 {
    let mut pc: usize = 0;
    loop {
        merge_point!(greens = [pc], reds = [x]);
        pc += 1;
        match obj.kind() { Kind::A(_) => {} _ => return x }
    }
}
