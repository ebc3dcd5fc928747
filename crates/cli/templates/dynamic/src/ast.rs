//! Trees of programs. Invariant: a variable is its number, so names no longer matter, and it is
//! known which variables closures share.

pub use crate::opcode::{Binary, Unary};

/// An expression. A number behind an operation is its line.
#[derive(Debug)]
pub enum Expr {
    Nil,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(String),
    Variable(usize),
    // IN book
    /// A global, by its number.
    Global(usize),
    // OUT
    Function(Box<Function>),
    Unary(Unary, Box<Expr>, u32),
    Binary(Binary, Box<Expr>, Box<Expr>, u32),
    And(Box<Expr>, Box<Expr>),
    Or(Box<Expr>, Box<Expr>),
    Call(Box<Expr>, Vec<Expr>, u32),
    // IN objects
    /// A field, by the number of its name.
    Field(Box<Expr>, usize, u32),
    /// A call of a method.
    Send(Box<Expr>, usize, Vec<Expr>, u32),
    // OUT
}

/// A statement.
#[derive(Debug)]
pub enum Stmt {
    /// Makes a variable.
    Let(usize, Expr),
    /// Makes a variable that is a function, which may name itself.
    Function(usize, Function),
    // IN objects
    /// Makes a variable that is a class.
    Class(usize, Class),
    // OUT
    // IN book
    /// Makes a global that is a function.
    GlobalFunction(usize, Function),
    /// Makes a global that is a class.
    GlobalClass(usize, Class),
    // OUT
    Assign(usize, Expr),
    // IN objects
    // IN book
    AssignGlobal(usize, Expr),
    // OUT
    SetField(Expr, usize, Expr, u32),
    // OUT
    Print(Expr, u32),
    While(Expr, Vec<Stmt>),
    If(Expr, Vec<Stmt>, Vec<Stmt>),
    Return(Expr),
    /// An expression whose value is not used.
    Do(Expr),
}

/// A function.
#[derive(Debug)]
pub struct Function {
    /// Its name in messages.
    pub name: String,
    /// Its parameters, which are variables.
    pub params: Vec<usize>,
    /// The variables of functions around it that it uses, or a function in it.
    pub captures: Vec<usize>,
    pub body: Vec<Stmt>,
}

// IN objects
/// A class: its methods, whose first parameter is the object.
#[derive(Debug)]
pub struct Class {
    pub name: String,
    pub methods: Vec<(usize, Function)>,
}

// OUT
/// A program.
#[derive(Debug)]
pub struct Tree {
    /// What is in no function.
    pub main: Function,
    /// For each variable whether closures share it with the function that it belongs to.
    pub shared: Vec<bool>,
    // IN objects
    // IN book
    /// How many globals there are: native functions, then functions and classes of the outermost
    /// level.
    pub globals: usize,
    // OUT
    /// The names of fields and methods.
    pub names: Vec<String>,
    // OUT
}
