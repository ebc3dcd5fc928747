//! How types and items are written: in messages, in class names, and in the glue.
//!
//! In: types. Out: text. Invariant: class names are unique (they spell out paths from the crate
//! root), and everything the glue names can be named from the crate root, or there is a diagnostic.

use crate::cx::Cx;
use crate::cx::sources::ClassSrc;
use crate::items::*;
use crate::source::diag::{DiagCode, Diagnostic};
use crate::std_model::cmp::raw;
use crate::tast::{IntTy, Span, Type};
use crate::types::generics::Inst;
use crate::types::ty::{ByRef, Sig, Tag, Ty};

/// How an integer type is written.
pub(crate) fn int_name(ty: IntTy) -> &'static str {
    match ty {
        IntTy::I8 => "i8",
        IntTy::I16 => "i16",
        IntTy::I32 => "i32",
        IntTy::I64 => "i64",
        IntTy::Isize => "isize",
        IntTy::U8 => "u8",
        IntTy::U16 => "u16",
        IntTy::U32 => "u32",
        IntTy::U64 => "u64",
        IntTy::Usize => "usize",
    }
}

/// How the character with this number is written.
pub(crate) fn char_of(word: i64) -> String {
    let found = u32::try_from(word).ok().and_then(char::from_u32);
    found.map_or_else(|| format!("'\\u{{{word:x}}}'"), |c| format!("{c:?}"))
}

/// The primitive type of a name, if traced code can use it.
pub(crate) fn prim_ty(name: &str) -> Option<Ty> {
    use IntTy::*;
    let ints = [I8, I16, I32, I64, Isize, U8, U16, U32, U64, Usize];
    match name {
        "bool" => Some(Ty::Bool),
        "char" => Some(Ty::Char),
        "f64" => Some(Ty::F64),
        _ => ints.into_iter().find(|t| int_name(*t) == name).map(Ty::Int),
    }
}

impl Cx {
    /// A type as messages show it.
    pub fn show(&self, ty: &Ty) -> String {
        match ty {
            Ty::Gc(c) => match &self.interned.classes[*c] {
                ClassSrc::Struct { .. } => format!("Gc<{}>", self.show(&Ty::Class(*c))),
                ClassSrc::Array { .. } => "_".to_owned(),
            },
            Ty::Array(c) => match &self.interned.classes[*c] {
                ClassSrc::Array { item, cell, tag } => {
                    let short = tag.name.rsplit("::").next().unwrap_or("").to_owned();
                    let tag = Tag {
                        name: short,
                        glue: String::new(),
                        around: tag.around,
                    };
                    self.array_name(item, *cell, &tag, &|cx, ty| cx.show(ty))
                }
                ClassSrc::Struct { .. } => "_".to_owned(),
            },
            Ty::Object(o) => self.interned.objects[*o].name.clone(),
            Ty::Kind(o) => self.krate.enums[self.interned.object_src[*o]].name.clone(),
            Ty::Option(inner) => format!("Option<{}>", self.show(inner)),
            Ty::Result(ok, err) => format!("Result<{}, {}>", self.show(ok), self.show(err)),
            Ty::Tuple(parts) => tuple_name(parts.iter().map(|p| self.show(p))),
            Ty::Fixed(item, len) => format!("[{}; {len}]", self.show(item)),
            Ty::Adt(id) => {
                let src = &self.interned.adt_src[*id];
                let path = self.krate.key_path(src.key);
                let name = path.rsplit("::").next().unwrap_or(&path);
                with_args(name, src.args.iter().map(|a| self.show(a)))
            }
            Ty::Class(c) => match &self.interned.classes[*c] {
                ClassSrc::Struct { item, args, .. } => {
                    let name = &self.krate.structs[*item].name;
                    with_args(name, args.iter().map(|a| self.show(a)))
                }
                ClassSrc::Array { .. } => "_".to_owned(),
            },
            Ty::Const(ty, value) => const_name(ty, *value),
            Ty::Cell(inner) => format!("Cell<{}>", self.show(inner)),
            Ty::Fn(sig) => fn_name(sig, |ty| self.show(ty)),
            Ty::Foreign(foreign) => foreign.show(),
            _ => simple_name(ty).to_owned(),
        }
    }

    /// A final type as messages show it.
    pub fn show_type(&self, ty: &Type) -> String {
        match ty {
            Type::Unit => "()".to_owned(),
            Type::Never => "!".to_owned(),
            Type::Bool => "bool".to_owned(),
            Type::Char => "char".to_owned(),
            Type::Int(int) => int_name(*int).to_owned(),
            Type::F64 => "f64".to_owned(),
            Type::Gc(c) => self.show(&Ty::Gc(*c)),
            Type::Array(c) => self.show(&Ty::Array(*c)),
            Type::Object(o) => self.show(&Ty::Object(*o)),
            Type::Kind(o) => self.show(&Ty::Kind(*o)),
            Type::Option(inner) => format!("Option<{}>", self.show_type(inner)),
            Type::Result(ok, err) => {
                format!("Result<{}, {}>", self.show_type(ok), self.show_type(err))
            }
            Type::Tuple(parts) => tuple_name(parts.iter().map(|p| self.show_type(p))),
            Type::Fixed(item, len) => format!("[{}; {len}]", self.show_type(item)),
            Type::Adt(id) => self.show(&Ty::Adt(*id)),
            Type::Foreign { .. } => "&_".to_owned(),
            Type::Fn => "fn(..)".to_owned(),
        }
    }

    /// A type with paths from the crate root.
    pub fn full_name(&self, ty: &Ty) -> String {
        match ty {
            Ty::Gc(c) => format!("Gc<{}>", self.descrs.classes[*c].name),
            Ty::Array(c) => self.descrs.classes[*c].name.clone(),
            Ty::Object(o) => self
                .krate
                .key_path(TypeKey::Object(self.interned.object_src[*o])),
            Ty::Option(inner) => format!("Option<{}>", self.full_name(inner)),
            Ty::Result(ok, err) => {
                format!("Result<{},{}>", self.full_name(ok), self.full_name(err))
            }
            Ty::Tuple(parts) => tuple_name(parts.iter().map(|p| self.full_name(p))),
            Ty::Fixed(item, len) => format!("[{}; {len}]", self.full_name(item)),
            Ty::Adt(id) => self.interned.adts[*id].name.clone(),
            Ty::Class(c) => self.descrs.classes[*c].name.clone(),
            Ty::Fn(sig) => fn_name(sig, |ty| self.full_name(ty)),
            _ => self.show(ty),
        }
    }

    /// The path of an instance of a type of the crate.
    pub fn instance_path(&self, key: TypeKey, args: &[Ty]) -> String {
        let args = args.iter().map(|a| self.full_name(a));
        with_args(&self.krate.key_path(key), args)
    }

    /// The name of a function with what its parameters stand for: `List::<i64>::push`,
    /// `max::<i64>`.
    pub fn inst_path(&self, inst: Inst) -> String {
        let item = &self.krate.fns[inst.item];
        let subst = self.interned.substs.get(inst.subst).clone();
        let own = item
            .generics
            .params
            .iter()
            .filter_map(|p| subst.get(&p.name));
        let own: Vec<String> = own.map(|ty| self.full_name(ty)).collect();
        let path = match &subst.this {
            Some(this) => format!("{}::{}", turbofish(&self.full_name(this)), item.name),
            None => self.krate.fn_path(inst.item),
        };
        match own.is_empty() {
            true => path,
            false => format!("{path}::<{}>", own.join(", ")),
        }
    }

    /// The name of an array type.
    pub fn array_name(
        &self,
        item: &Ty,
        cell: bool,
        tag: &Tag,
        name: &dyn Fn(&Cx, &Ty) -> String,
    ) -> String {
        let item = name(self, item);
        let item = match cell {
            true => format!("{}<{item}>", tag.wrapper()),
            false => item,
        };
        match tag.name.as_str() {
            "()" => format!("GcArray<{item}>"),
            tag => format!("GcArray<{item},{tag}>"),
        }
    }

    /// A type as the glue writes it.
    pub fn glue_ty(&mut self, ty: &Ty) -> String {
        match ty {
            Ty::Gc(c) => match &self.interned.classes[*c] {
                ClassSrc::Struct { item, args, .. } => {
                    let (key, args) = (TypeKey::Struct(*item), args.clone());
                    format!("::verdigris::Gc<{}>", self.glue_instance(key, &args))
                }
                ClassSrc::Array { .. } => "_".to_owned(),
            },
            Ty::Array(c) => match &self.interned.classes[*c] {
                ClassSrc::Array { item, cell, tag } => {
                    let (item, cell, tag) = (item.clone(), *cell, tag.clone());
                    let item = self.glue_ty(&item);
                    let item = if cell { tag.wrap_glue(&item) } else { item };
                    format!("::verdigris::GcArray<{item}, {}>", tag.glue)
                }
                ClassSrc::Struct { .. } => "_".to_owned(),
            },
            Ty::Object(o) => {
                let id = self.interned.object_src[*o];
                self.glue_key(TypeKey::Object(id))
            }
            Ty::Option(inner) => format!("::core::option::Option<{}>", self.glue_ty(inner)),
            Ty::Result(ok, err) => {
                let (ok, err) = (self.glue_ty(ok), self.glue_ty(err));
                format!("::core::result::Result<{ok}, {err}>")
            }
            Ty::Tuple(parts) => {
                let parts: Vec<String> = parts.iter().map(|p| self.glue_ty(p)).collect();
                tuple_name(parts.into_iter())
            }
            Ty::Adt(id) => {
                let (key, args) = (
                    self.interned.adt_src[*id].key,
                    self.interned.adt_src[*id].args.clone(),
                );
                self.glue_instance(key, &args)
            }
            Ty::Class(c) => match &self.interned.classes[*c] {
                ClassSrc::Struct { item, args, .. } => {
                    let (key, args) = (TypeKey::Struct(*item), args.clone());
                    self.glue_instance(key, &args)
                }
                ClassSrc::Array { .. } => "_".to_owned(),
            },
            Ty::Fixed(item, len) => format!("[{}; {len}]", self.glue_ty(item)),
            Ty::Const(ty, value) => format!("{{ {} }}", const_name(ty, *value)),
            _ => simple_name(ty).to_owned(),
        }
    }

    /// An instance of a type of the crate as the glue writes it.
    pub fn glue_instance(&mut self, key: TypeKey, args: &[Ty]) -> String {
        let args: Vec<String> = args.iter().map(|a| self.glue_ty(a)).collect();
        with_args(&self.glue_key(key), args.into_iter())
    }

    /// The path of a type of the crate, which the glue must be able to name.
    pub fn glue_key(&mut self, key: TypeKey) -> String {
        if self.krate.is_ordering(key) {
            return "::core::cmp::Ordering".to_owned();
        }
        let (name, module, vis, span) = match key {
            TypeKey::Struct(s) => {
                let item = &self.krate.structs[s];
                (item.name.clone(), item.module, item.vis, item.span)
            }
            TypeKey::Enum(e) | TypeKey::Object(e) => {
                let item = &self.krate.enums[e];
                (item.name.clone(), item.module, item.vis, item.span)
            }
        };
        let what = format!("type `{name}`");
        self.need_module(module, &what, span);
        if vis != self.krate.root() && !self.krate.modules[module].block {
            let help = format!("the generated code names it; declare `{name}` as `pub(crate)`");
            self.complain_once(Diagnostic::new(
                DiagCode::Unreachable,
                span,
                &[&what, &help],
            ));
        }
        self.krate.glue_path(&self.krate.key_path(key))
    }

    /// The path of a function's descriptor.
    pub fn fn_glue_path(&mut self, inst: Inst, item: &FnItem) -> String {
        if self.is_scalars(item.module) {
            let path = self.krate.path(item.module, &item.name);
            return format!("::verdigris::rt::scalars::{path}");
        }
        let id = inst.item;
        let subst = self.interned.substs.get(inst.subst).clone();
        let mut own = Vec::new();
        for param in &item.generics.params {
            if let Some(ty) = subst.get(&param.name) {
                own.push(self.glue_ty(ty));
            }
        }
        let name = match own.is_empty() {
            true => format!("__vd_fn_{}", item.name),
            false => format!("__vd_fn_{}::<{}>", item.name, own.join(", ")),
        };
        if let Some(this) = &subst.this {
            return format!("<{}>::{name}", self.glue_ty(this));
        }
        match item.owner.and_then(|o| self.krate.impls[o].target) {
            Some(key) => format!("{}::{name}", self.glue_key(key)),
            None => {
                let what = format!("function `{}`", self.krate.fns[id].name);
                self.need_module(item.module, &what, item.span);
                self.krate.glue_path(&self.krate.path(item.module, &name))
            }
        }
    }

    /// Complains if the glue cannot name what is in a module.
    pub fn need_module(&mut self, module: ModId, what: &str, span: Span) {
        let root = self.krate.root();
        let mut at = module;
        let mut help = None;
        while let Some(parent) = self.krate.modules[at].parent {
            let here = &self.krate.modules[at];
            if here.block {
                help = Some(
                    "the generated code names it; move it out of the function body".to_owned(),
                );
            } else if here.vis != root {
                let name = &here.name;
                help = Some(format!(
                    "the generated code names it; declare its module as `pub(crate) mod {name}`"
                ));
            }
            at = parent;
        }
        if let Some(help) = help {
            self.complain_once(Diagnostic::new(DiagCode::Unreachable, span, &[what, &help]));
        }
    }

    fn complain_once(&mut self, diagnostic: Diagnostic) {
        let known = |d: &Diagnostic| d.code == diagnostic.code && d.span == diagnostic.span;
        if !self.diags.list.iter().any(known) {
            self.report(diagnostic);
        }
    }
}

impl Crate {
    /// Whether the glue can name what is in a module.
    pub fn can_be_named(&self, module: ModId) -> bool {
        let mut at = module;
        while let Some(parent) = self.modules[at].parent {
            let here = &self.modules[at];
            if here.block || here.vis != self.root() {
                return false;
            }
            at = parent;
        }
        true
    }

    /// The path of an item, from the root of its crate, as the glue writes it.
    pub fn glue_path(&self, path: &str) -> String {
        match self.library.is_some() && path.starts_with(crate::source::known_names::LIBRARY_PATH) {
            true => format!("::{path}"),
            // Traced code has names without what makes identifiers of keywords.
            false => path.split("::").fold("crate".to_owned(), |path, name| {
                match name.chars().all(|c| c == '_' || c.is_alphanumeric()) {
                    true => format!("{path}::{}", raw(name)),
                    false => format!("{path}::{name}"),
                }
            }),
        }
    }
}

/// A constant as it is written.
fn const_name(ty: &Ty, value: i64) -> String {
    match ty {
        Ty::Bool => (value != 0).to_string(),
        Ty::Char => char_of(value),
        Ty::Int(int) if !int.signed() => (value as u64).to_string(),
        _ => value.to_string(),
    }
}

/// `(a, b)`, `(a,)`
pub(crate) fn tuple_name(parts: impl Iterator<Item = String>) -> String {
    let parts: Vec<String> = parts.collect();
    match parts.as_slice() {
        [one] => format!("({one},)"),
        parts => format!("({})", parts.join(", ")),
    }
}

impl ByRef {
    /// A parameter's type, given that of its value.
    pub fn show(self, ty: &str) -> String {
        match self {
            ByRef::No => ty.to_owned(),
            ByRef::Shared => format!("&{ty}"),
            ByRef::Mut => format!("&mut {ty}"),
        }
    }
}

/// `fn(i64, &mut Counter) -> bool`
fn fn_name(sig: &Sig, name: impl Fn(&Ty) -> String) -> String {
    let params = sig.params.iter().zip(&sig.by_ref);
    let params = params.map(|(ty, by_ref)| by_ref.show(&name(ty)));
    let params: Vec<String> = params.collect();
    let ret = match &sig.ret {
        Ty::Unit => String::new(),
        ret => format!(" -> {}", name(ret)),
    };
    format!("fn({}){ret}", params.join(", "))
}

/// `Pair<i64,bool>`; the name alone without arguments.
fn with_args(name: &str, args: impl Iterator<Item = String>) -> String {
    let args: Vec<String> = args.collect();
    match args.is_empty() {
        true => name.to_owned(),
        false => format!("{name}<{}>", args.join(", ")),
    }
}

/// `Pair<i64>` before `::`.
fn turbofish(ty: &str) -> String {
    let plain = ty
        .chars()
        .all(|c| c.is_alphanumeric() || matches!(c, '_' | ':'));
    match ty.find('<') {
        None if plain => ty.to_owned(),
        Some(at)
            if ty[..at]
                .chars()
                .all(|c| c.is_alphanumeric() || matches!(c, '_' | ':')) =>
        {
            format!("{}::{}", &ty[..at], &ty[at..])
        }
        _ => format!("<{ty}>"),
    }
}

/// The name of a primitive type.
pub(crate) fn prim_name(ty: &Ty) -> Option<&'static str> {
    match ty {
        Ty::Bool | Ty::Char | Ty::Int(_) | Ty::F64 => Some(simple_name(ty)),
        _ => None,
    }
}

fn simple_name(ty: &Ty) -> &'static str {
    match ty {
        Ty::Unit => "()",
        Ty::Never => "!",
        Ty::Bool => "bool",
        Ty::Char => "char",
        Ty::Int(int) => int_name(*int),
        Ty::F64 => "f64",
        _ => "_",
    }
}
