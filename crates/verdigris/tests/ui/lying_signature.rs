use verdigris::prelude::*;

type Word = f64;

#[elidable]
fn scaled(number: Word, by: Word) -> Word {
    number * by
}

#[portal]
pub fn run(code: GcArray<u8>, mut n: i64) -> i64 {
    let mut pc: usize = 0;
    loop {
        merge_point!(greens = [pc, code], reds = [n]);
        if code[pc] == b'.' {
            return n;
        }
        n = scaled(n as Word, 3 as Word) as i64;
        pc += 1;
        can_enter_jit!();
    }
}
