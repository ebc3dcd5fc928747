// What the variables of a merge point can be.
use verdigris::prelude::*;

struct Position {
    pc: usize,
}

#[derive(Clone, Copy)]
enum Value {
    Nil,
    Int(i64),
}

#[value]
#[derive(Clone, Copy)]
struct Marked {
    x: i64,
}

struct Borrows<'a> {
    code: &'a [u8],
}

#[portal]
fn run(mut x: i64) -> i64 {
    let position = Position { pc: 0 };
    let values = (Value::Nil, x);
    let marked = Marked { x };
    let mut total = 0;
    let r = &mut total;
    let borrows = Borrows { code: b"+" };
    loop {
        merge_point!(greens = [position], reds = [x, values, marked, r, borrows]);
        x += marked.x;
        *r += 1;
    }
}
