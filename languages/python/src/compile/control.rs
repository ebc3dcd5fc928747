//! `try` and `with`. In: statements. Out: instructions, and the table of what catches exceptions.
//! Invariant: `finally` is compiled for each way out; an exception that is handled is put back
//! where it was on each of them.

use super::{BlockKind, Compiler, Reg, Result};
use crate::bytecode::opcode;
use ruff_python_ast::{self as ast, ExceptHandler, Stmt};
use ruff_text_size::Ranged;

impl<'a> Compiler<'a> {
    pub(super) fn try_stmt(&mut self, s: &'a ast::StmtTry) -> Result<()> {
        if s.finalbody.is_empty() {
            return self.try_except(s);
        }
        // The exception, and what was handled before.
        let caught = self.temps(2)?;
        let before = self.f().assigned.clone();
        self.enter(BlockKind::Finally(&s.finalbody));
        match s.handlers.is_empty() {
            true => self.stmts(&s.body)?,
            false => self.try_except(s)?,
        }
        let normal = self.label();
        let handler = self.label();
        let after = self.f().assigned.clone();
        let pc = self.pc();
        self.f().labels[handler.0] = Some(pc + 1);
        // The jump over the handler is not tried.
        let jump = self.pc();
        self.leave(Some((handler, caught)));
        self.jump(opcode::JUMP, 0, 0, normal);
        debug_assert_eq!(jump + 1, self.pc());
        self.f().assigned = before;
        self.handler(caught, |compiler| {
            compiler.stmts(&s.finalbody)?;
            compiler.emit(opcode::POP_EXC, caught + 1, 0, 0);
            compiler.emit(opcode::RERAISE, caught, 0, 0);
            Ok(())
        })?;
        self.place(normal);
        self.f().assigned = after;
        self.stmts(&s.finalbody)
    }

    /// What is done with an exception that was caught in a register; the next one keeps what was
    /// handled before. `body` does not go on behind itself.
    fn handler(&mut self, caught: Reg, body: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        let cleanup = self.label();
        let second = self.temp()?;
        self.emit(opcode::PUSH_EXC, caught + 1, caught, 0);
        self.enter(BlockKind::Handler(caught + 1, None));
        body(self)?;
        self.place(cleanup);
        self.leave(Some((cleanup, second)));
        self.emit(opcode::POP_EXC, caught + 1, 0, 0);
        self.emit(opcode::RERAISE, second, 0, 0);
        Ok(())
    }

    /// `try` with `except` and `else`.
    fn try_except(&mut self, s: &'a ast::StmtTry) -> Result<()> {
        let top = self.f().top;
        let caught = self.temps(3)?;
        let (handler, done) = (self.label(), self.label());
        let before = self.f().assigned.clone();
        self.enter(BlockKind::Try);
        self.stmts(&s.body)?;
        let orelse = self.label();
        let pc = self.pc();
        self.f().labels[handler.0] = Some(pc + 1);
        self.leave(Some((handler, caught)));
        self.jump(opcode::JUMP, 0, 0, orelse);
        let after_body = self.f().assigned.clone();
        self.f().assigned = before.clone();
        match s.is_star {
            true => self.clauses(s, caught, done)?,
            false => self.handlers(s, caught, done)?,
        }
        self.place(orelse);
        self.f().assigned = after_body;
        self.stmts(&s.orelse)?;
        self.place(done);
        self.f().assigned = before;
        self.free(top);
        Ok(())
    }

    fn handlers(&mut self, s: &'a ast::StmtTry, caught: Reg, done: super::Label) -> Result<()> {
        let before = self.f().assigned.clone();
        let second = caught + 2;
        self.emit(opcode::PUSH_EXC, caught + 1, caught, 0);
        let cleanup = self.label();
        self.enter(BlockKind::Handler(caught + 1, None));
        for (n, clause) in s.handlers.iter().enumerate() {
            let ExceptHandler::ExceptHandler(clause) = clause;
            let next = self.label();
            self.f().assigned = before.clone();
            match &clause.type_ {
                Some(expr) => {
                    let top = self.f().top;
                    let class = self.operand(expr)?;
                    let outer = self.at(expr.range());
                    self.jump(opcode::UNLESS_MATCH, caught, class, next);
                    self.at(outer);
                    self.free(top);
                }
                None if n + 1 < s.handlers.len() => {
                    let text = "default 'except:' must be last";
                    return Err(self.error(text, clause.range));
                }
                None => {}
            }
            match &clause.name {
                None => {
                    self.stmts(&clause.body)?;
                    self.emit(opcode::POP_EXC, caught + 1, 0, 0);
                }
                Some(name) => {
                    let name = self.mangled(name);
                    self.store_name(&name, caught)?;
                    self.named(&name, &clause.body, caught)?;
                }
            }
            self.jump(opcode::JUMP, 0, 0, done);
            self.rest_of_handler(2);
            self.place(next);
        }
        self.emit(opcode::POP_EXC, caught + 1, 0, 0);
        self.emit(opcode::RERAISE, caught, 0, 0);
        self.rest_of_handler(2);
        let pc = self.pc();
        self.f().labels[cleanup.0] = Some(pc);
        self.leave(Some((cleanup, second)));
        self.emit(opcode::POP_EXC, caught + 1, 0, 0);
        self.emit(opcode::RERAISE, second, 0, 0);
        Ok(())
    }

    /// The last instructions put back what was handled: the innermost block does not catch there.
    pub(super) fn rest_of_handler(&mut self, count: usize) {
        let pc = self.pc();
        let block = self.f().blocks.last_mut().expect("a handler is a block");
        let end = (pc - count).max(block.open);
        block.ranges.push((block.open, end));
        block.open = pc;
    }

    /// The body of a handler whose exception has a name, which it loses behind it.
    pub(super) fn named(&mut self, name: &str, body: &'a [Stmt], caught: Reg) -> Result<()> {
        let top = self.f().top;
        let second = self.temp()?;
        let cleanup = self.label();
        // In place of the block around it, which does less.
        self.enter(BlockKind::Handler(caught + 1, Some(name.to_string())));
        let outer = self.f().blocks.len() - 2;
        let kind = std::mem::replace(&mut self.f().blocks[outer].kind, BlockKind::Try);
        self.stmts(body)?;
        let pc = self.pc();
        self.f().labels[cleanup.0] = Some(pc);
        self.leave(Some((cleanup, second)));
        self.f().blocks[outer].kind = kind;
        // The way without an exception comes first: the handler is behind it.
        let normal = self.label();
        let handlers = self.f().code.handlers.len();
        self.jump(opcode::JUMP, 0, 0, normal);
        let target = self.pc();
        self.retarget(handlers, pc, target);
        self.forget_name(name)?;
        self.emit(opcode::RERAISE, second, 0, 0);
        self.place(normal);
        self.end_handler(caught + 1, Some(name.to_string()))?;
        self.free(top);
        Ok(())
    }

    /// The handlers that have just been added, and go on at `from`, go on at `target`.
    fn retarget(&mut self, all: usize, from: usize, target: usize) {
        for handler in &mut self.f().code.handlers[..all] {
            if handler.target == from {
                handler.target = target;
            }
        }
    }

    fn forget_name(&mut self, name: &str) -> Result<()> {
        let top = self.f().top;
        let register = self.temp()?;
        self.none(register)?;
        self.store_name(name, register)?;
        self.delete_name(name)?;
        self.free(top);
        Ok(())
    }

    pub(super) fn with_stmt(&mut self, s: &'a ast::StmtWith) -> Result<()> {
        self.with_items(&s.items, &s.body, s.is_async)
    }

    fn with_items(
        &mut self,
        items: &'a [ast::WithItem],
        body: &'a [Stmt],
        is_async: bool,
    ) -> Result<()> {
        let Some((item, rest)) = items.split_first() else {
            return self.stmts(body);
        };
        let outer = self.at(item.context_expr.range());
        let manager = self.temp()?;
        self.expr(&item.context_expr, manager)?;
        // `__enter__` is looked for first, and called last.
        let enter = self.temps(2)?;
        let exit = self.temps(2)?;
        let caught = self.temps(3)?;
        let (entering, exiting) = match is_async {
            true => ("__aenter__", "__aexit__"),
            false => ("__enter__", "__exit__"),
        };
        let name = self.name(entering);
        self.emit(opcode::SPECIAL, enter, manager, name);
        let name = self.name(exiting);
        self.emit(opcode::SPECIAL, exit, manager, name);
        self.emit(opcode::CALL_METHOD, enter, 0, 0);
        if is_async {
            self.await_value(enter, 1, enter)?;
        }
        self.at(outer);
        let before = self.f().assigned.clone();
        self.enter(BlockKind::With(exit, is_async));
        if let Some(target) = &item.optional_vars {
            self.assign(target, enter)?;
        }
        self.with_items(rest, body, is_async)?;
        let after = self.f().assigned.clone();
        let (handler, normal, done) = (self.label(), self.label(), self.label());
        let pc = self.pc();
        self.f().labels[handler.0] = Some(pc + 1);
        self.leave(Some((handler, caught)));
        let outer = self.at(item.context_expr.range());
        self.jump(opcode::JUMP, 0, 0, normal);
        self.f().assigned = before;
        self.handler(caught, |compiler| {
            let call = compiler.temps(5)?;
            compiler.emit(opcode::MOVE, call, exit, 0);
            compiler.emit(opcode::MOVE, call + 1, exit + 1, 0);
            compiler.emit(opcode::MOVE, call + 3, caught, 0);
            let index = compiler.name("__class__");
            compiler.emit(opcode::GET_ATTR, call + 2, caught, index);
            let index = compiler.name("__traceback__");
            compiler.emit(opcode::GET_ATTR, call + 4, caught, index);
            compiler.emit(opcode::CALL_METHOD, call, 3, 0);
            if is_async {
                compiler.await_value(call, 2, call)?;
            }
            let swallowed = compiler.label();
            compiler.jump(opcode::IF, call, 0, swallowed);
            compiler.emit(opcode::POP_EXC, caught + 1, 0, 0);
            compiler.emit(opcode::RERAISE, caught, 0, 0);
            compiler.rest_of_handler(2);
            compiler.place(swallowed);
            compiler.emit(opcode::POP_EXC, caught + 1, 0, 0);
            compiler.jump(opcode::JUMP, 0, 0, done);
            compiler.rest_of_handler(2);
            Ok(())
        })?;
        self.place(normal);
        self.f().assigned = after;
        self.exit_without_exception(exit, is_async)?;
        self.place(done);
        self.at(outer);
        Ok(())
    }

    /// Calls `__exit__` with nothing.
    pub(super) fn exit_without_exception(&mut self, exit: Reg, is_async: bool) -> Result<()> {
        let top = self.f().top;
        let call = self.temps(5)?;
        self.emit(opcode::MOVE, call, exit, 0);
        self.emit(opcode::MOVE, call + 1, exit + 1, 0);
        for n in 2..5 {
            self.none(call + n)?;
        }
        self.emit(opcode::CALL_METHOD, call, 3, 0);
        if is_async {
            self.await_value(call, 2, call)?;
        }
        self.free(top);
        Ok(())
    }
}
