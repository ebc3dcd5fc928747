//! A dynamically typed language with closures, and a JIT. In: the text of a program.
//! Out: what it prints, or its error. Invariant: the JIT changes how long that takes, and nothing
//! else.

#![forbid(unsafe_code)]

mod arith;
mod ast;
mod compiler;
mod fault;
mod interpreter;
mod lexer;
mod load;
// IN objects
mod object;
// OUT
mod opcode;
mod output;
mod parser;
mod value;

use crate::interpreter::{MAX_DEPTH, Registers};
use crate::value::{Captured, Closure, Value};
use verdigris::explain::Report;
use verdigris::{KeptTrace, Stats, Str, prelude::*};

// The module `jit`, which the build script has made of the interpreter.
verdigris::include_jit!();

/// What a run of a program has come to.
#[derive(Debug, Default)]
pub struct Run {
    /// What it printed, if that was captured.
    pub output: String,
    /// Its error: the line and a message.
    pub error: Option<String>,
    /// What the JIT did.
    pub stats: Stats,
    /// What was compiled, if the options say that it is kept.
    pub traces: Vec<KeptTrace>,
    /// Why it was slow, if the options ask that.
    pub explained: Option<Report>,
}

/// Runs a program. It prints to standard output, or to a text that is captured. The file is only
/// named: in what is said of compiled code.
pub fn run(file: &str, text: &str, options: Options, capture: bool) -> Run {
    // A call of the program is a call of Rust functions, which needs room: little in the
    // interpreter and in compiled code, up to 4 kB where the JIT is at work in between. Memory of a
    // stack that is not touched costs nothing.
    let stack = MAX_DEPTH * 8 * 1024 + 16 * 1024 * 1024;
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(stack);
        match thread.spawn_scoped(scope, || run_here(file, text, options, capture)) {
            Ok(running) => running
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            Err(error) => Run {
                error: Some(format!(" there is no stack of {stack} bytes: {error}")),
                ..Run::default()
            },
        }
    })
}

fn run_here(file: &str, text: &str, options: Options, capture: bool) -> Run {
    let mut run = Run::default();
    output::begin(capture);
    run.error = execute(file, text, options, &mut run).err();
    match output::finish() {
        Ok(output) => run.output = output,
        Err(error) => run.error = Some(format!(" cannot write the output: {error}")),
    }
    run
}

fn execute(file: &str, text: &str, options: Options, run: &mut Run) -> Result<(), String> {
    // IN objects
    // ELSE let code = compiler::compile(&parser::parse(text)?);
    let tree = parser::parse(text)?;
    let code = compiler::compile(&tree);
    // OUT
    let vm = Vm::new(jit::program(), options).map_err(|error| format!(" {error}"))?;
    // Objects can be made and used only inside of the VM. A `Gc` keeps its object alive in a local
    // and in other objects; in a `Vec`, the collector does not see it.
    let result = vm.try_enter(|| {
        // IN objects
        // ELSE let function = load::function(&code, Str::new(file));
        let function = load::function(&code, Str::new(file), load::names(&tree.names));
        // OUT
        let captured = Captured::new(0, None);
        let closure = Gc::new(Closure { function, captured });
        let registers = Registers::new(function.registers, Value::Nil);
        let result = interpreter::run(function, closure, registers, 0);
        // What leaves the VM is text: objects are its own.
        result.map(|_| ()).map_err(|fault| {
            let (line, message) = (fault.line.get(), fault.message.as_str());
            format!("{line}: {message}")
        })
    });
    run.stats = vm.stats();
    run.traces = vm.traces();
    run.explained = vm.explain();
    // Else the heap or the native stack is used up.
    result.unwrap_or_else(|stopped| Err(format!(" {stopped}")))
}
