//! Constants of the crate.
//!
//! In: a constant that traced code mentions. Out: its value. Invariants: an expression means the same here as in traced
//! code, where it could have been written instead; what rustc refuses in constants has some value here; evaluation
//! ends, as its steps are counted.

use crate::check::{check_const, int_range};
use crate::cx::{ConstState, ConstValue, Cx, Env};
use crate::diag::Code;
use crate::generics::SubstId;
use crate::infer::Ty;
use crate::items::ConstId;
use crate::tast::{BinOp, Expr, IntTy, Span, Type, UnOp};

impl Cx {
    /// The value of a constant; complaints about it are made once.
    pub fn const_value(&mut self, id: ConstId, subst: SubstId, at: Span) -> ConstState {
        let key = (id, subst);
        match self.consts.get(&key) {
            Some(ConstState::Open) => {
                let message = format!(
                    "the constant `{}` depends on itself",
                    self.krate.consts[id].name
                );
                self.err(Code::BadConst, at, &[&message]);
                return ConstState::Failed;
            }
            Some(state) => return state.clone(),
            None => {}
        }
        self.consts.insert(key, ConstState::Open);
        let item = self.krate.consts[id].clone();
        let env = Env {
            module: item.module,
            owner: item.owner,
            subst,
        };
        let known = self.diags.len();
        let state = match self.const_ty(&item.ty, &item.value, env) {
            Some((Ty::Error, _)) | None => ConstState::Failed,
            Some((ty, value)) => {
                let value = check_const(self, value, env, &ty);
                let value = if self.diags.len() == known {
                    self.eval(&value)
                } else {
                    None
                };
                value.map_or(ConstState::Failed, |value| ConstState::Done(ty, value))
            }
        };
        if self.diags.len() > known {
            let note = format!("needed for the constant `{}`", item.name);
            if let Some(d) = self.diags.get_mut(known) {
                d.labels.push((at, note));
            }
        }
        self.consts.insert(key, state.clone());
        state
    }

    /// The type of a constant, and the expression for its value. A reference to an array counts as the array, and so does
    /// a slice, whose length is that of the value.
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
                self.err(Code::BadConst, span, &[message]);
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
                Code::LargeArray,
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
        let known = self.diags.len();
        let value = check_const(self, expr, env, ty);
        if self.diags.len() > known {
            return None;
        }
        match self.eval(&value)? {
            ConstValue::Int(value) => Some(value),
            ConstValue::Float(_) | ConstValue::Make(..) => None,
        }
    }

    fn eval(&mut self, e: &Expr) -> Option<ConstValue> {
        let mut eval = crate::construn::Run::new(self);
        eval.value(e)
    }
}

/// The word of the integer type that has the same low bits.
fn wrap(value: i64, ty: &Type) -> i64 {
    let Type::Int(int) = ty else { return value };
    let shift = 64 - int.bits();
    match int.signed() {
        true => value << shift >> shift,
        false => ((value as u64) << shift >> shift) as i64,
    }
}

pub(crate) fn unary(op: UnOp, x: ConstValue, ty: &Type) -> ConstValue {
    match (op, x) {
        (UnOp::Neg, ConstValue::Int(x)) => ConstValue::Int(wrap(x.wrapping_neg(), ty)),
        (UnOp::Neg, ConstValue::Float(x)) => ConstValue::Float(-x),
        (UnOp::Not, ConstValue::Int(x)) if *ty == Type::Bool => ConstValue::Int(x ^ 1),
        (UnOp::Not, ConstValue::Int(x)) => ConstValue::Int(wrap(!x, ty)),
        (_, x) => x,
    }
}

pub(crate) fn cast(x: ConstValue, from: &Type, to: &Type) -> ConstValue {
    let unsigned = matches!(from, Type::Int(int) if !int.signed());
    match (x, to) {
        (ConstValue::Int(x), Type::F64) if unsigned => ConstValue::Float(x as u64 as f64),
        (ConstValue::Int(x), Type::F64) => ConstValue::Float(x as f64),
        (ConstValue::Int(x), to) => ConstValue::Int(wrap(x, to)),
        (ConstValue::Float(x), Type::Int(int)) => ConstValue::Int(saturate(x, *int)),
        (x, _) => x,
    }
}

fn saturate(x: f64, int: IntTy) -> i64 {
    let (min, max) = int_range(int);
    match int.signed() {
        true => (x as i64).clamp(min, max),
        false => (x as u64).min(max as u64) as i64,
    }
}

/// None on division by zero.
pub(crate) fn binary(op: BinOp, x: ConstValue, y: ConstValue, ty: &Type) -> Option<ConstValue> {
    match (x, y) {
        (ConstValue::Int(x), ConstValue::Int(y)) => int_binary(op, x, y, ty).map(ConstValue::Int),
        (ConstValue::Float(x), ConstValue::Float(y)) => Some(float_binary(op, x, y)),
        (x, _) => Some(x),
    }
}

fn int_binary(op: BinOp, x: i64, y: i64, ty: &Type) -> Option<i64> {
    let (signed, bits) = match ty {
        Type::Int(int) => (int.signed(), int.bits()),
        _ => (false, 64),
    };
    let (ux, uy) = (x as u64, y as u64);
    let amount = y as u32 & (bits - 1);
    let order = if signed { x.cmp(&y) } else { ux.cmp(&uy) };
    let value = match op {
        BinOp::Add => x.wrapping_add(y),
        BinOp::Sub => x.wrapping_sub(y),
        BinOp::Mul => x.wrapping_mul(y),
        BinOp::Div | BinOp::Rem if y == 0 => return None,
        BinOp::Div if signed => x.wrapping_div(y),
        BinOp::Div => (ux / uy) as i64,
        BinOp::Rem if signed => x.wrapping_rem(y),
        BinOp::Rem => (ux % uy) as i64,
        BinOp::And => x & y,
        BinOp::Or => x | y,
        BinOp::Xor => x ^ y,
        BinOp::Shl => x.wrapping_shl(amount),
        BinOp::Shr if signed => x.wrapping_shr(amount),
        BinOp::Shr => ux.wrapping_shr(amount) as i64,
        BinOp::Eq => return Some(i64::from(order.is_eq())),
        BinOp::Ne => return Some(i64::from(order.is_ne())),
        BinOp::Lt => return Some(i64::from(order.is_lt())),
        BinOp::Le => return Some(i64::from(order.is_le())),
        BinOp::Gt => return Some(i64::from(order.is_gt())),
        BinOp::Ge => return Some(i64::from(order.is_ge())),
    };
    Some(wrap(value, ty))
}

fn float_binary(op: BinOp, x: f64, y: f64) -> ConstValue {
    let bit = |b: bool| ConstValue::Int(i64::from(b));
    match op {
        BinOp::Add => ConstValue::Float(x + y),
        BinOp::Sub => ConstValue::Float(x - y),
        BinOp::Mul => ConstValue::Float(x * y),
        BinOp::Div => ConstValue::Float(x / y),
        BinOp::Eq => bit(x == y),
        BinOp::Ne => bit(x != y),
        BinOp::Lt => bit(x < y),
        BinOp::Le => bit(x <= y),
        BinOp::Gt => bit(x > y),
        BinOp::Ge => bit(x >= y),
        // The other operators are not defined on floats.
        _ => ConstValue::Float(x),
    }
}
