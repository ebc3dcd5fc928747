//! The interpreter: what rustc compiles, and what the translator makes the JIT of. In: a program, a
//! function, where to begin. Out: how the activation was left. Invariant: a call of the guest is a
//! call of the portal, with registers of its own.

use crate::arith;
use crate::closures::{Closure, callee};
use crate::embedding::call_host;
use crate::faults::{Trap, caught, handler};
use crate::generators::{Generator, NOWHERE, enter};
use crate::program::{Function, Op, Program, Value};
use crate::shapes;
use crate::text;
use verdigris::prelude::*;

/// How many calls can be within each other.
const MAX_DEPTH: usize = 200;

// ANCHOR: registers
/// The tag of registers.
pub struct InFrame;

/// What a call works on.
pub type Registers = GcArray<Register<Value>, InFrame>;
// ANCHOR_END: registers

// ANCHOR: left
/// How an activation was left.
#[value]
#[derive(Clone, Copy)]
pub enum Left {
    Returned(Value),
    /// A generator goes on at this instruction.
    Yielded(Value, usize),
}
// ANCHOR_END: left

/// What an instruction has decided.
enum Next {
    Step,
    Go(usize),
    Back(usize),
    Leave(Left),
}

/// Where a place is, for people.
fn location(pc: usize, function: Gc<Function>, _program: Gc<Program>) -> Location {
    let location = Location::new().function(function.name.as_str());
    location.offset(pc)
}

// ANCHOR: run
/// Runs a function from an instruction on.
///
/// # Errors
/// What it does not catch.
#[portal(location = location)]
pub fn run(
    program: Gc<Program>,
    function: Gc<Function>,
    start: usize,
    closure: Gc<Closure>,
    registers: Registers,
    depth: usize,
) -> Result<Left, Trap> {
    let mut pc = start;
    loop {
        merge_point!(
            greens = [pc, function, program],
            reds = [closure, registers, depth]
        );
        match step(program, function, pc, closure, registers, depth) {
            Ok(Next::Step) => pc += 1,
            Ok(Next::Go(target)) => pc = target,
            Ok(Next::Back(target)) => {
                pc = target;
                can_enter_jit!();
            }
            Ok(Next::Leave(left)) => return Ok(left),
            Err(trap) => {
                let n = handler(function, pc);
                if n == function.handlers.len() {
                    return Err(trap);
                }
                let handler = function.handlers[n];
                registers[handler.to].set(caught(trap));
                pc = handler.target;
            }
        }
    }
}
// ANCHOR_END: run

/// Executes one instruction.
#[inline(always)]
fn step(
    program: Gc<Program>,
    function: Gc<Function>,
    pc: usize,
    closure: Gc<Closure>,
    registers: Registers,
    depth: usize,
) -> Result<Next, Trap> {
    match function.code[pc] {
        Op::Int { to, value } => registers[to].set(Value::Int(value)),
        Op::Float { to, value } => registers[to].set(Value::Float(value)),
        Op::Text { to, index } => registers[to].set(Value::Text(program.texts[index])),
        Op::Name { to, from } => {
            let Value::Text(text) = registers[from].get() else {
                return Err(Trap::Type);
            };
            registers[to].set(Value::Int(text::number(program, text)));
        }
        Op::Move { to, from } => registers[to].set(registers[from].get()),
        Op::Add { to, a, b } => {
            let sum = arith::add(registers[a].get(), registers[b].get())?;
            registers[to].set(sum);
        }
        Op::Sub { to, a, b } => {
            let difference = arith::sub(registers[a].get(), registers[b].get())?;
            registers[to].set(difference);
        }
        Op::Less { to, a, b } => {
            let less = arith::less(registers[a].get(), registers[b].get())?;
            registers[to].set(less);
        }
        Op::Same { to, a, b } => {
            let same = arith::same(registers[a].get(), registers[b].get());
            registers[to].set(Value::Bool(same));
        }
        Op::New { to } => {
            registers[to].set(Value::Object(shapes::new_object(program.empty)));
        }
        Op::Get { to, object, name } => {
            let Value::Object(object) = registers[object].get() else {
                return Err(Trap::Type);
            };
            registers[to].set(shapes::get(object, name));
        }
        Op::Lookup { to, object, name } => {
            let Value::Object(object) = registers[object].get() else {
                return Err(Trap::Type);
            };
            registers[to].set(shapes::get_slowly(object, name));
        }
        Op::Set { object, name, from } => {
            let Value::Object(object) = registers[object].get() else {
                return Err(Trap::Type);
            };
            shapes::set(object, name, registers[from].get());
        }
        Op::Close { to, function, from } => {
            let closure = Gc::new(Closure {
                function: program.functions[function],
                captured: Cell::new(registers[from].get()),
            });
            registers[to].set(Value::Closure(closure));
        }
        Op::Captured { to } => registers[to].set(closure.captured.get()),
        Op::Call { to, first, count } => {
            let (closure, inner) = arguments(registers, first, count)?;
            if depth == MAX_DEPTH {
                return Err(Trap::Depth);
            }
            match run(program, callee(closure), 0, closure, inner, depth + 1)? {
                Left::Returned(value) => registers[to].set(value),
                // `yield` in what was called as a function.
                Left::Yielded(..) => return Err(Trap::Type),
            }
        }
        // ANCHOR: generators
        Op::Generate { to, first, count } => {
            let (closure, inner) = arguments(registers, first, count)?;
            let generator = Gc::new(Generator {
                closure,
                registers: inner,
                pc: Cell::new(0),
            });
            registers[to].set(Value::Generator(generator));
        }
        Op::Resume { to, from } => {
            let Value::Generator(generator) = registers[from].get() else {
                return Err(Trap::Type);
            };
            let pc = enter(generator);
            if pc == NOWHERE {
                registers[to].set(Value::Nil);
                return Ok(Next::Step);
            }
            if depth == MAX_DEPTH {
                return Err(Trap::Depth);
            }
            let closure = generator.closure;
            let function = callee(closure);
            let inner = generator.registers;
            match run(program, function, pc, closure, inner, depth + 1)? {
                Left::Returned(_) => registers[to].set(Value::Nil),
                Left::Yielded(value, pc) => {
                    generator.pc.set(pc);
                    registers[to].set(value);
                }
            }
        }
        Op::Yield { from } => {
            let left = Left::Yielded(registers[from].get(), pc + 1);
            return Ok(Next::Leave(left));
        }
        // ANCHOR_END: generators
        Op::Throw { from } => return Err(Trap::Thrown(registers[from].get())),
        Op::Host { to, index, from } => {
            registers[to].set(call_host(index, registers[from].get())?);
        }
        Op::Jump { target } => return Ok(Next::Go(target)),
        Op::Loop { target } => return Ok(Next::Back(target)),
        Op::Unless { condition, target } => {
            if !registers[condition].get().truth() {
                return Ok(Next::Go(target));
            }
        }
        Op::Return { from } => return Ok(Next::Leave(Left::Returned(registers[from].get()))),
    }
    Ok(Next::Step)
}

/// The closure in `first`, and registers with the values behind it as arguments.
#[unroll_safe]
fn arguments(
    registers: Registers,
    first: usize,
    count: usize,
) -> Result<(Gc<Closure>, Registers), Trap> {
    let Value::Closure(closure) = registers[first].get() else {
        return Err(Trap::Type);
    };
    let function = callee(closure);
    if function.params != count {
        return Err(Trap::Arguments);
    }
    let inner = Registers::new(function.registers, Value::Nil);
    for n in 0..count {
        inner[n].set(registers[first + 1 + n].get());
    }
    Ok((closure, inner))
}
