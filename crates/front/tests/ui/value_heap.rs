use verdigris::prelude::*;

#[value]
enum Value { Nil, Int(i64) }
enum Plain { A, B(i64) }
#[value]
struct Empty;

#[gc]
struct Object {
    plain: Value,
    unmarked: Cell<Plain>,
    option: Cell<Option<i64>>,
    tuple: Cell<(i64, i64)>,
    items: GcArray<Value>,
    right: Cell<Value>,
}

#[portal]
fn run(o: Gc<Object>) -> i64 {
    loop {
        merge_point!(greens = [], reds = [o]);
        o.right = Value::Nil;
        o.right.set(1);
        return match o.right.get() { Value::Int(x) => x };
    }
}
