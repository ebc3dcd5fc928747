//! Types as written to types as checked.
//!
//! In: syntax. Out: [`Ty`]; complaints about types that traced code cannot use. Invariant: a type
//! without holes comes out the same wherever it is written.

use crate::cx::Cx;
use crate::cx::sources::Env;
use crate::items::*;
use crate::names::written::prim_ty;
use crate::source::diag::{DiagCode, Diagnostic};
use crate::source::syntax::{plain, type_args};
use crate::tast::{IntTy, Span};
use crate::types::infer::{Infer, VarKind};
use crate::types::ty::{Around, Head, Tag, Ty};
use std::rc::Rc;
use verdigris_ops::Held;

/// Aliases of aliases; a longer chain is a cycle.
const MAX_ALIASES: u32 = 32;

impl Cx {
    /// The type of a value that is written; `infer` is there where the result may have holes.
    pub fn lower(&mut self, ty: &syn::Type, env: Env, infer: Option<&mut Infer>) -> Ty {
        match self.lower_arg(ty, env, infer) {
            Ty::Class(class) => {
                let span = self.span(env.module, ty);
                let name = self.show(&Ty::Class(class));
                self.err(DiagCode::ByValueStruct, span, &[&name]);
                Ty::Error
            }
            ty => ty,
        }
    }

    /// The type that is written, of values or a `#[gc]` struct.
    pub fn lower_arg(&mut self, ty: &syn::Type, env: Env, mut infer: Option<&mut Infer>) -> Ty {
        let span = self.span(env.module, ty);
        match ty {
            syn::Type::Paren(t) => self.lower_arg(&t.elem, env, infer),
            syn::Type::Group(t) => self.lower_arg(&t.elem, env, infer),
            syn::Type::Never(_) => Ty::Never,
            syn::Type::Tuple(t) if t.elems.is_empty() => Ty::Unit,
            syn::Type::Tuple(t) => {
                let elems = t.elems.iter().collect::<Vec<_>>();
                self.list(&elems, env, infer).map_or(Ty::Error, Ty::Tuple)
            }
            // A shared reference is the value that it refers to.
            syn::Type::Reference(r) if matches!(*r.elem, syn::Type::TraitObject(_)) => {
                self.lower_arg(&r.elem, env, infer)
            }
            syn::Type::ImplTrait(_) => {
                let help = "write the type that it is";
                self.err(
                    DiagCode::UnsupportedWithHelp,
                    span,
                    &["an `impl Trait` in this place", help],
                );
                Ty::Error
            }
            syn::Type::TraitObject(_) => {
                let text = self.text(span);
                self.err(DiagCode::DynTrait, span, &[&text]);
                Ty::Error
            }
            syn::Type::Reference(r) if is_unsized(&r.elem) => self.bad_type(span),
            syn::Type::Reference(r) if r.mutability.is_none() => self.lower(&r.elem, env, infer),
            syn::Type::Reference(_) => {
                let help = "a `&mut` is the whole type of a parameter, or of a `let`; return the new value instead";
                let what = "a `&mut` reference in this place";
                self.err(DiagCode::UnsupportedWithHelp, span, &[what, help]);
                Ty::Error
            }
            syn::Type::Array(t) => match self.lower(&t.elem, env, infer.as_deref_mut()) {
                Ty::Error | Ty::Never => Ty::Error,
                item => match self.const_arg(&t.len, env, Ty::Int(IntTy::Usize)) {
                    Ty::Error => Ty::Error,
                    len @ Ty::Const(..) => self.instance(&Head::Fixed, vec![item, len], span),
                    len => self.instance_with(Head::Fixed, vec![item, len], infer, span),
                },
            },
            syn::Type::Path(p) => self.lower_path(p, env, infer, span),
            syn::Type::BareFn(t) => self.fn_ty(t, env, infer, span),
            syn::Type::Infer(_) => match infer {
                Some(infer) => infer.var(VarKind::General, span),
                None => self.bad_type(span),
            },
            _ => self.bad_type(span),
        }
    }

    /// Several types; none if one of them is a mistake.
    fn list(
        &mut self,
        types: &[&syn::Type],
        env: Env,
        mut infer: Option<&mut Infer>,
    ) -> Option<Vec<Ty>> {
        let mut lowered = Vec::new();
        for ty in types {
            lowered.push(self.lower(ty, env, infer.as_deref_mut()));
        }
        let wrong = lowered.iter().any(|ty| matches!(ty, Ty::Error | Ty::Never));
        (!wrong).then_some(lowered)
    }

    pub fn bad_type(&mut self, span: Span) -> Ty {
        let text = self.text(span);
        self.err(DiagCode::BadType, span, &[&text]);
        Ty::Error
    }

    fn lower_path(
        &mut self,
        ty: &syn::TypePath,
        env: Env,
        infer: Option<&mut Infer>,
        span: Span,
    ) -> Ty {
        let path = plain(&ty.path);
        if let Some(qself) = &ty.qself {
            return self.qualified_ty(ty, qself, env, infer, span);
        }
        if let [first, name] = path.segs.as_slice()
            && let Some(of) = self.param_ty(first, env, span)
        {
            return self.param_assoc(of, name, env, infer, span);
        }
        if path.segs == ["Self"] {
            return self.self_ty(env, span);
        }
        if let [name] = path.segs.as_slice()
            && let Some(ty) = self.interned.substs.get(env.subst).get(name)
        {
            return ty.clone();
        }
        let Some((def, used)) = self
            .krate
            .resolve(env.module, path.global, &path.segs, Ns::Types)
        else {
            let text = self.text(span);
            self.err(DiagCode::UnknownName, span, &[&text]);
            return Ty::Error;
        };
        if used < path.segs.len() {
            return self.bad_type(span);
        }
        let args = ty.path.segments.last().map_or(Vec::new(), type_args);
        match def {
            Def::Prim(name) => prim_ty(name).unwrap_or_else(|| self.bad_type(span)),
            Def::Builtin(Builtin::Gc) => match args.as_slice() {
                [inner] => self.gc_ty(inner, env, infer),
                _ => self.bad_type(span),
            },
            Def::Builtin(Builtin::GcArray) => self.array_ty(&args, env, infer, span),
            Def::Builtin(Builtin::Option) => match args.as_slice() {
                [inner] => match self.lower(inner, env, infer) {
                    Ty::Error => Ty::Error,
                    ty => ty.option(),
                },
                _ => self.bad_type(span),
            },
            Def::Builtin(Builtin::Result) => match args.as_slice() {
                [_, _] => match self.list(&args, env, infer).as_deref() {
                    Some([ok, err]) => Ty::Result(Box::new(ok.clone()), Box::new(err.clone())),
                    _ => Ty::Error,
                },
                _ => self.bad_type(span),
            },
            Def::Builtin(Builtin::Virtualizable) => {
                let what =
                    "a `Virtualizable` is a field of a `#[gc]` struct or an item of a `GcArray`";
                let help = "what compiled code keeps to itself are places of frames; a local that changes is a `let mut`";
                self.err(DiagCode::MisplacedCell, span, &[what, help]);
                Ty::Error
            }
            Def::Builtin(Builtin::Register) => {
                let what = "a `Register` is an item of a `GcArray`";
                let help = "the registers of a frame are an array; a field that changes is a `Cell`, a local a `let mut`";
                self.err(DiagCode::MisplacedCell, span, &[what, help]);
                Ty::Error
            }
            Def::Builtin(Builtin::Quasi) => {
                let what = "a `Quasi` is a field of a `#[gc]` struct by itself";
                let help = "compiled code assumes what whole fields of objects hold: make it such a field; a local that changes is a `let mut`";
                self.err(DiagCode::MisplacedCell, span, &[what, help]);
                Ty::Error
            }
            Def::Object(e) => Ty::Object(self.object(e)),
            Def::Enum(e) if self.krate.enums[e].object.is_some() => {
                self.err(DiagCode::KindValue, span, &[]);
                Ty::Error
            }
            Def::Alias(a) => self.alias_ty(a, (ty.path.segments.last(), env), infer, (false, span)),
            Def::Enum(e) => self.key_ty(
                TypeKey::Enum(e),
                (ty.path.segments.last(), env),
                infer,
                (false, span),
            ),
            Def::Struct(s) => self.key_ty(
                TypeKey::Struct(s),
                (ty.path.segments.last(), env),
                infer,
                (false, span),
            ),
            _ => self.bad_type(span),
        }
    }

    /// What `Self` or a type parameter stands for.
    fn param_ty(&mut self, name: &str, env: Env, span: Span) -> Option<Ty> {
        match name {
            "Self" => Some(self.self_ty(env, span)),
            name => self.interned.substs.get(env.subst).get(name).cloned(),
        }
    }

    /// `T::Name`, `Self::Name`
    fn param_assoc(
        &mut self,
        of: Ty,
        name: &str,
        env: Env,
        infer: Option<&mut Infer>,
        span: Span,
    ) -> Ty {
        // Inside an `impl` block, it is usually one of its own.
        if let Some(owner) = env.owner
            && self.self_ty(env, span) == of
            && let Some((_, ty)) = self.krate.impls[owner].types.iter().find(|t| t.0 == name)
        {
            let ty = ty.clone();
            return self.lower_arg(&ty, env, infer);
        }
        self.assoc_ty(of, None, name, infer, span)
    }

    /// `<T as Trait>::Name`
    fn qualified_ty(
        &mut self,
        ty: &syn::TypePath,
        qself: &syn::QSelf,
        env: Env,
        mut infer: Option<&mut Infer>,
        span: Span,
    ) -> Ty {
        let (position, count) = (qself.position, ty.path.segments.len());
        let mut of_trait = plain(&ty.path);
        of_trait.segs.truncate(position);
        let key = match position {
            0 => None,
            _ => self.krate.trait_key(env.module, &of_trait),
        };
        if position + 1 != count || (position > 0 && key.is_none()) {
            return self.bad_type(span);
        }
        let name = crate::source::syntax::name_of(&ty.path.segments[position].ident);
        match self.lower_arg(&qself.ty, env, infer.as_deref_mut()) {
            Ty::Error => Ty::Error,
            of => self.assoc_ty(of, key, &name, infer, span),
        }
    }

    /// A struct or enum with the arguments that a path's segment has; there are new holes if it has
    /// none and they may be.
    pub fn key_ty(
        &mut self,
        key: TypeKey,
        (segment, env): (Option<&syn::PathSegment>, Env),
        mut infer: Option<&mut Infer>,
        (holes, at): (bool, Span),
    ) -> Ty {
        let generics = self.krate.key_generics(key).clone();
        let head = match key {
            TypeKey::Struct(s) if self.krate.structs[s].gc => Head::Class(s),
            TypeKey::Object(e) => return Ty::Object(self.object(e)),
            key => Head::Adt(key),
        };
        if generics.is_empty() && segment.is_none_or(|s| s.arguments.is_none()) {
            return self.instance(&head, Vec::new(), at);
        }
        let of = Env::of(self.krate.key_module(key));
        let what = format!("`{}`", self.krate.key_path(key));
        let args = self.generic_args(
            (&what, &generics),
            segment,
            (env, of),
            infer.as_deref_mut(),
            (holes, at),
        );
        match args {
            Some(args) => self.instance_with(head, args, infer, at),
            None => Ty::Error,
        }
    }

    /// The type an alias stands for; arguments as for [`Cx::key_ty`].
    pub fn alias_ty(
        &mut self,
        id: AliasId,
        (segment, env): (Option<&syn::PathSegment>, Env),
        mut infer: Option<&mut Infer>,
        (holes, span): (bool, Span),
    ) -> Ty {
        let alias = self.krate.aliases[id].clone();
        if self.interned.alias_depth > MAX_ALIASES {
            return self.bad_type(span);
        }
        let of = Env::of(alias.module);
        let what = "this type alias";
        let Some(args) = self.generic_args(
            (what, &alias.generics),
            segment,
            (env, of),
            infer.as_deref_mut(),
            (holes, span),
        ) else {
            return Ty::Error;
        };
        self.interned.alias_depth += 1;
        let subst = self.subst(&alias.generics, &args, None);
        let ty = self.lower_arg(&alias.ty, Env { subst, ..of }, infer);
        self.interned.alias_depth -= 1;
        ty
    }

    /// What `Self` means as a type.
    pub fn self_ty(&mut self, env: Env, span: Span) -> Ty {
        if let Some(ty) = &self.interned.substs.get(env.subst).this {
            return ty.clone();
        }
        match env.owner.and_then(|o| self.krate.impls[o].target) {
            Some(TypeKey::Object(e)) => Ty::Object(self.object(e)),
            Some(TypeKey::Enum(e)) if self.krate.enums[e].object.is_some() => {
                self.err(DiagCode::KindValue, span, &[]);
                Ty::Error
            }
            Some(key) => self.key_ty(key, (None, env), None, (false, span)),
            _ => self.bad_type(span),
        }
    }

    /// `Gc<inner>`, for a class that is written without the `Gc`.
    pub fn gc_of(&mut self, inner: &syn::Type, env: Env) -> Ty {
        self.gc_ty(inner, env, None)
    }

    /// `Gc<inner>`
    fn gc_ty(&mut self, inner: &syn::Type, env: Env, mut infer: Option<&mut Infer>) -> Ty {
        let span = self.span(env.module, inner);
        // An ordinary struct is more likely to lack an attribute than to be meant as it is.
        if let Some(TypeKey::Struct(s)) = self.krate.type_key(env.module, inner)
            && !self.krate.structs[s].gc
        {
            return self
                .struct_class(s, Rc::new([]), span)
                .map_or(Ty::Error, Ty::Gc);
        }
        if let Some(TypeKey::Enum(e)) = self.krate.type_key(env.module, inner) {
            // Once for each such enum: a tree mentions it everywhere.
            let item = self.krate.enums[e].clone();
            let new = Diagnostic::new(DiagCode::GcEnum, span, &[&item.name]);
            let mut said = self.diags.list.iter();
            if !item.gc && !said.any(|d| d.message == new.message) {
                self.report(new);
            }
            return Ty::Error;
        }
        match self.lower_arg(inner, env, infer.as_deref_mut()) {
            Ty::Class(class) => Ty::Gc(class),
            Ty::Error => Ty::Error,
            ty @ Ty::Var(_) => self.instance_with(Head::Gc, vec![ty], infer, span),
            _ => self.bad_type(span),
        }
    }

    /// `GcArray<T, K>`
    fn array_ty(
        &mut self,
        args: &[&syn::Type],
        env: Env,
        mut infer: Option<&mut Infer>,
        span: Span,
    ) -> Ty {
        let (item, tag) = match args {
            [item] => (item, Some(unit_tag())),
            [item, tag] => (item, self.tag(tag, env)),
            _ => return self.bad_type(span),
        };
        let (item, cell, around) = self.item_ty(item, env, infer.as_deref_mut());
        let tag = tag.map(|tag| Tag { around, ..tag });
        match (item, tag) {
            (Ty::Error, _) | (_, None) => Ty::Error,
            (item, Some(tag)) => match infer {
                Some(infer) if infer.deep(&item).has_holes() => {
                    infer.open(Head::Array(cell, tag), vec![item], span)
                }
                Some(infer) => Ty::Array(self.array_class(infer.deep(&item), cell, tag)),
                None => Ty::Array(self.array_class(item, cell, tag)),
            },
        }
    }

    /// The second argument of `GcArray`: any type, as it is never used.
    fn tag(&mut self, ty: &syn::Type, env: Env) -> Option<Tag> {
        let span = self.span(env.module, ty);
        if let syn::Type::Tuple(t) = ty
            && t.elems.is_empty()
        {
            return Some(unit_tag());
        }
        if let Some(key) = self.krate.type_key(env.module, ty)
            && self.krate.key_generics(key).is_empty()
        {
            let name = self.krate.key_path(key);
            let glue = self.glue_key(key);
            let around = Around::Cell;
            return Some(Tag { name, glue, around });
        }
        if let syn::Type::Path(p) = ty
            && let path = plain(&p.path)
            && let Some((Def::Prim(name), 1)) =
                self.krate
                    .resolve(env.module, path.global, &path.segs, Ns::Types)
        {
            return Some(Tag {
                name: name.to_owned(),
                glue: name.to_owned(),
                around: Around::Cell,
            });
        }
        let help = "declare `struct Tag;` and use that";
        let text = format!("`{}` as the tag of an array", self.text(span));
        self.err(DiagCode::UnsupportedWithHelp, span, &[&text, help]);
        None
    }

    /// The type of a field, and how it is held.
    pub fn cell_ty(&mut self, ty: &syn::Type, env: Env, infer: Option<&mut Infer>) -> (Ty, Held) {
        match self.place_ty(ty, env, infer) {
            (_, Some(Builtin::Slot)) => {
                let span = self.span(env.module, ty);
                (self.bad_type(span), Held::Mutable)
            }
            (_, Some(Builtin::Register)) => {
                let span = self.span(env.module, ty);
                let what = "a `Register` is an item of a `GcArray`";
                let help =
                    "the registers of a frame are an array; a field that changes is a `Cell`";
                self.err(DiagCode::MisplacedCell, span, &[what, help]);
                (Ty::Error, Held::Mutable)
            }
            (ty, Some(Builtin::Quasi)) => (ty, Held::Quasi),
            (ty, Some(Builtin::Virtualizable)) => (ty, Held::Virtualizable),
            (ty, Some(_)) => (ty, Held::Mutable),
            (ty, None) => (ty, Held::Immutable),
        }
    }

    /// The type of an array's item, whether it may change, and what it is in then.
    fn item_ty(
        &mut self,
        ty: &syn::Type,
        env: Env,
        infer: Option<&mut Infer>,
    ) -> (Ty, bool, Around) {
        let (item, around) = self.place_ty(ty, env, infer);
        if around == Some(Builtin::Quasi) {
            let span = self.span(env.module, ty);
            let what = "an item of an array is not quasi-immutable";
            let help = "items that change are `Cell`s; make it a field of a `#[gc]` struct, and the array one of `Gc`s of that";
            self.err(DiagCode::MisplacedCell, span, &[what, help]);
            return (Ty::Error, true, Around::Cell);
        }
        let wrapper = match around {
            Some(Builtin::Slot) => Around::Slot,
            Some(Builtin::Register) => Around::Register,
            Some(Builtin::Virtualizable) => Around::Virtualizable,
            _ => Around::Cell,
        };
        (item, around.is_some(), wrapper)
    }

    /// The type of a place in the heap, and the `Cell`, `Slot`, `Register`, `Quasi` or
    /// `Virtualizable` around it.
    fn place_ty(
        &mut self,
        ty: &syn::Type,
        env: Env,
        infer: Option<&mut Infer>,
    ) -> (Ty, Option<Builtin>) {
        let span = self.span(env.module, ty);
        let (mut inner, mut around) = (None, None);
        if let syn::Type::Path(p) = ty {
            let path = plain(&p.path);
            let args = p.path.segments.last().map_or(Vec::new(), type_args);
            match self
                .krate
                .resolve(env.module, path.global, &path.segs, Ns::Types)
            {
                Some((Def::Builtin(b), _)) if b.is_place() && args.len() == 1 => {
                    inner = Some(args[0]);
                    around = Some(b);
                }
                Some((Def::Extern(name), _)) if name.ends_with("::cell::Cell") => {
                    self.err(DiagCode::NotACell, span, &[]);
                    return (Ty::Error, Some(Builtin::Cell));
                }
                _ => {}
            }
        }
        if let Some(reference) = crate::types::adt::first_reference(ty) {
            let span = self.span(env.module, reference);
            let words = [
                "a reference in the heap",
                "hold the value itself, or a `Gc`",
            ];
            self.err(DiagCode::UnsupportedWithHelp, span, &words);
            return (Ty::Error, around);
        }
        let lowered = self.lower(inner.unwrap_or(ty), env, infer);
        (self.stored_ty(lowered, around.is_some(), span), around)
    }
}

/// Whether there are only references to a type's values: `str`, slices, trait objects.
pub(crate) fn is_unsized(ty: &syn::Type) -> bool {
    match ty {
        syn::Type::Slice(_) | syn::Type::TraitObject(_) => true,
        syn::Type::Path(p) => p.path.is_ident("str"),
        _ => false,
    }
}

fn unit_tag() -> Tag {
    Tag {
        name: "()".to_owned(),
        glue: "()".to_owned(),
        around: Around::Cell,
    }
}
