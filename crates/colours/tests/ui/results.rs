use verdigris::prelude::*;

#[gc]
struct Program {
    code: GcArray<Cell<u8>>,
}

enum Next {
    At(usize),
    Done(i64),
}

#[opaque]
fn random(pc: usize) -> usize {
    pc * 7
}

fn jump(program: Gc<Program>, pc: usize, acc: i64) -> Result<usize, i64> {
    if acc < 0 {
        return Err(acc);
    }
    let to = random(pc);
    if to < program.code.len() { Ok(to) } else { Ok(0) }
}

fn fetch(program: Gc<Program>, pc: usize) -> Result<u8, i64> {
    if pc >= program.code.len() {
        return Err(-1);
    }
    Ok(program.code[pc].get())
}

fn step(program: Gc<Program>, pc: usize, acc: &mut i64) -> Result<Next, i64> {
    match fetch(program, pc)? {
        0 => *acc += 1,
        1 => *acc -= 1,
        2 => return Ok(Next::At(jump(program, pc, *acc)?)),
        3 => *acc *= 2,
        4 => return Err(*acc),
        _ => return Ok(Next::Done(*acc)),
    }
    Ok(Next::At(pc + 1))
}

#[portal]
fn run(program: Gc<Program>, mut acc: i64) -> i64 {
    let mut pc: usize = 0;
    loop {
        merge_point!(greens = [pc, program], reds = [acc]);
        match step(program, pc, &mut acc) {
            Ok(Next::At(next)) => pc = next,
            Ok(Next::Done(result)) => return result,
            Err(error) => return -error,
        }
        can_enter_jit!();
    }
}
