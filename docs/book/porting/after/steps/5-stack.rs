//! The fifth step: it is translated, but the number of operands is no part of the place in the
//! program.

use verdigris::prelude::*;

#[value]
#[derive(Clone, Copy)]
enum Op {
    Push(i64),
    Add,
    Sub,
    Less,
    Jump(usize),
    Stop,
}

#[gc]
struct Machine {
    code: GcArray<Op>,
    pc: Cell<usize>,
    sp: Cell<usize>,
    stack: GcArray<Cell<i64>>,
}

#[portal]
fn run(machine: Gc<Machine>) -> i64 {
    loop {
        merge_point!(greens = [], reds = [machine]);
        let pc = machine.pc.get();
        machine.pc.set(pc + 1);
        match machine.code[pc] {
            Op::Push(number) => push(machine, number),
            Op::Add => {
                let (b, a) = (pop(machine), pop(machine));
                push(machine, a.wrapping_add(b));
            }
            Op::Sub => {
                let (b, a) = (pop(machine), pop(machine));
                push(machine, a.wrapping_sub(b));
            }
            Op::Less => {
                let (b, a) = (pop(machine), pop(machine));
                push(machine, (a < b) as i64);
            }
            Op::Jump(target) => {
                machine.pc.set(target);
                can_enter_jit!();
            }
            Op::Stop => return pop(machine),
        }
    }
}

fn push(machine: Gc<Machine>, value: i64) {
    let sp = machine.sp.get();
    machine.stack[sp].set(value);
    machine.sp.set(sp + 1);
}

fn pop(machine: Gc<Machine>) -> i64 {
    let sp = machine.sp.get() - 1;
    machine.sp.set(sp);
    machine.stack[sp].get()
}
