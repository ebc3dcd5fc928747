//! The fourth step: messages are made where the error is noticed.

use verdigris::{Str, prelude::*};

#[value]
#[derive(Clone, Copy)]
enum Op {
    Get(usize),
    Stop,
}

#[portal]
fn run(code: GcArray<Op>, globals: GcArray<Cell<i64>>) -> Result<i64, Gc<Str>> {
    let mut pc: usize = 0;
    let mut top = 0;
    loop {
        merge_point!(greens = [pc, code], reds = [globals, top]);
        match code[pc] {
            Op::Get(name) => {
                if name >= globals.len() {
                    return Err(Str::new(&format!("`{name}` has no value")));
                }
                top = globals[name].get();
            }
            Op::Stop => return Ok(top),
        }
        pc += 1;
    }
}
