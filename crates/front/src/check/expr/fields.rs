//! The heap: fields, items, and new objects.
//!
//! In: field and index expressions, `Gc::new`, `GcArray::new`. Out: heap operations. Invariant: a
//! `Cell` in the heap has type [`Ty::Cell`] and is the operation that reads it; only `.get()` and
//! `.set(..)` turn it into a value.

use crate::check::expr::path::Val;
use crate::check::fcx::FnCx;
use crate::check::hir::{Expr, Kind, Op};
use crate::cx::sources::{ClassSrc, FieldSrc};
use crate::items::*;
use crate::source::diag::{DiagCode, Diagnostic};
use crate::source::syntax::{member_name, name_of, plain};
use crate::tast::{IntTy, Span};
use crate::types::ty::{Head, Tag, Ty};
use std::rc::Rc;
use verdigris_ops::Held;

impl FnCx<'_> {
    /// `base.field`
    pub(in crate::check) fn field_expr(&mut self, e: &syn::ExprField, span: Span) -> Expr {
        let base = self.base(&e.base);
        let base = self.value_of(base);
        let ty = self.infer.shallow(&base.ty);
        let (at, name) = (self.span(&e.member), member_name(&e.member));
        if let Some((index, ty)) = self.part_of(&ty, &e.member) {
            return match self.infer.shallow(&ty) {
                Ty::Error => Expr::error(span),
                ty => Expr::op(Op::Part(index), vec![base], ty, span),
            };
        }
        if let Ty::Gc(class) = ty {
            let fields = self.cx.class_fields(class);
            if let Some(field) = fields.iter().find(|f| f.name == name) {
                let ty = match field.held.is_cell() {
                    true => Ty::Cell(Box::new(field.ty.clone())),
                    false => field.ty.clone(),
                };
                return match field.ty {
                    Ty::Error => Expr::error(span),
                    _ => Expr::op(Op::GetField(field.id), vec![base], ty, span),
                };
            }
        }
        if let Some((TypeKey::Struct(id), args)) = self.key_of(&ty)
            && matches!(ty, Ty::Var(_))
        {
            let fields = self.cx.open_fields(id, &args, &mut self.infer);
            if let Some(n) = fields.iter().position(|f| f.0 == name) {
                let (_, ty, held) = fields[n].clone();
                let ty = if held.is_cell() {
                    Ty::Cell(Box::new(ty))
                } else {
                    ty
                };
                return Expr::op(Op::GetFieldOf(n as u32), vec![base], ty, span);
            }
        }
        match ty {
            Ty::Error | Ty::Never => Expr::error(span),
            Ty::Var(_) => self.bad(DiagCode::Annotate, base.span, &["value"]),
            Ty::Foreign(foreign) => {
                let what = format!("a field of `{}`", foreign.show());
                let help = "traced code can only hand a reference on: do it in a function marked `#[opaque]` that takes it";
                self.bad(DiagCode::UnsupportedWithHelp, at, &[&what, help])
            }
            Ty::Object(_) => {
                let shown = self.show(&ty);
                let d = Diagnostic::new(DiagCode::NoField, at, &[&name, &shown]);
                self.cx
                    .report(d.help("match on its `kind()` to get the `Gc` of a class"));
                Expr::error(span)
            }
            _ => {
                let shown = self.show(&ty);
                self.bad(DiagCode::NoField, at, &[&name, &shown])
            }
        }
    }

    /// A struct literal that is not the argument of `Gc::new`.
    pub(in crate::check) fn struct_expr(
        &mut self,
        e: &syn::ExprStruct,
        expect: Option<&Ty>,
        span: Span,
    ) -> Expr {
        match self.struct_def(&e.path, e.qself.as_ref()) {
            Some(Val::Make(ty, variant)) => {
                return self.adt_literal((ty, variant), e, expect, span);
            }
            Some(Val::Error) => return Expr::error(span),
            _ => {}
        }
        let name = self.cx.text(self.span(&e.path));
        self.bad(DiagCode::StructOutsideNew, span, &[&name])
    }

    /// The struct or variant that a path before `{` names: what makes it if it is held by value,
    /// else its definition.
    pub(in crate::check) fn struct_def(
        &mut self,
        path: &syn::Path,
        qself: Option<&syn::QSelf>,
    ) -> Option<Val> {
        let at = self.span(path);
        if path.is_ident("Self") {
            return match self.self_key()? {
                (TypeKey::Struct(_), _) => Some(self.self_path(&["Self".to_owned()], at)),
                _ => None,
            };
        }
        let ty = syn::Type::Path(syn::TypePath {
            qself: None,
            path: path.clone(),
        });
        if let Some(key) = self.cx.krate.type_key(self.site.env.module, &ty) {
            let TypeKey::Struct(s) = key else { return None };
            if self.cx.krate.structs[s].gc {
                return Some(Val::Def(Def::Struct(s)));
            }
            return Some(match self.literal_ty(path, key, at) {
                Ty::Error => Val::Error,
                ty => Val::Make(ty, 0),
            });
        }
        let path = syn::ExprPath {
            attrs: Vec::new(),
            qself: qself.cloned(),
            path: path.clone(),
        };
        let known = self.cx.diags.list.len();
        match self.value(&path) {
            value @ (Val::Def(Def::Variant(..)) | Val::Make(..)) => Some(value),
            _ => {
                // The caller reports the mistake.
                self.cx.diags.list.truncate(known);
                None
            }
        }
    }

    /// The type of a literal of a struct: itself or an alias of it, with the arguments that are
    /// written or holes.
    fn literal_ty(&mut self, path: &syn::Path, key: TypeKey, at: Span) -> Ty {
        let written = plain(path);
        let place = (path.segments.last(), self.site.env);
        let krate = &self.cx.krate;
        let found = krate.resolve(
            self.site.env.module,
            written.global,
            &written.segs,
            Ns::Types,
        );
        let infer = Some(&mut self.infer);
        match found {
            Some((Def::Alias(alias), _)) => self.cx.alias_ty(alias, place, infer, (true, at)),
            _ => self.cx.key_ty(key, place, infer, (true, at)),
        }
    }

    /// `Gc::new(Class { .. })`
    pub(in crate::check) fn gc_new(
        &mut self,
        args: &[&syn::Expr],
        expect: Option<&Ty>,
        span: Span,
    ) -> Expr {
        let [arg] = args else {
            self.arity("Gc::new", 1, args.len(), span);
            return self.give_up(args, span);
        };
        let at = self.span(arg);
        let no_fields = syn::punctuated::Punctuated::new();
        let (path, fields) = match arg {
            syn::Expr::Struct(e) if e.rest.is_some() => {
                let message = "a struct in `Gc::new` cannot take fields from another with `..`";
                self.err(DiagCode::BadStructLiteral, at, &[message]);
                return Expr::error(span);
            }
            syn::Expr::Struct(e) => (&e.path, &e.fields),
            syn::Expr::Path(e) => (&e.path, &no_fields),
            _ => {
                let help = "write `Gc::new(Class { .. })` with the fields in place";
                return self.bad(
                    DiagCode::UnsupportedWithHelp,
                    at,
                    &["a struct by value", help],
                );
            }
        };
        let fields = fields
            .iter()
            .filter(|f| crate::source::cfg::enabled(&f.attrs));
        let fields: Vec<&syn::FieldValue> = fields.collect();
        let Some(class) = self.literal_class(path) else {
            for field in fields {
                self.init_value(&field.expr, None, Held::Immutable);
            }
            return Expr::error(span);
        };
        let pointer = self
            .cx
            .instance_with(Head::Gc, vec![class], Some(&mut self.infer), at);
        if let Some(expect) = expect {
            self.infer.try_unify(&pointer, expect);
            self.settle();
        }
        let declared = self.literal_fields(&pointer);
        let mut numbers = Vec::new();
        let mut values = Vec::new();
        for field in &fields {
            if let Some((number, value)) = self.init(field, &declared, &pointer, &numbers) {
                numbers.push(number);
                values.push(value);
            }
        }
        let missing: Vec<String> = declared
            .iter()
            .filter(|d| {
                !fields
                    .iter()
                    .any(|f| matches!(&f.member, syn::Member::Named(n) if name_of(n) == d.0))
            })
            .map(|d| format!("`{}`", d.0))
            .collect();
        if !missing.is_empty() {
            let message = format!("missing {} in the struct", missing.join(", "));
            self.err(DiagCode::BadStructLiteral, at, &[&message]);
        }
        self.settle();
        let op = match self.infer.shallow(&pointer) {
            Ty::Gc(class) => {
                let fields = self.cx.class_fields(class);
                let ids = numbers.iter().map(|&n| fields[n as usize].id);
                Op::New(class, ids.collect())
            }
            _ => Op::NewOf(numbers),
        };
        Expr::op(op, values, pointer, span)
    }

    /// The fields of an object that is made: names, types, and whether they are cells.
    fn literal_fields(&mut self, pointer: &Ty) -> Vec<(String, Ty, Held)> {
        if let Ty::Gc(class) = self.infer.shallow(pointer) {
            let fields = self.cx.class_fields(class);
            let of = |f: &FieldSrc| (f.name.clone(), f.ty.clone(), f.held);
            return fields.iter().map(of).collect();
        }
        match self.key_of(pointer) {
            Some((TypeKey::Struct(id), args)) => self.cx.open_fields(id, &args, &mut self.infer),
            _ => Vec::new(),
        }
    }

    /// The class that a struct literal names.
    fn literal_class(&mut self, path: &syn::Path) -> Option<Ty> {
        let span = self.span(path);
        if path.is_ident("Self")
            && let Some(this @ Ty::Class(_)) =
                &self.cx.interned.substs.get(self.site.env.subst).this
        {
            return Some(this.clone());
        }
        let key = match path.is_ident("Self") {
            true => self
                .site
                .env
                .owner
                .and_then(|o| self.cx.krate.impls[o].target),
            false => {
                let ty = syn::Type::Path(syn::TypePath {
                    qself: None,
                    path: path.clone(),
                });
                self.cx.krate.type_key(self.site.env.module, &ty)
            }
        };
        match key {
            Some(TypeKey::Struct(s)) if !self.cx.krate.structs[s].gc => {
                self.cx.struct_class(s, Rc::new([]), span).map(Ty::Class)
            }
            Some(key @ TypeKey::Struct(_)) => match self.literal_ty(path, key, span) {
                Ty::Error => None,
                ty => Some(ty),
            },
            _ => {
                let text = plain(path).segs.join("::");
                self.err(DiagCode::UnknownName, span, &[&text]);
                None
            }
        }
    }

    /// One field of a struct literal.
    fn init(
        &mut self,
        field: &syn::FieldValue,
        declared: &[(String, Ty, Held)],
        pointer: &Ty,
        seen: &[u32],
    ) -> Option<(u32, Expr)> {
        let at = self.span(&field.member);
        let name = match &field.member {
            syn::Member::Named(ident) => name_of(ident),
            syn::Member::Unnamed(index) => index.index.to_string(),
        };
        let Some(number) = declared.iter().position(|d| d.0 == name) else {
            let shown = match self.infer.shallow(pointer) {
                Ty::Gc(class) => self.cx.descrs.classes[class].name.clone(),
                ty => self.show(&ty),
            };
            self.err(DiagCode::NoField, at, &[&name, &shown]);
            self.init_value(&field.expr, None, Held::Immutable);
            return None;
        };
        let (_, ty, held) = &declared[number];
        if seen.contains(&(number as u32)) {
            let message = format!("field `{name}` is given twice");
            self.err(DiagCode::BadStructLiteral, at, &[&message]);
        }
        match self.init_value(&field.expr, Some(ty), *held) {
            Some(value) => Some((number as u32, value)),
            None => {
                // A `Cell` of the standard library is another type, and that has been said.
                let is_other = |d: &Diagnostic| d.code == DiagCode::NotACell;
                if !self.cx.diags.list.iter().any(is_other) {
                    let words = [name.as_str(), held.wrapper()];
                    self.err(DiagCode::CellInit, self.span(&field.expr), &words);
                }
                None
            }
        }
    }

    /// The value of a field: for a cell, what is in `Cell::new(..)`; none if it is not that.
    fn init_value(&mut self, expr: &syn::Expr, ty: Option<&Ty>, held: Held) -> Option<Expr> {
        let inner = self.cell_new(expr);
        let expr = match (ty, held, inner) {
            (Some(_), Held::Immutable, _) | (None, _, None) => expr,
            (None, _, Some((inner, _))) => inner,
            (Some(_), held, Some((inner, made))) if made == held => inner,
            (Some(_), _, _) => return None,
        };
        Some(match ty {
            Some(ty) => self.coerced(expr, ty),
            None => self.expr(expr, None),
        })
    }

    /// The argument of `Cell::new(..)` or `Quasi::new(..)`, and which it is.
    fn cell_new<'e>(&self, expr: &'e syn::Expr) -> Option<(&'e syn::Expr, Held)> {
        let syn::Expr::Call(call) = expr else {
            return None;
        };
        let syn::Expr::Path(path) = &*call.func else {
            return None;
        };
        let path = plain(&path.path);
        let found =
            self.cx
                .krate
                .resolve(self.site.env.module, path.global, &path.segs, Ns::Values);
        let is_new = path.segs.last().is_some_and(|s| s == "new");
        let held = match found {
            Some((Def::Builtin(Builtin::Cell), _)) => Held::Mutable,
            Some((Def::Builtin(Builtin::Quasi), _)) => Held::Quasi,
            Some((Def::Builtin(Builtin::Virtualizable), _)) => Held::Virtualizable,
            _ => return None,
        };
        let value = call
            .args
            .first()
            .filter(|_| is_new && call.args.len() == 1)?;
        Some((value, held))
    }

    /// `GcArray::vacant(len)`
    pub(in crate::check) fn vacant(
        &mut self,
        ty: Option<Ty>,
        args: &[&syn::Expr],
        expect: Option<&Ty>,
        span: Span,
    ) -> Expr {
        let [len] = args else {
            self.arity("GcArray::vacant", 1, args.len(), span);
            return self.give_up(args, span);
        };
        let item = self.hole(span);
        let open = self
            .infer
            .open(Head::Array(true, Tag::open()), vec![item], span);
        if let Some(wanted) = ty.as_ref().or(expect) {
            self.infer.try_unify(&open, wanted);
            self.settle();
        }
        let ty = open;
        let len = self.coerced(len, &Ty::Int(IntTy::Usize));
        Expr::op(Op::NewVacant, vec![len], ty, span)
    }

    /// `GcArray::new(len, fill)`
    pub(in crate::check) fn array_new(
        &mut self,
        ty: Option<Ty>,
        args: &[&syn::Expr],
        expect: Option<&Ty>,
        span: Span,
    ) -> Expr {
        let [len, fill] = args else {
            self.arity("GcArray::new", 2, args.len(), span);
            return self.give_up(args, span);
        };
        let ty = match (ty, expect) {
            (Some(ty), _) => ty,
            (None, Some(expect)) => self.infer.shallow(expect),
            (None, None) => self.hole(span),
        };
        let len = self.coerced(len, &Ty::Int(IntTy::Usize));
        let item = match &ty {
            Ty::Array(class) => match &self.cx.interned.classes[*class] {
                ClassSrc::Array { item, .. } => Some(item.clone()),
                ClassSrc::Struct { .. } => None,
            },
            ty => match self.infer.parts(ty) {
                Some((Head::Array(..), args)) => Some(args[0].clone()),
                _ => None,
            },
        };
        let fill = match &item {
            Some(item) => self.coerced(fill, item),
            None => self.expr(fill, None),
        };
        if item.is_none() {
            self.arrays.push((ty.clone(), fill.ty.clone(), span));
        }
        match fill.kind {
            Kind::Error => Expr::new(Kind::Error, ty, span),
            _ => Expr::op(Op::NewArray, vec![len, fill], ty, span),
        }
    }
}
