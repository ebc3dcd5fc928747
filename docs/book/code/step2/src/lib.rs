//! Step 2 of the tutorial: the interpreter of step 1 as a portal. In: the text of an expression,
//! and how often it is evaluated. Out: the sum of its values. Invariant: it is the sum that step 1
//! gives.

#![forbid(unsafe_code)]

#[path = "../../common/expression.rs"]
mod expression;

use book_host::Run;
use expression::{ADD, END, MUL, NUMBER, ROOM, SUB, X};

// ANCHOR: include
use verdigris::VmError;
use verdigris::prelude::*;

verdigris::include_jit!();
// ANCHOR_END: include

// ANCHOR: program
/// A program in memory.
#[gc]
struct Program {
    code: GcArray<u8>,
}
// ANCHOR_END: program

// ANCHOR: evaluate
/// The value of an expression for this `x`.
#[portal]
fn evaluate(program: Gc<Program>, x: i64) -> i64 {
    let stack: GcArray<Cell<i64>> = GcArray::new(ROOM, 0);
    let mut top: usize = 0;
    let mut pc: usize = 0;
    loop {
        merge_point!(greens = [pc, top, program], reds = [x, stack]);
        let op = program.code[pc];
        pc += 1;
        match op {
            X => {
                stack[top].set(x);
                top += 1;
            }
            NUMBER => {
                stack[top].set(i64::from(program.code[pc]));
                top += 1;
                pc += 1;
            }
            END => return stack[0].get(),
            _ => {
                let (left, right) = (stack[top - 2].get(), stack[top - 1].get());
                top -= 1;
                stack[top - 1].set(match op {
                    ADD => left.wrapping_add(right),
                    SUB => left.wrapping_sub(right),
                    MUL => left.wrapping_mul(right),
                    _ => unreachable!(),
                });
            }
        }
    }
}
// ANCHOR_END: evaluate

// ANCHOR: sum
fn machine(options: Options) -> Result<Vm, VmError> {
    Vm::new(jit::program(), options)
}

/// Prints the sum of an expression's values for all `x` below `count`.
pub fn sum(text: &str, count: i64, options: Options) -> Run {
    let code = match expression::compile(text) {
        Ok(code) => code,
        Err(error) => return book_host::failed(error),
    };
    book_host::run(machine, options, || {
        let code = GcArray::from_slice(&code);
        let program = Gc::new(Program { code });
        let sum = (0..count).fold(0i64, |sum, x| sum.wrapping_add(evaluate(program, x)));
        book_host::line(&sum.to_string());
        Ok(())
    })
}
// ANCHOR_END: sum
