//! Arrays held by value.
//!
//! In: array literals, index expressions, assignments to items. Out: an array is a value of one
//! variant with a field for each item; an index that is not known is checked against the length,
//! and chooses among the fields. Invariant: as in Rust, the indices of a place are evaluated and
//! checked from the left to the right, and then the place is read or written.

use crate::check::expr::assign::type_of_local;
use crate::check::fcx::FnCx;
use crate::check::hir::{Arm, End, Expr, Kind, Op, Pat, PatKind};
use crate::cx::sources::ConstValue;
use crate::source::diag::DiagCode;
use crate::source::syntax::member_name;
use crate::tast::{IntTy, Intrinsic, LocalId, Span};
use crate::types::infer::VarKind;
use crate::types::ty::{MAX_ITEMS, Ty};

/// The most items that a constant array has.
const MAX_TABLE: u64 = 1 << 16;

/// One step from a place to a part of it, in the source.
enum Written<'e> {
    Field(&'e syn::Member),
    Index(&'e syn::Expr),
}

/// The same, checked; with the type that it leads to.
pub(in crate::check) enum Step {
    Field(u32, Ty),
    /// An item whose number is known.
    Item(u32, Ty),
    /// The item whose number is in a local, which is less than the length.
    Choice(LocalId, u32, Ty),
}

/// Where the steps begin.
enum Root {
    /// An expression.
    Value(Ty),
    /// A constant.
    Table(ConstValue, Ty),
}

impl FnCx<'_> {
    /// `[a, b, c]`
    pub(in crate::check) fn array_expr(
        &mut self,
        e: &syn::ExprArray,
        expect: Option<&Ty>,
        span: Span,
    ) -> Expr {
        let item = match expect.map(|ty| self.infer.shallow(ty)) {
            Some(Ty::Fixed(item, _)) => *item,
            _ => self.hole(span),
        };
        let mut items = Vec::new();
        for elem in e
            .elems
            .iter()
            .filter(|elem| crate::source::cfg::keeps(elem))
        {
            items.push(self.coerced(elem, &item));
        }
        let ty = Ty::Fixed(Box::new(item), items.len() as u32);
        match self.small_enough(&ty, span) {
            true => self.make(0, items, ty, span),
            false => Expr::error(span),
        }
    }

    /// `[x; N]`
    pub(in crate::check) fn repeat_expr(
        &mut self,
        e: &syn::ExprRepeat,
        expect: Option<&Ty>,
        span: Span,
    ) -> Expr {
        let hint = match expect.map(|ty| self.infer.shallow(ty)) {
            Some(Ty::Fixed(item, _)) => Some(*item),
            _ => None,
        };
        let item = match &hint {
            Some(item) => self.coerced(&e.expr, item),
            None => self.expr(&e.expr, None),
        };
        let Some(len) = self.cx.array_len(&e.len, self.site.env) else {
            return Expr::error(span);
        };
        let item_ty = match self.infer.shallow(&item.ty) {
            Ty::Never => self.infer.var(VarKind::Diverging, span),
            ty => ty,
        };
        let ty = Ty::Fixed(Box::new(item_ty.clone()), len);
        if !self.small_enough(&ty, span) || item_ty == Ty::Error {
            return Expr::error(span);
        }
        let temp = self.temp("item", item_ty, item.span);
        let first = Expr::bind(temp, item);
        let items = (0..len).map(|_| self.read(temp, span)).collect();
        let whole = self.make(0, items, ty.clone(), span);
        Expr::block(vec![first, whole], ty, span)
    }

    /// The length of an array, which its type says.
    pub(in crate::check) fn fixed_len(&self, len: u32, span: Span) -> Expr {
        Expr::new(Kind::Value(i64::from(len)), Ty::Int(IntTy::Usize), span)
    }

    /// Complains about an array that has too many items to be held by value.
    pub(in crate::check) fn small_enough(&mut self, ty: &Ty, span: Span) -> bool {
        let count = self.items(ty);
        let most = match self.func {
            Some(_) => MAX_ITEMS,
            None => MAX_TABLE,
        };
        if count > most {
            let words = [count.to_string(), most.to_string()];
            self.err(DiagCode::LargeArray, span, &[&words[0], &words[1]]);
        }
        count <= most
    }

    /// The number of items, those of inner arrays counted.
    fn items(&self, ty: &Ty) -> u64 {
        match self.infer.shallow(ty) {
            Ty::Fixed(item, len) => u64::from(len).saturating_mul(self.items(&item)),
            _ => 1,
        }
    }

    /// Whether an expression is a place (or a part of one) in an array that a local variable holds.
    pub(in crate::check) fn is_item(&mut self, expr: &syn::Expr) -> bool {
        match expr {
            syn::Expr::Paren(e) => self.is_item(&e.expr),
            syn::Expr::Field(e) => self.is_item(&e.base) && self.local_ty(expr).is_some(),
            syn::Expr::Index(e) => match self.local_ty(&e.expr) {
                Some(Ty::Fixed(..) | Ty::Error) => true,
                // What is behind an item that is a reference lies elsewhere.
                Some(Ty::Array(_)) => false,
                _ => self.is_item(&e.expr),
            },
            _ => false,
        }
    }

    /// The type of a local or a part of one.
    pub(in crate::check) fn local_ty(&mut self, expr: &syn::Expr) -> Option<Ty> {
        match expr {
            syn::Expr::Paren(e) => self.local_ty(&e.expr),
            syn::Expr::Field(e) => {
                let base = self.local_ty(&e.base)?;
                self.part_of(&base, &e.member)
                    .map(|(_, ty)| self.infer.shallow(&ty))
            }
            syn::Expr::Index(e) => match self.local_ty(&e.expr)? {
                Ty::Fixed(item, _) => Some(self.infer.shallow(&item)),
                _ => None,
            },
            // `*name` of a `&mut` is what the name alone stands for, too.
            syn::Expr::Unary(e) if matches!(e.op, syn::UnOp::Deref(_)) => {
                let local = self.named(&e.expr)?;
                self.is_lent(local).then(|| self.local_ty(&e.expr))?
            }
            expr => type_of_local(self, expr),
        }
    }

    /// An item of an array held by value or of a table; none if the indexed expression is something
    /// else.
    pub(in crate::check) fn item_expr(&mut self, e: &syn::ExprIndex, span: Span) -> Option<Expr> {
        if let Some(Ty::Array(_)) = self.local_ty(&e.expr) {
            return None;
        }
        let mut written = vec![Written::Index(&e.index)];
        let mut root = &*e.expr;
        loop {
            root = match root {
                syn::Expr::Paren(e) => &e.expr,
                syn::Expr::Index(e) if self.is_item(root) || self.table(&e.expr).is_some() => {
                    written.push(Written::Index(&e.index));
                    &e.expr
                }
                syn::Expr::Field(e) if self.is_item(&e.base) => {
                    written.push(Written::Field(&e.member));
                    &e.base
                }
                _ => break,
            };
        }
        written.reverse();
        if let Some((value, ty)) = self.table(root) {
            return Some(self.read_steps(Root::Table(value, ty), None, &written, span));
        }
        if let Some(ty @ Ty::Fixed(..)) = self.local_ty(root) {
            return Some(self.read_steps(Root::Value(ty), Some(root), &written, span));
        }
        None
    }

    /// An item of an array that is the value of an expression.
    pub(in crate::check) fn item_of_value(
        &mut self,
        array: Expr,
        index: &syn::Expr,
        span: Span,
    ) -> Expr {
        let ty = self.infer.shallow(&array.ty);
        let temp = self.temp("array", ty.clone(), array.span);
        let mut list = vec![Expr::bind(temp, array)];
        let (steps, ty) = self.steps(&[Written::Index(index)], ty, &mut list);
        let value = self.follow(temp, &steps, &mut list, span);
        let value = value.last().map_or(temp, |t| *t);
        list.push(self.read(value, span));
        Expr::block(list, ty, span)
    }

    fn read_steps(
        &mut self,
        root: Root,
        place: Option<&syn::Expr>,
        written: &[Written<'_>],
        span: Span,
    ) -> Expr {
        let mut list = Vec::new();
        let (Root::Value(ty) | Root::Table(_, ty)) = &root;
        let (steps, last) = self.steps(written, ty.clone(), &mut list);
        if last == Ty::Error {
            return Expr::error(span);
        }
        let (start, steps) = match (root, place) {
            (Root::Table(value, ty), _) => {
                let run = steps.iter().take_while(|s| !matches!(s, Step::Field(..)));
                let run = run.count();
                let item = self.read_table(value, ty, &steps[..run], &mut list, span);
                if steps.len() == run {
                    list.push(item);
                    return Expr::block(list, last, span);
                }
                (item, &steps[run..])
            }
            (Root::Value(_), Some(place)) => (self.base(place), &steps[..]),
            (Root::Value(_), None) => return Expr::error(span),
        };
        let temp = self.temp("whole", start.ty.clone(), span);
        list.push(Expr::bind(temp, start));
        let temps = self.follow(temp, steps, &mut list, span);
        let value = temps.last().map_or(temp, |t| *t);
        list.push(self.read(value, span));
        Expr::block(list, last, span)
    }

    /// Checks steps and adds the evaluation of their indices to the list; the type they lead to.
    fn steps(
        &mut self,
        written: &[Written<'_>],
        mut ty: Ty,
        list: &mut Vec<Expr>,
    ) -> (Vec<Step>, Ty) {
        let mut steps = Vec::new();
        for step in written {
            let next = match (step, self.infer.shallow(&ty)) {
                (Written::Field(member), base) => match self.part_of(&base, member) {
                    Some((index, ty)) => Step::Field(index, ty),
                    None => {
                        if base != Ty::Error {
                            let (at, shown) = (self.span(*member), self.show(&base));
                            self.err(DiagCode::NoField, at, &[&member_name(member), &shown]);
                        }
                        return (steps, Ty::Error);
                    }
                },
                (Written::Index(index), Ty::Fixed(item, len)) => {
                    self.index_step(index, *item, len, list)
                }
                (Written::Index(index), base) => {
                    self.expr(index, None);
                    if base != Ty::Error {
                        let (at, shown) = (self.span(*index), self.show(&base));
                        self.err(DiagCode::BadIndex, at, &[&shown]);
                    }
                    return (steps, Ty::Error);
                }
            };
            ty = next.ty().clone();
            steps.push(next);
        }
        (steps, ty)
    }

    fn index_step(&mut self, index: &syn::Expr, item: Ty, len: u32, list: &mut Vec<Expr>) -> Step {
        let usize_ty = Ty::Int(IntTy::Usize);
        let index = self.coerced(index, &usize_ty);
        let known = match index.kind {
            Kind::Lit(value) => u32::try_from(value).ok(),
            Kind::Value(value) => u32::try_from(value).ok(),
            _ => None,
        };
        if let Some(known) = known.filter(|k| *k < len) {
            return Step::Item(known, item);
        }
        let span = index.span;
        let limit = Expr::new(Kind::Value(i64::from(len)), usize_ty.clone(), span);
        let checked = Expr::op(
            Op::Intrinsic(Intrinsic::InBounds),
            vec![index, limit],
            usize_ty.clone(),
            span,
        );
        let temp = self.temp("index", usize_ty, span);
        list.push(Expr::bind(temp, checked));
        Step::Choice(temp, len, item)
    }

    /// Reads what the steps lead to, one after the other: the locals that hold it.
    fn follow(
        &mut self,
        mut from: LocalId,
        steps: &[Step],
        list: &mut Vec<Expr>,
        span: Span,
    ) -> Vec<LocalId> {
        let mut temps = Vec::new();
        for step in steps {
            let value = match step {
                Step::Field(index, ty) | Step::Item(index, ty) => {
                    let whole = self.read(from, span);
                    Expr::op(Op::Part(*index), vec![whole], ty.clone(), span)
                }
                Step::Choice(index, len, ty) => self.fixed_item(from, ty, *len, *index, span),
            };
            let temp = self.temp("part", step.ty().clone(), span);
            list.push(Expr::bind(temp, value));
            temps.push(temp);
            from = temp;
        }
        temps
    }

    /// The item of a local array at a checked index.
    pub(in crate::check) fn fixed_item(
        &self,
        array: LocalId,
        item: &Ty,
        len: u32,
        index: LocalId,
        span: Span,
    ) -> Expr {
        self.choose(index, len, item.clone(), span, &|fcx, n| {
            let whole = fcx.read(array, span);
            Expr::op(Op::Part(n), vec![whole], item.clone(), span)
        })
    }

    /// What `item` makes for the value of a local that is less than `len`.
    fn choose(
        &self,
        index: LocalId,
        len: u32,
        ty: Ty,
        span: Span,
        item: &dyn Fn(&Self, u32) -> Expr,
    ) -> Expr {
        let Some(last) = len.checked_sub(1) else {
            // The check of the index has failed.
            let text = "internal error: entered unreachable code";
            return Expr::panic(text, span);
        };
        let arm = |n: u32| {
            let kind = match n == last {
                true => PatKind::Wild,
                false => PatKind::Int(End::Value(i64::from(n))),
            };
            Arm {
                pat: Pat { kind, span },
                guard: None,
                body: item(self, n),
            }
        };
        let arms = (0..len).map(arm).collect();
        Expr::new(
            Kind::Match(Box::new(self.read(index, span)), arms),
            ty,
            span,
        )
    }

    /// The place of an item of a local array: statements that evaluate its indices, and what is
    /// known of it.
    pub(in crate::check) fn item_place<'e>(
        &mut self,
        target: &'e syn::Expr,
        list: &mut Vec<Expr>,
    ) -> Option<ItemPlace<'e>> {
        let (mut written, mut root) = (Vec::new(), target);
        while self.is_item(root) {
            root = match root {
                syn::Expr::Paren(e) => &e.expr,
                syn::Expr::Index(e) => {
                    written.push(Written::Index(&e.index));
                    &e.expr
                }
                syn::Expr::Field(e) => {
                    written.push(Written::Field(&e.member));
                    &e.base
                }
                _ => break,
            };
        }
        written.reverse();
        let ty = self.local_ty(root)?;
        let (steps, ty) = self.steps(&written, ty, list);
        (ty != Ty::Error).then_some(ItemPlace { root, steps })
    }

    /// Reads an item.
    pub(in crate::check) fn read_item(
        &mut self,
        place: &ItemPlace<'_>,
        list: &mut Vec<Expr>,
        span: Span,
    ) -> Expr {
        let whole = self.base(place.root);
        let root = self.temp("whole", whole.ty.clone(), span);
        list.push(Expr::bind(root, whole));
        let temps = self.follow(root, &place.steps, list, span);
        let last = temps.last().map_or(root, |t| *t);
        self.read(last, span)
    }

    /// Writes an item: `new` makes what is written of what is there.
    pub(in crate::check) fn write_item(
        &mut self,
        place: ItemPlace<'_>,
        list: &mut Vec<Expr>,
        span: Span,
        new: impl FnOnce(&mut Self, Expr) -> Expr,
    ) -> Option<()> {
        let whole = self.base(place.root);
        let root = self.temp("whole", whole.ty.clone(), span);
        list.push(Expr::bind(root, whole));
        let temps = self.follow(root, &place.steps, list, span);
        let last = *temps.last()?;
        let old = self.read(last, span);
        let value = new(self, old);
        list.push(Expr::assign(last, value));
        // What contains it gets the new item, from the inside out.
        for (n, step) in place.steps.iter().enumerate().rev() {
            let (whole, part) = (if n == 0 { root } else { temps[n - 1] }, temps[n]);
            let store = |fcx: &Self, index: u32| {
                let part = fcx.read(part, span);
                fcx.assign_field(whole, index, part, span)
            };
            list.push(match step {
                Step::Field(index, _) | Step::Item(index, _) => store(self, *index),
                Step::Choice(index, len, _) => self.choose(*index, *len, Ty::Unit, span, &store),
            });
        }
        let whole = self.read(root, span);
        // The array may be behind a `&mut`.
        let back = match self.find_place(place.root) {
            Some(root_place) => {
                self.check_frozen(&root_place, place.root);
                self.write_place(root_place, whole, span)
            }
            None => self.assign_place(place.root, whole, span)?,
        };
        list.push(back);
        list.push(Expr::unit(span));
        Some(())
    }
}

/// An item of a local array, or a part of one.
pub(in crate::check) struct ItemPlace<'e> {
    root: &'e syn::Expr,
    steps: Vec<Step>,
}

impl Step {
    pub fn ty(&self) -> &Ty {
        match self {
            Step::Field(_, ty) | Step::Item(_, ty) | Step::Choice(_, _, ty) => ty,
        }
    }
}
