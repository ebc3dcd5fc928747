//! A tree to bytecode. In: a [`Program`]. Out: its [`Image`], or all faults in the order of their
//! places. Invariant: what [`Image`] promises.
//!
//! A name that a function assigns anywhere, or takes as a parameter, is a local variable of it;
//! every other name has to be that of a class or function. Both exist from the start, what a class
//! contains from its `class` statement on. A statement begins and ends with an empty operand stack.

mod emit;
mod names;

use crate::ast::{self, Expr, ExprKind, Member, MemberKind, Program, Stmt, StmtKind};
use crate::image::{Const, Image};
use crate::lexer::{Fault, Pos};
use crate::opcode;
use emit::Emitter;
use names::{Globals, assigned};

/// The most parameters that a function may have.
const MAX_PARAMS: usize = 200;

/// Compiles a program; `file` is the name that messages will use.
///
/// # Errors
/// All faults.
pub fn compile(program: &Program, file: &str) -> Result<Image, Vec<Fault>> {
    let mut faults = Vec::new();
    let mut compiler = Compiler {
        globals: Globals::collect(&program.body, &mut faults),
        main_locals: assigned(&program.body, &program.args),
        emitter: Emitter::new(file),
        faults,
        pending: Vec::new(),
        scope: Scope::default(),
    };
    compiler.emitter.image.classes = compiler.globals.classes.clone();
    compiler.functions(program);
    compiler.finish()
}

/// The function that is being compiled.
#[derive(Default)]
struct Scope {
    /// Its local variables, by number.
    locals: Vec<String>,
    /// Whether it has a receiver.
    has_self: bool,
    /// Whether it is the main program.
    is_main: bool,
    /// How many blocks of `if` and `while` are around the statement.
    blocks: usize,
    /// The loops around it.
    loops: Vec<Loop>,
}

struct Loop {
    start: usize,
    /// Jumps to its end.
    breaks: Vec<usize>,
}

/// A function whose code is still to be made.
struct Pending<'a> {
    number: usize,
    params: &'a [(Pos, String)],
    body: &'a [Stmt],
    has_self: bool,
}

struct Compiler<'a> {
    globals: Globals<'a>,
    main_locals: Vec<String>,
    emitter: Emitter,
    faults: Vec<Fault>,
    pending: Vec<Pending<'a>>,
    scope: Scope,
}

impl<'a> Compiler<'a> {
    fn fault(&mut self, pos: Pos, message: impl Into<String>) {
        self.faults.push(Fault::new(pos, message));
    }

    /// The main program, then all functions that it mentions, and those that they mention.
    fn functions(&mut self, program: &'a Program) {
        let number = self
            .emitter
            .function("the main program", program.args.len());
        self.function(&Pending {
            number,
            params: &program.args,
            body: &program.body,
            has_self: false,
        });
        for at in 0..self.globals.functions.len() {
            // So that faults in functions that the program never calls are found too.
            self.global_function(at);
        }
        while let Some(pending) = self.pending.pop() {
            self.function(&pending);
        }
    }

    fn finish(mut self) -> Result<Image, Vec<Fault>> {
        self.faults.extend(self.emitter.fault.take());
        self.faults.sort_by_key(|fault| fault.pos);
        match self.faults.is_empty() {
            true => Ok(self.emitter.image),
            false => Err(self.faults),
        }
    }

    fn function(&mut self, function: &Pending<'a>) {
        let is_main = function.number == 0;
        self.check_params(function.params);
        self.scope = Scope {
            locals: assigned(function.body, function.params),
            has_self: function.has_self,
            is_main,
            ..Scope::default()
        };
        self.emitter.begin(function.number, &self.scope.locals);
        self.statements(function.body);
        self.emitter.op(opcode::NIL);
        self.emitter.op(opcode::RETURN);
        self.emitter.end(function.number);
    }

    fn check_params(&mut self, params: &[(Pos, String)]) {
        for (index, (pos, name)) in params.iter().enumerate() {
            if params[..index].iter().any(|(_, other)| other == name) {
                self.fault(*pos, format!("two parameters are called `{name}`"));
            }
            self.check_assignable(*pos, name);
        }
        if let Some((pos, _)) = params.get(MAX_PARAMS) {
            self.fault(
                *pos,
                format!("a function has at most {MAX_PARAMS} parameters"),
            );
        }
    }

    fn check_assignable(&mut self, pos: Pos, name: &str) {
        if let Some(what) = self.globals.describe(name) {
            let message = format!("`{name}` is {what}, so no variable can have that name");
            self.fault(pos, message);
        }
    }

    fn statements(&mut self, body: &'a [Stmt]) {
        for statement in body {
            self.statement(statement);
        }
    }

    fn block(&mut self, body: &'a [Stmt]) {
        self.scope.blocks += 1;
        self.statements(body);
        self.scope.blocks -= 1;
    }

    fn statement(&mut self, statement: &'a Stmt) {
        let pos = statement.pos;
        self.emitter.pos = pos;
        match &statement.kind {
            StmtKind::Assign(name, value) => {
                self.check_assignable(pos, name);
                self.expr(value);
                let local = self.local(name).unwrap_or(0);
                self.emitter.byte_op(opcode::STORE, local);
            }
            StmtKind::SetAttribute(object, name, value) => {
                self.expr(object);
                self.expr(value);
                self.emitter.pos = pos;
                self.emitter.name_op(opcode::SETATTR, name);
            }
            StmtKind::Method(object, function) => self.method_statement(object, function),
            StmtKind::Expr(value) => {
                self.expr(value);
                self.emitter.op(opcode::POP);
            }
            StmtKind::If(condition, then, otherwise) => {
                self.conditional(condition, then, otherwise)
            }
            StmtKind::While(condition, body) => self.repeat(condition, body),
            StmtKind::Break => match self.scope.loops.is_empty() {
                true => self.fault(pos, "`break` stands in a loop"),
                false => {
                    let jump = self.emitter.jump(opcode::JUMP);
                    self.scope
                        .loops
                        .last_mut()
                        .expect("just seen")
                        .breaks
                        .push(jump);
                }
            },
            StmtKind::Continue => match self.scope.loops.last() {
                None => self.fault(pos, "`continue` stands in a loop"),
                Some(around) => self.emitter.jump_back(around.start),
            },
            StmtKind::Return(value) => {
                match value {
                    Some(value) => self.expr(value),
                    None => self.emitter.op(opcode::NIL),
                }
                self.emitter.op(opcode::RETURN);
            }
            StmtKind::Print(items) => {
                self.arguments(items);
                self.emitter.count_op(opcode::PRINT, items.len());
            }
            StmtKind::Class(name, members) => self.class(pos, name, members),
            StmtKind::Function(function) => self.check_top_level(pos, "function", &function.name),
        }
    }

    fn check_top_level(&mut self, pos: Pos, what: &str, name: &str) {
        if !self.scope.is_main || self.scope.blocks > 0 {
            let message =
                format!("the {what} `{name}` has to stand at the top level of the program");
            self.fault(pos, message);
        }
    }

    fn class(&mut self, pos: Pos, name: &'a str, members: &'a [Member]) {
        self.check_top_level(pos, "class", name);
        let Some(number) = self.globals.class(name) else {
            return;
        };
        for member in members {
            self.emitter.pos = member.pos;
            self.emitter.constant(Const::Class(number));
            let attribute = match &member.kind {
                MemberKind::Attribute(attribute, value) => {
                    self.expr(value);
                    attribute
                }
                MemberKind::Method(function) => {
                    self.method(&format!("{name}.{}", function.name), function);
                    &function.name
                }
            };
            self.emitter.pos = member.pos;
            self.emitter.name_op(opcode::SETATTR, attribute);
        }
    }

    /// Pushes a method, whose code comes later.
    fn method(&mut self, name: &str, function: &'a ast::Function) {
        let number = self.later(name, function, true);
        self.emitter.constant(Const::Function(number));
    }

    fn later(&mut self, name: &str, function: &'a ast::Function, has_self: bool) -> usize {
        let number = self.emitter.function(name, function.params.len());
        self.pending.push(Pending {
            number,
            params: &function.params,
            body: &function.body,
            has_self,
        });
        number
    }

    /// The number of a function at the top level.
    fn global_function(&mut self, at: usize) -> usize {
        let (function, known) = self.globals.functions[at];
        known.unwrap_or_else(|| {
            let number = self.later(&function.name, function, false);
            self.globals.functions[at].1 = Some(number);
            number
        })
    }

    fn method_statement(&mut self, object: &'a Expr, function: &'a ast::Function) {
        let pos = self.emitter.pos;
        self.expr(object);
        let name = match &object.kind {
            ExprKind::Name(object) => format!("{object}.{}", function.name),
            _ => function.name.clone(),
        };
        self.method(&name, function);
        self.emitter.pos = pos;
        self.emitter.name_op(opcode::SETATTR, &function.name);
    }

    fn conditional(&mut self, condition: &'a Expr, then: &'a [Stmt], otherwise: &'a [Stmt]) {
        self.expr(condition);
        let to_else = self.emitter.jump(opcode::JUMP_IF_FALSE);
        self.block(then);
        if otherwise.is_empty() {
            self.emitter.land(to_else);
            return;
        }
        let to_end = self.emitter.jump(opcode::JUMP);
        self.emitter.land(to_else);
        self.block(otherwise);
        self.emitter.land(to_end);
    }

    fn repeat(&mut self, condition: &'a Expr, body: &'a [Stmt]) {
        let start = self.emitter.here();
        self.expr(condition);
        let to_end = self.emitter.jump(opcode::JUMP_IF_FALSE);
        let breaks = vec![to_end];
        self.scope.loops.push(Loop { start, breaks });
        self.block(body);
        self.emitter.jump_back(start);
        let finished = self.scope.loops.pop().expect("it was pushed above");
        for jump in finished.breaks {
            self.emitter.land(jump);
        }
    }

    /// The slot of a local variable.
    fn local(&self, name: &str) -> Option<usize> {
        self.scope.locals.iter().position(|local| local == name)
    }

    fn name(&mut self, pos: Pos, name: &'a str) {
        if let Some(local) = self.local(name) {
            self.emitter.byte_op(opcode::LOAD, local);
        } else if let Some(class) = self.globals.class(name) {
            self.emitter.constant(Const::Class(class));
        } else if let Some(at) = self.globals.function(name) {
            let number = self.global_function(at);
            self.emitter.constant(Const::Function(number));
        } else {
            let hint = match !self.scope.is_main && self.main_locals.iter().any(|l| l == name) {
                true => ": it is a variable of the main program, which functions do not see",
                false => "",
            };
            self.fault(pos, format!("unknown name `{name}`{hint}"));
            self.emitter.op(opcode::NIL);
        }
    }

    fn arguments(&mut self, args: &'a [Expr]) {
        for arg in args {
            self.expr(arg);
        }
    }

    /// Pushes the value of an expression.
    fn expr(&mut self, expr: &'a Expr) {
        let pos = expr.pos;
        self.emitter.pos = pos;
        match &expr.kind {
            ExprKind::Int(value) => self.emitter.constant(Const::Int(*value)),
            ExprKind::Text(text) => self.emitter.text(text),
            ExprKind::Nil => self.emitter.op(opcode::NIL),
            ExprKind::SelfValue => {
                if !self.scope.has_self {
                    self.fault(pos, "`self` stands in a method");
                }
                self.emitter.byte_op(opcode::LOAD, 0);
            }
            ExprKind::Name(name) => self.name(pos, name),
            ExprKind::Binary(op, left, right) => {
                self.expr(left);
                self.expr(right);
                self.emitter.pos = pos;
                self.emitter.op(*op);
            }
            ExprKind::Unary(op, operand) => {
                self.expr(operand);
                self.emitter.pos = pos;
                self.emitter.op(*op);
            }
            ExprKind::And(left, right) => {
                self.short_circuit(opcode::JUMP_IF_FALSE_OR_POP, left, right);
            }
            ExprKind::Or(left, right) => {
                self.short_circuit(opcode::JUMP_IF_TRUE_OR_POP, left, right);
            }
            ExprKind::Attribute(object, name) => {
                self.expr(object);
                self.emitter.pos = pos;
                self.emitter.name_op(opcode::GETATTR, name);
            }
            ExprKind::Send(object, name, args) => {
                self.expr(object);
                self.arguments(args);
                self.emitter.pos = pos;
                self.emitter.send(name, args.len());
            }
            ExprKind::Call(function, args) => {
                self.expr(function);
                self.arguments(args);
                self.emitter.pos = pos;
                self.emitter.count_op(opcode::CALL, args.len());
            }
            ExprKind::New(class, args) => self.instance(pos, class, args.as_deref()),
        }
    }

    fn short_circuit(&mut self, op: u8, left: &'a Expr, right: &'a Expr) {
        self.expr(left);
        let jump = self.emitter.jump(op);
        self.expr(right);
        self.emitter.land(jump);
    }

    fn instance(&mut self, pos: Pos, class: &'a Expr, args: Option<&'a [Expr]>) {
        self.expr(class);
        self.emitter.pos = pos;
        self.emitter.op(opcode::INSTANTIATE);
        if let Some(args) = args {
            self.emitter.op(opcode::DUP);
            self.arguments(args);
            self.emitter.pos = pos;
            self.emitter.send("init", args.len());
            self.emitter.op(opcode::POP);
        }
    }
}
