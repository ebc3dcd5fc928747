//! The interpreter of step 7: what rustc compiles, and what the translator makes the JIT of. In: a
//! function and its registers. Out: what it returns, or the fault that it ends with. Invariant:
//! everything that [`run`] reaches, but for marked functions, is in the subset of Rust that the
//! translator reads.

use crate::arith;
use crate::fault::{self, Fault};
use crate::native::Native;
use crate::opcode::{Capture, Op};
use crate::value::{Captured, Closure, Function, Value, Variable, show};
use verdigris::prelude::*;

/// How many calls can be within each other.
const MAX_DEPTH: usize = 2_000;

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
pub fn run(
    function: Gc<Function>,
    closure: Gc<Closure>,
    registers: Registers,
    depth: usize,
) -> Result<Value, Gc<Fault>> {
    let mut pc: usize = 0;
    loop {
        merge_point!(greens = [pc, function], reds = [closure, registers, depth]);
        match step(function, pc, closure, registers, depth) {
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
fn step(
    function: Gc<Function>,
    pc: usize,
    closure: Gc<Closure>,
    registers: Registers,
    depth: usize,
) -> Result<Next, Gc<Fault>> {
    match function.code[pc] {
        Op::Nil { to } => registers[to].set(Value::Nil),
        Op::Bool { to, value } => registers[to].set(Value::Bool(value)),
        Op::Int { to, value } => registers[to].set(Value::Int(value)),
        Op::Float { to, value } => registers[to].set(Value::Float(value)),
        Op::Text { to, index } => registers[to].set(Value::Text(function.texts[index])),
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
        // ANCHOR: globals
        Op::GetGlobal { to, index } => registers[to].set(function.globals[index].get()),
        Op::SetGlobal { index, from } => function.globals[index].set(registers[from].get()),
        // ANCHOR_END: globals
        // ANCHOR: closures
        Op::Closure { to, index } => {
            let inner = function.functions[index];
            registers[to].set(Value::Function(new_closure(inner, closure, registers)));
        }
        Op::Share { register } => {
            let variable = Gc::new(Variable {
                value: Cell::new(registers[register].get()),
            });
            registers[register].set(Value::Shared(variable));
        }
        Op::GetShared { to, from } => registers[to].set(shared(registers, from).value.get()),
        Op::SetShared { to, from } => shared(registers, to).value.set(registers[from].get()),
        Op::GetCaptured { to, index } => {
            registers[to].set(captured(closure, index).value.get());
        }
        Op::SetCaptured { index, from } => {
            captured(closure, index).value.set(registers[from].get());
        }
        // ANCHOR_END: closures
        Op::Call { to, first, count } => {
            registers[to].set(call(registers, first, count, depth)?);
        }
        // The check of the loader has refused the rest.
        _ => unreachable!(),
    }
    Ok(Next::Step)
}

/// The variable in a register of a variable that closures share.
fn shared(registers: Registers, register: usize) -> Gc<Variable> {
    match registers[register].get() {
        Value::Shared(variable) => variable,
        _ => unreachable!(),
    }
}

/// A variable that the closure has captured.
fn captured(closure: Gc<Closure>, index: usize) -> Gc<Variable> {
    match closure.captured[index].get() {
        Some(variable) => variable,
        None => unreachable!(),
    }
}

// ANCHOR: new_closure
/// A closure of a function in this one. The loop has as many turns as the function, a constant,
/// says: so it may be unrolled.
#[unroll_safe]
fn new_closure(function: Gc<Function>, around: Gc<Closure>, registers: Registers) -> Gc<Closure> {
    let variables = Captured::new(function.captures.len(), None);
    for n in 0..function.captures.len() {
        variables[n].set(Some(match function.captures[n] {
            Capture::Register(register) => shared(registers, register),
            Capture::Captured(index) => captured(around, index),
        }));
    }
    Gc::new(Closure {
        function,
        captured: variables,
    })
}
// ANCHOR_END: new_closure

// ANCHOR: call
/// Calls what is in a register, with the arguments behind it.
#[inline(always)]
fn call(
    registers: Registers,
    first: usize,
    count: usize,
    depth: usize,
) -> Result<Value, Gc<Fault>> {
    let closure = match registers[first].get() {
        Value::Function(closure) => closure,
        Value::Native(native) => return call_native(native, registers, first, count),
        other => return Err(fault::not_callable(other)),
    };
    // From here on, compiled code is for this function: but for any closure of it.
    let function = promote(closure.function);
    if count != function.params {
        return Err(fault::arguments(function.name, function.params, count));
    }
    if depth >= MAX_DEPTH {
        return Err(fault::too_deep());
    }
    let inner = Registers::new(function.registers, Value::Nil);
    copy(registers, first + 1, inner, 0, count);
    run(function, closure, inner, depth + 1)
}
// ANCHOR_END: call

// ANCHOR: copy
/// Copies arguments to the registers of a call from `to` on.
#[unroll_safe]
fn copy(registers: Registers, first: usize, inner: Registers, to: usize, count: usize) {
    for n in 0..count {
        inner[to + n].set(registers[first + n].get());
    }
}
// ANCHOR_END: copy

// ANCHOR: call_native
/// Calls a native function, which has one parameter.
fn call_native(
    native: Native,
    registers: Registers,
    first: usize,
    count: usize,
) -> Result<Value, Gc<Fault>> {
    if count != 1 {
        return Err(fault::arguments(native.name(), 1, count));
    }
    native.call(registers[first + 1].get())
}
// ANCHOR_END: call_native

// ANCHOR: print
/// Prints a value. `#[opaque]`: compiled code calls it, and the JIT does not look into it, so it
/// may be any Rust.
#[opaque]
fn print(value: Value) {
    book_host::line(&show(value));
}
// ANCHOR_END: print
