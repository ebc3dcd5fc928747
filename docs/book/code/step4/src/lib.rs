//! Step 4 of the tutorial: values of dynamic types. In: the text of a program. Out: what it prints,
//! or its error. Invariant: the JIT changes how long that takes, and nothing else.

#![forbid(unsafe_code)]

#[path = "../../common/arith.rs"]
mod arith;
#[allow(dead_code, reason = "later steps use more")]
#[path = "../../../../../crates/cli/templates/dynamic/src/ast.rs"]
mod ast;
#[allow(dead_code, reason = "later steps use more")]
#[path = "../../../../../crates/cli/templates/dynamic/src/compiler.rs"]
mod compiler;
#[allow(dead_code, reason = "later steps have more faults")]
#[path = "../../common/fault.rs"]
mod fault;
mod interpreter;
#[path = "../../../../../crates/cli/templates/dynamic/src/lexer.rs"]
mod lexer;
#[path = "../../../../../crates/cli/templates/dynamic/src/opcode.rs"]
mod opcode;
#[allow(dead_code, reason = "later steps use more")]
#[path = "../../../../../crates/cli/templates/dynamic/src/parser.rs"]
mod parser;
#[path = "../../common/support.rs"]
mod support;
mod value;

use crate::compiler::Code;
use crate::interpreter::Registers;
use crate::value::{Function, Value};
use book_host::Run;
use verdigris::VmError;
use verdigris::{Str, prelude::*};

verdigris::include_jit!();

/// Runs a program.
pub fn run(text: &str, options: Options) -> Run {
    let tree = match parser::parse(text, &[]) {
        Ok(tree) => tree,
        Err(error) => return book_host::failed(error),
    };
    let code = compiler::compile(&tree);
    if let Err(error) = support::check(&code, 4) {
        return book_host::failed(error);
    }
    book_host::run(machine, options, || start(&code))
}

fn machine(options: Options) -> Result<Vm, VmError> {
    Vm::new(jit::program(), options)
}

fn start(code: &Code) -> Result<(), String> {
    let function = Gc::new(Function {
        name: Str::new(&code.name),
        registers: code.registers,
        code: GcArray::from_slice(&code.ops),
        lines: GcArray::from_slice(&code.lines),
    });
    let registers = Registers::new(function.registers, Value::Nil);
    let result = interpreter::run(function, registers);
    result.map(|_| ()).map_err(|fault| {
        let (line, message) = (fault.line.get(), fault.message.as_str());
        format!("{line}: {message}")
    })
}
