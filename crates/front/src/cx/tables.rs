//! The tables of [`crate::cx::Cx`], each with what changes together.

use crate::cx::sources::*;
use crate::items::*;
use crate::source::diag::Diagnostic;
use crate::tast::{Adt, AdtId, BinOp, FileId, Func, FuncId, Object, ObjectId, Span};
use crate::types::generics::{Inst, SubstId};
use crate::types::substs::Substs;
use crate::types::ty::{Known, Sig, Ty};
use cranelift_entity::{PrimaryMap, SecondaryMap};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::collections::{BTreeSet, VecDeque};
use std::rc::Rc;
use verdigris_ops::{ClassId, FieldId, FnId};

/// Types, signatures and constants that have been reached, each with its identity.
#[derive(Clone)]
pub(crate) struct Interned {
    pub classes: PrimaryMap<ClassId, ClassSrc>,
    pub struct_ids: FxHashMap<(StructId, Rc<[Ty]>), ClassId>,
    pub array_ids: FxHashMap<String, ClassId>,
    /// Beside a field or class of items: those for the other components of its value.
    pub field_parts: SecondaryMap<FieldId, Vec<FieldId>>,
    pub item_parts: SecondaryMap<ClassId, Vec<ClassId>>,
    pub objects: PrimaryMap<ObjectId, Object>,
    pub object_src: PrimaryMap<ObjectId, EnumId>,
    pub object_ids: FxHashMap<EnumId, ObjectId>,
    pub adts: PrimaryMap<AdtId, Adt>,
    pub adt_src: PrimaryMap<AdtId, AdtSrc>,
    pub adt_ids: FxHashMap<(TypeKey, Rc<[Ty]>), AdtId>,
    pub substs: Substs,
    /// The instances of generic types.
    pub instances: Known,
    /// The generic types whose instances are being made, outermost first.
    pub nested: Vec<TypeKey>,
    /// How many type aliases are being resolved.
    pub alias_depth: u32,
    pub sigs: FxHashMap<Inst, Rc<Sig>>,
    pub consts: FxHashMap<(ConstId, SubstId), ConstState>,
    /// The functions that constants call; `None` for those with mistakes.
    pub const_funcs: FxHashMap<FuncId, Option<Rc<Func>>>,
}

impl Interned {
    pub fn new() -> Interned {
        Interned {
            classes: PrimaryMap::new(),
            struct_ids: FxHashMap::default(),
            array_ids: FxHashMap::default(),
            field_parts: SecondaryMap::new(),
            item_parts: SecondaryMap::new(),
            objects: PrimaryMap::new(),
            object_src: PrimaryMap::new(),
            object_ids: FxHashMap::default(),
            adts: PrimaryMap::new(),
            adt_src: PrimaryMap::new(),
            adt_ids: FxHashMap::default(),
            substs: Substs::new(),
            instances: Known::default(),
            nested: Vec::new(),
            alias_depth: 0,
            sigs: FxHashMap::default(),
            consts: FxHashMap::default(),
            const_funcs: FxHashMap::default(),
        }
    }

    /// A copy that shares nothing that can change.
    pub fn apart(&self) -> Interned {
        Interned {
            instances: self.instances.apart(),
            ..self.clone()
        }
    }
}

/// The functions that traced code calls: what each call means, and what is still to be checked.
#[derive(Clone, Default)]
pub(crate) struct Queue {
    pub targets: FxHashMap<Inst, Target>,
    pub func_items: PrimaryMap<FuncId, Inst>,
    /// For each traced function, the one whose call was the first, and that call.
    pub first_caller: PrimaryMap<FuncId, Option<(FuncId, Span)>>,
    /// Functions that have an identity but have not been checked.
    pub unchecked: VecDeque<FuncId>,
    /// Calls between traced functions: caller, callee, place.
    pub calls: Vec<(FuncId, FuncId, Span)>,
}

/// Rust expressions and items for the generated glue.
#[derive(Clone, Default)]
pub(crate) struct Glue {
    /// By class.
    pub classes: Vec<String>,
    /// By function of the descriptor table.
    pub fns: Vec<String>,
    /// The portal as rustc has compiled it.
    pub portal: String,
    /// The functions that give string literals.
    pub texts: FxHashMap<String, FnId>,
    /// The functions that the glue declares.
    pub supports: Supports,
    /// Types of the standard library, and names of methods that a trait's implementation was
    /// picked for because the type has none of its own: the glue fails to compile if it gets one.
    pub own_probes: BTreeSet<(String, String)>,
    pub pointers: Pointers,
    /// The functions that read plain values, with the types of their results.
    pub readers: Vec<(FnId, Ty)>,
    /// What these functions read, for messages at run time.
    pub read_by: Vec<(FnId, String)>,
}

/// The mistakes found so far.
#[derive(Clone)]
pub(crate) struct Diags {
    pub list: Vec<Diagnostic>,
    /// Whether an error node was made for a mistake that may have been reported elsewhere.
    pub has_errors: bool,
    /// Offsets of the newlines of each file, computed when first needed.
    pub line_ends: RefCell<FxHashMap<FileId, Vec<usize>>>,
}

impl Diags {
    pub fn new(list: Vec<Diagnostic>) -> Diags {
        Diags {
            list,
            has_errors: false,
            line_ends: RefCell::default(),
        }
    }
}

/// Items that the front end has written itself.
#[derive(Clone, Default)]
pub(crate) struct Generated {
    /// The modules with the methods of scalar types.
    pub scalars: FxHashMap<&'static str, ModId>,
    /// The derived implementations.
    pub derived: FxHashSet<(TypeKey, Order)>,
    /// The halves of each `index_mut`; `None` where it cannot be split.
    pub accessors: FxHashMap<FnItemId, Option<Accessors>>,
    /// The functions that update an `index_mut`'s place by a compound operator.
    pub updaters: FxHashMap<(FnItemId, BinOp), FnItemId>,
}
