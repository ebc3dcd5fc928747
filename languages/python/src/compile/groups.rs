//! `try` with `except*`. In: statements. Out: instructions that take a group of exceptions apart with
//! functions of the library. Invariant: each clause gets the part that it is for, as what is handled;
//! what clauses raise, and what is left, goes on behind all of them as one exception.

use super::{BlockKind, Compiler, Reg, Result};
use crate::bytecode::opcode;
use ruff_python_ast::{self as ast, ExceptHandler};
use ruff_text_size::Ranged;

/// The module of the library that knows what groups are.
const LIBRARY: &str = "_groups";

impl<'a> Compiler<'a> {
    /// The clauses of a `try` with `except*`: `caught` has the exception, `done` is behind all.
    pub(super) fn clauses(
        &mut self,
        s: &'a ast::StmtTry,
        caught: Reg,
        done: super::Label,
    ) -> Result<()> {
        let before = self.f().assigned.clone();
        self.emit(opcode::PUSH_EXC, caught + 1, caught, 0);
        self.enter(BlockKind::Handler(caught + 1, None));
        let state = self.temp()?;
        self.call_library("begin", &[caught], state)?;
        for clause in &s.handlers {
            let ExceptHandler::ExceptHandler(clause) = clause;
            self.f().assigned = before.clone();
            self.clause(clause, state)?;
        }
        self.f().assigned = before;
        let left = self.temp()?;
        self.call_library("finish", &[state], left)?;
        let goes_on = self.label();
        self.jump(opcode::UNLESS_NONE, left, 0, goes_on);
        self.emit(opcode::POP_EXC, caught + 1, 0, 0);
        self.jump(opcode::JUMP, 0, 0, done);
        self.rest_of_handler(2);
        self.place(goes_on);
        self.emit(opcode::POP_EXC, caught + 1, 0, 0);
        self.emit(opcode::RERAISE, left, 0, 0);
        self.rest_of_handler(2);
        let (cleanup, second) = (self.label(), caught + 2);
        self.place(cleanup);
        self.leave(Some((cleanup, second)));
        self.emit(opcode::POP_EXC, caught + 1, 0, 0);
        self.emit(opcode::RERAISE, second, 0, 0);
        Ok(())
    }

    /// One clause: its body runs if there is a part for it, and what it raises is kept.
    fn clause(&mut self, clause: &'a ast::ExceptHandlerExceptHandler, state: Reg) -> Result<()> {
        let top = self.f().top;
        // The part, what was handled before, what the body raises.
        let part = self.temps(3)?;
        let raised = self.temp()?;
        let kinds = self.temp()?;
        if let Some(expr) = &clause.type_ {
            self.expr(expr, kinds)?;
            let outer = self.at(expr.range());
            self.call_library("match", &[state, kinds], part)?;
            self.at(outer);
        }
        let next = self.label();
        self.jump(opcode::IF_NONE, part, 0, next);
        let (failed, cleanup, ended) = (self.label(), self.label(), self.label());
        self.enter(BlockKind::Try);
        self.emit(opcode::PUSH_EXC, part + 1, part, 0);
        self.enter(BlockKind::Handler(part + 1, None));
        match &clause.name {
            None => {
                self.stmts(&clause.body)?;
                self.emit(opcode::POP_EXC, part + 1, 0, 0);
            }
            Some(name) => {
                let name = self.mangled(name);
                self.store_name(&name, part)?;
                self.named(&name, &clause.body, part)?;
            }
        }
        self.jump(opcode::JUMP, 0, 0, ended);
        self.rest_of_handler(2);
        self.place(cleanup);
        self.leave(Some((cleanup, part + 2)));
        self.emit(opcode::POP_EXC, part + 1, 0, 0);
        self.emit(opcode::RERAISE, part + 2, 0, 0);
        self.place(ended);
        let pc = self.pc();
        self.f().labels[failed.0] = Some(pc + 1);
        self.leave(Some((failed, raised)));
        self.jump(opcode::JUMP, 0, 0, next);
        self.call_library("raised", &[state, raised], kinds)?;
        self.place(next);
        self.free(top);
        Ok(())
    }

    /// Calls a function of the library with what is in registers.
    fn call_library(&mut self, function: &str, args: &[Reg], to: Reg) -> Result<()> {
        let top = self.f().top;
        let callee = self.temps(2 + args.len())?;
        let module = self.temp()?;
        let name = self.name(LIBRARY);
        self.emit(opcode::IMPORT, module, 0, name);
        let name = self.name(function);
        self.emit(opcode::METHOD, callee, module, name);
        for (n, &arg) in args.iter().enumerate() {
            self.emit(opcode::MOVE, callee + 2 + n, arg, 0);
        }
        self.emit(opcode::CALL_METHOD, callee, args.len(), 0);
        self.emit(opcode::MOVE, to, callee, 0);
        self.free(top);
        Ok(())
    }
}
