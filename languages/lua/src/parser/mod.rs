//! Tokens to syntax trees. In: a text. Out: a [`Chunk`] whose names are resolved, or the first
//! error. Invariant: every variable is declared before it is used, labels and `goto`s are left to
//! the compiler.
//!
//! Source: Lua 5.4 reference manual, section 9.

mod expr;
mod fold;
mod stat;

use crate::ast::*;
use crate::lexer::{Lexer, SyntaxError, Token};
use crate::number::Number;
use std::collections::HashMap;
use verdigris::memory_is_low;

type Parsed<T> = Result<T, SyntaxError>;

/// How deep expressions and blocks can be within each other.
const MAX_NESTING: usize = 190;

/// A function that is being parsed.
struct Scope {
    /// The variables that are visible, the innermost last.
    visible: Vec<VarId>,
    /// The variables of functions around it, in the order in which they are mentioned.
    captures: Vec<VarId>,
    vararg: bool,
}

struct Parser<'a> {
    lexer: Lexer<'a>,
    token: Token,
    /// The line of `token`, and of the one before it.
    line: u32,
    last_line: u32,
    /// `token` as it stands in the text.
    raw: &'a [u8],
    ahead: Option<(Token, u32, &'a [u8])>,
    variables: Vec<Variable>,
    /// The `<const>` variables that are numbers.
    numbers: HashMap<VarId, Number>,
    functions: Vec<Scope>,
    environment: Option<VarId>,
    nesting: usize,
}

/// Parses a chunk. If it has an environment of its own, the text need not mention it.
///
/// # Errors
/// The first fault.
pub fn parse(text: &[u8], name: &str, environment: bool) -> Parsed<Chunk> {
    let mut parser = Parser {
        lexer: Lexer::new(text),
        token: Token::End,
        line: 1,
        last_line: 1,
        raw: b"",
        ahead: None,
        variables: Vec::new(),
        numbers: HashMap::new(),
        functions: vec![Scope {
            visible: Vec::new(),
            captures: Vec::new(),
            vararg: true,
        }],
        environment: None,
        nesting: 0,
    };
    if environment || mentions_environment(text) {
        let id = parser.declare("_ENV", Attribute::None)?;
        parser.show(id);
        parser.environment = Some(id);
    }
    parser.advance()?;
    let body = parser.block()?;
    if parser.token != Token::End {
        return parser.expected("<eof>");
    }
    Ok(Chunk {
        main: Function {
            name: name.to_string(),
            line: 0,
            end_line: parser.last_line,
            params: Vec::new(),
            vararg: true,
            level: 0,
            captures: Vec::new(),
            itself: None,
            body,
        },
        variables: parser.variables,
        environment: parser.environment,
    })
}

/// Adds something to a list that grows with the text. Trees are on Rust's heap: parsing ends before
/// they take all memory there is.
pub fn add<T>(list: &mut Vec<T>, item: T) -> Parsed<()> {
    if memory_is_low() || list.try_reserve(1).is_err() {
        return Err(SyntaxError::no_memory());
    }
    list.push(item);
    Ok(())
}

/// Whether a text uses the name `_ENV`. Then the table of globals is a variable as any other.
fn mentions_environment(text: &[u8]) -> bool {
    if memchr::memmem::find(text, b"_ENV").is_none() {
        return false;
    }
    let mut lexer = Lexer::new(text);
    while let Ok(token) = lexer.token() {
        match token {
            Token::End => return false,
            Token::Name(name) if name == "_ENV" => return true,
            _ => {}
        }
    }
    false
}

impl Parser<'_> {
    fn advance(&mut self) -> Parsed<()> {
        self.last_line = self.line;
        match self.ahead.take() {
            Some((token, line, raw)) => (self.token, self.line, self.raw) = (token, line, raw),
            None => {
                self.token = self.lexer.token()?;
                self.line = self.lexer.line;
                self.raw = self.lexer.raw();
            }
        }
        Ok(())
    }

    fn peek(&mut self) -> Parsed<&Token> {
        if self.ahead.is_none() {
            let token = self.lexer.token()?;
            self.ahead = Some((token, self.lexer.line, self.lexer.raw()));
        }
        Ok(&self.ahead.as_ref().expect("it has just been filled").0)
    }

    fn error<T>(&self, message: impl Into<String>) -> Parsed<T> {
        Err(SyntaxError {
            line: self.line,
            message: message.into(),
        })
    }

    fn near<T>(&self, message: &str) -> Parsed<T> {
        match self.token {
            Token::End => self.error(format!("{message} near <eof>")),
            _ => {
                let raw = String::from_utf8_lossy(self.raw);
                self.error(format!("{message} near '{raw}'"))
            }
        }
    }

    fn expected<T>(&self, what: &str) -> Parsed<T> {
        let what = if what.starts_with('<') {
            what.to_string()
        } else {
            format!("'{what}'")
        };
        self.near(&format!("{what} expected"))
    }

    fn is_sign(&self, sign: &str) -> bool {
        matches!(&self.token, Token::Sign(s) if *s == sign)
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(&self.token, Token::Word(w) if *w == word)
    }

    fn accept_sign(&mut self, sign: &str) -> Parsed<bool> {
        let found = self.is_sign(sign);
        if found {
            self.advance()?;
        }
        Ok(found)
    }

    fn accept_word(&mut self, word: &str) -> Parsed<bool> {
        let found = self.is_word(word);
        if found {
            self.advance()?;
        }
        Ok(found)
    }

    fn sign(&mut self, sign: &str) -> Parsed<()> {
        if self.accept_sign(sign)? {
            Ok(())
        } else {
            self.expected(sign)
        }
    }

    fn word(&mut self, word: &str) -> Parsed<()> {
        if self.accept_word(word)? {
            Ok(())
        } else {
            self.expected(word)
        }
    }

    /// The closing token of something that was opened on this line.
    fn closing(&mut self, what: &str, opener: &str, line: u32) -> Parsed<()> {
        let found = self.is_sign(what) || self.is_word(what);
        if found {
            return self.advance();
        }
        if line == self.line {
            return self.expected(what);
        }
        self.near(&format!(
            "'{what}' expected (to close '{opener}' at line {line})"
        ))
    }

    fn name(&mut self) -> Parsed<String> {
        match &self.token {
            Token::Name(name) => {
                let name = name.clone();
                self.advance()?;
                Ok(name)
            }
            _ => self.expected("<name>"),
        }
    }

    fn declare(&mut self, name: &str, attribute: Attribute) -> Parsed<VarId> {
        let variable = Variable {
            name: name.to_string(),
            level: self.functions.len() - 1,
            captured: false,
            assigned: false,
            attribute,
        };
        add(&mut self.variables, variable)?;
        Ok(self.variables.len() - 1)
    }

    /// From here on the variable is visible.
    fn show(&mut self, id: VarId) {
        self.scope().visible.push(id);
    }

    fn scope(&mut self) -> &mut Scope {
        self.functions
            .last_mut()
            .expect("there is the main function")
    }

    fn find(&mut self, name: &str) -> Option<VarId> {
        let here = self.functions.len() - 1;
        for (level, function) in self.functions.iter().enumerate().rev() {
            let mut visible = function.visible.iter().rev();
            if let Some(&id) = visible.find(|&&id| self.variables[id].name == name) {
                self.variables[id].captured |= level < here;
                for function in &mut self.functions[level + 1..] {
                    if !function.captures.contains(&id) {
                        function.captures.push(id);
                    }
                }
                return Some(id);
            }
        }
        None
    }

    fn resolve(&mut self, name: String, line: u32) -> Expr {
        let at = |kind| Expr { line, kind };
        if let Some(id) = self.find(&name) {
            return at(ExprKind::Var(id));
        }
        match self.find("_ENV") {
            Some(id) => {
                let key = at(ExprKind::Text(name.into_bytes()));
                at(ExprKind::Index(
                    Box::new(at(ExprKind::Var(id))),
                    Box::new(key),
                ))
            }
            None => at(ExprKind::Global(name)),
        }
    }

    fn nested<T>(&mut self, f: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.nesting += 1;
        if self.nesting > MAX_NESTING {
            return self.error(format!(
                "chunk has too many syntax levels (limit is {MAX_NESTING})"
            ));
        }
        let result = f(self);
        self.nesting -= 1;
        result
    }
}
