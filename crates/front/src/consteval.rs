//! Constants of the crate.
//!
//! In: a constant that traced code mentions. Out: its value. Invariant: an expression means the same here as in traced
//! code, where it could have been written instead; what rustc refuses in constants has some value here.

use crate::check::{check_const, int_range};
use crate::cx::{ConstState, ConstValue, Cx, Env};
use crate::diag::Code;
use crate::generics::SubstId;
use crate::infer::Ty;
use crate::items::ConstId;
use crate::tast::{BinOp, Expr, ExprKind, IntTy, Span, Type, UnOp};

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
        let ty = self.lower(&item.ty, env, None);
        let state = match ty {
            Ty::Error => ConstState::Failed,
            ty => {
                let value = check_const(self, &item.value, env, &ty);
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

    /// The value of an enum's discriminant.
    pub fn const_int(&mut self, expr: &syn::Expr, env: Env) -> Option<i64> {
        let known = self.diags.len();
        let value = check_const(self, expr, env, &Ty::Int(IntTy::Isize));
        if self.diags.len() > known {
            return None;
        }
        match self.eval(&value)? {
            ConstValue::Int(value) => Some(value),
            ConstValue::Float(_) | ConstValue::Make(..) => None,
        }
    }

    fn eval(&mut self, e: &Expr) -> Option<ConstValue> {
        let value = match &e.kind {
            ExprKind::Int(value) => ConstValue::Int(*value),
            ExprKind::Float(value) => ConstValue::Float(*value),
            ExprKind::Coerce(x) => self.eval(x)?,
            ExprKind::Make(variant, fields) => {
                let mut values = Vec::new();
                for (index, field) in fields {
                    values.push((*index, self.eval(field)?));
                }
                values.sort_by_key(|v| v.0);
                ConstValue::Make(*variant, values.into_iter().map(|v| v.1).collect())
            }
            ExprKind::Part(x, index) => match self.eval(x)? {
                ConstValue::Make(_, mut fields) => fields.swap_remove(*index as usize),
                value => value,
            },
            ExprKind::Tag(x) => match self.eval(x)? {
                ConstValue::Make(variant, _) => ConstValue::Int(i64::from(variant)),
                value => value,
            },
            ExprKind::Block(list) if list.len() == 1 => self.eval(&list[0])?,
            ExprKind::AndAlso(a, b) => match self.eval(a)? {
                ConstValue::Int(0) => ConstValue::Int(0),
                _ => self.eval(b)?,
            },
            ExprKind::OrElse(a, b) => match self.eval(a)? {
                ConstValue::Int(0) => self.eval(b)?,
                value => value,
            },
            ExprKind::If(c, a, b) => match self.eval(c)? {
                ConstValue::Int(0) => self.eval(b)?,
                _ => self.eval(a)?,
            },
            ExprKind::Unary(op, x) => unary(*op, self.eval(x)?, &x.ty),
            ExprKind::Cast(x) => cast(self.eval(x)?, &x.ty, &e.ty),
            ExprKind::Binary(op, a, b) => {
                let (x, y) = (self.eval(a)?, self.eval(b)?);
                match binary(*op, x, y, &a.ty) {
                    Some(value) => value,
                    None => return self.not_const(e.span, "the constant divides by zero"),
                }
            }
            _ => {
                return self.not_const(
                    e.span,
                    "this is too complicated for a constant in traced code",
                );
            }
        };
        Some(value)
    }

    fn not_const(&mut self, span: Span, message: &str) -> Option<ConstValue> {
        self.err(Code::BadConst, span, &[message]);
        None
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

fn unary(op: UnOp, x: ConstValue, ty: &Type) -> ConstValue {
    match (op, x) {
        (UnOp::Neg, ConstValue::Int(x)) => ConstValue::Int(wrap(x.wrapping_neg(), ty)),
        (UnOp::Neg, ConstValue::Float(x)) => ConstValue::Float(-x),
        (UnOp::Not, ConstValue::Int(x)) if *ty == Type::Bool => ConstValue::Int(x ^ 1),
        (UnOp::Not, ConstValue::Int(x)) => ConstValue::Int(wrap(!x, ty)),
        (_, x) => x,
    }
}

fn cast(x: ConstValue, from: &Type, to: &Type) -> ConstValue {
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
fn binary(op: BinOp, x: ConstValue, y: ConstValue, ty: &Type) -> Option<ConstValue> {
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
