//! Runs the expressions of constants.
//!
//! In: typed expressions, which may call `const` functions. Out: values, or a complaint. Invariant:
//! every step uses up a part of a budget, so every run ends; what a compiled program would do at
//! run time only (the heap, hints) is refused.

use crate::constants::arithmetic::{binary, cast, unary};
use crate::cx::Cx;
use crate::cx::sources::ConstValue;
use crate::source::diag::DiagCode;
use crate::tast::{
    Arm, BinOp, Expr, ExprKind, Func, FuncId, IntTy, Intrinsic, LocalId, LocalPlace, LoopId, Pat,
    Span, Type,
};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Expressions that may be evaluated for one constant.
const BUDGET: u32 = 4_000_000;
/// Calls inside of calls.
const MAX_DEPTH: u32 = 64;

/// A run.
pub(crate) struct Run<'a> {
    cx: &'a mut Cx,
    locals: FxHashMap<LocalId, ConstValue>,
    left: u32,
    depth: u32,
}

/// Why an expression has no value.
enum Stop {
    /// There has been a complaint.
    Failed,
    Break(LoopId, ConstValue),
    Continue(LoopId),
    Return(ConstValue),
}

type Value = Result<ConstValue, Stop>;

/// `()`
fn unit() -> ConstValue {
    ConstValue::Make(0, Vec::new())
}

impl<'a> Run<'a> {
    pub fn new(cx: &'a mut Cx) -> Run<'a> {
        Run {
            cx,
            locals: FxHashMap::default(),
            left: BUDGET,
            depth: 0,
        }
    }

    /// The value of an expression; none after a complaint.
    pub fn value(&mut self, e: &Expr) -> Option<ConstValue> {
        self.expr(e).ok()
    }

    fn fail(&mut self, span: Span, message: &str) -> Stop {
        self.cx.err(DiagCode::BadConst, span, &[message]);
        Stop::Failed
    }

    fn word(&mut self, e: &Expr) -> Result<i64, Stop> {
        match self.expr(e)? {
            ConstValue::Int(value) => Ok(value),
            ConstValue::Float(_) | ConstValue::Make(..) => Ok(0),
        }
    }

    fn expr(&mut self, e: &Expr) -> Value {
        self.left = self.left.saturating_sub(1);
        if self.left == 0 {
            return Err(self.fail(e.span, "the constant takes too long to compute"));
        }
        Ok(match &e.kind {
            ExprKind::Int(value) => ConstValue::Int(*value),
            ExprKind::Float(value) => ConstValue::Float(*value),
            ExprKind::Unit | ExprKind::Declare(_) => unit(),
            ExprKind::Coerce(x) => self.expr(x)?,
            ExprKind::Local(local) => match self.locals.get(local) {
                Some(value) => value.clone(),
                None => return Err(self.fail(e.span, "this variable has no value here")),
            },
            ExprKind::Let(local, value) | ExprKind::Assign(local, value) => {
                let value = self.expr(value)?;
                self.locals.insert(*local, value);
                unit()
            }
            ExprKind::AssignPart(place, value) => {
                let value = self.expr(value)?;
                self.write(place, value);
                unit()
            }
            ExprKind::Make(variant, fields) => {
                let mut values = Vec::new();
                for (index, field) in fields {
                    values.push((*index, self.expr(field)?));
                }
                values.sort_by_key(|v| v.0);
                ConstValue::Make(*variant, values.into_iter().map(|v| v.1).collect())
            }
            ExprKind::Part(x, index) => match self.expr(x)? {
                ConstValue::Make(_, mut fields) => fields.swap_remove(*index as usize),
                value => value,
            },
            ExprKind::Tag(x) => match self.expr(x)? {
                ConstValue::Make(variant, _) => ConstValue::Int(i64::from(variant)),
                value => value,
            },
            ExprKind::Unary(op, x) => unary(*op, self.expr(x)?, &x.ty),
            ExprKind::Cast(x) => cast(self.expr(x)?, &x.ty, &e.ty),
            ExprKind::Binary(op, a, b) => {
                let (x, y) = (self.expr(a)?, self.expr(b)?);
                match (op, &x, &y) {
                    (BinOp::Eq, ConstValue::Make(..), _) => ConstValue::Int(i64::from(x == y)),
                    (BinOp::Ne, ConstValue::Make(..), _) => ConstValue::Int(i64::from(x != y)),
                    _ => match binary(*op, x, y, &a.ty) {
                        Some(value) => value,
                        None => return Err(self.fail(e.span, "the constant divides by zero")),
                    },
                }
            }
            ExprKind::Call(func, args, lent) => self.call(*func, args, lent, e.span)?,
            ExprKind::Intrinsic(method, args) => self.intrinsic(*method, args, e.span)?,
            _ => return self.control(e),
        })
    }

    /// Assigns a part of a local.
    fn write(&mut self, place: &LocalPlace, value: ConstValue) {
        if let Some(whole) = self.locals.get_mut(&place.local) {
            *part(whole, &place.path) = value;
        }
    }

    fn call(&mut self, func: FuncId, args: &[Expr], lent: &[LocalPlace], span: Span) -> Value {
        let item = self.cx.queue.func_items[func].item;
        if self.cx.krate.fns[item].sig.constness.is_none() {
            return Err(self.fail(span, "this function is not a `const fn`"));
        }
        if self.depth == MAX_DEPTH {
            return Err(self.fail(span, "the constant takes too many calls in calls"));
        }
        let mut values = Vec::new();
        for arg in args {
            values.push(self.expr(arg)?);
        }
        let Some(body) = self.cx.const_func(func) else {
            return Err(Stop::Failed);
        };
        let frame = body.params.iter().copied().zip(values).collect();
        let outer = std::mem::replace(&mut self.locals, frame);
        self.depth += 1;
        let result = self.expr(&body.body);
        self.depth -= 1;
        let inner = std::mem::replace(&mut self.locals, outer);
        for (place, local) in lent.iter().zip(&body.lent) {
            if let Some(value) = inner.get(local) {
                self.write(place, value.clone());
            }
        }
        match result {
            Err(Stop::Return(value)) => Ok(value),
            result => result,
        }
    }

    fn intrinsic(&mut self, method: Intrinsic, args: &[Expr], span: Span) -> Value {
        let mut values = Vec::new();
        for arg in args {
            values.push(self.expr(arg)?);
        }
        let is_second = |value: &ConstValue| matches!(value, ConstValue::Make(1, _));
        Ok(match (method, values.as_slice()) {
            (Intrinsic::InBounds, [ConstValue::Int(index), ConstValue::Int(len)]) => {
                if *index as u64 >= *len as u64 {
                    return Err(self.fail(span, "the constant indexes out of bounds"));
                }
                ConstValue::Int(*index)
            }
            (Intrinsic::IsSecond, [value]) => ConstValue::Int(i64::from(is_second(value))),
            (Intrinsic::IsFirst, [value]) => ConstValue::Int(i64::from(!is_second(value))),
            _ => {
                return Err(self.fail(
                    span,
                    "this method cannot be used in a constant of traced code",
                ));
            }
        })
    }

    fn control(&mut self, e: &Expr) -> Value {
        match &e.kind {
            ExprKind::Block(list) => {
                let mut last = unit();
                for e in list {
                    last = self.expr(e)?;
                }
                Ok(last)
            }
            ExprKind::AndAlso(a, b) => match self.word(a)? {
                0 => Ok(ConstValue::Int(0)),
                _ => self.expr(b),
            },
            ExprKind::OrElse(a, b) => match self.word(a)? {
                0 => self.expr(b),
                value => Ok(ConstValue::Int(value)),
            },
            ExprKind::If(c, a, b) => match self.word(c)? {
                0 => self.expr(b),
                _ => self.expr(a),
            },
            ExprKind::Match(value, arms) => self.choose(value, arms, e.span),
            ExprKind::Loop { id, body, once } => loop {
                match self.expr(body) {
                    Ok(value) if *once => return Ok(value),
                    Ok(_) => {}
                    Err(Stop::Break(to, value)) if to == *id => return Ok(value),
                    Err(Stop::Continue(to)) if to == *id => {}
                    Err(stop) => return Err(stop),
                }
            },
            ExprKind::Break(id, value) => {
                let value = match value {
                    Some(value) => self.expr(value)?,
                    None => unit(),
                };
                Err(Stop::Break(*id, value))
            }
            ExprKind::Continue(id) => Err(Stop::Continue(*id)),
            ExprKind::Return(value) => {
                let value = match value {
                    Some(value) => self.expr(value)?,
                    None => unit(),
                };
                Err(Stop::Return(value))
            }
            ExprKind::Panic(_) => Err(self.fail(e.span, "computing the constant panics")),
            _ => Err(self.fail(
                e.span,
                "this is too complicated for a constant in traced code",
            )),
        }
    }

    fn choose(&mut self, value: &Expr, arms: &[Arm], span: Span) -> Value {
        let on = self.expr(value)?;
        for arm in arms {
            if !self.accepts(&arm.pat, &on, &value.ty) {
                continue;
            }
            let holds = match &arm.guard {
                Some(guard) => self.word(guard)? != 0,
                None => true,
            };
            if holds {
                return self.expr(&arm.body);
            }
        }
        Err(self.fail(span, "no arm accepts the value"))
    }

    /// Whether a pattern accepts a value; binds its names.
    fn accepts(&mut self, pat: &Pat, value: &ConstValue, ty: &Type) -> bool {
        match (pat, value) {
            (Pat::Wild, _) => true,
            (Pat::Bind(local, inner), _) => {
                self.locals.insert(*local, value.clone());
                inner.as_ref().is_none_or(|p| self.accepts(p, value, ty))
            }
            (Pat::Int(wanted), ConstValue::Int(value)) => wanted == value,
            (Pat::Range(lo, hi), ConstValue::Int(value)) => match ty {
                Type::Int(int) if !IntTy::signed(*int) => {
                    (*lo as u64..=*hi as u64).contains(&(*value as u64))
                }
                _ => (*lo..=*hi).contains(value),
            },
            (Pat::Or(cases), _) => cases.iter().any(|case| self.accepts(case, value, ty)),
            (Pat::Variant(of, variant, pats), ConstValue::Make(found, fields)) => {
                let types = self.cx.field_types(of, *variant);
                let mut parts = pats.iter().zip(fields).zip(&types);
                variant == found && parts.all(|((p, v), ty)| self.accepts(p, v, ty))
            }
            _ => false,
        }
    }
}

impl Cx {
    /// The checked form of a function that a constant calls; none if there is something wrong with
    /// it.
    fn const_func(&mut self, func: FuncId) -> Option<Rc<Func>> {
        if let Some(known) = self.interned.const_funcs.get(&func) {
            return known.clone();
        }
        // A function that needs the constant that needs it is a cycle, which the constant complains
        // about.
        let known = self.diags.list.len();
        let checked = crate::check::check_func(self, func);
        let checked = (self.diags.list.len() == known).then(|| Rc::new(checked));
        self.interned.const_funcs.insert(func, checked.clone());
        checked
    }
}

/// A part of a value.
fn part<'v>(value: &'v mut ConstValue, path: &[(u32, u32)]) -> &'v mut ConstValue {
    let Some((&(_, index), rest)) = path.split_first() else {
        return value;
    };
    let has = |fields: &Vec<ConstValue>| (index as usize) < fields.len();
    if !matches!(value, ConstValue::Make(_, fields) if has(fields)) {
        return value;
    }
    match value {
        ConstValue::Make(_, fields) => part(&mut fields[index as usize], rest),
        whole => whole,
    }
}
