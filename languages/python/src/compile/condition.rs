//! Conditions. In: an expression, and where to go. Out: jumps. Invariant: a condition is evaluated
//! as far as it has to be, and a comparison that decides a jump makes no boolean.

use super::expr::comparison;
use super::{Compiler, Label, Result};
use crate::bytecode::code::Const;
use crate::bytecode::opcode;
use ruff_python_ast::{BoolOp, CmpOp, Expr, UnaryOp};
use ruff_text_size::Ranged;

impl<'a> Compiler<'a> {
    /// Goes to `target` unless the expression is true.
    pub(super) fn jump_unless(&mut self, expr: &'a Expr, target: Label) -> Result<()> {
        let before = self.at(expr.range());
        let top = self.f().top;
        let result = self.unless(expr, target);
        self.free(top);
        self.at(before);
        result
    }

    /// Goes to `target` if the expression is true.
    pub(super) fn jump_if(&mut self, expr: &'a Expr, target: Label) -> Result<()> {
        let before = self.at(expr.range());
        let top = self.f().top;
        let result = self.if_true(expr, target);
        self.free(top);
        self.at(before);
        result
    }

    fn unless(&mut self, expr: &'a Expr, target: Label) -> Result<()> {
        match expr {
            Expr::UnaryOp(e) if e.op == UnaryOp::Not => self.jump_if(&e.operand, target),
            Expr::BoolOp(e) if e.op == BoolOp::And => {
                let mut assigned = None;
                for value in &e.values {
                    self.jump_unless(value, target)?;
                    // Only the first operand is evaluated for certain.
                    assigned.get_or_insert_with(|| self.f().assigned.clone());
                }
                self.f().assigned = assigned.unwrap_or_default();
                Ok(())
            }
            Expr::BoolOp(e) => {
                let end = self.label();
                let (last, others) = e.values.split_last().expect("it has operands");
                let mut assigned = None;
                for value in others {
                    self.jump_if(value, end)?;
                    assigned.get_or_insert_with(|| self.f().assigned.clone());
                }
                self.jump_unless(last, target)?;
                self.f().assigned = assigned.unwrap_or_default();
                self.place(end);
                Ok(())
            }
            Expr::Compare(e) if e.ops.len() == 1 => {
                let left = self.operand(&e.left)?;
                let op = match e.ops[0] {
                    CmpOp::Lt => opcode::UNLESS_LT,
                    CmpOp::LtE => opcode::UNLESS_LE,
                    CmpOp::Gt => opcode::UNLESS_GT,
                    CmpOp::GtE => opcode::UNLESS_GE,
                    CmpOp::Eq => opcode::UNLESS_EQ,
                    CmpOp::NotEq => opcode::UNLESS_NE,
                    op => {
                        if let Some(Const::None) = self.literal(&e.comparators[0])?
                            && matches!(op, CmpOp::Is | CmpOp::IsNot)
                        {
                            let op = match op {
                                CmpOp::Is => opcode::UNLESS_NONE,
                                _ => opcode::IF_NONE,
                            };
                            self.jump(op, left, 0, target);
                            return Ok(());
                        }
                        let right = self.operand(&e.comparators[0])?;
                        let value = self.temp()?;
                        let kind = comparison(op);
                        self.emit(opcode::COMPARE, value, left, right | kind << 16);
                        self.jump(opcode::UNLESS, value, 0, target);
                        return Ok(());
                    }
                };
                let right = self.operand(&e.comparators[0])?;
                self.jump(op, left, right, target);
                Ok(())
            }
            _ => {
                if let Some(Const::Bool(true)) = self.literal(expr)? {
                    return Ok(());
                }
                let value = self.operand(expr)?;
                self.jump(opcode::UNLESS, value, 0, target);
                Ok(())
            }
        }
    }

    fn if_true(&mut self, expr: &'a Expr, target: Label) -> Result<()> {
        match expr {
            Expr::UnaryOp(e) if e.op == UnaryOp::Not => self.jump_unless(&e.operand, target),
            Expr::BoolOp(e) if e.op == BoolOp::Or => {
                let mut assigned = None;
                for value in &e.values {
                    self.jump_if(value, target)?;
                    assigned.get_or_insert_with(|| self.f().assigned.clone());
                }
                self.f().assigned = assigned.unwrap_or_default();
                Ok(())
            }
            Expr::BoolOp(e) => {
                let end = self.label();
                let (last, others) = e.values.split_last().expect("it has operands");
                let mut assigned = None;
                for value in others {
                    self.jump_unless(value, end)?;
                    assigned.get_or_insert_with(|| self.f().assigned.clone());
                }
                self.jump_if(last, target)?;
                self.f().assigned = assigned.unwrap_or_default();
                self.place(end);
                Ok(())
            }
            _ => {
                let value = self.operand(expr)?;
                self.jump(opcode::IF, value, 0, target);
                Ok(())
            }
        }
    }
}
