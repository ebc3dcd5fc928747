//! A language of integers, with a JIT. In: the text of a program. Out: what it prints, or its
//! error. Invariant: the JIT changes how long that takes, and nothing else.

#![forbid(unsafe_code)]

mod compiler;
mod interpreter;
mod lexer;
mod opcode;
mod output;
mod parser;

use crate::interpreter::{Fault, Program, Registers};
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
    let code = compiler::compile(&parser::parse(text)?);
    let vm = Vm::new(jit::program(), options).map_err(|error| format!(" {error}"))?;
    // Objects can be made and used only inside of the VM. A `Gc` keeps its object alive in a local
    // and in other objects; in a `Vec`, the collector does not see it.
    let result = vm.try_enter(|| {
        let program = Gc::new(Program {
            file: Str::new(file),
            code: GcArray::from_slice(&code.ops),
            lines: GcArray::from_slice(&code.lines),
        });
        interpreter::run(program, Registers::new(code.registers, 0))
    });
    run.stats = vm.stats();
    run.traces = vm.traces();
    run.explained = vm.explain();
    match result {
        Ok(Ok(())) => Ok(()),
        Ok(Err(Fault::Division(line))) => Err(format!("{line}: division by zero")),
        Ok(Err(Fault::Output(line))) => Err(format!("{line}: cannot write the output")),
        // The heap is used up.
        Err(stopped) => Err(format!(" {stopped}")),
    }
}
