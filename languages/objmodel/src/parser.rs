//! Tokens to a tree. In: the text of a program. Out: its [`Program`], or the first fault with its
//! place. Invariant: whatever the text, the parser ends without overflowing the stack.
//!
//! The grammar, statements and expressions each by their first token; operators bind as
//! `binary_operator` says:
//!
//! ```text
//! program   = ["args" name {"," name} ";"] {statement}
//! statement = "class" name "{" {name "=" expr ";" | def} "}"
//!           | def | "def" target "." name "(" names ")" block
//!           | "if" expr block ["else" (block | if)] | "while" expr block | "break" ";" | "continue" ";"
//!           | "return" [expr] ";" | "print" expr {"," expr} ";" | [(name | postfix "." name) "="] expr ";"
//! def       = "def" name "(" names ")" block
//! expr      = operand {operator operand}, operand = "not" operand | "-" operand | postfix
//! postfix   = primary {"." name ["(" exprs ")"] | "(" exprs ")"}
//! primary   = integer | text | name | "nil" | "self" | "(" expr ")" | "new" target ["(" exprs ")"]
//! target    = (name | "self") {"." name}
//! ```

use crate::ast::{
    Expr, ExprKind, Function, MAX_HEIGHT, Member, MemberKind, Program, Stmt, StmtKind, too_deep,
};
use crate::lexer::{Fault, Pos, Token, tokens};
use crate::opcode;

/// How tightly `not` binds its operand: less than a comparison does.
const NOT_LEVEL: u8 = 3;
/// The level of comparisons, which do not chain.
const COMPARISON: u8 = 4;
/// How tightly a minus sign binds its operand.
const MINUS_LEVEL: u8 = 7;

/// Parses a program.
///
/// # Errors
/// The first fault.
pub fn parse(source: &str) -> Result<Program, Fault> {
    let mut parser = Parser {
        tokens: tokens(source)?,
        next: 0,
        depth: 0,
    };
    parser.program()
}

/// The level of a binary operator: higher binds tighter. All associate to the left.
fn binary_operator(mark: &str) -> Option<u8> {
    Some(match mark {
        "or" => 1,
        "and" => 2,
        "==" | "!=" | "<" | "<=" | ">" | ">=" => COMPARISON,
        "+" | "-" => 5,
        "*" | "/" | "%" => 6,
        _ => return None,
    })
}

fn binary(mark: &str, left: Expr, right: Expr) -> ExprKind {
    let (left, right) = (Box::new(left), Box::new(right));
    let op = match mark {
        "or" => return ExprKind::Or(left, right),
        "and" => return ExprKind::And(left, right),
        "==" => opcode::EQ,
        "!=" => opcode::NE,
        "<" => opcode::LT,
        "<=" => opcode::LE,
        ">" => opcode::GT,
        ">=" => opcode::GE,
        "+" => opcode::ADD,
        "-" => opcode::SUB,
        "*" => opcode::MUL,
        "/" => opcode::DIV,
        _ => opcode::MOD,
    };
    ExprKind::Binary(op, left, right)
}

struct Parser {
    tokens: Vec<(Pos, Token)>,
    next: usize,
    /// How deep the recursion is.
    depth: u16,
}

impl Parser {
    fn pos(&self) -> Pos {
        self.tokens[self.next].0
    }

    fn peek(&self) -> &Token {
        &self.tokens[self.next].1
    }

    fn at(&self, mark: &str) -> bool {
        matches!(self.peek(), Token::Mark(m) if *m == mark)
    }

    fn advance(&mut self) {
        if self.next + 1 < self.tokens.len() {
            self.next += 1;
        }
    }

    /// Takes a mark if it is there.
    fn take(&mut self, mark: &str) -> bool {
        let there = self.at(mark);
        if there {
            self.advance();
        }
        there
    }

    fn unexpected<T>(&self, wanted: &str) -> Result<T, Fault> {
        let message = format!("expected {wanted}, found {}", self.peek());
        Err(Fault::new(self.pos(), message))
    }

    fn expect(&mut self, mark: &str) -> Result<(), Fault> {
        match self.take(mark) {
            true => Ok(()),
            false => self.unexpected(&format!("`{mark}`")),
        }
    }

    fn name(&mut self, what: &str) -> Result<String, Fault> {
        match self.peek() {
            Token::Name(name) => {
                let name = name.clone();
                self.advance();
                Ok(name)
            }
            _ => self.unexpected(what),
        }
    }

    /// Runs a rule one level deeper.
    fn deeper<T>(&mut self, rule: impl FnOnce(&mut Self) -> Result<T, Fault>) -> Result<T, Fault> {
        if self.depth >= MAX_HEIGHT {
            return Err(too_deep(self.pos()));
        }
        self.depth += 1;
        let result = rule(self);
        self.depth -= 1;
        result
    }

    /// Items separated by commas, up to a closing mark, which is taken.
    fn list<T>(
        &mut self,
        close: &str,
        mut item: impl FnMut(&mut Self) -> Result<T, Fault>,
    ) -> Result<Vec<T>, Fault> {
        let mut items = Vec::new();
        if self.take(close) {
            return Ok(items);
        }
        loop {
            items.push(item(self)?);
            if self.take(close) {
                return Ok(items);
            }
            if !self.take(",") {
                return self.unexpected(&format!("`,` or `{close}`"));
            }
        }
    }

    fn program(&mut self) -> Result<Program, Fault> {
        let mut program = Program::default();
        if self.take("args") {
            program.args = self.list(";", Self::parameter)?;
        }
        while *self.peek() != Token::End {
            program.body.push(self.statement()?);
        }
        Ok(program)
    }

    fn parameter(&mut self) -> Result<(Pos, String), Fault> {
        Ok((self.pos(), self.name("the name of a parameter")?))
    }

    fn block(&mut self) -> Result<Vec<Stmt>, Fault> {
        self.expect("{")?;
        let mut body = Vec::new();
        while !self.take("}") {
            if *self.peek() == Token::End {
                return self.unexpected("`}`");
            }
            body.push(self.deeper(Self::statement)?);
        }
        Ok(body)
    }

    fn statement(&mut self) -> Result<Stmt, Fault> {
        let pos = self.pos();
        let kind = match self.peek() {
            Token::Mark("class") => self.class()?,
            Token::Mark("def") => self.definition()?,
            Token::Mark("if") => self.conditional()?,
            Token::Mark("while") => {
                self.advance();
                StmtKind::While(self.expr()?, self.block()?)
            }
            Token::Mark(_) | Token::Name(_) | Token::Int(_) | Token::Text(_) | Token::End => {
                let kind = self.simple()?;
                self.expect(";")?;
                kind
            }
        };
        Ok(Stmt { pos, kind })
    }

    /// A statement that ends in a semicolon.
    fn simple(&mut self) -> Result<StmtKind, Fault> {
        if self.take("break") {
            return Ok(StmtKind::Break);
        }
        if self.take("continue") {
            return Ok(StmtKind::Continue);
        }
        if self.take("return") {
            let value = match self.at(";") {
                true => None,
                false => Some(self.expr()?),
            };
            return Ok(StmtKind::Return(value));
        }
        if self.take("print") {
            let mut items = vec![self.expr()?];
            while self.take(",") {
                items.push(self.expr()?);
            }
            return Ok(StmtKind::Print(items));
        }
        if self.at("args") {
            return Err(Fault::new(self.pos(), "`args` stands first in a program"));
        }
        self.assignment()
    }

    /// An expression, or an assignment to one.
    fn assignment(&mut self) -> Result<StmtKind, Fault> {
        let target = self.expr()?;
        let pos = self.pos();
        if !self.take("=") {
            return Ok(StmtKind::Expr(target));
        }
        let value = self.expr()?;
        match target.kind {
            ExprKind::Name(name) => Ok(StmtKind::Assign(name, value)),
            ExprKind::Attribute(object, name) => Ok(StmtKind::SetAttribute(*object, name, value)),
            _ => {
                let message = "only a variable or an attribute can be assigned";
                Err(Fault::new(pos, message))
            }
        }
    }

    fn conditional(&mut self) -> Result<StmtKind, Fault> {
        self.expect("if")?;
        let condition = self.expr()?;
        let then = self.block()?;
        let otherwise = match self.take("else") {
            false => Vec::new(),
            true if self.at("if") => vec![self.deeper(Self::statement)?],
            true => self.block()?,
        };
        Ok(StmtKind::If(condition, then, otherwise))
    }

    fn class(&mut self) -> Result<StmtKind, Fault> {
        self.expect("class")?;
        let name = self.name("the name of a class")?;
        self.expect("{")?;
        let mut members = Vec::new();
        while !self.take("}") {
            members.push(self.member()?);
        }
        Ok(StmtKind::Class(name, members))
    }

    fn member(&mut self) -> Result<Member, Fault> {
        let pos = self.pos();
        if self.take("def") {
            let name = self.name("the name of a method")?;
            let kind = MemberKind::Method(self.function(name)?);
            return Ok(Member { pos, kind });
        }
        let name = self.name("`def`, an attribute or `}`")?;
        self.expect("=")?;
        let value = self.expr()?;
        self.expect(";")?;
        let kind = MemberKind::Attribute(name, value);
        Ok(Member { pos, kind })
    }

    /// A function, or a method that is written into a class when the statement is executed.
    fn definition(&mut self) -> Result<StmtKind, Fault> {
        self.expect("def")?;
        let pos = self.pos();
        let target = self.target()?;
        if let Some((object, name)) = split_attribute(&target) {
            return Ok(StmtKind::Method(object, self.function(name)?));
        }
        match target.kind {
            ExprKind::Name(name) => Ok(StmtKind::Function(self.function(name)?)),
            _ => Err(Fault::new(pos, "expected the name of a function")),
        }
    }

    /// Parameters and body.
    fn function(&mut self, name: String) -> Result<Function, Fault> {
        self.expect("(")?;
        let params = self.list(")", Self::parameter)?;
        let body = self.block()?;
        Ok(Function { name, params, body })
    }

    /// A name and attributes of it, without calls.
    fn target(&mut self) -> Result<Expr, Fault> {
        let pos = self.pos();
        let first = match self.take("self") {
            true => ExprKind::SelfValue,
            false => ExprKind::Name(self.name("a name")?),
        };
        let mut target = Expr::new(pos, first)?;
        loop {
            let pos = self.pos();
            if !self.take(".") {
                return Ok(target);
            }
            let name = self.name("the name of an attribute")?;
            target = Expr::new(pos, ExprKind::Attribute(Box::new(target), name))?;
        }
    }

    fn expr(&mut self) -> Result<Expr, Fault> {
        self.operators(1)
    }

    /// Operands with operators of at least a level between them.
    fn operators(&mut self, level: u8) -> Result<Expr, Fault> {
        let mut left = self.deeper(Self::operand)?;
        let mut compared = false;
        loop {
            let pos = self.pos();
            let Token::Mark(mark) = *self.peek() else {
                return Ok(left);
            };
            let Some(found) = binary_operator(mark).filter(|&found| found >= level) else {
                return Ok(left);
            };
            if found == COMPARISON && compared {
                let message = "comparisons do not chain: use `and` between them";
                return Err(Fault::new(pos, message));
            }
            compared = found == COMPARISON;
            self.advance();
            let right = self.operators(found + 1)?;
            left = Expr::new(pos, binary(mark, left, right))?;
        }
    }

    fn operand(&mut self) -> Result<Expr, Fault> {
        let pos = self.pos();
        if self.take("not") {
            let operand = self.operators(NOT_LEVEL + 1)?;
            return Expr::new(pos, ExprKind::Unary(opcode::NOT, Box::new(operand)));
        }
        if !self.take("-") {
            return self.postfix();
        }
        if let Token::Int(value) = *self.peek() {
            self.advance();
            return Expr::new(pos, ExprKind::Int(0i64.wrapping_sub_unsigned(value)));
        }
        let operand = self.operators(MINUS_LEVEL)?;
        Expr::new(pos, ExprKind::Unary(opcode::NEG, Box::new(operand)))
    }

    fn postfix(&mut self) -> Result<Expr, Fault> {
        let mut expr = self.primary()?;
        loop {
            let pos = self.pos();
            let object = if self.take(".") {
                let name = self.name("the name of an attribute")?;
                match self.take("(") {
                    true => ExprKind::Send(Box::new(expr), name, self.list(")", Self::expr)?),
                    false => ExprKind::Attribute(Box::new(expr), name),
                }
            } else if self.take("(") {
                ExprKind::Call(Box::new(expr), self.list(")", Self::expr)?)
            } else {
                return Ok(expr);
            };
            expr = Expr::new(pos, object)?;
        }
    }

    fn primary(&mut self) -> Result<Expr, Fault> {
        let pos = self.pos();
        let kind = match self.peek().clone() {
            Token::Int(value) => match i64::try_from(value) {
                Ok(value) => ExprKind::Int(value),
                Err(_) => return Err(Fault::new(pos, format!("{value} does not fit in 64 bits"))),
            },
            Token::Text(text) => ExprKind::Text(text),
            Token::Name(name) => ExprKind::Name(name),
            Token::Mark("nil") => ExprKind::Nil,
            Token::Mark("self") => ExprKind::SelfValue,
            Token::Mark("(") => return self.parenthesis(),
            Token::Mark("new") => return self.instance(),
            Token::Mark(_) | Token::End => return self.unexpected("an expression"),
        };
        self.advance();
        Expr::new(pos, kind)
    }

    fn parenthesis(&mut self) -> Result<Expr, Fault> {
        self.expect("(")?;
        let inner = self.expr()?;
        self.expect(")")?;
        Ok(inner)
    }

    fn instance(&mut self) -> Result<Expr, Fault> {
        let pos = self.pos();
        self.expect("new")?;
        let class = Box::new(self.target()?);
        let args = match self.take("(") {
            true => Some(self.list(")", Self::expr)?),
            false => None,
        };
        Expr::new(pos, ExprKind::New(class, args))
    }
}

/// The object and the name of an attribute.
fn split_attribute(target: &Expr) -> Option<(Expr, String)> {
    match &target.kind {
        ExprKind::Attribute(object, name) => Some(((**object).clone(), name.clone())),
        _ => None,
    }
}
