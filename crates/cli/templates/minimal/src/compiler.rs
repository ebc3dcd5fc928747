//! Makes bytecode of a tree. In: a tree. Out: instructions with their lines. Invariant: the first
//! registers are the variables, and what is behind them holds parts of expressions.

use crate::opcode::{Binary, Op};
use crate::parser::{Expr, Stmt, Tree};

/// A compiled program, on Rust's heap.
pub struct Code {
    /// The instructions.
    pub ops: Vec<Op>,
    /// The line of each, 0 if it cannot fail.
    pub lines: Vec<u32>,
    /// How many registers it needs.
    pub registers: usize,
}

/// Compiles a program.
pub fn compile(tree: &Tree) -> Code {
    let mut compiler = Compiler {
        code: Code {
            ops: Vec::new(),
            lines: Vec::new(),
            registers: tree.variables,
        },
        variables: tree.variables,
    };
    compiler.block(&tree.body);
    compiler.emit(Op::End, 0);
    compiler.code
}

struct Compiler {
    code: Code,
    variables: usize,
}

impl Compiler {
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

    fn block(&mut self, body: &[Stmt]) {
        for statement in body {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Stmt) {
        let free = self.variables;
        match statement {
            Stmt::Assign(variable, value) => self.into(value, *variable, free),
            Stmt::Print(value, line) => {
                let from = self.operand(value, free);
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
        }
    }

    /// A jump for when a condition does not hold.
    fn jump_unless(&mut self, condition: &Expr) -> usize {
        let free = self.variables;
        let zero = &Expr::Int(0);
        let (op, left, right) = match condition {
            Expr::Binary(op, left, right, _) if op.is_comparison() => (*op, &**left, &**right),
            _ => (Binary::NotEqual, condition, zero),
        };
        let left = self.operand(left, free);
        let right = self.operand(right, free + 1);
        let jump = Op::JumpUnless {
            op,
            left,
            right,
            target: 0,
        };
        self.emit(jump, 0)
    }

    /// Lets a jump lead to the next instruction.
    fn lead_here(&mut self, jump: usize) {
        let here = self.here();
        match &mut self.code.ops[jump] {
            Op::Jump { target } | Op::JumpUnless { target, .. } => *target = here,
            other => unreachable!("{other:?} is no jump"),
        }
    }

    /// Computes an expression, and says in which register it is; registers from `free` on may be
    /// used.
    fn operand(&mut self, expr: &Expr, free: usize) -> usize {
        if let Expr::Variable(variable) = expr {
            return *variable;
        }
        self.code.registers = self.code.registers.max(free + 1);
        self.into(expr, free, free);
        free
    }

    /// Computes an expression into a register. Only its last instruction writes that, so it may be
    /// a variable of the expression.
    fn into(&mut self, expr: &Expr, to: usize, free: usize) {
        match expr {
            Expr::Int(value) => {
                let value = *value;
                self.emit(Op::Int { to, value }, 0);
            }
            Expr::Variable(from) => {
                let from = *from;
                self.emit(Op::Move { to, from }, 0);
            }
            Expr::Binary(op, left, right, line) => {
                let op = *op;
                let left = self.operand(left, free);
                let right = self.operand(right, free + 1);
                let binary = Op::Binary {
                    op,
                    to,
                    left,
                    right,
                };
                self.emit(binary, *line);
            }
        }
    }
}
