//! Step 9 of the tutorial: objects with shapes, and globals that hardly change. In: the text of a
//! program. Out: what it prints, or its error. Invariant: the JIT changes how long that takes, and
//! nothing else.

#![forbid(unsafe_code)]

#[path = "../../common/arith.rs"]
mod arith;
#[path = "../../../../../crates/cli/templates/dynamic/src/ast.rs"]
mod ast;
#[path = "../../../../../crates/cli/templates/dynamic/src/compiler.rs"]
mod compiler;
#[path = "../../common/fault.rs"]
mod fault;
mod interpreter;
#[path = "../../../../../crates/cli/templates/dynamic/src/lexer.rs"]
mod lexer;
#[path = "../../common/native.rs"]
mod native;
#[path = "../../../../../crates/cli/templates/objects/src/object.rs"]
mod object;
#[path = "../../../../../crates/cli/templates/dynamic/src/opcode.rs"]
mod opcode;
#[path = "../../../../../crates/cli/templates/dynamic/src/parser.rs"]
mod parser;
#[path = "../../common/support.rs"]
mod support;
mod value;

use crate::ast::Tree;
use crate::compiler::Code;
use crate::interpreter::Registers;
use crate::native::Native;
use crate::value::{Captured, ClassInfo, Closure, Function, Global, Globals, Value};
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
    if let Err(error) = support::check(&code, 9) {
        return book_host::failed(error);
    }
    book_host::run(machine, options, || start(&tree, &code))
}

fn machine(options: Options) -> Result<Vm, VmError> {
    Vm::new(jit::program(), options)
}

fn start(tree: &Tree, code: &Code) -> Result<(), String> {
    let natives = Native::ALL.into_iter().map(Value::Native);
    let others = std::iter::repeat(Value::Nil);
    let values = natives.chain(others).take(tree.globals);
    let globals: RootVec<Gc<Global>> = values
        .map(|value| {
            Gc::new(Global {
                value: Quasi::new(value),
            })
        })
        .collect();
    let globals: Globals = globals.to_array();
    let names: RootVec<Gc<Str>> = tree.names.iter().map(|name| Str::new(name)).collect();
    let names = names.to_array();
    let function = function(code, globals, names);
    let captured = Captured::new(0, None);
    let closure = Gc::new(Closure { function, captured });
    let registers = Registers::new(function.registers, Value::Nil);
    let result = interpreter::run(function, closure, registers, 0);
    result.map(|_| ()).map_err(|fault| {
        let (line, message) = (fault.line.get(), fault.message.as_str());
        format!("{line}: {message}")
    })
}

/// Puts a function on the heap of the VM, with all functions in it.
fn function(code: &Code, globals: Globals, names: GcArray<Gc<Str>>) -> Gc<Function> {
    let inner = code.functions.iter();
    let inner = inner.map(|inner| function(inner, globals, names));
    let functions: RootVec<Gc<Function>> = inner.collect();
    let texts: RootVec<Gc<Str>> = code.texts.iter().map(|text| Str::new(text)).collect();
    let classes = code.classes.iter().map(|class| {
        Gc::new(ClassInfo {
            name: Str::new(&class.name),
            methods: GcArray::from_slice(&class.methods),
        })
    });
    let classes: RootVec<Gc<ClassInfo>> = classes.collect();
    Gc::new(Function {
        name: Str::new(&code.name),
        params: code.params,
        registers: code.registers,
        code: GcArray::from_slice(&code.ops),
        lines: GcArray::from_slice(&code.lines),
        functions: functions.to_array(),
        globals,
        texts: texts.to_array(),
        captures: GcArray::from_slice(&code.captures),
        classes: classes.to_array(),
        names,
    })
}
