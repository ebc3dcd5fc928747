//! A language of four instructions, with a JIT. In: a program text and a number. Out: the sum that
//! the program leaves.
//!
//! `+` adds the counter to the sum, `-` decrements the counter, `?` starts the program again while
//! the counter is positive, everything else ends it. So `+-?.` with 4 gives 4 + 3 + 2 + 1.
//!
//! What makes this a JIT is `build.rs` and the lines here that name `verdigris`, `#[gc]`,
//! `#[portal]`, `merge_point!`, `can_enter_jit!`, `Vm` and `enter`: less than 30 lines in all. The
//! rest is an interpreter as one writes it anyway.

#![forbid(unsafe_code)]

use verdigris::VmError;
use verdigris::prelude::*;

verdigris::include_jit!();

/// A program in memory.
#[gc]
struct Program {
    code: GcArray<u8>,
}

/// Where a place is, for people.
fn location(pc: usize, _program: Gc<Program>) -> Location {
    Location::new().offset(pc)
}

/// The interpreter.
#[portal(location = location)]
fn run(program: Gc<Program>, mut counter: i64) -> i64 {
    let mut pc: usize = 0;
    let mut sum: i64 = 0;
    loop {
        merge_point!(greens = [pc, program], reds = [counter, sum]);
        let op = program.code[pc];
        pc += 1;
        match op {
            b'+' => sum += counter,
            b'-' => counter -= 1,
            b'?' => {
                if counter > 0 {
                    pc = 0;
                    can_enter_jit!();
                }
            }
            _ => return sum,
        }
    }
}

/// A VM for this language.
pub fn machine(options: Options) -> Result<Vm, VmError> {
    Vm::new(jit::program(), options)
}

/// Runs a program text.
pub fn sum(vm: &Vm, text: &str, counter: i64) -> i64 {
    vm.enter(|| {
        let code = GcArray::from_slice(text.as_bytes());
        run(Gc::new(Program { code }), counter)
    })
}
