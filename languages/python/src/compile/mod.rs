//! Texts to bytecode. In: a text. Out: [`CompiledCode`]. Invariants: a variable that no other
//! function uses is a register of its function; registers above the variables are temporaries, used
//! as a stack; control goes backwards by `LOOP` alone; what the compiler does not know is refused
//! with its place (`unsupported`).

mod annotation;
mod asynchronous;
mod call;
mod condition;
mod control;
mod define;
pub mod entry;
mod expr;
mod groups;
mod imports;
pub mod incomplete;
mod literal;
mod pattern;
pub mod scope;
mod stat;
mod target;
mod unsupported;

use crate::bytecode::code::{Capture, CompiledCode, Const, Handler};
use crate::bytecode::opcode::{self, pack};
use crate::bytecode::source::{Source, SyntaxError};
use ruff_python_ast::Stmt;
use ruff_text_size::TextRange;
use scope::{Access, Kind, Scopes};
use std::collections::HashMap;

/// The number of a register.
type Reg = usize;

/// A place in the code that is not known yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Label(usize);

type Result<T> = std::result::Result<T, SyntaxError>;

/// What a piece of code is inside of, where it is left early.
#[derive(Clone, Debug)]
enum BlockKind<'a> {
    /// A loop: where `break` and `continue` go.
    Loop { exit: Label, next: Label },
    /// What is tried, where nothing has to be done.
    Try,
    /// What has a `finally`.
    Finally(&'a [Stmt]),
    /// A handler: what was handled before is in this register, and the exception may have a name.
    Handler(Reg, Option<String>),
    /// The body of a `with`, whose `__exit__` and object are in this register and the next one;
    /// whether it is an `async with`.
    With(Reg, bool),
}

/// A block with the instructions in it for which it catches exceptions.
#[derive(Clone, Debug)]
struct Block<'a> {
    kind: BlockKind<'a>,
    ranges: Vec<(usize, usize)>,
    open: usize,
}

/// A function that is being compiled.
struct Function<'a> {
    code: CompiledCode,
    scope: usize,
    /// The registers of its variables.
    registers: HashMap<String, Reg>,
    /// Which of them have a value for certain.
    assigned: Vec<bool>,
    /// The first free register.
    top: Reg,
    labels: Vec<Option<usize>>,
    jumps: Vec<(usize, Label)>,
    blocks: Vec<Block<'a>>,
    place: TextRange,
    consts: HashMap<String, usize>,
}

struct Compiler<'a> {
    scopes: &'a Scopes,
    source: &'a Source<'a>,
    functions: Vec<Function<'a>>,
    class_names: Vec<Option<String>>,
    annotations_are_texts: bool,
    /// Whether the values of expressions of the module are shown.
    shows_values: bool,
}

impl<'a> Compiler<'a> {
    fn f(&mut self) -> &mut Function<'a> {
        self.functions
            .last_mut()
            .expect("a function is being compiled")
    }

    /// Begins the code of a scope. Variables come in the order of [`Compiler::declare`].
    fn begin(&mut self, scope: usize, name: &str, qualname: String, range: TextRange) {
        let line = self.source.line_of(range.start().to_usize());
        self.functions.push(Function {
            code: CompiledCode {
                name: name.to_string(),
                qualname,
                first_line: line as u32,
                free_names: self.scopes.all[scope].free.clone(),
                kind: self.scopes.all[scope].made_by_call(),
                ..CompiledCode::default()
            },
            scope,
            registers: HashMap::new(),
            assigned: Vec::new(),
            top: 0,
            labels: Vec::new(),
            jumps: Vec::new(),
            blocks: Vec::new(),
            place: range,
            consts: HashMap::new(),
        });
        for name in &self.scopes.all[scope].free {
            // Nested code hands on what the code around it has.
            let outer = self.functions.len().checked_sub(2);
            let outer = outer.map(|outer| &self.functions[outer]);
            let capture = outer.map(
                |outer| match self.scopes.all[outer.scope].access.get(name) {
                    Some(Access::Cell) => Capture::Register(outer.registers[name]),
                    _ => {
                        let free = &self.scopes.all[outer.scope].free;
                        Capture::Free(free.iter().position(|f| f == name).unwrap_or(0))
                    }
                },
            );
            self.f().code.captures.extend(capture);
        }
    }

    /// Gives a variable a register.
    fn declare(&mut self, name: &str, has_value: bool) -> Reg {
        let f = self.f();
        let register = f.code.locals.len();
        f.code.locals.push(name.to_string());
        f.registers.insert(name.to_string(), register);
        f.assigned.push(has_value);
        f.top = register + 1;
        f.code.registers = f.code.registers.max(f.top);
        register
    }

    /// Gives registers to the variables that have none yet, and makes those shared that are.
    fn declare_others(&mut self) {
        let scope = &self.scopes.all[self.f().scope];
        for (name, &access) in &scope.access {
            if matches!(access, Access::Local | Access::Cell)
                && !self.f().registers.contains_key(name)
            {
                self.declare(name, false);
            }
        }
        for (name, &access) in &scope.access {
            if access == Access::Cell {
                let register = self.f().registers[name];
                self.emit(opcode::NEW_CELL, register, register, 0);
            }
        }
    }

    /// Ends the code of a function.
    fn finish(&mut self) -> CompiledCode {
        let mut f = self.functions.pop().expect("a function is being compiled");
        for (pc, label) in f.jumps {
            let target = f.labels[label.0].expect("every label is placed");
            let word = f.code.code[pc] & !(u64::from(u32::MAX) << 40);
            f.code.code[pc] = word | (target as u64) << 40;
        }
        f.code
    }

    fn emit(&mut self, op: u8, a: usize, b: usize, c: usize) -> usize {
        let f = self.f();
        let place = (f.place.start().to_u32(), f.place.end().to_u32());
        f.code.places.push(place);
        f.code.code.push(pack(op, a, b, c));
        f.code.code.len() - 1
    }

    /// An instruction whose `c` is where it goes.
    fn jump(&mut self, op: u8, a: usize, b: usize, label: Label) {
        let pc = self.emit(op, a, b, 0);
        self.f().jumps.push((pc, label));
    }

    fn label(&mut self) -> Label {
        let f = self.f();
        f.labels.push(None);
        Label(f.labels.len() - 1)
    }

    /// The label is here.
    fn place(&mut self, label: Label) {
        let pc = self.pc();
        self.f().labels[label.0] = Some(pc);
    }

    fn pc(&mut self) -> usize {
        self.f().code.code.len()
    }

    /// What is emitted from here on comes from this place. The place before.
    fn at(&mut self, range: TextRange) -> TextRange {
        std::mem::replace(&mut self.f().place, range)
    }

    /// A new temporary.
    fn temp(&mut self) -> Result<Reg> {
        let f = self.f();
        let register = f.top;
        f.top += 1;
        f.code.registers = f.code.registers.max(f.top);
        if register >= opcode::MAX_REGISTER {
            let range = f.place;
            return Err(unsupported::at(
                "a function of more than 65535 values",
                range,
            ));
        }
        Ok(register)
    }

    /// Several temporaries in a row. The first.
    fn temps(&mut self, count: usize) -> Result<Reg> {
        let first = self.f().top;
        for _ in 0..count {
            self.temp()?;
        }
        Ok(first)
    }

    /// Temporaries from here on are free again.
    fn free(&mut self, top: Reg) {
        self.f().top = top;
    }

    fn constant(&mut self, value: Const) -> Result<usize> {
        let key = format!("{value:?}");
        let f = self.f();
        let next = f.code.consts.len();
        if next >= opcode::MAX_C {
            let range = f.place;
            return Err(unsupported::at(
                "a function of more than 16 million constants",
                range,
            ));
        }
        let index = *f.consts.entry(key).or_insert(next);
        if index == next {
            f.code.consts.push(value);
        }
        Ok(index)
    }

    fn load_const(&mut self, value: Const, to: Reg) -> Result<()> {
        let index = self.constant(value)?;
        self.emit(opcode::CONST, to, 0, index);
        Ok(())
    }

    fn none(&mut self, to: Reg) -> Result<()> {
        self.load_const(Const::None, to)
    }

    fn name(&mut self, name: &str) -> usize {
        index_of(&mut self.f().code.names, name)
    }

    fn global(&mut self, name: &str) -> usize {
        index_of(&mut self.f().code.globals, name)
    }

    fn mangled(&self, name: &str) -> String {
        let class = self.class_names.last().and_then(|class| class.as_deref());
        scope::mangled(class, name)
    }

    fn access(&mut self, name: &str) -> Access {
        let scope = &self.scopes.all[self.f().scope];
        scope.access.get(name).copied().unwrap_or(Access::Global)
    }

    fn kind(&mut self) -> Kind {
        self.scopes.all[self.f().scope].kind
    }

    fn free_index(&mut self, name: &str) -> usize {
        let free = &self.f().code.free_names;
        let found = free.iter().position(|free| free == name);
        found.expect("the scope knows its free variables")
    }

    fn return_none(&mut self) {
        let top = self.f().top;
        // A function that has a constant fits one more.
        if let Ok(register) = self.temp()
            && self.none(register).is_ok()
        {
            self.emit(opcode::RETURN, register, 0, 0);
        }
        self.free(top);
    }

    /// A block begins here.
    fn enter(&mut self, kind: BlockKind<'a>) {
        let open = self.pc();
        let ranges = Vec::new();
        self.f().blocks.push(Block { kind, ranges, open });
    }

    /// The innermost block ends here. Exceptions in it go on at `target`.
    fn leave(&mut self, catches: Option<(Label, Reg)>) {
        let pc = self.pc();
        let f = self.f();
        let mut block = f.blocks.pop().expect("a block has been entered");
        block.ranges.push((block.open, pc));
        if let Some((target, register)) = catches {
            let target = f.labels[target.0].unwrap_or(pc);
            for (start, end) in block.ranges {
                if start < end {
                    f.code.handlers.push(Handler {
                        start,
                        end,
                        target,
                        register,
                    });
                }
            }
        }
    }

    /// Emits what has to be done where control leaves all blocks from `depth` on.
    fn unwind(&mut self, depth: usize) -> Result<()> {
        let all = self.f().blocks.len();
        for index in (depth..all).rev() {
            let pc = self.pc();
            let block = &mut self.f().blocks[index];
            block.ranges.push((block.open, pc));
            let kind = block.kind.clone();
            let rest = self.f().blocks.split_off(index);
            let assigned = self.f().assigned.clone();
            match kind {
                BlockKind::Loop { .. } | BlockKind::Try => {}
                BlockKind::Finally(body) => self.stmts(body)?,
                BlockKind::Handler(saved, name) => self.end_handler(saved, name)?,
                BlockKind::With(exit, is_async) => {
                    self.exit_without_exception(exit, is_async)?;
                }
            }
            self.f().assigned = assigned;
            self.f().blocks.extend(rest);
        }
        let pc = self.pc();
        for block in &mut self.f().blocks[depth..] {
            block.open = pc;
        }
        Ok(())
    }

    /// What is handled from here on is what was before; the name has no value any more.
    fn end_handler(&mut self, saved: Reg, name: Option<String>) -> Result<()> {
        self.emit(opcode::POP_EXC, saved, 0, 0);
        if let Some(name) = name {
            let top = self.f().top;
            let register = self.temp()?;
            self.none(register)?;
            self.store_name(&name, register)?;
            self.delete_name(&name)?;
            self.free(top);
        }
        Ok(())
    }
}

fn index_of(names: &mut Vec<String>, name: &str) -> usize {
    names
        .iter()
        .position(|known| known == name)
        .unwrap_or_else(|| {
            names.push(name.to_string());
            names.len() - 1
        })
}
