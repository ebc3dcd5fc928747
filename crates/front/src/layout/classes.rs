//! Classes: what the heap's types are for the checker and the glue.
//!
//! In: `#[gc]` structs and array types that checking has reached. Out: entries of the tables of
//! [`Cx`]. Invariant: a class gets its identity before its fields are looked at, since they may
//! refer to it.

use crate::cx::Cx;
use crate::cx::sources::{ClassSrc, Env, FieldSrc};
use crate::items::*;
use crate::source::diag::{DiagCode, Diagnostic};
use crate::tast::Span;
use crate::types::infer::Infer;
use crate::types::ty::{Around, Head, Tag, Ty, machine};
use std::rc::Rc;
use verdigris_ops as ops;
use verdigris_ops::{ClassId, ClassInfo, ClassKind, FieldInfo, Held, SlotLayout};

impl Cx {
    /// The class of a `#[gc]` struct; complains at `at` about other structs.
    pub fn struct_class(&mut self, id: StructId, args: Rc<[Ty]>, at: Span) -> Option<ClassId> {
        let key = (id, args);
        if let Some(&class) = self.interned.struct_ids.get(&key) {
            return Some(class);
        }
        let (id, args) = key;
        let item = self.krate.structs[id].clone();
        if !item.gc {
            let d = Diagnostic::new(DiagCode::NotGcStruct, at, &[&item.name]);
            let d = d.at(item.span, "declared here");
            self.report(d.attribute("#[gc]", item.span));
            return None;
        }
        if !args.is_empty() && !self.nest(TypeKey::Struct(id), at) {
            return None;
        }
        self.need_module(item.module, &format!("struct `{}`", item.name), item.span);
        let name = self.instance_path(TypeKey::Struct(id), &args);
        let glue = match args.is_empty() {
            true => {
                let name = format!("__vd_class_{}", item.name);
                self.krate.glue_path(&self.krate.path(item.module, &name))
            }
            false => {
                let ty = self.glue_instance(TypeKey::Struct(id), &args);
                format!("::verdigris::rt::struct_class::<{ty}>")
            }
        };
        let kind = ClassKind::Struct { fields: Vec::new() };
        let src = ClassSrc::Struct {
            item: id,
            args: args.clone(),
            fields: Rc::new(Vec::new()),
        };
        let class = self.new_class(name, kind, 0, glue, src);
        self.interned.struct_ids.insert((id, args.clone()), class);
        if !args.is_empty() {
            let head = Head::Class(id);
            self.interned
                .instances
                .add(Ty::Class(class), head, args.clone());
        }
        self.fill_struct(class, id, &item, args.clone());
        if !args.is_empty() {
            self.interned.nested.pop();
        }
        Some(class)
    }

    /// Gives a class its fields, once it has an identity: the fields may refer to it.
    fn fill_struct(&mut self, class: ClassId, id: StructId, item: &StructItem, args: Rc<[Ty]>) {
        let subst = self.subst(&item.generics, &args, None);
        let env = Env::with(item.module, subst);
        if let syn::Fields::Unnamed(fields) = &item.fields {
            let span = self.span(item.module, fields);
            let help = "give the fields names";
            self.err(
                DiagCode::UnsupportedWithHelp,
                span,
                &["a `#[gc]` struct with unnamed fields", help],
            );
            return;
        }
        let mut typed = Vec::new();
        for field in item
            .fields
            .iter()
            .filter(|f| crate::source::cfg::enabled(&f.attrs))
        {
            let Some(ident) = &field.ident else { continue };
            self.no_attribute(&field.attrs, env);
            let (ty, held) = self.cell_ty(&field.ty, env, None);
            typed.push((crate::source::syntax::name_of(ident), ty, held));
        }
        let mut fields = Vec::new();
        for (name, ty, held) in typed {
            let id = self.descrs.fields.push(FieldInfo {
                class,
                name: name.clone(),
                ty: machine(&ty).unwrap_or(ops::Ty::Int),
                immutable: !held.is_cell(),
                quasi: held == Held::Quasi,
                virtualizable: held == Held::Virtualizable,
                layout: SlotLayout::default(),
            });
            fields.push(FieldSrc { name, ty, held, id });
        }
        self.descrs.classes[class].kind = ClassKind::Struct {
            fields: fields.iter().map(|f| f.id).collect(),
        };
        self.interned.classes[class] = ClassSrc::Struct {
            item: id,
            args,
            fields: Rc::new(fields),
        };
    }

    /// `#[quasi_immutable]` and `#[virtualizable]`, which elsewhere are said by attributes, are
    /// types here.
    fn no_attribute(&mut self, attrs: &[syn::Attribute], env: Env) {
        for (name, means, ty) in [
            ("quasi_immutable", "quasi-immutable", "Quasi"),
            ("virtualizable", "virtualizable", "Virtualizable"),
        ] {
            let is_it = |a: &&syn::Attribute| a.path().is_ident(name);
            if let Some(attr) = attrs.iter().find(is_it) {
                let span = self.span(env.module, attr);
                let help = format!(
                    "write the type of the field as `{ty}<..>`: then nobody can access it without telling the JIT"
                );
                let what = format!("a field is not marked as {means} by an attribute");
                self.err(DiagCode::MisplacedCell, span, &[&what, &help]);
            }
        }
    }

    /// The item of a class and its arguments; none of arrays.
    pub fn class_key(&self, class: ClassId) -> Option<(TypeKey, Vec<Ty>)> {
        match &self.interned.classes[class] {
            ClassSrc::Struct { item, args, .. } => Some((TypeKey::Struct(*item), args.to_vec())),
            ClassSrc::Array { .. } => None,
        }
    }

    /// The fields of a struct class.
    pub fn class_fields(&self, class: ClassId) -> Rc<Vec<FieldSrc>> {
        match &self.interned.classes[class] {
            ClassSrc::Struct { fields, .. } => fields.clone(),
            ClassSrc::Array { .. } => Rc::new(Vec::new()),
        }
    }

    /// The fields of a class whose arguments may have holes: names, types, and whether they are
    /// cells.
    pub fn open_fields(
        &mut self,
        id: StructId,
        args: &[Ty],
        infer: &mut Infer,
    ) -> Vec<(String, Ty, Held)> {
        let item = self.krate.structs[id].clone();
        let subst = self.subst(&item.generics, args, None);
        let env = Env::with(item.module, subst);
        let mut typed = Vec::new();
        for field in item
            .fields
            .iter()
            .filter(|f| crate::source::cfg::enabled(&f.attrs))
        {
            let Some(ident) = &field.ident else { continue };
            let (ty, held) = self.cell_ty(&field.ty, env, Some(infer));
            typed.push((crate::source::syntax::name_of(ident), ty, held));
        }
        typed
    }

    /// The class of an array type.
    pub fn array_class(&mut self, item: Ty, cell: bool, tag: Tag) -> ClassId {
        let name = self.array_name(&item, cell, &tag, &|cx, ty| cx.full_name(ty));
        if let Some(&class) = self.interned.array_ids.get(&name) {
            return class;
        }
        let kind = ClassKind::Array {
            item: machine(&item).unwrap_or(ops::Ty::Int),
            layout: SlotLayout::default(),
            immutable: !cell,
            virtualizable: cell && tag.around == Around::Virtualizable,
        };
        let inner = self.glue_ty(&item);
        let inner = if cell { tag.wrap_glue(&inner) } else { inner };
        let glue = format!("::verdigris::rt::array_class::<{inner}, {}>", tag.glue);
        let head = Head::Array(cell, tag.clone());
        let args = Rc::new([item.clone()]);
        let src = ClassSrc::Array { item, cell, tag };
        let class = self.new_class(name.clone(), kind, 16, glue, src);
        self.interned.instances.add(Ty::Array(class), head, args);
        self.interned.array_ids.insert(name, class);
        class
    }

    fn new_class(
        &mut self,
        name: String,
        kind: ClassKind,
        size: u32,
        glue: String,
        src: ClassSrc,
    ) -> ClassId {
        let class = self.descrs.classes.push(ClassInfo {
            name,
            kind,
            size,
            word: 0,
            has_registers: false,
        });
        self.interned.classes.push(src);
        self.glue.classes.push(glue);
        class
    }
}
