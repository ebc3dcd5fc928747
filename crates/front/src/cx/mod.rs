//! The tables that grow while the program is checked: classes, objects, functions, and their names
//! for the glue.
//!
//! In: items that checking has reached. Out: identities for them, and at the end the tables of
//! [`crate::tast::TypedProgram`]. Invariant: an item gets its identity when it is first reached, so the
//! tables hold what is reachable and no more.

pub(crate) mod sources;

use crate::cx::sources::*;
use crate::items::tables::Answers;
use crate::items::*;
use crate::source::diag::{DiagCode, Diagnostic};
use crate::source::extent::{Extent, joined};
use crate::source::load::span_of;
use crate::tast::{Adt, AdtId, BinOp, FileId, FuncId, Object, ObjectId, Span};
use crate::types::generics::{Inst, SubstId};
use crate::types::substs::Substs;
use crate::types::ty::{Known, Sig, Ty};
use cranelift_entity::{PrimaryMap, SecondaryMap};
use proc_macro2::LineColumn;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;
use verdigris_ops::{ClassId, Descrs, FieldId, FnId};

/// The tables. A copy can grow without anybody knowing of it: see [`crate::effects::typed`].
#[derive(Clone)]
pub(crate) struct Cx {
    pub krate: Crate,
    /// Where the lines of files end, as far as that has been asked.
    pub breaks: RefCell<FxHashMap<FileId, Vec<usize>>>,
    /// Of names of functions: the type in Rust of what these give, if all agree.
    pub forms: RefCell<Answers<Option<Form>>>,
    pub diags: Vec<Diagnostic>,
    /// Whether something in a function stands for a mistake that has been complained about, maybe
    /// in another function.
    pub marred: bool,
    /// Whether functions are checked for what native code does, in every configuration, instead of
    /// what traced code does.
    pub native: bool,
    pub descrs: Descrs,
    pub class_glue: Vec<String>,
    pub fn_glue: Vec<String>,
    /// The portal as rustc has compiled it.
    pub portal_glue: String,
    /// The functions that give string literals.
    pub texts: FxHashMap<String, verdigris_ops::FnId>,
    pub objects: PrimaryMap<ObjectId, Object>,
    pub object_src: PrimaryMap<ObjectId, EnumId>,
    pub object_ids: FxHashMap<EnumId, ObjectId>,
    pub adts: PrimaryMap<AdtId, Adt>,
    pub field_parts: SecondaryMap<FieldId, Vec<FieldId>>,
    pub item_parts: SecondaryMap<ClassId, Vec<ClassId>>,
    pub adt_src: PrimaryMap<AdtId, AdtSrc>,
    pub adt_ids: FxHashMap<(TypeKey, Rc<[Ty]>), AdtId>,
    pub classes: PrimaryMap<ClassId, ClassSrc>,
    pub struct_ids: FxHashMap<(StructId, Rc<[Ty]>), ClassId>,
    pub array_ids: FxHashMap<String, ClassId>,
    pub substs: Substs,
    /// The instances of generic types.
    pub known: Known,
    /// The generic types whose instances are being made.
    pub nested: Vec<TypeKey>,
    pub sigs: FxHashMap<Inst, Rc<Sig>>,
    pub consts: FxHashMap<(ConstId, SubstId), ConstState>,
    pub alias_depth: u32,
    pub targets: FxHashMap<Inst, Target>,
    pub func_items: PrimaryMap<FuncId, Inst>,
    /// For each traced function, which one asked for it first, where.
    pub asked: PrimaryMap<FuncId, Option<(FuncId, Span)>>,
    /// Functions that have an identity but have not been checked.
    pub queue: VecDeque<FuncId>,
    /// Which traced function calls which, where.
    pub edges: Vec<(FuncId, FuncId, Span)>,
    /// The modules with the methods of scalar types that have been read.
    pub scalars: FxHashMap<&'static str, ModId>,
    /// The functions that constants call; none for those with mistakes.
    pub const_funcs: FxHashMap<FuncId, Option<Rc<crate::tast::Func>>>,
    /// The derives that have been written out.
    pub derived: FxHashSet<(TypeKey, Order)>,
    /// What `index_mut`s have been taken apart into; none where that cannot be done.
    pub accessors: FxHashMap<FnItemId, Option<Accessors>>,
    /// The functions that change what an `index_mut` refers to, by the operator.
    pub updaters: FxHashMap<(FnItemId, BinOp), FnItemId>,
    /// What the glue declares.
    pub supports: Supports,
    /// Types of the standard library, and names of methods that were taken for a trait's because
    /// the types have none.
    pub own_probes: std::collections::BTreeSet<(String, String)>,
    pub pointers: Pointers,
    /// The functions that read plain values, with the types of their results.
    pub readers: Vec<(FnId, Ty)>,
    /// What these functions read, for messages at run time.
    pub read_by: Vec<(FnId, String)>,
    /// What the source of each traced function calls, if somebody wants to know.
    pub callees: Option<BTreeMap<FuncId, crate::callee::Notes>>,
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
            texts: FxHashMap::default(),
            objects: PrimaryMap::new(),
            object_src: PrimaryMap::new(),
            object_ids: FxHashMap::default(),
            adts: PrimaryMap::new(),
            adt_src: PrimaryMap::new(),
            field_parts: SecondaryMap::new(),
            item_parts: SecondaryMap::new(),
            adt_ids: FxHashMap::default(),
            classes: PrimaryMap::new(),
            struct_ids: FxHashMap::default(),
            array_ids: FxHashMap::default(),
            substs: Substs::new(),
            known: Known::default(),
            nested: Vec::new(),
            sigs: FxHashMap::default(),
            consts: FxHashMap::default(),
            alias_depth: 0,
            targets: FxHashMap::default(),
            func_items: PrimaryMap::new(),
            asked: PrimaryMap::new(),
            queue: VecDeque::new(),
            edges: Vec::new(),
            breaks: RefCell::default(),
            forms: RefCell::default(),
            scalars: FxHashMap::default(),
            const_funcs: FxHashMap::default(),
            derived: FxHashSet::default(),
            accessors: FxHashMap::default(),
            updaters: FxHashMap::default(),
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

    pub fn err(&mut self, code: DiagCode, span: Span, words: &[&str]) {
        self.report(Diagnostic::new(code, span, words));
    }

    pub fn file(&self, module: ModId) -> FileId {
        self.krate.modules[module].file
    }

    pub fn span(&self, module: ModId, node: &impl Extent) -> Span {
        let file = self.file(module);
        // The parser writes parentheses around what a macro has put where they are needed: they are
        // in no tree.
        let is_expanded = |at: proc_macro2::Span| {
            let at = self.place(file, at);
            self.krate.expansions.cover(at.file, at.lo)
        };
        let ends = node.ends().filter(|&(first, last)| {
            self.krate.expansions.is_empty() || !is_expanded(first) && !is_expanded(last)
        });
        let extent = ends.map_or_else(|| node.span(), |(first, last)| joined(first, last));
        self.place(file, extent)
    }

    fn place(&self, file: FileId, extent: proc_macro2::Span) -> Span {
        let file = self.krate.expansions.file_of(extent).unwrap_or(file);
        let (first, last) = (extent.start(), extent.end());
        let ends = (self.offset(file, first), self.offset(file, last));
        match ends {
            (Some(lo), Some(hi)) => Span { file, lo, hi },
            _ => span_of(file, extent),
        }
    }

    /// How far from the start of a file a place is, in bytes. The parser counts in characters, and
    /// goes through the text to say where bytes are; lines and columns it has at hand.
    fn offset(&self, file: FileId, at: LineColumn) -> Option<u32> {
        let text = &self.krate.files[file].text;
        self.with_breaks(file, |breaks| {
            let start = match at.line {
                0 => return None,
                1 => 0,
                line => breaks.get(line - 2)? + 1,
            };
            let end = breaks.get(at.line - 1).map_or(text.len(), |at| at + 1);
            let line = text.get(start..end)?;
            let column = match line.is_ascii() {
                true => at.column,
                false => line
                    .char_indices()
                    .nth(at.column)
                    .map_or(line.len(), |c| c.0),
            };
            Some((start + column) as u32)
        })
    }

    /// Asks where the lines of a file end.
    pub fn with_breaks<T>(&self, file: FileId, ask: impl FnOnce(&[usize]) -> T) -> T {
        let mut breaks = self.breaks.borrow_mut();
        let breaks = breaks.entry(file).or_insert_with(|| {
            let bytes = self.krate.files[file].text.bytes().enumerate();
            bytes.filter(|b| b.1 == b'\n').map(|b| b.0).collect()
        });
        ask(breaks)
    }

    /// The source text of a span on one line.
    pub fn text(&self, span: Span) -> String {
        let text = &self.krate.files[span.file].text;
        let slice = text.get(span.lo as usize..span.hi as usize).unwrap_or("..");
        slice.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}
