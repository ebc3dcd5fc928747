//! Code as text. In: [`CompiledCode`]. Out: lines, one for each instruction. Invariant: it prints
//! by the table of [`crate::bytecode::opcode`], so that it knows every operation.

use crate::bytecode::code::CompiledCode;
use crate::bytecode::opcode::{self, COMPARISONS, Form, SIGNS, TABLE};
use crate::bytecode::source::Source;
use std::fmt::Write;

/// The instructions of code, and of the functions in it.
pub fn disassemble(code: &CompiledCode, source: &Source<'_>) -> String {
    let mut made = String::new();
    // Writing to a string does not fail.
    let _ = write(&mut made, code, source);
    made
}

fn write(made: &mut String, code: &CompiledCode, source: &Source<'_>) -> std::fmt::Result {
    writeln!(made, "{} ({} registers)", code.qualname, code.registers)?;
    let mut last = 0;
    for (pc, &word) in code.code.iter().enumerate() {
        let line = source.line_of(code.places[pc].0 as usize);
        let shown = if line == last {
            String::new()
        } else {
            line.to_string()
        };
        last = line;
        writeln!(made, "{shown:>6} {pc:>5}  {}", instruction(code, word))?;
    }
    for handler in &code.handlers {
        let (start, end) = (handler.start, handler.end);
        let (target, register) = (handler.target, handler.register);
        writeln!(made, "       {start}..{end} -> {target}, R{register}")?;
    }
    for proto in &code.protos {
        writeln!(made)?;
        write(made, proto, source)?;
    }
    Ok(())
}

fn instruction(code: &CompiledCode, word: u64) -> String {
    let (name, form) = TABLE[opcode::op(word) as usize];
    let (a, b, c) = (opcode::a(word), opcode::b(word), opcode::c(word));
    let registers = |count: usize| -> String {
        let all = [a, b].map(|n| n.to_string());
        all[..count].join(" ")
    };
    let named = |names: &[String]| names.get(c).cloned().unwrap_or_default();
    let operands = match form {
        Form::Plain(count) => {
            let all = [a, b, c].map(|n| n.to_string());
            all[..count].join(" ")
        }
        Form::Signed => format!("{a} {b} {}", opcode::signed_c(word)),
        Form::Jump(count) => format!("{} -> {c}", registers(count))
            .trim_start()
            .to_string(),
        Form::Const => format!("{a} {:?}", code.consts.get(c)),
        Form::Name(count) => format!("{} {}", registers(count), named(&code.names)),
        Form::Global => format!("{a} {}", named(&code.globals)),
        Form::Kind => {
            let kind = opcode::c_kind(word);
            let sign = match opcode::op(word) {
                opcode::COMPARE => COMPARISONS[kind],
                _ => SIGNS[kind],
            };
            format!("{a} {b} {sign} {}", opcode::c_register(word))
        }
    };
    format!("{name:<14} {operands}").trim_end().to_string()
}
