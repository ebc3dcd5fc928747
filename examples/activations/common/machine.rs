//! What the world outside sees of an interpreter, in Rust's own types. In: the texts of functions,
//! a native function, an argument. Out: the result as text. Invariant: a run makes its program
//! anew, and nothing of it is kept.

use crate::frame;
use crate::native::{Native, with_native};
use crate::program::{Function, Program, Value};
use verdigris::prelude::*;
use verdigris::{Options, Vm, VmError};

/// A VM for the language.
///
/// # Errors
/// If the options make no sense; see [`Vm::new`].
pub fn machine(options: Options) -> Result<Vm, VmError> {
    Vm::new(crate::jit::program(), options)
}

/// Runs a program: for each function how many parameters and registers it has, and its
/// instructions.
///
/// # Errors
/// The fault that it ends with.
pub fn run(
    vm: &Vm,
    functions: &[(usize, usize, Vec<u64>)],
    max_depth: usize,
    native: Native,
    arg: i64,
) -> Result<String, String> {
    vm.enter(|| {
        let all = RootVec::new();
        for (params, registers, code) in functions {
            all.push(Gc::new(Function {
                params: *params,
                registers: *registers,
                code: GcArray::from_slice(code),
                spare: Cell::new(None),
            }));
        }
        let widest = functions.iter().map(|f| f.1).max().unwrap_or(0);
        let program = Gc::new(Program {
            functions: all.to_array(),
            max_depth,
            room: frame::room(widest * (max_depth + 1)),
        });
        match with_native(native, || frame::start(program, Value::Int(arg))) {
            Ok(Value::Nil) => Ok("nil".to_string()),
            Ok(Value::Int(i)) => Ok(i.to_string()),
            Ok(Value::Float(f)) => Ok(format!("{f:?}")),
            Ok(Value::Fn(_)) => Ok("a function".to_string()),
            Err(fault) => Err(format!("{fault:?}")),
        }
    })
}
