use verdigris::{concrete, prelude::*};

#[gc]
struct Box {
    value: i64,
    items: GcArray<Cell<i64>>,
}

#[opaque]
fn read() -> i64 {
    3
}

fn twice(x: i64) -> i64 {
    x * 2
}

#[portal]
fn run(program: GcArray<i64>, object: Gc<Box>, mut acc: i64) -> i64 {
    let mut pc: usize = 0;
    loop {
        merge_point!(greens = [pc, program], reds = [object, acc]);
        concrete(acc);
        concrete(object.value + 1);
        concrete(object.items[pc].get());
        concrete(twice(read()));
        let made = Gc::new(Box { value: 4, items: object.items });
        concrete(made.value);
        concrete(made.items.len());
        acc -= 1;
        if acc < 0 {
            return program[pc];
        }
        pc = 0;
        can_enter_jit!();
    }
}
