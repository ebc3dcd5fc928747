//! A value whose variants rustc sees in another order than the translator: the test swaps them in the text that it translates, as a condition
//! that holds for one of the two alone would.

use verdigris::prelude::*;

#[value]
#[derive(Clone, Copy)]
pub enum Count {
    Short(i64),
    Long(GcArray<Cell<i64>>),
}

#[gc]
pub struct Machine {
    pub code: GcArray<u8>,
    pub r#type: Cell<Count>,
}

fn bump(count: Count) -> Count {
    match count {
        Count::Short(n) => Count::Short(n + 1),
        Count::Long(digits) => {
            digits[0].set(digits[0].get() + 1);
            count
        }
    }
}

#[portal]
pub fn run(machine: Gc<Machine>) -> i64 {
    let mut pc: usize = 0;
    loop {
        merge_point!(greens = [pc, machine], reds = []);
        if machine.code[pc] == b'.' {
            return match machine.r#type.get() {
                Count::Short(n) => n,
                Count::Long(digits) => digits[0].get(),
            };
        }
        machine.r#type.set(bump(machine.r#type.get()));
        pc += 1;
    }
}
