//! The interpreter of step 4: what rustc compiles, and what the translator makes the JIT of. In: a
//! function and its registers. Out: what it returns, or the fault that it ends with. Invariant:
//! everything that [`run`] reaches, but for marked functions, is in the subset of Rust that the
//! translator reads.

use crate::arith;
use crate::fault::{self, Fault};
use crate::opcode::Op;
use crate::value::{Function, Value, show};
use verdigris::prelude::*;

// ANCHOR: registers
/// The tag of registers: no other array has this type.
pub struct InFrame;

/// The registers of a function.
pub type Registers = GcArray<Register<Value>, InFrame>;
// ANCHOR_END: registers

/// What an instruction has decided.
enum Next {
    /// The next instruction.
    Step,
    /// This one.
    Go(usize),
    /// This one, and to get there control goes backwards.
    Back(usize),
    /// The function returns.
    Done(Value),
}

// ANCHOR: location
/// Where an instruction is in the text, for logs. An instruction that cannot fail has no line: then
/// that of the next one is meant.
fn location(pc: usize, function: Gc<Function>) -> Location {
    let location = Location::new().function(function.name.as_str().to_string());
    let mut lines = (pc..function.lines.len()).map(|pc| function.lines[pc]);
    match lines.find(|&line| line > 0) {
        Some(line) => location.line(line),
        None => location.offset(pc),
    }
}
// ANCHOR_END: location

// ANCHOR: run
/// Runs a function.
///
/// # Errors
/// The fault that it ends with.
#[portal(location = location)]
pub fn run(function: Gc<Function>, registers: Registers) -> Result<Value, Gc<Fault>> {
    let mut pc: usize = 0;
    loop {
        merge_point!(greens = [pc, function], reds = [registers]);
        match step(function, pc, registers) {
            Ok(Next::Step) => pc += 1,
            Ok(Next::Go(target)) => pc = target,
            Ok(Next::Back(target)) => {
                pc = target;
                can_enter_jit!();
            }
            Ok(Next::Done(value)) => return Ok(value),
            Err(fault) => return Err(fault::located(fault, function.lines[pc])),
        }
    }
}
// ANCHOR_END: run

/// Executes an instruction.
#[inline(always)]
fn step(function: Gc<Function>, pc: usize, registers: Registers) -> Result<Next, Gc<Fault>> {
    match function.code[pc] {
        Op::Nil { to } => registers[to].set(Value::Nil),
        Op::Bool { to, value } => registers[to].set(Value::Bool(value)),
        Op::Int { to, value } => registers[to].set(Value::Int(value)),
        Op::Float { to, value } => registers[to].set(Value::Float(value)),
        Op::Move { to, from } => registers[to].set(registers[from].get()),
        Op::Unary { op, to, from } => {
            registers[to].set(arith::unary(op, registers[from].get())?);
        }
        // ANCHOR: binary
        Op::Binary {
            op,
            to,
            left,
            right,
        } => {
            let (left, right) = (registers[left].get(), registers[right].get());
            registers[to].set(arith::binary(op, left, right)?);
        }
        // ANCHOR_END: binary
        Op::Print { from } => print(registers[from].get()),
        Op::Jump { target } => return Ok(Next::Go(target)),
        Op::Loop { target } => return Ok(Next::Back(target)),
        Op::JumpIf { condition, target } => {
            if registers[condition].get().truth() {
                return Ok(Next::Go(target));
            }
        }
        Op::JumpUnless { condition, target } => {
            if !registers[condition].get().truth() {
                return Ok(Next::Go(target));
            }
        }
        Op::Return { from } => return Ok(Next::Done(registers[from].get())),
        // The check of the loader has refused the rest.
        _ => unreachable!(),
    }
    Ok(Next::Step)
}

// ANCHOR: print
/// Prints a value. `#[opaque]`: compiled code calls it, and the JIT does not look into it, so it
/// may be any Rust.
#[opaque]
fn print(value: Value) {
    book_host::line(&show(value));
}
// ANCHOR_END: print
