//! The second step: code and operands are on the heap of the VM, but instructions still have names
//! in them.

use verdigris::prelude::*;

#[value]
#[derive(Clone, Copy)]
enum Value {
    Int(i64),
    Cell(Gc<Shared>),
}

#[gc]
struct Shared {
    value: Cell<Value>,
}

#[value]
#[derive(Clone)]
enum Op {
    Push(i64),
    Get(String),
    Stop,
}

#[portal]
fn run(code: GcArray<Op>, stack: GcArray<Cell<Value>>) -> i64 {
    let mut pc: usize = 0;
    let mut sp: usize = 0;
    loop {
        merge_point!(greens = [pc, sp, code], reds = [stack]);
        match code[pc] {
            Op::Push(number) => {
                stack[sp].set(Value::Int(number));
                sp += 1;
            }
            Op::Get(_) => sp += 1,
            Op::Stop => return 0,
        }
        pc += 1;
    }
}
