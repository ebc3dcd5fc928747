//! The interpreter: what rustc compiles, and what the translator makes the JIT of. In: a function
//! and its registers. Out: what it returns, or the fault that it ends with. Invariants: everything
//! that [`run`] reaches, but for functions marked `#[opaque]`, is in the subset of Rust that the
//! translator reads. A call of the program is a call of [`run`]; how deep, is counted, so that it
//! is the same error at the same depth in the interpreter and in compiled code.

use crate::arith;
use crate::fault::{self, Fault};
// IN objects
use crate::object::{self, Instance, Methods, Shape};
// OUT
use crate::opcode::{Capture, Op};
use crate::output;
// IN objects
use crate::parser::INIT;
// OUT
use crate::value::{Captured, Closure, Function, Value, Variable, show};
use verdigris::{advice, prelude::*};

/// How many calls can be within each other.
pub const MAX_DEPTH: usize = 2_000;

/// The tag of registers: no other array has this type.
pub struct InFrame;

/// The registers of a call, made for it and seen by it alone. A `Register` is a `Cell` that is
/// cheaper to write, which only such an array may have. Of the registers of a call that is inlined
/// into compiled code nothing is left.
pub type Registers = GcArray<Register<Value>, InFrame>;

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

/// Where an instruction is in the text: logs, statistics, profilers and debuggers say it of what is
/// compiled. Nothing else calls it. An instruction that cannot fail has no line: then that of the
/// next one is meant.
fn location(pc: usize, function: Gc<Function>) -> Location {
    let location = Location::new()
        .file(function.file.as_str())
        .function(function.name.as_str());
    let mut lines = (pc..function.lines.len()).map(|pc| function.lines[pc]);
    match lines.find(|&line| line > 0) {
        Some(line) => location.line(line),
        None => location.offset(pc),
    }
}

/// Runs a function.
///
/// `#[portal]` marks the function with the interpreter's loop, and names the one that says where a
/// place is.
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
        // Where a trace can begin and end. The greens say where in the program we are: for compiled
        // code they are constants, and so is all that follows from them, such as the instruction.
        // The reds are all the rest that is alive here. The function is green and the closure is
        // not, so that closures of one function share its code.
        merge_point!(greens = [pc, function], reds = [closure, registers, depth]);
        match step(function, pc, closure, registers, depth) {
            Ok(Next::Step) => pc += 1,
            Ok(Next::Go(target)) => pc = target,
            Ok(Next::Back(target)) => {
                pc = target;
                // The program jumps backwards, so this may be a loop: it is counted, compiled when
                // it is hot, and entered.
                can_enter_jit!();
            }
            Ok(Next::Done(value)) => return Ok(value),
            Err(fault) => return Err(fault::located(fault, function, pc)),
        }
    }
}

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
        Op::Closure { to, index } => {
            let inner = function.functions[index];
            registers[to].set(Value::Function(new_closure(inner, closure, registers)));
        }
        Op::Unary { op, to, from } => {
            registers[to].set(arith::unary(op, registers[from].get())?);
        }
        Op::Binary {
            op,
            to,
            left,
            right,
        } => {
            let (left, right) = (registers[left].get(), registers[right].get());
            registers[to].set(arith::binary(op, left, right)?);
        }
        Op::Call { to, first, count } => {
            registers[to].set(call(registers, first, count, depth)?);
        }
        // IN objects
        Op::GetField { to, object, name } => {
            let object = registers[object].get();
            match object::get(object, name) {
                Some(value) => registers[to].set(value),
                None => return Err(fault::no_field(object, function.names[name])),
            }
        }
        Op::SetField { object, name, from } => {
            let object = registers[object].get();
            if !object::set(object, name, registers[from].get()) {
                return Err(fault::no_field(object, function.names[name]));
            }
        }
        Op::Send {
            to,
            first,
            count,
            name,
        } => {
            let object = registers[first].get();
            let Some(method) = object::method_of(object, name) else {
                return Err(fault::no_method(object, function.names[name]));
            };
            registers[to].set(send(object, method, registers, first, count, depth)?);
        }
        Op::Class { to, index, first } => {
            let info = function.classes[index];
            let methods = Methods::new(info.methods.len(), None);
            copy_methods(registers, first, methods);
            registers[to].set(Value::Class(object::new_class(info, methods)));
        }
        // OUT
        Op::Return { from } => return Ok(Next::Done(registers[from].get())),
        Op::Print { from } => {
            if !print(registers[from].get()) {
                return Err(fault::output());
            }
        }
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

/// A closure of a function in this one.
///
/// `#[unroll_safe]`: the loop has as many turns as the function, a constant, says. So a trace may
/// contain them one after the other.
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

/// Calls what is in a register, with the arguments behind it. `#[advice(..)]`: what a report says
/// to the author of a program that is slow because of this.
#[advice(
    "many functions are called at one place, each with code of its own: a loop for each kind is faster"
)]
#[inline(always)]
fn call(
    registers: Registers,
    first: usize,
    count: usize,
    depth: usize,
) -> Result<Value, Gc<Fault>> {
    let callee = registers[first].get();
    // IN objects
    // ELSE let Value::Function(closure) = callee else {
    // ELSE     return Err(fault::not_callable(callee));
    let closure = match callee {
        Value::Function(closure) => closure,
        Value::Class(shape) => return construct(shape, registers, first, count, depth),
        _ => return Err(fault::not_callable(callee)),
    // OUT
    };
    // Compiled code is for the function that was called when it was recorded, behind a check that
    // it is this one. So the call is looked into, and may be inlined.
    let function = promote(closure.function);
    if count != function.params {
        // IN objects
        // ELSE return Err(fault::arguments(closure, count));
        return Err(fault::arguments(closure, count, 0));
        // OUT
    }
    if depth >= MAX_DEPTH {
        return Err(fault::too_deep());
    }
    let inner = Registers::new(function.registers, Value::Nil);
    // IN objects
    // ELSE copy(registers, first + 1, inner, count);
    copy(registers, first + 1, inner, 0, count);
    // OUT
    run(function, closure, inner, depth + 1)
}

// IN objects
// ELSE /// Copies arguments to the first registers of a call.
/// Calls a method of an object, with the arguments behind the register `first`.
#[inline(always)]
fn send(
    object: Value,
    method: Gc<Closure>,
    registers: Registers,
    first: usize,
    count: usize,
    depth: usize,
) -> Result<Value, Gc<Fault>> {
    // No hint is needed: the method follows from the shape, which is promoted.
    let function = method.function;
    if count + 1 != function.params {
        return Err(fault::arguments(method, count, 1));
    }
    if depth >= MAX_DEPTH {
        return Err(fault::too_deep());
    }
    let inner = Registers::new(function.registers, Value::Nil);
    inner[0].set(object);
    copy(registers, first + 1, inner, 1, count);
    run(function, method, inner, depth + 1)
}

/// A new object: what calls a class gives. Its method `init`, if there is one, is given the
/// arguments.
#[inline(always)]
fn construct(
    shape: Gc<Shape>,
    registers: Registers,
    first: usize,
    count: usize,
    depth: usize,
) -> Result<Value, Gc<Fault>> {
    // Compiled code is for this class.
    let shape = promote(shape);
    let instance: Gc<Instance> = object::new_instance(shape);
    let object = Value::Instance(instance);
    match object::method(shape.class, INIT) {
        Some(init) => {
            send(object, init, registers, first, count, depth)?;
        }
        None if count > 0 => return Err(fault::no_init(shape.class)),
        None => {}
    }
    Ok(object)
}

/// Copies arguments to the registers of a call from `to` on.
// OUT
#[unroll_safe]
// IN objects
// ELSE fn copy(registers: Registers, first: usize, inner: Registers, count: usize) {
fn copy(registers: Registers, first: usize, inner: Registers, to: usize, count: usize) {
// OUT
    for n in 0..count {
        // IN objects
        // ELSE inner[n].set(registers[first + n].get());
        inner[to + n].set(registers[first + n].get());
    }
}

/// Copies the methods of a class.
#[unroll_safe]
fn copy_methods(registers: Registers, first: usize, methods: Methods) {
    for n in 0..methods.len() {
        methods[n].set(match registers[first + n].get() {
            Value::Function(method) => Some(method),
            _ => unreachable!(),
        });
        // OUT
    }
}

/// Prints a value; whether that was possible.
#[opaque]
fn print(value: Value) -> bool {
    output::line(&show(value)).is_ok()
}
