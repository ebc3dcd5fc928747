//! Where a function waits: `yield`, `yield from`, `await`, and the loops of `async for`. In:
//! registers with what is asked. Out: instructions. Invariant: behind each `YIELD` is a `RESUMED`;
//! where something else is asked, its `c` says so, and a `LOOP` back to the `SEND` is behind it.

use super::{BlockKind, Compiler, Label, Reg, Result};
use crate::bytecode::code::Kind;
use crate::bytecode::opcode;
use ruff_python_ast::{self as ast, Expr};
use ruff_text_size::Ranged;

impl<'a> Compiler<'a> {
    /// Yields what is in a register, which is what is sent then. `thrown` is for what is thrown.
    pub(super) fn yield_value(&mut self, value: Reg, thrown: Reg) {
        let behind = match self.f().code.kind {
            Kind::AsyncGenerator => opcode::AFTER_ASYNC_YIELD,
            _ => opcode::AFTER_YIELD,
        };
        self.pause(value, thrown, behind);
    }

    fn pause(&mut self, value: Reg, thrown: Reg, waits_for: usize) {
        let is_handler = |kind: &BlockKind<'_>| matches!(kind, BlockKind::Handler(..));
        let handling = match self.f().blocks.iter().any(|block| is_handler(&block.kind)) {
            true => opcode::HANDLING,
            false => 0,
        };
        self.emit(opcode::YIELD, value, 0, 0);
        self.emit(opcode::RESUMED, value, thrown, waits_for | handling);
    }

    pub(super) fn yield_from(&mut self, value: &'a Expr, to: Reg) -> Result<()> {
        let iterator = self.temp()?;
        self.expr(value, iterator)?;
        self.emit(opcode::ITER, iterator, iterator, 1);
        self.ask(iterator, to)
    }

    /// Awaits what is in a register. `kind` is that of `AWAITABLE`.
    pub(super) fn await_value(&mut self, value: Reg, kind: usize, to: Reg) -> Result<()> {
        let top = self.f().top;
        let asked = self.temp()?;
        self.emit(opcode::AWAITABLE, asked, value, kind);
        self.ask(asked, to)?;
        self.free(top);
        Ok(())
    }

    /// Asks an iterator until it ends, and hands on what is sent and thrown meanwhile.
    fn ask(&mut self, iterator: Reg, to: Reg) -> Result<()> {
        let (next, done) = (self.label(), self.label());
        let sent = self.temp()?;
        let thrown = self.temp()?;
        let caught = self.temp()?;
        self.none(sent)?;
        self.place(next);
        self.jump(opcode::SEND, sent, iterator, done);
        let pause = self.label();
        self.place(pause);
        self.enter(BlockKind::Try);
        self.pause(sent, thrown, opcode::WHILE_ASKING);
        let handler = self.label();
        self.jump(opcode::LOOP, 0, 0, next);
        self.place(handler);
        self.leave(Some((handler, caught)));
        self.emit(opcode::MOVE, sent, caught, 0);
        self.jump(opcode::THROW, sent, iterator, done);
        self.jump(opcode::LOOP, 0, 0, pause);
        self.place(done);
        self.emit(opcode::MOVE, to, sent, 0);
        Ok(())
    }

    /// The next item of an asynchronous iterator in a new temporary; control goes to `end` if there
    /// is none.
    pub(super) fn async_next(&mut self, iterator: Reg, end: Label) -> Result<Reg> {
        let value = self.temp()?;
        let caught = self.temp()?;
        let (handler, body) = (self.label(), self.label());
        self.enter(BlockKind::Try);
        let top = self.f().top;
        let asked = self.temp()?;
        self.emit(opcode::ANEXT, asked, iterator, 0);
        self.ask(asked, value)?;
        self.free(top);
        let pc = self.pc();
        self.f().labels[handler.0] = Some(pc + 1);
        self.leave(Some((handler, caught)));
        // The jump over the handler is not tried.
        self.jump(opcode::JUMP, 0, 0, body);
        self.jump(opcode::END_ASYNC, caught, 0, end);
        self.place(body);
        Ok(value)
    }

    pub(super) fn async_for(&mut self, s: &'a ast::StmtFor) -> Result<()> {
        let (next, exit, otherwise) = (self.label(), self.label(), self.label());
        let iterator = self.temp()?;
        self.expr(&s.iter, iterator)?;
        let before = self.at(s.iter.range());
        self.emit(opcode::AITER, iterator, iterator, 0);
        let assigned = self.f().assigned.clone();
        self.place(next);
        let top = self.f().top;
        let value = self.async_next(iterator, otherwise)?;
        self.assign(&s.target, value)?;
        self.at(before);
        self.free(top);
        self.loop_body(s, next, exit, otherwise, assigned)
    }
}
