//! Frames, calls and returns. In: a program. Out: its result. Invariant: a call is a call of the
//! portal, one level deeper, whose registers lie behind its caller's on the one stack. They are not
//! cleared: a function writes a register before it reads it, and what earlier calls have left there
//! stays alive until then.

use crate::program::{Fault, Function, Program, Value};
use crate::step::{Next, Registers, step};
use verdigris::prelude::*;

/// The tag of the stack.
pub struct InFrame;

/// The registers of all activations.
pub type Slots = GcArray<Cell<Value>, InFrame>;

/// The registers of an activation.
#[derive(Clone, Copy)]
pub struct Window {
    stack: Slots,
    base: usize,
}

impl Registers for Window {
    #[inline(always)]
    fn get(self, n: usize) -> Value {
        self.stack[self.base + n].get()
    }

    #[inline(always)]
    fn set(self, n: usize, value: Value) {
        self.stack[self.base + n].set(value);
    }
}

/// The data that all frames share.
#[gc]
pub struct Room {
    stack: Slots,
}

/// Room for this many registers.
pub fn room(registers: usize) -> Gc<Room> {
    Gc::new(Room {
        stack: Slots::new(registers, Value::Nil),
    })
}

/// Native functions cannot look at registers here.
pub fn look(_: Gc<Program>, _: usize) -> Option<i64> {
    None
}

/// Runs a program with an argument.
pub fn start(program: Gc<Program>, arg: Value) -> Result<Value, Fault> {
    program.room.stack[0].set(arg);
    run(program, program.functions[0], 0, 0)
}

/// Where a place is, for people.
fn location(pc: usize, function: Gc<Function>, program: Gc<Program>) -> Location {
    let functions = program.functions;
    let number = (0..functions.len()).find(|&n| Gc::ptr_eq(functions[n], function));
    let location = Location::new().offset(pc);
    match number {
        Some(number) => location.function(format!("function {number}")),
        None => location,
    }
}

/// Runs a function whose registers begin at `base`.
#[portal(location = location)]
fn run(
    program: Gc<Program>,
    function: Gc<Function>,
    base: usize,
    depth: usize,
) -> Result<Value, Fault> {
    let mut pc: usize = 0;
    loop {
        merge_point!(greens = [pc, function, program], reds = [base, depth]);
        let stack = program.room.stack;
        let registers = Window { stack, base };
        match step(program, function, pc, registers)? {
            Next::Go(to) => pc = to,
            Next::Back(to) => {
                pc = to;
                can_enter_jit!();
            }
            Next::Call(callee, first, result) => {
                let behind = base + function.registers;
                enter(program, callee, registers, first, behind, depth)?;
                let value = run(program, callee, behind, depth + 1)?;
                registers.set(result, value);
                pc += 1;
            }
            Next::Done(value) => return Ok(value),
        }
    }
}

/// Copies the arguments of a call to where its registers begin.
#[unroll_safe]
#[inline(always)]
fn enter(
    program: Gc<Program>,
    callee: Gc<Function>,
    registers: Window,
    first: usize,
    behind: usize,
    depth: usize,
) -> Result<(), Fault> {
    if depth >= program.max_depth {
        return Err(Fault::Depth);
    }
    for n in 0..callee.params {
        registers.stack[behind + n].set(registers.get(first + n));
    }
    Ok(())
}
