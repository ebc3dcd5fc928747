use verdigris::prelude::*;

#[gc]
struct A {}
#[object(Obj)]
enum Kind {
    A(Gc<A>),
}
fn helper(k: Kind) {}
#[portal]
fn run(mut x: i64, obj: Obj) -> i64 {
    let mut pc: usize = 0;
    loop {
        merge_point!(greens = [pc], reds = [x]);
        pc += 1;
        let k = obj.kind();
        match k { Kind::A(_) => return x }
        helper(obj.kind());
        match if x > 0 { obj.kind() } else { obj.kind() } { _ => return x }
    }
}
