//! The syntax tree. In: what the parser read. Out: what the compiler walks. Invariant: no tree is
//! higher than [`MAX_HEIGHT`], so that walking it and dropping it can recurse.

use crate::lexer::{Fault, Pos};

/// How high a tree may be.
pub const MAX_HEIGHT: u16 = 250;

/// An expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expr {
    /// Where its operator, or itself, begins.
    pub pos: Pos,
    /// Its kind.
    pub kind: ExprKind,
    height: u16,
}

/// A kind of expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ExprKind {
    /// An integer.
    Int(i64),
    /// A text.
    Text(String),
    /// Nil.
    Nil,
    /// The receiver.
    SelfValue,
    /// A variable, class or function.
    Name(String),
    /// An operator between two operands: its opcode.
    Binary(u8, Box<Expr>, Box<Expr>),
    /// An operator before its operand: its opcode.
    Unary(u8, Box<Expr>),
    /// The left operand if it is false, otherwise the right one.
    And(Box<Expr>, Box<Expr>),
    /// The left operand if it is true, otherwise the right one.
    Or(Box<Expr>, Box<Expr>),
    /// An attribute.
    Attribute(Box<Expr>, String),
    /// A method call.
    Send(Box<Expr>, String, Vec<Expr>),
    /// A call of a function.
    Call(Box<Expr>, Vec<Expr>),
    /// A new instance of a class; with arguments, `init` is called.
    New(Box<Expr>, Option<Vec<Expr>>),
}

impl Expr {
    /// An expression.
    ///
    /// # Errors
    /// If it is nested too deeply.
    pub fn new(pos: Pos, kind: ExprKind) -> Result<Expr, Fault> {
        let height = 1 + kind.children().map(|child| child.height).max().unwrap_or(0);
        match height <= MAX_HEIGHT {
            true => Ok(Expr { pos, kind, height }),
            false => Err(too_deep(pos)),
        }
    }
}

/// The fault of something that is nested too deeply.
pub fn too_deep(pos: Pos) -> Fault {
    let message = format!("this is nested more than {MAX_HEIGHT} levels deep: use a variable");
    Fault::new(pos, message)
}

impl ExprKind {
    fn children(&self) -> impl Iterator<Item = &Expr> {
        let (first, second, rest): (Option<&Expr>, Option<&Expr>, &[Expr]) = match self {
            ExprKind::Binary(_, a, b) | ExprKind::And(a, b) | ExprKind::Or(a, b) => {
                (Some(a), Some(b), &[])
            }
            ExprKind::Unary(_, a) | ExprKind::Attribute(a, _) => (Some(a), None, &[]),
            ExprKind::Send(a, _, args) | ExprKind::Call(a, args) => (Some(a), None, args),
            ExprKind::New(a, args) => (Some(a), None, args.as_deref().unwrap_or(&[])),
            _ => (None, None, &[]),
        };
        first.into_iter().chain(second).chain(rest)
    }
}

/// A statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stmt {
    /// Where it begins.
    pub pos: Pos,
    /// Its kind.
    pub kind: StmtKind,
}

/// A kind of statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StmtKind {
    /// `name = value;`
    Assign(String, Expr),
    /// `object.name = value;`
    SetAttribute(Expr, String, Expr),
    /// `def object.name(..) {..}`
    Method(Expr, Function),
    /// An expression whose value is dropped.
    Expr(Expr),
    /// A condition, what to do if it holds, and what otherwise.
    If(Expr, Vec<Stmt>, Vec<Stmt>),
    /// A condition, and what to do while it holds.
    While(Expr, Vec<Stmt>),
    /// Leaves the innermost loop.
    Break,
    /// Tests the condition of the innermost loop again.
    Continue,
    /// Leaves the function.
    Return(Option<Expr>),
    /// Prints values in a line.
    Print(Vec<Expr>),
    /// Defines what a class contains.
    Class(String, Vec<Member>),
    /// Defines a function.
    Function(Function),
}

/// A function or method.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Its parameters, with their places.
    pub params: Vec<(Pos, String)>,
    /// The statements of its body.
    pub body: Vec<Stmt>,
}

/// The content of a class.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Member {
    /// Where its definition begins.
    pub pos: Pos,
    /// Its kind.
    pub kind: MemberKind,
}

/// A kind of member.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MemberKind {
    /// `name = value;`
    Attribute(String, Expr),
    /// `def name(..) {..}`
    Method(Function),
}

/// A program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Program {
    /// The names of its arguments.
    pub args: Vec<(Pos, String)>,
    /// The statements of its body.
    pub body: Vec<Stmt>,
}
