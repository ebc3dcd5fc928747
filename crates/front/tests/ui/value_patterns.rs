use verdigris::prelude::*;

struct Point { x: i64, y: i64 }
enum Value { Nil, Int(i64), Rect { w: i64, h: i64 }, Both(Option<i64>, bool) }

fn area(v: Value) -> i64 {
    match v {
        Value::Int(a, b) => a,
        Value::Rect { w } => w,
        Value::Rect { w, d: 1, .. } => w,
        Value::Both(.., true, _, _) => 1,
        Value::Nil(_) => 2,
        Value::Big => 3,
        Point { .. } => 4,
        ref r => 5,
    }
}

fn nested(v: Value, t: (bool, Option<Result<i64, bool>>)) -> i64 {
    let a = match v {
        Value::Nil | Value::Rect { w: 0, .. } => 1,
        Value::Both(None, _) | Value::Both(Some(_), false) => 2,
        Value::Int(i) if i > 0 => i,
        Value::Rect { w: i64::MIN..=-1, .. } | Value::Rect { w: 1.., h: 0 } => 3,
        Value::Int(_) => 4,
    };
    let b = match t {
        (true, None) => 1,
        (_, Some(Ok(_))) => 2,
        (false, None | Some(Err(true))) => 3,
    };
    let Value::Int(c) = v;
    let (d, e, f) = t;
    let Point { x, .. } = 5;
    a + b + c
}

#[portal]
fn run(x: i64) -> i64 {
    loop {
        merge_point!(greens = [], reds = [x]);
        let (a, b);
        match (x, true) {
            (1, y) | (y, true) => {}
            (n, _) => {}
        }
        return area(Value::Nil) + nested(Value::Nil, (true, None));
    }
}
