//! Constants of the text. In: expressions. Out: [`Const`]s. Invariant: what is a constant has the
//! value that evaluating it would have.

use super::{Compiler, Result, unsupported};
use crate::bytecode::code::Const;
use ruff_python_ast::{Expr, Number, UnaryOp};

impl Compiler<'_> {
    /// The value of an expression if it is a constant.
    pub(super) fn literal(&mut self, expr: &Expr) -> Result<Option<Const>> {
        let value = match expr {
            Expr::NoneLiteral(_) => Const::None,
            Expr::EllipsisLiteral(_) => Const::Ellipsis,
            Expr::BooleanLiteral(literal) => Const::Bool(literal.value),
            Expr::NumberLiteral(literal) => match &literal.value {
                Number::Int(int) => match int.as_i64() {
                    Some(value) => Const::Int(value),
                    None => Const::Big(decimal(&int.to_string())),
                },
                Number::Float(value) => Const::Float(*value),
                Number::Complex { real, imag } => Const::Complex(*real, *imag),
            },
            Expr::StringLiteral(literal) => {
                let text = literal.value.to_str();
                // The parser has nothing else for half of a surrogate pair.
                let range = literal.range;
                let written = &self.source.text[range.start().to_usize()..range.end().to_usize()];
                if text.contains('\u{fffd}') && written.to_ascii_lowercase().contains("\\ud") {
                    return Err(unsupported::refused(unsupported::SURROGATE, range));
                }
                Const::Str(text.to_string())
            }
            Expr::BytesLiteral(literal) => Const::Bytes(literal.value.bytes().collect()),
            Expr::UnaryOp(unary) if unary.op == UnaryOp::USub => {
                match self.literal(&unary.operand)? {
                    Some(Const::Int(value)) if value != i64::MIN => Const::Int(-value),
                    Some(Const::Float(value)) => Const::Float(-value),
                    Some(Const::Complex(re, im)) => Const::Complex(-re, -im),
                    Some(Const::Big(digits)) if digits == "9223372036854775808" => {
                        Const::Int(i64::MIN)
                    }
                    Some(Const::Big(digits)) => Const::Big(format!("-{digits}")),
                    _ => return Ok(None),
                }
            }
            Expr::Tuple(tuple) => {
                let mut all = Vec::new();
                for item in &tuple.elts {
                    match self.literal(item)? {
                        Some(value) => all.push(value),
                        None => return Ok(None),
                    }
                }
                Const::Tuple(all)
            }
            _ => return Ok(None),
        };
        Ok(Some(value))
    }
}

/// The decimal digits of a number as it is written, without underscores.
fn decimal(written: &str) -> String {
    let lower = written.to_ascii_lowercase();
    let radix = match lower.get(..2) {
        Some("0x") => 16,
        Some("0o") => 8,
        Some("0b") => 2,
        _ => return lower,
    };
    crate::plain::bigint::decimal_of(&lower[2..], radix)
}
