//! Paths in expressions and patterns: locals, constants, functions, and members of types.
//!
//! In: a path. Out: what it means as a value. Invariant: a local shadows every item.

use crate::check::call::ref_impls::Around;
use crate::check::expr::aggregate::NONE;
use crate::check::fcx::FnCx;
use crate::check::hir::{Expr, Kind};
use crate::check::std_calls::numbers::{math_const, prim_const};
use crate::check::terms::Name;
use crate::cx::sources::{ConstState, ConstValue, Env};
use crate::expand::tokens::unmarked;
use crate::items::*;
use crate::names::written::prim_ty;
use crate::source::diag::DiagCode;
use crate::source::syntax::plain;
use crate::tast::{LocalId, Span};
use crate::types::generics::SubstId;
use crate::types::ty::Ty;
use syn::parse_quote;

/// What the type before the last `::` is.
pub(in crate::check) enum Head {
    /// With its arguments.
    Key(TypeKey, Vec<Ty>),
    /// An array type, written out or by an alias.
    Ty(Ty),
    Gc,
    GcArray,
    Cell,
    Option,
    Prim(&'static str),
    Extern(String),
    /// What a type parameter stands for: only traits have members for it.
    Bound(Ty),
    /// `<T as Trait<A>>`
    As(Ty, TraitKey, Vec<Ty>),
    Trait(TraitKey),
}

/// What a path means.
pub(in crate::check) enum Val {
    Local(LocalId),
    Def(Def),
    /// What makes a value of this type, of this variant.
    Make(Ty, u32),
    /// What a `const` parameter stands for.
    Number(Ty, i64),
    /// A member of a type.
    Assoc(Head, String),
    /// It has been complained about.
    Error,
}

impl FnCx<'_> {
    /// What a path means as a value.
    pub(in crate::check) fn value(&mut self, e: &syn::ExprPath) -> Val {
        let span = self.span(e);
        if let Some(qself) = &e.qself {
            return self.qualified(e, &qself.ty, qself.position, span);
        }
        let mut path = plain(&e.path);
        if let ([name], false) = (path.segs.as_slice(), path.global) {
            if let Some(local) = self.lookup(name) {
                return Val::Local(local);
            }
            // What is no variable has the name that is written.
            path.segs = vec![unmarked(name).to_owned()];
        }
        let (Some(first), Some(last)) = (path.segs.first(), path.segs.last()) else {
            return Val::Error;
        };
        if let [name] = path.segs.as_slice()
            && let Some(Ty::Const(ty, value)) =
                self.cx.interned.substs.get(self.site.env.subst).get(name)
        {
            return Val::Number((**ty).clone(), *value);
        }
        if let [first, last] = path.segs.as_slice()
            && let Some(ty) = self.cx.interned.substs.get(self.site.env.subst).get(first)
        {
            return Val::Assoc(Head::Bound(ty.clone()), last.clone());
        }
        if path.segs.len() > 2 && self.is_type_name(first) {
            return self.long_path(&e.path, last, span);
        }
        if first == "Self" {
            return self.self_path(&path.segs, span);
        }
        match self
            .cx
            .krate
            .resolve(self.site.env.module, path.global, &path.segs, Ns::Values)
        {
            Some((def, used)) if used == path.segs.len() => {
                self.def_value(def, Some(&e.path), span)
            }
            Some((def, used)) if used + 1 == path.segs.len() => {
                match self.head(def, &e.path.segments[used - 1], span) {
                    Some(Head::Key(TypeKey::Enum(e), args)) => {
                        self.enum_member(e, args, last, span)
                    }
                    Some(head) => Val::Assoc(head, last.clone()),
                    None => Val::Error,
                }
            }
            _ => {
                let text = path.segs.join("::");
                self.err(DiagCode::UnknownName, span, &[&text]);
                Val::Error
            }
        }
    }

    /// Whether a name means a type parameter, or `Self`.
    pub(in crate::check) fn is_type_name(&self, name: &str) -> bool {
        name == "Self"
            || self
                .cx
                .interned
                .substs
                .get(self.site.env.subst)
                .get(name)
                .is_some()
    }

    /// `T::Assoc::name`
    fn long_path(&mut self, path: &syn::Path, last: &str, span: Span) -> Val {
        let mut of = path.clone();
        of.segments.pop();
        if let Some(pair) = of.segments.pop() {
            of.segments.push(pair.into_value());
        }
        let of = syn::Type::Path(syn::TypePath {
            qself: None,
            path: of,
        });
        match self.cx.lower_arg(&of, self.site.env, Some(&mut self.infer)) {
            Ty::Error => Val::Error,
            _ if last.is_empty() => {
                self.err(DiagCode::Unsupported, span, &["this path"]);
                Val::Error
            }
            ty => Val::Assoc(Head::Bound(ty), last.to_owned()),
        }
    }

    /// What a definition means as a value; `path` is how it is written, for its generic arguments.
    pub(in crate::check) fn def_value(
        &mut self,
        def: Def,
        path: Option<&syn::Path>,
        span: Span,
    ) -> Val {
        let (key, variant) = match def {
            Def::Struct(s) if !self.cx.krate.structs[s].gc => (TypeKey::Struct(s), 0),
            Def::Variant(e, index) if self.cx.krate.enums[e].object.is_none() => {
                (TypeKey::Enum(e), index as u32)
            }
            def => return Val::Def(def),
        };
        // The arguments of an enum's variant are behind the one or the other.
        let mut segments = path
            .into_iter()
            .flat_map(|p| p.segments.iter().rev().take(2));
        let segment = segments.find(|s| !s.arguments.is_none());
        let place = (segment, self.site.env);
        let ty = self
            .cx
            .key_ty(key, place, Some(&mut self.infer), (true, span));
        match ty {
            Ty::Error => Val::Error,
            ty => Val::Make(ty, variant),
        }
    }

    /// `<T>::f`
    fn qualified(&mut self, e: &syn::ExprPath, ty: &syn::Type, position: usize, span: Span) -> Val {
        let name = e
            .path
            .segments
            .last()
            .map(|s| crate::source::syntax::name_of(&s.ident));
        let (true, Some(name)) = (position + 1 == e.path.segments.len(), name) else {
            self.err(DiagCode::Unsupported, span, &["a path through a trait"]);
            return Val::Error;
        };
        if position > 0 {
            let mut of = e.path.clone();
            of.segments = of.segments.into_iter().take(position).collect();
            let Some(key) = self.cx.krate.trait_key(self.site.env.module, &plain(&of)) else {
                self.err(DiagCode::Unsupported, span, &["a path through this trait"]);
                return Val::Error;
            };
            let infer = Some(&mut self.infer);
            let args = self.cx.trait_path_args(&of, self.site.env, infer);
            return match self.cx.lower_arg(ty, self.site.env, Some(&mut self.infer)) {
                Ty::Error => Val::Error,
                ty => Val::Assoc(Head::As(ty, key, args), name),
            };
        }
        if let Some(key) = self.cx.krate.type_key(self.site.env.module, ty)
            && self.cx.krate.key_generics(key).is_empty()
        {
            return Val::Assoc(Head::Key(key, Vec::new()), name);
        }
        match self.cx.lower_arg(ty, self.site.env, Some(&mut self.infer)) {
            Ty::Error => Val::Error,
            ty => Val::Assoc(self.head_of(ty), name),
        }
    }

    /// A type before a member's name.
    pub(in crate::check) fn head_of(&self, ty: Ty) -> Head {
        match (&ty, self.key_of(&ty)) {
            // A `Gc` is not its class.
            (Ty::Gc(_), _) => Head::Ty(ty),
            (_, Some((key, args))) => Head::Key(key, args),
            (_, None) => Head::Ty(ty),
        }
    }

    pub(in crate::check) fn self_path(&mut self, segs: &[String], span: Span) -> Val {
        let this = self
            .cx
            .interned
            .substs
            .get(self.site.env.subst)
            .this
            .clone();
        if let (Some(this), [_, name]) = (this, segs) {
            match (self.site.env.owner, self.key_of(&this)) {
                (None, _) => return Val::Assoc(Head::Bound(this), name.clone()),
                (Some(_), None) => return Val::Assoc(Head::Ty(this), name.clone()),
                (Some(_), Some(_)) if matches!(this, Ty::Gc(_)) => {
                    return Val::Assoc(Head::Ty(this), name.clone());
                }
                (Some(_), Some(_)) => {}
            }
        }
        match (self.self_key(), segs) {
            (Some((TypeKey::Struct(s), args)), [_]) if !args.is_empty() => {
                let head = match self.cx.krate.structs[s].gc {
                    true => return Val::Def(Def::Struct(s)),
                    false => crate::types::ty::Head::Adt(TypeKey::Struct(s)),
                };
                Val::Make(self.cx.instance(&head, args, span), 0)
            }
            (Some((TypeKey::Struct(s), _)), [_]) => self.def_value(Def::Struct(s), None, span),
            (Some((TypeKey::Enum(e), args)), [_, name]) => self.enum_member(e, args, name, span),
            (Some((key, args)), [_, name]) => Val::Assoc(Head::Key(key, args), name.clone()),
            _ => {
                let text = segs.join("::");
                self.err(DiagCode::UnknownName, span, &[&text]);
                Val::Error
            }
        }
    }

    /// A variant of an enum, or a member of its `impl`s.
    fn enum_member(&mut self, e: EnumId, args: Vec<Ty>, name: &str, span: Span) -> Val {
        match self.cx.krate.enums[e].numbers.get(name).copied() {
            Some(index) if args.is_empty() => self.def_value(Def::Variant(e, index), None, span),
            Some(index) => {
                let head = crate::types::ty::Head::Adt(TypeKey::Enum(e));
                let infer = Some(&mut self.infer);
                match self.cx.instance_with(head, args, infer, span) {
                    Ty::Error => Val::Error,
                    ty => Val::Make(ty, index as u32),
                }
            }
            None => Val::Assoc(Head::Key(TypeKey::Enum(e), args), name.to_owned()),
        }
    }

    /// The type that a definition is, before a member's name.
    fn head(&mut self, def: Def, segment: &syn::PathSegment, span: Span) -> Option<Head> {
        Some(match def {
            Def::Struct(s) => return self.key_head(TypeKey::Struct(s), segment, span),
            Def::Enum(e) => return self.key_head(TypeKey::Enum(e), segment, span),
            Def::Object(e) => Head::Key(TypeKey::Object(e), Vec::new()),
            Def::Prim(name) => Head::Prim(name),
            Def::Trait(id) => Head::Trait(self.cx.krate.key_of_trait(id)),
            Def::Extern(path) => Head::Extern(path),
            Def::Builtin(Builtin::Gc) => Head::Gc,
            Def::Builtin(
                Builtin::Cell | Builtin::Quasi | Builtin::Register | Builtin::Virtualizable,
            ) => Head::Cell,
            Def::Builtin(Builtin::Option | Builtin::Result) => Head::Option,
            Def::Builtin(Builtin::GcArray) => match segment.arguments {
                syn::PathArguments::None => Head::GcArray,
                _ => {
                    let ty: syn::Type = parse_quote!(#segment);
                    match self.cx.lower(&ty, self.site.env, Some(&mut self.infer)) {
                        Ty::Error => return None,
                        ty => Head::Ty(ty),
                    }
                }
            },
            Def::Alias(a) => {
                let alias = self.cx.krate.aliases[a].clone();
                match self.cx.krate.type_key(alias.module, &alias.ty) {
                    Some(key) if self.cx.krate.key_generics(key).is_empty() => {
                        Head::Key(key, Vec::new())
                    }
                    _ => {
                        let place = (Some(segment), self.site.env);
                        let infer = Some(&mut self.infer);
                        match self.cx.alias_ty(a, place, infer, (true, span)) {
                            Ty::Error => return None,
                            Ty::Gc(_) => Head::Gc,
                            ty => self.head_of(ty),
                        }
                    }
                }
            }
            _ => {
                let text = self.cx.text(span);
                self.err(DiagCode::UnknownName, span, &[&text]);
                return None;
            }
        })
    }

    /// A struct or enum before a member's name.
    fn key_head(&mut self, key: TypeKey, segment: &syn::PathSegment, span: Span) -> Option<Head> {
        let generics = self.cx.krate.key_generics(key).clone();
        if generics.is_empty() {
            return Some(Head::Key(key, Vec::new()));
        }
        let of = Env::of(self.cx.krate.key_module(key));
        let what = format!("`{}`", self.cx.krate.key_path(key));
        let what = (what.as_str(), &generics);
        let infer = Some(&mut self.infer);
        let envs = (self.site.env, of);
        let args = self
            .cx
            .generic_args(what, Some(segment), envs, infer, (true, span))?;
        Some(Head::Key(key, args))
    }

    /// Whether a type of the crate has a member of this name.
    pub(in crate::check) fn has_assoc(&self, key: TypeKey, name: &str) -> bool {
        self.cx.krate.assoc.contains_key(&(key, name.to_owned()))
    }

    /// A path as an expression.
    pub(in crate::check) fn path_expr(
        &mut self,
        e: &syn::ExprPath,
        expect: Option<&Ty>,
        span: Span,
    ) -> Expr {
        let value = self.value(e);
        if let Val::Def(Def::Builtin(none @ Builtin::None)) = &value
            && let Some(ty) = self.written_variant(*none, &e.path)
        {
            return self.make(NONE, Vec::new(), ty, span);
        }
        if let Some(function) = self.function_path(&value, &e.path, expect, span) {
            return function;
        }
        self.val_expr(value, span)
    }

    /// What a path means, as an expression.
    pub(in crate::check) fn val_expr(&mut self, value: Val, span: Span) -> Expr {
        match value {
            Val::Error => Expr::error(span),
            Val::Local(local) if matches!(self.locals[local].name_is, Name::Closure(_)) => {
                let help = "call it, or pass it to a function or method that takes a closure (`impl Fn(..)`): closures are inlined where they are called";
                let what = "a closure as a value";
                self.bad(DiagCode::UnsupportedWithHelp, span, &[what, help])
            }
            Val::Local(local) if self.is_lent(local) => {
                let name = &self.locals[local].name;
                let help = format!(
                    "write `*{name}` for its value; the reference itself can be passed to a function, matched, or named by `let`"
                );
                let what = "a `&mut` reference as a value";
                self.bad(DiagCode::UnsupportedWithHelp, span, &[what, &help])
            }
            Val::Local(local) => self.read(local, span),
            Val::Make(ty, variant) => self.constant_of((ty, variant), span),
            Val::Number(ty, value) => Expr::new(Kind::Value(value), ty, span),
            Val::Def(Def::Const(id) | Def::Static(id)) => self.const_expr(id, SubstId::EMPTY, span),
            Val::Def(Def::Builtin(Builtin::None)) => {
                let inner = self.hole(span);
                self.make(NONE, Vec::new(), inner.option(), span)
            }
            Val::Def(Def::Struct(s)) => {
                let name = self.cx.krate.structs[s].name.clone();
                self.bad(DiagCode::StructOutsideNew, span, &[&name])
            }
            Val::Def(Def::Builtin(_)) => {
                let help = "call the function here, or write one that calls it";
                self.bad(
                    DiagCode::UnsupportedWithHelp,
                    span,
                    &["a function as a value", help],
                )
            }
            Val::Def(Def::Extern(path)) => self.extern_value(&path, span),
            Val::Def(Def::Other("a `static`")) => {
                let help = "keep the state in a `#[gc]` struct, or read it in a function marked `#[opaque]`";
                self.bad(DiagCode::UnsupportedWithHelp, span, &["a `static`", help])
            }
            Val::Def(_) => {
                let text = self.cx.text(span);
                let what = format!("`{text}`");
                self.bad(DiagCode::Unsupported, span, &[&what])
            }
            Val::Assoc(head, name) => self.assoc_value(head, &name, span),
        }
    }

    /// A constant of the crate.
    pub(in crate::check) fn const_expr(&mut self, id: ConstId, subst: SubstId, span: Span) -> Expr {
        match self.cx.const_value(id, subst, span) {
            ConstState::Done(ty, value) => self.literal_of(value, ty, span),
            ConstState::Failed | ConstState::Open => Expr::error(span),
        }
    }

    pub(in crate::check) fn literal_of(&mut self, value: ConstValue, ty: Ty, span: Span) -> Expr {
        if !self.small_enough(&ty, span) {
            return Expr::error(span);
        }
        match value {
            ConstValue::Int(value) => Expr::new(Kind::Value(value), ty, span),
            ConstValue::Float(value) => Expr::new(Kind::Float(value), ty, span),
            ConstValue::Make(variant, fields) => {
                let types = self.variant_fields(&ty, variant);
                let fields = fields.into_iter().zip(types);
                let fields = fields.map(|(value, ty)| self.literal_of(value, ty, span));
                let fields = fields.collect();
                self.make(variant, fields, ty, span)
            }
        }
    }

    /// `T::CONST`
    fn assoc_value(&mut self, head: Head, name: &str, span: Span) -> Expr {
        let found = match &head {
            Head::Key(key, args) => match self.find_assoc(*key, args, name, span) {
                Some((Assoc::Const(id), subst)) => return self.assoc_const(id, subst, span),
                _ => {
                    let head = crate::check::call::generic::key_head(&self.cx.krate, *key);
                    let infer = Some(&mut self.infer);
                    let ty = self.cx.instance_with(head, args.clone(), infer, span);
                    return match self.trait_const((&ty, &Around::default()), None, name, span) {
                        Some(value) => value,
                        None => self.no_value(span),
                    };
                }
            },
            Head::Bound(ty) => match self.trait_const((ty, &Around::default()), None, name, span) {
                Some(value) => return value,
                None => None,
            },
            Head::As(ty, key, _) => {
                match self.trait_const((ty, &Around::default()), Some(key), name, span) {
                    Some(value) => return value,
                    None => None,
                }
            }
            Head::Prim(prim) => match (prim_const(prim, name), prim_ty(prim)) {
                (None, Some(ty)) => {
                    match self.trait_const((&ty, &Around::default()), None, name, span) {
                        Some(value) => return value,
                        None => None,
                    }
                }
                (found, _) => found,
            },
            Head::Ty(ty) => match (crate::names::written::prim_name(ty), ty) {
                (Some(prim), _) if prim_const(prim, name).is_some() => prim_const(prim, name),
                (_, ty) => match self.trait_const((ty, &Around::default()), None, name, span) {
                    Some(value) => return value,
                    None => None,
                },
            },
            Head::Extern(path) => return self.extern_value(&format!("{path}::{name}"), span),
            _ => None,
        };
        match found {
            Some((kind, ty)) => Expr::new(kind, ty, span),
            None => self.no_value(span),
        }
    }

    fn no_value(&mut self, span: Span) -> Expr {
        let text = self.cx.text(span);
        self.bad(DiagCode::UnknownName, span, &[&text])
    }

    /// A constant of an `impl` block, whose parameters must be known.
    pub(in crate::check) fn assoc_const(
        &mut self,
        id: ConstId,
        subst: SubstId,
        span: Span,
    ) -> Expr {
        let known = self.cx.interned.substs.get(subst).deep(&self.infer);
        match known.is_closed() {
            true => {
                let subst = self.cx.interned.substs.intern(known);
                self.const_expr(id, subst, span)
            }
            false => self.bad(DiagCode::Annotate, span, &["constant"]),
        }
    }

    /// A constant of another crate, if it is one of the well-known ones.
    fn extern_value(&mut self, path: &str, span: Span) -> Expr {
        let parts: Vec<&str> = path.split("::").collect();
        let found = match parts.as_slice() {
            ["std" | "core", "f64", "consts", name] => {
                math_const(name).map(|v| (Kind::Float(v), Ty::F64))
            }
            ["std" | "core", prim, name] => prim_const(prim, name),
            _ => None,
        };
        match found {
            Some((kind, ty)) => Expr::new(kind, ty, span),
            None => {
                let what = format!("`{path}`");
                self.bad(DiagCode::Unsupported, span, &[&what])
            }
        }
    }
}
