//! Methods and functions of integers, floats, `bool` and `char`.
//!
//! In: a receiver or a type, a name, arguments. Out: an operator, an operation of the table, or a
//! call of the function in [`crate::std_model::scalars`] that does the same. Invariant: what a
//! method is, is decided by the receiver's type, which must be known here, as it must be for rustc.

use crate::check::fcx::FnCx;
use crate::check::hir::{Expr, Kind, Op};
use crate::check::std_calls::option_methods::Call;
use crate::check::terms::{CallAt, Callee};
use crate::source::diag::DiagCode;
use crate::source::syntax::strip_ref;
use crate::tast::{BinOp, IntTy, Intrinsic, Span, UnOp};
use crate::types::generics::Inst;
use crate::types::infer::VarKind;
use crate::types::ty::Ty;
use verdigris_ops as ops;
use verdigris_ops::DataOp;

/// Methods that are one operator, with the type of the second operand: that of the first, or `u32`.
pub(in crate::check) const OPERATORS: &[(&str, Op, bool)] = &[
    ("wrapping_add", Op::Binary(BinOp::Add), true),
    ("wrapping_sub", Op::Binary(BinOp::Sub), true),
    ("wrapping_mul", Op::Binary(BinOp::Mul), true),
    ("wrapping_shl", Op::Binary(BinOp::Shl), false),
    ("wrapping_shr", Op::Binary(BinOp::Shr), false),
    ("wrapping_div", Op::Intrinsic(Intrinsic::WrappingDiv), true),
    ("wrapping_rem", Op::Intrinsic(Intrinsic::WrappingRem), true),
];

/// Methods whose arguments are references to what they compare with.
const BY_REFERENCE: &[&str] = &[
    "eq",
    "ne",
    "lt",
    "le",
    "gt",
    "ge",
    "eq_ignore_ascii_case",
    "total_cmp",
];

impl FnCx<'_> {
    /// A method of an integer, a float, a `bool` or a `char`.
    pub(in crate::check) fn prim_method(
        &mut self,
        receiver: Expr,
        name: &str,
        args: &[&syn::Expr],
        span: Span,
        at: Span,
    ) -> Expr {
        let ty = self.infer.shallow(&receiver.ty);
        let bare: Vec<&syn::Expr> = match BY_REFERENCE.contains(&name) {
            true => args.iter().map(|arg| strip_ref(arg)).collect(),
            false => args.to_vec(),
        };
        match (&ty, bare.as_slice()) {
            (_, []) if name == "clone" => receiver,
            (Ty::Int(_) | Ty::Var(_), [arg])
                if let Some((_, op, same)) = OPERATORS.iter().find(|row| row.0 == name) =>
            {
                let wanted = if *same {
                    ty.clone()
                } else {
                    Ty::Int(IntTy::U32)
                };
                let arg = self.coerced(arg, &wanted);
                Expr::op(op.clone(), vec![receiver, arg], ty, span)
            }
            (Ty::Int(_) | Ty::Var(_) | Ty::Char | Ty::Bool, [arg])
                if matches!(name, "min" | "max") =>
            {
                self.min_max(receiver, name == "min", arg, span, at)
            }
            (_, [arg]) if let Some(op) = comparison(name) => {
                let arg = self.coerced(arg, &ty);
                self.binary(op, receiver, arg, span, at)
            }
            (Ty::Bool, [_]) if matches!(name, "then" | "then_some") => {
                let call = Call {
                    receiver,
                    place: None,
                    name: name.to_owned(),
                    args: args.to_vec(),
                    span,
                    at,
                };
                self.method_of_text("bool", call, None)
            }
            _ => match self.prim_unary(name, &ty, bare.len()) {
                Some((op, ty)) => Expr::op(op, vec![receiver], ty, span),
                None => self.scalar_method(receiver, name, &bare, CallAt::new(span, at)),
            },
        }
    }

    /// A method without arguments that is one operation.
    fn prim_unary(&self, name: &str, ty: &Ty, args: usize) -> Option<(Op, Ty)> {
        let signed = match ty {
            Ty::Int(int) => int.signed(),
            _ => true,
        };
        let is_int = matches!(ty, Ty::Int(_) | Ty::Var(_));
        let data = |op| Op::Intrinsic(Intrinsic::Data(op));
        match (name, args) {
            ("wrapping_neg", 0) if is_int && signed => Some((Op::Unary(UnOp::Neg), ty.clone())),
            ("abs" | "wrapping_abs", 0) if is_int => {
                Some((Op::Intrinsic(Intrinsic::IntAbs), ty.clone()))
            }
            ("abs", 0) if *ty == Ty::F64 => Some((data(DataOp::FloatAbs), Ty::F64)),
            ("to_bits", 0) if *ty == Ty::F64 => {
                Some((data(DataOp::FloatBits), Ty::Int(IntTy::U64)))
            }
            _ => None,
        }
    }

    /// A method that is a function of our own source.
    fn scalar_method(
        &mut self,
        receiver: Expr,
        name: &str,
        args: &[&syn::Expr],
        at: CallAt,
    ) -> Expr {
        let ty = self.infer.shallow(&receiver.ty);
        if let Ty::Var(_) = ty {
            self.err(DiagCode::Annotate, receiver.span, &["number"]);
            return self.give_up(args, at.call);
        }
        match self.cx.scalar_fn(&ty, name) {
            Some(id) => self.call_inst(
                Callee::plain(id),
                Some((receiver, None)),
                &args.to_vec(),
                None,
                at,
            ),
            None => {
                let shown = self.show(&ty);
                self.no_method(name, &shown, None, at.callee);
                self.give_up(args, at.call)
            }
        }
    }

    /// A call of a function of our own source with checked arguments.
    pub(in crate::check) fn scalar_call(
        &mut self,
        ty: &Ty,
        name: &str,
        args: Vec<Expr>,
        span: Span,
    ) -> Expr {
        let Some(id) = self.cx.scalar_fn(ty, name) else {
            return Expr::error(span);
        };
        let inst = Inst::plain(id);
        let ret = self.cx.signature(inst).ret.clone();
        let Some(op) = self.target_op(inst, Vec::new(), span) else {
            return Expr::error(span);
        };
        Expr::op(op, args, ret, span)
    }

    /// `op::name(args)`: an operation of the table, in our own source. `op::char` makes a `char` of
    /// its number.
    pub(in crate::check) fn data_op(
        &mut self,
        name: &str,
        args: &[&syn::Expr],
        span: Span,
    ) -> Expr {
        let operands: Vec<Expr> = args.iter().map(|arg| self.expr(arg, None)).collect();
        if name == "char" {
            return Expr::op(Op::Coerce, operands, Ty::Char, span);
        }
        let Some(op) = DataOp::from_name(name) else {
            return self.bad(DiagCode::UnknownName, span, &[name]);
        };
        let ty = match op.ret() {
            Some(ops::Ty::Float) => Ty::F64,
            _ if name.ends_with("_overflows") => Ty::Bool,
            _ => Ty::Int(IntTy::I64),
        };
        Expr::op(Op::Intrinsic(Intrinsic::Data(op)), operands, ty, span)
    }

    /// `a.min(b)` as a comparison of two variables.
    fn min_max(
        &mut self,
        receiver: Expr,
        min: bool,
        arg: &syn::Expr,
        span: Span,
        at: Span,
    ) -> Expr {
        let ty = receiver.ty.clone();
        let a = self.temp("a", ty.clone(), span);
        let b = self.temp("b", ty.clone(), span);
        let first = Expr::bind(a, receiver);
        let arg = self.coerced(arg, &ty);
        let second = Expr::bind(b, arg);
        let (a1, b1) = (self.read(a, span), self.read(b, span));
        let less = self.binary(BinOp::Lt, a1, b1, span, at);
        let (then, other) = if min { (a, b) } else { (b, a) };
        let (then, other) = (self.read(then, span), self.read(other, span));
        let choice = Expr::if_else(less, then, other, ty.clone(), span);
        Expr::block(vec![first, second, choice], ty, span)
    }

    /// A function of a primitive type: a conversion, or a method by its path.
    pub(in crate::check) fn call_prim(
        &mut self,
        ty: &Ty,
        name: &str,
        args: &[&syn::Expr],
        span: Span,
        at: Span,
    ) -> Expr {
        self.note_member(ty, name);
        match (name, args) {
            ("from", [arg]) => {
                let value = self.expr(arg, None);
                self.converted(value, ty, span)
            }
            ("try_from", [arg]) => {
                let value = self.expr(arg, None);
                self.try_converted(value, ty, span)
            }
            ("from_bits", [arg]) if *ty == Ty::F64 => {
                let value = self.coerced(arg, &Ty::Int(IntTy::U64));
                let op = Op::Intrinsic(Intrinsic::Data(DataOp::FloatFromBits));
                Expr::op(op, vec![value], Ty::F64, span)
            }
            // Functions that are no methods.
            (
                "from_u32" | "from_digit" | "from_be" | "from_le" | "from_be_bytes"
                | "from_le_bytes" | "from_ne_bytes",
                args,
            ) if let Some(id) = self.cx.scalar_fn(ty, name) => self.call_inst(
                Callee::plain(id),
                None,
                &args.to_vec(),
                None,
                CallAt::new(span, at),
            ),
            (_, [receiver, rest @ ..]) => {
                let receiver = self.coerced(strip_ref(receiver), ty);
                self.prim_method(receiver, name, rest, span, at)
            }
            _ => {
                let shown = self.show(ty);
                self.no_method(name, &shown, None, at);
                Expr::error(span)
            }
        }
    }

    /// `T::from(value)`: a cast that loses nothing.
    pub(in crate::check) fn converted(&mut self, value: Expr, to: &Ty, span: Span) -> Expr {
        match (self.infer.shallow(&value.ty), to) {
            (Ty::Error, _) => Expr::new(Kind::Error, to.clone(), span),
            (from, to) if from == *to => value,
            (Ty::Bool, Ty::F64) => {
                let byte = Expr::op(Op::Cast, vec![value], Ty::Int(IntTy::U8), span);
                Expr::op(Op::Cast, vec![byte], Ty::F64, span)
            }
            _ => Expr::op(Op::Cast, vec![value], to.clone(), span),
        }
    }

    /// `T::try_from(value)`
    pub(in crate::check) fn try_converted(&mut self, value: Expr, to: &Ty, span: Span) -> Expr {
        if self.infer.hole(&value.ty) == Some(VarKind::Int) {
            self.infer.unify(&value.ty, &Ty::Int(IntTy::I32));
        }
        let from = self.infer.shallow(&value.ty);
        let (function, word) = match (&from, to) {
            (Ty::Error, _) => return Expr::new(Kind::Error, Ty::Error, span),
            (Ty::Int(int), Ty::Int(_)) if int.signed() => ("try_from_signed", IntTy::I64),
            (Ty::Int(_), Ty::Int(_)) => ("try_from_unsigned", IntTy::U64),
            (Ty::Int(IntTy::U32), Ty::Char) => ("try_from_code", IntTy::U32),
            (Ty::Char, Ty::Int(IntTy::U8)) => {
                return self.scalar_call(&Ty::Char, "try_into_u8", vec![value], span);
            }
            (Ty::Char, Ty::Int(IntTy::U16)) => {
                return self.scalar_call(&Ty::Char, "try_into_u16", vec![value], span);
            }
            _ => {
                let what = format!("`{}::try_from`", self.show(to));
                let help =
                    "it is possible from integers to integers, and between `char` and integers";
                return self.bad(DiagCode::UnsupportedWithHelp, span, &[&what, help]);
            }
        };
        let value = Expr::op(Op::Cast, vec![value], Ty::Int(word), span);
        self.scalar_call(to, function, vec![value], span)
    }
}

/// The operator that a method is named after.
fn comparison(name: &str) -> Option<BinOp> {
    Some(match name {
        "eq" => BinOp::Eq,
        "ne" => BinOp::Ne,
        "lt" => BinOp::Lt,
        "le" => BinOp::Le,
        "gt" => BinOp::Gt,
        "ge" => BinOp::Ge,
        _ => return None,
    })
}
