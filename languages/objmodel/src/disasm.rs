//! The disassembler. In: an [`Image`]. Out: a listing of it, a line per instruction: pc, mnemonic,
//! operands, and what they stand for. Invariant: the listing shows every byte of the code once.

use crate::image::{Const, FunctionInfo, Image};
use crate::lexer::Pos;
use crate::opcode::{self, Operand};
use std::fmt::Write;

/// The listing of a program.
pub fn disassemble(image: &Image) -> String {
    let mut out = String::new();
    let mut order: Vec<&FunctionInfo> = image.functions.iter().collect();
    order.sort_by_key(|function| function.entry);
    for (index, function) in order.iter().enumerate() {
        let end = order.get(index + 1).map_or(image.code.len(), |f| f.entry);
        let params = function.locals[1..=function.arity].join(", ");
        let _ = writeln!(out, "{}({params}): {} slots", function.name, function.slots);
        let mut line = 0;
        let mut pc = function.entry;
        while pc < end {
            let Pos { line: here, .. } = image.place(pc);
            let shown = match here == line {
                true => String::new(),
                false => here.to_string(),
            };
            line = here;
            let (text, size) = instruction(image, function, pc);
            let _ = writeln!(out, "{shown:>5} {pc:>6}  {text}");
            pc += size;
        }
    }
    out
}

/// The instruction at a pc.
pub fn instruction_at(image: &Image, pc: usize) -> String {
    let before = image.functions.iter().filter(|f| f.entry <= pc);
    match before.max_by_key(|f| f.entry) {
        Some(function) => instruction(image, function, pc).0,
        None => format!("pc {pc}"),
    }
}

/// An instruction as text, and its size.
fn instruction(image: &Image, function: &FunctionInfo, pc: usize) -> (String, usize) {
    let Some(row) = opcode::by_number(image.code[pc]) else {
        return (format!("? {}", image.code[pc]), 1);
    };
    let mut text = row.mnemonic.to_string();
    let mut at = pc + 1;
    for operand in row.operands {
        let low = usize::from(image.code[at]);
        let value = match operand.size() {
            1 => low,
            _ => low | usize::from(image.code[at + 1]) << 8,
        };
        at += operand.size();
        text.push(' ');
        text.push_str(&show(image, function, *operand, value));
    }
    (text, row.size())
}

fn show(image: &Image, function: &FunctionInfo, operand: Operand, value: usize) -> String {
    match operand {
        Operand::Const => constant(image, &image.consts[value]),
        Operand::Name => image.names[value].clone(),
        Operand::Target => format!("-> {value}"),
        Operand::Local => function.locals[value].clone(),
        Operand::Count => format!("/{value}"),
    }
}

fn constant(image: &Image, constant: &Const) -> String {
    match constant {
        Const::Int(value) => value.to_string(),
        Const::Text(number) => format!("{:?}", image.texts[*number]),
        Const::Class(number) => format!("class {}", image.classes[*number]),
        Const::Function(number) => format!("function {}", image.functions[*number].name),
    }
}
