use verdigris::prelude::*;

#[gc]
struct Node {
    value: i64,
}
struct Stack {
    nodes: Vec<Gc<Node>>,
}
#[gc]
struct Frame {
    nodes: Box<Gc<Node>>,
}
fn top(stack: Stack) -> i64 {
    stack.nodes.len() as i64
}
fn first(frame: Gc<Frame>) -> i64 {
    frame.nodes.value
}
#[portal]
fn run(mut x: i64, frame: Gc<Frame>) -> i64 {
    loop {
        merge_point!(greens = [], reds = [x, frame]);
        let stack = Stack { nodes: Vec::new() };
        return top(stack) + first(frame);
    }
}
