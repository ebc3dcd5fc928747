use verdigris::prelude::*;

struct Loud(i64);
impl Drop for Loud {
    fn drop(&mut self) {}
}
enum Never {}
enum List { End, More(i64, Inner) }
struct Inner { list: Option<List> }
struct Wrap<T>(T);
struct Text { text: String }

fn loud() -> Loud { Loud(1) }
fn never(n: Never) -> i64 { 0 }
fn list(l: List) -> i64 { 0 }
fn wrap(w: Wrap<i64>) -> i64 { 0 }
fn text(t: Text) -> i64 { 0 }

struct Point { x: i64 }
impl Point {
    fn shift(&mut self) { self.x = 1; }
    fn same(&self, other: i64) -> Point { self }
    fn get(&self) -> i64 { match self { Point { x } => x } }
}

#[opaque]
fn show(p: Point) {}

#[portal]
fn run(x: i64) -> i64 {
    loop {
        merge_point!(greens = [], reds = [x]);
        loud();
        let p = Point { x };
        p.shift();
        p.same(1);
        p.get();
        show(p);
        return wrap(Wrap(1)) + never(0) + list(List::End) + text(Text { text: 1 });
    }
}
