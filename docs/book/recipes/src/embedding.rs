//! Recipe: embedding. In: functions as Rust data, an argument, what the host lends. Out: the result
//! as text. Invariant: no reference to an object leaves the VM, and none is kept in Rust's own data
//! but in a `RootVec`.

use crate::closures::Closure;
use crate::faults::{Handler, Trap};
use crate::interp::{Left, Registers, run};
use crate::program::{Function, Op, Program, Value};
use crate::shapes;
use std::cell::RefCell;
use std::rc::Rc;
use verdigris::VmError;
use verdigris::{Str, prelude::*};

/// A function of the program, as Rust data.
#[derive(Clone, Debug, Default)]
pub struct Source {
    pub name: &'static str,
    pub params: usize,
    pub registers: usize,
    pub code: Vec<Op>,
    pub handlers: Vec<Handler>,
}

// ANCHOR: host
/// A function of the host.
pub type Host = Rc<dyn Fn(i64) -> i64>;

thread_local! {
    static HOST: RefCell<Vec<Host>> = const { RefCell::new(Vec::new()) };
}

/// Calls a function of the host. `#[opaque]`: the JIT calls it, so its body may be any Rust.
#[opaque]
pub fn call_host(index: usize, argument: Value) -> Result<Value, Trap> {
    let Value::Int(argument) = argument else {
        return Err(Trap::Type);
    };
    // The list is not borrowed while the function runs: it may run guest code that calls the host.
    let function = HOST.with(|host| host.borrow().get(index).cloned());
    match function {
        Some(function) => Ok(Value::Int(function(argument))),
        None => Err(Trap::Arguments),
    }
}

/// Runs `f` with these functions of the host.
pub fn with_host<R>(functions: Vec<Host>, f: impl FnOnce() -> R) -> R {
    let before = HOST.with(|host| host.replace(functions));
    let result = f();
    HOST.with(|host| host.replace(before));
    result
}
// ANCHOR_END: host

// ANCHOR: machine
/// A VM for the language.
///
/// # Errors
/// If the options make no sense; see [`Vm::new`].
pub fn machine(options: Options) -> Result<Vm, VmError> {
    Vm::new(crate::jit::program(), options)
}

/// Runs the first function of a program with a number. Call it where the VM is entered.
///
/// # Errors
/// What the program did not catch.
pub fn call(functions: &[Source], texts: &[&str], argument: i64) -> Result<String, String> {
    let program = load(functions, texts);
    let main = program.functions[0];
    let registers = Registers::new(main.registers, Value::Nil);
    registers[0].set(Value::Int(argument));
    let closure = Gc::new(Closure {
        function: main,
        captured: Cell::new(Value::Nil),
    });
    match run(program, main, 0, closure, registers, 0) {
        Ok(Left::Returned(value)) => Ok(show(value)),
        Ok(Left::Yielded(..)) => Err("yield outside of a generator".to_string()),
        Err(Trap::Thrown(value)) => Err(format!("uncaught: {}", show(value))),
        Err(Trap::Type) => Err("a value of the wrong type".to_string()),
        Err(Trap::Depth) => Err("too many calls within each other".to_string()),
        Err(Trap::Arguments) => Err("too few or too many arguments".to_string()),
    }
}
// ANCHOR_END: machine

// ANCHOR: load
/// Makes the program's objects. They are kept alive by a `RootVec` until the program holds them: a
/// `Vec` would not do.
fn load(functions: &[Source], texts: &[&str]) -> Gc<Program> {
    let all = RootVec::new();
    for source in functions {
        all.push(Gc::new(Function {
            name: Str::new(source.name),
            params: source.params,
            registers: source.registers,
            code: GcArray::from_slice(&source.code),
            handlers: GcArray::from_slice(&source.handlers),
        }));
    }
    let names = RootVec::new();
    for text in texts {
        names.push(Str::new(text));
    }
    Gc::new(Program {
        functions: all.to_array(),
        texts: names.to_array(),
        empty: shapes::empty(),
    })
}
// ANCHOR_END: load

/// How a value is printed.
fn show(value: Value) -> String {
    match value {
        Value::Nil => "nil".to_string(),
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::Float(value) => format!("{value:?}"),
        Value::Text(text) => text.as_str().to_string(),
        Value::Object(_) => "an object".to_string(),
        Value::Closure(closure) => format!("<{}>", closure.function.name.as_str()),
        Value::Generator(_) => "a generator".to_string(),
    }
}
