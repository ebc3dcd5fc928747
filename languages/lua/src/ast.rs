//! The syntax tree. In: the numbers of instructions. Out: the types. Invariant: names are resolved:
//! a variable is its number in [`Chunk::variables`], and each of these says whether closures use it
//! and whether anything assigns it after its declaration.

use crate::opcode;

/// The number of a local variable in its chunk.
pub type VarId = usize;

/// A local variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// How many functions are around the one that declares it.
    pub level: usize,
    /// A function within that one uses it.
    pub captured: bool,
    /// It is assigned outside of its declaration.
    pub assigned: bool,
    /// Its attribute.
    pub attribute: Attribute,
}

impl Variable {
    /// Whether it needs a cell of its own in memory: closures share what changes.
    pub fn is_boxed(&self) -> bool {
        self.captured && self.assigned
    }
}

/// The attribute of a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Attribute {
    /// None.
    None,
    /// `<const>`
    Const,
    /// `<close>`
    Close,
}

/// A chunk: a function that takes any arguments.
#[derive(Clone, PartialEq, Debug)]
pub struct Chunk {
    /// All local variables of all its functions.
    pub variables: Vec<Variable>,
    /// Its body.
    pub main: Function,
    /// The variable that holds the table of globals, if the text mentions `_ENV`.
    pub environment: Option<VarId>,
}

/// A function.
#[derive(Clone, PartialEq, Debug)]
pub struct Function {
    /// Its name in messages.
    pub name: String,
    /// Its line.
    pub line: u32,
    /// The line of its `end`.
    pub end_line: u32,
    /// Its parameters.
    pub params: Vec<VarId>,
    /// Whether it takes more arguments.
    pub vararg: bool,
    /// How many functions are around it.
    pub level: usize,
    /// The variables of functions around it, in the order in which they are mentioned.
    pub captures: Vec<VarId>,
    /// The variable of the `local function` that this is the body of, if nothing else is ever
    /// assigned to it.
    pub itself: Option<VarId>,
    /// Its body.
    pub body: Block,
}

/// Statements in a scope.
pub type Block = Vec<Stat>;

/// A statement.
#[derive(Clone, PartialEq, Debug)]
pub struct Stat {
    /// Its line.
    pub line: u32,
    /// The line of what it does last.
    pub end: u32,
    /// Its kind.
    pub kind: StatKind,
}

/// The kind of a statement.
#[derive(Clone, PartialEq, Debug)]
pub enum StatKind {
    /// A call.
    Call(Expr),
    /// `local a, b = ...`
    Local(Vec<VarId>, Vec<Expr>),
    /// `local function f`
    LocalFunction(VarId, Box<Function>),
    /// `a, b.c = ...`
    Assign(Vec<Expr>, Vec<Expr>),
    /// `do ... end`
    Do(Block),
    /// `while ... do ... end`
    While(Expr, Block),
    /// `repeat ... until ...`
    Repeat(Block, Expr),
    /// Conditions, the lines of their `then`, their blocks, and what is done if none holds.
    If(Vec<(Expr, u32, Block)>, Option<Block>),
    /// `for v = from, to, step do ... end`, with the line of the `do`
    For(VarId, Expr, Expr, Option<Expr>, Block, u32),
    /// `for a, b in ... do ... end`
    ForIn(Vec<VarId>, Vec<Expr>, Block),
    /// `return ...`
    Return(Vec<Expr>),
    /// `break`
    Break,
    /// `goto name`
    Goto(String),
    /// `::name::`
    Label(String),
}

/// An expression.
#[derive(Clone, PartialEq, Debug)]
pub struct Expr {
    /// The line of its operator, or of its start.
    pub line: u32,
    /// Its kind.
    pub kind: ExprKind,
}

/// The kind of an expression.
#[derive(Clone, PartialEq, Debug)]
pub enum ExprKind {
    /// `nil`
    Nil,
    /// `true`
    True,
    /// `false`
    False,
    /// An integer.
    Int(i64),
    /// A float.
    Float(f64),
    /// A string.
    Text(Vec<u8>),
    /// `...`
    Varargs,
    /// `function ... end`
    Function(Box<Function>),
    /// A local variable of this function or one around it.
    Var(VarId),
    /// A global variable.
    Global(String),
    /// `a[b]`
    Index(Box<Expr>, Box<Expr>),
    /// `f(...)`
    Call(Box<Expr>, Vec<Expr>),
    /// `a:name(...)`, with the line of the name
    Method(Box<Expr>, String, Vec<Expr>, u32),
    /// An operator with two operands, but `and`, `or` and `..`.
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// An operator with one operand.
    Unary(Unary, Box<Expr>),
    /// `a and b`
    And(Box<Expr>, Box<Expr>),
    /// `a or b`
    Or(Box<Expr>, Box<Expr>),
    /// `a .. b .. c`
    Concat(Vec<Expr>),
    /// `{...}`, with the line of its end
    Table(Vec<Field>, u32),
    /// `(e)`: one value, whatever `e` gives.
    Paren(Box<Expr>),
}

/// A part of a table constructor.
#[derive(Clone, PartialEq, Debug)]
pub enum Field {
    /// `value`
    Item(Expr),
    /// `[key] = value`, `name = value`, with the line of its end
    Pair(Expr, Expr, u32),
}

/// An operator with two operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "their names are the manual's")]
pub enum Binary {
    Add,
    Sub,
    Mul,
    Div,
    Mod,
    Pow,
    IDiv,
    BAnd,
    BOr,
    BXor,
    Shl,
    Shr,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

impl Binary {
    /// The instruction for two registers; None for comparisons, which are jumps.
    pub fn instruction(self) -> Option<u8> {
        Some(match self {
            Binary::Add => opcode::ADD,
            Binary::Sub => opcode::SUB,
            Binary::Mul => opcode::MUL,
            Binary::Div => opcode::DIV,
            Binary::Mod => opcode::MOD,
            Binary::Pow => opcode::POW,
            Binary::IDiv => opcode::IDIV,
            Binary::BAnd => opcode::BAND,
            Binary::BOr => opcode::BOR,
            Binary::BXor => opcode::BXOR,
            Binary::Shl => opcode::SHL,
            Binary::Shr => opcode::SHR,
            _ => return None,
        })
    }
}

/// An operator with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "their names are the manual's")]
pub enum Unary {
    Neg,
    Not,
    Len,
    BNot,
}

impl ExprKind {
    /// Whether it can give several values.
    pub fn is_open(&self) -> bool {
        matches!(
            self,
            ExprKind::Call(..) | ExprKind::Method(..) | ExprKind::Varargs
        )
    }
}
