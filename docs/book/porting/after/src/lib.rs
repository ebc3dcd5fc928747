//! The interpreter of `../before`, on Verdigris. In: the text of a program, a number, functions of
//! the host. Out: what the program answers, or why it does not. Invariant: both interpreters say
//! the same. The parser is the old one.

#![forbid(unsafe_code)]

use book_porting_before::{Instr, Native, parse};
use std::cell::RefCell;
use std::collections::HashMap;
use verdigris::VmError;
use verdigris::prelude::*;

verdigris::include_jit!();

// ANCHOR: types
/// A value.
#[value]
#[derive(Clone, Copy)]
enum Value {
    /// A variable that was never set has this.
    Nothing,
    Int(i64),
    Cell(Gc<Shared>),
}

/// What `Rc<RefCell<Value>>` was.
#[gc]
struct Shared {
    value: Cell<Value>,
}

/// An instruction. Names are numbers now.
#[value]
#[derive(Clone, Copy)]
enum Op {
    Push(i64),
    Get(usize),
    Set(usize),
    Add,
    Sub,
    Less,
    Jump(usize),
    Unless(usize),
    Call(usize),
    Cell,
    Load,
    Store,
    Stop,
}

/// A program in memory.
#[gc]
struct Program {
    code: GcArray<Op>,
}

/// The tags of operands and globals: two arrays that are never one.
struct OnStack;
struct InGlobals;

type Stack = GcArray<Register<Value>, OnStack>;
type Globals = GcArray<Register<Value>, InGlobals>;

/// Why a program does not go on.
#[value]
#[derive(Clone, Copy)]
enum Trap {
    Empty,
    NoNumber,
    NoCell,
    Unset(usize),
    NoFunction(usize),
    Full,
}
// ANCHOR_END: types

/// How many operands there can be.
const OPERANDS: usize = 256;

// ANCHOR: native
thread_local! {
    static NATIVES: RefCell<Vec<Option<Native>>> = const { RefCell::new(Vec::new()) };
}

/// Calls a function of the host. `#[opaque]`: any Rust.
#[opaque]
fn call_native(index: usize, argument: i64) -> Result<i64, Trap> {
    NATIVES.with(|natives| match &natives.borrow()[index] {
        Some(native) => Ok(native(argument)),
        None => Err(Trap::NoFunction(index)),
    })
}
// ANCHOR_END: native

/// Where the program is: the instruction, and how many operands there are.
#[value]
#[derive(Clone, Copy)]
struct At {
    pc: usize,
    sp: usize,
}

fn push(stack: Stack, at: &mut At, value: Value) -> Result<(), Trap> {
    if at.sp == OPERANDS {
        return Err(Trap::Full);
    }
    stack[at.sp].set(value);
    at.sp += 1;
    Ok(())
}

fn pop(stack: Stack, at: &mut At) -> Result<Value, Trap> {
    if at.sp == 0 {
        return Err(Trap::Empty);
    }
    at.sp -= 1;
    Ok(stack[at.sp].get())
}

fn pop_int(stack: Stack, at: &mut At) -> Result<i64, Trap> {
    match pop(stack, at)? {
        Value::Int(number) => Ok(number),
        _ => Err(Trap::NoNumber),
    }
}

fn pop_cell(stack: Stack, at: &mut At) -> Result<Gc<Shared>, Trap> {
    match pop(stack, at)? {
        Value::Cell(cell) => Ok(cell),
        _ => Err(Trap::NoCell),
    }
}

/// Where a place is, for people.
fn location(at: At, _program: Gc<Program>) -> Location {
    Location::new().offset(at.pc)
}

// ANCHOR: run
#[portal(location = location)]
fn run(program: Gc<Program>, globals: Globals, stack: Stack) -> Result<Value, Trap> {
    let mut at = At { pc: 0, sp: 0 };
    loop {
        merge_point!(greens = [at, program], reds = [globals, stack]);
        let from = at.pc;
        at.pc += 1;
        match program.code[from] {
            Op::Push(number) => push(stack, &mut at, Value::Int(number))?,
            Op::Get(name) => match globals[name].get() {
                Value::Nothing => return Err(Trap::Unset(name)),
                value => push(stack, &mut at, value)?,
            },
            Op::Set(name) => globals[name].set(pop(stack, &mut at)?),
            Op::Add => {
                let (b, a) = (pop_int(stack, &mut at)?, pop_int(stack, &mut at)?);
                push(stack, &mut at, Value::Int(a.wrapping_add(b)))?;
            }
            Op::Sub => {
                let (b, a) = (pop_int(stack, &mut at)?, pop_int(stack, &mut at)?);
                push(stack, &mut at, Value::Int(a.wrapping_sub(b)))?;
            }
            Op::Less => {
                let (b, a) = (pop_int(stack, &mut at)?, pop_int(stack, &mut at)?);
                push(stack, &mut at, Value::Int(i64::from(a < b)))?;
            }
            Op::Jump(target) => at.pc = target,
            Op::Unless(target) => {
                if pop_int(stack, &mut at)? == 0 {
                    at.pc = target;
                }
            }
            Op::Call(native) => {
                let argument = pop_int(stack, &mut at)?;
                let result = call_native(native, argument)?;
                push(stack, &mut at, Value::Int(result))?;
            }
            Op::Cell => {
                let value = pop(stack, &mut at)?;
                let cell = Gc::new(Shared {
                    value: Cell::new(value),
                });
                push(stack, &mut at, Value::Cell(cell))?;
            }
            Op::Load => {
                let cell = pop_cell(stack, &mut at)?;
                push(stack, &mut at, cell.value.get())?;
            }
            Op::Store => {
                let value = pop(stack, &mut at)?;
                pop_cell(stack, &mut at)?.value.set(value);
            }
            Op::Stop => return pop(stack, &mut at),
        }
        if at.pc <= from {
            can_enter_jit!();
        }
    }
}
// ANCHOR_END: run

// ANCHOR: load
/// The numbers of names.
#[derive(Default)]
struct Names(Vec<String>);

impl Names {
    fn number(&mut self, name: &str) -> usize {
        let known = self.0.iter().position(|n| n == name);
        known.unwrap_or_else(|| {
            self.0.push(name.to_string());
            self.0.len() - 1
        })
    }
}

fn op(instr: &Instr, globals: &mut Names, natives: &mut Names) -> Op {
    match instr {
        Instr::Push(number) => Op::Push(*number),
        Instr::Get(name) => Op::Get(globals.number(name)),
        Instr::Set(name) => Op::Set(globals.number(name)),
        Instr::Add => Op::Add,
        Instr::Sub => Op::Sub,
        Instr::Less => Op::Less,
        Instr::Jump(target) => Op::Jump(*target),
        Instr::Unless(target) => Op::Unless(*target),
        Instr::Call(name) => Op::Call(natives.number(name)),
        Instr::Cell => Op::Cell,
        Instr::Load => Op::Load,
        Instr::Store => Op::Store,
        Instr::Stop => Op::Stop,
    }
}
// ANCHOR_END: load

/// A VM for the language.
///
/// # Errors
/// If the options make no sense; see [`Vm::new`].
pub fn machine(options: Options) -> Result<Vm, VmError> {
    Vm::new(jit::program(), options)
}

/// Runs a program text with a number.
///
/// # Errors
/// Why the text is no program, or why it does not go on.
pub fn answer(
    vm: &Vm,
    text: &str,
    n: i64,
    mut natives: HashMap<String, Native>,
) -> Result<String, String> {
    let code = parse(text)?;
    let (mut globals, mut called) = (Names::default(), Names::default());
    let argument = globals.number("n");
    let ops: Vec<Op> = code
        .iter()
        .map(|instr| op(instr, &mut globals, &mut called))
        .collect();
    let functions = called.0.iter().map(|name| natives.remove(name)).collect();
    NATIVES.with(|all| all.replace(functions));
    vm.enter(|| {
        let variables = Globals::new(globals.0.len(), Value::Nothing);
        variables[argument].set(Value::Int(n));
        let program = Gc::new(Program {
            code: GcArray::from_slice(&ops),
        });
        let result = run(program, variables, Stack::new(OPERANDS, Value::Nothing));
        result.map(show).map_err(|trap| match trap {
            Trap::Empty => "no operand".to_string(),
            Trap::NoNumber => "a cell is no number".to_string(),
            Trap::NoCell => "a number is no cell".to_string(),
            Trap::Unset(name) => format!("`{}` has no value", globals.0[name]),
            Trap::NoFunction(name) => format!("no function `{}`", called.0[name]),
            Trap::Full => "too many operands".to_string(),
        })
    })
}

fn show(value: Value) -> String {
    match value {
        Value::Nothing => String::new(),
        Value::Int(number) => number.to_string(),
        Value::Cell(cell) => format!("[{}]", show(cell.value.get())),
    }
}
