//! The interpreter: what rustc compiles, and what the translator makes the JIT of. In: a program
//! and its registers. It returns the fault that the program died of, if it did. Invariant:
//! everything that [`run`] reaches, but for functions marked `#[opaque]`, is in the subset of Rust
//! that the translator reads; what is not is an error of the build.

use crate::opcode::{Binary, Op};
use crate::output;
use verdigris::{Str, prelude::*};

/// A program on the heap of the VM, where the JIT can look at it.
///
/// `#[gc]` makes it a class of that heap. Its fields are plain, which promises that they never
/// change: in compiled code they are constants. A field that changes is a `Cell`.
#[gc]
pub struct Program {
    /// The file that it is in, for what is said of compiled code.
    pub file: Gc<Str>,
    /// The instructions.
    pub code: GcArray<Op>,
    /// The line of each, 0 if it cannot fail.
    pub lines: GcArray<u32>,
}

/// The registers. `Cell`s, since they change.
pub type Registers = GcArray<Cell<i64>>;

/// What a program died of. `#[value]`, since compiled code and native code hand it to each other.
#[value]
#[derive(Clone, Copy)]
pub enum Fault {
    /// A division by zero, in this line.
    Division(u32),
    /// What was printed could not be written.
    Output(u32),
}

/// Where an instruction is in the text: logs, statistics, profilers and debuggers say it of what is
/// compiled. Nothing else calls it. An instruction that cannot fail has no line: then that of the
/// next one is meant.
fn location(pc: usize, program: Gc<Program>) -> Location {
    let mut lines = (pc..program.lines.len()).map(|pc| program.lines[pc]);
    let location = Location::new().file(program.file.as_str());
    match lines.find(|&line| line > 0) {
        Some(line) => location.line(line),
        None => location.offset(pc),
    }
}

/// Runs a program.
///
/// `#[portal]` marks the function with the interpreter's loop, and names the one that says where a
/// place is.
///
/// # Errors
/// What the program died of.
#[portal(location = location)]
pub fn run(program: Gc<Program>, registers: Registers) -> Result<(), Fault> {
    let mut pc: usize = 0;
    loop {
        // Where a trace can begin and end. The greens say where in the program we are: for compiled
        // code they are constants, and so is all that follows from them, such as the instruction.
        // The reds are all the rest that is alive here.
        merge_point!(greens = [pc, program], reds = [registers]);
        match program.code[pc] {
            Op::Int { to, value } => registers[to].set(value),
            Op::Move { to, from } => registers[to].set(registers[from].get()),
            Op::Binary {
                op,
                to,
                left,
                right,
            } => match binary(op, registers[left].get(), registers[right].get()) {
                Some(value) => registers[to].set(value),
                None => return Err(Fault::Division(program.lines[pc])),
            },
            Op::Print { from } => {
                if !print(registers[from].get()) {
                    return Err(Fault::Output(program.lines[pc]));
                }
            }
            Op::Jump { target } => {
                pc = target;
                continue;
            }
            Op::Loop { target } => {
                pc = target;
                // The program jumps backwards, so this may be a loop: it is counted, compiled when
                // it is hot, and entered. It goes on at the merge point.
                can_enter_jit!();
            }
            Op::JumpUnless {
                op,
                left,
                right,
                target,
            } => {
                if binary(op, registers[left].get(), registers[right].get()) == Some(0) {
                    pc = target;
                    continue;
                }
            }
            Op::End => return Ok(()),
        }
        pc += 1;
    }
}

/// An operation; `None` is a division by zero. No hint is needed: the JIT looks into every function
/// that is not marked, and of an `Option` that it has seen made nothing is left.
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
        Binary::Equal => (x == y) as i64,
        Binary::NotEqual => (x != y) as i64,
    })
}

/// Prints a number; whether that was possible.
///
/// `#[opaque]`: compiled code calls it, and the JIT does not look into it, so it may be any Rust.
#[opaque]
fn print(value: i64) -> bool {
    output::line(&value.to_string()).is_ok()
}
