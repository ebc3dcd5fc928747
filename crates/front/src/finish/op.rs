//! Operations: what could only be judged with final types, and operations of types that were not known before.
//!
//! In: an operation and its operands while types were inferred. Out: the typed expression. Invariant: as in [`super`].

use super::{Finish, plain};
use crate::check::{Message, symbol};
use crate::cx::ClassSrc;
use crate::diag::{Code, Diagnostic};
use crate::hir::{self, Kind, Op};
use crate::layout::Layouts;
use crate::support::Words;
use crate::tast::{BinOp, Expr, ExprKind, IntTy, Span, Type, UnOp};
use verdigris_ops::FnKind;

impl Finish<'_, '_> {
    pub(super) fn op(&mut self, op: Op, operands: Vec<hir::Expr>, ty: Type, span: Span) -> Expr {
        if let (
            Op::Unary(UnOp::Neg),
            [
                hir::Expr {
                    kind: Kind::Lit(value),
                    ..
                },
            ],
        ) = (&op, operands.as_slice())
        {
            let kind = ExprKind::Int(self.int(true, *value, &ty, span));
            return Expr { kind, ty, span };
        }
        if let Op::Message(message) = op {
            return self.message(&message, operands, span);
        }
        if op == Op::Kind {
            self.err(Code::KindValue, span, &[]);
        }
        if let (Op::Binary(op @ (BinOp::Eq | BinOp::Ne)), Some(left)) = (&op, operands.first()) {
            let left = self.fcx.infer.deep(&left.ty);
            if !self.fcx.cx.compares_parts(&left) {
                let shown = self.fcx.cx.show(&left);
                let help = "write `#[derive(PartialEq)]`, or compare the parts";
                self.err(Code::BadOperator, span, &[symbol(*op), &shown, help]);
            }
        }
        let operands = self.exprs(operands);
        let kind = self.op_kind(op, operands, &ty, span);
        Expr { kind, ty, span }
    }

    /// The type of an array's items.
    fn item_of(&self, class: verdigris_ops::ClassId) -> Type {
        match &self.fcx.cx.classes[class] {
            ClassSrc::Array { item, .. } => plain(item),
            ClassSrc::Struct { .. } => Type::Unit,
        }
    }

    /// `array[index].clear()`: only references keep something alive; else it is enough that the index is checked.
    fn vacate(&mut self, operands: Vec<Expr>) -> ExprKind {
        let Ok([array, index]) = <[Expr; 2]>::try_from(operands) else {
            return ExprKind::Unit;
        };
        let Type::Array(class) = array.ty else {
            return ExprKind::Unit;
        };
        let (item, span) = (self.item_of(class), array.span);
        let parts = Layouts::new(&self.fcx.cx.adts).components(&item);
        let (array, index) = (Box::new(array), Box::new(index));
        if parts.contains(&verdigris_ops::Ty::Ref) {
            let zero = self.zero(&item, span);
            return ExprKind::SetItem(array, index, Box::new(zero));
        }
        let read = Expr {
            kind: ExprKind::GetItem(array, index),
            ty: item,
            span,
        };
        let unit = Expr {
            kind: ExprKind::Unit,
            ty: Type::Unit,
            span,
        };
        ExprKind::Block(vec![read, unit])
    }

    /// A value whose words are all zero. Of references, there is none that code may look at.
    fn zero(&self, ty: &Type, span: Span) -> Expr {
        let make = |fields: Vec<Type>| {
            let fields = fields.iter().zip(0..);
            let fields = fields.map(|(ty, n)| (n, self.zero(ty, span)));
            ExprKind::Make(0, fields.collect())
        };
        let kind = match ty {
            Type::F64 => ExprKind::Float(0.0),
            ty if ty.is_ref() => {
                let none = Expr {
                    kind: ExprKind::Make(0, Vec::new()),
                    ty: Type::Option(Box::new(ty.clone())),
                    span,
                };
                ExprKind::Coerce(Box::new(none))
            }
            Type::Option(_) => make(Vec::new()),
            Type::Result(..) | Type::Tuple(_) | Type::Adt(_) => {
                make(self.fcx.cx.field_types(ty, 0))
            }
            Type::Unit => ExprKind::Unit,
            _ => ExprKind::Int(0),
        };
        Expr {
            kind,
            ty: ty.clone(),
            span,
        }
    }

    /// A call that panics with a message made of the operands.
    fn message(&mut self, message: &Message, operands: Vec<hir::Expr>, span: Span) -> Expr {
        let (mut words, mut values) = (Words::default(), Vec::new());
        for operand in &operands {
            let ty = self.fcx.infer.deep(&operand.ty);
            let Some(value) = self.fcx.cx.passed(&ty, &mut words) else {
                let shown = self.fcx.cx.show(&ty);
                self.err(Code::MessageValue, operand.span, &[&shown]);
                return self.expr(hir::Expr::unit(span));
            };
            values.push(value);
        }
        let body = message.text(&values);
        let id = self.fcx.cx.support_fn(words, None, body, FnKind::Opaque);
        Expr {
            kind: ExprKind::CallFn(id, self.exprs(operands)),
            ty: Type::Unit,
            span,
        }
    }

    /// A field of a class by its number.
    fn field_id(&self, class: verdigris_ops::ClassId, n: u32) -> Option<verdigris_ops::FieldId> {
        let fields = self.fcx.cx.class_fields(class);
        fields.get(n as usize).map(|f| f.id)
    }

    fn op_kind(&mut self, op: Op, mut operands: Vec<Expr>, ty: &Type, span: Span) -> ExprKind {
        match (&op, operands.as_slice()) {
            (Op::Binary(bin), [left, _]) => self.check_binary(*bin, &left.ty, span),
            (Op::Unary(UnOp::Neg), [x]) => {
                if let Type::Int(int) = x.ty
                    && !int.signed()
                {
                    self.err(
                        Code::BadOperator,
                        span,
                        &["-", crate::names::int_name(int), ""],
                    );
                }
            }
            (Op::Cast, [x]) => self.check_cast(&x.ty.clone(), ty, span),
            _ => {}
        }
        let mut next = || Box::new(take_first(&mut operands, span));
        match op {
            Op::Binary(op) => ExprKind::Binary(op, next(), next()),
            Op::Unary(op) => ExprKind::Unary(op, next()),
            Op::Cast => ExprKind::Cast(next()),
            Op::Coerce => ExprKind::Coerce(next()),
            Op::Make(variant, fields) => {
                ExprKind::Make(variant, fields.into_iter().zip(operands).collect())
            }
            Op::Part(index) => ExprKind::Part(next(), index),
            Op::Payload(variant, index) => ExprKind::Payload(next(), variant, index),
            Op::Tag => ExprKind::Tag(next()),
            Op::Intrinsic(op) => ExprKind::Intrinsic(op, operands),
            Op::GetField(field) => ExprKind::GetField(next(), field),
            Op::SetField(field) => ExprKind::SetField(next(), field, next()),
            Op::GetItem => ExprKind::GetItem(next(), next()),
            Op::SetItem => ExprKind::SetItem(next(), next(), next()),
            Op::ArrayLen => ExprKind::ArrayLen(next()),
            Op::New(class, fields) => {
                ExprKind::New(class, fields.into_iter().zip(operands).collect())
            }
            Op::NewOf(fields) => match ty {
                Type::Gc(class) => {
                    let fields = fields.into_iter().filter_map(|n| self.field_id(*class, n));
                    ExprKind::New(*class, fields.zip(operands).collect())
                }
                // There has been a complaint about a class of unknown type.
                _ => ExprKind::Unit,
            },
            Op::GetFieldOf(field) => {
                let object = next();
                let found = match object.ty {
                    Type::Gc(class) => self.field_id(class, field),
                    _ => None,
                };
                found.map_or(ExprKind::Unit, |field| ExprKind::GetField(object, field))
            }
            Op::NewVacant => match ty {
                Type::Array(class) => {
                    let fill = self.zero(&self.item_of(*class), span);
                    ExprKind::NewArray(*class, next(), Box::new(fill))
                }
                _ => ExprKind::Unit,
            },
            Op::Vacate => self.vacate(operands),
            Op::NewArray => match ty {
                Type::Array(class) => ExprKind::NewArray(*class, next(), next()),
                // There has been a complaint about an array of unknown type.
                _ => ExprKind::Unit,
            },
            Op::Call(func, lent) => ExprKind::Call(func, operands, lent),
            Op::Pending(n) => match self.fcx.pending[n].op.take() {
                Some(op) => self.op_kind(op, operands, ty, span),
                // There has been a complaint about the callee.
                None => ExprKind::Unit,
            },
            Op::CallFn(called) => ExprKind::CallFn(called, operands),
            // It has been taken care of.
            Op::Message(_) => ExprKind::Unit,
            Op::Promote => ExprKind::Promote(next()),
            Op::Ask(false) => ExprKind::IsConstant(next()),
            Op::Ask(true) => ExprKind::IsVirtual(next()),
            Op::Concrete => ExprKind::Concrete(next()),
            Op::Kind => ExprKind::Kind(next()),
        }
    }

    fn check_binary(&mut self, op: BinOp, left: &Type, span: Span) {
        let arithmetic = matches!(op, BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Div);
        let comparison = crate::check::is_comparison(op);
        let identity = matches!(op, BinOp::Eq | BinOp::Ne);
        let bitwise = matches!(op, BinOp::And | BinOp::Or | BinOp::Xor);
        let fits = match left {
            Type::Int(_) | Type::Never => true,
            Type::F64 => arithmetic || comparison,
            Type::Bool => bitwise || comparison,
            Type::Char => comparison,
            Type::Gc(_) | Type::Array(_) | Type::Object(_) => identity,
            Type::Option(_)
            | Type::Result(..)
            | Type::Tuple(_)
            | Type::Adt(_)
            | Type::Fixed(..) => identity,
            // Units stand for mistakes here.
            Type::Unit => true,
            Type::Kind(_) | Type::Foreign { .. } => false,
        };
        if !fits {
            self.err(Code::BadOperator, span, &[symbol(op), "this type", ""]);
        }
    }

    fn check_cast(&mut self, from: &Type, to: &Type, span: Span) {
        let fits = matches!(
            (from, to),
            (Type::Never | Type::Unit, _)
                | (_, Type::Unit)
                | (Type::Int(_) | Type::F64, Type::Int(_) | Type::F64)
                | (Type::Bool, Type::Int(_) | Type::Bool)
                | (Type::Char, Type::Int(_) | Type::Char)
                | (Type::Int(IntTy::U8), Type::Char)
        );
        if !fits {
            let words = [self.fcx.cx.show_type(from), self.fcx.cx.show_type(to)];
            let mut d = Diagnostic::new(Code::BadCast, span, &[&words[0], &words[1]]);
            match to {
                Type::Bool => d = d.help("compare with zero instead, as in `x != 0`"),
                Type::Char => {
                    d = d.help("only a `u8` can be cast as `char`; write `char::from_u32(x)`")
                }
                _ => {}
            }
            self.fcx.cx.report(d);
        }
    }
}

fn take_first(operands: &mut Vec<Expr>, span: Span) -> Expr {
    match operands.is_empty() {
        false => operands.remove(0),
        true => Expr {
            kind: ExprKind::Unit,
            ty: Type::Unit,
            span,
        },
    }
}
