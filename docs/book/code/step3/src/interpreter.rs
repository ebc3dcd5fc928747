//! The interpreter of step 3: integers, variables, loops. In: a program and its registers. Out:
//! nothing, or the line of a division by zero. Invariant: everything that [`run`] reaches, but for
//! marked functions, is in the subset of Rust that the translator reads.

use crate::opcode::{Binary, Op, Unary};
use verdigris::prelude::*;

// ANCHOR: program
/// A program on the heap of the VM, where the JIT can look at it.
#[gc]
pub struct Program {
    /// The instructions.
    pub code: GcArray<Op>,
    /// The line of each, 0 if it cannot fail.
    pub lines: GcArray<u32>,
}

/// The tag of registers: no other array has this type.
pub struct InFrame;

/// The registers. They change: a plain item would be a constant for ever.
pub type Registers = GcArray<Register<i64>, InFrame>;
// ANCHOR_END: program

// ANCHOR: location
/// Where an instruction is in the text, for logs. An instruction that cannot fail has no line: then
/// that of the next one is meant.
fn location(pc: usize, program: Gc<Program>) -> Location {
    let mut lines = (pc..program.lines.len()).map(|pc| program.lines[pc]);
    match lines.find(|&line| line > 0) {
        Some(line) => Location::new().line(line),
        None => Location::new().offset(pc),
    }
}
// ANCHOR_END: location

// ANCHOR: run
/// Runs a program.
///
/// # Errors
/// The line of a division by zero.
#[portal(location = location)]
pub fn run(program: Gc<Program>, registers: Registers) -> Result<(), u32> {
    let mut pc: usize = 0;
    loop {
        merge_point!(greens = [pc, program], reds = [registers]);
        match program.code[pc] {
            Op::Int { to, value } => registers[to].set(value),
            Op::Move { to, from } => registers[to].set(registers[from].get()),
            Op::Unary { op, to, from } => {
                let x = registers[from].get();
                registers[to].set(match op {
                    Unary::Neg => x.wrapping_neg(),
                    Unary::Not => (x == 0) as i64,
                });
            }
            Op::Binary {
                op,
                to,
                left,
                right,
            } => match binary(op, registers[left].get(), registers[right].get()) {
                Some(value) => registers[to].set(value),
                None => return Err(program.lines[pc]),
            },
            Op::Print { from } => print(registers[from].get()),
            Op::Jump { target } => {
                pc = target;
                continue;
            }
            Op::JumpIf { condition, target } => {
                if registers[condition].get() != 0 {
                    pc = target;
                    continue;
                }
            }
            Op::JumpUnless { condition, target } => {
                if registers[condition].get() == 0 {
                    pc = target;
                    continue;
                }
            }
            Op::Loop { target } => {
                pc = target;
                can_enter_jit!();
            }
            // What a program ends with. The check of the loader has refused the rest.
            _ => return Ok(()),
        }
        pc += 1;
    }
}
// ANCHOR_END: run

// ANCHOR: binary
/// An operation; `None` is a division by zero.
fn binary(op: Binary, x: i64, y: i64) -> Option<i64> {
    Some(match op {
        Binary::Add => x.wrapping_add(y),
        Binary::Sub => x.wrapping_sub(y),
        Binary::Mul => x.wrapping_mul(y),
        Binary::Div | Binary::Rem if y == 0 => return None,
        Binary::Div => x.wrapping_div(y),
        Binary::Rem => x.wrapping_rem(y),
        Binary::Less => (x < y) as i64,
        Binary::LessEqual => (x <= y) as i64,
        Binary::Greater => (x > y) as i64,
        Binary::GreaterEqual => (x >= y) as i64,
        Binary::Equal => (x == y) as i64,
        Binary::NotEqual => (x != y) as i64,
    })
}
// ANCHOR_END: binary

// ANCHOR: print
/// Prints a number.
#[opaque]
fn print(value: i64) {
    book_host::line(&value.to_string());
}
// ANCHOR_END: print
