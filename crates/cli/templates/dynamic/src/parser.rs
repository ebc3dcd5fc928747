//! The grammar, and what names mean. In: the text of a program. Out: its tree. Invariant: a tree is
//! at most [`MAX_DEPTH`] deep, so that functions that call themselves for its parts do not run out
//! of stack.
//!
//! ```text
//! statement  = "let" NAME "=" expression | NAME "=" expression | "print" expression | "return" [ expression ] | expression
//!            | "while" expression block | "if" expression block [ "else" (block | if) ] | "fn" NAME function
// IN objects
//!            | unary "." NAME "=" expression | "class" NAME "{" ("fn" NAME function)* "}"
// OUT
//! function   = "(" [ NAME ("," NAME)* ] ")" block
//! block      = "{" statement* "}"
//! expression = both ("or" both)*
//! both       = comparison ("and" comparison)*
//! comparison = sum [ ("<" | "<=" | ">" | ">=" | "==" | "!=") sum ]
//! sum        = product (("+" | "-") product)*
//! product    = unary (("*" | "/" | "%") unary)*
// IN objects
// ELSE //! unary      = ("-" | "not") unary | simple ( "(" arguments ")" )*
//! unary      = ("-" | "not") unary | simple ( "(" arguments ")" | "." NAME )*
// OUT
//! simple = INTEGER | FLOAT | TEXT | NAME | "nil" | "true" | "false" | "fn" function | "("
//! expression ")"
//! ```
//!
//! The `(` of a call is in the line where what is called ends, and what `return` gives begins in
//! its line.

// IN objects
// ELSE use crate::ast::{Binary, Expr, Function, Stmt, Tree, Unary};
use crate::ast::{Binary, Class, Expr, Function, Stmt, Tree, Unary};
// OUT
use crate::lexer::{Token, tokens};

/// How deep a tree may be.
const MAX_DEPTH: usize = 200;

// IN objects
// ELSE const KEYWORDS: [&str; 13] = [
// ELSE     "let", "print", "return", "while", "if", "else", "fn", "and", "or", "not", "nil", "true",
// ELSE     "false",
// ELSE ];
/// The number of the name of the method that a new object is given to.
pub const INIT: usize = 0;

const KEYWORDS: [&str; 14] = [
    "class", "let", "print", "return", "while", "if", "else", "fn", "and", "or", "not", "nil",
    "true", "false",
];
// OUT

/// Parses a program.
///
// IN book
/// The first globals are native functions of these names.
///
// OUT
/// # Errors
/// With a message that begins with the line.
// IN book
// ELSE pub fn parse(text: &str) -> Result<Tree, String> {
pub fn parse(text: &str, natives: &[&'static str]) -> Result<Tree, String> {
    // OUT
    let mut parser = Parser {
        tokens: tokens(text)?,
        next: 0,
        depth: 0,
        shared: Vec::new(),
        // IN objects
        // IN book
        globals: natives.to_vec(),
        // OUT
        names: vec!["init".to_string()],
        // OUT
        functions: Vec::new(),
    };
    let main = parser.function("main", &[], Token::End)?;
    Ok(Tree {
        main,
        shared: parser.shared,
        // IN objects
        // IN book
        globals: parser.globals.len(),
        // OUT
        names: parser.names,
        // OUT
    })
}

struct Parser<'a> {
    tokens: Vec<(Token<'a>, u32)>,
    next: usize,
    depth: usize,
    /// For each variable so far whether closures share it.
    shared: Vec<bool>,
    // IN objects
    // IN book
    /// The globals so far.
    globals: Vec<&'a str>,
    // OUT
    /// The names of fields and methods so far.
    names: Vec<String>,
    // OUT
    /// The functions that we are in, the innermost last.
    functions: Vec<Names<'a>>,
}

/// The names of a function.
#[derive(Default)]
struct Names<'a> {
    /// Those in sight with their variables, the innermost last.
    visible: Vec<(&'a str, usize)>,
    /// The variables of functions around it that it uses.
    captures: Vec<usize>,
}

impl<'a> Parser<'a> {
    fn peek(&self) -> Token<'a> {
        self.tokens[self.next].0
    }

    fn line(&self) -> u32 {
        self.tokens[self.next].1
    }

    /// Whether the next token is in the line of the one before it.
    fn goes_on(&self) -> bool {
        self.line() == self.tokens[self.next - 1].1
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
            Token::Float(value) => format!("`{value:?}`"),
            Token::Text(text) => format!("\"{text}\""),
            Token::Name(name) => format!("`{name}`"),
            Token::Symbol(symbol) => format!("`{symbol}`"),
            Token::End => "the end".to_string(),
        };
        format!("{}: expected {expected}, found {found}", self.line())
    }

    fn name(&mut self) -> Result<&'a str, String> {
        match self.peek() {
            Token::Name(name) if !KEYWORDS.contains(&name) => {
                self.advance();
                Ok(name)
            }
            _ => Err(self.unexpected("a name")),
        }
    }

    /// Counts a level of the tree.
    fn deeper(&mut self) -> Result<(), String> {
        self.depth += 1;
        match self.depth > MAX_DEPTH {
            true => Err(format!("{}: this is nested too deeply", self.line())),
            false => Ok(()),
        }
    }

    // IN objects
    /// The number of the name of a field or method.
    fn member(&mut self) -> Result<usize, String> {
        let name = self.name()?;
        let known = self.names.iter().position(|n| n == name);
        Ok(known.unwrap_or_else(|| {
            self.names.push(name.to_string());
            self.names.len() - 1
        }))
    }

    // OUT
    fn names(&mut self) -> &mut Names<'a> {
        self.functions.last_mut().expect("we are in a function")
    }

    /// Makes a variable that has this name from now on.
    fn declare(&mut self, name: &'a str) -> usize {
        let variable = self.shared.len();
        self.shared.push(false);
        self.names().visible.push((name, variable));
        variable
    }

    // IN book
    /// Makes a global that has this name from now on, if we are on the outermost level.
    fn global(&mut self, name: &'a str) -> Option<usize> {
        if self.functions.len() > 1 || self.depth > 1 {
            return None;
        }
        self.globals.push(name);
        Some(self.globals.len() - 1)
    }

    // OUT
    /// The variable that a name means. If it is one of a function around this one, all functions in
    /// between capture it.
    // IN book
    /// Otherwise a global.
    // OUT
    fn resolve(&mut self, name: &str, line: u32) -> Result<Expr, String> {
        for level in (0..self.functions.len()).rev() {
            let mut visible = self.functions[level].visible.iter().rev();
            let Some(&(_, variable)) = visible.find(|(n, _)| *n == name) else {
                continue;
            };
            for inner in &mut self.functions[level + 1..] {
                self.shared[variable] = true;
                if !inner.captures.contains(&variable) {
                    inner.captures.push(variable);
                }
            }
            return Ok(Expr::Variable(variable));
        }
        // IN book
        if let Some(global) = self.globals.iter().rposition(|n| *n == name) {
            return Ok(Expr::Global(global));
        }
        // OUT
        Err(format!("{line}: there is no variable `{name}`"))
    }

    /// A function, from behind its parameters to `end`.
    fn function(&mut self, name: &str, params: &[&'a str], end: Token) -> Result<Function, String> {
        self.functions.push(Names::default());
        let params = params.iter().map(|param| self.declare(param)).collect();
        let body = self.statements(end)?;
        let names = self.functions.pop().expect("it was pushed");
        Ok(Function {
            name: name.to_string(),
            params,
            captures: names.captures,
            body,
        })
    }

    // IN objects
    // ELSE /// Parameters and body of a function.
    // ELSE fn function_with_params(&mut self, name: &str) -> Result<Function, String> {
    /// Parameters and body of a function that has these parameters before those in the text.
    fn function_with_params(&mut self, name: &str, before: &[&'a str]) -> Result<Function, String> {
        // OUT
        self.expect("(")?;
        // IN objects
        // ELSE let mut params = Vec::new();
        let mut params = before.to_vec();
        // OUT
        while !self.accept(Token::Symbol(")")) {
            // IN objects
            // ELSE if !params.is_empty() {
            if params.len() > before.len() {
                // OUT
                self.expect(",")?;
            }
            params.push(self.name()?);
        }
        self.expect("{")?;
        self.function(name, &params, Token::Symbol("}"))
    }

    fn statements(&mut self, end: Token) -> Result<Vec<Stmt>, String> {
        let (depth, visible) = (self.depth, self.names().visible.len());
        self.deeper()?;
        let mut body = Vec::new();
        while !self.accept(end) {
            body.push(self.statement()?);
        }
        self.names().visible.truncate(visible);
        self.depth = depth;
        Ok(body)
    }

    fn block(&mut self) -> Result<Vec<Stmt>, String> {
        self.expect("{")?;
        self.statements(Token::Symbol("}"))
    }

    fn statement(&mut self) -> Result<Stmt, String> {
        let line = self.line();
        if self.accept(Token::Name("let")) {
            let name = self.name()?;
            self.expect("=")?;
            // The name is not in sight here: `let x = x` takes the value of another `x`.
            let value = self.expression()?;
            return Ok(Stmt::Let(self.declare(name), value));
        }
        if let [(Token::Name("fn"), _), (Token::Name(name), _), ..] = self.tokens[self.next..] {
            self.advance();
            self.name()?;
            // IN book
            // The name is in sight in the function, so that it can call itself.
            if let Some(global) = self.global(name) {
                let function = self.function_with_params(name, &[])?;
                return Ok(Stmt::GlobalFunction(global, function));
            }
            // OUT
            let variable = self.declare(name);
            // IN objects
            // ELSE let function = self.function_with_params(name)?;
            let function = self.function_with_params(name, &[])?;
            // OUT
            return Ok(Stmt::Function(variable, function));
        }
        // IN objects
        if self.accept(Token::Name("class")) {
            return self.class();
        }
        // OUT
        if self.accept(Token::Name("print")) {
            return Ok(Stmt::Print(self.expression()?, line));
        }
        if self.accept(Token::Name("return")) {
            let ends = matches!(self.peek(), Token::End | Token::Symbol("}"));
            return Ok(Stmt::Return(match ends || !self.goes_on() {
                true => Expr::Nil,
                false => self.expression()?,
            }));
        }
        if self.accept(Token::Name("while")) {
            return Ok(Stmt::While(self.expression()?, self.block()?));
        }
        if self.accept(Token::Name("if")) {
            return self.condition();
        }
        let value = self.expression()?;
        if !self.accept(Token::Symbol("=")) {
            return Ok(Stmt::Do(value));
        }
        match value {
            Expr::Variable(variable) => Ok(Stmt::Assign(variable, self.expression()?)),
            // IN objects
            // IN book
            Expr::Global(global) => Ok(Stmt::AssignGlobal(global, self.expression()?)),
            // OUT
            Expr::Field(object, name, line) => {
                Ok(Stmt::SetField(*object, name, self.expression()?, line))
            }
            // OUT
            _ => Err(format!("{line}: this cannot be assigned to")),
        }
    }

    // IN objects
    /// A class, from behind its keyword. A method is a function whose first parameter is `self`.
    fn class(&mut self) -> Result<Stmt, String> {
        let name = self.name()?;
        // IN book
        // ELSE let variable = self.declare(name);
        let global = self.global(name);
        let variable = match global {
            Some(global) => global,
            None => self.declare(name),
        };
        // OUT
        let mut methods = Vec::new();
        self.expect("{")?;
        self.deeper()?;
        while !self.accept(Token::Symbol("}")) {
            if !self.accept(Token::Name("fn")) {
                return Err(self.unexpected("a method"));
            }
            let member = self.member()?;
            let method = format!("{name}.{}", self.names[member]);
            methods.push((member, self.function_with_params(&method, &["self"])?));
        }
        self.depth -= 1;
        let name = name.to_string();
        // IN book
        // ELSE Ok(Stmt::Class(variable, Class { name, methods }))
        let class = Class { name, methods };
        Ok(match global {
            Some(_) => Stmt::GlobalClass(variable, class),
            None => Stmt::Class(variable, class),
        })
        // OUT
    }

    // OUT
    /// A condition, from behind its `if`.
    fn condition(&mut self) -> Result<Stmt, String> {
        let condition = self.expression()?;
        let then = self.block()?;
        let otherwise = match self.accept(Token::Name("else")) {
            true if self.accept(Token::Name("if")) => {
                let depth = self.depth;
                self.deeper()?;
                let inner = self.condition()?;
                self.depth = depth;
                vec![inner]
            }
            true => self.block()?,
            false => Vec::new(),
        };
        Ok(Stmt::If(condition, then, otherwise))
    }

    fn expression(&mut self) -> Result<Expr, String> {
        let depth = self.depth;
        let mut left = self.both()?;
        while self.accept(Token::Name("or")) {
            self.deeper()?;
            left = Expr::Or(left.into(), self.both()?.into());
        }
        self.depth = depth;
        Ok(left)
    }

    fn both(&mut self) -> Result<Expr, String> {
        let mut left = self.comparison()?;
        while self.accept(Token::Name("and")) {
            self.deeper()?;
            left = Expr::And(left.into(), self.comparison()?.into());
        }
        Ok(left)
    }

    fn comparison(&mut self) -> Result<Expr, String> {
        let left = self.chain(0)?;
        let line = self.line();
        let op = match self.peek() {
            Token::Symbol("<") => Binary::Less,
            Token::Symbol("<=") => Binary::LessEqual,
            Token::Symbol(">") => Binary::Greater,
            Token::Symbol(">=") => Binary::GreaterEqual,
            Token::Symbol("==") => Binary::Equal,
            Token::Symbol("!=") => Binary::NotEqual,
            _ => return Ok(left),
        };
        self.advance();
        let right = self.chain(0)?;
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
            left = Expr::Binary(op, left.into(), operand(self)?.into(), line);
        }
    }

    fn unary(&mut self) -> Result<Expr, String> {
        let line = self.line();
        let op = match self.peek() {
            Token::Symbol("-") => Unary::Neg,
            Token::Name("not") => Unary::Not,
            _ => return self.called(),
        };
        self.advance();
        self.deeper()?;
        Ok(Expr::Unary(op, self.unary()?.into(), line))
    }

    // IN objects
    // ELSE fn called(&mut self) -> Result<Expr, String> {
    // ELSE     let mut value = self.simple()?;
    // ELSE     while self.peek() == Token::Symbol("(") && self.goes_on() {
    // ELSE         let line = self.line();
    // ELSE         self.deeper()?;
    // ELSE         value = Expr::Call(value.into(), self.arguments()?, line);
    // ELSE     }
    // ELSE     Ok(value)
    // ELSE }
    fn called(&mut self) -> Result<Expr, String> {
        let mut value = self.simple()?;
        loop {
            let line = self.line();
            if self.at_arguments() {
                value = Expr::Call(value.into(), self.arguments()?, line);
            } else if self.accept(Token::Symbol(".")) {
                let name = self.member()?;
                value = match self.at_arguments() {
                    true => Expr::Send(value.into(), name, self.arguments()?, line),
                    false => Expr::Field(value.into(), name, line),
                };
            } else {
                return Ok(value);
            }
            self.deeper()?;
        }
    }

    fn at_arguments(&self) -> bool {
        self.peek() == Token::Symbol("(") && self.goes_on()
    }
    // OUT

    fn arguments(&mut self) -> Result<Vec<Expr>, String> {
        self.expect("(")?;
        let mut arguments = Vec::new();
        while !self.accept(Token::Symbol(")")) {
            if !arguments.is_empty() {
                self.expect(",")?;
            }
            arguments.push(self.expression()?);
        }
        Ok(arguments)
    }

    fn simple(&mut self) -> Result<Expr, String> {
        let line = self.line();
        let value = match self.peek() {
            Token::Int(value) => Expr::Int(value),
            Token::Float(value) => Expr::Float(value),
            Token::Text(text) => Expr::Text(text.to_string()),
            Token::Name("nil") => Expr::Nil,
            Token::Name("true") => Expr::Bool(true),
            Token::Name("false") => Expr::Bool(false),
            Token::Name("fn") => {
                self.advance();
                self.deeper()?;
                // IN objects
                // ELSE let function = self.function_with_params("a function")?;
                let function = self.function_with_params("a function", &[])?;
                // OUT
                return Ok(Expr::Function(function.into()));
            }
            Token::Name(name) if !KEYWORDS.contains(&name) => self.resolve(name, line)?,
            Token::Symbol("(") => {
                self.advance();
                self.deeper()?;
                let inner = self.expression()?;
                self.expect(")")?;
                return Ok(inner);
            }
            _ => return Err(self.unexpected("an expression")),
        };
        self.advance();
        Ok(value)
    }
}
