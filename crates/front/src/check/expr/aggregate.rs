//! Values made of others: tuples, structs and enums held by value, `Some`, `None`, `Ok`, `Err`.
//!
//! In: literals, constructors, field accesses, and patterns in `let`. Out: [`Op::Make`],
//! [`Op::Part`], matches with one arm. Invariant: a type's variants and their fields are numbered
//! as they are declared; operands stay in source order.

use crate::check::fcx::FnCx;
use crate::check::hir::{Arm, Expr, Kind, Op, Pat, PatKind};
use crate::check::terms::Subject;
use crate::cx::sources::VariantSrc;
use crate::items::*;
use crate::source::diag::DiagCode;
use crate::source::syntax::member_name;
use crate::tast::{IntTy, Span};
use crate::types::infer::Infer;
use crate::types::ty::{Head, Ty};

/// The variants of `Option` and `Result`.
pub(in crate::check) const NONE: u32 = 0;
pub(in crate::check) const SOME: u32 = 1;
pub(in crate::check) const OK: u32 = 0;
pub(in crate::check) const ERR: u32 = 1;

impl FnCx<'_> {
    /// A value of a variant, with all its fields in order.
    pub(in crate::check) fn make(
        &self,
        variant: u32,
        fields: Vec<Expr>,
        ty: Ty,
        span: Span,
    ) -> Expr {
        let order = (0..fields.len() as u32).collect();
        Expr::op(Op::Make(variant, order), fields, ty, span)
    }

    /// `(a, b)`
    pub(in crate::check) fn tuple_expr(
        &mut self,
        e: &syn::ExprTuple,
        expect: Option<&Ty>,
        span: Span,
    ) -> Expr {
        let wanted = match expect.map(|ty| self.infer.shallow(ty)) {
            Some(Ty::Tuple(parts)) if parts.len() == e.elems.len() => parts,
            _ => Vec::new(),
        };
        let (mut parts, mut types) = (Vec::new(), Vec::new());
        for (n, elem) in e.elems.iter().enumerate() {
            let part = self.expr(elem, wanted.get(n));
            types.push(match self.infer.shallow(&part.ty) {
                // It is never computed.
                Ty::Never => self
                    .infer
                    .var(crate::types::infer::VarKind::Diverging, span),
                ty => ty,
            });
            parts.push(part);
        }
        match types.contains(&Ty::Error) {
            true => Expr::error(span),
            false => self.make(0, parts, Ty::Tuple(types), span),
        }
    }

    /// A variant of a struct or enum held by value, whose arguments may not be known yet.
    pub(in crate::check) fn variant_src(&mut self, ty: &Ty, variant: u32) -> Option<VariantSrc> {
        let ty = self.infer.shallow(ty);
        if let Ty::Adt(id) = ty {
            let variants = &self.cx.interned.adt_src[id].variants;
            return variants.get(variant as usize).cloned();
        }
        let (Head::Adt(key), args) = self.infer.parts(&ty)? else {
            return None;
        };
        let mut variants = self.cx.variants_of(key, &args, Some(&mut self.infer));
        let known = (variant as usize) < variants.len();
        known.then(|| variants.swap_remove(variant as usize))
    }

    /// The types of a variant's fields.
    pub(in crate::check) fn variant_fields(&mut self, ty: &Ty, variant: u32) -> Vec<Ty> {
        match (self.infer.shallow(ty), variant) {
            (Ty::Tuple(parts), _) => parts,
            (Ty::Fixed(item, len), _) => vec![*item; len as usize],
            (Ty::Option(inner), SOME) => vec![*inner],
            (Ty::Result(ok, _), OK) => vec![*ok],
            (Ty::Result(_, err), _) => vec![*err],
            (ty @ (Ty::Adt(_) | Ty::Var(_)), _) => {
                let src = self.variant_src(&ty, variant);
                let fields = src.map_or(Vec::new(), |v| v.fields);
                fields.into_iter().map(|f| f.1).collect()
            }
            _ => Vec::new(),
        }
    }

    /// `Value::Int(3)`, `Point(1, 2)`
    pub(in crate::check) fn construct(
        &mut self,
        (ty, variant): (Ty, u32),
        args: &[&syn::Expr],
        expect: Option<&Ty>,
        span: Span,
    ) -> Expr {
        self.expect(&ty, expect);
        let Some(src) = self.variant_src(&ty, variant) else {
            return self.give_up(args, span);
        };
        if !self.arity(&src.name, src.fields.len(), args.len(), span) {
            self.give_up(args, span);
            return Expr::new(Kind::Error, ty, span);
        }
        let mut fields = Vec::new();
        for (arg, (_, ty)) in args.iter().zip(&src.fields) {
            fields.push(self.coerced(arg, ty));
        }
        self.make(variant, fields, ty, span)
    }

    /// Takes what is expected for the arguments of a generic type, if it is of that type.
    fn expect(&mut self, ty: &Ty, expect: Option<&Ty>) {
        if let (Ty::Var(_), Some(expect)) = (ty, expect) {
            self.infer.try_unify(ty, expect);
            self.settle();
        }
    }

    /// `Value::Nil`, `Unit`: a variant without fields.
    pub(in crate::check) fn constant_of(&mut self, (ty, variant): (Ty, u32), span: Span) -> Expr {
        match self.variant_src(&ty, variant) {
            Some(src) if src.fields.is_empty() => self.make(variant, Vec::new(), ty, span),
            Some(_) => {
                let help = "call it with its fields, or write a function that does";
                self.bad(
                    DiagCode::UnsupportedWithHelp,
                    span,
                    &["a constructor as a value", help],
                )
            }
            None => Expr::error(span),
        }
    }

    /// `Point { x: 1, ..other }` for a struct or variant held by value.
    pub(in crate::check) fn adt_literal(
        &mut self,
        (ty, variant): (Ty, u32),
        e: &syn::ExprStruct,
        expect: Option<&Ty>,
        span: Span,
    ) -> Expr {
        self.expect(&ty, expect);
        let Some(src) = self.variant_src(&ty, variant) else {
            return Expr::error(span);
        };
        let (mut order, mut values) = (Vec::new(), Vec::new());
        for field in e
            .fields
            .iter()
            .filter(|f| crate::source::cfg::enabled(&f.attrs))
        {
            let (at, name) = (self.span(&field.member), member_name(&field.member));
            let Some(index) = src.fields.iter().position(|f| f.0 == name) else {
                let shown = self.show(&ty);
                self.err(DiagCode::NoField, at, &[&name, &shown]);
                self.expr(&field.expr, None);
                continue;
            };
            if order.contains(&(index as u32)) {
                let message = format!("field `{name}` is given twice");
                self.err(DiagCode::BadStructLiteral, at, &[&message]);
            }
            order.push(index as u32);
            values.push(self.coerced(&field.expr, &src.fields[index].1));
        }
        let missing: Vec<u32> = (0..src.fields.len() as u32)
            .filter(|n| !order.contains(n))
            .collect();
        let Some(rest) = &e.rest else {
            if !missing.is_empty() {
                let names = missing
                    .iter()
                    .map(|&n| format!("`{}`", src.fields[n as usize].0));
                let names: Vec<String> = names.collect();
                let message = format!("missing {} in the struct", names.join(", "));
                self.err(DiagCode::BadStructLiteral, span, &[&message]);
            }
            return Expr::op(Op::Make(variant, order), values, ty, span);
        };
        // The fields are evaluated before the rest is, which is then a variable.
        let rest = self.coerced(rest, &ty);
        let (mut list, mut operands) = (Vec::new(), Vec::new());
        for value in values {
            let temp = self.temp("field", value.ty.clone(), value.span);
            list.push(Expr::bind(temp, value));
            operands.push(self.read(temp, span));
        }
        let temp = self.temp("rest", ty.clone(), rest.span);
        list.push(Expr::bind(temp, rest));
        for index in missing {
            let (field, rest) = (&src.fields[index as usize], self.read(temp, span));
            order.push(index);
            operands.push(Expr::op(Op::Part(index), vec![rest], field.1.clone(), span));
        }
        list.push(Expr::op(
            Op::Make(variant, order),
            operands,
            ty.clone(),
            span,
        ));
        Expr::block(list, ty, span)
    }

    /// The index and type of a field of a tuple or struct held by value.
    pub(in crate::check) fn part_of(&mut self, ty: &Ty, member: &syn::Member) -> Option<(u32, Ty)> {
        match (self.infer.shallow(ty), member) {
            (Ty::Tuple(parts), syn::Member::Unnamed(index)) => {
                let part = parts.get(index.index as usize)?;
                Some((index.index, part.clone()))
            }
            (ty @ (Ty::Adt(_) | Ty::Var(_)), member) => {
                let (TypeKey::Struct(_), _) = self.key_of(&ty)? else {
                    return None;
                };
                let src = self.variant_src(&ty, 0)?;
                let name = member_name(member);
                let index = src.fields.iter().position(|f| f.0 == name)?;
                Some((index as u32, src.fields[index].1.clone()))
            }
            _ => None,
        }
    }

    /// An expression before a `.`, where a name may be a reference.
    pub(in crate::check) fn base(&mut self, expr: &syn::Expr) -> Expr {
        if let Some(local) = self.named(expr) {
            let span = self.span(expr);
            return self.read(local, span);
        }
        self.place(expr, None)
    }

    /// The number of a variant, where an enum without fields is cast.
    pub(in crate::check) fn number_of(&mut self, value: Expr, span: Span) -> Expr {
        let Ty::Adt(id) = self.infer.shallow(&value.ty) else {
            return value;
        };
        let TypeKey::Enum(e) = self.cx.interned.adt_src[id].key else {
            return value;
        };
        let count = self.cx.krate.enums[e].variants.len();
        let mut numbers = Vec::new();
        for index in 0..count {
            match self.variant_number(e, index, span) {
                Some(number) => numbers.push(number),
                None => return Expr::error(span),
            }
        }
        let ty = Ty::Int(IntTy::I64);
        if numbers.iter().enumerate().all(|(n, &v)| n as i64 == v) {
            return Expr::op(Op::Tag, vec![value], ty, span);
        }
        let arms = numbers.into_iter().enumerate().map(|(n, number)| Arm {
            pat: Pat {
                kind: PatKind::Variant(n as u32, Vec::new()),
                span,
            },
            guard: None,
            body: Expr::new(Kind::Value(number), ty.clone(), span),
        });
        let arms = arms.collect();
        Expr::new(Kind::Match(Box::new(value), arms), ty, span)
    }

    /// Binds what an irrefutable pattern names.
    pub(in crate::check) fn destructure(
        &mut self,
        pat: &syn::Pat,
        subject: Subject,
        span: Span,
    ) -> Expr {
        let ty = match self.infer.shallow(&subject.value.ty) {
            Ty::Never => self
                .infer
                .var(crate::types::infer::VarKind::Diverging, span),
            ty => ty,
        };
        if let (syn::Pat::Struct(pat), Ty::Gc(class)) = (without_refs(pat), &ty) {
            return self.object_parts(pat, (subject.value, *class), span);
        }
        let arm = Arm {
            pat: self.pat_on(pat, &subject, &ty),
            guard: None,
            body: Expr::unit(span),
        };
        Expr::new(
            Kind::Match(Box::new(subject.value), vec![arm]),
            Ty::Unit,
            span,
        )
    }
}

/// A pattern without the `&` and the parentheses around it.
fn without_refs(pat: &syn::Pat) -> &syn::Pat {
    match pat {
        syn::Pat::Reference(p) => without_refs(&p.pat),
        syn::Pat::Paren(p) => without_refs(&p.pat),
        pat => pat,
    }
}

/// The types of `Ok` and `Err`, with new holes for the one that is not known.
pub(in crate::check) fn result_ty(infer: &mut Infer, variant: u32, known: Ty, span: Span) -> Ty {
    let other = Box::new(infer.var(crate::types::infer::VarKind::General, span));
    match variant {
        OK => Ty::Result(Box::new(known), other),
        _ => Ty::Result(other, Box::new(known)),
    }
}
