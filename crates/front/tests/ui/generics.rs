use verdigris::prelude::*;

struct Pair<A, B = i64> {
    a: A,
    b: B,
}
struct Tag<const N: usize> {
    x: i64,
}
#[gc]
struct Node<T> {
    value: T,
}
#[gc]
struct Plain {
    value: i64,
}
#[object(Obj)]
enum ObjKind {
    Plain(Gc<Plain>),
    Node(Gc<Node<i64>>),
}
fn id<T>(t: T) -> T {
    t
}
fn nothing<T>() -> i64 {
    0
}
fn wrong<T>(t: T) -> i64 {
    t.missing()
}
fn pairs(p: Pair<i64, i64, i64>) {}
fn few(p: Pair) {}
fn tag(t: Tag<3>) -> i64 {
    t.x
}
fn count<const N: usize>() -> usize {
    N
}
fn is_plain(o: Obj) -> bool {
    matches!(o.kind(), ObjKind::Plain(_))
}
fn pointer(p: Gc<i64>) {}
#[portal]
fn run(mut x: i64, o: Obj) -> i64 {
    let mut pc: usize = 0;
    loop {
        merge_point!(greens = [pc], reds = [x, o]);
        pc += 1;
        x = id(x) + id::<i64>(x) + id::<i64, i64>(x);
        x = nothing();
        x = wrong(2.5) + wrong(true);
        pairs(x);
        few(x);
        tag(x);
        tag(Tag::<4> { x });
        count();
        count::<i64>();
        count::<-1>();
        count::<pc>();
        id::<3>(x);
        is_plain(o);
        let open = None::<Pair<i64, i64>>;
        let p = Pair { a: 1, b: true };
        if p.a > 3 || p.b == 1 { return 0; }
    }
}
