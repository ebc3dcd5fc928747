//! Frames, calls and returns. In: a program. Out: its result. Invariant: as in the alternative that
//! recurses, but an interpreted call uses the registers of one that has ended, so that it need not
//! allocate: only that activation can have seen them. Compiled code makes none anyway.

use crate::program::{Fault, Function, Program, Spare, Value};
use crate::step::{Next, Registers, step};
use verdigris::{prelude::*, we_are_jitted};

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
                let value = call(program, callee, registers, first, depth)?;
                registers.set(result, value);
                pc += 1;
            }
            Next::Done(value) => return Ok(value),
        }
    }
}

/// Calls a function.
#[inline(always)]
fn call(
    program: Gc<Program>,
    callee: Gc<Function>,
    registers: Slots,
    first: usize,
    depth: usize,
) -> Result<Value, Fault> {
    if depth >= program.max_depth {
        return Err(Fault::Depth);
    }
    if !we_are_jitted() {
        return interpreted(program, callee, registers, first, depth);
    }
    let inner = Slots::new(callee.registers, Value::Nil);
    fill(callee, inner, registers, first);
    run(program, callee, inner, depth + 1)
}

/// Calls a function with registers that an earlier call has left, if there are some. Only the
/// interpreter does this: in a trace, registers that are new are free, and those of an earlier call
/// would be in memory.
#[inline]
fn interpreted(
    program: Gc<Program>,
    callee: Gc<Function>,
    registers: Slots,
    first: usize,
    depth: usize,
) -> Result<Value, Fault> {
    let spare = match callee.spare.get() {
        Some(spare) => {
            callee.spare.set(spare.next.get());
            spare
        }
        None => Gc::new(Spare {
            registers: Slots::new(callee.registers, Value::Nil),
            next: Cell::new(None),
        }),
    };
    fill(callee, spare.registers, registers, first);
    let result = run(program, callee, spare.registers, depth + 1);
    for register in spare.registers.as_slice() {
        register.set(Value::Nil);
    }
    spare.next.set(callee.spare.get());
    callee.spare.set(Some(spare));
    result
}

/// Copies the arguments of a call.
#[unroll_safe]
#[inline(always)]
fn fill(callee: Gc<Function>, inner: Slots, registers: Slots, first: usize) {
    for n in 0..callee.params {
        inner[n].set(registers[first + n].get());
    }
}
