//! Statements. In: statements. Out: instructions. Invariant: no temporary outlives a statement, but
//! those of the blocks around it.

use super::expr::operator;
use super::{BlockKind, Compiler, Label, Result, unsupported};
use crate::bytecode::code::{self, Const};
use crate::bytecode::opcode;
use crate::compile::scope::Kind;
use ruff_python_ast::{self as ast, Expr, Stmt};
use ruff_text_size::{Ranged, TextRange};

impl<'a> Compiler<'a> {
    pub(super) fn stmts(&mut self, body: &'a [Stmt]) -> Result<()> {
        body.iter().try_for_each(|stmt| self.stmt(stmt))
    }

    /// The documentation of a body, if it begins with one.
    pub(super) fn doc_of(body: &[Stmt]) -> Option<String> {
        match body.first() {
            Some(Stmt::Expr(s)) => match &*s.value {
                Expr::StringLiteral(literal) => Some(literal.value.to_str().to_string()),
                _ => None,
            },
            _ => None,
        }
    }

    /// A body of a module or class, whose documentation is a variable.
    pub(super) fn body_with_doc(&mut self, body: &'a [Stmt]) -> Result<()> {
        if let Some(doc) = Self::doc_of(body) {
            self.f().code.doc = Some(doc);
        }
        self.begin_annotations(body)?;
        self.stmts(body)
    }

    fn stmt(&mut self, stmt: &'a Stmt) -> Result<()> {
        let before = self.at(stmt.range());
        let top = self.f().top;
        self.stmt_here(stmt)?;
        self.free(top);
        self.at(before);
        Ok(())
    }

    fn stmt_here(&mut self, stmt: &'a Stmt) -> Result<()> {
        match stmt {
            Stmt::Expr(s) if self.shows_values && self.functions.len() == 1 => {
                let value = self.temp()?;
                self.expr(&s.value, value)?;
                self.emit(opcode::DISPLAY, value, 0, 0);
            }
            Stmt::Expr(s) => {
                if self.literal(&s.value)?.is_none() {
                    let value = self.temp()?;
                    self.expr(&s.value, value)?;
                }
            }
            Stmt::Assign(s) => self.assignment(s)?,
            Stmt::AugAssign(s) => self.augmented(s)?,
            Stmt::AnnAssign(s) => {
                if let Some(value) = &s.value {
                    let register = self.temp()?;
                    self.expr(value, register)?;
                    self.assign(&s.target, register)?;
                }
                if self.kind() != Kind::Function && s.simple {
                    self.keep_annotation(s)?;
                }
            }
            Stmt::If(s) => self.if_stmt(s)?,
            Stmt::While(s) => self.while_stmt(s)?,
            Stmt::For(s) => self.for_stmt(s)?,
            Stmt::Try(s) => self.try_stmt(s)?,
            Stmt::With(s) => self.with_stmt(s)?,
            Stmt::Return(s) => self.return_stmt(s)?,
            Stmt::Break(s) => self.break_stmt(s.range, true)?,
            Stmt::Continue(s) => self.break_stmt(s.range, false)?,
            Stmt::FunctionDef(s) => self.function_def(s)?,
            Stmt::ClassDef(s) => self.class_def(s)?,
            Stmt::Delete(s) => s.targets.iter().try_for_each(|e| self.delete(e))?,
            Stmt::Raise(s) => match (&s.exc, &s.cause) {
                (None, _) => {
                    self.emit(opcode::RAISE_HANDLED, 0, 0, 0);
                }
                (Some(exc), cause) => {
                    let value = self.operand(exc)?;
                    let (cause, has) = match cause {
                        Some(cause) => (self.operand(cause)?, 1),
                        None => (0, 0),
                    };
                    self.emit(opcode::RAISE, value, cause, has);
                }
            },
            Stmt::Assert(s) => {
                let end = self.label();
                self.jump_if(&s.test, end)?;
                let assigned = self.f().assigned.clone();
                let (value, has) = match &s.msg {
                    Some(msg) => (self.operand(msg)?, 1),
                    None => (0, 0),
                };
                // CPython shows the condition.
                self.at(s.test.range());
                self.emit(opcode::ASSERTION, value, has, 0);
                self.f().assigned = assigned;
                self.place(end);
            }
            Stmt::Import(s) => self.import(s)?,
            Stmt::ImportFrom(s) => self.import_from(s)?,
            Stmt::Global(_) | Stmt::Nonlocal(_) | Stmt::Pass(_) => {}
            Stmt::Match(s) => self.match_stmt(s)?,
            Stmt::TypeAlias(s) => return Err(unsupported::at("type aliases", s.range)),
            Stmt::IpyEscapeCommand(s) => {
                return Err(unsupported::at("escape commands", s.range));
            }
        }
        Ok(())
    }

    fn assignment(&mut self, s: &'a ast::StmtAssign) -> Result<()> {
        if let [target] = &*s.targets {
            if let Some(register) = self.direct(target) {
                self.expr(&s.value, register)?;
                self.note_assigned(register);
                return Ok(());
            }
            if let (Expr::Tuple(targets), Expr::Tuple(values)) = (target, &*s.value)
                && targets.elts.len() == values.elts.len()
                && !(targets.elts.iter().chain(&values.elts)).any(|e| matches!(e, Expr::Starred(_)))
            {
                let first = self.temps(values.elts.len())?;
                for (n, value) in values.elts.iter().enumerate() {
                    self.expr(value, first + n)?;
                }
                for (n, target) in targets.elts.iter().enumerate() {
                    self.assign(target, first + n)?;
                }
                return Ok(());
            }
        }
        let is_name = s.targets.len() == 1 && matches!(s.targets[0], Expr::Name(_));
        let value = match is_name {
            true => self.operand(&s.value)?,
            false => {
                let register = self.temp()?;
                self.expr(&s.value, register)?;
                register
            }
        };
        s.targets
            .iter()
            .try_for_each(|target| self.assign(target, value))
    }

    fn augmented(&mut self, s: &'a ast::StmtAugAssign) -> Result<()> {
        let kind = operator(s.op) << 16;
        match &*s.target {
            Expr::Name(_) => {
                let old = self.operand(&s.target)?;
                let value = self.operand(&s.value)?;
                let to = match self.direct(&s.target) {
                    Some(register) => register,
                    None => self.temp()?,
                };
                self.emit(opcode::INPLACE, to, old, value | kind);
                self.assign(&s.target, to)
            }
            Expr::Attribute(e) => {
                let object = self.operand(&e.value)?;
                let name = self.mangled(&e.attr);
                let name = self.name(&name);
                let old = self.temp()?;
                self.at(e.range);
                self.emit(opcode::GET_ATTR, old, object, name);
                self.at(s.range);
                let value = self.operand(&s.value)?;
                self.emit(opcode::INPLACE, old, old, value | kind);
                self.at(e.range);
                self.emit(opcode::SET_ATTR, object, old, name);
                Ok(())
            }
            Expr::Subscript(e) => {
                // Not the registers of variables: the value may change them.
                let object = self.temps(3)?;
                self.expr(&e.value, object)?;
                self.expr(&e.slice, object + 1)?;
                let old = object + 2;
                self.at(e.range);
                self.emit(opcode::GET_ITEM, old, object, object + 1);
                self.at(s.range);
                let value = self.operand(&s.value)?;
                self.emit(opcode::INPLACE, old, old, value | kind);
                self.at(e.range);
                self.emit(opcode::SET_ITEM, object, object + 1, old);
                Ok(())
            }
            other => Err(self.error("illegal expression for augmented assignment", other.range())),
        }
    }

    fn if_stmt(&mut self, s: &'a ast::StmtIf) -> Result<()> {
        let end = self.label();
        let mut next = self.label();
        self.jump_unless(&s.test, next)?;
        let mut certain = self.f().assigned.clone();
        self.stmts(&s.body)?;
        let mut after = self.f().assigned.clone();
        for clause in &s.elif_else_clauses {
            self.jump(opcode::JUMP, 0, 0, end);
            self.place(next);
            next = self.label();
            self.f().assigned = certain.clone();
            if let Some(test) = &clause.test {
                self.jump_unless(test, next)?;
                certain = self.f().assigned.clone();
            }
            self.stmts(&clause.body)?;
            after = both(&after, &self.f().assigned.clone());
        }
        if s.elif_else_clauses
            .last()
            .is_none_or(|clause| clause.test.is_some())
        {
            after = both(&after, &certain);
        }
        self.place(next);
        self.place(end);
        self.f().assigned = after;
        Ok(())
    }

    fn while_stmt(&mut self, s: &'a ast::StmtWhile) -> Result<()> {
        let (next, exit, otherwise) = (self.label(), self.label(), self.label());
        self.place(next);
        self.jump_unless(&s.test, otherwise)?;
        let assigned = self.f().assigned.clone();
        self.enter(BlockKind::Loop { exit, next });
        self.stmts(&s.body)?;
        self.jump(opcode::LOOP, 0, 0, next);
        self.leave(None);
        self.place(otherwise);
        self.f().assigned = assigned.clone();
        self.stmts(&s.orelse)?;
        self.f().assigned = assigned;
        self.place(exit);
        Ok(())
    }

    fn for_stmt(&mut self, s: &'a ast::StmtFor) -> Result<()> {
        if s.is_async {
            return self.async_for(s);
        }
        let (next, exit, otherwise) = (self.label(), self.label(), self.label());
        let iterator = self.temp()?;
        self.expr(&s.iter, iterator)?;
        let before = self.at(s.iter.range());
        self.emit(opcode::ITER, iterator, iterator, 0);
        let assigned = self.f().assigned.clone();
        self.place(next);
        let top = self.f().top;
        match self.direct(&s.target) {
            Some(register) => {
                self.jump(opcode::FOR, register, iterator, otherwise);
                self.note_assigned(register);
            }
            None => {
                let value = self.temp()?;
                self.jump(opcode::FOR, value, iterator, otherwise);
                self.assign(&s.target, value)?;
            }
        }
        self.at(before);
        self.free(top);
        self.loop_body(s, next, exit, otherwise, assigned)
    }

    /// What a loop does with its variable, and behind the last item: `next` and `exit` are where
    /// `continue` and `break` go, `otherwise` is behind the last item, and before the loop these
    /// variables were assigned.
    pub(super) fn loop_body(
        &mut self,
        s: &'a ast::StmtFor,
        next: Label,
        exit: Label,
        otherwise: Label,
        assigned: Vec<bool>,
    ) -> Result<()> {
        self.enter(BlockKind::Loop { exit, next });
        self.stmts(&s.body)?;
        self.jump(opcode::LOOP, 0, 0, next);
        self.leave(None);
        self.place(otherwise);
        self.f().assigned = assigned.clone();
        self.stmts(&s.orelse)?;
        self.f().assigned = assigned;
        self.place(exit);
        Ok(())
    }

    fn return_stmt(&mut self, s: &'a ast::StmtReturn) -> Result<()> {
        if self.kind() != Kind::Function {
            return Err(self.error("'return' outside function", s.range));
        }
        if s.value.is_some() && self.f().code.kind == code::Kind::AsyncGenerator {
            return Err(self.error("'return' with value in async generator", s.range));
        }
        let leaves_early = self
            .f()
            .blocks
            .iter()
            .any(|block| !matches!(block.kind, BlockKind::Loop { .. } | BlockKind::Try));
        let value = match &s.value {
            // What is done before it returns could change a variable.
            Some(value) if !leaves_early => self.operand(value)?,
            Some(value) => {
                let register = self.temp()?;
                self.expr(value, register)?;
                register
            }
            None => {
                let register = self.temp()?;
                self.load_const(Const::None, register)?;
                register
            }
        };
        self.unwind(0)?;
        self.emit(opcode::RETURN, value, 0, 0);
        self.rest_of_unwound();
        Ok(())
    }

    /// `break` or `continue`
    fn break_stmt(&mut self, range: TextRange, is_break: bool) -> Result<()> {
        let blocks = &self.f().blocks;
        let is_loop = |kind: &BlockKind<'_>| matches!(kind, BlockKind::Loop { .. });
        let Some(depth) = blocks.iter().rposition(|block| is_loop(&block.kind)) else {
            let text = match is_break {
                true => "'break' outside loop",
                false => "'continue' not properly in loop",
            };
            return Err(self.error(text, range));
        };
        let BlockKind::Loop { exit, next } = blocks[depth].kind else {
            unreachable!("it was found so");
        };
        self.unwind(depth + 1)?;
        match is_break {
            true => self.jump(opcode::JUMP, 0, 0, exit),
            false => self.jump(opcode::LOOP, 0, 0, next),
        }
        self.rest_of_unwound();
        Ok(())
    }

    /// The last instruction is still outside of what was left.
    fn rest_of_unwound(&mut self) {
        let pc = self.pc();
        for block in &mut self.f().blocks {
            if block.open + 1 == pc {
                block.open = pc;
            }
        }
    }
}

/// What has a value on both ways.
pub(super) fn both(a: &[bool], b: &[bool]) -> Vec<bool> {
    a.iter().zip(b).map(|(&a, &b)| a && b).collect()
}
