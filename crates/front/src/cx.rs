//! The tables that grow while the program is checked: classes, objects, functions, and their names for the glue.
//!
//! In: items that checking has reached. Out: identities for them, and at the end the tables of [`crate::tast::Program`].
//! Invariant: an item gets its identity when it is first reached, so the tables hold what is reachable and no more.

use crate::check::Accessors;
use crate::check::Form;
use crate::compare::Order;
use crate::diag::{Code, Diagnostic};
use crate::generics::{Inst, SubstId, Substs};
use crate::infer::{Head, Infer, Known, Ty};
use crate::items::*;
use crate::load::span_of;
use crate::named::Answers;
use crate::tast::{Adt, AdtId, BinOp, FileId, FuncId, Object, ObjectId, Span};
use cranelift_entity::{PrimaryMap, SecondaryMap};
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::rc::Rc;
use syn::spanned::Spanned;
use verdigris_ops as ops;
use verdigris_ops::{ClassId, Descrs, FieldId, FnId, Held};

/// Where a type is written.
#[derive(Clone, Copy)]
pub(crate) struct Env {
    pub module: ModId,
    pub owner: Option<ImplId>,
    /// What generic parameters mean.
    pub subst: SubstId,
}

impl Env {
    /// In a module, outside of generic items and `impl` blocks.
    pub fn of(module: ModId) -> Env {
        Env {
            module,
            owner: None,
            subst: SubstId::EMPTY,
        }
    }

    /// In a type with its arguments.
    pub fn with(module: ModId, subst: SubstId) -> Env {
        Env {
            subst,
            ..Env::of(module)
        }
    }
}

/// A field as the checker sees it.
#[derive(Clone)]
pub(crate) struct FieldSrc {
    pub name: String,
    pub ty: Ty,
    pub held: Held,
    pub id: FieldId,
}

/// What a class is made from.
#[derive(Clone)]
pub(crate) enum ClassSrc {
    Struct {
        item: StructId,
        args: Rc<[Ty]>,
        fields: Rc<Vec<FieldSrc>>,
    },
    Array {
        item: Ty,
        cell: bool,
        tag: Tag,
    },
}

/// The second argument of `GcArray`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Tag {
    /// In names.
    pub name: String,
    /// In the glue.
    pub glue: String,
    /// What items that change are in.
    pub around: Around,
}

/// What items that change are in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Around {
    Cell,
    Slot,
    Register,
    Virtualizable,
}

impl Tag {
    /// The tag of an array of slots that is found out later.
    pub fn open() -> Tag {
        Tag {
            name: "_".to_owned(),
            glue: "_".to_owned(),
            around: Around::Slot,
        }
    }

    /// Whether it is found out later.
    pub fn is_open(&self) -> bool {
        self.name == "_"
    }

    /// What items that change are wrapped in.
    pub fn wrapper(&self) -> &'static str {
        match self.around {
            Around::Cell => "Cell",
            Around::Slot => "Slot",
            Around::Register => "Register",
            Around::Virtualizable => "Virtualizable",
        }
    }

    /// The type of an item that changes, in the glue.
    pub fn wrap_glue(&self, inner: &str) -> String {
        let path = match self.around {
            Around::Slot => "rt::Slot",
            Around::Cell | Around::Register | Around::Virtualizable => self.wrapper(),
        };
        format!("::verdigris::{path}<{inner}>")
    }
}

/// How a parameter is passed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum ByRef {
    /// By value; `&self` of a heap class is the pointer to the object, which is a value.
    No,
    /// `&T`, which is the value.
    Shared,
    /// `&mut T`: the value, which is given back.
    Mut,
}

/// The types of a function.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Sig {
    /// `self` first; of references what they refer to.
    pub params: Vec<Ty>,
    /// For each parameter.
    pub by_ref: Vec<ByRef>,
    pub ret: Ty,
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
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target {
    Traced(FuncId),
    Called(FnId),
    Error,
}

/// The tables. A copy can grow without anybody knowing of it: see [`crate::effects::typed`].
#[derive(Clone)]
pub(crate) struct Cx {
    pub krate: Crate,
    /// Where the lines of files end, as far as that has been asked.
    pub breaks: RefCell<HashMap<FileId, Vec<usize>>>,
    /// Of names of functions: the type in Rust of what these give, if all agree.
    pub forms: RefCell<Answers<Option<Form>>>,
    pub diags: Vec<Diagnostic>,
    /// Whether something in a function stands for a mistake that has been complained about, maybe in another function.
    pub marred: bool,
    /// Whether functions are checked for what native code does, in every configuration, instead of what traced code does.
    pub native: bool,
    pub descrs: Descrs,
    pub class_glue: Vec<String>,
    pub fn_glue: Vec<String>,
    /// The portal as rustc has compiled it.
    pub portal_glue: String,
    /// The functions that give string literals.
    pub texts: HashMap<String, verdigris_ops::FnId>,
    pub objects: PrimaryMap<ObjectId, Object>,
    pub object_src: PrimaryMap<ObjectId, EnumId>,
    pub object_ids: HashMap<EnumId, ObjectId>,
    pub adts: PrimaryMap<AdtId, Adt>,
    pub field_parts: SecondaryMap<FieldId, Vec<FieldId>>,
    pub item_parts: SecondaryMap<ClassId, Vec<ClassId>>,
    pub adt_src: PrimaryMap<AdtId, crate::adt::AdtSrc>,
    pub adt_ids: HashMap<(TypeKey, Rc<[Ty]>), AdtId>,
    pub classes: PrimaryMap<ClassId, ClassSrc>,
    pub struct_ids: HashMap<(StructId, Rc<[Ty]>), ClassId>,
    pub array_ids: HashMap<String, ClassId>,
    pub substs: Substs,
    /// The instances of generic types.
    pub known: Known,
    /// The generic types whose instances are being made.
    pub nested: Vec<TypeKey>,
    pub sigs: HashMap<Inst, Rc<Sig>>,
    pub consts: HashMap<(ConstId, SubstId), ConstState>,
    pub alias_depth: u32,
    pub targets: HashMap<Inst, Target>,
    pub func_items: PrimaryMap<FuncId, Inst>,
    /// For each traced function, which one asked for it first, where.
    pub asked: PrimaryMap<FuncId, Option<(FuncId, Span)>>,
    /// Functions that have an identity but have not been checked.
    pub queue: VecDeque<FuncId>,
    /// Which traced function calls which, where.
    pub edges: Vec<(FuncId, FuncId, Span)>,
    /// The modules with the methods of scalar types that have been read.
    pub scalars: HashMap<&'static str, ModId>,
    /// The functions that constants call; none for those with mistakes.
    pub const_funcs: HashMap<FuncId, Option<Rc<crate::tast::Func>>>,
    /// The derives that have been written out.
    pub derived: HashSet<(TypeKey, Order)>,
    /// What `index_mut`s have been taken apart into; none where that cannot be done.
    pub accessors: HashMap<FnItemId, Option<Accessors>>,
    /// The functions that change what an `index_mut` refers to, by the operator.
    pub updaters: HashMap<(FnItemId, BinOp), FnItemId>,
    /// What the glue declares.
    pub supports: crate::support::Supports,
    /// Types of the standard library, and names of methods that were taken for a trait's because the types have none.
    pub own_probes: std::collections::BTreeSet<(String, String)>,
    pub pointers: crate::pointers::Pointers,
    /// The functions that read plain values, with the types of their results.
    pub readers: Vec<(FnId, Ty)>,
    /// What these functions read, for messages at run time.
    pub read_by: Vec<(FnId, String)>,
    /// What the source of each traced function calls, if somebody wants to know.
    pub callees: Option<BTreeMap<FuncId, crate::callees::Notes>>,
}

impl Cx {
    pub fn new(krate: Crate, diags: Vec<Diagnostic>) -> Cx {
        Cx {
            krate,
            diags,
            marred: false,
            native: false,
            descrs: Descrs::default(),
            class_glue: Vec::new(),
            fn_glue: Vec::new(),
            portal_glue: String::new(),
            texts: HashMap::new(),
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
            substs: Substs::new(),
            known: Known::default(),
            nested: Vec::new(),
            sigs: HashMap::new(),
            consts: HashMap::new(),
            alias_depth: 0,
            targets: HashMap::new(),
            func_items: PrimaryMap::new(),
            asked: PrimaryMap::new(),
            queue: VecDeque::new(),
            edges: Vec::new(),
            breaks: RefCell::default(),
            forms: RefCell::default(),
            scalars: HashMap::new(),
            const_funcs: HashMap::new(),
            derived: HashSet::new(),
            accessors: HashMap::new(),
            updaters: HashMap::new(),
            supports: Default::default(),
            own_probes: Default::default(),
            pointers: Default::default(),
            readers: Vec::new(),
            read_by: Vec::new(),
            callees: None,
        }
    }

    /// A copy that grows by itself.
    pub fn apart(&self) -> Cx {
        Cx {
            known: self.known.apart(),
            ..self.clone()
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

    /// The instance of a generic type; complains at `at` if there is none.
    pub fn instance(&mut self, head: &Head, args: Vec<Ty>, at: Span) -> Ty {
        match (head, args.as_slice()) {
            (_, args) if args.contains(&Ty::Error) => Ty::Error,
            (Head::Gc, [Ty::Class(class)]) => Ty::Gc(*class),
            (Head::Gc, _) => {
                let shown = self.show(&args[0]);
                self.err(Code::NotGcStruct, at, &[&shown]);
                Ty::Error
            }
            (Head::Class(id), _) => {
                let class = self.struct_class(*id, args.into(), at);
                class.map_or(Ty::Error, Ty::Class)
            }
            (Head::Fixed, [item, Ty::Const(_, len)]) => match u32::try_from(*len) {
                Ok(len) => Ty::Fixed(Box::new(item.clone()), len),
                Err(_) => {
                    let len = (*len as u64).to_string();
                    self.err(Code::LargeArray, at, &[&len, "fewer"]);
                    Ty::Error
                }
            },
            (Head::Fixed, _) => Ty::Error,
            (Head::Adt(key), _) => self.adt_ty(*key, args.into(), at),
            (Head::Array(cell, tag), _) => match self.stored_ty(args[0].clone(), *cell, at) {
                Ty::Error => Ty::Error,
                item => Ty::Array(self.array_class(item, *cell, tag.clone())),
            },
        }
    }

    /// The same where the arguments may have holes.
    pub fn instance_with(
        &mut self,
        head: Head,
        args: Vec<Ty>,
        infer: Option<&mut Infer>,
        at: Span,
    ) -> Ty {
        match infer {
            Some(infer) if args.iter().any(|a| infer.deep(a).has_holes()) => {
                infer.open(head, args, at)
            }
            Some(infer) => {
                let args = args.iter().map(|a| infer.deep(a)).collect();
                self.instance(&head, args, at)
            }
            None => self.instance(&head, args, at),
        }
    }
}

/// The machine type of values that are one word; none for all others.
pub(crate) fn machine(ty: &Ty) -> Option<ops::Ty> {
    match ty {
        Ty::Bool | Ty::Char | Ty::Int(_) => Some(ops::Ty::Int),
        Ty::F64 => Some(ops::Ty::Float),
        Ty::Gc(_) | Ty::Array(_) | Ty::Object(_) => Some(ops::Ty::Ref),
        Ty::Option(inner) if inner.is_ref() => Some(ops::Ty::Ref),
        Ty::Option(_) | Ty::Result(..) | Ty::Tuple(_) | Ty::Adt(_) | Ty::Fixed(..) => None,
        Ty::Error | Ty::Var(_) | Ty::Unit | Ty::Never => None,
        Ty::Kind(_) | Ty::Cell(_) | Ty::Foreign(_) | Ty::Class(_) => None,
        Ty::Fn(_) | Ty::Const(..) => None,
    }
}
