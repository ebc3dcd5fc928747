//! Frames, calls and returns. In: a program. Out: its result. Invariant: the frame in the portal's
//! variable is that of the function that runs, and leads to those that wait; a call pushes one and
//! a return pops it, without recursion in Rust.

use crate::program::{Fault, Function, Program, Value};
use crate::step::{Next, Registers, step};
use verdigris::prelude::*;

/// The tag of registers.
pub struct InFrame;

/// The registers of a frame.
pub type Slots = GcArray<Register<Value>, InFrame>;

/// The data of a call.
#[gc]
pub struct Frame {
    registers: Slots,
    depth: usize,
    /// The frame that waits for this one, and where it goes on: its function, the pc behind the
    /// call, the register of the result.
    caller: Option<Gc<Frame>>,
    function: Gc<Function>,
    pc: usize,
    result: usize,
}

impl Registers for Gc<Frame> {
    #[inline(always)]
    fn get(self, n: usize) -> Value {
        self.registers[n].get()
    }

    #[inline(always)]
    fn set(self, n: usize, value: Value) {
        self.registers[n].set(value);
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
    let first = Gc::new(Frame {
        registers,
        depth: 0,
        caller: None,
        function: main,
        pc: 0,
        result: 0,
    });
    run(program, first)
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

/// Runs until the first frame returns.
#[portal(location = location)]
fn run(program: Gc<Program>, first: Gc<Frame>) -> Result<Value, Fault> {
    let mut function = program.functions[0];
    let mut pc: usize = 0;
    let mut frame = first;
    loop {
        merge_point!(greens = [pc, function, program], reds = [frame]);
        match step(program, function, pc, frame)? {
            Next::Go(to) => pc = to,
            Next::Back(to) => {
                pc = to;
                can_enter_jit!();
            }
            Next::Call(callee, first, result) => {
                frame = enter(program, callee, frame, first, function, pc + 1, result)?;
                function = callee;
                pc = 0;
                // The program may come to this function's beginning again and again.
                can_enter_jit!();
            }
            Next::Done(value) => {
                let Some(caller) = frame.caller else {
                    return Ok(value);
                };
                function = promote(frame.function);
                pc = promote(frame.pc);
                caller.set(promote(frame.result), value);
                frame = caller;
                // So may the places behind calls: what has recursed returns again and again.
                can_enter_jit!();
            }
        }
    }
}

/// The frame of a call.
#[unroll_safe]
#[inline(always)]
fn enter(
    program: Gc<Program>,
    callee: Gc<Function>,
    caller: Gc<Frame>,
    first: usize,
    function: Gc<Function>,
    pc: usize,
    result: usize,
) -> Result<Gc<Frame>, Fault> {
    if caller.depth >= program.max_depth {
        return Err(Fault::Depth);
    }
    let registers = Slots::new(callee.registers, Value::Nil);
    for n in 0..callee.params {
        registers[n].set(caller.registers[first + n].get());
    }
    Ok(Gc::new(Frame {
        registers,
        depth: caller.depth + 1,
        caller: Some(caller),
        function,
        pc,
        result,
    }))
}
