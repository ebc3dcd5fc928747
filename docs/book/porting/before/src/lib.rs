//! A small interpreter in the usual style, without a JIT. In: the text of a program, and a number.
//! Out: what the program answers, or why it does not. Invariant: it uses nothing but the standard
//! library; `../after` is the same language on Verdigris.
//!
//! A program has one instruction on each line: `push N`, `get NAME`, `set NAME`, `add`, `sub`,
//! `less`, `jump L`, `unless L`, `call NAME`, `cell`, `load`, `store`, `stop`, and labels, `L:`.
//! The variable `n` has the number at first. The programs that the host offers to `call` are
//! closures.

#![forbid(unsafe_code)]

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

// ANCHOR: types
/// A value.
#[derive(Clone, Debug)]
pub enum Value {
    Int(i64),
    Cell(Rc<RefCell<Value>>),
}

/// An instruction.
#[derive(Clone, Debug)]
pub enum Instr {
    Push(i64),
    Get(String),
    Set(String),
    Add,
    Sub,
    Less,
    Jump(usize),
    Unless(usize),
    Call(String),
    Cell,
    Load,
    Store,
    Stop,
}

/// A function of the host.
pub type Native = Box<dyn Fn(i64) -> i64>;

/// The interpreter.
pub struct Interp {
    stack: Vec<Value>,
    globals: HashMap<String, Value>,
    natives: HashMap<String, Native>,
}
// ANCHOR_END: types

impl Interp {
    /// An interpreter with these functions of the host.
    pub fn new(natives: HashMap<String, Native>) -> Interp {
        Interp {
            stack: Vec::new(),
            globals: HashMap::new(),
            natives,
        }
    }

    fn pop(&mut self) -> Result<Value, String> {
        self.stack.pop().ok_or_else(|| "no operand".to_string())
    }

    fn pop_int(&mut self) -> Result<i64, String> {
        match self.pop()? {
            Value::Int(number) => Ok(number),
            Value::Cell(_) => Err("a cell is no number".to_string()),
        }
    }

    fn pop_cell(&mut self) -> Result<Rc<RefCell<Value>>, String> {
        match self.pop()? {
            Value::Cell(cell) => Ok(cell),
            Value::Int(_) => Err("a number is no cell".to_string()),
        }
    }

    // ANCHOR: run
    /// Runs a program.
    ///
    /// # Errors
    /// Why it does not go on.
    pub fn run(&mut self, code: &[Instr], n: i64) -> Result<Value, String> {
        self.globals.insert("n".to_string(), Value::Int(n));
        let mut pc = 0;
        loop {
            match &code[pc] {
                Instr::Push(number) => self.stack.push(Value::Int(*number)),
                Instr::Get(name) => match self.globals.get(name) {
                    Some(value) => self.stack.push(value.clone()),
                    None => return Err(format!("`{name}` has no value")),
                },
                Instr::Set(name) => {
                    let value = self.pop()?;
                    self.globals.insert(name.clone(), value);
                }
                Instr::Add => {
                    let (b, a) = (self.pop_int()?, self.pop_int()?);
                    self.stack.push(Value::Int(a.wrapping_add(b)));
                }
                Instr::Sub => {
                    let (b, a) = (self.pop_int()?, self.pop_int()?);
                    self.stack.push(Value::Int(a.wrapping_sub(b)));
                }
                Instr::Less => {
                    let (b, a) = (self.pop_int()?, self.pop_int()?);
                    self.stack.push(Value::Int(i64::from(a < b)));
                }
                Instr::Jump(target) => {
                    pc = *target;
                    continue;
                }
                Instr::Unless(target) => {
                    if self.pop_int()? == 0 {
                        pc = *target;
                        continue;
                    }
                }
                Instr::Call(name) => {
                    let argument = self.pop_int()?;
                    match self.natives.get(name) {
                        Some(native) => self.stack.push(Value::Int(native(argument))),
                        None => return Err(format!("no function `{name}`")),
                    }
                }
                Instr::Cell => {
                    let value = self.pop()?;
                    self.stack.push(Value::Cell(Rc::new(RefCell::new(value))));
                }
                Instr::Load => {
                    let cell = self.pop_cell()?;
                    self.stack.push(cell.borrow().clone());
                }
                Instr::Store => {
                    let value = self.pop()?;
                    let cell = self.pop_cell()?;
                    *cell.borrow_mut() = value;
                }
                Instr::Stop => return self.pop(),
            }
            pc += 1;
        }
    }
    // ANCHOR_END: run
}

/// Reads a program.
///
/// # Errors
/// The line that is no instruction, and the label that is not there.
pub fn parse(text: &str) -> Result<Vec<Instr>, String> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let lines: Vec<&str> = lines.collect();
    let mut labels = HashMap::new();
    let mut count = 0;
    for line in &lines {
        match line.strip_suffix(':') {
            Some(label) => {
                labels.insert(label, count);
            }
            None => count += 1,
        }
    }
    let target = |label: &str| {
        let found = labels.get(label).copied();
        found.ok_or_else(|| format!("no label `{label}`"))
    };
    let mut code = Vec::new();
    for line in lines.iter().filter(|line| !line.ends_with(':')) {
        let (op, operand) = line.split_once(' ').unwrap_or((line, ""));
        code.push(match op {
            "push" => Instr::Push(operand.parse().map_err(|_| format!("`{line}`?"))?),
            "get" => Instr::Get(operand.to_string()),
            "set" => Instr::Set(operand.to_string()),
            "add" => Instr::Add,
            "sub" => Instr::Sub,
            "less" => Instr::Less,
            "jump" => Instr::Jump(target(operand)?),
            "unless" => Instr::Unless(target(operand)?),
            "call" => Instr::Call(operand.to_string()),
            "cell" => Instr::Cell,
            "load" => Instr::Load,
            "store" => Instr::Store,
            "stop" => Instr::Stop,
            _ => return Err(format!("`{line}`?")),
        });
    }
    // Whatever a program jumps to, it ends: behind the last line there is a `stop`.
    code.push(Instr::Stop);
    Ok(code)
}

/// How a value is printed.
pub fn show(value: &Value) -> String {
    match value {
        Value::Int(number) => number.to_string(),
        Value::Cell(cell) => format!("[{}]", show(&cell.borrow())),
    }
}

/// Runs a program text with a number.
///
/// # Errors
/// Why the text is no program, or why it does not go on.
pub fn answer(text: &str, n: i64, natives: HashMap<String, Native>) -> Result<String, String> {
    let code = parse(text)?;
    let value = Interp::new(natives).run(&code, n)?;
    Ok(show(&value))
}
