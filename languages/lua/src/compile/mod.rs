//! Texts to bytecode. In: a text. Out: [`Code`], which is Rust data; [`crate::load`]
//! takes it to the heap. Invariants: a variable that is not shared is a register of its function,
//! or was copied into the closure that uses it; registers above the variables are temporaries, used
//! as a stack; control goes backwards by `LOOP`, `FOR_..` alone.

mod expr;
mod stat;

use crate::ast::{Attribute, Expr, ExprKind, Function, Stat, VarId, Variable};
use crate::lexer::SyntaxError;
use crate::opcode::{self, pack};
use crate::parser::{add, parse};
use std::collections::HashMap;

/// How many registers a function can have.
const MAX_REGISTERS: usize = 250;
/// How many local variables a function can have at one place.
const MAX_LOCALS: usize = 200;

/// A compiled function.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Code {
    /// Its name in messages.
    pub name: String,
    /// Its line.
    pub line: u32,
    /// The line of its `end`.
    pub end_line: u32,
    /// The instructions.
    pub code: Vec<u64>,
    /// The line of each.
    pub lines: Vec<u32>,
    /// The names of the operands of each in messages; see [`crate::value::Proto::operands`].
    pub operands: Vec<u32>,
    /// These names.
    pub names: Vec<String>,
    /// The integer constants.
    pub ints: Vec<i64>,
    /// The float constants.
    pub floats: Vec<f64>,
    /// The string constants.
    pub strings: Vec<Vec<u8>>,
    /// The names of the globals.
    pub globals: Vec<String>,
    /// The fields of tables that constructors make.
    pub shapes: Vec<Vec<Vec<u8>>>,
    /// The functions in it.
    pub protos: Vec<Code>,
    /// From where a closure copies values: [`FROM_REGISTER`], [`FROM_CLOSURE`] or [`FROM_ITSELF`],
    /// and a number.
    pub value_sources: Vec<u32>,
    /// The names of these variables.
    pub value_names: Vec<String>,
    /// The names of the shared variables.
    pub shared_names: Vec<String>,
    /// From where a closure takes shared variables.
    pub shared_sources: Vec<u32>,
    /// How many parameters it has.
    pub params: usize,
    /// Whether it takes more arguments.
    pub vararg: bool,
    /// How many registers it has.
    pub slots: usize,
    /// From which pc up to which a register is to be closed.
    pub closers: Vec<[u32; 3]>,
    /// The local variables: for each its register, from which pc it is there, up to which.
    pub locals: Vec<[u32; 3]>,
    /// Their names.
    pub local_names: Vec<String>,
}

/// A capture from a register of the function around.
pub const FROM_REGISTER: u32 = 0;
/// A capture of what the function around has captured.
pub const FROM_CLOSURE: u32 = 1;
/// A capture of the function around.
pub const FROM_ITSELF: u32 = 2;

/// The line of an instruction that hooks do not see: what it does stands nowhere in the text.
const NO_LINE: u32 = 0;

type Compiled<T> = Result<T, SyntaxError>;

/// Compiles a text, whose globals are fields of an environment of its own if that is wanted.
///
/// # Errors
/// The first error.
pub fn text(text: &[u8], file: &str, environment: bool) -> Compiled<Code> {
    let chunk = parse(text, file, environment)?;
    if !has_room(text) {
        return Err(SyntaxError::no_memory());
    }
    let mut compiler = Compiler {
        variables: &chunk.variables,
        environment: chunk.environment,
        functions: Vec::new(),
    };
    compiler.function(&chunk.main, chunk.environment)
}

/// An estimate of the bytes that a byte of text becomes in names and code, small functions aside:
/// five copies for names, and up to an instruction with its line, twice while its list grows.
const ROOM_PER_BYTE: usize = 16;

/// Texts of so many bytes need no question: their estimate is a sixteenth of the reserve.
const SMALL_TEXT: usize = 64 << 10;

/// Whether there is memory for what a text is compiled to, its tree aside. What that is made of
/// cannot say later that there is none.
pub fn has_room(text: &[u8]) -> bool {
    let bytes = text.len().saturating_mul(ROOM_PER_BYTE);
    text.len() <= SMALL_TEXT || Vec::<u8>::new().try_reserve_exact(bytes).is_ok()
}

struct Compiler<'a> {
    variables: &'a [Variable],
    /// The variable `_ENV` of the chunk, if that is a variable.
    environment: Option<VarId>,
    /// The functions around the place, the innermost last.
    functions: Vec<State<'a>>,
}

/// A function that is being compiled.
#[derive(Default)]
struct State<'a> {
    code: Code,
    level: usize,
    itself: Option<VarId>,
    registers: HashMap<VarId, usize>,
    values: HashMap<VarId, usize>,
    shared: HashMap<VarId, usize>,
    constants: HashMap<Constant, usize>,
    /// The first register that is free.
    free: usize,
    blocks: Vec<Scope<'a>>,
}

#[derive(PartialEq, Eq, Hash)]
enum Constant {
    Int(i64),
    Float(u64),
    Text(Vec<u8>),
    Global(String),
    Name(String),
    Shape(Vec<Vec<u8>>),
}

/// A block that is being compiled.
#[derive(Default)]
struct Scope<'a> {
    statements: &'a [Stat],
    /// The first register of its variables.
    bottom: usize,
    /// Its variables.
    variables: Vec<VarId>,
    /// The numbers of its variables among all of the function, also of those without a name.
    locals: Vec<usize>,
    is_loop: bool,
    /// Whether a condition comes behind its statements, which sees its variables.
    has_condition: bool,
    /// The jumps to its end.
    breaks: Vec<usize>,
    /// The labels that have been passed: name, pc, how many variables there are, line.
    labels: Vec<(&'a str, usize, usize, u32)>,
    /// The jumps to labels that have not been passed: name, pc, how many variables of this block
    /// there are, line.
    gotos: Vec<(&'a str, usize, usize, u32)>,
    /// The registers to close at its end: how many variables there were before each, its number in
    /// `closers`.
    closes: Vec<(usize, usize)>,
}

fn error<T>(line: u32, message: impl Into<String>) -> Compiled<T> {
    Err(SyntaxError {
        line,
        message: message.into(),
    })
}

impl<'a> Compiler<'a> {
    fn state(&mut self) -> &mut State<'a> {
        self.functions
            .last_mut()
            .expect("a function is being compiled")
    }

    /// Compiles a function in the one that is being compiled. Returns its number there.
    fn inner_function(&mut self, function: &'a Function) -> Compiled<usize> {
        let code = self.function(function, None)?;
        let inner = &mut self.state().code.protos;
        // Small functions take much more than their texts.
        add(inner, code)?;
        Ok(inner.len() - 1)
    }

    fn function(&mut self, function: &'a Function, environment: Option<VarId>) -> Compiled<Code> {
        let itself = function.itself.filter(|&id| !self.variables[id].is_boxed());
        self.functions.push(State {
            code: Code {
                name: function.name.clone(),
                line: function.line,
                end_line: function.end_line,
                params: function.params.len(),
                vararg: function.vararg,
                ..Code::default()
            },
            level: function.level,
            itself,
            ..State::default()
        });
        self.capture(&function.captures);
        self.open(&function.body, false);
        let first = self.reserve(
            function.params.len() + usize::from(function.vararg),
            function.line,
        )?;
        for (n, &id) in function.params.iter().enumerate() {
            self.bind(id, first + n, function.line)?;
        }
        if let Some(id) = environment {
            let register = self.reserve(1, 0)?;
            self.emit(opcode::ENVIRONMENT, register, 0, 0, NO_LINE);
            self.bind(id, register, 0)?;
        }
        self.statements(&function.body)?;
        self.close(function.end_line)?;
        self.emit(opcode::RETURN_NOTHING, 0, 0, 0, function.end_line);
        let state = self.functions.pop().expect("it has been pushed");
        Ok(state.code)
    }

    /// Appends an instruction; its pc.
    fn emit(&mut self, op: u8, a: usize, b: usize, c: usize, line: u32) -> usize {
        let c = u32::try_from(c).expect("code and constants have fewer than 2^32 items");
        let code = &mut self.state().code;
        code.code.push(pack(op, a, b, c));
        code.lines.push(line);
        code.operands.push(0);
        code.code.len() - 1
    }

    /// The line of the last instruction: jumps behind a block are no line of their own for hooks.
    fn last_line(&mut self, default: u32) -> u32 {
        self.state().code.lines.last().copied().unwrap_or(default)
    }

    /// The last instruction stands in no line.
    fn no_line(&mut self) {
        if let Some(line) = self.state().code.lines.last_mut() {
            *line = NO_LINE;
        }
    }

    /// A test of one value stands where the `then` behind it does.
    fn line_of_test(&mut self, then: u32) {
        let code = &mut self.state().code;
        if let (Some(&word), Some(line)) = (code.code.last(), code.lines.last_mut())
            && matches!(opcode::op(word), opcode::IF | opcode::UNLESS)
        {
            *line = then;
        }
    }

    fn pc(&mut self) -> usize {
        self.state().code.code.len()
    }

    /// Lets a jump go to here.
    fn patch(&mut self, jump: usize) {
        let here = self.pc() as u64;
        let word = &mut self.state().code.code[jump];
        *word = *word & 0xffff_ffff | here << 32;
    }

    fn patch_all(&mut self, jumps: Vec<usize>) {
        for jump in jumps {
            self.patch(jump);
        }
    }

    /// Says what messages call the operands of an instruction.
    fn name_operands(&mut self, pc: usize, first: Option<String>, second: Option<String>) {
        let mut number = |name: Option<String>| match name {
            Some(name) => self.constant(Constant::Name(name)) + 1,
            None => 0,
        };
        let (first, second) = (number(first), number(second));
        if first < 1 << 16 && second < 1 << 16 {
            self.state().code.operands[pc] = (first | second << 16) as u32;
        }
    }

    /// The same for all parts of a concatenation: their names stand behind each other.
    fn name_parts(&mut self, pc: usize, parts: &[Expr]) {
        let names: Vec<Option<String>> = parts.iter().map(|part| self.describe(part)).collect();
        if names.iter().all(Option::is_none) {
            return;
        }
        let code = &mut self.state().code;
        let first = code.names.len() + 1;
        if first + names.len() < 1 << 16 {
            code.operands[pc] = first as u32;
            let names = names.into_iter().map(Option::unwrap_or_default);
            code.names.extend(names);
        }
    }

    /// The number of a constant.
    fn constant(&mut self, constant: Constant) -> usize {
        let state = self.state();
        if let Some(&number) = state.constants.get(&constant) {
            return number;
        }
        let code = &mut state.code;
        let number = match &constant {
            Constant::Int(value) => {
                code.ints.push(*value);
                code.ints.len()
            }
            Constant::Float(bits) => {
                code.floats.push(f64::from_bits(*bits));
                code.floats.len()
            }
            Constant::Text(text) => {
                code.strings.push(text.clone());
                code.strings.len()
            }
            Constant::Global(name) => {
                code.globals.push(name.clone());
                code.globals.len()
            }
            Constant::Name(name) => {
                code.names.push(name.clone());
                code.names.len()
            }
            Constant::Shape(keys) => {
                code.shapes.push(keys.clone());
                code.shapes.len()
            }
        } - 1;
        state.constants.insert(constant, number);
        number
    }

    fn text(&mut self, text: &[u8]) -> usize {
        self.constant(Constant::Text(text.to_vec()))
    }

    /// Takes this many registers on top of the temporaries; returns the first.
    fn reserve(&mut self, count: usize, line: u32) -> Compiled<usize> {
        let state = self.state();
        let first = state.free;
        state.free += count;
        if state.free > MAX_REGISTERS {
            return error(line, "function or expression needs too many registers");
        }
        state.code.slots = state.code.slots.max(state.free);
        Ok(first)
    }

    /// Begins a block.
    fn open(&mut self, statements: &'a [Stat], is_loop: bool) {
        let state = self.state();
        state.blocks.push(Scope {
            statements,
            bottom: state.free,
            is_loop,
            ..Scope::default()
        });
    }

    fn scope(&mut self) -> &mut Scope<'a> {
        self.state().blocks.last_mut().expect("a block is open")
    }

    /// Ends a block: closes what is to be closed, and gives its registers back.
    fn close(&mut self, line: u32) -> Compiled<()> {
        let depth = self.state().blocks.len() - 1;
        self.emit_closes(depth, 0, line);
        let scope = self.state().blocks.pop().expect("it has been opened");
        let here = self.pc();
        for &(_, number) in &scope.closes {
            self.state().code.closers[number][1] = here as u32;
        }
        for &number in &scope.locals {
            self.state().code.locals[number][2] = here as u32;
        }
        self.state().free = scope.bottom;
        for id in &scope.variables {
            self.state().registers.remove(id);
        }
        // What has found no label here may find one further out, where these variables are gone.
        for (name, pc, _, line) in scope.gotos {
            let Some(outer) = self.state().blocks.last_mut() else {
                return error(line, format!("no visible label '{name}' for goto"));
            };
            let count = outer.variables.len();
            outer.gotos.push((name, pc, count, line));
        }
        self.patch_all(scope.breaks);
        Ok(())
    }

    /// Closes what blocks from a depth on have to, of the block at this depth only what came behind
    /// so many variables.
    fn emit_closes(&mut self, depth: usize, variables: usize, line: u32) {
        let mut registers = Vec::new();
        let state = self.state();
        for (n, scope) in state.blocks.iter().enumerate().skip(depth).rev() {
            for &(before, number) in scope.closes.iter().rev() {
                if n > depth || before >= variables {
                    registers.push(state.code.closers[number][2] as usize);
                }
            }
        }
        for register in registers {
            self.emit(opcode::CLOSE, register, 0, 0, line);
        }
    }

    /// Whether leaving the function from here closes anything.
    fn closes_anything(&mut self) -> bool {
        self.state()
            .blocks
            .iter()
            .any(|scope| !scope.closes.is_empty())
    }

    /// From here on a register is to be closed when its block is left.
    fn close_later(&mut self, register: usize, name: &str, line: u32) {
        let pc = self.emit(opcode::CHECK_CLOSE, register, 0, 0, line);
        self.name_operands(pc, Some(name.to_string()), None);
        let code = &mut self.state().code;
        code.closers
            .push([pc as u32 + 1, u32::MAX, register as u32]);
        let number = code.closers.len() - 1;
        let scope = self.scope();
        let before = scope.variables.len();
        scope.closes.push((before, number));
    }

    /// Notes for `debug.getlocal` that a variable of this name is in a register from here on.
    fn note_local(&mut self, name: &str, register: usize) {
        let pc = self.pc() as u32;
        let code = &mut self.state().code;
        code.locals.push([register as u32, pc, u32::MAX]);
        code.local_names.push(name.to_string());
        let number = code.locals.len() - 1;
        self.scope().locals.push(number);
    }

    /// From here on a variable is in this register, which holds its first value.
    fn bind(&mut self, id: VarId, register: usize, line: u32) -> Compiled<()> {
        let variable = &self.variables[id];
        if variable.is_boxed() {
            self.emit(opcode::SHARE, register, register, 0, NO_LINE);
        }
        if variable.attribute == Attribute::Close {
            self.close_later(register, &variable.name, line);
        }
        self.note_local(&variable.name, register);
        self.state().registers.insert(id, register);
        self.scope().variables.push(id);
        let count: usize = self
            .state()
            .blocks
            .iter()
            .map(|scope| scope.variables.len())
            .sum();
        if count > MAX_LOCALS {
            return error(
                line,
                format!("too many local variables (limit is {MAX_LOCALS})"),
            );
        }
        Ok(())
    }

    /// Captures variables in the order in which programs number them. Of constants, most are not
    /// variables when it comes to code.
    fn capture(&mut self, variables: &[VarId]) {
        let function = self.functions.len() - 1;
        for &id in variables {
            let is_itself = self.functions[function].itself == Some(id);
            if !is_itself && self.variables[id].attribute != Attribute::Const {
                self.captured(function, id);
            }
        }
    }

    /// Where a variable that is not of this function is in its closure.
    fn captured(&mut self, function: usize, id: VarId) -> usize {
        let boxed = self.variables[id].is_boxed();
        let state = &self.functions[function];
        let known = if boxed { &state.shared } else { &state.values };
        if let Some(&index) = known.get(&id) {
            return index;
        }
        let around = &self.functions[function - 1];
        let source = if around.level == self.variables[id].level {
            FROM_REGISTER << 16 | around.registers[&id] as u32
        } else if !boxed && around.itself == Some(id) {
            FROM_ITSELF << 16
        } else {
            FROM_CLOSURE << 16 | self.captured(function - 1, id) as u32
        };
        let name = self.variables[id].name.clone();
        let state = &mut self.functions[function];
        let code = &mut state.code;
        let (sources, names, known) = match boxed {
            true => (
                &mut code.shared_sources,
                &mut code.shared_names,
                &mut state.shared,
            ),
            false => (
                &mut code.value_sources,
                &mut code.value_names,
                &mut state.values,
            ),
        };
        sources.push(source);
        names.push(name);
        known.insert(id, sources.len() - 1);
        sources.len() - 1
    }

    /// The name of an expression in messages.
    fn describe(&mut self, expr: &Expr) -> Option<String> {
        match &expr.kind {
            ExprKind::Var(id) => {
                let level = self.state().level;
                let variable = &self.variables[*id];
                let kind = if variable.level == level && self.environment != Some(*id) {
                    "local"
                } else {
                    "upvalue"
                };
                Some(format!("{kind} '{}'", variable.name))
            }
            ExprKind::Global(name) => Some(format!("global '{name}'")),
            ExprKind::Index(base, key) => {
                let key = match &key.kind {
                    ExprKind::Text(key) => key,
                    ExprKind::Int(0..=255) => return Some("field 'integer index'".to_string()),
                    _ => return Some("field '?'".to_string()),
                };
                let key = String::from_utf8_lossy(key);
                let global =
                    matches!(&base.kind, ExprKind::Var(id) if self.variables[*id].name == "_ENV");
                Some(format!(
                    "{} '{key}'",
                    if global { "global" } else { "field" }
                ))
            }
            ExprKind::Text(text) => Some(format!("constant '{}'", String::from_utf8_lossy(text))),
            ExprKind::Paren(inner) => self.describe(inner),
            _ => None,
        }
    }
}
