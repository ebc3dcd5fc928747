use verdigris::prelude::*;

#[value]
struct Empty;

#[gc]
struct Object { empty: Cell<Empty> }

#[portal]
fn run(o: Gc<Object>) -> i64 {
    loop {
        merge_point!(greens = [], reds = [o]);
        return 1;
    }
}
