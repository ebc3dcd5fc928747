//! How types and items are written: in messages, in class names, and in the glue.
//!
//! In: types. Out: text. Invariant: class names are unique (they spell out paths from the crate root), and everything
//! the glue names can be named from the crate root, or there is a diagnostic.

use crate::cx::{ClassSrc, Cx, Tag};
use crate::diag::{Code, Diagnostic};
use crate::infer::Ty;
use crate::items::*;
use crate::tast::{IntTy, Span, Type};

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

/// The primitive type of a name, if traced code can use it.
pub(crate) fn prim_ty(name: &str) -> Option<Ty> {
    use IntTy::*;
    let ints = [I8, I16, I32, I64, Isize, U8, U16, U32, U64, Usize];
    match name {
        "bool" => Some(Ty::Bool),
        "f64" => Some(Ty::F64),
        _ => ints.into_iter().find(|t| int_name(*t) == name).map(Ty::Int),
    }
}

impl Cx {
    /// A type as messages show it.
    pub fn show(&self, ty: &Ty) -> String {
        match ty {
            Ty::Gc(c) => match &self.classes[*c] {
                ClassSrc::Struct { item, .. } => format!("Gc<{}>", self.krate.structs[*item].name),
                ClassSrc::Array { .. } => "_".to_owned(),
            },
            Ty::Array(c) => match &self.classes[*c] {
                ClassSrc::Array { item, cell, tag } => {
                    let short = tag.name.rsplit("::").next().unwrap_or("").to_owned();
                    let tag = Tag {
                        name: short,
                        glue: String::new(),
                    };
                    self.array_name(item, *cell, &tag, &|cx, ty| cx.show(ty))
                }
                ClassSrc::Struct { .. } => "_".to_owned(),
            },
            Ty::Object(o) => self.objects[*o].name.clone(),
            Ty::Kind(o) => self.krate.enums[self.object_src[*o]].name.clone(),
            Ty::Option(inner) => format!("Option<{}>", self.show(inner)),
            Ty::Result(ok, err) => format!("Result<{}, {}>", self.show(ok), self.show(err)),
            Ty::Tuple(parts) => tuple_name(parts.iter().map(|p| self.show(p))),
            Ty::Adt(id) => {
                let path = &self.adts[*id].name;
                path.rsplit("::").next().unwrap_or(path).to_owned()
            }
            Ty::Cell(inner) => format!("Cell<{}>", self.show(inner)),
            _ => simple_name(ty).to_owned(),
        }
    }

    /// A final type as messages show it.
    pub fn show_type(&self, ty: &Type) -> String {
        match ty {
            Type::Unit => "()".to_owned(),
            Type::Never => "!".to_owned(),
            Type::Bool => "bool".to_owned(),
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
            Type::Adt(id) => self.show(&Ty::Adt(*id)),
        }
    }

    /// A type with paths from the crate root.
    pub fn full_name(&self, ty: &Ty) -> String {
        match ty {
            Ty::Gc(c) => format!("Gc<{}>", self.descrs.classes[*c].name),
            Ty::Array(c) => self.descrs.classes[*c].name.clone(),
            Ty::Object(o) => self.krate.key_path(TypeKey::Object(self.object_src[*o])),
            Ty::Option(inner) => format!("Option<{}>", self.full_name(inner)),
            Ty::Result(ok, err) => {
                format!("Result<{},{}>", self.full_name(ok), self.full_name(err))
            }
            Ty::Tuple(parts) => tuple_name(parts.iter().map(|p| self.full_name(p))),
            Ty::Adt(id) => self.adts[*id].name.clone(),
            _ => self.show(ty),
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
        let item = if cell { format!("Cell<{item}>") } else { item };
        match tag.name.as_str() {
            "()" => format!("GcArray<{item}>"),
            tag => format!("GcArray<{item},{tag}>"),
        }
    }

    /// A type as the glue writes it.
    pub fn glue_ty(&mut self, ty: &Ty) -> String {
        match ty {
            Ty::Gc(c) => match &self.classes[*c] {
                ClassSrc::Struct { item, .. } => {
                    let item = *item;
                    format!("::verdigris::Gc<{}>", self.glue_key(TypeKey::Struct(item)))
                }
                ClassSrc::Array { .. } => "_".to_owned(),
            },
            Ty::Array(c) => match &self.classes[*c] {
                ClassSrc::Array { item, cell, tag } => {
                    let (item, cell, tag) = (item.clone(), *cell, tag.glue.clone());
                    let item = self.glue_ty(&item);
                    let item = if cell {
                        format!("::verdigris::Cell<{item}>")
                    } else {
                        item
                    };
                    format!("::verdigris::GcArray<{item}, {tag}>")
                }
                ClassSrc::Struct { .. } => "_".to_owned(),
            },
            Ty::Object(o) => {
                let id = self.object_src[*o];
                self.glue_key(TypeKey::Object(id))
            }
            Ty::Option(inner) => format!("::core::option::Option<{}>", self.glue_ty(inner)),
            Ty::Adt(id) => {
                let key = self.adt_src[*id].key;
                self.glue_key(key)
            }
            _ => simple_name(ty).to_owned(),
        }
    }

    /// The path of a type of the crate, which the glue must be able to name.
    pub fn glue_key(&mut self, key: TypeKey) -> String {
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
            self.complain_once(Diagnostic::new(Code::Unreachable, span, &[&what, &help]));
        }
        format!("crate::{}", self.krate.key_path(key))
    }

    /// The path of a function's descriptor.
    pub fn fn_glue_path(&mut self, id: FnItemId, item: &FnItem) -> String {
        let name = format!("__vd_fn_{}", item.name);
        match item.owner.and_then(|o| self.krate.impls[o].target) {
            Some(key) => format!("{}::{name}", self.glue_key(key)),
            None => {
                let what = format!("function `{}`", self.krate.fns[id].name);
                self.need_module(item.module, &what, item.span);
                format!("crate::{}", self.krate.path(item.module, &name))
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
            self.complain_once(Diagnostic::new(Code::Unreachable, span, &[what, &help]));
        }
    }

    fn complain_once(&mut self, diagnostic: Diagnostic) {
        let known = |d: &Diagnostic| d.code == diagnostic.code && d.span == diagnostic.span;
        if !self.diags.iter().any(known) {
            self.report(diagnostic);
        }
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

fn simple_name(ty: &Ty) -> &'static str {
    match ty {
        Ty::Unit => "()",
        Ty::Never => "!",
        Ty::Bool => "bool",
        Ty::Int(int) => int_name(*int),
        Ty::F64 => "f64",
        _ => "_",
    }
}
