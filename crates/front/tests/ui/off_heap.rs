//! References that the collector would not find.

use std::cell::RefCell;
use std::collections::*;
use std::rc::Rc as Shared;
use verdigris::{rooted_elsewhere, prelude::*};

#[gc]
struct Node {
    value: i64,
    next: Option<Gc<Node>>,
}

#[gc]
struct Leaf {
    value: i64,
}

#[object(Obj)]
enum ObjKind {
    Node(Gc<Node>),
    Leaf(Gc<Leaf>),
}

#[value]
#[derive(Clone, Copy)]
enum Value {
    Nil,
    Obj(Obj),
}

#[value]
#[derive(Clone, Copy)]
enum Number {
    Int(i64),
    Float(f64),
}

struct Host {
    seen: Vec<Value>,
    by_name: HashMap<String, (i64, Option<Gc<Node>>)>,
    shared: Shared<RefCell<Obj>>,
    boxed: Box<[Gc<Node>]>,
    deep: Vec<Vec<GcArray<i64>>>,
}

type Objects = VecDeque<Obj>;

/// Fine by itself.
type List<T> = Vec<T>;
struct Pile<T> {
    items: Vec<T>,
}
struct Open<T> {
    top: Option<T>,
}

enum Event {
    Made(List<Gc<Leaf>>),
    Piled(Pile<Value>),
    Opened(Vec<Open<Obj>>),
}

thread_local! {
    static LAST: std::cell::Cell<Option<Obj>> = const { std::cell::Cell::new(None) };
    static ALL: RefCell<Vec<Obj>> = RefCell::new(Vec::new());
    static COUNT: std::cell::Cell<i64> = const { std::cell::Cell::new(0) };
}

impl Node {
    fn leaf(&self) -> Gc<Leaf> {
        Gc::new(Leaf { value: self.value })
    }

    fn leaves(&self, list: &mut Vec<Obj>) -> BTreeMap<i64, Obj> {
        list.push(Obj::from(self.leaf()));
        BTreeMap::new()
    }
}

fn number(node: Gc<Node>) -> i64 {
    node.value
}

fn values(node: Gc<Node>, numbers: &[i64], roots: &RootVec<Gc<Node>>) -> usize {
    let three = vec![node; 3];
    let two = vec![Gc::new(Leaf { value: 1 }), node.leaf()];
    let mut pushed = Vec::new();
    for root in roots.iter() {
        pushed.push(root);
    }
    if let Some(next) = node.next {
        pushed.push(next);
    }
    let collected: Vec<_> = roots.iter().filter(|n| n.value > 0).collect();
    let mapped = numbers.iter().map(|n| Gc::new(Leaf { value: *n })).collect::<Vec<_>>();
    let boxed = Box::new(node);
    let shared = Shared::new(node.leaf());
    let call: Box<dyn Fn() -> i64> = Box::new(move || node.value);
    let turbofish = Vec::<Gc<Node>>::with_capacity(2);
    three.len() + two.len() + pushed.len() + collected.len() + mapped.len() + turbofish.len()
        + boxed.value as usize + shared.value as usize + call() as usize
}

/// None of this holds a reference.
fn fine<T: Clone>(node: Gc<Node>, roots: &RootVec<Gc<Node>>, numbers: Vec<Number>, any: &[T]) -> usize {
    let values: Vec<_> = roots.iter().map(|n| n.value).collect();
    let mut sums = Vec::new();
    sums.push(node.value);
    sums.push(number(node));
    let copies: Vec<T> = any.to_vec();
    let roots: Vec<Root<Gc<Node>>> = roots.iter().map(Root::new).collect();
    let call: Box<dyn Fn(Gc<Node>) -> Obj> = Box::new(|node| Obj::from(node));
    let on_stack = [node, node];
    let borrowed: Vec<&Gc<Node>> = on_stack.iter().collect();
    let value = node.value;
    let later: Box<dyn Fn() -> i64> = Box::new(move || value);
    let mut bytes = Vec::new();
    if let Ok(text) = may_fail(node) {
        bytes.push(text);
    }
    let pieces = vec![Piece::Node(node)];
    values.len() + sums.len() + copies.len() + roots.len() + borrowed.len() + later() as usize
}

fn may_fail(node: Gc<Node>) -> Result<u8, Gc<Node>> {
    if node.value > 0 { Ok(1) } else { Err(node) }
}

#[rooted_elsewhere]
enum Piece {
    Node(Gc<Node>),
    Text(&'static str),
}

/// Neither has an author who knows: the stack holds them.
#[rooted_elsewhere]
fn sorted(items: &[Gc<Leaf>]) -> Vec<Gc<Leaf>> {
    let mut all: Vec<Gc<Leaf>> = items.to_vec();
    all.sort_by_key(|leaf| leaf.value);
    all
}

#[rooted_elsewhere]
struct Trusted {
    nodes: Vec<Gc<Node>>,
}

#[rooted_elsewhere]
thread_local! {
    static TRUSTED: RefCell<Option<Obj>> = const { RefCell::new(None) };
}

#[portal]
fn run(mut x: i64) -> i64 {
    loop {
        merge_point!(greens = [], reds = [x]);
        x += 1;
        if x > 10 {
            return x;
        }
    }
}
