use verdigris::prelude::*;

#[portal]
fn run(x: i64) -> i64 {
    loop {
        merge_point!(greens = [], reds = [x]);
        let a = |v: i64| v + 1;
        let b = |v: i64| a(a(a(a(v))));
        let c = |v: i64| b(b(b(b(v))));
        let d = |v: i64| c(c(c(c(v))));
        let e = |v: i64| d(d(d(d(v))));
        return e(e(e(e(x))));
    }
}
