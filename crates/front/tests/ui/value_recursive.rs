use verdigris::prelude::*;

enum List { End, More(i64, Inner) }
struct Inner { list: Option<(i64, List)> }

fn list(l: List) -> i64 {
    match l { List::More(n, _) => n, List::End => 0 }
}

#[portal]
fn run(x: i64) -> i64 {
    loop {
        merge_point!(greens = [], reds = [x]);
        return list(List::End);
    }
}
