//! The assembler. In: the text of a program. Out: the program in memory, or the line that is wrong.
//! Invariants: every jump leads to an instruction of its function, every local and function exists,
//! and no instruction pops more than there is: the interpreter checks none of this.
//!
//! ```text
//! fn main(n)            # the arguments are the first locals; `set` makes others
//!     push 0
//!     set sum
//! loop:                 # a label
//!     get n
//!     unless done
//!     ..
//!     jump loop
//! done:
//!     get sum
//!     return
//! end
//! ```
//! Operands: `push 1`, `push 2.5`, `push "text"`, `push true`, `push false`, `push nil`,
//! `push @name` for a function; `get`, `set` a local; `jump`, `unless` a label; `call` and `list` a
//! count. Everything else has none.

use crate::check::{Instruction, slots};
use crate::value::{Function, Program, op};
use std::collections::HashMap;
use std::fmt;
use verdigris::{Str, prelude::*};

/// A fault in a text.
#[derive(Debug)]
pub struct AsmError {
    /// Counted from 1.
    pub line: usize,
    pub message: String,
}

impl fmt::Display for AsmError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for AsmError {}

fn error<T>(line: usize, message: impl Into<String>) -> Result<T, AsmError> {
    Err(AsmError {
        line,
        message: message.into(),
    })
}

/// The text of one function.
struct Source<'a> {
    name: &'a str,
    params: Vec<&'a str>,
    /// The line of its head.
    line: usize,
    /// Line numbers and the words of the instructions.
    body: Vec<(usize, Vec<&'a str>)>,
    /// Where each label leads.
    labels: HashMap<&'a str, usize>,
}

/// Makes a program of a text, on the current VM's heap.
///
/// # Errors
/// With the first line that is wrong.
pub fn load(text: &str) -> Result<Gc<Program>, AsmError> {
    let sources = split(text)?;
    let names: Vec<&str> = sources.iter().map(|s| s.name).collect();
    let functions = RootVec::new();
    for source in &sources {
        if let Some(other) = sources
            .iter()
            .find(|s| s.name == source.name && s.line < source.line)
        {
            let message = format!(
                "`{}` is also a function in line {}",
                source.name, other.line
            );
            return error(source.line, message);
        }
        functions.push(function(source, &names)?);
    }
    Ok(Gc::new(Program {
        functions: functions.to_array(),
    }))
}

/// The line without its comment, which begins with a `#` outside of quotes.
fn code_of(line: &str) -> &str {
    let mut quoted = false;
    let comment = line.find(|c| {
        quoted ^= c == '"';
        c == '#' && !quoted
    });
    line[..comment.unwrap_or(line.len())].trim()
}

/// Takes the text apart.
fn split(text: &str) -> Result<Vec<Source<'_>>, AsmError> {
    let mut all: Vec<Source<'_>> = Vec::new();
    let mut open = false;
    for (number, line) in text.lines().enumerate() {
        let (number, line) = (number + 1, code_of(line));
        if line.is_empty() {
            continue;
        }
        if let Some(head) = line.strip_prefix("fn ") {
            if open {
                return error(number, "the function before this one has no `end`");
            }
            all.push(head_of(number, head)?);
            open = true;
            continue;
        }
        let Some(source) = all.last_mut().filter(|_| open) else {
            return error(
                number,
                "this is outside of a function: begin one with `fn name(..)`",
            );
        };
        if line == "end" {
            open = false;
        } else if let Some(label) = line.strip_suffix(':') {
            if source
                .labels
                .insert(label.trim(), source.body.len())
                .is_some()
            {
                return error(number, format!("the label `{label}` is there twice"));
            }
        } else {
            let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
            let words = [word, rest.trim()].into_iter().filter(|w| !w.is_empty());
            source.body.push((number, words.collect()));
        }
    }
    match all.last() {
        None => error(1, "there is no function"),
        Some(source) if open => error(source.line, format!("`{}` has no `end`", source.name)),
        Some(_) => Ok(all),
    }
}

fn head_of(line: usize, head: &str) -> Result<Source<'_>, AsmError> {
    let parts = head
        .trim()
        .strip_suffix(')')
        .and_then(|h| h.split_once('('));
    let Some((name, params)) = parts else {
        return error(line, "write `fn name(a, b)`");
    };
    let params = params.split(',').map(str::trim).filter(|p| !p.is_empty());
    Ok(Source {
        name: name.trim(),
        params: params.collect(),
        line,
        body: Vec::new(),
        labels: HashMap::new(),
    })
}

/// A function that is being assembled.
struct Body<'a, 's> {
    source: &'s Source<'a>,
    /// The functions of the program.
    names: &'s [&'a str],
    locals: Vec<&'a str>,
    ints: Vec<i64>,
    floats: Vec<f64>,
    /// Strings are known to this vector alone while others are made.
    strings: RootVec<Gc<Str>>,
}

/// Assembles a function.
fn function<'a>(source: &Source<'a>, names: &[&'a str]) -> Result<Gc<Function>, AsmError> {
    let mut body = Body {
        source,
        names,
        locals: source.params.clone(),
        ints: Vec::new(),
        floats: Vec::new(),
        strings: RootVec::new(),
    };
    let mut code: Vec<Instruction> = Vec::new();
    for (line, words) in &source.body {
        code.push(body.instruction(*line, words)?);
    }
    let operands = slots(&code).or_else(|(at, message)| {
        let line = source.body.get(at).map_or(source.line, |l| l.0);
        error(line, message)
    })?;
    let words: Vec<u64> = code
        .iter()
        .map(|&(code, operand)| op::pack(code, operand))
        .collect();
    let lines = source.body.iter().map(|(line, _)| *line);
    let lines: Vec<u32> = lines
        .map(|line| u32::try_from(line).unwrap_or(u32::MAX))
        .collect();
    Ok(Gc::new(Function {
        name: Str::new(source.name),
        params: source.params.len(),
        locals: body.locals.len(),
        slots: body.locals.len() + operands,
        code: GcArray::from_slice(&words),
        ints: GcArray::from_slice(&body.ints),
        floats: GcArray::from_slice(&body.floats),
        strings: body.strings.to_array(),
        lines: GcArray::from_slice(&lines),
    }))
}

impl<'a> Body<'a, '_> {
    fn instruction(&mut self, line: usize, words: &[&'a str]) -> Result<Instruction, AsmError> {
        let (name, operand) = (words[0], words.get(1).copied());
        if let Some(code) = simple(name) {
            return match operand {
                None => Ok((code, 0)),
                Some(extra) => error(
                    line,
                    format!("`{name}` has no operand, and `{extra}` is there"),
                ),
            };
        }
        let Some(operand) = operand else {
            return error(
                line,
                format!("`{name}` is no instruction, or lacks its operand"),
            );
        };
        Ok(match name {
            "push" => match operand.strip_prefix('@') {
                Some(callee) => match self.names.iter().position(|n| *n == callee) {
                    Some(index) => (op::FUNCTION, index),
                    None => return error(line, format!("there is no function `{callee}`")),
                },
                None => self.constant(line, operand)?,
            },
            "get" => match self.locals.iter().position(|l| *l == operand) {
                Some(index) => (op::GET, index),
                None => return error(line, format!("`{operand}` has not been set above")),
            },
            "set" => (op::SET, self.local(operand)),
            "jump" => (op::JUMP, label(line, operand, self.source)?),
            "unless" => (op::UNLESS, label(line, operand, self.source)?),
            "call" => (op::CALL, count(line, operand)?),
            "list" => (op::LIST, count(line, operand)?),
            _ => return error(line, format!("`{name}` is no instruction")),
        })
    }

    /// The instruction that pushes a constant.
    fn constant(&mut self, line: usize, text: &str) -> Result<Instruction, AsmError> {
        if let Some(inner) = text.strip_prefix('"').and_then(|t| t.strip_suffix('"')) {
            self.strings.push(Str::new(inner));
            return Ok((op::STRING, self.strings.len() - 1));
        }
        Ok(match (text, text.parse(), text.parse()) {
            ("nil", ..) => (op::NIL, 0),
            ("true" | "false", ..) => (op::BOOL, usize::from(text == "true")),
            (_, Ok(int), _) => {
                self.ints.push(int);
                (op::INT, self.ints.len() - 1)
            }
            (_, _, Ok(float)) => {
                self.floats.push(float);
                (op::FLOAT, self.floats.len() - 1)
            }
            _ => return error(line, format!("`{text}` is no constant")),
        })
    }

    /// The number of a local, which is new if it has not been set above.
    fn local(&mut self, name: &'a str) -> usize {
        let known = self.locals.iter().position(|l| *l == name);
        known.unwrap_or_else(|| {
            self.locals.push(name);
            self.locals.len() - 1
        })
    }
}

/// The instructions without operand.
fn simple(name: &str) -> Option<u8> {
    Some(match name {
        "dup" => op::DUP,
        "drop" => op::DROP,
        "add" => op::ADD,
        "sub" => op::SUB,
        "mul" => op::MUL,
        "div" => op::DIV,
        "rem" => op::REM,
        "equal" => op::EQUAL,
        "less" => op::LESS,
        "less_equal" => op::LESS_EQUAL,
        "not" => op::NOT,
        "return" => op::RETURN,
        "at" => op::AT,
        "put" => op::PUT,
        "append" => op::APPEND,
        "pop" => op::POP,
        "len" => op::LEN,
        "print" => op::PRINT,
        _ => return None,
    })
}

fn label(line: usize, name: &str, source: &Source<'_>) -> Result<usize, AsmError> {
    match source.labels.get(name) {
        Some(&at) if at < source.body.len() => Ok(at),
        Some(_) => error(line, format!("behind the label `{name}` is no instruction")),
        None => error(line, format!("there is no label `{name}` in this function")),
    }
}

fn count(line: usize, operand: &str) -> Result<usize, AsmError> {
    match operand.parse() {
        Ok(count) if count < 256 => Ok(count),
        _ => error(line, format!("`{operand}` is no count below 256")),
    }
}
