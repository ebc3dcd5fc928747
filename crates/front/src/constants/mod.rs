//! Constants of the crate.
//!
//! In: a constant that traced code mentions. Out: its value. Invariants: an expression means the
//! same here as in traced code, where it could have been written instead; what rustc refuses in
//! constants has some value here; evaluation ends, as its steps are counted.

pub(crate) mod arithmetic;
pub(crate) mod const_eval;

use crate::check::check_const;
use crate::cx::Cx;
use crate::cx::sources::{ConstState, ConstValue, Env};
use crate::items::ConstId;
use crate::source::diag::DiagCode;
use crate::tast::{Expr, IntTy, Span};
use crate::types::generics::SubstId;
use crate::types::ty::Ty;

impl Cx {
    /// The value of a constant; complaints about it are made once.
    pub fn const_value(&mut self, id: ConstId, subst: SubstId, at: Span) -> ConstState {
        let key = (id, subst);
        match self.interned.consts.get(&key) {
            Some(ConstState::Open) => {
                let message = format!(
                    "the constant `{}` depends on itself",
                    self.krate.consts[id].name
                );
                self.err(DiagCode::BadConst, at, &[&message]);
                return ConstState::Failed;
            }
            Some(state) => return state.clone(),
            None => {}
        }
        self.interned.consts.insert(key, ConstState::Open);
        let item = self.krate.consts[id].clone();
        let env = Env {
            module: item.module,
            owner: item.owner,
            subst,
        };
        let known = self.diags.list.len();
        let state = match self.const_ty(&item.ty, &item.value, env) {
            Some((Ty::Error, _)) | None => ConstState::Failed,
            Some((ty, value)) => {
                let value = check_const(self, value, env, &ty);
                let value = if self.diags.list.len() == known {
                    self.eval(&value)
                } else {
                    None
                };
                value.map_or(ConstState::Failed, |value| ConstState::Done(ty, value))
            }
        };
        if self.diags.list.len() > known {
            let note = format!("needed for the constant `{}`", item.name);
            if let Some(d) = self.diags.list.get_mut(known) {
                d.labels.push((at, note));
            }
        }
        self.interned.consts.insert(key, state.clone());
        state
    }

    /// The type of a constant, and the expression for its value. A reference to an array counts as
    /// the array, and so does a slice, whose length is that of the value.
    fn const_ty<'e>(
        &mut self,
        ty: &syn::Type,
        value: &'e syn::Expr,
        env: Env,
    ) -> Option<(Ty, &'e syn::Expr)> {
        let syn::Type::Reference(reference) = ty else {
            return Some((self.lower(ty, env, None), value));
        };
        let mut value = value;
        loop {
            value = match value {
                syn::Expr::Reference(e) => &e.expr,
                syn::Expr::Paren(e) => &e.expr,
                value => break self.referent(&reference.elem, value, env),
            }
        }
    }

    fn referent<'e>(
        &mut self,
        ty: &syn::Type,
        value: &'e syn::Expr,
        env: Env,
    ) -> Option<(Ty, &'e syn::Expr)> {
        let syn::Type::Slice(slice) = ty else {
            return Some((self.lower(ty, env, None), value));
        };
        let item = self.lower(&slice.elem, env, None);
        let len = match value {
            syn::Expr::Array(e) => u32::try_from(e.elems.len()).ok()?,
            syn::Expr::Repeat(e) => self.array_len(&e.len, env)?,
            syn::Expr::Lit(syn::ExprLit {
                lit: syn::Lit::ByteStr(text),
                ..
            }) => u32::try_from(text.value().len()).ok()?,
            value => {
                let span = self.span(env.module, value);
                let message = "the value of this slice is not an array that is written here";
                self.err(DiagCode::BadConst, span, &[message]);
                return None;
            }
        };
        match item {
            Ty::Error => None,
            item => Some((Ty::Fixed(Box::new(item), len), value)),
        }
    }

    /// The length of an array, as its type or `[x; N]` says it.
    pub fn array_len(&mut self, expr: &syn::Expr, env: Env) -> Option<u32> {
        let value = self.const_of_type(expr, env, &Ty::Int(IntTy::Usize))?;
        let len = u32::try_from(value as u64).ok();
        if len.is_none() {
            let span = self.span(env.module, expr);
            self.err(
                DiagCode::LargeArray,
                span,
                &[&(value as u64).to_string(), "fewer"],
            );
        }
        len
    }

    /// The value of an enum's discriminant.
    pub fn const_int(&mut self, expr: &syn::Expr, env: Env) -> Option<i64> {
        self.const_of_type(expr, env, &Ty::Int(IntTy::Isize))
    }

    pub fn const_of_type(&mut self, expr: &syn::Expr, env: Env, ty: &Ty) -> Option<i64> {
        let known = self.diags.list.len();
        let value = check_const(self, expr, env, ty);
        if self.diags.list.len() > known {
            return None;
        }
        match self.eval(&value)? {
            ConstValue::Int(value) => Some(value),
            ConstValue::Float(_) | ConstValue::Make(..) => None,
        }
    }

    fn eval(&mut self, e: &Expr) -> Option<ConstValue> {
        let mut eval = crate::constants::const_eval::Run::new(self);
        eval.value(e)
    }
}
