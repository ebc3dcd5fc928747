use verdigris::prelude::*;

#[gc]
struct A {}
#[gc]
struct B {}
#[object(Obj)]
enum Kind {
    A(Gc<A>),
}
#[portal]
fn run(mut x: i64, mut obj: Obj, a: Gc<A>, b: Gc<B>) -> i64 {
    let mut pc: usize = 0;
    loop {
        merge_point!(greens = [pc], reds = [x]);
        pc += 1;
        let o = Kind::A(a);
        obj = Obj::from(b);
        return x;
    }
}
