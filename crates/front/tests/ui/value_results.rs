use verdigris::prelude::*;

enum Value { Nil, Int(i64) }

#[elidable]
fn double(v: Value) -> Value { v }

#[opaque]
fn option(x: Option<i64>) -> i64 { 1 }

#[portal]
fn run(x: i64) -> (i64, bool) {
    loop {
        merge_point!(greens = [], reds = [x]);
        double(Value::Nil);
        option(None);
        return (x, true);
    }
}
