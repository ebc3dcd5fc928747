use verdigris::prelude::*;

#[gc]
struct Node {
    value: i64,
}
static LAST: Option<Gc<Node>> = None;
thread_local! {
    static NODES: std::cell::RefCell<Vec<Gc<Node>>> = const { std::cell::RefCell::new(Vec::new()) };
}
#[portal]
fn run(mut x: i64) -> i64 {
    loop {
        merge_point!(greens = [], reds = [x]);
        if let Some(last) = LAST {
            x += last.value;
        }
        NODES.with(|nodes| nodes.borrow_mut().push(Gc::new(Node { value: x })));
        return x;
    }
}
