//! Tokens to syntax trees. In: a text. Out: a [`Chunk`] whose names are resolved, or the first error. Invariant: every variable is
//! declared before it is used, labels and `goto`s are left to the compiler.
//!
//! Source: Lua 5.4 reference manual, section 9.

use crate::ast::*;
use crate::lexer::{Lexer, SyntaxError, Token};

type Parsed<T> = Result<T, SyntaxError>;

/// How deep expressions and blocks can be within each other.
const MAX_NESTING: usize = 190;

/// What is known of a function while it is parsed.
struct Scope {
    /// The variables that are visible, the innermost last.
    visible: Vec<VarId>,
    vararg: bool,
}

struct Parser<'a> {
    lexer: Lexer<'a>,
    token: Token,
    /// The line of `token`, and of the one before it.
    line: u32,
    last_line: u32,
    ahead: Option<(Token, u32)>,
    variables: Vec<Variable>,
    functions: Vec<Scope>,
    environment: Option<VarId>,
    nesting: usize,
}

/// Parses a chunk.
///
/// # Errors
/// What is wrong first.
pub fn parse(text: &[u8], name: &str) -> Parsed<Chunk> {
    let mut parser = Parser {
        lexer: Lexer::new(text),
        token: Token::End,
        line: 1,
        last_line: 1,
        ahead: None,
        variables: Vec::new(),
        functions: vec![Scope {
            visible: Vec::new(),
            vararg: true,
        }],
        environment: None,
        nesting: 0,
    };
    if mentions_environment(text) {
        let id = parser.declare("_ENV", Attribute::None);
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
            end_line: parser.line,
            params: Vec::new(),
            vararg: true,
            level: 0,
            itself: None,
            body,
        },
        variables: parser.variables,
        environment: parser.environment,
    })
}

/// Whether a text uses the name `_ENV`. Then the table of globals is a variable as any other.
fn mentions_environment(text: &[u8]) -> bool {
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
            Some((token, line)) => (self.token, self.line) = (token, line),
            None => {
                self.token = self.lexer.token()?;
                self.line = self.lexer.line;
            }
        }
        Ok(())
    }

    fn peek(&mut self) -> Parsed<&Token> {
        if self.ahead.is_none() {
            let token = self.lexer.token()?;
            self.ahead = Some((token, self.lexer.line));
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
        self.error(format!("{message} near {}", shown(&self.token)))
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

    /// What closes something that was opened on this line.
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

    fn declare(&mut self, name: &str, attribute: Attribute) -> VarId {
        self.variables.push(Variable {
            name: name.to_string(),
            level: self.functions.len() - 1,
            captured: false,
            assigned: false,
            attribute,
        });
        self.variables.len() - 1
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

    fn block_ends(&self) -> bool {
        match &self.token {
            Token::End => true,
            Token::Word(word) => matches!(*word, "end" | "else" | "elseif" | "until"),
            _ => false,
        }
    }

    /// Statements up to the end of their block, in a scope of their own.
    fn block(&mut self) -> Parsed<Block> {
        let visible = self.scope().visible.len();
        let block = self.statements();
        self.scope().visible.truncate(visible);
        block
    }

    fn statements(&mut self) -> Parsed<Block> {
        self.nested(|parser| {
            let mut block = Vec::new();
            while !parser.block_ends() {
                if parser.is_word("return") {
                    block.push(parser.return_statement()?);
                    break;
                }
                if let Some(statement) = parser.statement()? {
                    block.push(statement);
                }
            }
            Ok(block)
        })
    }

    fn return_statement(&mut self) -> Parsed<Stat> {
        let line = self.line;
        self.advance()?;
        let mut values = Vec::new();
        if !self.block_ends() && !self.is_sign(";") {
            values = self.expressions()?;
        }
        self.accept_sign(";")?;
        if !self.block_ends() {
            return self.expected("<eof>");
        }
        Ok(Stat {
            line,
            kind: StatKind::Return(values),
        })
    }

    fn statement(&mut self) -> Parsed<Option<Stat>> {
        let line = self.line;
        let kind = match &self.token {
            Token::Sign(";") => {
                self.advance()?;
                return Ok(None);
            }
            Token::Sign("::") => {
                self.advance()?;
                let name = self.name()?;
                self.sign("::")?;
                StatKind::Label(name)
            }
            Token::Word(word) => match *word {
                "if" => self.if_statement(line)?,
                "while" => {
                    self.advance()?;
                    let condition = self.expression()?;
                    self.word("do")?;
                    let body = self.block()?;
                    self.closing("end", "while", line)?;
                    StatKind::While(condition, body)
                }
                "do" => {
                    self.advance()?;
                    let body = self.block()?;
                    self.closing("end", "do", line)?;
                    StatKind::Do(body)
                }
                "for" => self.for_statement(line)?,
                "repeat" => {
                    self.advance()?;
                    let visible = self.scope().visible.len();
                    let body = self.statements()?;
                    self.closing("until", "repeat", line)?;
                    let condition = self.expression()?;
                    self.scope().visible.truncate(visible);
                    StatKind::Repeat(body, condition)
                }
                "function" => self.function_statement(line)?,
                "local" => {
                    self.advance()?;
                    if self.accept_word("function")? {
                        self.local_function(line)?
                    } else {
                        self.local_statement()?
                    }
                }
                "break" => {
                    self.advance()?;
                    StatKind::Break
                }
                "goto" => {
                    self.advance()?;
                    StatKind::Goto(self.name()?)
                }
                _ => self.expression_statement()?,
            },
            _ => self.expression_statement()?,
        };
        Ok(Some(Stat { line, kind }))
    }

    fn if_statement(&mut self, line: u32) -> Parsed<StatKind> {
        let mut arms = Vec::new();
        loop {
            self.advance()?;
            let condition = self.expression()?;
            self.word("then")?;
            arms.push((condition, self.block()?));
            if !self.is_word("elseif") {
                break;
            }
        }
        let otherwise = if self.accept_word("else")? {
            Some(self.block()?)
        } else {
            None
        };
        self.closing("end", "if", line)?;
        Ok(StatKind::If(arms, otherwise))
    }

    fn for_statement(&mut self, line: u32) -> Parsed<StatKind> {
        self.advance()?;
        let first = self.name()?;
        if self.accept_sign("=")? {
            let from = self.expression()?;
            self.sign(",")?;
            let to = self.expression()?;
            let step = if self.accept_sign(",")? {
                Some(self.expression()?)
            } else {
                None
            };
            let id = self.declare(&first, Attribute::None);
            let body = self.loop_body(&[id], line)?;
            return Ok(StatKind::For(id, from, to, step, body));
        }
        let mut names = vec![first];
        while self.accept_sign(",")? {
            names.push(self.name()?);
        }
        if !self.is_word("in") {
            return self.near("'in' expected");
        }
        self.advance()?;
        let values = self.expressions()?;
        let ids: Vec<VarId> = names
            .iter()
            .map(|name| self.declare(name, Attribute::None))
            .collect();
        let body = self.loop_body(&ids, line)?;
        Ok(StatKind::ForIn(ids, values, body))
    }

    fn loop_body(&mut self, ids: &[VarId], line: u32) -> Parsed<Block> {
        self.word("do")?;
        let visible = self.scope().visible.len();
        self.scope().visible.extend(ids);
        let body = self.block()?;
        self.scope().visible.truncate(visible);
        self.closing("end", "for", line)?;
        Ok(body)
    }

    fn function_statement(&mut self, line: u32) -> Parsed<StatKind> {
        self.advance()?;
        let name = self.name()?;
        let mut full = name.clone();
        let mut target = self.resolve(name, line);
        let mut method = false;
        while !method && (self.is_sign(".") || self.is_sign(":")) {
            method = self.is_sign(":");
            self.advance()?;
            let key = self.name()?;
            full += if method { ":" } else { "." };
            full += &key;
            let key = Expr {
                line,
                kind: ExprKind::Text(key.into_bytes()),
            };
            target = Expr {
                line,
                kind: ExprKind::Index(Box::new(target), Box::new(key)),
            };
        }
        self.assigned(&target)?;
        let function = self.function_body(full, line, method)?;
        let value = Expr {
            line,
            kind: ExprKind::Function(Box::new(function)),
        };
        Ok(StatKind::Assign(vec![target], vec![value]))
    }

    fn local_function(&mut self, line: u32) -> Parsed<StatKind> {
        let name = self.name()?;
        let id = self.declare(&name, Attribute::None);
        self.show(id);
        let mut function = self.function_body(name, line, false)?;
        function.itself = Some(id);
        Ok(StatKind::LocalFunction(id, Box::new(function)))
    }

    fn local_statement(&mut self) -> Parsed<StatKind> {
        let mut ids = Vec::new();
        let mut closes = false;
        loop {
            let name = self.name()?;
            let mut attribute = Attribute::None;
            if self.accept_sign("<")? {
                let word = self.name()?;
                attribute = match word.as_str() {
                    "const" => Attribute::Const,
                    "close" if closes => {
                        return self.error("multiple to-be-closed variables in local list");
                    }
                    "close" => Attribute::Close,
                    _ => return self.error(format!("unknown attribute '{word}'")),
                };
                closes |= attribute == Attribute::Close;
                self.sign(">")?;
            }
            ids.push(self.declare(&name, attribute));
            if !self.accept_sign(",")? {
                break;
            }
        }
        let values = if self.accept_sign("=")? {
            self.expressions()?
        } else {
            Vec::new()
        };
        for &id in &ids {
            self.show(id);
        }
        Ok(StatKind::Local(ids, values))
    }

    /// Notes that something is assigned, and refuses what cannot be.
    fn assigned(&mut self, target: &Expr) -> Parsed<()> {
        match &target.kind {
            ExprKind::Var(id) => {
                let variable = &mut self.variables[*id];
                if variable.attribute != Attribute::None {
                    let name = variable.name.clone();
                    return self.error(format!("attempt to assign to const variable '{name}'"));
                }
                variable.assigned = true;
                Ok(())
            }
            ExprKind::Global(_) | ExprKind::Index(..) => Ok(()),
            _ => self.near("syntax error"),
        }
    }

    fn expression_statement(&mut self) -> Parsed<StatKind> {
        let first = self.suffixed()?;
        if !self.is_sign("=") && !self.is_sign(",") {
            if matches!(first.kind, ExprKind::Call(..) | ExprKind::Method(..)) {
                return Ok(StatKind::Call(first));
            }
            return self.near("syntax error");
        }
        let mut targets = vec![first];
        while self.accept_sign(",")? {
            targets.push(self.suffixed()?);
        }
        for target in &targets {
            self.assigned(target)?;
        }
        self.sign("=")?;
        let values = self.expressions()?;
        Ok(StatKind::Assign(targets, values))
    }

    /// Parameters and body of a function, behind its name.
    fn function_body(&mut self, name: String, line: u32, method: bool) -> Parsed<Function> {
        self.sign("(")?;
        self.functions.push(Scope {
            visible: Vec::new(),
            vararg: false,
        });
        let mut params = Vec::new();
        if method {
            params.push(self.declare("self", Attribute::None));
        }
        let mut vararg = false;
        while !self.is_sign(")") {
            if self.accept_sign("...")? {
                vararg = true;
                break;
            }
            let name = self.name()?;
            params.push(self.declare(&name, Attribute::None));
            if !self.accept_sign(",")? {
                break;
            }
            if self.is_sign(")") {
                return self.expected("<name>");
            }
        }
        self.sign(")")?;
        self.scope().vararg = vararg;
        self.scope().visible.extend(&params);
        let body = self.block()?;
        let end_line = self.line;
        self.closing("end", "function", line)?;
        self.functions.pop();
        Ok(Function {
            name,
            line,
            end_line,
            params,
            vararg,
            level: self.functions.len(),
            itself: None,
            body,
        })
    }

    fn expressions(&mut self) -> Parsed<Vec<Expr>> {
        let mut all = vec![self.expression()?];
        while self.accept_sign(",")? {
            all.push(self.expression()?);
        }
        Ok(all)
    }

    fn expression(&mut self) -> Parsed<Expr> {
        self.operators(0)
    }

    /// An expression of operators that bind tighter than `limit`.
    fn operators(&mut self, limit: u8) -> Parsed<Expr> {
        self.nested(|parser| {
            let mut left = parser.prefixed()?;
            while let Some((operator, left_power, right_power)) = infix(&parser.token) {
                if left_power <= limit {
                    break;
                }
                let line = parser.line;
                parser.advance()?;
                let right = parser.operators(right_power)?;
                left = Expr {
                    line,
                    kind: combined(operator, left, right),
                };
            }
            Ok(left)
        })
    }

    fn prefixed(&mut self) -> Parsed<Expr> {
        let line = self.line;
        let operator = match &self.token {
            Token::Word("not") => Unary::Not,
            Token::Sign("-") => Unary::Neg,
            Token::Sign("#") => Unary::Len,
            Token::Sign("~") => Unary::BNot,
            _ => return self.simple(),
        };
        self.advance()?;
        let operand = self.operators(UNARY_POWER)?;
        let kind = match (operator, operand.kind) {
            (Unary::Neg, ExprKind::Int(value)) => ExprKind::Int(value.wrapping_neg()),
            (Unary::Neg, ExprKind::Float(value)) => ExprKind::Float(-value),
            (_, kind) => {
                let line = operand.line;
                ExprKind::Unary(operator, Box::new(Expr { line, kind }))
            }
        };
        Ok(Expr { line, kind })
    }

    fn simple(&mut self) -> Parsed<Expr> {
        let line = self.line;
        let kind = match &self.token {
            Token::Int(value) => ExprKind::Int(*value),
            Token::Float(value) => ExprKind::Float(*value),
            Token::Text(text) => ExprKind::Text(text.clone()),
            Token::Word("nil") => ExprKind::Nil,
            Token::Word("true") => ExprKind::True,
            Token::Word("false") => ExprKind::False,
            Token::Sign("...") => {
                if !self.scope().vararg {
                    return self.near("cannot use '...' outside a vararg function");
                }
                ExprKind::Varargs
            }
            Token::Sign("{") => return self.table(),
            Token::Word("function") => {
                self.advance()?;
                let function = self.function_body(String::new(), line, false)?;
                let kind = ExprKind::Function(Box::new(function));
                return Ok(Expr { line, kind });
            }
            _ => return self.suffixed(),
        };
        self.advance()?;
        Ok(Expr { line, kind })
    }

    fn table(&mut self) -> Parsed<Expr> {
        let line = self.line;
        self.sign("{")?;
        let mut fields = Vec::new();
        while !self.is_sign("}") {
            let field_line = self.line;
            if self.accept_sign("[")? {
                let key = self.expression()?;
                self.sign("]")?;
                self.sign("=")?;
                fields.push(Field::Pair(key, self.expression()?));
            } else if matches!(self.token, Token::Name(_)) && *self.peek()? == Token::Sign("=") {
                let name = self.name()?;
                self.advance()?;
                let key = Expr {
                    line: field_line,
                    kind: ExprKind::Text(name.into_bytes()),
                };
                fields.push(Field::Pair(key, self.expression()?));
            } else {
                fields.push(Field::Item(self.expression()?));
            }
            if !self.accept_sign(",")? && !self.accept_sign(";")? {
                break;
            }
        }
        self.closing("}", "{", line)?;
        Ok(Expr {
            line,
            kind: ExprKind::Table(fields),
        })
    }

    /// A name or an expression in parentheses, and what is behind it.
    fn suffixed(&mut self) -> Parsed<Expr> {
        let line = self.line;
        let mut expr = match &self.token {
            Token::Name(_) => {
                let name = self.name()?;
                self.resolve(name, line)
            }
            Token::Sign("(") => {
                self.advance()?;
                let inner = self.expression()?;
                self.closing(")", "(", line)?;
                Expr {
                    line,
                    kind: ExprKind::Paren(Box::new(inner)),
                }
            }
            _ => return self.near("unexpected symbol"),
        };
        loop {
            let line = self.line;
            let kind = match &self.token {
                Token::Sign(".") => {
                    self.advance()?;
                    let line = self.line;
                    let key = ExprKind::Text(self.name()?.into_bytes());
                    ExprKind::Index(Box::new(expr), Box::new(Expr { line, kind: key }))
                }
                Token::Sign("[") => {
                    self.advance()?;
                    let key = self.expression()?;
                    self.sign("]")?;
                    ExprKind::Index(Box::new(expr), Box::new(key))
                }
                Token::Sign(":") => {
                    self.advance()?;
                    let name = self.name()?;
                    let args = self.arguments()?;
                    ExprKind::Method(Box::new(expr), name, args)
                }
                Token::Sign("(" | "{") | Token::Text(_) => {
                    let args = self.arguments()?;
                    ExprKind::Call(Box::new(expr), args)
                }
                _ => return Ok(expr),
            };
            expr = Expr { line, kind };
        }
    }

    fn arguments(&mut self) -> Parsed<Vec<Expr>> {
        let line = self.line;
        match &self.token {
            Token::Text(text) => {
                let kind = ExprKind::Text(text.clone());
                self.advance()?;
                Ok(vec![Expr { line, kind }])
            }
            Token::Sign("{") => Ok(vec![self.table()?]),
            Token::Sign("(") => {
                self.advance()?;
                let args = if self.is_sign(")") {
                    Vec::new()
                } else {
                    self.expressions()?
                };
                self.closing(")", "(", line)?;
                Ok(args)
            }
            _ => self.near("function arguments expected"),
        }
    }
}

/// How tight operators with one operand bind.
const UNARY_POWER: u8 = 12;

/// An operator between two operands.
#[derive(Clone, Copy)]
enum Infix {
    Binary(Binary),
    And,
    Or,
    Concat,
}

/// The operator that a token is, and how tight it binds to its left and right.
fn infix(token: &Token) -> Option<(Infix, u8, u8)> {
    use Infix::Binary as B;
    Some(match token {
        Token::Word("or") => (Infix::Or, 1, 1),
        Token::Word("and") => (Infix::And, 2, 2),
        Token::Sign(sign) => match *sign {
            "<" => (B(Binary::Lt), 3, 3),
            ">" => (B(Binary::Gt), 3, 3),
            "<=" => (B(Binary::Le), 3, 3),
            ">=" => (B(Binary::Ge), 3, 3),
            "~=" => (B(Binary::Ne), 3, 3),
            "==" => (B(Binary::Eq), 3, 3),
            "|" => (B(Binary::BOr), 4, 4),
            "~" => (B(Binary::BXor), 5, 5),
            "&" => (B(Binary::BAnd), 6, 6),
            "<<" => (B(Binary::Shl), 7, 7),
            ">>" => (B(Binary::Shr), 7, 7),
            ".." => (Infix::Concat, 9, 8),
            "+" => (B(Binary::Add), 10, 10),
            "-" => (B(Binary::Sub), 10, 10),
            "*" => (B(Binary::Mul), 11, 11),
            "/" => (B(Binary::Div), 11, 11),
            "//" => (B(Binary::IDiv), 11, 11),
            "%" => (B(Binary::Mod), 11, 11),
            "^" => (B(Binary::Pow), 14, 13),
            _ => return None,
        },
        _ => return None,
    })
}

fn combined(operator: Infix, left: Expr, right: Expr) -> ExprKind {
    match operator {
        Infix::Binary(operator) => ExprKind::Binary(operator, Box::new(left), Box::new(right)),
        Infix::And => ExprKind::And(Box::new(left), Box::new(right)),
        Infix::Or => ExprKind::Or(Box::new(left), Box::new(right)),
        Infix::Concat => {
            let mut parts = vec![left];
            match right.kind {
                ExprKind::Concat(rest) => parts.extend(rest),
                _ => parts.push(right),
            }
            ExprKind::Concat(parts)
        }
    }
}

/// A token as messages show it.
fn shown(token: &Token) -> String {
    match token {
        Token::Name(name) => format!("'{name}'"),
        Token::Word(word) => format!("'{word}'"),
        Token::Sign(sign) => format!("'{sign}'"),
        Token::Text(text) => format!("'{}'", String::from_utf8_lossy(text)),
        Token::Int(value) => format!("'{value}'"),
        Token::Float(value) => format!("'{}'", number_text(*value)),
        Token::End => "<eof>".to_string(),
    }
}

fn number_text(value: f64) -> String {
    crate::number::show_float(value)
}
