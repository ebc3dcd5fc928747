//! Step 6 of the tutorial: strings, native functions and their effects. In: the text of a program.
//! Out: what it prints, or its error. Invariant: the JIT changes how long that takes, and nothing
//! else.

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
#[path = "../../common/native.rs"]
mod native;
#[path = "../../../../../crates/cli/templates/dynamic/src/opcode.rs"]
mod opcode;
#[allow(dead_code, reason = "later steps use more")]
#[path = "../../../../../crates/cli/templates/dynamic/src/parser.rs"]
mod parser;
#[path = "../../common/support.rs"]
mod support;
mod value;

use crate::ast::Tree;
use crate::compiler::Code;
use crate::interpreter::Registers;
use crate::native::Native;
use crate::value::{Function, Globals, Value};
use book_host::Run;
use verdigris::VmError;
use verdigris::{Str, prelude::*};

verdigris::include_jit!();

/// Runs a program.
pub fn run(text: &str, options: Options) -> Run {
    let tree = match parser::parse(text, &Native::NAMES) {
        Ok(tree) => tree,
        Err(error) => return book_host::failed(error),
    };
    let code = compiler::compile(&tree);
    if let Err(error) = support::check(&code, 6) {
        return book_host::failed(error);
    }
    book_host::run(machine, options, || start(&tree, &code))
}

fn machine(options: Options) -> Result<Vm, VmError> {
    Vm::new(jit::program(), options)
}

fn start(tree: &Tree, code: &Code) -> Result<(), String> {
    let globals = Globals::new(tree.globals, Value::Nil);
    for (n, native) in Native::ALL.into_iter().enumerate() {
        globals[n].set(Value::Native(native));
    }
    let function = function(code, globals);
    let registers = Registers::new(function.registers, Value::Nil);
    let result = interpreter::run(function, registers, 0);
    result.map(|_| ()).map_err(|fault| {
        let (line, message) = (fault.line.get(), fault.message.as_str());
        format!("{line}: {message}")
    })
}

/// Puts a function on the heap of the VM, with all functions in it.
fn function(code: &Code, globals: Globals) -> Gc<Function> {
    let inner = code.functions.iter().map(|inner| function(inner, globals));
    let functions: RootVec<Gc<Function>> = inner.collect();
    let texts: RootVec<Gc<Str>> = code.texts.iter().map(|text| Str::new(text)).collect();
    Gc::new(Function {
        name: Str::new(&code.name),
        params: code.params,
        registers: code.registers,
        code: GcArray::from_slice(&code.ops),
        lines: GcArray::from_slice(&code.lines),
        functions: functions.to_array(),
        globals,
        texts: texts.to_array(),
    })
}
