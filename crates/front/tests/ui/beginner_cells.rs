// Fields that change, and those of the standard library.
use std::cell::Cell;
use verdigris::prelude::*;

#[gc]
struct Frame {
    acc: Cell<i64>,
}

#[gc]
struct Object {
    count: verdigris::prelude::Cell<i64>,
    size: i64,
    slots: GcArray<verdigris::prelude::Cell<i64>>,
}

#[portal]
fn run(object: Gc<Object>, mut x: i64) -> i64 {
    let frame = Gc::new(Frame { acc: Cell::new(x) });
    loop {
        merge_point!(greens = [], reds = [x, object]);
        x += object.count;
        object.count += 1;
        object.size = x;
        object.slots[0] = x;
        object.nothing = 1;
    }
}
