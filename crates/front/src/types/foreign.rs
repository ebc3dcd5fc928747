//! References to Rust data that traced code hands on and cannot look into.
//!
//! In: reference types of parameters, string literals. Out: [`Ty::Foreign`], and calls that give a
//! literal's words. Invariant: two such types are equal only if rustc's are, so that a reference is
//! never taken for one to something else: what rustc would convert on the way (`&String` to `&str`)
//! is refused.

use crate::cx::Cx;
use crate::cx::sources::Env;
use crate::items::{Builtin, Def, Ns, TypeKey};
use crate::source::diag::DiagCode;
use crate::source::syntax::plain;
use crate::types::ty::{Foreign, MAX_ITEMS, Ty};
use rustc_hash::FxHashSet;
use verdigris_ops::{Effects, FnId, FnInfo, FnKind};

impl Cx {
    /// The type of a reference that is handed on; complains about those that cannot be.
    pub fn foreign_ty(&mut self, reference: &syn::TypeReference, env: Env) -> Ty {
        let fat = match &*reference.elem {
            syn::Type::Slice(_) => true,
            syn::Type::Path(p) => p.path.is_ident("str"),
            syn::Type::TraitObject(_) | syn::Type::ImplTrait(_) | syn::Type::Reference(_) => {
                let span = self.span(env.module, reference);
                let what = format!("a reference of type `{}`", self.text(span));
                let help = "put the value into a struct, and take a reference to that";
                self.err(DiagCode::UnsupportedWithHelp, span, &[&what, help]);
                return Ty::Error;
            }
            _ => false,
        };
        Ty::Foreign(Foreign {
            name: self.canonical(&reference.elem, env).into(),
            fat,
            unique: reference.mutability.is_some(),
        })
    }

    /// A type with its names resolved. What cannot be resolved is only equal to itself in the same
    /// module.
    fn canonical(&self, ty: &syn::Type, env: Env) -> String {
        match ty {
            syn::Type::Paren(t) => self.canonical(&t.elem, env),
            syn::Type::Group(t) => self.canonical(&t.elem, env),
            syn::Type::Slice(t) => format!("[{}]", self.canonical(&t.elem, env)),
            syn::Type::Path(p) if p.qself.is_none() => {
                if let Some(key) = self.krate.type_key(env.module, ty) {
                    return self.krate.key_path(key) + &self.arguments(&p.path, env);
                }
                let path = plain(&p.path);
                let found = self
                    .krate
                    .resolve(env.module, path.global, &path.segs, Ns::Types);
                match found {
                    Some((Def::Prim(name), 1)) => name.to_owned(),
                    Some((Def::Extern(name), _)) => {
                        format!("::{name}{}", self.arguments(&p.path, env))
                    }
                    _ => self.unresolved(ty, env),
                }
            }
            _ => self.unresolved(ty, env),
        }
    }

    fn arguments(&self, path: &syn::Path, env: Env) -> String {
        let args = path
            .segments
            .last()
            .map_or(Vec::new(), crate::source::syntax::type_args);
        if args.is_empty() {
            return String::new();
        }
        let args: Vec<String> = args.iter().map(|a| self.canonical(a, env)).collect();
        format!("<{}>", args.join(","))
    }

    fn unresolved(&self, ty: &syn::Type, env: Env) -> String {
        let text = quote::ToTokens::to_token_stream(ty).to_string();
        format!("{} {}", env.module, text.replace(' ', ""))
    }

    /// Whether the values of a type cannot be in traced code, so that a reference to it is an
    /// address there.
    pub fn is_foreign(&self, ty: &syn::Type, env: Env) -> bool {
        self.foreign_within(ty, env, &mut FxHashSet::default())
    }

    fn foreign_within(&self, ty: &syn::Type, env: Env, seen: &mut FxHashSet<TypeKey>) -> bool {
        let path = match ty {
            syn::Type::Paren(t) => return self.foreign_within(&t.elem, env, seen),
            syn::Type::Group(t) => return self.foreign_within(&t.elem, env, seen),
            syn::Type::Tuple(t) => {
                return t.elems.iter().any(|t| self.foreign_within(t, env, seen));
            }
            syn::Type::Path(p) if p.qself.is_none() => &p.path,
            syn::Type::Array(t) => {
                return is_large(&t.len) || self.foreign_within(&t.elem, env, seen);
            }
            syn::Type::Slice(_) | syn::Type::BareFn(_) => return true,
            syn::Type::Reference(_) | syn::Type::Ptr(_) => return true,
            _ => return false,
        };
        if let Some(key) = self.krate.type_key(env.module, ty) {
            return seen.insert(key) && self.foreign_key(key, seen);
        }
        let names = plain(path);
        let found = self
            .krate
            .resolve(env.module, names.global, &names.segs, Ns::Types);
        match found {
            Some((Def::Prim("str"), _) | (Def::Extern(_), _)) => true,
            Some((Def::Builtin(Builtin::Option | Builtin::Result), _)) => {
                let args = path
                    .segments
                    .last()
                    .map_or(Vec::new(), crate::source::syntax::type_args);
                args.iter().any(|a| self.foreign_within(a, env, seen))
            }
            _ => false,
        }
    }

    /// Whether a struct or enum of the crate has a part that cannot be in traced code.
    fn foreign_key(&self, key: TypeKey, seen: &mut FxHashSet<TypeKey>) -> bool {
        let (module, fields): (_, Vec<&syn::Field>) = match key {
            TypeKey::Struct(s) => {
                let item = &self.krate.structs[s];
                if item.gc || item.value {
                    return false;
                }
                (item.module, item.fields.iter().collect())
            }
            TypeKey::Enum(e) | TypeKey::Object(e) => {
                let item = &self.krate.enums[e];
                if item.object.is_some() || item.value {
                    return false;
                }
                let fields = item.variants.iter().flat_map(|v| v.fields.iter());
                (item.module, fields.collect())
            }
        };
        let env = Env::of(module);
        fields
            .into_iter()
            .any(|f| self.foreign_within(&f.ty, env, seen))
    }

    /// The function that gives the words of a string literal, whose address is known when the
    /// program runs.
    pub fn text_literal(&mut self, text: &str) -> FnId {
        self.text_of(&format!("{text:?}"))
    }

    /// The same of a byte string.
    pub fn bytes_literal(&mut self, bytes: &[u8]) -> FnId {
        self.text_of(&format!("b\"{}\".as_slice()", bytes.escape_ascii()))
    }

    /// The same of a Rust expression for a string that is known when rustc runs.
    pub fn text_of(&mut self, text: &str) -> FnId {
        if let Some(&known) = self.glue.texts.get(text) {
            return known;
        }
        let name = format!("text {}", self.glue.texts.len());
        self.glue.fns.push(format!(
            "|| ::verdigris::rt::FnDescr::new({name:?}, (|| ::verdigris::rt::address({text})) as fn() -> _)"
        ));
        let types = crate::layout::components::components(self, &Ty::Foreign(Foreign::text()));
        let id = self.descrs.fns.push(FnInfo {
            name,
            params: Vec::new(),
            ret: types,
            kind: FnKind::Elidable,
            effects: Effects::of_kind(FnKind::Elidable),
            target: 0,
            thunk: 0,
            invoke: 0,
        });
        self.glue.texts.insert(text.to_owned(), id);
        id
    }
}

/// Whether an array's length is written as a number that is too large for one that is held by
/// value.
fn is_large(len: &syn::Expr) -> bool {
    let syn::Expr::Lit(lit) = len else {
        return false;
    };
    match &lit.lit {
        syn::Lit::Int(len) => len.base10_parse().is_ok_and(|len: u64| len > MAX_ITEMS),
        _ => false,
    }
}
