//! The heap: fields, items, and new objects.
//!
//! In: field and index expressions, `Gc::new`, `GcArray::new`. Out: heap operations. Invariant: a `Cell` in the heap
//! has type [`Ty::Cell`] and is the operation that reads it; only `.get()` and `.set(..)` turn it into a value.

use super::FnCx;
use super::assign::member_name;
use super::path::Val;
use crate::collect::name_of;
use crate::cx::{ClassSrc, FieldSrc};
use crate::diag::{Code, Diagnostic};
use crate::hir::{Expr, Kind, Op};
use crate::infer::Ty;
use crate::items::*;
use crate::resolve::plain;
use crate::tast::{AdtId, IntTy, Span};
use std::rc::Rc;
use verdigris_ops::ClassId;

impl FnCx<'_> {
    /// The fields of a struct class.
    fn fields_of(&self, class: ClassId) -> Rc<Vec<FieldSrc>> {
        match &self.cx.classes[class] {
            ClassSrc::Struct { fields, .. } => fields.clone(),
            ClassSrc::Array { .. } => Rc::new(Vec::new()),
        }
    }

    /// `base.field`
    pub(super) fn field_expr(&mut self, e: &syn::ExprField, span: Span) -> Expr {
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
            let fields = self.fields_of(class);
            if let Some(field) = fields.iter().find(|f| f.name == name) {
                let ty = match field.cell {
                    true => Ty::Cell(Box::new(field.ty.clone())),
                    false => field.ty.clone(),
                };
                return match field.ty {
                    Ty::Error => Expr::error(span),
                    _ => Expr::op(Op::GetField(field.id), vec![base], ty, span),
                };
            }
        }
        match ty {
            Ty::Error | Ty::Never => Expr::error(span),
            Ty::Var(_) => self.bad(Code::Annotate, base.span, &["value"]),
            Ty::Object(_) => {
                let shown = self.show(&ty);
                let d = Diagnostic::new(Code::NoField, at, &[&name, &shown]);
                self.cx
                    .report(d.help("match on its `kind()` to get the `Gc` of a class"));
                Expr::error(span)
            }
            _ => {
                let shown = self.show(&ty);
                self.bad(Code::NoField, at, &[&name, &shown])
            }
        }
    }

    /// `array[index]`
    pub(super) fn index_expr(&mut self, e: &syn::ExprIndex, span: Span) -> Expr {
        let array = self.expr(&e.expr, None);
        let index = self.coerced(&e.index, &Ty::Int(IntTy::Usize));
        match self.infer.shallow(&array.ty) {
            Ty::Array(class) => {
                let (item, cell) = match &self.cx.classes[class] {
                    ClassSrc::Array { item, cell, .. } => (item.clone(), *cell),
                    ClassSrc::Struct { .. } => return Expr::error(span),
                };
                let ty = if cell { Ty::Cell(Box::new(item)) } else { item };
                Expr::op(Op::GetItem, vec![array, index], ty, span)
            }
            Ty::Error | Ty::Never => Expr::error(span),
            Ty::Var(_) => self.bad(Code::Annotate, array.span, &["array"]),
            ty => {
                let shown = self.show(&ty);
                self.bad(Code::BadIndex, span, &[&shown])
            }
        }
    }

    /// A struct literal that is not the argument of `Gc::new`.
    pub(super) fn struct_expr(&mut self, e: &syn::ExprStruct, span: Span) -> Expr {
        match self.literal_target(e) {
            Some(Some(found)) => return self.adt_literal(found, e, span),
            Some(None) => return Expr::error(span),
            None => {}
        }
        let name = self.cx.text(self.span(&e.path));
        self.bad(Code::StructOutsideNew, span, &[&name])
    }

    /// What a struct literal builds, if that is held by value; as [`FnCx::constructor`].
    fn literal_target(&mut self, e: &syn::ExprStruct) -> Option<Option<(AdtId, u32)>> {
        let at = self.span(&e.path);
        let def = self.struct_def(&e.path, e.qself.as_ref())?;
        self.constructor(&def, at)
    }

    /// The struct or variant that a path before `{` names.
    pub(super) fn struct_def(
        &mut self,
        path: &syn::Path,
        qself: Option<&syn::QSelf>,
    ) -> Option<Def> {
        let by_type = |key| match key {
            TypeKey::Struct(s) => Some(Def::Struct(s)),
            TypeKey::Enum(_) | TypeKey::Object(_) => None,
        };
        if path.is_ident("Self") {
            let key = self.env.owner.and_then(|o| self.cx.krate.impls[o].target);
            return key.and_then(by_type);
        }
        let ty = syn::Type::Path(syn::TypePath {
            qself: None,
            path: path.clone(),
        });
        if let Some(key) = self.cx.krate.type_key(self.env.module, &ty) {
            return by_type(key);
        }
        let path = syn::ExprPath {
            attrs: Vec::new(),
            qself: qself.cloned(),
            path: path.clone(),
        };
        let known = self.cx.diags.len();
        match self.value(&path) {
            Val::Def(def @ Def::Variant(..)) => Some(def),
            _ => {
                // Whoever asked says what is wrong.
                self.cx.diags.truncate(known);
                None
            }
        }
    }

    /// `Gc::new(Class { .. })`
    pub(super) fn gc_new(&mut self, args: &[&syn::Expr], span: Span) -> Expr {
        let [arg] = args else {
            self.arity("Gc::new", 1, args.len(), span);
            return self.give_up(args, span);
        };
        let at = self.span(arg);
        let no_fields = syn::punctuated::Punctuated::new();
        let (path, fields) = match arg {
            syn::Expr::Struct(e) if e.rest.is_some() => {
                let message = "a struct in `Gc::new` cannot take fields from another with `..`";
                self.err(Code::BadStructLiteral, at, &[message]);
                return Expr::error(span);
            }
            syn::Expr::Struct(e) => (&e.path, &e.fields),
            syn::Expr::Path(e) => (&e.path, &no_fields),
            _ => {
                let help = "write `Gc::new(Class { .. })` with the fields in place";
                return self.bad(Code::UnsupportedWithHelp, at, &["a struct by value", help]);
            }
        };
        let Some(class) = self.literal_class(path) else {
            for field in fields {
                self.init_value(&field.expr, None, false);
            }
            return Expr::error(span);
        };
        let declared = self.fields_of(class);
        let mut ids = Vec::new();
        let mut values = Vec::new();
        for field in fields {
            if let Some((id, value)) = self.init(field, &declared, class, &ids) {
                ids.push(id);
                values.push(value);
            }
        }
        let missing: Vec<String> = declared
            .iter()
            .filter(|d| {
                !fields
                    .iter()
                    .any(|f| matches!(&f.member, syn::Member::Named(n) if name_of(n) == d.name))
            })
            .map(|d| format!("`{}`", d.name))
            .collect();
        if !missing.is_empty() {
            let message = format!("missing {} in the struct", missing.join(", "));
            self.err(Code::BadStructLiteral, at, &[&message]);
        }
        Expr::op(Op::New(class, ids), values, Ty::Gc(class), span)
    }

    /// The class that a struct literal names.
    fn literal_class(&mut self, path: &syn::Path) -> Option<ClassId> {
        let span = self.span(path);
        let key = match path.is_ident("Self") {
            true => self.env.owner.and_then(|o| self.cx.krate.impls[o].target),
            false => {
                let ty = syn::Type::Path(syn::TypePath {
                    qself: None,
                    path: path.clone(),
                });
                self.cx.krate.type_key(self.env.module, &ty)
            }
        };
        match key {
            Some(TypeKey::Struct(s)) => self.cx.struct_class(s, span),
            _ => {
                let text = plain(path).segs.join("::");
                self.err(Code::UnknownName, span, &[&text]);
                None
            }
        }
    }

    /// One field of a struct literal.
    fn init(
        &mut self,
        field: &syn::FieldValue,
        declared: &[FieldSrc],
        class: ClassId,
        seen: &[verdigris_ops::FieldId],
    ) -> Option<(verdigris_ops::FieldId, Expr)> {
        let at = self.span(&field.member);
        let name = match &field.member {
            syn::Member::Named(ident) => name_of(ident),
            syn::Member::Unnamed(index) => index.index.to_string(),
        };
        let Some(found) = declared.iter().find(|d| d.name == name) else {
            let shown = self.cx.descrs.classes[class].name.clone();
            self.err(Code::NoField, at, &[&name, &shown]);
            self.init_value(&field.expr, None, false);
            return None;
        };
        if seen.contains(&found.id) {
            let message = format!("field `{name}` is given twice");
            self.err(Code::BadStructLiteral, at, &[&message]);
        }
        let value = self.init_value(&field.expr, Some(&found.ty), found.cell);
        match value {
            Some(value) => Some((found.id, value)),
            None => {
                self.err(Code::CellInit, self.span(&field.expr), &[&name]);
                None
            }
        }
    }

    /// The value of a field: for a cell, what is in `Cell::new(..)`; none if it is not that.
    fn init_value(&mut self, expr: &syn::Expr, ty: Option<&Ty>, cell: bool) -> Option<Expr> {
        let inner = self.cell_new(expr);
        let expr = match (ty, cell, inner) {
            (Some(_), true, None) => return None,
            (Some(_), false, _) => expr,
            (_, _, inner) => inner.unwrap_or(expr),
        };
        Some(match ty {
            Some(ty) => self.coerced(expr, ty),
            None => self.expr(expr, None),
        })
    }

    /// The argument of `Cell::new(..)`.
    fn cell_new<'e>(&self, expr: &'e syn::Expr) -> Option<&'e syn::Expr> {
        let syn::Expr::Call(call) = expr else {
            return None;
        };
        let syn::Expr::Path(path) = &*call.func else {
            return None;
        };
        let path = plain(&path.path);
        let found = self
            .cx
            .krate
            .resolve(self.env.module, path.global, &path.segs, Ns::Values);
        let is_new = path.segs.last().is_some_and(|s| s == "new");
        match found {
            Some((Def::Builtin(Builtin::Cell), _)) if is_new && call.args.len() == 1 => {
                call.args.first()
            }
            _ => None,
        }
    }

    /// `GcArray::new(len, fill)`
    pub(super) fn array_new(
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
            Ty::Array(class) => match &self.cx.classes[*class] {
                ClassSrc::Array { item, .. } => Some(item.clone()),
                ClassSrc::Struct { .. } => None,
            },
            _ => None,
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
