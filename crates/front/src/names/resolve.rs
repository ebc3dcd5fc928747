//! Names to definitions, by rustc's rules.
//!
//! In: a path and the module it is written in. Out: what it means, and how many of its segments
//! that took: the rest is relative to a type, as in `IntObj::add`. Invariant: no diagnostics and no
//! side effects, so that code which is never reached can be asked about freely. Privacy is rustc's
//! business.

use crate::expand::tokens::unmarked;
use crate::items::*;
use crate::source::syntax::plain;

/// Names of the standard prelude that code tends to use; none can be traced.
pub(crate) const STD_PRELUDE: &[&str] = &[
    "String",
    "Vec",
    "Box",
    "drop",
    "ToString",
    "ToOwned",
    "Default",
    "Clone",
    "Copy",
    "Iterator",
    "IntoIterator",
    "From",
    "Into",
    "TryFrom",
    "TryInto",
    "AsRef",
    "Drop",
    "Fn",
    "FnMut",
    "FnOnce",
    "PartialEq",
    "Eq",
    "PartialOrd",
    "Ord",
    "Send",
    "Sync",
];
const CRATES: &[&str] = &["std", "core", "alloc", "verdigris"];
const PRIMS: &[&str] = &[
    "i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32", "u64", "u128", "usize", "bool",
    "char", "f32", "f64", "str",
];

impl Crate {
    /// What a path means, and how many segments that took (at least one).
    pub fn resolve(
        &self,
        from: ModId,
        global: bool,
        segs: &[String],
        ns: Ns,
    ) -> Option<(Def, usize)> {
        let found = self.resolve_import(from, global, segs, ns);
        let first = segs.first().filter(|_| !global);
        let first = first.and_then(|first| PRIMS.iter().find(|p| **p == first));
        let is_primitive = first.is_some() && (ns == Ns::Types || segs.len() > 1);
        match (&found, first) {
            // A module hides the primitive type of its name only in paths to what is in it.
            (None | Some((Def::Mod(_), _)), Some(prim)) if is_primitive => {
                Some((Def::Prim(prim), 1))
            }
            (Some((Def::Extern(path), _)), Some(prim)) if is_primitive => {
                // What `std::f64` has beside `consts`, the type has too.
                match module_of_std(path, prim) {
                    Some(rest) if !rest.starts_with("::consts") => Some((Def::Prim(prim), 1)),
                    _ => found,
                }
            }
            _ => found,
        }
    }

    /// What the path of a `use` means: the same, but that a module hides the primitive type of its
    /// name.
    fn resolve_import(
        &self,
        from: ModId,
        global: bool,
        segs: &[String],
        ns: Ns,
    ) -> Option<(Def, usize)> {
        let ns_of = |i: usize| if i + 1 == segs.len() { ns } else { Ns::Types };
        let first = segs.first()?;
        let mut def = match first.as_str() {
            _ if global => Def::Extern(first.clone()),
            "crate" => Def::Mod(self.root_of(from)),
            "self" => Def::Mod(self.real_module(from)),
            "super" => Def::Mod(self.super_module(from)?),
            name => self.lexical(from, name, ns_of(0))?,
        };
        for (i, seg) in segs.iter().enumerate().skip(1) {
            def = match &def {
                Def::Mod(m) if seg == "super" => Def::Mod(self.super_module(*m)?),
                Def::Mod(m) => self.member(*m, seg, ns_of(i))?,
                Def::Enum(e) => match self.variant(*e, seg) {
                    Some(def) => def,
                    None => return Some((def, i)),
                },
                Def::Extern(path) => self.extern_def(&format!("{path}::{seg}"), ns_of(i)),
                Def::Builtin(Builtin::Option) if seg == "Some" => Def::Builtin(Builtin::Some),
                Def::Builtin(Builtin::Option) if seg == "None" => Def::Builtin(Builtin::None),
                Def::Builtin(Builtin::Result) if seg == "Ok" => Def::Builtin(Builtin::Ok),
                Def::Builtin(Builtin::Result) if seg == "Err" => Def::Builtin(Builtin::Err),
                _ => return Some((def, i)),
            };
        }
        Some((def, segs.len()))
    }

    /// What `super` means in a module: blocks are no modules.
    fn super_module(&self, module: ModId) -> Option<ModId> {
        let parent = self.modules[self.real_module(module)].parent?;
        Some(self.real_module(parent))
    }

    /// A name without a path before it.
    fn lexical(&self, from: ModId, name: &str, ns: Ns) -> Option<Def> {
        // Items have no marks, variables may.
        let name = unmarked(name);
        let mut module = from;
        loop {
            if let Some(def) = self.member(module, name, ns) {
                return Some(def);
            }
            if !self.modules[module].block {
                break;
            }
            module = self.modules[module].parent?;
        }
        if ns == Ns::Types && CRATES.contains(&name) {
            return Some(Def::Extern(name.to_owned()));
        }
        if ns == Ns::Types
            && let Some(prim) = PRIMS.iter().find(|p| **p == name)
        {
            return Some(Def::Prim(prim));
        }
        match (name, ns) {
            ("Option", Ns::Types) => Some(Def::Builtin(Builtin::Option)),
            ("Some", Ns::Values) => Some(Def::Builtin(Builtin::Some)),
            ("None", Ns::Values) => Some(Def::Builtin(Builtin::None)),
            ("Result", Ns::Types) => Some(Def::Builtin(Builtin::Result)),
            ("Ok", Ns::Values) => Some(Def::Builtin(Builtin::Ok)),
            ("Err", Ns::Values) => Some(Def::Builtin(Builtin::Err)),
            _ if STD_PRELUDE.contains(&name) => Some(self.extern_def(name, ns)),
            _ => None,
        }
    }

    /// A member of a module: declared, imported by name, or imported by a glob, in this order.
    fn member(&self, module: ModId, name: &str, ns: Ns) -> Option<Def> {
        let here = &self.modules[module];
        if let Some(def) = here.items.get(ns, name) {
            return Some(def.clone());
        }
        if !here.imports.contains_key(name) && here.globs.is_empty() {
            return None;
        }
        // Inside of another look-up an answer may depend on what is still being looked for, so that
        // only outer ones are kept.
        let outermost = self.looking.borrow().is_empty();
        if outermost {
            let imported = self.imported.borrow();
            let known = imported.get(&(module, ns)).and_then(|i| i.get(name));
            if let Some(known) = known {
                return known.clone();
            }
        }
        let key = (module, ns, name.to_owned());
        if let Some(known) = self.looking.borrow().get(&key) {
            return known.clone();
        }
        self.looking.borrow_mut().insert(key.clone(), None);
        let found = self.imported(module, name, ns);
        let mut looking = self.looking.borrow_mut();
        if outermost {
            looking.clear();
            let mut imported = self.imported.borrow_mut();
            let known = imported.entry((module, ns)).or_default();
            known.insert(key.2, found.clone());
        } else {
            looking.insert(key, found.clone());
        }
        found
    }

    /// Forgets what imports and globs have brought into modules, since something is declared that
    /// they may bring.
    pub fn forget_imports(&mut self) {
        self.imported.get_mut().clear();
    }

    fn imported(&self, module: ModId, name: &str, ns: Ns) -> Option<Def> {
        let here = &self.modules[module];
        for path in here.imports.get(name).into_iter().flatten() {
            match self.import_target(module, path, ns) {
                Some((def, used)) if used == path.segs.len() => return Some(def),
                _ => {}
            }
        }
        for path in &here.globs {
            let target = match path.segs.is_empty() {
                true => Some((Def::Mod(self.root()), 0)),
                false => self.import_target(module, path, Ns::Types),
            };
            let found = match target {
                Some((Def::Mod(m), used)) if used == path.segs.len() => self.member(m, name, ns),
                Some((Def::Enum(e), used)) if used == path.segs.len() => self.variant(e, name),
                Some((Def::Extern(p), _)) => match self.extern_def(&format!("{p}::{name}"), ns) {
                    // A glob of another crate brings in only what we know it has.
                    Def::Builtin(b) if builtin_ns(b) == ns => Some(Def::Builtin(b)),
                    Def::Extern(path) if is_operator_trait(&path) => Some(Def::Extern(path)),
                    Def::Builtin(_) | Def::Extern(_) => None,
                    def => Some(def),
                },
                _ => None,
            };
            if found.is_some() {
                if let (Some(taken), false) = (
                    &mut *self.glob_uses.borrow_mut(),
                    here.unexpanded.is_empty(),
                ) {
                    taken.insert((module, name.to_owned()));
                }
                return found;
            }
        }
        None
    }

    /// Where an import leads. A first segment that nothing here declares is the name of a crate.
    fn import_target(&self, module: ModId, path: &PlainPath, ns: Ns) -> Option<(Def, usize)> {
        let found = self.resolve_import(module, path.global, &path.segs, ns);
        let first = path.segs.first()?;
        let known = matches!(first.as_str(), "crate" | "self" | "super")
            || self.lexical(module, first, Ns::Types).is_some()
            || self.lexical(module, first, Ns::Values).is_some();
        match found {
            None if !known => {
                let def = self.extern_def(&path.segs.join("::"), ns);
                Some((def, path.segs.len()))
            }
            found => match found? {
                (Def::Builtin(b), _) if builtin_ns(b) != ns => None,
                found => Some(found),
            },
        }
    }

    /// What a path into another crate means.
    fn extern_def(&self, path: &str, ns: Ns) -> Def {
        match extern_def(path) {
            Def::Extern(path) => {
                let ours = self.library_def(&path, ns);
                let ours = ours.or_else(|| self.text_def(&path, ns));
                ours.unwrap_or(Def::Extern(path))
            }
            def => def,
        }
    }

    fn variant(&self, id: EnumId, name: &str) -> Option<Def> {
        let index = self.enums[id].numbers.get(name)?;
        Some(Def::Variant(id, *index))
    }

    /// Whether a path begins with a name that nothing here declares, so that it must be that of a
    /// crate.
    pub fn is_foreign(&self, from: ModId, path: &PlainPath) -> bool {
        let [first, _, ..] = path.segs.as_slice() else {
            return false;
        };
        let keyword = matches!(first.as_str(), "crate" | "self" | "super" | "Self");
        !keyword && (path.global || self.lexical(from, first, Ns::Types).is_none())
    }

    /// The other crate that a path leads to, `std` among them; a path that begins with a name that
    /// nothing here declares begins with that of a crate.
    pub fn crate_of(&self, from: ModId, path: &PlainPath) -> Option<String> {
        let first = path.segs.first()?;
        let is_one = path.segs.len() == 1;
        match (first.as_str(), self.lexical(from, first, Ns::Types)) {
            _ if path.global => Some(first.clone()),
            ("crate" | "self" | "super" | "Self", _) => None,
            (_, Some(Def::Extern(path))) => {
                let name = path.split("::").next().unwrap_or_default();
                (!STD_PRELUDE.contains(&name)).then(|| name.to_owned())
            }
            (_, Some(_)) => None,
            (_, None) if is_one && self.lexical(from, first, Ns::Values).is_some() => None,
            (_, None) => Some(first.clone()),
        }
    }

    /// The type of this crate that an `impl` block is for.
    pub fn type_key(&self, module: ModId, ty: &syn::Type) -> Option<TypeKey> {
        let (mut module, mut ty) = (module, ty);
        // An alias of an alias is rare, and a cycle of aliases must end.
        for _ in 0..16 {
            let path = match ty {
                syn::Type::Path(p) if p.qself.is_none() => &p.path,
                syn::Type::Paren(p) => {
                    ty = &p.elem;
                    continue;
                }
                syn::Type::Group(g) => {
                    ty = &g.elem;
                    continue;
                }
                _ => return None,
            };
            let plain = plain(path);
            match self.resolve(module, plain.global, &plain.segs, Ns::Types)? {
                (Def::Struct(s), _) => return Some(TypeKey::Struct(s)),
                (Def::Enum(e), _) => return Some(TypeKey::Enum(e)),
                (Def::Object(e), _) => return Some(TypeKey::Object(e)),
                (Def::Alias(a), _) => {
                    module = self.aliases[a].module;
                    ty = &self.aliases[a].ty;
                }
                _ => return None,
            }
        }
        None
    }
}

/// What follows in a path behind the module of the standard library that has a primitive type's
/// name.
fn module_of_std<'p>(path: &'p str, prim: &str) -> Option<&'p str> {
    let path = path.strip_prefix("std::").or(path.strip_prefix("core::"))?;
    let rest = path.strip_prefix(prim)?;
    (rest.is_empty() || rest.starts_with("::")).then_some(rest)
}

/// Whether a path leads to one of the traits that are implemented for operators.
fn is_operator_trait(path: &str) -> bool {
    const NAMES: &[&str] = &[
        "Add",
        "AddAssign",
        "BitAnd",
        "BitAndAssign",
        "BitOr",
        "BitOrAssign",
        "BitXor",
        "BitXorAssign",
        "Deref",
        "DerefMut",
        "Div",
        "DivAssign",
        "Drop",
        "Index",
        "IndexMut",
        "Mul",
        "MulAssign",
        "Neg",
        "Not",
        "Rem",
        "RemAssign",
        "Shl",
        "ShlAssign",
        "Shr",
        "ShrAssign",
        "Sub",
        "SubAssign",
    ];
    let name = path
        .strip_prefix("std::ops::")
        .or_else(|| path.strip_prefix("core::ops::"));
    name.is_some_and(|name| NAMES.contains(&name))
}

/// The namespace a known name of another crate is in.
fn builtin_ns(builtin: Builtin) -> Ns {
    match builtin {
        Builtin::Gc
        | Builtin::GcArray
        | Builtin::Cell
        | Builtin::Quasi
        | Builtin::Register
        | Builtin::Virtualizable
        | Builtin::Slot
        | Builtin::Option
        | Builtin::Result => Ns::Types,
        Builtin::Some
        | Builtin::None
        | Builtin::Ok
        | Builtin::Err
        | Builtin::Promote
        | Builtin::AtMost
        | Builtin::IsConstant
        | Builtin::IsVirtual
        | Builtin::Concrete
        | Builtin::RecordExactClass
        | Builtin::WeAreJitted => Ns::Values,
    }
}

/// What a path into another crate means.
fn extern_def(path: &str) -> Def {
    let known = match path {
        "std::option::Option" | "core::option::Option" => Some(Builtin::Option),
        "std::option::Option::Some" | "core::option::Option::Some" => Some(Builtin::Some),
        "std::option::Option::None" | "core::option::Option::None" => Some(Builtin::None),
        "std::result::Result" | "core::result::Result" => Some(Builtin::Result),
        "std::result::Result::Ok" | "core::result::Result::Ok" => Some(Builtin::Ok),
        "std::result::Result::Err" | "core::result::Result::Err" => Some(Builtin::Err),
        _ => {
            let ours = path.strip_prefix("verdigris::");
            ours.and_then(|path| match path {
                "Gc" | "prelude::Gc" => Some(Builtin::Gc),
                "GcArray" | "prelude::GcArray" => Some(Builtin::GcArray),
                "Cell" | "prelude::Cell" => Some(Builtin::Cell),
                "Quasi" | "prelude::Quasi" => Some(Builtin::Quasi),
                "Register" | "prelude::Register" => Some(Builtin::Register),
                "Virtualizable" => Some(Builtin::Virtualizable),
                "rt::Slot" => Some(Builtin::Slot),
                "rt::at_most" => Some(Builtin::AtMost),
                "promote" | "prelude::promote" => Some(Builtin::Promote),
                "concrete" => Some(Builtin::Concrete),
                "we_are_jitted" => Some(Builtin::WeAreJitted),
                "record_exact_class" => Some(Builtin::RecordExactClass),
                "is_constant" => Some(Builtin::IsConstant),
                "is_virtual" => Some(Builtin::IsVirtual),
                _ => None,
            })
        }
    };
    known.map_or_else(|| Def::Extern(path.to_owned()), Def::Builtin)
}
