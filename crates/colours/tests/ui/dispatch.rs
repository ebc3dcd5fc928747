use verdigris::prelude::*;

#[gc]
struct Program {
    code: GcArray<Cell<u8>>,
}

#[opaque]
fn next(pc: usize) -> usize {
    pc + 1
}

#[portal]
fn run(program: Gc<Program>, mut acc: i64) -> i64 {
    let mut pc: usize = 0;
    loop {
        merge_point!(greens = [pc, program], reds = [acc]);
        let op = program.code[pc].get();
        pc = next(pc);
        match op {
            0 => acc += 1,
            1 => acc -= 1,
            2 => acc *= 2,
            3 => acc += acc,
            4 => {
                pc = 0;
                can_enter_jit!();
            }
            _ => return acc,
        }
    }
}
