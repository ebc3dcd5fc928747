use verdigris::{loop_invariant, prelude::*};

#[gc]
struct Counter {
    calls: Cell<i64>,
}

#[opaque]
fn the_counter() -> Gc<Counter> {
    Gc::new(Counter { calls: Cell::new(0) })
}

#[loop_invariant]
fn counts() -> i64 {
    let counter = the_counter();
    counter.calls.set(counter.calls.get() + 1);
    counter.calls.get()
}

#[portal]
fn run(mut x: i64) -> i64 {
    let mut pc: usize = 0;
    loop {
        merge_point!(greens = [pc], reds = [x]);
        pc += 1;
        x += counts() + the_counter().calls.get();
    }
}
