//! Types as written to types as checked.
//!
//! In: syntax. Out: [`Ty`]; complaints about types that traced code cannot use. Invariant: a type without holes comes
//! out the same wherever it is written.

use crate::cx::{Cx, Env, Sig, Tag, machine};
use crate::diag::{Code, Diagnostic};
use crate::infer::{Infer, Ty, VarKind};
use crate::items::*;
use crate::names::prim_ty;
use crate::resolve::plain;
use crate::tast::Span;
use std::rc::Rc;

/// Aliases of aliases; a longer chain is a cycle.
const MAX_ALIASES: u32 = 32;

impl Cx {
    /// The type that is written; `infer` is there where `_` is allowed.
    pub fn lower(&mut self, ty: &syn::Type, env: Env, infer: Option<&mut Infer>) -> Ty {
        let span = self.span(env.module, ty);
        match ty {
            syn::Type::Paren(t) => self.lower(&t.elem, env, infer),
            syn::Type::Group(t) => self.lower(&t.elem, env, infer),
            syn::Type::Never(_) => Ty::Never,
            syn::Type::Tuple(t) if t.elems.is_empty() => Ty::Unit,
            syn::Type::Tuple(t) => {
                let elems = t.elems.iter().collect::<Vec<_>>();
                self.list(&elems, env, infer).map_or(Ty::Error, Ty::Tuple)
            }
            syn::Type::Path(p) => self.lower_path(p, env, infer, span),
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

    fn bad_type(&mut self, span: Span) -> Ty {
        let text = self.text(span);
        self.err(Code::BadType, span, &[&text]);
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
        if ty.qself.is_some() {
            return self.bad_type(span);
        }
        if path.segs == ["Self"] {
            return self.self_ty(env, span);
        }
        let Some((def, used)) = self
            .krate
            .resolve(env.module, path.global, &path.segs, Ns::Types)
        else {
            let text = self.text(span);
            self.err(Code::UnknownName, span, &[&text]);
            return Ty::Error;
        };
        if used < path.segs.len() {
            return self.bad_type(span);
        }
        let args = ty.path.segments.last().map_or(Vec::new(), type_args);
        match def {
            Def::Prim(name) => prim_ty(name).unwrap_or_else(|| self.bad_type(span)),
            Def::Builtin(Builtin::Gc) => match args.as_slice() {
                [inner] => self.gc_ty(inner, env),
                _ => self.bad_type(span),
            },
            Def::Builtin(Builtin::GcArray) => self.array_ty(&args, env, span),
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
            Def::Object(e) => Ty::Object(self.object(e)),
            Def::Struct(s) if self.krate.structs[s].gc => {
                let name = self.krate.structs[s].name.clone();
                self.err(Code::ByValueStruct, span, &[&name]);
                Ty::Error
            }
            Def::Enum(e) if self.krate.enums[e].object.is_some() => {
                self.err(Code::KindValue, span, &[]);
                Ty::Error
            }
            Def::Alias(a) => self.alias_ty(a, span),
            Def::Enum(e) => self.adt_ty(TypeKey::Enum(e), span),
            Def::Struct(s) => self.adt_ty(TypeKey::Struct(s), span),
            _ => self.bad_type(span),
        }
    }

    /// The type an alias stands for.
    pub fn alias_ty(&mut self, id: AliasId, span: Span) -> Ty {
        let alias = self.krate.aliases[id].clone();
        if alias.generic {
            self.err(Code::Generic, span, &["this type alias"]);
            return Ty::Error;
        }
        if self.alias_depth > MAX_ALIASES {
            return self.bad_type(span);
        }
        self.alias_depth += 1;
        let env = Env {
            module: alias.module,
            owner: None,
        };
        let ty = self.lower(&alias.ty, env, None);
        self.alias_depth -= 1;
        ty
    }

    /// What `Self` means as a type.
    pub fn self_ty(&mut self, env: Env, span: Span) -> Ty {
        match env.owner.and_then(|o| self.krate.impls[o].target) {
            Some(TypeKey::Object(e)) => Ty::Object(self.object(e)),
            Some(TypeKey::Struct(s)) if self.krate.structs[s].gc => {
                self.err(Code::ByValueStruct, span, &["Self"]);
                Ty::Error
            }
            Some(TypeKey::Enum(e)) if self.krate.enums[e].object.is_some() => {
                self.err(Code::KindValue, span, &[]);
                Ty::Error
            }
            Some(key) => self.adt_ty(key, span),
            _ => self.bad_type(span),
        }
    }

    /// `Gc<inner>`
    fn gc_ty(&mut self, inner: &syn::Type, env: Env) -> Ty {
        let span = self.span(env.module, inner);
        let is_self = matches!(inner, syn::Type::Path(p) if p.path.is_ident("Self"));
        let key = match (is_self, env.owner) {
            (true, Some(owner)) => self.krate.impls[owner].target,
            _ => self.krate.type_key(env.module, inner),
        };
        match key {
            Some(TypeKey::Struct(s)) => self.struct_class(s, span).map_or(Ty::Error, Ty::Gc),
            _ => self.bad_type(span),
        }
    }

    /// `GcArray<T, K>`
    fn array_ty(&mut self, args: &[&syn::Type], env: Env, span: Span) -> Ty {
        let (item, tag) = match args {
            [item] => (item, Some(unit_tag())),
            [item, tag] => (item, self.tag(tag, env)),
            _ => return self.bad_type(span),
        };
        let (item, cell) = self.cell_ty(item, env);
        match (item, tag) {
            (Ty::Error, _) | (_, None) => Ty::Error,
            (item, Some(tag)) => Ty::Array(self.array_class(item, cell, tag)),
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
        if let Some(key) = self.krate.type_key(env.module, ty) {
            let name = self.krate.key_path(key);
            let glue = self.glue_key(key);
            return Some(Tag { name, glue });
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
            });
        }
        let help = "declare `struct Tag;` and use that";
        let text = format!("`{}` as the tag of an array", self.text(span));
        self.err(Code::UnsupportedWithHelp, span, &[&text, help]);
        None
    }

    /// The type of a field or item, and whether it is a `Cell`.
    pub fn cell_ty(&mut self, ty: &syn::Type, env: Env) -> (Ty, bool) {
        let span = self.span(env.module, ty);
        let mut inner = None;
        if let syn::Type::Path(p) = ty {
            let path = plain(&p.path);
            let args = p.path.segments.last().map_or(Vec::new(), type_args);
            match self
                .krate
                .resolve(env.module, path.global, &path.segs, Ns::Types)
            {
                Some((Def::Builtin(Builtin::Cell), _)) if args.len() == 1 => inner = Some(args[0]),
                Some((Def::Extern(name), _)) if name.ends_with("::cell::Cell") => {
                    self.err(Code::NotACell, span, &[]);
                    return (Ty::Error, true);
                }
                _ => {}
            }
        }
        let lowered = self.lower(inner.unwrap_or(ty), env, None);
        if let Ty::Adt(id) = lowered {
            let complete = self.check_stored(id, inner.is_some(), span);
            return (if complete { lowered } else { Ty::Error }, inner.is_some());
        }
        if let Ty::Option(option) = &lowered
            && machine(&lowered).is_none()
        {
            let shown = self.show(option);
            self.err(Code::BadOption, span, &[&shown]);
            return (Ty::Error, inner.is_some());
        }
        if lowered != Ty::Error && machine(&lowered).is_none() {
            let text = format!("a field or item of type `{}`", self.show(&lowered));
            let help = match lowered.is_aggregate() {
                true => "put it into a struct marked `#[value]`",
                false => "leave it out",
            };
            self.err(Code::UnsupportedWithHelp, span, &[&text, help]);
            return (Ty::Error, inner.is_some());
        }
        (lowered, inner.is_some())
    }

    /// Whether a struct or enum can be in the heap.
    fn check_stored(&mut self, id: crate::tast::AdtId, cell: bool, span: Span) -> bool {
        let name = self.adts[id].name.clone();
        let short = name.rsplit("::").next().unwrap_or(&name).to_owned();
        let marked = match self.adt_src[id].key {
            TypeKey::Struct(s) => self.krate.structs[s].value,
            TypeKey::Enum(e) | TypeKey::Object(e) => self.krate.enums[e].value,
        };
        if !marked {
            self.err(Code::NotAValue, span, &[&short]);
        } else if !cell {
            let what = format!("a field or item of type `{short}`");
            let help = format!("write `Cell<{short}>`");
            self.err(Code::UnsupportedWithHelp, span, &[&what, &help]);
        }
        marked && cell
    }

    /// The types of a function; complains about them once.
    pub fn signature(&mut self, id: FnItemId) -> Rc<Sig> {
        if let Some(sig) = self.sigs.get(&id) {
            return sig.clone();
        }
        let item = self.krate.fns[id].clone();
        let env = Env {
            module: item.module,
            owner: item.owner,
        };
        let mut params = Vec::new();
        let mut has_self = false;
        for input in &item.sig.inputs {
            params.push(match input {
                syn::FnArg::Typed(arg) => self.lower(&arg.ty, env, None),
                syn::FnArg::Receiver(receiver) => {
                    has_self = true;
                    self.receiver_ty(receiver, env)
                }
            });
        }
        if let Some(bad) = params.iter().position(|p| *p == Ty::Never) {
            params[bad] = Ty::Error;
            let span = self.span(env.module, &item.sig.inputs[bad]);
            self.bad_type(span);
        }
        let ret = match &item.sig.output {
            syn::ReturnType::Default => Ty::Unit,
            syn::ReturnType::Type(_, ty) => self.lower(ty, env, None),
        };
        let sig = Rc::new(Sig {
            params,
            ret,
            has_self,
        });
        self.sigs.insert(id, sig.clone());
        sig
    }

    /// The type of `self`: of a heap class, `&self` is the pointer to the object.
    fn receiver_ty(&mut self, receiver: &syn::Receiver, env: Env) -> Ty {
        let span = self.span(env.module, receiver);
        let target = env.owner.and_then(|o| self.krate.impls[o].target);
        if receiver.reference.is_some() && receiver.mutability.is_some() {
            let help = match target {
                Some(TypeKey::Struct(s)) if self.krate.structs[s].gc => {
                    "take `&self`, and make fields that change `Cell`s"
                }
                Some(TypeKey::Object(_)) => "take `self`, and make fields that change `Cell`s",
                _ => "take `self` and return the new value",
            };
            self.err(Code::UnsupportedWithHelp, span, &["`&mut self`", help]);
            return Ty::Error;
        }
        if receiver.colon_token.is_some() {
            let ty = match &*receiver.ty {
                syn::Type::Reference(r) if r.mutability.is_none() => &*r.elem,
                ty => return self.lower(ty, env, None),
            };
            let is_self = matches!(ty, syn::Type::Path(p) if p.path.is_ident("Self"));
            if !is_self {
                return self.bad_type(span);
            }
        }
        match target {
            Some(TypeKey::Object(e)) => Ty::Object(self.object(e)),
            Some(key @ TypeKey::Struct(s)) if !self.krate.structs[s].gc => self.adt_ty(key, span),
            Some(TypeKey::Struct(s))
                if receiver.reference.is_some() || receiver.colon_token.is_some() =>
            {
                self.struct_class(s, span).map_or(Ty::Error, Ty::Gc)
            }
            Some(TypeKey::Struct(s)) => {
                let name = self.krate.structs[s].name.clone();
                let d = Diagnostic::new(Code::ByValueStruct, span, &[&name]);
                self.report(d.help("take `&self`"));
                Ty::Error
            }
            Some(TypeKey::Enum(e)) if self.krate.enums[e].object.is_some() => {
                let name = self.krate.object_name(e).to_owned();
                let help = format!("put the method in `impl {name}` and match `self.kind()`");
                self.err(
                    Code::UnsupportedWithHelp,
                    span,
                    &["a method of the kind enum", &help],
                );
                Ty::Error
            }
            Some(key) => self.adt_ty(key, span),
            None => self.bad_type(span),
        }
    }
}

/// The type arguments of a path segment.
pub(crate) fn type_args(segment: &syn::PathSegment) -> Vec<&syn::Type> {
    match &segment.arguments {
        syn::PathArguments::AngleBracketed(args) => args
            .args
            .iter()
            .filter_map(|a| match a {
                syn::GenericArgument::Type(t) => Some(t),
                _ => None,
            })
            .collect(),
        _ => Vec::new(),
    }
}

fn unit_tag() -> Tag {
    Tag {
        name: "()".to_owned(),
        glue: "()".to_owned(),
    }
}
