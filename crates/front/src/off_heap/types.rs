//! Types as they are written: which of them hold references to objects, and which put these on
//! Rust's own heap.
//!
//! In: a type, the module it is written in, and what is known of the type parameters around it.
//! Out: yes or no, and the places. Invariant: a type holds a reference if a value of it has one in
//! it by value; what is behind a Rust reference, in a function's signature, in a `Root`, or on
//! Rust's heap, is not in it.

use crate::items::tables::Reached;
use crate::items::{Builtin, Crate, Def, ModId, Ns, TypeKey};
use crate::source::syntax::{name_of, plain};
use crate::types::generics::Generics;
use rustc_hash::FxHashMap;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// What lies on Rust's heap with all that is in it.
const CONTAINERS: &[&str] = &[
    "Arc",
    "BTreeMap",
    "BTreeSet",
    "BinaryHeap",
    "Box",
    "HashMap",
    "HashSet",
    "LinkedList",
    "Rc",
    "Vec",
    "VecDeque",
];
/// The same of crates that many use.
const FOREIGN: &[&str] = &["FxHashMap", "FxHashSet", "IndexMap", "IndexSet", "SmallVec"];
/// What holds its arguments by value.
const WRAPPERS: &[&str] = &[
    "Cell",
    "LazyCell",
    "LazyLock",
    "ManuallyDrop",
    "MaybeUninit",
    "Mutex",
    "OnceCell",
    "OnceLock",
    "Pin",
    "RefCell",
    "Reverse",
    "RwLock",
    "UnsafeCell",
];

/// What of ours keeps references well.
const HANDLES: &[&str] = &["Root", "RootVec"];

/// What is known of the type parameters in scope, and of `Self`: whether they hold references.
#[derive(Clone, Default)]
pub(super) struct Params(FxHashMap<String, bool>);

impl Params {
    /// Parameters that may stand for anything.
    pub fn open(generics: &Generics) -> Params {
        let names = generics.params.iter().map(|p| (p.name.clone(), false));
        Params(names.collect())
    }

    /// Adds a name.
    pub fn set(&mut self, name: &str, holds: bool) {
        self.0.insert(name.to_owned(), holds);
    }

    /// Whether a name stands for something with references.
    pub fn holds(&self, name: &str) -> bool {
        self.0.get(name) == Some(&true)
    }

    fn get(&self, path: &syn::Path) -> Option<bool> {
        self.0.get(&name_of(path.get_ident()?)).copied()
    }
}

/// Questions about types.
#[derive(Clone, Copy)]
pub(super) struct Types<'a> {
    pub krate: &'a Crate,
}

impl<'a> Types<'a> {
    /// Whether values of a type have references in them.
    pub fn holds(self, module: ModId, params: &Params, ty: &syn::Type) -> bool {
        self.holds_within(module, params, ty, &mut Vec::new())
    }

    /// The same of the value of a `Result` that is no error; none if it is no `Result`.
    pub fn holds_if_ok(self, module: ModId, params: &Params, ty: &syn::Type) -> Option<bool> {
        let syn::Type::Path(p) = ty else { return None };
        let is_result = self.def(module, &p.path) == Some(Def::Builtin(Builtin::Result));
        let ok = arguments(&p.path).first().copied().filter(|_| is_result)?;
        Some(self.holds(module, params, ok))
    }

    /// Whether a type is marked, so that its values may be anywhere.
    pub fn is_rooted(self, key: TypeKey) -> bool {
        let declared = match key {
            TypeKey::Object(id) => TypeKey::Enum(id),
            key => key,
        };
        self.krate.rooted.contains(&Reached::Type(declared))
    }

    /// The containers of references that a type mentions.
    pub fn bad_in(self, module: ModId, params: &Params, ty: &syn::Type) -> Vec<proc_macro2::Span> {
        let mut written = Written::new(self, module, params);
        written.visit_type(ty);
        written.found
    }

    /// What a path of a type means, if that takes all of it.
    fn def(self, module: ModId, path: &syn::Path) -> Option<Def> {
        let plain = plain(path);
        let (def, used) = self
            .krate
            .resolve(module, plain.global, &plain.segs, Ns::Types)?;
        (used == plain.segs.len()).then_some(def)
    }

    /// The struct, enum or object pointer that a type is, behind references and `Gc`.
    pub fn key(self, module: ModId, ty: &syn::Type) -> Option<TypeKey> {
        match ty {
            syn::Type::Reference(inner) => self.key(module, &inner.elem),
            syn::Type::Path(p) if p.qself.is_none() => match self.def(module, &p.path) {
                Some(Def::Builtin(Builtin::Gc)) => self.key(module, arguments(&p.path).first()?),
                _ => self.krate.type_key(module, ty),
            },
            _ => None,
        }
    }

    /// Whether a type gives references when it is iterated over or asked, though it keeps them
    /// well: `Root`, `RootVec`, arrays and lists of references.
    pub fn gives(self, module: ModId, params: &Params, ty: &syn::Type) -> bool {
        let item = |path: &syn::Path| {
            let args = arguments(path);
            args.first()
                .is_some_and(|ty| self.holds(module, params, ty))
        };
        match ty {
            syn::Type::Reference(inner) => self.gives(module, params, &inner.elem),
            syn::Type::Slice(inner) => self.holds(module, params, &inner.elem),
            syn::Type::Array(inner) => self.holds(module, params, &inner.elem),
            syn::Type::Path(p) if p.qself.is_none() => match self.def(module, &p.path) {
                Some(Def::Builtin(Builtin::GcArray)) => item(&p.path),
                Some(Def::Builtin(Builtin::Gc)) => {
                    let args = arguments(&p.path);
                    args.first()
                        .is_some_and(|ty| self.gives(module, params, ty))
                }
                Some(Def::Struct(id)) => {
                    let of = &self.krate.structs[id];
                    self.krate.is_library(of.module) && of.name == "List" && item(&p.path)
                }
                Some(Def::Extern(path)) => HANDLES.iter().any(|name| is_ours(&path, name)),
                // Imported by the glob of the prelude.
                None => {
                    p.path.segments.len() == 1
                        && HANDLES.iter().any(|name| p.path.segments[0].ident == name)
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// Whether a path is that of a type that puts its arguments on Rust's heap.
    pub fn is_container(self, module: ModId, path: &syn::Path) -> bool {
        let Some(last) = path.segments.last().map(|s| name_of(&s.ident)) else {
            return false;
        };
        let last = last.as_str();
        match self.def(module, path) {
            Some(Def::Extern(path)) => {
                let from = path.split("::").next().unwrap_or_default();
                let name = path.rsplit("::").next().unwrap_or_default();
                let is_std = matches!(from, "std" | "core" | "alloc") || from == name;
                is_std && CONTAINERS.contains(&name) || FOREIGN.contains(&name)
            }
            // Imported by a glob of another crate.
            None if path.segments.len() == 1 => {
                CONTAINERS.contains(&last) || FOREIGN.contains(&last)
            }
            _ => false,
        }
    }

    /// Whether a path is that of a type of the standard library that has its argument in it by
    /// value.
    pub fn is_wrapper(self, module: ModId, path: &syn::Path) -> bool {
        let Some(Def::Extern(path)) = self.def(module, path) else {
            return false;
        };
        let name = path.rsplit("::").next().unwrap_or_default();
        !is_ours(&path, name) && WRAPPERS.contains(&name)
    }

    fn holds_within(
        self,
        module: ModId,
        params: &Params,
        ty: &syn::Type,
        around: &mut Vec<TypeKey>,
    ) -> bool {
        let mut part = |ty| self.holds_within(module, params, ty, around);
        match ty {
            syn::Type::Paren(inner) => part(&inner.elem),
            syn::Type::Group(inner) => part(&inner.elem),
            syn::Type::Array(inner) => part(&inner.elem),
            syn::Type::Slice(inner) => part(&inner.elem),
            syn::Type::Tuple(tuple) => tuple.elems.iter().any(part),
            syn::Type::Path(p) if p.qself.is_none() => {
                self.path_holds(module, params, &p.path, around)
            }
            _ => false,
        }
    }

    fn path_holds(
        self,
        module: ModId,
        params: &Params,
        path: &syn::Path,
        around: &mut Vec<TypeKey>,
    ) -> bool {
        if let Some(known) = params.get(path) {
            return known;
        }
        let Some(def) = self.def(module, path) else {
            return false;
        };
        let args = arguments(path);
        match def {
            Def::Builtin(Builtin::Gc | Builtin::GcArray) | Def::Object(_) => true,
            Def::Builtin(b) if b.is_place() || matches!(b, Builtin::Option | Builtin::Result) => {
                args.iter()
                    .any(|ty| self.holds_within(module, params, ty, around))
            }
            Def::Extern(path) => {
                let name = path.rsplit("::").next().unwrap_or_default();
                !is_ours(&path, name)
                    && WRAPPERS.contains(&name)
                    && args
                        .iter()
                        .any(|ty| self.holds_within(module, params, ty, around))
            }
            Def::Struct(id) => self.key_holds(TypeKey::Struct(id), (module, params, &args), around),
            Def::Enum(id) => self.key_holds(TypeKey::Enum(id), (module, params, &args), around),
            Def::Alias(id) => {
                let item = &self.krate.aliases[id];
                // A cycle of aliases is rustc's business, but must end.
                if around.len() > MAX_DEPTH {
                    return false;
                }
                let inner = self.bound(&item.generics, (module, params, &args), around);
                self.holds_within(item.module, &inner, &item.ty, around)
            }
            _ => false,
        }
    }

    fn key_holds(
        self,
        key: TypeKey,
        (module, params, args): (ModId, &Params, &[&syn::Type]),
        around: &mut Vec<TypeKey>,
    ) -> bool {
        if around.contains(&key) || around.len() > MAX_DEPTH || self.is_rooted(key) {
            return false;
        }
        let generics = self.krate.key_generics(key);
        let inner = self.bound(generics, (module, params, args), around);
        around.push(key);
        let declared = self.krate.key_module(key);
        let holds = self.fields(key).iter().any(|field| {
            crate::source::cfg::enabled(&field.attrs)
                && self.holds_within(declared, &inner, &field.ty, around)
        });
        around.pop();
        holds
    }

    /// The fields of a struct, or of all variants.
    pub fn fields(self, key: TypeKey) -> Vec<&'a syn::Field> {
        match key {
            TypeKey::Struct(id) => self.krate.structs[id].fields.iter().collect(),
            TypeKey::Enum(id) | TypeKey::Object(id) => {
                let variants = &self.krate.enums[id].variants;
                variants.iter().flat_map(|v| &v.fields).collect()
            }
        }
    }

    /// What the parameters of an item stand for, given its arguments.
    fn bound(
        self,
        generics: &Generics,
        (module, params, args): (ModId, &Params, &[&syn::Type]),
        around: &mut Vec<TypeKey>,
    ) -> Params {
        let holds: Vec<bool> = args
            .iter()
            .map(|ty| self.holds_within(module, params, ty, around))
            .collect();
        let names = generics.params.iter().enumerate();
        let names = names.map(|(n, p)| (p.name.clone(), holds.get(n).copied().unwrap_or(false)));
        Params(names.collect())
    }

    /// Whether a generic type of the crate puts its arguments on Rust's heap, and these are
    /// references.
    fn passes_on(self, module: ModId, params: &Params, path: &syn::Path, depth: usize) -> bool {
        let args = arguments(path);
        if args.is_empty() || depth > MAX_DEPTH {
            return false;
        }
        let (generics, declared, types) = match self.def(module, path) {
            Some(Def::Alias(id)) => {
                let item = &self.krate.aliases[id];
                (&item.generics, item.module, vec![&item.ty])
            }
            Some(Def::Struct(id)) if !self.krate.is_library(self.krate.structs[id].module) => {
                let key = TypeKey::Struct(id);
                let types = self.fields(key).iter().map(|f| &f.ty).collect();
                (
                    self.krate.key_generics(key),
                    self.krate.key_module(key),
                    types,
                )
            }
            Some(Def::Enum(id)) => {
                let key = TypeKey::Enum(id);
                let types = self.fields(key).iter().map(|f| &f.ty).collect();
                (
                    self.krate.key_generics(key),
                    self.krate.key_module(key),
                    types,
                )
            }
            _ => return false,
        };
        let inner = self.bound(generics, (module, params, &args), &mut Vec::new());
        if !inner.0.values().any(|holds| *holds) {
            return false;
        }
        types.into_iter().any(|ty| {
            let mut written = Written::new(self, declared, &inner);
            written.depth = depth + 1;
            written.visit_type(ty);
            !written.found.is_empty()
        })
    }
}

/// Types within types, no deeper than anybody writes them.
const MAX_DEPTH: usize = 16;

/// The containers of references in syntax.
pub(super) struct Written<'a, 'p> {
    types: Types<'a>,
    module: ModId,
    params: &'p Params,
    depth: usize,
    /// Where they are.
    pub found: Vec<proc_macro2::Span>,
}

impl<'a, 'p> Written<'a, 'p> {
    pub fn new(types: Types<'a>, module: ModId, params: &'p Params) -> Written<'a, 'p> {
        Written {
            types,
            module,
            params,
            depth: 0,
            found: Vec::new(),
        }
    }

    /// Looks at a path up to a segment with arguments.
    fn path(&mut self, path: &syn::Path) {
        let (types, module, params) = (self.types, self.module, self.params);
        let holds = |ty: &&syn::Type| types.holds(module, params, ty);
        let is_bad = match types.is_container(module, path) {
            true => arguments(path).iter().any(holds),
            false => types.passes_on(module, params, path, self.depth),
        };
        if is_bad {
            self.found.push(path.span());
        }
    }
}

impl<'ast> Visit<'ast> for Written<'_, '_> {
    fn visit_path(&mut self, path: &'ast syn::Path) {
        for (n, segment) in path.segments.iter().enumerate() {
            if matches!(&segment.arguments, syn::PathArguments::AngleBracketed(_)) {
                let upto = syn::Path {
                    leading_colon: path.leading_colon,
                    segments: path.segments.iter().take(n + 1).cloned().collect(),
                };
                self.path(&upto);
            }
        }
        visit::visit_path(self, path);
    }

    fn visit_item(&mut self, item: &'ast syn::Item) {
        if !is_rooted(crate::source::syntax::attributes(item)) {
            visit::visit_item(self, item);
        }
    }
}

/// Whether attributes allow it.
pub(super) fn is_rooted(attrs: &[syn::Attribute]) -> bool {
    let is_it = |a: &syn::Attribute| {
        a.path()
            .segments
            .last()
            .is_some_and(|s| s.ident == crate::source::known_names::ROOTED)
    };
    attrs.iter().any(is_it)
}

/// Whether a path leads to this name of ours.
pub(super) fn is_ours(path: &str, name: &str) -> bool {
    path.strip_prefix("verdigris::")
        .is_some_and(|rest| rest.rsplit("::").next() == Some(name))
}

/// The type arguments of a path's last segment.
pub(super) fn arguments(path: &syn::Path) -> Vec<&syn::Type> {
    let last = path.segments.last();
    last.map_or(Vec::new(), crate::source::syntax::type_args)
}
