//! Step 3 of the tutorial: variables and loops. In: the text of a program. Out: what it prints, or
//! its error. Invariant: the JIT changes how long that takes, and nothing else.

#![forbid(unsafe_code)]

#[allow(dead_code, reason = "later steps use more")]
#[path = "../../../../../crates/cli/templates/dynamic/src/ast.rs"]
mod ast;
#[allow(dead_code, reason = "later steps use more")]
#[path = "../../../../../crates/cli/templates/dynamic/src/compiler.rs"]
mod compiler;
mod interpreter;
#[path = "../../../../../crates/cli/templates/dynamic/src/lexer.rs"]
mod lexer;
#[allow(dead_code, reason = "later steps use more")]
#[path = "../../../../../crates/cli/templates/dynamic/src/opcode.rs"]
mod opcode;
#[allow(dead_code, reason = "later steps use more")]
#[path = "../../../../../crates/cli/templates/dynamic/src/parser.rs"]
mod parser;
#[path = "../../common/support.rs"]
mod support;

use crate::compiler::Code;
use crate::interpreter::Program;
use crate::interpreter::Registers;
use book_host::Run;
use verdigris::VmError;
use verdigris::prelude::*;

verdigris::include_jit!();

/// Runs a program.
pub fn run(text: &str, options: Options) -> Run {
    let tree = match parser::parse(text, &[]) {
        Ok(tree) => tree,
        Err(error) => return book_host::failed(error),
    };
    let code = compiler::compile(&tree);
    if let Err(error) = support::check(&code, 3) {
        return book_host::failed(error);
    }
    book_host::run(machine, options, || start(&code))
}

fn machine(options: Options) -> Result<Vm, VmError> {
    Vm::new(jit::program(), options)
}

fn start(code: &Code) -> Result<(), String> {
    let program = Gc::new(Program {
        code: GcArray::from_slice(&code.ops),
        lines: GcArray::from_slice(&code.lines),
    });
    let registers = Registers::new(code.registers, 0);
    interpreter::run(program, registers).map_err(|line| format!("{line}: division by zero"))
}
