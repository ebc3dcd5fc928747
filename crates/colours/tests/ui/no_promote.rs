use verdigris::{concrete, prelude::*};

#[gc]
struct Shape {
    number: i64,
}

#[gc]
struct Object {
    shape: Cell<Gc<Shape>>,
    value: i64,
}

#[gc]
struct Program {
    code: GcArray<u8>,
}

#[elidable]
fn find(shape: Gc<Shape>, name: i64) -> i64 {
    shape.number + name
}

fn method(object: Gc<Object>, name: i64) -> i64 {
    let shape = object.shape.get();
    lookup(shape, name)
}

fn lookup(shape: Gc<Shape>, name: i64) -> i64 {
    let index = find(shape, name) + 1;
    concrete(index)
}

#[portal]
fn run(program: Gc<Program>, object: Gc<Object>, mut acc: i64) -> i64 {
    let mut pc: usize = 0;
    loop {
        merge_point!(greens = [pc, program], reds = [object, acc]);
        let op = concrete(program.code[pc]);
        pc += 1;
        match op {
            0 => acc += method(object, 7),
            1 => {
                pc = 0;
                can_enter_jit!();
            }
            _ => return acc,
        }
    }
}
