//! The constants of primitive types, and the numbers of enums' variants. In: a type and a
//! constant's or variant's name. Out: its value and type. Invariant: they are rustc's.

use crate::check::fcx::FnCx;
use crate::check::hir::{Expr, Kind};
use crate::cx::sources::Env;
use crate::items::{Def, EnumId, Ns};
use crate::names::written::prim_ty;
use crate::source::diag::DiagCode;
use crate::source::syntax::plain;
use crate::tast::{IntTy, Span};
use crate::types::ty::{Ty, int_range};

impl FnCx<'_> {
    /// `Enum::Variant` in a cast: its number, if the operand is that.
    pub(in crate::check) fn discriminant(&mut self, expr: &syn::Expr) -> Option<Expr> {
        let syn::Expr::Path(path) = expr else {
            return None;
        };
        let segs = plain(&path.path);
        let (id, index) = match self.cx.krate.resolve(
            self.site.env.module,
            segs.global,
            &segs.segs,
            Ns::Values,
        )? {
            (Def::Variant(id, index), _) => (id, index),
            _ => return None,
        };
        let span = self.span(expr);
        let known = self.cx.diags.list.len();
        match self.variant_number(id, index, span) {
            Some(value) => Some(Expr::new(Kind::Value(value), Ty::Int(IntTy::I64), span)),
            None => (self.cx.diags.list.len() > known).then(|| Expr::error(span)),
        }
    }

    /// The number of an enum's variant; complains at `at` if there is none.
    pub(in crate::check) fn variant_number(
        &mut self,
        id: EnumId,
        index: usize,
        at: Span,
    ) -> Option<i64> {
        let item = self.cx.krate.enums[id].clone();
        let mut value: i64 = -1;
        for variant in &item.variants[..=index] {
            if !matches!(variant.fields, syn::Fields::Unit) {
                let what = "the number of a variant with fields";
                self.err(DiagCode::Unsupported, at, &[what]);
                return None;
            }
            value = match &variant.discriminant {
                None => value.wrapping_add(1),
                Some((_, number)) => self.cx.const_int(number, Env::of(item.module))?,
            };
        }
        Some(value)
    }
}

/// A constant of a primitive type.
pub(in crate::check) fn prim_const(prim: &str, name: &str) -> Option<(Kind, Ty)> {
    match prim_ty(prim)? {
        Ty::Int(int) => int_const(int, name),
        Ty::F64 => {
            let value = match name {
                "NAN" => f64::NAN,
                "INFINITY" => f64::INFINITY,
                "NEG_INFINITY" => f64::NEG_INFINITY,
                "MAX" => f64::MAX,
                "MIN" => f64::MIN,
                "MIN_POSITIVE" => f64::MIN_POSITIVE,
                "EPSILON" => f64::EPSILON,
                "RADIX" => return Some((Kind::Value(2), Ty::Int(IntTy::U32))),
                "MANTISSA_DIGITS" => return Some((Kind::Value(53), Ty::Int(IntTy::U32))),
                "DIGITS" => return Some((Kind::Value(15), Ty::Int(IntTy::U32))),
                "MIN_EXP" => return Some((Kind::Value(-1021), Ty::Int(IntTy::I32))),
                "MAX_EXP" => return Some((Kind::Value(1024), Ty::Int(IntTy::I32))),
                "MIN_10_EXP" => return Some((Kind::Value(-307), Ty::Int(IntTy::I32))),
                "MAX_10_EXP" => return Some((Kind::Value(308), Ty::Int(IntTy::I32))),
                _ => return None,
            };
            Some((Kind::Float(value), Ty::F64))
        }
        Ty::Char => {
            let value = match name {
                "MIN" => '\0',
                "MAX" => char::MAX,
                "REPLACEMENT_CHARACTER" => char::REPLACEMENT_CHARACTER,
                _ => return None,
            };
            Some((Kind::Value(i64::from(u32::from(value))), Ty::Char))
        }
        _ => None,
    }
}

fn int_const(int: IntTy, name: &str) -> Option<(Kind, Ty)> {
    let (min, max) = int_range(int);
    match name {
        "MIN" => Some((Kind::Value(min), Ty::Int(int))),
        "MAX" => Some((Kind::Value(max), Ty::Int(int))),
        "BITS" => Some((Kind::Value(i64::from(int.bits())), Ty::Int(IntTy::U32))),
        _ => None,
    }
}

/// A constant of `std::f64::consts`.
pub(in crate::check) fn math_const(name: &str) -> Option<f64> {
    use std::f64::consts as c;
    Some(match name {
        "PI" => c::PI,
        "E" => c::E,
        "TAU" => c::TAU,
        "SQRT_2" => c::SQRT_2,
        "LN_2" => c::LN_2,
        "LN_10" => c::LN_10,
        "LOG2_10" => c::LOG2_10,
        "LOG2_E" => c::LOG2_E,
        "LOG10_2" => c::LOG10_2,
        "LOG10_E" => c::LOG10_E,
        "FRAC_PI_2" => c::FRAC_PI_2,
        "FRAC_PI_3" => c::FRAC_PI_3,
        "FRAC_PI_4" => c::FRAC_PI_4,
        "FRAC_PI_6" => c::FRAC_PI_6,
        "FRAC_PI_8" => c::FRAC_PI_8,
        "FRAC_1_PI" => c::FRAC_1_PI,
        "FRAC_2_PI" => c::FRAC_2_PI,
        "FRAC_1_SQRT_2" => c::FRAC_1_SQRT_2,
        "FRAC_2_SQRT_PI" => c::FRAC_2_SQRT_PI,
        _ => return None,
    })
}
