//! The assembler. In: the text of a program. Out: its [`Image`], or every error with its line.
//! Invariant: an instruction's operands are signed bytes; what does not fit is an error that says
//! so.
//!
//! A line holds, all optional: a label `name:`, an instruction or directive, a comment (`;`, `#` or
//! `//`). A label as a number is its distance from the next instruction. Operands: `PUSH 5`,
//! `BR_COND label`, `NEW a,b,m=label` (`NEW ,` has neither attributes nor methods), `GETATTR a`,
//! `SEND m/2`. Directives, which the disassembler writes where the text alone would not give the
//! same binary: `.file "path"`; `.line 7` (the next line counts as line 7 of that file; 0: lines
//! are unknown from here on); `.byte 1 2`; `.names a,b`; `.class a,m=label`.

use crate::image::{Class, Image, is_name};
use crate::opcode::{self, Operand};
use std::collections::HashMap;
use std::fmt;

/// The fault of one line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AsmError {
    /// The line, from 1.
    pub line: u32,
    /// The message.
    pub message: String,
}

impl fmt::Display for AsmError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.line, self.message)
    }
}

/// Assembles a program; `file` is the name that messages will use.
///
/// # Errors
/// All errors of the text, in the order of its lines.
pub fn assemble(source: &str, file: &str) -> Result<Image, Vec<AsmError>> {
    let mut asm = Assembler::new(file);
    for (index, text) in source.lines().enumerate() {
        asm.line = u32::try_from(index + 1).unwrap_or(u32::MAX);
        let result = asm.read_line(text);
        asm.report(result);
        asm.advance_line();
    }
    asm.resolve_labels();
    asm.finish()
}

/// A byte or a method that waits for a label.
struct Fixup {
    label: String,
    line: u32,
    place: Place,
}

enum Place {
    /// The operand at this pc.
    Byte(usize),
    /// A method of a class.
    Method { class: usize, method: usize },
}

/// A class as the text gives it: attributes, methods with label or pc.
type ClassText = (Vec<String>, Vec<(String, String)>);

struct Assembler {
    image: Image,
    labels: HashMap<String, (u32, u32)>,
    fixups: Vec<Fixup>,
    classes: HashMap<ClassText, usize>,
    errors: Vec<AsmError>,
    /// The line of the text that is being read.
    line: u32,
    /// Its number, as `.line` says; 0 if unknown.
    counted: u32,
    /// What the next line counts as, if this one said so.
    next_counted: Option<u32>,
}

impl Assembler {
    fn new(file: &str) -> Self {
        let image = Image {
            file: file.to_string(),
            ..Image::default()
        };
        Assembler {
            image,
            labels: HashMap::new(),
            fixups: Vec::new(),
            classes: HashMap::new(),
            errors: Vec::new(),
            line: 0,
            counted: 1,
            next_counted: None,
        }
    }

    fn report(&mut self, result: Result<(), String>) {
        if let Err(message) = result {
            let line = self.line;
            self.errors.push(AsmError { line, message });
        }
    }

    fn advance_line(&mut self) {
        let following = match self.counted {
            0 => 0,
            counted => counted.saturating_add(1),
        };
        self.counted = self.next_counted.take().unwrap_or(following);
    }

    fn pc(&self) -> usize {
        self.image.code.len()
    }

    fn read_line(&mut self, text: &str) -> Result<(), String> {
        if let Some(path) = text.trim().strip_prefix(".file") {
            self.image.file = parse_quoted(path.trim())?;
            return Ok(());
        }
        let mut rest = strip_comment(text).trim();
        while let Some((label, behind)) = split_label(rest) {
            self.define_label(label)?;
            rest = behind.trim_start();
        }
        let (word, operand) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        match word {
            "" => Ok(()),
            _ if word.starts_with('.') => self.directive(word, operand.trim()),
            _ => self.instruction(word, operand.trim()),
        }
    }

    fn define_label(&mut self, label: &str) -> Result<(), String> {
        if !is_name(label) {
            return Err(format!("`{label}` cannot be a label"));
        }
        let pc = to_u32(self.pc())?;
        match self.labels.insert(label.to_string(), (pc, self.line)) {
            Some((_, line)) => Err(format!("label `{label}` is already defined in line {line}")),
            None => {
                self.image.labels.push((label.to_string(), pc));
                Ok(())
            }
        }
    }

    fn directive(&mut self, word: &str, operand: &str) -> Result<(), String> {
        match word {
            ".line" => {
                let line = operand
                    .parse()
                    .map_err(|_| "`.line` takes a line number".to_string())?;
                self.next_counted = Some(line);
                Ok(())
            }
            ".byte" if operand.is_empty() => Err("`.byte` takes numbers".to_string()),
            ".byte" => {
                self.begin_instruction();
                for number in operand.split_whitespace() {
                    let byte = parse_int(number)
                        .and_then(|n| u8::try_from(if n < 0 { n + 256 } else { n }).ok());
                    self.image
                        .code
                        .push(byte.ok_or(format!("`{number}` is not a byte"))?);
                }
                Ok(())
            }
            ".names" => operand
                .split(',')
                .try_for_each(|name| self.name_index(name.trim()).map(drop)),
            ".class" => {
                let class = parse_class(operand)?;
                self.add_class(class).map(drop)
            }
            _ => Err(format!("unknown directive `{word}`")),
        }
    }

    /// Notes which line the code that follows belongs to.
    fn begin_instruction(&mut self) {
        let known = self.image.lines.last().map_or(0, |&(_, line)| line);
        if known != self.counted {
            let pc = u32::try_from(self.pc()).unwrap_or(u32::MAX);
            self.image.lines.push((pc, self.counted));
        }
    }

    fn instruction(&mut self, word: &str, operand: &str) -> Result<(), String> {
        let row = opcode::by_mnemonic(word).ok_or_else(|| unknown_mnemonic(word))?;
        match (row.operand, operand) {
            (Operand::None, "") => {}
            (Operand::None, _) => return Err(format!("{word} takes no operand")),
            (_, "") => return Err(format!("{word} needs {}", wanted(row.operand))),
            _ => {}
        }
        self.begin_instruction();
        self.image.code.push(row.number);
        let size = self.pc() + row.operand.size();
        let result = self.operand(row.operand, operand);
        // Also behind an error, so that the pcs of what follows do not depend on it.
        self.image.code.resize(size, 0);
        result
    }

    fn operand(&mut self, kind: Operand, text: &str) -> Result<(), String> {
        match kind {
            Operand::None => Ok(()),
            Operand::Int | Operand::Offset => self.number_or_label(text),
            Operand::Class => self.class_operand(text),
            Operand::Name => {
                let index = self.name_index(text)?;
                self.push_byte(index, "a name's number")
            }
            Operand::Send => self.send_operand(text),
        }
    }

    fn push_byte(&mut self, value: i64, what: &str) -> Result<(), String> {
        let byte = i8::try_from(value)
            .map_err(|_| format!("{what} is a signed byte, -128 to 127: {value} does not fit"))?;
        self.image.code.push(byte as u8);
        Ok(())
    }

    fn number_or_label(&mut self, text: &str) -> Result<(), String> {
        if let Some(number) = parse_int(text) {
            return self.push_byte(number, "an operand");
        }
        if !is_name(text) {
            return Err(format!("`{text}` is neither a number nor a label"));
        }
        self.fixups.push(Fixup {
            label: text.to_string(),
            line: self.line,
            place: Place::Byte(self.pc()),
        });
        Ok(())
    }

    fn class_operand(&mut self, text: &str) -> Result<(), String> {
        let index = match parse_int(text) {
            Some(number) if number >= 0 => number,
            Some(number) => return Err(format!("{number} is not the number of a class")),
            None => {
                let class = parse_class(text)?;
                match self.classes.get(&class) {
                    Some(&index) => index as i64,
                    None => self.add_class(class)? as i64,
                }
            }
        };
        self.push_byte(index, "a class's number")
    }

    fn send_operand(&mut self, text: &str) -> Result<(), String> {
        let (name, argc) = text
            .split_once('/')
            .ok_or("SEND needs a method and its number of arguments, as in `SEND add/1`")?;
        let argc = parse_int(argc.trim())
            .filter(|argc| *argc >= 0)
            .ok_or(format!("`{}` is not a number of arguments", argc.trim()))?;
        let index = self.name_index(name.trim())?;
        self.push_byte(index, "a name's number")?;
        self.push_byte(argc, "a number of arguments")
    }

    /// The number of a name in the table, which it enters if it is new; a number stands for itself.
    fn name_index(&mut self, text: &str) -> Result<i64, String> {
        if let Some(number) = parse_int(text) {
            return match number >= 0 {
                true => Ok(number),
                false => Err(format!("{number} is not the number of a name")),
            };
        }
        if !is_name(text) {
            return Err(format!("`{text}` is not a name"));
        }
        let names = &mut self.image.names;
        if let Some(index) = names.iter().position(|name| name == text) {
            return Ok(index as i64);
        }
        names.push(text.to_string());
        Ok(names.len() as i64 - 1)
    }

    fn add_class(&mut self, text: ClassText) -> Result<usize, String> {
        let index = self.image.classes.len();
        let mut methods = Vec::new();
        for (method, (name, target)) in text.1.iter().enumerate() {
            let pc = match parse_int(target) {
                Some(pc) => u32::try_from(pc).map_err(|_| format!("{pc} is not a pc"))?,
                None => 0,
            };
            if is_name(target) {
                self.fixups.push(Fixup {
                    label: target.clone(),
                    line: self.line,
                    place: Place::Method {
                        class: index,
                        method,
                    },
                });
            }
            methods.push((name.clone(), pc));
        }
        let attributes = text.0.clone();
        self.image.classes.push(Class {
            attributes,
            methods,
        });
        self.classes.entry(text).or_insert(index);
        Ok(index)
    }

    fn resolve_labels(&mut self) {
        for fixup in std::mem::take(&mut self.fixups) {
            self.line = fixup.line;
            let result = self.resolve(&fixup);
            self.report(result);
        }
    }

    fn resolve(&mut self, fixup: &Fixup) -> Result<(), String> {
        let label = &fixup.label;
        let &(pc, _) = self
            .labels
            .get(label)
            .ok_or(format!("label `{label}` is not defined"))?;
        match fixup.place {
            Place::Byte(at) => {
                let offset = i64::from(pc) - at as i64 - 1;
                let byte = i8::try_from(offset).map_err(|_| too_far(label, offset))?;
                self.image.code[at] = byte as u8;
            }
            Place::Method { class, method } => self.image.classes[class].methods[method].1 = pc,
        }
        Ok(())
    }

    fn finish(mut self) -> Result<Image, Vec<AsmError>> {
        if self.errors.is_empty() {
            return Ok(self.image);
        }
        self.errors.sort_by_key(|error| error.line);
        Err(self.errors)
    }
}

fn too_far(label: &str, offset: i64) -> String {
    format!(
        "label `{label}` is {offset} bytes away, but an offset is a signed byte, -128 to 127: the program is too large \
         for this branch (go through a `BR` in between)"
    )
}

fn unknown_mnemonic(word: &str) -> String {
    match opcode::by_mnemonic(&word.to_uppercase()) {
        Some(row) => format!(
            "unknown mnemonic `{word}` (did you mean `{}`?)",
            row.mnemonic
        ),
        None => format!("unknown mnemonic `{word}`"),
    }
}

fn wanted(operand: Operand) -> &'static str {
    match operand {
        Operand::None => "no operand",
        Operand::Int => "a number from -128 to 127 or a label",
        Operand::Offset => "a label or an offset",
        Operand::Class => "attributes and methods, as in `NEW value,add=label`",
        Operand::Name => "the name of an attribute",
        Operand::Send => "a method and its number of arguments, as in `SEND add/1`",
    }
}

fn to_u32(pc: usize) -> Result<u32, String> {
    u32::try_from(pc).map_err(|_| "the program is larger than 4 GB".to_string())
}

fn strip_comment(line: &str) -> &str {
    let starts = [";", "#", "//"].map(|mark| line.find(mark).unwrap_or(line.len()));
    &line[..starts[0].min(starts[1]).min(starts[2])]
}

/// The label that a line begins with, and what follows it.
fn split_label(line: &str) -> Option<(&str, &str)> {
    let (label, rest) = line.split_once(':')?;
    let label = label.trim_end();
    (!label.contains(char::is_whitespace)).then_some((label, rest))
}

/// A decimal number with an optional sign.
fn parse_int(text: &str) -> Option<i64> {
    text.parse().ok()
}

/// `a,b,m=label`: attributes and methods.
fn parse_class(text: &str) -> Result<ClassText, String> {
    let (mut attributes, mut methods) = (Vec::new(), Vec::<(String, String)>::new());
    for item in text
        .split(',')
        .map(str::trim)
        .filter(|item| !item.is_empty())
    {
        let (name, target) = match item.split_once('=') {
            Some((name, target)) => (name.trim(), Some(target.trim())),
            None => (item, None),
        };
        if !is_name(name) {
            return Err(format!("`{name}` is not a name"));
        }
        let taken = match target {
            Some(_) => methods.iter().any(|(other, _)| other == name),
            None => attributes.iter().any(|other| other == name),
        };
        if taken {
            return Err(format!("`{name}` is named twice"));
        }
        match target {
            None => attributes.push(name.to_string()),
            Some(label) if is_name(label) || parse_int(label).is_some() => {
                methods.push((name.to_string(), label.to_string()));
            }
            Some(label) => return Err(format!("`{label}` cannot be a label")),
        }
    }
    Ok((attributes, methods))
}

/// A string in quotes, as [`quote`] writes it.
fn parse_quoted(text: &str) -> Result<String, String> {
    let error = || "`.file` takes a path in double quotes".to_string();
    let mut chars = text.strip_prefix('"').ok_or_else(error)?.chars();
    let mut out = String::new();
    loop {
        match chars.next().ok_or_else(error)? {
            '"' => break,
            '\\' => match chars.next().ok_or_else(error)? {
                'n' => out.push('\n'),
                'r' => out.push('\r'),
                other => out.push(other),
            },
            other => out.push(other),
        }
    }
    match strip_comment(chars.as_str()).trim() {
        "" => Ok(out),
        _ => Err(error()),
    }
}

/// A string in quotes, on one line.
pub fn quote(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            _ => out.push(c),
        }
    }
    out.push('"');
    out
}
