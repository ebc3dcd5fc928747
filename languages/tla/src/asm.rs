//! The assembler. In: the text of a program. Out: an [`Image`], or every line that is wrong.
//! Invariant: an image has been verified.
//!
//! ```text
//! main(1):                ; a function and how many arguments it takes; the first one is the program
//! loop:                   ; a label of this function
//!     CONST_INT 1         ; the argument is on the stack already
//!     SUB
//!     DUP
//!     JUMP_IF loop
//!     EXIT
//! ```
//! Comments begin with `;`. `NEWSTR` takes a text in quotes, in which `\"`, `\\` and `\n` stand for
//! what they do in most languages.

use crate::image::{Function, Image, Instruction};
use crate::opcode::{self, Op, Operand};
use crate::verify::verify;
use std::collections::HashMap;
use std::fmt;

/// The most arguments a function can take, and the deepest that `DUPN` reaches.
pub const MAX_COUNT: usize = 255;

/// A line that is wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AsmError {
    /// Counted from 1.
    pub line: usize,
    /// The message.
    pub message: String,
}

impl fmt::Display for AsmError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.line, self.message)
    }
}

impl std::error::Error for AsmError {}

/// Assembles and verifies a text.
///
/// # Errors
/// Every line that is wrong; of each function one that the verifier refuses, if all lines can be
/// read.
pub fn assemble(text: &str, file: &str) -> Result<Image, Vec<AsmError>> {
    let source = Source::split(text);
    let mut assembler = Assembler {
        errors: source.errors,
        image: Image {
            file: file.to_string(),
            ..Image::default()
        },
    };
    assembler.functions(&source.functions);
    let Assembler { mut image, errors } = assembler;
    if !errors.is_empty() {
        return Err(sorted(errors));
    }
    verify(&mut image).map_err(|wrong| {
        let line = |pc: usize| image.lines[pc];
        let error = |w: crate::verify::Wrong| AsmError {
            line: line(w.pc),
            message: w.message,
        };
        sorted(wrong.into_iter().map(error).collect())
    })?;
    Ok(image)
}

fn sorted(mut errors: Vec<AsmError>) -> Vec<AsmError> {
    errors.sort_by_key(|error| error.line);
    errors
}

/// The text of a function.
struct Body<'a> {
    name: &'a str,
    params: usize,
    line: usize,
    /// Line, instruction, operand.
    code: Vec<(usize, &'a str, &'a str)>,
    /// Where each label leads, counted from the start of the function, and its line.
    labels: HashMap<&'a str, (usize, usize)>,
}

/// A text taken apart.
#[derive(Default)]
struct Source<'a> {
    functions: Vec<Body<'a>>,
    errors: Vec<AsmError>,
}

impl<'a> Source<'a> {
    fn split(text: &'a str) -> Source<'a> {
        let mut source = Source::default();
        for (index, line) in text.lines().enumerate() {
            let (number, line) = (index + 1, without_comment(line));
            if !line.is_empty()
                && let Err(message) = source.line(number, line)
            {
                source.error(number, message);
            }
        }
        if source.functions.is_empty() && source.errors.is_empty() {
            source.error(1, "there is no function: begin one with `main(0):`");
        }
        source
    }

    fn error(&mut self, line: usize, message: impl Into<String>) {
        let message = message.into();
        self.errors.push(AsmError { line, message });
    }

    fn line(&mut self, number: usize, line: &'a str) -> Result<(), String> {
        let Some(head) = line.strip_suffix(':').filter(|_| !line.contains('"')) else {
            let (name, operand) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
            let instruction = (number, name, operand.trim());
            self.open()?.code.push(instruction);
            return Ok(());
        };
        if head.contains('(') {
            return self.head(number, head);
        }
        let label = a_name(head)?;
        let body = self.open()?;
        let place = (body.code.len(), number);
        match body.labels.insert(label, place) {
            None => Ok(()),
            Some((_, line)) => Err(format!("the label `{label}` is in line {line} already")),
        }
    }

    /// The function that a line belongs to.
    fn open(&mut self) -> Result<&mut Body<'a>, String> {
        let missing = "this is outside of a function: begin one with `main(0):`";
        self.functions.last_mut().ok_or_else(|| missing.to_string())
    }

    /// `name(params)`.
    fn head(&mut self, line: usize, head: &'a str) -> Result<(), String> {
        let parts = head.strip_suffix(')').and_then(|h| h.split_once('('));
        let (name, params) = parts.ok_or("the head of a function is `name(2):`")?;
        let name = a_name(name)?;
        if let Some(other) = self.functions.iter().find(|f| f.name == name) {
            return Err(format!(
                "`{name}` is a function in line {} already",
                other.line
            ));
        }
        // The function is there even if its head is wrong, so that its lines have a place.
        let count = a_count(params);
        self.functions.push(Body {
            name,
            params: *count.as_ref().unwrap_or(&0),
            line,
            code: Vec::new(),
            labels: HashMap::new(),
        });
        count.map(|_| ())
    }
}

/// The line without its comment, which begins with a `;` outside of quotes.
fn without_comment(line: &str) -> &str {
    let (mut quoted, mut escaped) = (false, false);
    let comment = line.find(|c| {
        let quote = c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
        quoted ^= quote;
        c == ';' && !quoted
    });
    line[..comment.unwrap_or(line.len())].trim()
}

fn a_name(name: &str) -> Result<&str, String> {
    let name = name.trim();
    let starts = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
    if starts && name.chars().all(|c| c.is_alphanumeric() || c == '_') {
        return Ok(name);
    }
    Err(format!("`{name}` is no name"))
}

fn a_count(text: &str) -> Result<usize, String> {
    let count = text.trim().parse().ok().filter(|&count| count <= MAX_COUNT);
    count.ok_or_else(|| format!("`{text}` is no count up to {MAX_COUNT}"))
}

/// The program as far as it is assembled.
struct Assembler {
    image: Image,
    errors: Vec<AsmError>,
}

impl Assembler {
    fn functions(&mut self, bodies: &[Body<'_>]) {
        for body in bodies {
            let start = self.image.code.len();
            let end = start + body.code.len();
            if body.code.is_empty() {
                let message = format!("`{}` has no instruction", body.name);
                self.error(body.line, message);
            }
            for (label, &(at, line)) in &body.labels {
                if at == body.code.len() {
                    self.error(
                        line,
                        format!("behind the label `{label}` is no instruction"),
                    );
                }
            }
            for &(line, name, operand) in &body.code {
                let read = self.instruction(bodies, body, start, name, operand);
                let instruction = read.unwrap_or_else(|message| {
                    self.error(line, message);
                    Instruction { op: 0, operand: 0 }
                });
                self.image.code.push(instruction);
                self.image.lines.push(line);
            }
            self.image.functions.push(Function {
                name: body.name.to_string(),
                line: body.line,
                start,
                end,
                params: body.params,
                slots: 0,
            });
        }
    }

    fn error(&mut self, line: usize, message: String) {
        self.errors.push(AsmError { line, message });
    }

    fn instruction(
        &mut self,
        bodies: &[Body<'_>],
        body: &Body<'_>,
        start: usize,
        name: &str,
        operand: &str,
    ) -> Result<Instruction, String> {
        let op = opcode::by_name(name).ok_or_else(|| format!("`{name}` is no instruction"))?;
        check_presence(op, operand)?;
        let operand = match op.operand {
            Operand::None => 0,
            Operand::Int => operand
                .parse()
                .map_err(|_| format!("`{operand}` is no integer of 64 bits"))?,
            Operand::Text => self.string(operand)?,
            Operand::Depth | Operand::Arity => a_count(operand)? as i64,
            Operand::Label => {
                let missing = || format!("there is no label `{operand}` in `{}`", body.name);
                let (at, _) = body.labels.get(operand).ok_or_else(missing)?;
                (start + at) as i64
            }
            Operand::Function => {
                let index = bodies.iter().position(|b| b.name == operand);
                index.ok_or_else(|| format!("there is no function `{operand}`"))? as i64
            }
        };
        Ok(Instruction {
            op: op.code,
            operand,
        })
    }

    /// The number of a string.
    fn string(&mut self, text: &str) -> Result<i64, String> {
        let string = unquoted(text).ok_or_else(|| format!("`{text}` is no text in quotes"))?;
        let strings = &mut self.image.strings;
        let known = strings.iter().position(|other| *other == string);
        Ok(known.unwrap_or_else(|| {
            strings.push(string);
            strings.len() - 1
        }) as i64)
    }
}

/// Checks that an operand is there if and only if the instruction has one.
fn check_presence(op: &Op, operand: &str) -> Result<(), String> {
    let what = match op.operand {
        Operand::None if operand.is_empty() => return Ok(()),
        Operand::None => {
            return Err(format!(
                "{} has no operand, and `{operand}` is there",
                op.name
            ));
        }
        _ if !operand.is_empty() => return Ok(()),
        Operand::Int => "an integer",
        Operand::Text => "a text in quotes",
        Operand::Depth => "a depth",
        Operand::Label => "a label",
        Operand::Function => "a function",
        Operand::Arity => "the number of its function's arguments",
    };
    Err(format!("{} needs {what}", op.name))
}

/// The content of a text in quotes.
fn unquoted(text: &str) -> Option<String> {
    let inner = text.strip_prefix('"')?.strip_suffix('"')?;
    let mut string = String::new();
    let mut chars = inner.chars();
    while let Some(c) = chars.next() {
        string.push(match c {
            '"' => return None,
            '\\' => match chars.next()? {
                'n' => '\n',
                c @ ('"' | '\\') => c,
                _ => return None,
            },
            c => c,
        });
    }
    Some(string)
}
