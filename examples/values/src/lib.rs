//! A stack machine whose values are an enum, with a JIT. In: a program text and a number. Out: the
//! value that it leaves.
//!
//! The values are by value everywhere: in variables, as arguments and results, on the operand stack
//! and in the variables of the guest program, which are `GcArray<Cell<Value>>`s, and in the fields
//! of pairs. Each instruction is one byte:
//!
//! ```text
//! n t u    push nil, true, false        i c   push the byte c - '0'    f c   push half of it
//! I        push the number given        g c   push variable c          s c   pop into variable c
//! + - * / < =   two operands            d p   duplicate, drop          a A   pop to, push the accumulator
//! c 1 2 m  make a pair, its parts, change its first part
//! [ .. ]   a loop that goes on while what `]` pops is not nil or false
//! ```

#![forbid(unsafe_code)]

use std::error::Error;
use verdigris::VmError;
use verdigris::prelude::*;

verdigris::include_jit!();

/// A value of the language.
#[value]
#[derive(Clone, Copy, PartialEq)]
enum Value {
    Nil,
    Bool(bool),
    Int(i64),
    Float(f64),
    Pair(Gc<Pair>),
}

/// Two values that can be changed.
#[gc]
struct Pair {
    first: Cell<Value>,
    second: Cell<Value>,
}

/// Why a program does not go on.
#[derive(Clone, Copy)]
enum Trap {
    Type,
    DivideByZero,
    Unknown(u8),
}

/// Variables, operands: `STACK` and `LOCALS` tell the JIT that the arrays are different ones.
struct Stack;
struct Locals;

impl Value {
    fn truth(self) -> bool {
        !matches!(self, Value::Nil | Value::Bool(false))
    }

    fn pair(self) -> Result<Gc<Pair>, Trap> {
        match self {
            Value::Pair(pair) => Ok(pair),
            _ => Err(Trap::Type),
        }
    }
}

fn binary(op: u8, a: Value, b: Value) -> Result<Value, Trap> {
    if op == b'=' {
        return Ok(Value::Bool(a == b));
    }
    match (a, b) {
        (Value::Int(x), Value::Int(y)) => integers(op, x, y),
        (Value::Float(x), Value::Float(y)) => floats(op, x, y),
        (Value::Int(x), Value::Float(y)) => floats(op, x as f64, y),
        (Value::Float(x), Value::Int(y)) => floats(op, x, y as f64),
        _ => Err(Trap::Type),
    }
}

fn integers(op: u8, x: i64, y: i64) -> Result<Value, Trap> {
    Ok(Value::Int(match op {
        b'+' => x.wrapping_add(y),
        b'-' => x.wrapping_sub(y),
        b'*' => x.wrapping_mul(y),
        b'/' if y == 0 => return Err(Trap::DivideByZero),
        b'/' => x.wrapping_div(y),
        _ => return Ok(Value::Bool(x < y)),
    }))
}

fn floats(op: u8, x: f64, y: f64) -> Result<Value, Trap> {
    Ok(Value::Float(match op {
        b'+' => x + y,
        b'-' => x - y,
        b'*' => x * y,
        b'/' => x / y,
        _ => return Ok(Value::Bool(x < y)),
    }))
}

/// Where the program is: `pc` and `sp` of the next instruction.
#[value]
#[derive(Clone, Copy)]
struct At {
    pc: usize,
    sp: usize,
}

/// A program in memory; `jumps[pc]` is where the bracket at `pc` leads.
#[gc]
struct Program {
    code: GcArray<u8>,
    jumps: GcArray<u32>,
}

/// The data of an instruction.
#[gc]
struct Frame {
    stack: GcArray<Cell<Value>, Stack>,
    locals: GcArray<Cell<Value>, Locals>,
    input: i64,
}

fn push(frame: Gc<Frame>, at: At, value: Value) -> At {
    frame.stack[at.sp].set(value);
    At {
        pc: at.pc + 1,
        sp: at.sp + 1,
    }
}

fn pop(frame: Gc<Frame>, at: At) -> (Value, At) {
    let sp = at.sp - 1;
    (frame.stack[sp].get(), At { sp, ..at })
}

/// Everything but brackets: where to go on, and the accumulator.
fn step(program: Gc<Program>, frame: Gc<Frame>, at: At, acc: Value) -> Result<(At, Value), Trap> {
    let op = program.code[at.pc];
    let next = At {
        pc: at.pc + 1,
        ..at
    };
    Ok(match op {
        b'n' => (push(frame, at, Value::Nil), acc),
        b't' | b'u' => (push(frame, at, Value::Bool(op == b't')), acc),
        b'I' => (push(frame, at, Value::Int(frame.input)), acc),
        b'A' => (push(frame, at, acc), acc),
        b'i' => {
            let value = Value::Int(argument(program, at) as i64);
            (push(frame, next, value), acc)
        }
        b'f' => {
            let value = Value::Float(argument(program, at) as f64 / 2.0);
            (push(frame, next, value), acc)
        }
        b'g' => {
            let value = frame.locals[argument(program, at) as usize].get();
            (push(frame, next, value), acc)
        }
        b's' => {
            let (value, at) = pop(frame, next);
            frame.locals[argument(
                program,
                At {
                    pc: at.pc - 1,
                    ..at
                },
            ) as usize]
                .set(value);
            (
                At {
                    pc: at.pc + 1,
                    ..at
                },
                acc,
            )
        }
        b'+' | b'-' | b'*' | b'/' | b'<' | b'=' => {
            let (b, at) = pop(frame, at);
            let (a, at) = pop(frame, at);
            (push(frame, at, binary(op, a, b)?), acc)
        }
        b'd' => (push(frame, at, pop(frame, at).0), acc),
        b'p' => (pop(frame, next).1, acc),
        b'a' => {
            let (acc, at) = pop(frame, next);
            (at, acc)
        }
        b'c' => {
            let (b, at) = pop(frame, at);
            let (a, at) = pop(frame, at);
            let pair = Gc::new(Pair {
                first: Cell::new(a),
                second: Cell::new(b),
            });
            (push(frame, at, Value::Pair(pair)), acc)
        }
        b'1' | b'2' => {
            let (value, at) = pop(frame, at);
            let pair = value.pair()?;
            let part = if op == b'1' {
                pair.first.get()
            } else {
                pair.second.get()
            };
            (push(frame, at, part), acc)
        }
        b'm' => {
            let (value, at) = pop(frame, at);
            let (pair, at) = pop(frame, at);
            let old = pair.pair()?.first.replace(value);
            (push(frame, at, old), acc)
        }
        b'[' => (next, acc),
        _ => return Err(Trap::Unknown(op)),
    })
}

/// The byte behind an instruction, as a number.
fn argument(program: Gc<Program>, at: At) -> u8 {
    program.code[at.pc + 1].wrapping_sub(b'0')
}

/// Where a place is, for people: programs are letters without lines.
fn location(at: At, _program: Gc<Program>) -> Location {
    Location::new().offset(at.pc)
}

/// The interpreter. The result is a pair: the value and nil, or nil and the number of the trap.
#[portal(location = location)]
fn run(program: Gc<Program>, frame: Gc<Frame>) -> Gc<Pair> {
    let mut at = At { pc: 0, sp: 0 };
    let mut acc = Value::Nil;
    loop {
        merge_point!(greens = [at, program], reds = [frame, acc]);
        let op = program.code[at.pc];
        if op == b'.' {
            return result(acc, Value::Nil);
        }
        if op == b']' {
            let (value, next) = pop(frame, at);
            if value.truth() {
                at = At {
                    pc: program.jumps[at.pc] as usize,
                    ..next
                };
                can_enter_jit!();
            }
            at = At {
                pc: at.pc + 1,
                ..next
            };
            continue;
        }
        match step(program, frame, at, acc) {
            Ok((next, value)) => (at, acc) = (next, value),
            Err(trap) => return result(Value::Nil, Value::Int(number(trap))),
        }
    }
}

fn result(first: Value, second: Value) -> Gc<Pair> {
    Gc::new(Pair {
        first: Cell::new(first),
        second: Cell::new(second),
    })
}

fn number(trap: Trap) -> i64 {
    match trap {
        Trap::Type => 1,
        Trap::DivideByZero => 2,
        Trap::Unknown(op) => 1000 + op as i64,
    }
}

/// A program from its text.
fn parse(text: &str) -> Result<Gc<Program>, Box<dyn Error>> {
    let code = text.as_bytes();
    let mut jumps = vec![0; code.len()];
    let mut open = Vec::new();
    let mut pc = 0;
    while pc < code.len() {
        match code[pc] {
            b'[' => open.push(pc),
            b']' => jumps[pc] = open.pop().ok_or("a `]` without `[`")? as u32,
            b'i' | b'f' | b'g' | b's' => pc += 1,
            _ => {}
        }
        pc += 1;
    }
    Ok(Gc::new(Program {
        code: GcArray::from_slice(code),
        jumps: GcArray::from_slice(&jumps),
    }))
}

fn show(value: Value, depth: u32) -> String {
    match value {
        Value::Nil => "nil".to_owned(),
        Value::Bool(b) => b.to_string(),
        Value::Int(i) => i.to_string(),
        Value::Float(f) => format!("{f:?}"),
        Value::Pair(_) if depth == 0 => "..".to_owned(),
        Value::Pair(p) => {
            let parts = [p.first.get(), p.second.get()].map(|part| show(part, depth - 1));
            format!("({})", parts.join(" . "))
        }
    }
}

/// A VM for this language.
///
/// # Errors
/// If the options make no sense; see [`Vm::new`].
pub fn machine(options: Options) -> Result<Vm, VmError> {
    Vm::new(jit::program(), options)
}

/// Runs a program text and shows the value that it leaves.
///
/// # Errors
/// If the text is not a program.
pub fn answer(vm: &Vm, text: &str, input: i64) -> Result<String, Box<dyn Error>> {
    vm.enter(|| {
        let frame = Gc::new(Frame {
            stack: GcArray::new(16, Value::Nil),
            locals: GcArray::new(10, Value::Nil),
            input,
        });
        let result = run(parse(text)?, frame);
        Ok(match result.second.get() {
            Value::Nil => show(result.first.get(), 4),
            trap => format!("trap {}", show(trap, 0)),
        })
    })
}
