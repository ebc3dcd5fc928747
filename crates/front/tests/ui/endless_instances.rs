use verdigris::prelude::*;

fn deeper<T>(n: i64, x: T) -> i64 {
    if n == 0 { 0 } else { deeper(n - 1, Some(x)) }
}
#[gc]
struct Nest<T> {
    inner: Cell<Option<Gc<Nest<GcArray<T>>>>>,
}
fn nest(n: Gc<Nest<i64>>) {}
struct Boxed<T> {
    inner: Option<Boxed<Option<T>>>,
}
fn boxed(b: Boxed<i64>) {}
#[portal]
fn run(n: i64, x: Gc<Nest<i64>>) -> i64 {
    let pc = 0;
    loop {
        merge_point!(greens = [pc], reds = [n, x]);
        nest(x);
        boxed(x);
        return deeper(n, n);
    }
}
