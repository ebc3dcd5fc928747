//! The third step: the functions of the host are called from the loop.

use verdigris::prelude::*;

type Native = Box<dyn Fn(i64) -> i64>;

#[value]
#[derive(Clone, Copy)]
enum Op {
    Call(usize),
    Stop,
}

#[portal]
fn run(natives: &Vec<Native>, code: GcArray<Op>, argument: i64) -> i64 {
    let mut pc: usize = 0;
    let mut top = argument;
    loop {
        merge_point!(greens = [pc, code], reds = [natives, top]);
        match code[pc] {
            Op::Call(n) => top = natives[n](top),
            Op::Stop => return top,
        }
        pc += 1;
    }
}
