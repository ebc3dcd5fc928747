//! From inference to the typed program: types become final, literals get their values, and what
//! could only be judged with final types is judged.
//!
//! In: [`hir`] and the solved holes. Out: [`tast`]. Invariant: if no diagnostic was made, neither
//! here nor before, then the result satisfies what [`tast`] promises; otherwise it is never looked
//! at.

pub(crate) mod pat;

use crate::check::fcx::FnCx;
use crate::check::hir::{self, Kind, Message, Op};
use crate::cx::sources::ClassSrc;
use crate::glue::support::Words;
use crate::layout::ValueLayouts;
use crate::sabotage::Sabotage;
use crate::source::diag::{DiagCode, Diagnostic};
use crate::tast::{BinOp, Expr, ExprKind, IntTy, Local, LocalId, Span, Type, UnOp, symbol};
use crate::types::ty::{Ty, final_type, int_range};
use cranelift_entity::PrimaryMap;
use verdigris_ops::FnKind;

/// The final form of a function's locals and body.
pub(crate) fn finish(fcx: &mut FnCx<'_>, body: hir::Expr) -> (PrimaryMap<LocalId, Local>, Expr) {
    let mut finish = Finish { fcx };
    let body = finish.expr(body);
    let mut locals = PrimaryMap::new();
    for id in finish.fcx.locals.keys().collect::<Vec<_>>() {
        let info = &finish.fcx.locals[id];
        let (name, ty, span) = (info.name.clone(), info.ty.clone(), info.span);
        let ty = finish.ty(&ty, span);
        locals.push(Local { name, ty });
    }
    (locals, body)
}

pub(crate) struct Finish<'f, 'a> {
    pub fcx: &'f mut FnCx<'a>,
}

impl Finish<'_, '_> {
    pub fn err(&mut self, code: DiagCode, span: Span, words: &[&str]) {
        self.fcx.cx.err(code, span, words);
    }

    /// The final type; complains about holes.
    pub fn ty(&mut self, ty: &Ty, span: Span) -> Type {
        let ty = self.fcx.infer.deep(ty);
        self.no_holes(&ty, "value", span);
        final_type(&ty)
    }

    /// Complains about holes; `what` is what they are the type of.
    fn no_holes(&mut self, ty: &Ty, what: &str, span: Span) {
        match ty {
            Ty::Var(var) => {
                let origin = self.fcx.infer.origin(*var);
                self.err(DiagCode::Annotate, origin, &[what]);
            }
            Ty::Option(inner) => self.no_holes(inner, "option", span),
            Ty::Fixed(item, _) => self.no_holes(item, "array", span),
            Ty::Result(ok, err) => {
                self.no_holes(ok, "result", span);
                self.no_holes(err, "result", span);
            }
            Ty::Tuple(parts) => parts.iter().for_each(|p| self.no_holes(p, "tuple", span)),
            Ty::Fn(_) => {
                let parts = ty.parts().into_iter();
                parts.for_each(|p| self.no_holes(p, "function pointer", span));
            }
            Ty::Cell(_) => self.err(DiagCode::CellByValue, span, &[]),
            Ty::Error => self.fcx.cx.diags.has_errors = true,
            _ => {}
        }
    }

    /// What stands for an expression that there has been a complaint about.
    fn has_errors(&mut self) -> ExprKind {
        self.fcx.cx.diags.has_errors = true;
        ExprKind::Unit
    }

    fn boxed(&mut self, expr: hir::Expr) -> Box<Expr> {
        Box::new(self.expr(expr))
    }

    fn exprs(&mut self, list: Vec<hir::Expr>) -> Vec<Expr> {
        list.into_iter().map(|e| self.expr(e)).collect()
    }

    pub fn expr(&mut self, e: hir::Expr) -> Expr {
        let span = e.span;
        let ty = self.ty(&e.ty, span);
        let kind = match e.kind {
            Kind::Error => self.has_errors(),
            Kind::Unit => ExprKind::Unit,
            Kind::Lit(value) => ExprKind::Int(self.int(false, value, &ty, span)),
            Kind::Value(value) => ExprKind::Int(value),
            Kind::Float(value) => ExprKind::Float(value),
            Kind::Local(local) => ExprKind::Local(local),
            Kind::Let(local, value) => ExprKind::Let(local, self.boxed(*value)),
            Kind::Declare(local) => ExprKind::Declare(local),
            Kind::Assign(local, value) => ExprKind::Assign(local, self.boxed(*value)),
            Kind::AssignPart(place, value) => ExprKind::AssignPart(place, self.boxed(*value)),
            Kind::Op(op, operands) => return self.op(op, operands, ty, span),
            Kind::AndAlso(a, b) => ExprKind::AndAlso(self.boxed(*a), self.boxed(*b)),
            Kind::OrElse(a, b) => ExprKind::OrElse(self.boxed(*a), self.boxed(*b)),
            Kind::If(c, a, b) => ExprKind::If(self.boxed(*c), self.boxed(*a), self.boxed(*b)),
            Kind::Match(value, arms) => return self.match_expr(*value, arms, ty, span),
            Kind::Loop { id, body, once } => ExprKind::Loop {
                id,
                body: self.boxed(*body),
                once,
            },
            Kind::Break(id, value) => ExprKind::Break(id, value.map(|v| self.boxed(*v))),
            Kind::Continue(id) => ExprKind::Continue(id),
            Kind::Return(value) => ExprKind::Return(value.map(|v| self.boxed(*v))),
            Kind::Block(list) => ExprKind::Block(self.exprs(list)),
            Kind::Panic(message) => ExprKind::Panic(message),
            Kind::MergePoint { greens, reds } => ExprKind::MergePoint { greens, reds },
            Kind::CanEnterJit(id) => ExprKind::CanEnterJit(id),
        };
        Expr { kind, ty, span }
    }

    /// The word for an integer literal of this type.
    pub fn int(&mut self, negative: bool, value: u128, ty: &Type, span: Span) -> i64 {
        let Type::Int(int) = ty else {
            // There has been a complaint: literals are integers.
            return 0;
        };
        let (min, max) = int_range(*int);
        let limit = match (negative, int.signed()) {
            (true, true) => min.unsigned_abs(),
            (true, false) => 0,
            (false, _) => max as u64,
        };
        if value > u128::from(limit) {
            self.err(
                DiagCode::LiteralRange,
                span,
                &[crate::names::written::int_name(*int)],
            );
            return 0;
        }
        let word = value as u64 as i64;
        if negative { word.wrapping_neg() } else { word }
    }

    fn op(&mut self, op: Op, operands: Vec<hir::Expr>, ty: Type, span: Span) -> Expr {
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
            self.err(DiagCode::KindValue, span, &[]);
        }
        if let (Op::Binary(op @ (BinOp::Eq | BinOp::Ne)), Some(left)) = (&op, operands.first()) {
            let left = self.fcx.infer.deep(&left.ty);
            if let Some(help) = self.fcx.cx.no_equality(&left) {
                let shown = self.fcx.cx.show(&left);
                self.err(DiagCode::BadOperator, span, &[symbol(*op), &shown, help]);
            }
        }
        let operands = self.exprs(operands);
        let kind = self.op_kind(op, operands, &ty, span);
        Expr { kind, ty, span }
    }

    /// The type of an array's items.
    fn item_of(&self, class: verdigris_ops::ClassId) -> Type {
        match &self.fcx.cx.interned.classes[class] {
            ClassSrc::Array { item, .. } => final_type(item),
            ClassSrc::Struct { .. } => Type::Unit,
        }
    }

    /// `array[index].clear()`: only references keep something alive; else it is enough that the
    /// index is checked.
    fn vacate(&mut self, operands: Vec<Expr>) -> ExprKind {
        let Ok([array, index]) = <[Expr; 2]>::try_from(operands) else {
            return self.has_errors();
        };
        let Type::Array(class) = array.ty else {
            return self.has_errors();
        };
        let (item, span) = (self.item_of(class), array.span);
        let holds_refs = ValueLayouts::new(&self.fcx.cx.interned.adts).holds_refs(&item);
        let (array, index) = (Box::new(array), Box::new(index));
        if holds_refs {
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
                self.err(DiagCode::MessageValue, operand.span, &[&shown]);
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

    /// Reads a field.
    fn get_field(&mut self, object: Expr, field: verdigris_ops::FieldId, span: Span) -> ExprKind {
        match self.fcx.cx.field_reader(field, span) {
            Some(reader) => ExprKind::CallFn(reader, vec![object]),
            None => ExprKind::GetField(Box::new(object), field),
        }
    }

    fn op_kind(&mut self, op: Op, mut operands: Vec<Expr>, ty: &Type, span: Span) -> ExprKind {
        match (&op, operands.as_slice()) {
            (Op::Binary(bin), [left, right]) => self.check_binary(*bin, (left, right), span),
            (Op::Unary(op), [x]) => self.check_unary(*op, &x.ty, span),
            (Op::Cast, [x]) => self.check_cast(&x.ty.clone(), ty, span),
            _ => {}
        }
        let mut next = || Box::new(take_first(&mut operands, span));
        match op {
            Op::Binary(op) => ExprKind::Binary(op, next(), next()),
            Op::Unary(op) => ExprKind::Unary(op, next()),
            Op::Cast => match next() {
                x if x.ty == Type::Int(IntTy::I32) && Sabotage::WrongWidth.is_on() => {
                    let ty = Type::Int(IntTy::U32);
                    let kind = ExprKind::Cast(x);
                    ExprKind::Cast(Box::new(Expr { kind, ty, span }))
                }
                x => ExprKind::Cast(x),
            },
            Op::Coerce => ExprKind::Coerce(next()),
            Op::Make(variant, fields) => {
                ExprKind::Make(variant, fields.into_iter().zip(operands).collect())
            }
            Op::Part(index) => ExprKind::Part(next(), index),
            Op::Payload(variant, index) => ExprKind::Payload(next(), variant, index),
            Op::Tag => ExprKind::Tag(next()),
            Op::Intrinsic(op) => ExprKind::Intrinsic(op, operands),
            Op::GetField(field) => self.get_field(*next(), field, span),
            Op::SetField(field) => ExprKind::SetField(next(), field, next()),
            Op::GetItem => {
                let (array, index) = (next(), next());
                let reader = match array.ty {
                    Type::Array(class) => self.fcx.cx.item_reader(class),
                    _ => None,
                };
                match reader {
                    Some(reader) => ExprKind::CallFn(reader, vec![*array, *index]),
                    None => ExprKind::GetItem(array, index),
                }
            }
            Op::SetItem => ExprKind::SetItem(next(), next(), next()),
            Op::ArrayLen => ExprKind::ArrayLen(next()),
            Op::New(class, fields) => {
                self.fcx.cx.check_made(class, span);
                ExprKind::New(class, fields.into_iter().zip(operands).collect())
            }
            Op::NewOf(fields) => match ty {
                Type::Gc(class) => {
                    self.fcx.cx.check_made(*class, span);
                    let fields = fields.into_iter().filter_map(|n| self.field_id(*class, n));
                    ExprKind::New(*class, fields.zip(operands).collect())
                }
                // There has been a complaint about a class of unknown type.
                _ => self.has_errors(),
            },
            Op::GetFieldOf(field) => {
                let object = next();
                let found = match object.ty {
                    Type::Gc(class) => self.field_id(class, field),
                    _ => None,
                };
                match found {
                    Some(field) => self.get_field(*object, field, span),
                    None => self.has_errors(),
                }
            }
            Op::NewVacant => match ty {
                Type::Array(class) => {
                    let fill = self.zero(&self.item_of(*class), span);
                    ExprKind::NewArray(*class, next(), Box::new(fill))
                }
                _ => self.has_errors(),
            },
            Op::Vacate => self.vacate(operands),
            Op::NewArray => match ty {
                Type::Array(class) => {
                    let (len, fill) = (next(), next());
                    self.fcx.cx.check_made(*class, span);
                    ExprKind::NewArray(*class, len, fill)
                }
                // There has been a complaint about an array of unknown type.
                _ => self.has_errors(),
            },
            Op::Call(func, lent) => ExprKind::Call(func, operands, lent),
            Op::Pending(n) => match self.fcx.pending[n].op.take() {
                Some(op) => self.op_kind(op, operands, ty, span),
                // There has been a complaint about the callee.
                None => self.has_errors(),
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

    fn check_binary(&mut self, op: BinOp, (left, right): (&Expr, &Expr), span: Span) {
        let arithmetic = matches!(op, BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Div);
        let comparison = crate::tast::is_comparison(op);
        let identity = matches!(op, BinOp::Eq | BinOp::Ne);
        let bitwise = matches!(op, BinOp::And | BinOp::Or | BinOp::Xor);
        let shift = matches!(op, BinOp::Shl | BinOp::Shr);
        if shift && !matches!(right.ty, Type::Int(_) | Type::Never | Type::Unit) {
            let words = [symbol(op), "this type", "shift by an integer"];
            self.err(DiagCode::BadOperator, right.span, &words);
        }
        let fits = match left.ty {
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
            Type::Kind(_) | Type::Foreign { .. } | Type::Fn => false,
        };
        if !fits {
            self.err(DiagCode::BadOperator, span, &[symbol(op), "this type", ""]);
        }
    }

    /// The type of the operand may have been found behind the operator.
    fn check_unary(&mut self, op: UnOp, operand: &Type, span: Span) {
        let fits = match operand {
            Type::Int(int) => op == UnOp::Not || int.signed(),
            Type::F64 => op == UnOp::Neg,
            Type::Bool => op == UnOp::Not,
            // Units stand for mistakes here.
            Type::Never | Type::Unit => true,
            _ => false,
        };
        if !fits {
            let symbol = if op == UnOp::Neg { "-" } else { "!" };
            let shown = match operand {
                Type::Int(int) => crate::names::written::int_name(*int),
                _ => "this type",
            };
            self.err(DiagCode::BadOperator, span, &[symbol, shown, ""]);
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
            let mut d = Diagnostic::new(DiagCode::BadCast, span, &[&words[0], &words[1]]);
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
