use verdigris::prelude::*;

#[gc]
struct A {}
#[gc]
struct B {}
#[object(Obj)]
enum Kind {
    A(Gc<A>),
    B(Gc<B>),
}
#[portal]
fn run(mut x: i64, obj: Obj, opt: Option<Gc<A>>) -> i64 {
    let mut pc: usize = 0;
    loop {
        merge_point!(greens = [pc], reds = [x]);
        pc += 1;
        match x { 0 => {} 1..=i64::MAX => {} }
        match obj.kind() { Kind::A(_) => {} Kind::B(b) if x > 0 => {} }
        match opt { Some(_) => {} }
        match x > 0 { true => return x }
        match pc as u8 { 0..=9 | 11.. => {} }
    }
}
