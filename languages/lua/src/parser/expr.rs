//! Expressions. In: tokens. Out: a tree in which operators with two operands bind as tight as the
//! manual says. Invariant: a chain of `..` is one expression.

use super::{Parsed, Parser, add, fold};
use crate::ast::*;
use crate::lexer::Token;

impl Parser<'_> {
    pub(super) fn expressions(&mut self) -> Parsed<Vec<Expr>> {
        let mut all = vec![self.expression()?];
        while self.accept_sign(",")? {
            all.push(self.expression()?);
        }
        Ok(all)
    }

    pub(super) fn expression(&mut self) -> Parsed<Expr> {
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
                let mut line = parser.line;
                parser.advance()?;
                let right = parser.operators(right_power)?;
                match operator {
                    // One instruction does all of them, where the last one stands.
                    Infix::Concat if matches!(right.kind, ExprKind::Concat(_)) => {
                        line = right.line;
                    }
                    Infix::Binary(operator) if operator.instruction().is_none() => {
                        line = parser.last_line;
                    }
                    _ => {}
                }
                let kind = match operator {
                    Infix::Binary(operator) => {
                        let (left, right) = (parser.operand(left), parser.operand(right));
                        fold::binary(operator, &left, &right).unwrap_or_else(|| {
                            ExprKind::Binary(operator, Box::new(left), Box::new(right))
                        })
                    }
                    Infix::And => ExprKind::And(Box::new(left), Box::new(right)),
                    Infix::Or => ExprKind::Or(Box::new(left), Box::new(right)),
                    Infix::Concat => concatenated(left, right),
                };
                left = Expr { line, kind };
            }
            Ok(left)
        })
    }

    pub(super) fn prefixed(&mut self) -> Parsed<Expr> {
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
        let operand = self.operand(operand);
        let kind = fold::unary(operator, &operand)
            .unwrap_or_else(|| ExprKind::Unary(operator, Box::new(operand)));
        Ok(Expr { line, kind })
    }

    pub(super) fn simple(&mut self) -> Parsed<Expr> {
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
                let value = self.expression()?;
                add(&mut fields, Field::Pair(key, value, self.last_line))?;
            } else if matches!(self.token, Token::Name(_)) && *self.peek()? == Token::Sign("=") {
                let name = self.name()?;
                self.advance()?;
                let key = Expr {
                    line: field_line,
                    kind: ExprKind::Text(name.into_bytes()),
                };
                let value = self.expression()?;
                add(&mut fields, Field::Pair(key, value, self.last_line))?;
            } else {
                add(&mut fields, Field::Item(self.expression()?))?;
            }
            if !self.accept_sign(",")? && !self.accept_sign(";")? {
                break;
            }
        }
        self.closing("}", "{", line)?;
        Ok(Expr {
            line,
            kind: ExprKind::Table(fields, self.last_line),
        })
    }

    /// A name or an expression in parentheses, and what is behind it.
    pub(super) fn suffixed(&mut self) -> Parsed<Expr> {
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
                    let at = self.last_line;
                    let args = self.arguments()?;
                    ExprKind::Method(Box::new(expr), name, args, at)
                }
                Token::Sign("(" | "{") | Token::Text(_) => {
                    let args = self.arguments()?;
                    ExprKind::Call(Box::new(expr), args)
                }
                _ => return Ok(expr),
            };
            // A call stands where the whole begins, what is read from a table where its key is.
            let line = match kind {
                ExprKind::Index(..) => self.last_line,
                _ => line,
            };
            expr = Expr { line, kind };
        }
    }

    pub(super) fn arguments(&mut self) -> Parsed<Vec<Expr>> {
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
                let mut args = if self.is_sign(")") {
                    Vec::new()
                } else {
                    self.expressions()?
                };
                self.closing(")", "(", line)?;
                // What takes no operation is done when all has been read.
                if let Some(last) = args.last_mut()
                    && is_simple(&last.kind)
                {
                    last.line = self.last_line;
                }
                Ok(args)
            }
            _ => self.near("function arguments expected"),
        }
    }
}

/// Whether an expression is a constant, or read from somewhere.
fn is_simple(kind: &ExprKind) -> bool {
    use ExprKind::*;
    matches!(
        kind,
        Nil | True | False | Int(_) | Float(_) | Text(_) | Var(_) | Global(_) | Index(..)
    )
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

fn concatenated(left: Expr, right: Expr) -> ExprKind {
    let mut parts = vec![left];
    match right.kind {
        ExprKind::Concat(rest) => parts.extend(rest),
        _ => parts.push(right),
    }
    ExprKind::Concat(parts)
}
