//! Frames, calls and returns. In: a program. Out: its result. Invariant: a call is a call of the
//! portal, one level deeper; `Room::top` is the frame of the function that runs, also behind a call
//! that ends in a fault, and the registers in it are true whenever native code looks.

use crate::program::{Fault, Function, Program, Value};
use crate::step::{Next, Registers, step};
use verdigris::{Virtualizable, prelude::*};

/// The tag of registers.
pub struct InFrame;

/// The registers of a frame.
pub type Slots = GcArray<Virtualizable<Value>, InFrame>;

/// The data of a call.
#[gc]
pub struct Frame {
    registers: Slots,
    /// The frame that waits for this one.
    pub caller: Option<Gc<Frame>>,
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

/// Where a native function that looks at registers begins.
#[gc]
pub struct Room {
    /// The frame of the function that runs.
    top: Virtualizable<Option<Gc<Frame>>>,
}

pub fn room(_: usize) -> Gc<Room> {
    Gc::new(Room {
        top: Virtualizable::new(None),
    })
}

/// The number in a register of the function that runs.
pub fn look(program: Gc<Program>, n: usize) -> Option<i64> {
    match program.room.top.get()?.registers[n].get() {
        Value::Int(value) => Some(value),
        _ => None,
    }
}

/// Runs a program with an argument.
pub fn start(program: Gc<Program>, arg: Value) -> Result<Value, Fault> {
    let main = program.functions[0];
    let registers = Slots::new(main.registers, Value::Nil);
    registers[0].set(arg);
    let first = Gc::new(Frame {
        registers,
        caller: None,
    });
    program.room.top.set(Some(first));
    run(program, main, first, 0)
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
    frame: Gc<Frame>,
    depth: usize,
) -> Result<Value, Fault> {
    let mut pc: usize = 0;
    loop {
        merge_point!(greens = [pc, function, program], reds = [frame, depth]);
        match step(program, function, pc, frame)? {
            Next::Go(to) => pc = to,
            Next::Back(to) => {
                pc = to;
                can_enter_jit!();
            }
            Next::Call(callee, first, result) => {
                let inner = enter(program, callee, frame, first, depth)?;
                program.room.top.set(Some(inner));
                let returned = run(program, callee, inner, depth + 1);
                program.room.top.set(Some(frame));
                frame.set(result, returned?);
                pc += 1;
            }
            Next::Done(value) => return Ok(value),
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
    depth: usize,
) -> Result<Gc<Frame>, Fault> {
    if depth >= program.max_depth {
        return Err(Fault::Depth);
    }
    let registers = Slots::new(callee.registers, Value::Nil);
    for n in 0..callee.params {
        registers[n].set(caller.registers[first + n].get());
    }
    Ok(Gc::new(Frame {
        registers,
        caller: Some(caller),
    }))
}
