//! Evaluates typed trees with Rust's own arithmetic, independently of `verdigris_ops::eval`.

use crate::world::{Outcome, World};
use std::collections::HashMap;
use verdigris_front::tast::{
    Arm, BinOp, Expr, ExprKind, Func, FuncId, IntTy, Intrinsic, LocalId, LocalPlace, LoopId, Pat,
    Type, TypedProgram, UnOp, shape,
};
use verdigris_ops::DataOp;

/// Runs the portal.
pub fn run(program: &TypedProgram, world: &mut World<'_>, args: &[u64]) -> Outcome {
    let args: Vec<V> = args.iter().map(|&w| V::Word(w)).collect();
    match call(program, world, program.portal, &args) {
        Ok((value, _)) => Outcome::Returned(value.word()),
        Err(Leave::Panic(message)) => Outcome::Panicked(message),
        Err(_) => Outcome::TooLong,
    }
}

/// A value: a word, or a variant with its fields. Options of references are words.
#[derive(Clone, Debug)]
enum V {
    Word(u64),
    Made(u32, Vec<V>),
}

impl V {
    fn word(&self) -> u64 {
        match self {
            V::Word(word) => *word,
            V::Made(..) => panic!("not a word"),
        }
    }
}

/// Why evaluation does not go on.
enum Leave {
    Break(LoopId, V),
    Continue(LoopId),
    Return(V),
    Panic(String),
    TooLong,
}

type Value = Result<u64, Leave>;

fn panic(message: &str) -> Value {
    Err(Leave::Panic(message.to_string()))
}

/// The result, and what was lent as it is at the end.
fn call(
    program: &TypedProgram,
    world: &mut World<'_>,
    id: FuncId,
    args: &[V],
) -> Result<(V, Vec<V>), Leave> {
    let func = &program.funcs[id];
    let locals = func
        .params
        .iter()
        .copied()
        .zip(args.iter().cloned())
        .collect();
    let mut eval = Eval {
        program,
        func,
        world,
        locals,
    };
    let value = match eval.expr(&func.body) {
        Err(Leave::Return(value)) => Ok(value),
        other => other,
    }?;
    let back = func.lent.iter().map(|local| eval.locals[local].clone());
    Ok((value, back.collect()))
}

struct Eval<'a, 'w> {
    program: &'a TypedProgram,
    func: &'a Func,
    world: &'a mut World<'w>,
    locals: HashMap<LocalId, V>,
}

/// Runs `$body` with `$t` as the Rust type of an integer type.
macro_rules! with_int {
    ($ty:expr, $t:ident => $body:expr) => {
        match $ty {
            IntTy::I8 => {
                type $t = i8;
                $body
            }
            IntTy::I16 => {
                type $t = i16;
                $body
            }
            IntTy::I32 => {
                type $t = i32;
                $body
            }
            IntTy::I64 => {
                type $t = i64;
                $body
            }
            IntTy::Isize => {
                type $t = isize;
                $body
            }
            IntTy::U8 => {
                type $t = u8;
                $body
            }
            IntTy::U16 => {
                type $t = u16;
                $body
            }
            IntTy::U32 => {
                type $t = u32;
                $body
            }
            IntTy::U64 => {
                type $t = u64;
                $body
            }
            IntTy::Usize => {
                type $t = usize;
                $body
            }
        }
    };
}

/// The word that holds an integer: what `as i64` gives, since that sign- or zero-extends.
macro_rules! word {
    ($value:expr) => {
        $value as i64 as u64
    };
}

fn int_binary(op: BinOp, ty: IntTy, x: u64, y: u64) -> Value {
    with_int!(ty, T => {
        let (a, b) = (x as T, y as T);
        Ok(match op {
            BinOp::Add => word!(a.wrapping_add(b)),
            BinOp::Sub => word!(a.wrapping_sub(b)),
            BinOp::Mul => word!(a.wrapping_mul(b)),
            BinOp::Div => match a.checked_div(b) {
                Some(v) => word!(v),
                None if b == 0 => return panic("attempt to divide by zero"),
                None => return panic("attempt to divide with overflow"),
            },
            BinOp::Rem => match a.checked_rem(b) {
                Some(v) => word!(v),
                None if b == 0 => {
                    return panic("attempt to calculate the remainder with a divisor of zero");
                }
                None => return panic("attempt to calculate the remainder with overflow"),
            },
            BinOp::And => word!(a & b),
            BinOp::Or => word!(a | b),
            BinOp::Xor => word!(a ^ b),
            BinOp::Shl => word!(a.wrapping_shl(y as u32)),
            BinOp::Shr => word!(a.wrapping_shr(y as u32)),
            BinOp::Eq => u64::from(a == b),
            BinOp::Ne => u64::from(a != b),
            BinOp::Lt => u64::from(a < b),
            BinOp::Le => u64::from(a <= b),
            BinOp::Gt => u64::from(a > b),
            BinOp::Ge => u64::from(a >= b),
        })
    })
}

fn bool_binary(op: BinOp, a: bool, b: bool) -> u64 {
    u64::from(match op {
        BinOp::And => a & b,
        BinOp::Or => a | b,
        BinOp::Xor => a ^ b,
        BinOp::Eq => a == b,
        BinOp::Ne => a != b,
        BinOp::Lt => !a & b,
        BinOp::Le => a <= b,
        BinOp::Gt => a & !b,
        BinOp::Ge => a >= b,
        _ => panic!("no such operation on bool"),
    })
}

fn float_binary(op: BinOp, a: f64, b: f64) -> u64 {
    let compared = match op {
        BinOp::Add => return (a + b).to_bits(),
        BinOp::Sub => return (a - b).to_bits(),
        BinOp::Mul => return (a * b).to_bits(),
        BinOp::Div => return (a / b).to_bits(),
        BinOp::Eq => a == b,
        BinOp::Ne => a != b,
        BinOp::Lt => a < b,
        BinOp::Le => a <= b,
        BinOp::Gt => a > b,
        BinOp::Ge => a >= b,
        _ => panic!("no such operation on f64"),
    };
    u64::from(compared)
}

fn cast(from: &Type, to: &Type, word: u64) -> u64 {
    match (from, to) {
        (Type::Int(from), Type::Int(to)) => {
            with_int!(*from, F => with_int!(*to, T => word!(word as F as T)))
        }
        (Type::Bool, Type::Int(to)) => with_int!(*to, T => word!((word != 0) as T)),
        (Type::Char, Type::Int(to)) => with_int!(*to, T => word!(word as u32 as T)),
        (Type::Int(from), Type::F64) => with_int!(*from, F => (word as F as f64).to_bits()),
        (Type::F64, Type::Int(to)) => with_int!(*to, T => word!(f64::from_bits(word) as T)),
        _ => word,
    }
}

fn unary(op: UnOp, ty: &Type, word: u64) -> u64 {
    match (op, ty) {
        (UnOp::Neg, Type::F64) => (-f64::from_bits(word)).to_bits(),
        (UnOp::Not, Type::Bool) => u64::from(word == 0),
        (UnOp::Neg, Type::Int(int)) => with_int!(*int, T => word!((word as T).wrapping_neg())),
        (UnOp::Not, Type::Int(int)) => with_int!(*int, T => word!(!(word as T))),
        _ => panic!("no such operation"),
    }
}

fn intrinsic(method: Intrinsic, ty: &Type, args: &[u64]) -> Value {
    let int = match ty {
        Type::Int(int) => *int,
        _ => IntTy::I64,
    };
    Ok(match method {
        Intrinsic::WrappingDiv if args[1] == 0 => return panic("attempt to divide by zero"),
        Intrinsic::WrappingRem if args[1] == 0 => {
            return panic("attempt to calculate the remainder with a divisor of zero");
        }
        Intrinsic::WrappingDiv => {
            with_int!(int, T => word!((args[0] as T).wrapping_div(args[1] as T)))
        }
        Intrinsic::WrappingRem => {
            with_int!(int, T => word!((args[0] as T).wrapping_rem(args[1] as T)))
        }
        Intrinsic::Data(op) => verdigris_ops::eval(op, args).expect("a pure operation"),
        Intrinsic::InBounds if args[0] >= args[1] => {
            let (index, len) = (args[0], args[1]);
            return panic(&format!(
                "index out of bounds: the len is {len} but the index is {index}"
            ));
        }
        Intrinsic::InBounds => args[0],
        Intrinsic::IntAbs => match int {
            IntTy::I8 => word!((args[0] as i8).wrapping_abs()),
            IntTy::I16 => word!((args[0] as i16).wrapping_abs()),
            IntTy::I32 => word!((args[0] as i32).wrapping_abs()),
            _ => word!((args[0] as i64).wrapping_abs()),
        },
        Intrinsic::HasClass(_) => unreachable!("no program here has an object type"),
        Intrinsic::IsSecond => u64::from(args[0] != 0),
        Intrinsic::IsFirst => u64::from(args[0] == 0),
    })
}

/// The patterns without alternatives that a pattern stands for, in order.
fn alternatives(pat: &Pat) -> Vec<Pat> {
    match pat {
        Pat::Or(list) => list.iter().flat_map(alternatives).collect(),
        Pat::Bind(local, Some(inner)) => {
            let inner = alternatives(inner).into_iter();
            inner
                .map(|p| Pat::Bind(*local, Some(Box::new(p))))
                .collect()
        }
        Pat::Variant(ty, variant, fields) => {
            let mut all: Vec<Vec<Pat>> = vec![Vec::new()];
            for field in fields {
                let field = alternatives(field);
                let longer = all.iter().flat_map(|before| {
                    let with = |p: &Pat| [before.as_slice(), std::slice::from_ref(p)].concat();
                    field.iter().map(with).collect::<Vec<_>>()
                });
                all = longer.collect();
            }
            let made = |fields| Pat::Variant(ty.clone(), *variant, fields);
            all.into_iter().map(made).collect()
        }
        pat => vec![pat.clone()],
    }
}

/// Whether values of a type are references or null.
fn is_niche(ty: &Type) -> bool {
    matches!(ty, Type::Option(inner) if inner.is_ref())
}

fn binary(op: BinOp, ty: &Type, x: V, y: V) -> Value {
    let (x, y) = match (x, y) {
        (V::Word(x), V::Word(y)) => (x, y),
        (x, y) => return Ok(u64::from(equal(&x, &y) == (op == BinOp::Eq))),
    };
    match ty {
        Type::Int(int) => int_binary(op, *int, x, y),
        Type::Bool => Ok(bool_binary(op, x != 0, y != 0)),
        Type::Char => int_binary(op, IntTy::U32, x, y),
        Type::F64 => Ok(float_binary(op, f64::from_bits(x), f64::from_bits(y))),
        _ => Ok(u64::from((x == y) == (op == BinOp::Eq))),
    }
}

/// Equality of values without floats.
fn equal(x: &V, y: &V) -> bool {
    match (x, y) {
        (V::Word(x), V::Word(y)) => x == y,
        (V::Made(v, xs), V::Made(w, ys)) => v == w && xs.iter().zip(ys).all(|(x, y)| equal(x, y)),
        _ => false,
    }
}

impl Eval<'_, '_> {
    fn part(&mut self, place: &LocalPlace) -> &mut V {
        let mut at = self.locals.get_mut(&place.local).expect("is initialised");
        for &(variant, index) in &place.path {
            match at {
                V::Made(found, fields) => {
                    assert_eq!(*found, variant, "another variant");
                    at = &mut fields[index as usize];
                }
                // The payload of an option of a reference is the option's word.
                V::Word(_) => {}
            }
        }
        at
    }

    fn list(&mut self, args: &[Expr]) -> Result<Vec<V>, Leave> {
        args.iter().map(|a| self.expr(a)).collect()
    }

    fn word(&mut self, expr: &Expr) -> Value {
        self.expr(expr).map(|v| v.word())
    }

    fn expr(&mut self, expr: &Expr) -> Result<V, Leave> {
        if !self.world.burn(20) {
            return Err(Leave::TooLong);
        }
        match &expr.kind {
            ExprKind::Unit | ExprKind::Declare(_) => Ok(V::Word(0)),
            ExprKind::MergePoint { greens, reds } => {
                // Everything else is gone behind the merge point.
                self.locals
                    .retain(|local, _| greens.contains(local) || reds.contains(local));
                Ok(V::Word(0))
            }
            ExprKind::Local(local) => Ok(self
                .locals
                .get(local)
                .unwrap_or_else(|| panic!("{} is not initialised", self.func.locals[*local].name))
                .clone()),
            ExprKind::Let(local, value) | ExprKind::Assign(local, value) => {
                let value = self.expr(value)?;
                self.locals.insert(*local, value);
                Ok(V::Word(0))
            }
            ExprKind::AssignPart(place, value) => {
                let value = self.expr(value)?;
                *self.part(place) = value;
                Ok(V::Word(0))
            }
            ExprKind::Payload(whole, variant, index) => match self.expr(whole)? {
                V::Made(found, mut fields) if found == *variant => {
                    Ok(fields.swap_remove(*index as usize))
                }
                V::Made(..) => panic!("another variant"),
                word => Ok(word),
            },
            ExprKind::Make(variant, fields) => self.make(&expr.ty, *variant, fields),
            ExprKind::Part(whole, index) => match self.expr(whole)? {
                V::Made(_, mut fields) => Ok(fields.swap_remove(*index as usize)),
                V::Word(_) => panic!("a part of a word"),
            },
            ExprKind::Tag(value) => match self.expr(value)? {
                V::Made(variant, _) => Ok(V::Word(u64::from(variant))),
                V::Word(_) => panic!("a word has no tag"),
            },
            ExprKind::Binary(op, a, b) => {
                let (x, y) = (self.expr(a)?, self.expr(b)?);
                binary(*op, &a.ty, x, y).map(V::Word)
            }
            ExprKind::IsConstant(a) | ExprKind::IsVirtual(a) => {
                self.expr(a)?;
                Ok(V::Word(0))
            }
            ExprKind::Coerce(a)
            | ExprKind::Kind(a)
            | ExprKind::Promote(a)
            | ExprKind::Concrete(a) => self.expr(a),
            ExprKind::Call(func, args, lent) => {
                let args = self.list(args)?;
                let (value, back) = call(self.program, self.world, *func, &args)?;
                for (place, value) in lent.iter().zip(back) {
                    *self.part(place) = value;
                }
                Ok(value)
            }
            ExprKind::Block(list) => {
                let mut last = V::Word(0);
                for expr in list {
                    last = self.expr(expr)?;
                }
                Ok(last)
            }
            ExprKind::If(cond, then, other) => match self.word(cond)? {
                0 => self.expr(other),
                _ => self.expr(then),
            },
            ExprKind::Match(scrutinee, arms) => {
                let value = self.expr(scrutinee)?;
                self.arms(value, &scrutinee.ty, arms)
            }
            ExprKind::Loop { id, body, once } => self.run_loop(*id, body, *once),
            ExprKind::Break(id, value) => {
                let value = value.as_ref().map_or(Ok(V::Word(0)), |v| self.expr(v))?;
                Err(Leave::Break(*id, value))
            }
            ExprKind::Continue(id) | ExprKind::CanEnterJit(id) => Err(Leave::Continue(*id)),
            ExprKind::Return(value) => {
                let value = value.as_ref().map_or(Ok(V::Word(0)), |v| self.expr(v))?;
                Err(Leave::Return(value))
            }
            _ => self.scalar(expr).map(V::Word),
        }
    }

    fn scalar(&mut self, expr: &Expr) -> Value {
        match &expr.kind {
            ExprKind::Int(v) => Ok(*v as u64),
            ExprKind::Float(v) => Ok(v.to_bits()),
            ExprKind::Unary(op, a) => Ok(unary(*op, &a.ty, self.word(a)?)),
            ExprKind::AndAlso(a, b) => match self.word(a)? {
                0 => Ok(0),
                _ => self.word(b),
            },
            ExprKind::OrElse(a, b) => match self.word(a)? {
                0 => self.word(b),
                _ => Ok(1),
            },
            ExprKind::Cast(a) => Ok(cast(&a.ty, &expr.ty, self.word(a)?)),
            ExprKind::Intrinsic(method, args) => {
                let values = self.list(args)?;
                let word = |v: &V| match v {
                    V::Word(word) => *word,
                    V::Made(variant, _) => u64::from(*variant),
                };
                let words: Vec<u64> = values.iter().map(word).collect();
                intrinsic(*method, &args[0].ty, &words)
            }
            // Only messages of panics take values of several words; what they say is not known
            // here.
            ExprKind::CallFn(_, args)
                if args
                    .iter()
                    .any(|a| verdigris_front::tast::shape(&a.ty, &self.program.adts).is_some()) =>
            {
                self.list(args)?;
                self.world.called = true;
                panic("a message")
            }
            ExprKind::CallFn(callee, args) => {
                let values = self.list(args)?;
                let info = &self.program.descrs.fns[*callee];
                let made = |v: &V| matches!(v, V::Made(..));
                if values.iter().any(made)
                    || values.len() != info.params.len()
                    || info.ret.len() > 1
                {
                    // Values of trees have no components.
                    self.world.called = true;
                    return Err(Leave::Panic(
                        "a call with values of several words".to_string(),
                    ));
                }
                let args: Vec<u64> = values.iter().map(V::word).collect();
                let results = self.world.call(*callee, &args).map_err(Leave::Panic)?;
                Ok(results.first().copied().unwrap_or(0))
            }
            ExprKind::Panic(message) => panic(message),
            _ => self.heap(expr),
        }
    }

    fn make(&mut self, ty: &Type, variant: u32, fields: &[(u32, Expr)]) -> Result<V, Leave> {
        let mut values = vec![V::Word(0); fields.len()];
        for (index, field) in fields {
            values[*index as usize] = self.expr(field)?;
        }
        Ok(match is_niche(ty) {
            true => values.pop().unwrap_or(V::Word(0)),
            false => V::Made(variant, values),
        })
    }

    fn run_loop(&mut self, id: LoopId, body: &Expr, once: bool) -> Result<V, Leave> {
        loop {
            match self.expr(body) {
                Err(Leave::Break(to, value)) if to == id => return Ok(value),
                Err(Leave::Continue(to)) if to == id => {}
                Ok(value) if once => return Ok(value),
                Ok(_) => {}
                other => return other,
            }
        }
    }

    fn arms(&mut self, value: V, ty: &Type, arms: &[Arm]) -> Result<V, Leave> {
        for arm in arms {
            // Rust asks the guard again for each alternative that accepts.
            for pat in alternatives(&arm.pat) {
                if self.accepts(&pat, &value, ty) {
                    let guard = arm.guard.as_ref().map_or(Ok(1), |g| self.word(g))?;
                    if guard != 0 {
                        return self.expr(&arm.body);
                    }
                }
            }
        }
        panic!("the match is not exhaustive");
    }

    fn accepts(&mut self, pat: &Pat, value: &V, ty: &Type) -> bool {
        match pat {
            Pat::Wild => true,
            Pat::Bind(local, inner) => {
                self.locals.insert(*local, value.clone());
                inner.as_ref().is_none_or(|p| self.accepts(p, value, ty))
            }
            Pat::Int(v) => *v as u64 == value.word(),
            Pat::Range(lo, hi) => match ty {
                Type::Int(int) if !int.signed() => {
                    (*lo as u64..=*hi as u64).contains(&value.word())
                }
                _ => (*lo..=*hi).contains(&(value.word() as i64)),
            },
            Pat::Or(list) => list.iter().any(|p| self.accepts(p, value, ty)),
            Pat::Class(class, local) => {
                if let Some(local) = local {
                    self.locals.insert(*local, value.clone());
                }
                self.world.class_of(value.word()) == *class
            }
            Pat::Variant(of, 0, _) if is_niche(of) => value.word() == 0,
            Pat::Variant(Type::Option(inner), _, pats) if inner.is_ref() => {
                value.word() != 0 && self.accepts(&pats[0], value, inner)
            }
            Pat::Variant(of, variant, pats) => {
                let V::Made(found, fields) = value else {
                    panic!("not a value with variants");
                };
                let types = shape(of, &self.program.adts).expect("has variants");
                let types = &types[*variant as usize];
                let all = pats.iter().zip(fields).zip(types);
                let mut all = all.collect::<Vec<_>>().into_iter();
                found == variant && all.all(|((p, v), ty)| self.accepts(p, v, ty))
            }
        }
    }

    fn heap(&mut self, expr: &Expr) -> Value {
        match &expr.kind {
            ExprKind::GetField(object, field) => {
                let object = self.word(object)?;
                Ok(self
                    .world
                    .heap(DataOp::GetFieldI, &[object], field.as_u32()))
            }
            ExprKind::SetField(object, field, value) => {
                let args = [self.word(object)?, self.word(value)?];
                Ok(self.world.heap(DataOp::SetFieldI, &args, field.as_u32()))
            }
            ExprKind::GetItem(array, index) => {
                let (array, index) = self.place(array, index)?;
                Ok(self.world.heap(DataOp::GetItemI, &[array, index], 0))
            }
            ExprKind::SetItem(array, index, value) => {
                let (array, index) = self.place(array, index)?;
                let value = self.word(value)?;
                Ok(self.world.heap(DataOp::SetItemI, &[array, index, value], 0))
            }
            ExprKind::ArrayLen(array) => {
                let array = self.word(array)?;
                Ok(self.world.heap(DataOp::ArrayLen, &[array], 0))
            }
            ExprKind::New(class, fields) => {
                let mut values = Vec::new();
                for (field, value) in fields {
                    values.push((*field, self.word(value)?));
                }
                let object = self.world.heap(DataOp::New, &[], class.as_u32());
                for (field, value) in values {
                    self.world
                        .heap(DataOp::SetFieldI, &[object, value], field.as_u32());
                }
                Ok(object)
            }
            ExprKind::NewArray(class, len, fill) => {
                let (len, fill) = (self.word(len)?, self.word(fill)?);
                if len >= 1 << 40 {
                    return panic("capacity overflow");
                }
                let array = self.world.heap(DataOp::NewArray, &[len], class.as_u32());
                let op = DataOp::FillItemsI;
                self.world.heap(op, &[array, fill], class.as_u32());
                Ok(array)
            }
            _ => unreachable!("evaluated elsewhere"),
        }
    }

    fn place(&mut self, array: &Expr, index: &Expr) -> Result<(u64, u64), Leave> {
        let (array, index) = (self.word(array)?, self.word(index)?);
        let len = self.world.heap(DataOp::ArrayLen, &[array], 0);
        if index >= len {
            let text = format!("index out of bounds: the len is {len} but the index is {index}");
            return Err(Leave::Panic(text));
        }
        Ok((array, index))
    }
}
