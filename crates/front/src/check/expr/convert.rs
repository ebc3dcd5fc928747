//! Conversions and defaults: `From`, `Into`, `Default`.
//!
//! In: a value and the type that it is converted to; or a type. Out: the call of the
//! implementation, or what the standard library or a derive does. Invariant: what is neither
//! implemented in the crate nor understood is refused.

use crate::check::call::ref_impls::Around;
use crate::check::fcx::FnCx;
use crate::check::hir::{Expr, Kind};
use crate::check::terms::{CallAt, Callee, Found, Member};
use crate::items::*;
use crate::source::diag::DiagCode;
use crate::tast::Span;
use crate::types::ty::Ty;

impl FnCx<'_> {
    /// A value converted by `From`; of primitive types, by the standard library's.
    pub(in crate::check) fn convert(&mut self, value: Expr, to: &Ty, at: CallAt) -> Expr {
        let from = self.infer.shallow(&value.ty);
        if matches!(from, Ty::Error | Ty::Never) {
            return Expr::new(Kind::Error, to.clone(), at.call);
        }
        let to = self.infer.shallow(to);
        let key = TraitKey::Std("From".to_owned());
        let found = self.member_of(
            &key,
            (&to, std::slice::from_ref(&from)),
            &Around::default(),
            "from",
            at.callee,
        );
        if let Found::One(Member {
            assoc: Assoc::Fn(item),
            subst,
            by,
        }) = found
        {
            let callee = Callee {
                item,
                subst,
                by,
                turbofish: None,
            };
            return self.call_operands(callee, vec![value], at);
        }
        let to = &to;
        match (to, &from) {
            (Ty::Object(object), _) => self.object_of(value, *object, at.call),
            (Ty::Int(_) | Ty::F64 | Ty::Char, from) if is_scalar(from) => {
                self.converted(value, to, at.call)
            }
            _ if to == &from => value,
            (Ty::Option(inner), _) if **inner == from => self.some(value, at.call),
            _ => {
                let (shown, to) = (self.show(&from), self.show(to));
                let what = format!("the conversion of `{shown}` to `{to}`");
                let help = format!("write `impl From<{shown}> for {to}`, or a function");
                self.bad(DiagCode::UnsupportedWithHelp, at.callee, &[&what, &help])
            }
        }
    }

    /// A value converted by `TryFrom`.
    pub(in crate::check) fn try_convert(&mut self, value: Expr, to: &Ty, at: CallAt) -> Expr {
        let key = TraitKey::Std("TryFrom".to_owned());
        let from = self.infer.shallow(&value.ty);
        let found = self.member_of(
            &key,
            (to, std::slice::from_ref(&from)),
            &Around::default(),
            "try_from",
            at.callee,
        );
        match found {
            Found::One(Member {
                assoc: Assoc::Fn(item),
                subst,
                by,
            }) => {
                let callee = Callee {
                    subst,
                    by,
                    ..Callee::plain(item)
                };
                self.call_operands(callee, vec![value], at)
            }
            _ => self.try_converted(value, to, at.call),
        }
    }

    /// `T::default()` as the standard library or `#[derive(Default)]` has it.
    pub(in crate::check) fn default_of(&mut self, ty: &Ty, span: Span) -> Option<Expr> {
        let ty = self.infer.deep(ty);
        Some(match &ty {
            Ty::Unit => Expr::unit(span),
            Ty::Bool | Ty::Int(_) | Ty::Char => Expr::new(Kind::Value(0), ty, span),
            Ty::F64 => Expr::new(Kind::Float(0.0), ty, span),
            Ty::Option(_) => self.make(crate::check::expr::aggregate::NONE, Vec::new(), ty, span),
            Ty::Fixed(item, len) => {
                let items = (0..*len).map(|_| self.default_part(item, span));
                let items = items.collect::<Option<Vec<Expr>>>()?;
                self.make(0, items, ty, span)
            }
            Ty::Tuple(parts) => {
                let parts = parts.iter().map(|p| self.default_part(p, span));
                let parts = parts.collect::<Option<Vec<Expr>>>()?;
                self.make(0, parts, ty, span)
            }
            Ty::Adt(id) => {
                let key = self.cx.interned.adt_src[*id].key;
                let variant = self.cx.krate.default_variant(key)?;
                let fields = self.variant_fields(&ty, variant);
                let fields = fields.iter().map(|f| self.default_part(f, span));
                let fields = fields.collect::<Option<Vec<Expr>>>()?;
                self.make(variant, fields, ty, span)
            }
            _ => return None,
        })
    }

    /// The default of a part, which may be written by hand.
    fn default_part(&mut self, ty: &Ty, span: Span) -> Option<Expr> {
        let key = TraitKey::Std("Default".to_owned());
        match self.member_of(&key, (ty, &[]), &Around::default(), "default", span) {
            Found::One(Member {
                assoc: Assoc::Fn(item),
                subst,
                by,
            }) => {
                let callee = Callee {
                    item,
                    subst,
                    by,
                    turbofish: None,
                };
                Some(self.quietly(|fcx| fcx.call_operands(callee, Vec::new(), CallAt::whole(span))))
            }
            _ => self.default_of(ty, span),
        }
    }
}

/// Whether conversions from a type to numbers are casts.
fn is_scalar(ty: &Ty) -> bool {
    matches!(ty, Ty::Int(_) | Ty::Bool | Ty::Char | Ty::F64 | Ty::Var(_))
}

impl Crate {
    /// The variant that `#[derive(Default)]` makes.
    fn default_variant(&self, key: TypeKey) -> Option<u32> {
        match key {
            TypeKey::Struct(s) => self.structs[s].derives("Default").then_some(0),
            TypeKey::Enum(e) | TypeKey::Object(e) => {
                let item = &self.enums[e];
                let is_default =
                    |v: &syn::Variant| v.attrs.iter().any(|a| a.path().is_ident("default"));
                let index = item.variants.iter().position(is_default)?;
                item.derives("Default").then_some(index as u32)
            }
        }
    }
}
