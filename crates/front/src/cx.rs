//! The tables that grow while the program is checked: classes, objects, functions, and their names for the glue.
//!
//! In: items that checking has reached. Out: identities for them, and at the end the tables of [`crate::tast::Program`].
//! Invariant: an item gets its identity when it is first reached, so the tables hold what is reachable and no more.

use crate::diag::{Code, Diagnostic};
use crate::infer::Ty;
use crate::items::*;
use crate::load::span_of;
use crate::tast::{Adt, AdtId, FileId, FuncId, Object, ObjectId, Span};
use cranelift_entity::{PrimaryMap, SecondaryMap};
use std::collections::{HashMap, VecDeque};
use std::rc::Rc;
use syn::spanned::Spanned;
use verdigris_ops as ops;
use verdigris_ops::{ClassId, ClassInfo, ClassKind, Descrs, FieldId, FieldInfo, FnId, Layout};

/// Where a type is written.
#[derive(Clone, Copy)]
pub(crate) struct Env {
    pub module: ModId,
    pub owner: Option<ImplId>,
}

/// A field as the checker sees it.
pub(crate) struct FieldSrc {
    pub name: String,
    pub ty: Ty,
    pub cell: bool,
    pub id: FieldId,
}

/// What a class is made from.
pub(crate) enum ClassSrc {
    Struct {
        item: StructId,
        fields: Rc<Vec<FieldSrc>>,
    },
    Array {
        item: Ty,
        cell: bool,
        tag: Tag,
    },
}

/// The second argument of `GcArray`.
#[derive(Clone)]
pub(crate) struct Tag {
    /// In names.
    pub name: String,
    /// In the glue.
    pub glue: String,
}

/// The types of a function.
pub(crate) struct Sig {
    /// `self` first.
    pub params: Vec<Ty>,
    pub ret: Ty,
    pub has_self: bool,
}

/// The value of a constant.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum ConstValue {
    Int(i64),
    Float(f64),
    /// Of this variant, with its fields in declaration order.
    Make(u32, Vec<ConstValue>),
}

/// A constant that has been asked for.
#[derive(Clone)]
pub(crate) enum ConstState {
    /// Being evaluated: asking again is a cycle.
    Open,
    Done(Ty, ConstValue),
    Failed,
}

/// What calling a function of the crate means.
#[derive(Clone, Copy)]
pub(crate) enum Target {
    Traced(FuncId),
    Called(FnId),
    Error,
}

pub(crate) struct Cx {
    pub krate: Crate,
    pub diags: Vec<Diagnostic>,
    pub descrs: Descrs,
    pub class_glue: Vec<String>,
    pub fn_glue: Vec<String>,
    pub objects: PrimaryMap<ObjectId, Object>,
    pub object_src: PrimaryMap<ObjectId, EnumId>,
    object_ids: HashMap<EnumId, ObjectId>,
    pub adts: PrimaryMap<AdtId, Adt>,
    pub field_parts: SecondaryMap<FieldId, Vec<FieldId>>,
    pub item_parts: SecondaryMap<ClassId, Vec<ClassId>>,
    pub adt_src: PrimaryMap<AdtId, crate::adt::AdtSrc>,
    pub adt_ids: HashMap<TypeKey, AdtId>,
    pub classes: PrimaryMap<ClassId, ClassSrc>,
    struct_ids: HashMap<StructId, ClassId>,
    array_ids: HashMap<String, ClassId>,
    pub sigs: HashMap<FnItemId, Rc<Sig>>,
    pub consts: HashMap<ConstId, ConstState>,
    pub alias_depth: u32,
    pub targets: HashMap<FnItemId, Target>,
    pub func_items: PrimaryMap<FuncId, FnItemId>,
    /// Functions that have an identity but have not been checked.
    pub queue: VecDeque<FuncId>,
    /// Which traced function calls which, where.
    pub edges: Vec<(FuncId, FuncId, Span)>,
}

impl Cx {
    pub fn new(krate: Crate, diags: Vec<Diagnostic>) -> Cx {
        Cx {
            krate,
            diags,
            descrs: Descrs::default(),
            class_glue: Vec::new(),
            fn_glue: Vec::new(),
            objects: PrimaryMap::new(),
            object_src: PrimaryMap::new(),
            object_ids: HashMap::new(),
            adts: PrimaryMap::new(),
            adt_src: PrimaryMap::new(),
            field_parts: SecondaryMap::new(),
            item_parts: SecondaryMap::new(),
            adt_ids: HashMap::new(),
            classes: PrimaryMap::new(),
            struct_ids: HashMap::new(),
            array_ids: HashMap::new(),
            sigs: HashMap::new(),
            consts: HashMap::new(),
            alias_depth: 0,
            targets: HashMap::new(),
            func_items: PrimaryMap::new(),
            queue: VecDeque::new(),
            edges: Vec::new(),
        }
    }

    pub fn report(&mut self, diagnostic: Diagnostic) {
        self.diags.push(diagnostic);
    }

    pub fn err(&mut self, code: Code, span: Span, words: &[&str]) {
        self.report(Diagnostic::new(code, span, words));
    }

    pub fn file(&self, module: ModId) -> FileId {
        self.krate.modules[module].file
    }

    pub fn span(&self, module: ModId, node: &impl Spanned) -> Span {
        span_of(self.file(module), node.span())
    }

    /// The source text of a span on one line.
    pub fn text(&self, span: Span) -> String {
        let text = &self.krate.files[span.file].text;
        let slice = text.get(span.lo as usize..span.hi as usize).unwrap_or("..");
        slice.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// The class of a `#[gc]` struct; complains at `at` about other structs.
    pub fn struct_class(&mut self, id: StructId, at: Span) -> Option<ClassId> {
        if let Some(&class) = self.struct_ids.get(&id) {
            return Some(class);
        }
        let item = self.krate.structs[id].clone();
        if !item.gc {
            let d = Diagnostic::new(Code::NotGcStruct, at, &[&item.name]);
            self.report(d.at(item.span, "declared here"));
            return None;
        }
        if item.generic {
            let what = format!("struct `{}`", item.name);
            self.err(Code::Generic, at, &[&what]);
            return None;
        }
        self.need_module(item.module, &format!("struct `{}`", item.name), item.span);
        let name = self.krate.path(item.module, &item.name);
        let glue = self
            .krate
            .path(item.module, &format!("__vd_class_{}", item.name));
        let kind = ClassKind::Struct { fields: Vec::new() };
        let src = ClassSrc::Struct {
            item: id,
            fields: Rc::new(Vec::new()),
        };
        let class = self.new_class(name, kind, 0, format!("crate::{glue}"), src);
        self.struct_ids.insert(id, class);
        self.fill_struct(class, id, &item);
        Some(class)
    }

    /// Gives a class its fields, once it has an identity: the fields may refer to it.
    fn fill_struct(&mut self, class: ClassId, id: StructId, item: &StructItem) {
        let env = Env {
            module: item.module,
            owner: None,
        };
        if let syn::Fields::Unnamed(fields) = &item.fields {
            let span = self.span(item.module, fields);
            let help = "give the fields names";
            self.err(
                Code::UnsupportedWithHelp,
                span,
                &["a `#[gc]` struct with unnamed fields", help],
            );
            return;
        }
        let mut typed = Vec::new();
        for field in item.fields.iter().filter(|f| crate::cfg::enabled(&f.attrs)) {
            let Some(ident) = &field.ident else { continue };
            let (ty, cell) = self.cell_ty(&field.ty, env);
            typed.push((crate::collect::name_of(ident), ty, cell));
        }
        let mut fields = Vec::new();
        for (name, ty, cell) in typed {
            let id = self.descrs.fields.push(FieldInfo {
                class,
                name: name.clone(),
                ty: machine(&ty).unwrap_or(ops::Ty::Int),
                immutable: !cell,
                layout: Layout::default(),
            });
            fields.push(FieldSrc { name, ty, cell, id });
        }
        self.descrs.classes[class].kind = ClassKind::Struct {
            fields: fields.iter().map(|f| f.id).collect(),
        };
        self.classes[class] = ClassSrc::Struct {
            item: id,
            fields: Rc::new(fields),
        };
    }

    /// The class of an array type.
    pub fn array_class(&mut self, item: Ty, cell: bool, tag: Tag) -> ClassId {
        let name = self.array_name(&item, cell, &tag, &|cx, ty| cx.full_name(ty));
        if let Some(&class) = self.array_ids.get(&name) {
            return class;
        }
        let kind = ClassKind::Array {
            item: machine(&item).unwrap_or(ops::Ty::Int),
            layout: Layout::default(),
            immutable: !cell,
        };
        let inner = self.glue_ty(&item);
        let inner = if cell {
            format!("::verdigris::Cell<{inner}>")
        } else {
            inner
        };
        let glue = format!("::verdigris::rt::array_class::<{inner}, {}>", tag.glue);
        let src = ClassSrc::Array { item, cell, tag };
        let class = self.new_class(name.clone(), kind, 16, glue, src);
        self.array_ids.insert(name, class);
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
        });
        self.classes.push(src);
        self.class_glue.push(glue);
        class
    }

    /// The object type that an enum declares.
    pub fn object(&mut self, id: EnumId) -> ObjectId {
        if let Some(&object) = self.object_ids.get(&id) {
            return object;
        }
        let item = self.krate.enums[id].clone();
        let name = self.krate.object_name(id).to_owned();
        let object = self.objects.push(Object {
            name,
            variants: Vec::new(),
        });
        self.object_src.push(id);
        self.object_ids.insert(id, object);
        let mut variants: Vec<(String, ClassId)> = Vec::new();
        for variant in &item.variants {
            let name = crate::collect::name_of(&variant.ident);
            let Some(class) = self.variant_class(&item, variant) else {
                continue;
            };
            if let Some((other, _)) = variants.iter().find(|v| v.1 == class) {
                let span = self.span(item.module, variant);
                let message = format!(
                    "the variants `{other}` and `{name}` have the same class, so they cannot be told apart"
                );
                self.err(Code::BadObjectEnum, span, &[&message]);
            }
            variants.push((name, class));
        }
        self.objects[object].variants = variants;
        object
    }

    fn variant_class(&mut self, item: &EnumItem, variant: &syn::Variant) -> Option<ClassId> {
        let env = Env {
            module: item.module,
            owner: None,
        };
        let span = self.span(item.module, variant);
        let ty = match &variant.fields {
            syn::Fields::Unnamed(f) if f.unnamed.len() == 1 => {
                self.lower(&f.unnamed[0].ty, env, None)
            }
            _ => Ty::Unit,
        };
        match ty {
            Ty::Gc(class) => Some(class),
            Ty::Error => None,
            _ => {
                let name = crate::collect::name_of(&variant.ident);
                let message =
                    format!("the variant `{name}` must hold one `Gc` of a `#[gc]` struct");
                self.err(Code::BadObjectEnum, span, &[&message]);
                None
            }
        }
    }

    /// The class of an object enum's variant.
    pub fn object_variant(&mut self, id: EnumId, index: usize) -> Option<(ObjectId, ClassId)> {
        let object = self.object(id);
        let item = &self.krate.enums[id];
        let name = crate::collect::name_of(&item.variants.get(index)?.ident);
        let found = self.objects[object].variants.iter().find(|v| v.0 == name)?;
        Some((object, found.1))
    }
}

/// The machine type of values that are one word; none for all others.
pub(crate) fn machine(ty: &Ty) -> Option<ops::Ty> {
    match ty {
        Ty::Bool | Ty::Int(_) => Some(ops::Ty::Int),
        Ty::F64 => Some(ops::Ty::Float),
        Ty::Gc(_) | Ty::Array(_) | Ty::Object(_) => Some(ops::Ty::Ref),
        Ty::Option(inner) if inner.is_ref() => Some(ops::Ty::Ref),
        Ty::Option(_) | Ty::Result(..) | Ty::Tuple(_) | Ty::Adt(_) => None,
        Ty::Error | Ty::Var(_) | Ty::Unit | Ty::Never | Ty::Kind(_) | Ty::Cell(_) => None,
    }
}
