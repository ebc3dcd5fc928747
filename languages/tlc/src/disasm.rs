//! The disassembler. In: an [`Image`]. Out: text that assembles to the same binary, byte for byte.
//! Invariant: `assemble(disassemble(image)) == image` for every image that the assembler makes, and
//! for every decoded one whose line table is as the assembler writes it (one entry per change, at
//! the start of an instruction).
//!
//! Directives appear only where the text alone would give another binary: `.line` when the line of
//! the text differs from the line of the source, `.names` and `.class` when a table is not in the
//! order of first use, `.byte` for bytes that are no instruction.

use crate::asm::quote;
use crate::image::{Class, Image};
use crate::opcode::{self, Opcode, Operand};
use std::fmt::Write;

/// How many blank lines are nicer than a `.line` directive.
const MAX_BLANK_LINES: u32 = 3;

/// The text of a program.
pub fn disassemble(image: &Image) -> String {
    let mut out = Disassembler {
        image,
        text: String::new(),
        counted: 1,
    };
    out.header();
    out.tables();
    let mut pc = 0;
    while pc < image.code.len() {
        pc += out.instruction(pc);
    }
    out.labels(pc);
    out.text
}

struct Disassembler<'a> {
    image: &'a Image,
    text: String,
    /// What the next line of the text counts as when it is assembled.
    counted: u32,
}

/// One instruction or one loose byte.
struct Decoded {
    text: String,
    size: usize,
    target: Option<i64>,
}

impl Disassembler<'_> {
    fn emit(&mut self, line: &str) {
        self.text.push_str(line.trim_end());
        self.text.push('\n');
        if self.counted != 0 {
            self.counted = self.counted.saturating_add(1);
        }
    }

    fn header(&mut self) {
        let Image {
            file,
            code,
            names,
            classes,
            ..
        } = self.image;
        let (code, names, classes) = (code.len(), names.len(), classes.len());
        self.emit(&format!(
            "; {code} bytes of code, {names} names, {classes} classes"
        ));
        self.emit(&format!(".file {}", quote(file)));
    }

    /// The directives that put names and classes in order, if the instructions do not.
    fn tables(&mut self) {
        let (names, classes) = self.natural_tables();
        if names != self.image.names {
            self.emit(&format!(".names {}", self.image.names.join(",")));
        }
        if classes != self.image.classes {
            for class in &self.image.classes {
                self.emit(&format!(".class {}", self.class_text(class)));
            }
        }
    }

    /// The tables that assembling the instructions alone would give.
    fn natural_tables(&self) -> (Vec<String>, Vec<Class>) {
        let (mut names, mut classes) = (Vec::new(), Vec::new());
        let mut pc = 0;
        while pc < self.image.code.len() {
            let Some((row, operand)) = self.decode(pc) else {
                pc += 1;
                continue;
            };
            match row.operand {
                Operand::Name | Operand::Send => {
                    add_once(&mut names, self.image.names.get(operand as usize))
                }
                Operand::Class => add_once(&mut classes, self.image.classes.get(operand as usize)),
                _ => {}
            }
            pc += 1 + row.operand.size();
        }
        (names, classes)
    }

    /// The instruction at `pc` and its first operand, if the assembler could have written it.
    fn decode(&self, pc: usize) -> Option<(Opcode, i8)> {
        let code = &self.image.code;
        let row = opcode::by_number(code[pc])?;
        let operands = code.get(pc + 1..=pc + row.operand.size())?;
        if self.image.is_split(pc, pc + 1 + row.operand.size()) {
            return None;
        }
        let first = operands.first().map_or(0, |byte| *byte as i8);
        let numbers = matches!(row.operand, Operand::Class | Operand::Name | Operand::Send);
        let negative = operands.iter().any(|byte| (*byte as i8) < 0);
        (!(numbers && negative)).then_some((row, first))
    }

    fn instruction(&mut self, pc: usize) -> usize {
        self.labels(pc);
        self.sync_line(self.image.line(pc));
        let decoded = self.render(pc);
        let mut line = format!("    {:<23} ; {pc}", decoded.text);
        if let Some(target) = decoded.target {
            let _ = write!(line, " -> {target}");
        }
        self.emit(&line);
        decoded.size
    }

    fn labels(&mut self, pc: usize) {
        let labels: Vec<&str> = self.image.labels_at(pc).collect();
        for label in labels {
            self.emit(&format!("{label}:"));
        }
    }

    /// Makes the next line of the text count as `line`.
    fn sync_line(&mut self, line: u32) {
        if self.counted == line {
            return;
        }
        let ahead = line.wrapping_sub(self.counted);
        if self.counted != 0 && line > self.counted && ahead <= MAX_BLANK_LINES {
            (0..ahead).for_each(|_| self.emit(""));
        } else {
            self.emit(&format!(".line {line}"));
            self.counted = line;
        }
    }

    fn render(&self, pc: usize) -> Decoded {
        let Some((row, operand)) = self.decode(pc) else {
            let text = format!(".byte {}", self.image.code[pc]);
            return Decoded {
                text,
                size: 1,
                target: None,
            };
        };
        let size = 1 + row.operand.size();
        let target = (pc + size) as i64 + i64::from(operand);
        let (operand, target) = match row.operand {
            Operand::None => (String::new(), None),
            Operand::Int => (operand.to_string(), None),
            Operand::Offset => (self.offset_text(operand, target), Some(target)),
            Operand::Class => (self.class_operand(operand), None),
            Operand::Name => (self.name_operand(operand), None),
            Operand::Send => {
                let argc = self.image.code[pc + 2];
                (format!("{}/{argc}", self.name_operand(operand)), None)
            }
        };
        let text = format!("{} {operand}", row.mnemonic);
        Decoded { text, size, target }
    }

    fn offset_text(&self, offset: i8, target: i64) -> String {
        let label = usize::try_from(target)
            .ok()
            .and_then(|pc| self.image.labels_at(pc).next());
        label.map_or(offset.to_string(), str::to_string)
    }

    fn name_operand(&self, index: i8) -> String {
        let name = self.image.names.get(index as usize);
        name.map_or(index.to_string(), String::clone)
    }

    fn class_operand(&self, index: i8) -> String {
        let classes = &self.image.classes;
        match classes.get(index as usize) {
            Some(class)
                if classes.iter().position(|other| other == class) == Some(index as usize) =>
            {
                self.class_text(class)
            }
            _ => index.to_string(),
        }
    }

    fn class_text(&self, class: &Class) -> String {
        let methods = class.methods.iter().map(|(name, pc)| {
            let label = self.image.labels_at(*pc as usize).next();
            format!("{name}={}", label.map_or(pc.to_string(), str::to_string))
        });
        let items: Vec<String> = class.attributes.iter().cloned().chain(methods).collect();
        match items.is_empty() {
            true => ",".to_string(),
            false => items.join(","),
        }
    }
}

fn add_once<T: Clone + PartialEq>(table: &mut Vec<T>, item: Option<&T>) {
    if let Some(item) = item.filter(|item| !table.contains(item)) {
        table.push(item.clone());
    }
}
