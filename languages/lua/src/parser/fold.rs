//! Operations on numbers that the text names. In: an operator and operands. Out: the number that
//! they make, if it is known. Invariant: what is an integer literal to PUC Lua is one here: `y - 0`
//! and `y - z` differ where `y` is `-0.0` (see [`crate::opcode::SUB_INT`]).
//!
//! Source: the reference implementation of Lua 5.4, whose code generator folds; constants of
//! `<const>` variables are section 3.3.7 of the manual.

use super::Parser;
use crate::arith;
use crate::ast::*;
use crate::number::Number;
use crate::value::Value;

impl Parser<'_> {
    /// An operand: the number that it is known to be, or else as it was.
    pub(super) fn operand(&self, expr: Expr) -> Expr {
        match self.known(&expr) {
            Some(number) => Expr {
                line: expr.line,
                kind: literal(number),
            },
            None => expr,
        }
    }

    /// Notes what number the last variable of a declaration is, if it is `<const>` and the last
    /// value is a number that is known.
    pub(super) fn note_constant(&mut self, ids: &[VarId], values: &[Expr]) {
        if let (Some(&id), Some(value)) = (ids.last(), values.last())
            && ids.len() == values.len()
            && self.variables[id].attribute == Attribute::Const
            && let Some(number) = self.known(value)
        {
            self.numbers.insert(id, number);
        }
    }

    fn known(&self, expr: &Expr) -> Option<Number> {
        match &expr.kind {
            ExprKind::Int(value) => Some(Number::Int(*value)),
            ExprKind::Float(value) => Some(Number::Float(*value)),
            ExprKind::Var(id) => self.numbers.get(id).copied(),
            ExprKind::Paren(inner) => self.known(inner),
            _ => None,
        }
    }
}

fn literal(number: Number) -> ExprKind {
    match number {
        Number::Int(value) => ExprKind::Int(value),
        Number::Float(value) => ExprKind::Float(value),
    }
}

/// The number that an operation on two literals makes. None where it fails, and, as in PUC Lua,
/// where a float is zero or no number.
pub(super) fn binary(operator: Binary, left: &Expr, right: &Expr) -> Option<ExprKind> {
    let op = operator.instruction()?;
    result(arith::numbers(op, value(left)?, value(right)?))
}

/// The number that `-` or `~` makes of a literal.
pub(super) fn unary(operator: Unary, operand: &Expr) -> Option<ExprKind> {
    match (operator, &operand.kind) {
        (Unary::Neg, ExprKind::Int(value)) => Some(ExprKind::Int(value.wrapping_neg())),
        (Unary::Neg, ExprKind::Float(value)) => Some(ExprKind::Float(-value)),
        (Unary::BNot, ExprKind::Int(value)) => Some(ExprKind::Int(!value)),
        _ => None,
    }
}

fn value(literal: &Expr) -> Option<Value> {
    match literal.kind {
        ExprKind::Int(value) => Some(Value::Int(value)),
        ExprKind::Float(value) => Some(Value::Float(value)),
        _ => None,
    }
}

fn result(value: Value) -> Option<ExprKind> {
    match value {
        Value::Int(value) => Some(ExprKind::Int(value)),
        Value::Float(value) if !value.is_nan() && value != 0.0 => Some(ExprKind::Float(value)),
        _ => None,
    }
}
