//! Frames, calls and returns. In: a program. Out: its result. Invariant: a call is a call of the
//! portal, one level deeper, and its registers die with it; no other array of the language has
//! their type, so that no write to another touches what is known of them.

use crate::program::{Fault, Function, Program, Value};
use crate::step::{Next, Registers, step};
use verdigris::prelude::*;

/// The tag of registers.
pub struct InFrame;

/// The registers of an activation.
pub type Slots = GcArray<Register<Value>, InFrame>;

impl Registers for Slots {
    #[inline(always)]
    fn get(self, n: usize) -> Value {
        self[n].get()
    }

    #[inline(always)]
    fn set(self, n: usize, value: Value) {
        self[n].set(value);
    }
}

/// Frames have nothing in common.
#[gc]
pub struct Room {
    unused: usize,
}

pub fn room(unused: usize) -> Gc<Room> {
    Gc::new(Room { unused })
}

/// Native functions cannot look at registers here.
pub fn look(_: Gc<Program>, _: usize) -> Option<i64> {
    None
}

/// Runs a program with an argument.
pub fn start(program: Gc<Program>, arg: Value) -> Result<Value, Fault> {
    let main = program.functions[0];
    let registers = Slots::new(main.registers, Value::Nil);
    registers[0].set(arg);
    run(program, main, registers, 0)
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

/// Runs a function.
#[portal(location = location)]
fn run(
    program: Gc<Program>,
    function: Gc<Function>,
    registers: Slots,
    depth: usize,
) -> Result<Value, Fault> {
    let mut pc: usize = 0;
    loop {
        merge_point!(greens = [pc, function, program], reds = [registers, depth]);
        match step(program, function, pc, registers)? {
            Next::Go(to) => pc = to,
            Next::Back(to) => {
                pc = to;
                can_enter_jit!();
            }
            Next::Call(callee, first, result) => {
                let inner = enter(program, callee, registers, first, depth)?;
                let value = run(program, callee, inner, depth + 1)?;
                registers.set(result, value);
                pc += 1;
            }
            Next::Done(value) => return Ok(value),
        }
    }
}

/// The registers of a call.
#[unroll_safe]
#[inline(always)]
fn enter(
    program: Gc<Program>,
    callee: Gc<Function>,
    registers: Slots,
    first: usize,
    depth: usize,
) -> Result<Slots, Fault> {
    if depth >= program.max_depth {
        return Err(Fault::Depth);
    }
    let inner = Slots::new(callee.registers, Value::Nil);
    for n in 0..callee.params {
        inner[n].set(registers[first + n].get());
    }
    Ok(inner)
}
