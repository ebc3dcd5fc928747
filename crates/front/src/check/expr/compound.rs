//! Compound assignments.
//!
//! In: `place op= value`. Out: assignments of what the operator gives. Invariant: the sides are
//! evaluated in rustc's order. Between scalars the value comes first, then the place; where the
//! operator is a method, the place, which is its first argument, comes first, with the check of its
//! indices. rustc decides that before it knows what type parameters stand for, and references to
//! scalars are no scalars to it. Where the source does not tell which it is, and the
//! difference shows, there is a diagnostic.

use crate::check::fcx::FnCx;
use crate::check::hir::{Expr, Kind, Op};
use crate::check::terms::{CallAt, First};
use crate::items::{Crate, Def, FnItem, ModId, Ns};
use crate::sabotage::Sabotage;
use crate::source::diag::DiagCode;
use crate::source::syntax::plain;
use crate::tast::{BinOp, Span};
use crate::types::ty::Ty;

/// Methods of the standard library that give a scalar or a reference to one, whatever they are
/// called on.
const GIVES_EITHER: &[&str] = &[
    "clamp",
    "expect",
    "expect_err",
    "insert",
    "map_or",
    "map_or_else",
    "max",
    "min",
    "replace",
    "then_with",
    "unwrap",
    "unwrap_err",
    "unwrap_or",
    "unwrap_or_default",
    "unwrap_or_else",
];

impl FnCx<'_> {
    /// `place op= value`
    pub(in crate::check) fn compound(
        &mut self,
        op: BinOp,
        target: &syn::Expr,
        value: &syn::Expr,
        span: Span,
    ) -> Expr {
        if self.is_item(target) {
            return self.compound_item(op, target, value, span);
        }
        if let Some(item) = self.indexed(target) {
            return self.compound_indexed(op, item, value, span);
        }
        let Some(place) = self.assign_target(target) else {
            self.expr(value, None);
            return Expr::error(span);
        };
        let at = self.span(target);
        let around = self.around_operands(target, value);
        let left = self.read_place(&place, at);
        let right = self.operand(op, &left.ty, value);
        // A place without indices never panics, and cannot be assigned in Rust while a method has
        // it: so the order is that of scalars, whatever it is.
        let stale = Sabotage::StaleVariable.is_on();
        let early = (right.assigns() && !stale).then(|| {
            let temp = self.temp("value", right.ty.clone(), right.span);
            (temp, right.ty.clone())
        });
        match early {
            Some((temp, ty)) if ty != Ty::Never => {
                let first = Expr::bind(temp, right);
                let value = self.read(temp, span);
                let sum = self.assigned(op, (left, value), &around, CallAt::new(span, at));
                let second = self.write_place(place, sum, span);
                Expr::block(vec![first, second], Ty::Unit, span)
            }
            _ => {
                let sum = self.assigned(op, (left, right), &around, CallAt::new(span, at));
                self.write_place(place, sum, span)
            }
        }
    }

    /// The same for an item of a local array.
    fn compound_item(
        &mut self,
        op: BinOp,
        target: &syn::Expr,
        value: &syn::Expr,
        span: Span,
    ) -> Expr {
        let at = self.span(target);
        let around = self.around_operands(target, value);
        let ty = self.local_ty(target).unwrap_or(Ty::Error);
        let mut indices = Vec::new();
        let place = self.item_place(target, &mut indices);
        let right = self.operand(op, &ty, value);
        let Some(place) = place else {
            return Expr::error(span);
        };
        let first = self.first_side((&ty, &right), value);
        // An index may panic, but that cannot be told from its panicking later if the value has no
        // effects.
        let harmless = |index: &Expr| match &index.kind {
            Kind::Let(_, checked) => checked.changes_nothing(),
            _ => false,
        };
        let either = indices.is_empty()
            || right.is_constant()
            || right.is_plain(true) && indices.iter().all(harmless);
        if first == First::Unknown && !either {
            return self.unknown_order(right.span);
        }
        let value_ty = match self.infer.shallow(&right.ty) {
            Ty::Never => ty,
            found => found,
        };
        let temp = self.temp("value", value_ty, span);
        let right = Expr::bind(temp, right);
        let first = match first {
            First::Value if Sabotage::WrongOrder.is_on() => First::Place,
            First::Place if Sabotage::WrongOrder.is_on() => First::Value,
            first => first,
        };
        let mut list = match first {
            First::Place => indices.into_iter().chain([right]).collect(),
            First::Value | First::Unknown => [right].into_iter().chain(indices).collect(),
        };
        let written = self.write_item(place, &mut list, span, |fcx, old| {
            let value = fcx.read(temp, span);
            fcx.assigned(op, (old, value), &around, CallAt::new(span, at))
        });
        match written {
            Some(()) => Expr::block(list, Ty::Unit, span),
            None => Expr::error(span),
        }
    }

    /// Complains about sides of which one cannot be evaluated when rustc does it, or of which it is
    /// not known when that is.
    pub(in crate::check) fn unknown_order(&mut self, at: Span) -> Expr {
        let what = "a right side that does something, and that Rust may evaluate behind the place,";
        let help = "compute it with `let` first: `let value = ..; place += value`";
        self.bad(DiagCode::UnsupportedWithHelp, at, &[what, help])
    }

    /// Which side rustc evaluates first.
    pub(in crate::check) fn first_side(
        &self,
        (left, right): (&Ty, &Expr),
        value: &syn::Expr,
    ) -> First {
        if self.is_overloaded(left) || self.is_overloaded(&right.ty) {
            return First::Place;
        }
        if self.is_generic() {
            return First::Unknown;
        }
        match (self.depth(value), value, &right.kind) {
            (Some(0), ..) => First::Value,
            (Some(_), ..) => First::Place,
            // References are not on the heap.
            (
                None,
                syn::Expr::Field(_) | syn::Expr::Index(_),
                Kind::Op(Op::GetField(_) | Op::GetFieldOf(_) | Op::GetItem, _),
            ) => First::Value,
            (None, ..) => First::Unknown,
        }
    }

    /// Whether the function's source has type parameters, or a `Self` that may be anything.
    pub(in crate::check) fn is_generic(&self) -> bool {
        let krate = &self.cx.krate;
        let Some(func) = self.func else { return false };
        let item = &krate.fns[self.cx.queue.func_items[func].item];
        let types = |generics: &crate::types::generics::Generics| {
            generics.params.iter().any(|param| param.of.is_none())
        };
        let of_block = |id| types(&krate.impls[id].generics);
        types(&item.generics) || item.owner.is_some_and(of_block) || item.of_trait.is_some()
    }

    /// How many references there are around the scalar that an expression gives, where the source
    /// says so.
    fn depth(&self, expr: &syn::Expr) -> Option<u32> {
        match expr {
            syn::Expr::Paren(e) => self.depth(&e.expr),
            syn::Expr::Group(e) => self.depth(&e.expr),
            syn::Expr::Reference(e) => Some(self.depth(&e.expr)? + 1),
            syn::Expr::Unary(e) => match e.op {
                syn::UnOp::Deref(_) => self.depth(&e.expr)?.checked_sub(1),
                _ => Some(0),
            },
            // Operators on references to scalars give scalars.
            syn::Expr::Lit(_) | syn::Expr::Binary(_) | syn::Expr::Cast(_) => Some(0),
            syn::Expr::Block(e) => self.block_depth(&e.block),
            syn::Expr::If(e) => {
                let then = self.block_depth(&e.then_branch)?;
                let other = self.depth(&e.else_branch.as_ref()?.1)?;
                (then == other).then_some(then)
            }
            syn::Expr::Match(e) => {
                let arms = e
                    .arms
                    .iter()
                    .filter(|arm| crate::source::cfg::enabled(&arm.attrs));
                let mut depths = arms.map(|arm| self.depth(&arm.body));
                let first = depths.next()??;
                depths.all(|d| d == Some(first)).then_some(first)
            }
            syn::Expr::Path(e) if e.qself.is_none() => {
                let name = e.path.get_ident().map(crate::source::syntax::name_of);
                if name.is_some_and(|name| self.lookup(&name).is_some()) {
                    return None;
                }
                let (krate, module, path) = (&self.cx.krate, self.site.env.module, plain(&e.path));
                match krate.resolve(module, path.global, &path.segs, Ns::Values)? {
                    (Def::Const(id) | Def::Static(id), used) if used == path.segs.len() => {
                        krate.type_depth(module, &krate.consts[id].ty)
                    }
                    _ => None,
                }
            }
            syn::Expr::Call(e) => {
                let syn::Expr::Path(path) = &*e.func else {
                    return None;
                };
                let segs = plain(&path.path).segs;
                let name = segs.last()?;
                if segs.len() == 1 && self.lookup(name).is_some() {
                    return None;
                }
                let of_prim = segs.len() == 2 && crate::names::written::prim_ty(&segs[0]).is_some();
                match self.cx.krate.result_depth(name) {
                    Some(depth) => depth,
                    // What the primitive types have gives no references.
                    None => of_prim.then_some(0),
                }
            }
            syn::Expr::MethodCall(e) => {
                let name = crate::source::syntax::name_of(&e.method);
                let of_crate = self.cx.krate.result_depth(&name);
                let of_std = match name.as_str() {
                    "unwrap" | "expect" | "unwrap_or" | "unwrap_or_else" | "unwrap_or_default" => {
                        self.payload_depth(&e.receiver)
                    }
                    name if GIVES_EITHER.contains(&name) => None,
                    "clone" => self.depth(&e.receiver).map(|depth| depth.saturating_sub(1)),
                    _ => Some(0),
                };
                match of_crate {
                    Some(depth) => depth.filter(|_| depth == of_std),
                    None => of_std,
                }
            }
            _ => None,
        }
    }

    /// What is around the scalar in an option.
    fn payload_depth(&self, expr: &syn::Expr) -> Option<u32> {
        match expr {
            syn::Expr::Paren(e) => self.payload_depth(&e.expr),
            syn::Expr::MethodCall(e) => {
                let name = crate::source::syntax::name_of(&e.method);
                let unknown = self.cx.krate.count_named(&name) == 0;
                (unknown && name.starts_with("checked_")).then_some(0)
            }
            syn::Expr::Call(e) => match &*e.func {
                syn::Expr::Path(path) => match plain(&path.path).segs.as_slice() {
                    [name] if name == "Some" || name == "Ok" => self.depth(e.args.first()?),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        }
    }

    fn block_depth(&self, block: &syn::Block) -> Option<u32> {
        let (last, before) = block.stmts.split_last()?;
        let syn::Stmt::Expr(value, None) = last else {
            return None;
        };
        let syn::Expr::Path(path) = value else {
            return self.depth(value);
        };
        // A variable of the block.
        let ident = path.path.get_ident()?;
        for stmt in before.iter().rev() {
            let syn::Stmt::Local(local) = stmt else {
                continue;
            };
            let (pat, ty) = match &local.pat {
                syn::Pat::Type(p) => (&*p.pat, Some(&p.ty)),
                pat => (pat, None),
            };
            let syn::Pat::Ident(pat) = pat else {
                return None;
            };
            if pat.ident == *ident {
                return match (ty, &local.init) {
                    (_, _) if pat.by_ref.is_some() || pat.subpat.is_some() => None,
                    (Some(ty), _) => self.cx.krate.type_depth(self.site.env.module, ty),
                    (None, Some(init)) => self.depth(&init.expr),
                    (None, None) => None,
                };
            }
        }
        None
    }
}

impl Crate {
    /// How many references there are around a scalar type; none if it is not written as one.
    fn type_depth(&self, module: ModId, ty: &syn::Type) -> Option<u32> {
        match ty {
            syn::Type::Paren(t) => self.type_depth(module, &t.elem),
            syn::Type::Reference(t) => Some(self.type_depth(module, &t.elem)? + 1),
            syn::Type::Path(p) if p.qself.is_none() => {
                let path = plain(&p.path);
                match self.resolve(module, path.global, &path.segs, Ns::Types)?.0 {
                    Def::Prim(_) => Some(0),
                    Def::Alias(id) => {
                        self.type_depth(self.aliases[id].module, &self.aliases[id].ty)
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The same of what the functions of the crate give that have this name, if all agree; none if
    /// there is none.
    fn result_depth(&self, name: &str) -> Option<Option<u32>> {
        let count = self.count_named(name);
        if count == 0 {
            return None;
        }
        if let Some(known) = self.depths.borrow().get(name, count) {
            return Some(known);
        }
        let result = |f: &FnItem| match &f.sig.output {
            syn::ReturnType::Type(_, ty) if !names_param(f, ty) => self.type_depth(f.module, ty),
            _ => None,
        };
        let named = self.fns_named(name).into_iter();
        let mut depths = named.map(|f| result(&self.fns[f]));
        let first = depths.next()?;
        let depth = first.filter(|first| depths.all(|d| d == Some(*first)));
        self.depths.borrow_mut().insert(name, count, depth);
        Some(depth)
    }
}

/// Whether a result has the type of a parameter.
fn names_param(f: &FnItem, ty: &syn::Type) -> bool {
    match ty {
        syn::Type::Reference(r) => names_param(f, &r.elem),
        syn::Type::Path(p) => {
            let ident = p.path.get_ident().map(crate::source::syntax::name_of);
            ident.is_some_and(|name| f.generics.names(&name))
        }
        _ => false,
    }
}
