use verdigris::prelude::*;

#[gc]
struct Leaf {}

#[value]
#[repr(u32)]
#[derive(Clone, Copy)]
enum Value {
    Int(i64),
    Leaf(Gc<Leaf>),
}

#[value]
#[derive(Clone, Copy)]
struct Entry(Value, bool);

#[gc]
struct Cons {
    car: Value,
    rest: GcArray<Entry>,
}

#[opaque]
fn pairs(x: Option<(i64, i64)>) -> Option<Value> {
    None
}

#[opaque]
fn arrays(x: [i64; 2], many: (i64, i64, i64, i64, i64)) {}

#[portal]
fn run(cons: Gc<Cons>, mut acc: i64) -> i64 {
    let mut pc: usize = 0;
    loop {
        merge_point!(greens = [pc, cons], reds = [acc]);
        match cons.car {
            Value::Int(n) => acc += n,
            Value::Leaf(_) => return acc,
        }
        match cons.rest[pc] {
            Entry(_, true) => acc += 1,
            _ => {}
        }
        pairs(None);
        arrays([0, 1], (1, 2, 3, 4, 5));
        pc += 1;
        can_enter_jit!();
    }
}
