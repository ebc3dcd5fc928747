//! The grammar. In: the text of a program. Out: statements, in which variables are numbers.
//! Invariant: a tree is at most [`MAX_DEPTH`] deep, so that functions that call themselves for its
//! parts do not run out of stack.
//!
//! ```text
//! statement  = NAME "=" expression | "print" expression | "while" expression block | "if" expression block [ "else" (block | if) ]
//! block      = "{" statement* "}"
//! expression = sum [ ("<" | "<=" | ">" | ">=" | "==" | "!=") sum ]
//! sum        = product (("+" | "-") product)*
//! product    = unary (("*" | "/" | "%") unary)*
//! unary      = "-" unary | INTEGER | NAME | "(" expression ")"
//! ```

use crate::lexer::{Token, tokens};
use crate::opcode::Binary;

/// How deep a tree may be.
const MAX_DEPTH: usize = 500;

const KEYWORDS: [&str; 4] = ["print", "while", "if", "else"];

/// An expression.
#[derive(Debug)]
pub enum Expr {
    /// An integer.
    Int(i64),
    /// A variable, by its number.
    Variable(usize),
    /// An operation, with its line.
    Binary(Binary, Box<Expr>, Box<Expr>, u32),
}

/// A statement.
#[derive(Debug)]
pub enum Stmt {
    /// Gives a variable a value.
    Assign(usize, Expr),
    /// Prints a value; the line.
    Print(Expr, u32),
    /// As long as the condition is not 0.
    While(Expr, Vec<Stmt>),
    /// The first if the condition is not 0, else the second.
    If(Expr, Vec<Stmt>, Vec<Stmt>),
}

/// A program.
pub struct Tree {
    /// What it does.
    pub body: Vec<Stmt>,
    /// How many variables it has.
    pub variables: usize,
}

/// Parses a program.
///
/// # Errors
/// With a message that begins with the line.
pub fn parse(text: &str) -> Result<Tree, String> {
    let mut parser = Parser {
        tokens: tokens(text)?,
        next: 0,
        depth: 0,
        variables: Vec::new(),
    };
    let body = parser.statements(Token::End)?;
    Ok(Tree {
        body,
        variables: parser.variables.len(),
    })
}

struct Parser<'a> {
    tokens: Vec<(Token<'a>, u32)>,
    next: usize,
    depth: usize,
    /// The names of the variables so far.
    variables: Vec<&'a str>,
}

impl<'a> Parser<'a> {
    fn peek(&self) -> Token<'a> {
        self.tokens[self.next].0
    }

    fn line(&self) -> u32 {
        self.tokens[self.next].1
    }

    fn advance(&mut self) -> Token<'a> {
        let token = self.peek();
        // The end stays.
        self.next = (self.next + 1).min(self.tokens.len() - 1);
        token
    }

    /// Skips a token if it is the next one.
    fn accept(&mut self, token: Token) -> bool {
        let is_it = self.peek() == token;
        if is_it {
            self.advance();
        }
        is_it
    }

    fn expect(&mut self, symbol: &'static str) -> Result<(), String> {
        match self.accept(Token::Symbol(symbol)) {
            true => Ok(()),
            false => Err(self.unexpected(&format!("`{symbol}`"))),
        }
    }

    fn unexpected(&self, expected: &str) -> String {
        let found = match self.peek() {
            Token::Int(value) => format!("`{value}`"),
            Token::Name(name) => format!("`{name}`"),
            Token::Symbol(symbol) => format!("`{symbol}`"),
            Token::End => "the end".to_string(),
        };
        format!("{}: expected {expected}, found {found}", self.line())
    }

    /// Counts a level of the tree.
    fn deeper(&mut self) -> Result<(), String> {
        self.depth += 1;
        match self.depth > MAX_DEPTH {
            true => Err(format!("{}: this is nested too deeply", self.line())),
            false => Ok(()),
        }
    }

    fn statements(&mut self, end: Token) -> Result<Vec<Stmt>, String> {
        let depth = self.depth;
        self.deeper()?;
        let mut body = Vec::new();
        while !self.accept(end) {
            body.push(self.statement()?);
        }
        self.depth = depth;
        Ok(body)
    }

    fn block(&mut self) -> Result<Vec<Stmt>, String> {
        self.expect("{")?;
        self.statements(Token::Symbol("}"))
    }

    fn statement(&mut self) -> Result<Stmt, String> {
        let line = self.line();
        let Token::Name(name) = self.peek() else {
            return Err(self.unexpected("a statement"));
        };
        self.advance();
        match name {
            "print" => Ok(Stmt::Print(self.expression()?, line)),
            "while" => Ok(Stmt::While(self.expression()?, self.block()?)),
            "if" => {
                let condition = self.expression()?;
                let then = self.block()?;
                let otherwise = match self.accept(Token::Name("else")) {
                    true if self.peek() == Token::Name("if") => {
                        let depth = self.depth;
                        self.deeper()?;
                        let inner = self.statement()?;
                        self.depth = depth;
                        vec![inner]
                    }
                    true => self.block()?,
                    false => Vec::new(),
                };
                Ok(Stmt::If(condition, then, otherwise))
            }
            "else" => Err(format!("{line}: there is no `if` for this `else`")),
            _ => {
                self.expect("=")?;
                let value = self.expression()?;
                let known = self.variables.iter().position(|v| *v == name);
                let variable = known.unwrap_or_else(|| {
                    self.variables.push(name);
                    self.variables.len() - 1
                });
                Ok(Stmt::Assign(variable, value))
            }
        }
    }

    fn expression(&mut self) -> Result<Expr, String> {
        let depth = self.depth;
        let left = self.chain(0)?;
        let (line, found) = (self.line(), self.peek());
        let comparison = match found {
            Token::Symbol("<") => Some((Binary::Less, false)),
            Token::Symbol("<=") => Some((Binary::LessEqual, false)),
            Token::Symbol(">") => Some((Binary::Less, true)),
            Token::Symbol(">=") => Some((Binary::LessEqual, true)),
            Token::Symbol("==") => Some((Binary::Equal, false)),
            Token::Symbol("!=") => Some((Binary::NotEqual, false)),
            _ => None,
        };
        let Some((op, swapped)) = comparison else {
            self.depth = depth;
            return Ok(left);
        };
        self.advance();
        let right = self.chain(0)?;
        self.depth = depth;
        let (left, right) = match swapped {
            true => (right, left),
            false => (left, right),
        };
        Ok(Expr::Binary(op, left.into(), right.into(), line))
    }

    /// Operators of a level: sums are of level 0, products of level 1.
    fn chain(&mut self, level: usize) -> Result<Expr, String> {
        let operand = |parser: &mut Self| match level {
            0 => parser.chain(1),
            _ => parser.unary(),
        };
        let mut left = operand(self)?;
        loop {
            let line = self.line();
            let op = match (level, self.peek()) {
                (0, Token::Symbol("+")) => Binary::Add,
                (0, Token::Symbol("-")) => Binary::Sub,
                (1, Token::Symbol("*")) => Binary::Mul,
                (1, Token::Symbol("/")) => Binary::Div,
                (1, Token::Symbol("%")) => Binary::Rem,
                _ => return Ok(left),
            };
            self.advance();
            // Each operator puts what is before it one level deeper.
            self.deeper()?;
            let right = operand(self)?;
            left = Expr::Binary(op, left.into(), right.into(), line);
        }
    }

    fn unary(&mut self) -> Result<Expr, String> {
        let line = self.line();
        match self.peek() {
            Token::Symbol("-") => {
                self.advance();
                self.deeper()?;
                let (zero, operand) = (Expr::Int(0), self.unary()?);
                Ok(Expr::Binary(Binary::Sub, zero.into(), operand.into(), line))
            }
            Token::Symbol("(") => {
                self.advance();
                self.deeper()?;
                let inner = self.expression()?;
                self.expect(")")?;
                Ok(inner)
            }
            Token::Int(value) => {
                self.advance();
                Ok(Expr::Int(value))
            }
            Token::Name(name) if !KEYWORDS.contains(&name) => {
                self.advance();
                let variable = self.variables.iter().position(|v| *v == name);
                let variable = variable.ok_or_else(|| format!("{line}: `{name}` has no value"))?;
                Ok(Expr::Variable(variable))
            }
            _ => Err(self.unexpected("an expression")),
        }
    }
}
