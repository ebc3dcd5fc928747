// One mistake each, and what follows from it is not said again.
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use verdigris::prelude::*;

#[gc]
struct Function {
    name: String,
    arity: u8,
    consts: Vec<Vec<String>>,
}

struct Env {
    x: i64,
}

trait Node {
    fn eval(&self, x: i64) -> i64;
}

struct Add;

impl Node for Add {
    fn eval(&self, x: i64) -> i64 {
        x + 1
    }
}

async fn get(x: i64) -> i64 {
    x
}

unsafe fn raw(x: i64) -> i64 {
    x
}

fn first(items: &[i64]) -> i64 {
    match items {
        [a, b, ..] => *a + *b,
        _ => 1,
    }
}

#[portal]
fn run(items: GcArray<u8>, mut x: i64) -> i64 {
    let mut stack: Vec<i64> = Vec::new();
    let slots: Vec<i64> = vec![0; 16];
    let mut vars: HashMap<u8, Rc<RefCell<Env>>> = HashMap::new();
    let env = Rc::new(RefCell::new(Env { x: 1 }));
    let node: Box<dyn Node> = Box::new(Add);
    let function = Gc::new(Function { name: "x".to_string(), arity: 1, consts: vec![] });
    loop {
        merge_point!(greens = [items], reds = [x, stack, slots, vars, env, function]);
        stack.push(slots[0]);
        vars.insert(1, env);
        x += vars[&1];
        env.borrow_mut().x += 1;
        x = node.eval(x);
        x += items.iter().map(|b| *b as i64).sum::<i64>();
        x += function.arity as i64;
        get(x);
        raw(x);
        first(slots);
    }
}
