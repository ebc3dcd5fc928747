//! Tables: constant arrays that are read at an index.
//!
//! In: paths of constants and statics, checked indices. Out: a constant array of any size is read
//! by a call of an elidable function in the glue, one for each scalar that an item consists of, so
//! that it folds where the index is a constant. Invariant: an index has been checked before a table
//! is read.

use crate::check::expr::array::Step;
use crate::check::expr::path::{Head, Val};
use crate::check::fcx::FnCx;
use crate::check::hir::{Arm, End, Expr, Kind, Op, Pat, PatKind};
use crate::cx::sources::{ConstState, ConstValue};
use crate::items::{Assoc, ConstId, Def};
use crate::source::syntax::name_of;
use crate::tast::{BinOp, IntTy, LocalId, Span};
use crate::types::generics::SubstId;
use crate::types::ty::Ty;

impl FnCx<'_> {
    /// The item of a constant array at a checked index.
    pub(in crate::check) fn table_item(
        &mut self,
        table: &ConstValue,
        item: &Ty,
        index: LocalId,
        span: Span,
    ) -> Expr {
        match table {
            ConstValue::Make(_, items) if !items.is_empty() => {
                let items: Vec<&ConstValue> = items.iter().collect();
                self.column(&items, item, index, span)
            }
            _ => Expr::panic("internal error: entered unreachable code", span),
        }
    }

    /// The value of a constant array (or a field of a constant) that a path names.
    pub(in crate::check) fn table(&mut self, expr: &syn::Expr) -> Option<(ConstValue, Ty)> {
        let (value, ty) = self.constant(expr)?;
        matches!(ty, Ty::Fixed(..)).then_some((value, ty))
    }

    fn constant(&mut self, expr: &syn::Expr) -> Option<(ConstValue, Ty)> {
        match expr {
            syn::Expr::Paren(e) => self.constant(&e.expr),
            syn::Expr::Field(e) => {
                let (value, ty) = self.constant(&e.base)?;
                let (index, ty) = self.part_of(&ty, &e.member)?;
                match value {
                    ConstValue::Make(_, mut fields) => {
                        Some((fields.swap_remove(index as usize), ty))
                    }
                    _ => None,
                }
            }
            syn::Expr::Path(e) => {
                let (id, subst) = self.const_of(e)?;
                let span = self.span(expr);
                match self.cx.const_value(id, subst, span) {
                    ConstState::Done(ty, value) => Some((value, ty)),
                    ConstState::Failed | ConstState::Open => None,
                }
            }
            _ => None,
        }
    }

    /// The constant or static that a path names, and what generic parameters mean in it.
    fn const_of(&mut self, path: &syn::ExprPath) -> Option<(ConstId, SubstId)> {
        if let Some(ident) = path.path.get_ident()
            && self.lookup(&name_of(ident)).is_some()
        {
            return None;
        }
        let known = self.cx.diags.list.len();
        let value = self.value(path);
        // Evaluating the path reports the mistake.
        self.cx.diags.list.truncate(known);
        match value {
            Val::Def(Def::Const(id) | Def::Static(id)) => Some((id, SubstId::EMPTY)),
            Val::Assoc(Head::Key(key, args), name) => {
                let at = self.span(path);
                let (Assoc::Const(id), subst) = self.find_assoc(key, &args, &name, at)? else {
                    return None;
                };
                let subst = self.cx.interned.substs.get(subst).deep(&self.infer);
                let closed = subst.is_closed();
                closed.then(|| (id, self.cx.interned.substs.intern(subst)))
            }
            _ => None,
        }
    }

    /// The item of a constant array that the steps lead to.
    pub(in crate::check) fn read_table(
        &mut self,
        value: ConstValue,
        mut ty: Ty,
        steps: &[Step],
        list: &mut Vec<Expr>,
        span: Span,
    ) -> Expr {
        let usize_ty = Ty::Int(IntTy::Usize);
        let mut items = vec![value];
        let mut index: Option<Expr> = None;
        for step in steps {
            let all = |values: Vec<ConstValue>| -> Vec<ConstValue> {
                let inner = values.into_iter().map(|value| match value {
                    ConstValue::Make(_, items) => items,
                    _ => Vec::new(),
                });
                inner.flatten().collect()
            };
            match step {
                Step::Item(number, _) => {
                    for value in &mut items {
                        if let ConstValue::Make(_, fields) = value {
                            *value = fields.swap_remove(*number as usize);
                        }
                    }
                }
                Step::Choice(local, len, _) => {
                    items = all(items);
                    let local = self.read(*local, span);
                    index = Some(match index {
                        None => local,
                        Some(outer) => {
                            let len =
                                Expr::new(Kind::Value(i64::from(*len)), usize_ty.clone(), span);
                            let mul = Op::Binary(BinOp::Mul);
                            let outer = Expr::op(mul, vec![outer, len], usize_ty.clone(), span);
                            let add = Op::Binary(BinOp::Add);
                            Expr::op(add, vec![outer, local], usize_ty.clone(), span)
                        }
                    });
                }
                Step::Field(..) => {}
            }
            ty = step.ty().clone();
        }
        match (index, items.pop()) {
            (None, Some(value)) => self.literal_of(value, ty, span),
            (Some(index), Some(value)) => {
                items.push(value);
                let temp = self.temp("index", usize_ty, span);
                list.push(Expr::bind(temp, index));
                let items: Vec<&ConstValue> = items.iter().collect();
                self.column(&items, &ty, temp, span)
            }
            // The check of the index has failed.
            (_, None) => Expr::panic("internal error: entered unreachable code", span),
        }
    }

    /// One of these values of a type, by a checked index.
    fn column(&mut self, values: &[&ConstValue], ty: &Ty, index: LocalId, span: Span) -> Expr {
        if values.iter().all(|v| *v == values[0]) && !matches!(values[0], ConstValue::Float(_)) {
            return self.literal_of(values[0].clone(), ty.clone(), span);
        }
        let ty = self.infer.shallow(ty);
        if !ty.is_aggregate() {
            let index = self.read(index, span);
            let call = self.cx.table_fn(values, &ty);
            return Expr::op(Op::CallFn(call), vec![index], ty, span);
        }
        let variant_of = |value: &ConstValue| match value {
            ConstValue::Make(variant, _) => *variant,
            ConstValue::Int(_) | ConstValue::Float(_) => 0,
        };
        let tags: Vec<ConstValue> = values
            .iter()
            .map(|v| ConstValue::Int(i64::from(variant_of(v))))
            .collect();
        let mut variants: Vec<u32> = values.iter().map(|v| variant_of(v)).collect();
        variants.sort_unstable();
        variants.dedup();
        let mut made = Vec::new();
        for &variant in &variants {
            made.push(self.column_variant(values, variant, &ty, index, span));
        }
        if made.len() == 1 {
            return made.remove(0);
        }
        let tag_ty = Ty::Int(IntTy::U32);
        let tag = self.column(&tags.iter().collect::<Vec<_>>(), &tag_ty, index, span);
        let last = variants.len() - 1;
        let arms = variants.iter().zip(made).enumerate().map(|(n, (v, body))| {
            let kind = match n == last {
                true => PatKind::Wild,
                false => PatKind::Int(End::Value(i64::from(*v))),
            };
            Arm {
                pat: Pat { kind, span },
                guard: None,
                body,
            }
        });
        let arms = arms.collect();
        Expr::new(Kind::Match(Box::new(tag), arms), ty, span)
    }

    /// One of these values, known to be of a variant.
    fn column_variant(
        &mut self,
        values: &[&ConstValue],
        variant: u32,
        ty: &Ty,
        index: LocalId,
        span: Span,
    ) -> Expr {
        let fields_of = |value: &&ConstValue| match value {
            ConstValue::Make(v, fields) if *v == variant => Some(fields.clone()),
            _ => None,
        };
        let rows: Vec<Option<Vec<ConstValue>>> = values.iter().map(fields_of).collect();
        // Rows of other variants are never asked for: they repeat one that is.
        let some = rows.iter().flatten().next().cloned().unwrap_or_default();
        let types = self.variant_fields(ty, variant);
        let mut fields = Vec::new();
        for (n, ty) in types.iter().enumerate() {
            let column: Vec<&ConstValue> = rows
                .iter()
                .map(|row| row.as_ref().map_or(&some[n], |fields| &fields[n]))
                .collect();
            fields.push(self.column(&column, ty, index, span));
        }
        self.make(variant, fields, ty.clone(), span)
    }
}
