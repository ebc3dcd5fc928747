//! Index expressions: items of arrays, and what `Index` and `IndexMut` make of other types.
//!
//! In: `base[index]`, read or assigned. Out: heap operations, choices among the items of a local
//! array, calls. Invariant: what `index_mut` refers to is known from its source: where it ends in
//! `&mut place`, there is a function that reads the place, and one that writes it. It is called
//! once, whatever is assigned.

use crate::check::call::ref_impls::Around;
use crate::check::fcx::FnCx;
use crate::check::hir::{Expr, Op};
use crate::check::terms::{CallAt, Callee, First, Place};
use crate::cx::Cx;
use crate::cx::sources::{Accessors, ClassSrc};
use crate::items::*;
use crate::source::diag::DiagCode;
use crate::tast::{BinOp, IntTy, LocalId, Span, symbol};
use crate::types::generics::{Inst, Param, SubstId};
use crate::types::ty::{Head, Ty};
use std::rc::Rc;

impl FnCx<'_> {
    /// `base[index]`
    pub(in crate::check) fn index_expr(&mut self, e: &syn::ExprIndex, span: Span) -> Expr {
        if let Some(item) = self.item_expr(e, span) {
            return item;
        }
        let base = self.base(&e.expr);
        let base = self.value_of(base);
        let ty = self.infer.shallow(&base.ty);
        let (is_array, parts) = (matches!(ty, Ty::Array(_)), self.infer.parts(&ty));
        match parts {
            _ if is_array => {}
            Some((Head::Array(..), _)) => {}
            _ if matches!(ty, Ty::Fixed(..)) => return self.item_of_value(base, &e.index, span),
            _ if self.is_overloaded(&ty) => return self.index_method(base, &e.index, span),
            _ => {}
        }
        if ty == Ty::Error {
            // The index has no type.
            self.expr(&e.index, None);
            return Expr::error(span);
        }
        self.note_operator(&ty, "Index", "index");
        let index = self.coerced(&e.index, &Ty::Int(IntTy::Usize));
        let (item, cell) = match (&ty, parts) {
            (Ty::Array(class), _) => match &self.cx.interned.classes[*class] {
                ClassSrc::Array { item, cell, .. } => (item.clone(), *cell),
                ClassSrc::Struct { .. } => return Expr::error(span),
            },
            (_, Some((Head::Array(cell, _), args))) => (args[0].clone(), cell),
            (Ty::Never, _) => return Expr::error(span),
            (Ty::Var(_), _) => return self.bad(DiagCode::Annotate, base.span, &["array"]),
            _ => {
                let shown = self.show(&ty);
                return self.bad(DiagCode::BadIndex, span, &[&shown]);
            }
        };
        let ty = if cell { Ty::Cell(Box::new(item)) } else { item };
        Expr::op(Op::GetItem, vec![base, index], ty, span)
    }

    /// `base[index]` as a call of `index`.
    fn index_method(&mut self, base: Expr, index: &syn::Expr, span: Span) -> Expr {
        let index = self.expr(index, None);
        let ty = self.infer.shallow(&base.ty);
        let mut found = self.operator(
            "Index",
            "index",
            (&ty, Some(&index.ty)),
            &Around::default(),
            span,
        );
        if let (None, Some((Head::Gc, class))) = (&found, self.infer.parts(&ty)) {
            found = self.operator(
                "Index",
                "index",
                (&class[0], Some(&index.ty)),
                &Around::default(),
                span,
            );
        }
        match found {
            Some(callee) => self.call_operands(callee, vec![base, index], CallAt::whole(span)),
            None => {
                let shown = self.show(&ty);
                self.bad(DiagCode::BadIndex, span, &[&shown])
            }
        }
    }

    /// The place of a local value that is indexed, and by what, if its items are where `index_mut`
    /// says.
    pub(in crate::check) fn indexed<'e>(&mut self, target: &'e syn::Expr) -> Option<Indexed<'e>> {
        let e = match target {
            syn::Expr::Paren(e) => return self.indexed(&e.expr),
            syn::Expr::Index(e) => e,
            _ => return None,
        };
        let place = self.find_place(&e.expr)?;
        let ty = self.infer.shallow(&self.place_ty(&place));
        let by_value = match ty {
            Ty::Adt(_) => true,
            ty => matches!(self.infer.parts(&ty), Some((Head::Adt(_), _))),
        };
        by_value.then_some(Indexed { e, place })
    }

    /// An assignment of what `index_mut` refers to. As in Rust, the value is computed before the
    /// index is.
    pub(in crate::check) fn assign_indexed(
        &mut self,
        Indexed { e, place }: Indexed<'_>,
        value: &syn::Expr,
        span: Span,
    ) -> Expr {
        self.check_frozen(&place, &e.expr);
        let value = self.expr(value, None);
        let index = self.expr(&e.index, None);
        let Some((index_mut, accessors)) = self.index_mut(&place, &index, e) else {
            return Expr::error(span);
        };
        let mut list = Vec::new();
        let value = self.keep(value, &mut list);
        let index = self.keep(index, &mut list);
        let operands = vec![
            self.read_place(&place, span),
            self.read(index, span),
            self.read(value, span),
        ];
        let write = (accessors.write, index_mut.subst);
        list.push(self.access(write, operands, &place, span));
        Expr::block(list, Ty::Unit, span)
    }

    /// A compound assignment of what `index_mut` refers to, which is called once, and behind the
    /// right side: so where it comes first in Rust, the right side must not show
    /// when it is computed.
    pub(in crate::check) fn compound_indexed(
        &mut self,
        op: BinOp,
        Indexed { e, place }: Indexed<'_>,
        value: &syn::Expr,
        span: Span,
    ) -> Expr {
        self.check_frozen(&place, &e.expr);
        let index = self.expr(&e.index, None);
        let Some((index_mut, accessors)) = self.index_mut(&place, &index, e) else {
            self.expr(value, None);
            return Expr::error(span);
        };
        let inst = Inst {
            item: accessors.read,
            subst: index_mut.subst,
        };
        let ty = self.cx.open_signature(inst, Some(&mut self.infer)).ret;
        let ty = self.infer.shallow(&ty);
        let right = self.operand(op, &ty, value);
        let scalars = !self.is_overloaded(&ty) && !self.is_overloaded(&right.ty);
        if scalars && matches!(op, BinOp::Shl | BinOp::Shr) {
            self.is_shifted_by(op, &right);
        } else if scalars && right.ty != Ty::Never {
            self.equate(&ty, &right.ty, right.span);
        }
        let first = self.first_side((&ty, &right), value);
        let (plain, mixed) = (
            right.is_plain(false),
            !right.is_constant() && index.assigns(),
        );
        let refused = match first {
            First::Value => false,
            First::Place => !plain,
            First::Unknown => !plain || mixed,
        };
        if refused {
            return self.unknown_order(right.span);
        }
        let update = self.cx.updater(index_mut.item, op);
        let mut list = Vec::new();
        let (index, right) = match first {
            First::Value => {
                let right = self.keep(right, &mut list);
                (self.keep(index, &mut list), right)
            }
            First::Place | First::Unknown => {
                let index = self.keep(index, &mut list);
                (index, self.keep(right, &mut list))
            }
        };
        let operands = vec![
            self.read_place(&place, span),
            self.read(index, span),
            self.read(right, span),
        ];
        let update = (update, index_mut.subst);
        list.push(self.access(update, operands, &place, span));
        Expr::block(list, Ty::Unit, span)
    }

    /// The `index_mut` of a place for an index, taken apart; none after a complaint.
    fn index_mut(
        &mut self,
        place: &Place,
        index: &Expr,
        e: &syn::ExprIndex,
    ) -> Option<(Callee<'static>, Accessors)> {
        let (ty, at) = (self.place_ty(place), self.span(e));
        let Some(callee) = self.operator(
            "IndexMut",
            "index_mut",
            (&ty, Some(&index.ty)),
            &Around::default(),
            at,
        ) else {
            let shown = self.show(&ty);
            self.err(DiagCode::BadIndex, at, &[&shown]);
            return None;
        };
        let accessors = self.cx.accessors(callee.item);
        if accessors.is_none() {
            let help = "let its body end in `&mut` of a part of `self`, or write a method that takes the new value";
            let what = "an `index_mut` whose place cannot be told from its source";
            self.err(DiagCode::UnsupportedWithHelp, at, &[what, help]);
        }
        Some((callee, accessors?))
    }

    /// A variable with the value of an operand.
    fn keep(&mut self, value: Expr, list: &mut Vec<Expr>) -> LocalId {
        let temp = self.temp("operand", value.ty.clone(), value.span);
        list.push(Expr::bind(temp, value));
        temp
    }

    /// The call of one of the functions for the place that `index_mut` refers to.
    fn access(
        &mut self,
        (item, subst): (FnItemId, SubstId),
        operands: Vec<Expr>,
        place: &Place,
        span: Span,
    ) -> Expr {
        let callee = Callee {
            subst,
            ..Callee::plain(item)
        };
        self.call_lending(callee, operands, Some(place.clone()), CallAt::whole(span))
    }
}

/// What is indexed, and the index expression.
pub(in crate::check) struct Indexed<'e> {
    e: &'e syn::ExprIndex,
    place: Place,
}

impl Cx {
    /// The function that changes what an `index_mut` that can be taken apart refers to, by an
    /// operator. What it is given may be of any type that the operator takes.
    fn updater(&mut self, id: FnItemId, op: BinOp) -> FnItemId {
        if let Some(known) = self.generated.updaters.get(&(id, op)) {
            return *known;
        }
        let mut item = (*self.krate.fns[id]).clone();
        item.sig.output = syn::ReturnType::Default;
        item.sig
            .inputs
            .push(syn::parse_quote!(__vd_right: __VdRight));
        item.generics.params.push(Param {
            name: "__VdRight".to_owned(),
            default: None,
            of: None,
        });
        let symbol: syn::BinOp = match syn::parse_str(&format!("{}=", symbol(op))) {
            Ok(symbol) => symbol,
            Err(_) => unreachable!("only arithmetic can be assigned"),
        };
        let change = |place: &syn::Expr| syn::parse_quote!(#place #symbol __vd_right);
        // It has been taken apart before.
        let _ = end_block(&mut item.body, &change);
        let made = self.krate.fns.push(Rc::new(item));
        self.generated.updaters.insert((id, op), made);
        made
    }

    /// Takes an `index_mut` apart; none if its source does not say what it refers to.
    fn accessors(&mut self, id: FnItemId) -> Option<Accessors> {
        if let Some(known) = self.generated.accessors.get(&id) {
            return *known;
        }
        let made = self.make_accessors(id);
        self.generated.accessors.insert(id, made);
        made
    }

    fn make_accessors(&mut self, id: FnItemId) -> Option<Accessors> {
        let item = self.krate.fns[id].clone();
        let ty = match &item.sig.output {
            syn::ReturnType::Type(_, ty) => match &**ty {
                syn::Type::Reference(r) if r.mutability.is_some() => r.elem.clone(),
                _ => return None,
            },
            syn::ReturnType::Default => return None,
        };
        let (mut read, mut write) = ((*item).clone(), (*item).clone());
        read.sig.output = syn::parse_quote!(-> #ty);
        end_block(&mut read.body, &|place| place.clone())?;
        write.sig.output = syn::ReturnType::Default;
        write.sig.inputs.push(syn::parse_quote!(__vd_new: #ty));
        end_block(
            &mut write.body,
            &|place| syn::parse_quote!(#place = __vd_new),
        )?;
        Some(Accessors {
            read: self.krate.fns.push(Rc::new(read)),
            write: self.krate.fns.push(Rc::new(write)),
        })
    }
}

/// Makes something else of every `&mut place` that can be the value of a block; none if something
/// else can be.
fn end_block(block: &mut syn::Block, make: &dyn Fn(&syn::Expr) -> syn::Expr) -> Option<()> {
    match block.stmts.last_mut()? {
        syn::Stmt::Expr(value, None) => end_expr(value, make),
        syn::Stmt::Macro(stmt) if diverges(&stmt.mac) => Some(()),
        _ => None,
    }
}

fn end_expr(expr: &mut syn::Expr, make: &dyn Fn(&syn::Expr) -> syn::Expr) -> Option<()> {
    match expr {
        syn::Expr::Reference(e) if e.mutability.is_some() => {
            *expr = make(&e.expr);
            Some(())
        }
        syn::Expr::Paren(e) => end_expr(&mut e.expr, make),
        syn::Expr::Block(e) => end_block(&mut e.block, make),
        syn::Expr::If(e) => {
            end_block(&mut e.then_branch, make)?;
            end_expr(&mut e.else_branch.as_mut()?.1, make)
        }
        syn::Expr::Match(e) => {
            let mut arms = e.arms.iter_mut();
            arms.try_for_each(|arm| end_expr(&mut arm.body, make))
        }
        syn::Expr::Macro(e) if diverges(&e.mac) => Some(()),
        _ => None,
    }
}

fn diverges(mac: &syn::Macro) -> bool {
    let names = ["panic", "unreachable", "todo", "unimplemented"];
    names
        .iter()
        .any(|name| crate::source::syntax::is_macro(mac, name))
}
