//! Makes bytecode of a tree. In: a tree. Out: functions, whose instructions work on registers.
//! Invariants: the variables of a function are in its first registers, parameters before others;
//! what is behind them holds parts of expressions. A variable that closures share is an object, and
//! its register holds that.

// IN objects
// ELSE use crate::ast::{Expr, Function, Stmt, Tree};
use crate::ast::{Class, Expr, Function, Stmt, Tree};
// OUT
use crate::opcode::{Capture, Op};
use std::collections::HashMap;

/// A compiled function, on Rust's heap.
#[derive(Default)]
pub struct Code {
    pub name: String,
    pub params: usize,
    /// How many registers a call needs.
    pub registers: usize,
    pub ops: Vec<Op>,
    /// The line of each instruction, 0 if it cannot fail.
    pub lines: Vec<u32>,
    pub texts: Vec<String>,
    pub functions: Vec<Code>,
    /// Where a closure finds its variables.
    pub captures: Vec<Capture>,
    // IN objects
    pub classes: Vec<ClassCode>,
}

/// A class: its name, and the names of its methods.
pub struct ClassCode {
    pub name: String,
    pub methods: Vec<usize>,
    // OUT
}

/// Compiles a program: its main function.
pub fn compile(tree: &Tree) -> Code {
    function(&tree.main, &tree.shared, Vec::new())
}

fn function(tree: &Function, shared: &[bool], captures: Vec<Capture>) -> Code {
    let mut compiler = Compiler {
        code: Code {
            name: tree.name.clone(),
            params: tree.params.len(),
            captures,
            ..Code::default()
        },
        shared,
        captured: &tree.captures,
        registers: HashMap::new(),
        top: 0,
    };
    for &param in &tree.params {
        let register = compiler.variable(param);
        compiler.share(param, register);
    }
    compiler.block(&tree.body);
    let from = compiler.push();
    compiler.emit(Op::Nil { to: from }, 0);
    compiler.emit(Op::Return { from }, 0);
    compiler.code
}

struct Compiler<'a> {
    code: Code,
    /// For each variable of the program whether closures share it.
    shared: &'a [bool],
    /// The variables of functions around this one that it uses.
    captured: &'a [usize],
    /// Where the variables of this function are.
    registers: HashMap<usize, usize>,
    /// The first register that is free.
    top: usize,
}

impl Compiler<'_> {
    /// Appends an instruction, and says where it is.
    fn emit(&mut self, op: Op, line: u32) -> usize {
        self.code.ops.push(op);
        self.code.lines.push(line);
        self.here() - 1
    }

    /// Where the next instruction will be.
    fn here(&self) -> usize {
        self.code.ops.len()
    }

    /// Takes a free register.
    fn push(&mut self) -> usize {
        self.top += 1;
        self.code.registers = self.code.registers.max(self.top);
        self.top - 1
    }

    /// Takes a register for a variable.
    fn variable(&mut self, variable: usize) -> usize {
        let register = self.push();
        self.registers.insert(variable, register);
        register
    }

    /// Makes an object of a variable that closures share, whose register holds its value so far.
    fn share(&mut self, variable: usize, register: usize) {
        if self.shared[variable] {
            self.emit(Op::Share { register }, 0);
        }
    }

    fn block(&mut self, body: &[Stmt]) {
        let top = self.top;
        for statement in body {
            self.statement(statement);
        }
        self.top = top;
    }

    fn statement(&mut self, statement: &Stmt) {
        let top = self.top;
        match statement {
            Stmt::Let(variable, value) => {
                let to = self.variable(*variable);
                self.into(value, to);
                self.share(*variable, to);
                return;
            }
            Stmt::Function(variable, function) => {
                self.define(*variable, |compiler, to| compiler.closure(function, to));
                return;
            }
            // IN objects
            Stmt::Class(variable, class) => {
                self.define(*variable, |compiler, to| compiler.class(class, to));
                return;
            }
            // IN book
            Stmt::GlobalFunction(index, function) => {
                let from = self.push();
                self.closure(function, from);
                self.emit(
                    Op::SetGlobal {
                        index: *index,
                        from,
                    },
                    0,
                );
            }
            Stmt::GlobalClass(index, class) => {
                let from = self.push();
                self.class(class, from);
                self.emit(
                    Op::SetGlobal {
                        index: *index,
                        from,
                    },
                    0,
                );
            }
            Stmt::AssignGlobal(index, value) => {
                let from = self.operand(value);
                self.emit(
                    Op::SetGlobal {
                        index: *index,
                        from,
                    },
                    0,
                );
            }
            // OUT
            Stmt::SetField(object, name, value, line) => {
                let object = self.operand(object);
                let from = self.operand(value);
                let name = *name;
                self.emit(Op::SetField { object, name, from }, *line);
            }
            // OUT
            Stmt::Assign(variable, value) => self.assign(*variable, value),
            Stmt::Print(value, line) => {
                let from = self.operand(value);
                self.emit(Op::Print { from }, *line);
            }
            Stmt::While(condition, body) => {
                let target = self.here();
                let leave = self.jump_unless(condition);
                self.block(body);
                self.emit(Op::Loop { target }, 0);
                self.lead_here(leave);
            }
            Stmt::If(condition, then, otherwise) => {
                let skip = self.jump_unless(condition);
                self.block(then);
                let end = self.emit(Op::Jump { target: 0 }, 0);
                self.lead_here(skip);
                self.block(otherwise);
                self.lead_here(end);
            }
            Stmt::Return(value) => {
                let from = self.operand(value);
                self.emit(Op::Return { from }, 0);
            }
            Stmt::Do(value) => {
                self.operand(value);
            }
        }
        self.top = top;
    }

    /// Makes a variable of something that may capture it: so it is there before.
    fn define(&mut self, variable: usize, make: impl Fn(&mut Self, usize)) {
        let to = self.variable(variable);
        if self.shared[variable] {
            self.emit(Op::Nil { to }, 0);
            self.share(variable, to);
            let from = self.push();
            make(self, from);
            self.emit(Op::SetShared { to, from }, 0);
            self.top = from;
        } else {
            make(self, to);
        }
    }

    // IN objects
    fn class(&mut self, class: &Class, to: usize) {
        let (top, first) = (self.top, self.top);
        for (_, method) in &class.methods {
            let to = self.push();
            self.closure(method, to);
        }
        self.top = top;
        let index = self.code.classes.len();
        self.code.classes.push(ClassCode {
            name: class.name.clone(),
            methods: class.methods.iter().map(|(name, _)| *name).collect(),
        });
        self.emit(Op::Class { to, index, first }, 0);
    }

    // OUT
    fn assign(&mut self, variable: usize, value: &Expr) {
        match self.registers.get(&variable).copied() {
            // What `and` and `or` have computed first would overwrite a variable that what is
            // behind them may use.
            Some(to)
                if !self.shared[variable] && !matches!(value, Expr::And(..) | Expr::Or(..)) =>
            {
                self.into(value, to);
            }
            Some(to) => {
                let from = self.operand(value);
                self.emit(
                    match self.shared[variable] {
                        true => Op::SetShared { to, from },
                        false => Op::Move { to, from },
                    },
                    0,
                );
            }
            None => {
                let from = self.operand(value);
                let index = self.index(variable);
                self.emit(Op::SetCaptured { index, from }, 0);
            }
        }
    }

    /// The number of a variable among those that are captured.
    fn index(&self, variable: usize) -> usize {
        let found = self.captured.iter().position(|v| *v == variable);
        found.expect("a variable of another function is captured")
    }

    fn jump_unless(&mut self, condition: &Expr) -> usize {
        let top = self.top;
        let condition = self.operand(condition);
        self.top = top;
        let target = 0;
        self.emit(Op::JumpUnless { condition, target }, 0)
    }

    /// Lets a jump lead to the next instruction.
    fn lead_here(&mut self, jump: usize) {
        let here = self.here();
        match &mut self.code.ops[jump] {
            Op::Jump { target } | Op::JumpIf { target, .. } | Op::JumpUnless { target, .. } => {
                *target = here;
            }
            other => unreachable!("{other:?} is no jump"),
        }
    }

    /// Computes an expression, and says in which register it is: that of a variable, or a new one.
    fn operand(&mut self, expr: &Expr) -> usize {
        if let Expr::Variable(variable) = expr
            && let Some(&register) = self.registers.get(variable)
            && !self.shared[*variable]
        {
            return register;
        }
        let to = self.push();
        self.into(expr, to);
        to
    }

    /// Computes an expression into a register. But for `and` and `or`, only the last instruction
    /// writes it.
    fn into(&mut self, expr: &Expr, to: usize) {
        let top = self.top;
        match expr {
            Expr::Nil => {
                self.emit(Op::Nil { to }, 0);
            }
            &Expr::Bool(value) => {
                self.emit(Op::Bool { to, value }, 0);
            }
            &Expr::Int(value) => {
                self.emit(Op::Int { to, value }, 0);
            }
            &Expr::Float(value) => {
                self.emit(Op::Float { to, value }, 0);
            }
            Expr::Text(text) => {
                let index = self.code.texts.len();
                self.code.texts.push(text.clone());
                self.emit(Op::Text { to, index }, 0);
            }
            Expr::Variable(variable) => {
                let op = match self.registers.get(variable).copied() {
                    Some(from) if self.shared[*variable] => Op::GetShared { to, from },
                    Some(from) => Op::Move { to, from },
                    None => {
                        let index = self.index(*variable);
                        Op::GetCaptured { to, index }
                    }
                };
                self.emit(op, 0);
            }
            // IN book
            &Expr::Global(index) => {
                self.emit(Op::GetGlobal { to, index }, 0);
            }
            // OUT
            Expr::Function(function) => self.closure(function, to),
            Expr::Unary(op, operand, line) => {
                let from = self.operand(operand);
                let op = *op;
                self.emit(Op::Unary { op, to, from }, *line);
            }
            Expr::Binary(op, left, right, line) => {
                let left = self.operand(left);
                let right = self.operand(right);
                let op = *op;
                let binary = Op::Binary {
                    op,
                    to,
                    left,
                    right,
                };
                self.emit(binary, *line);
            }
            Expr::And(left, right) | Expr::Or(left, right) => {
                self.into(left, to);
                let (condition, target) = (to, 0);
                let skip = match expr {
                    Expr::And(..) => Op::JumpUnless { condition, target },
                    _ => Op::JumpIf { condition, target },
                };
                let skip = self.emit(skip, 0);
                self.into(right, to);
                self.lead_here(skip);
            }
            // IN objects
            Expr::Field(object, name, line) => {
                let object = self.operand(object);
                let name = *name;
                self.emit(Op::GetField { to, object, name }, *line);
            }
            Expr::Send(object, name, arguments, line) => {
                let first = self.push();
                self.into(object, first);
                self.arguments(arguments);
                let (name, count) = (*name, arguments.len());
                let send = Op::Send {
                    to,
                    first,
                    count,
                    name,
                };
                self.emit(send, *line);
            }
            // OUT
            Expr::Call(callee, arguments, line) => {
                let first = self.push();
                self.into(callee, first);
                self.arguments(arguments);
                let count = arguments.len();
                self.emit(Op::Call { to, first, count }, *line);
            }
        }
        self.top = top;
    }

    /// Computes arguments into the next registers.
    fn arguments(&mut self, arguments: &[Expr]) {
        for argument in arguments {
            let to = self.push();
            self.into(argument, to);
        }
    }

    fn closure(&mut self, tree: &Function, to: usize) {
        let captures = tree.captures.iter();
        let captures = captures.map(|variable| match self.registers.get(variable) {
            Some(&register) => Capture::Register(register),
            None => Capture::Captured(self.index(*variable)),
        });
        let code = function(tree, self.shared, captures.collect());
        let index = self.code.functions.len();
        self.code.functions.push(code);
        self.emit(Op::Closure { to, index }, 0);
    }
}
