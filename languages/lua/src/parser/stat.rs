//! Statements. In: tokens. Out: the statements of a block, and functions with theirs. Invariant: a
//! variable is visible from the statement behind its declaration on, up to the end of its block.

use super::{Parsed, Parser, Scope, add};
use crate::ast::*;
use crate::lexer::Token;

impl Parser<'_> {
    fn block_ends(&self) -> bool {
        match &self.token {
            Token::End => true,
            Token::Word(word) => matches!(*word, "end" | "else" | "elseif" | "until"),
            _ => false,
        }
    }

    /// Statements up to the end of their block, in a scope of their own.
    pub(super) fn block(&mut self) -> Parsed<Block> {
        let visible = self.scope().visible.len();
        let block = self.statements();
        self.scope().visible.truncate(visible);
        block
    }

    pub(super) fn statements(&mut self) -> Parsed<Block> {
        self.nested(|parser| {
            let mut block = Vec::new();
            while !parser.block_ends() {
                if parser.is_word("return") {
                    add(&mut block, parser.return_statement()?)?;
                    break;
                }
                if let Some(statement) = parser.statement()? {
                    add(&mut block, statement)?;
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
            end: self.last_line,
            kind: StatKind::Return(values),
        })
    }

    fn statement(&mut self) -> Parsed<Option<Stat>> {
        let line = self.line;
        let is_definition = self.is_word("function");
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
        // A function's definition happens where it begins.
        let end = if is_definition { line } else { self.last_line };
        Ok(Some(Stat { line, end, kind }))
    }

    fn if_statement(&mut self, line: u32) -> Parsed<StatKind> {
        let mut arms = Vec::new();
        loop {
            self.advance()?;
            let condition = self.expression()?;
            self.word("then")?;
            let then = self.last_line;
            arms.push((condition, then, self.block()?));
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
            let id = self.declare(&first, Attribute::None)?;
            let (body, begin) = self.loop_body(&[id], line)?;
            return Ok(StatKind::For(id, from, to, step, body, begin));
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
        let ids = names.iter();
        let ids: Vec<VarId> = ids
            .map(|name| self.declare(name, Attribute::None))
            .collect::<Parsed<_>>()?;
        let (body, _) = self.loop_body(&ids, line)?;
        Ok(StatKind::ForIn(ids, values, body))
    }

    /// The body of a loop with these variables, and the line of its `do`.
    fn loop_body(&mut self, ids: &[VarId], line: u32) -> Parsed<(Block, u32)> {
        self.word("do")?;
        let begin = self.last_line;
        let visible = self.scope().visible.len();
        self.scope().visible.extend(ids);
        let body = self.block()?;
        self.scope().visible.truncate(visible);
        self.closing("end", "for", line)?;
        Ok((body, begin))
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
        let id = self.declare(&name, Attribute::None)?;
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
            ids.push(self.declare(&name, attribute)?);
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
        self.note_constant(&ids, &values);
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
    pub(super) fn function_body(
        &mut self,
        name: String,
        line: u32,
        method: bool,
    ) -> Parsed<Function> {
        self.sign("(")?;
        self.functions.push(Scope {
            visible: Vec::new(),
            captures: Vec::new(),
            vararg: false,
        });
        let mut params = Vec::new();
        if method {
            params.push(self.declare("self", Attribute::None)?);
        }
        let mut vararg = false;
        while !self.is_sign(")") {
            if self.accept_sign("...")? {
                vararg = true;
                break;
            }
            if !matches!(self.token, Token::Name(_)) {
                return self.near("<name> or '...' expected");
            }
            let name = self.name()?;
            params.push(self.declare(&name, Attribute::None)?);
            if !self.accept_sign(",")? {
                break;
            }
            if self.is_sign(")") {
                return self.near("<name> or '...' expected");
            }
        }
        self.sign(")")?;
        self.scope().vararg = vararg;
        self.scope().visible.extend(&params);
        let body = self.block()?;
        let end_line = self.line;
        self.closing("end", "function", line)?;
        let scope = self.functions.pop();
        Ok(Function {
            name,
            line,
            end_line,
            params,
            vararg,
            level: self.functions.len(),
            captures: scope.map_or(Vec::new(), |scope| scope.captures),
            itself: None,
            body,
        })
    }
}
