//! Bodies of functions that are not traced, checked as if they were.
//!
//! In: the tables as checking has left them, and an instance of a function. Out: its
//! [`TypedEffects`] with its callees, found by type; or the first thing in its body that the subset
//! does not have. Invariants: all of it happens in a copy of the tables, so that nothing here is
//! reported or numbered, and classes and fields that traced code knows have the same numbers in the
//! copy; a body counts as typed only if neither a complaint was made about it, nor something in it
//! stands for a mistake that has been complained about before, in another body.

use crate::check::check_func;
use crate::cx::Cx;
use crate::cx::sources::{ClassSrc, Target};
use crate::effects::declared::{Declared, declared};
use crate::effects::typed_effects::{self, HeapPlaces, TypedEffects, has_mistake};
use crate::items::{Crate, FnItemId, StructId};
use crate::source::diag::{DiagCode, Diagnostic};
use crate::tast::FuncId;
use crate::types::generics::{Inst, SubstId};
use cranelift_entity::EntityRef;
use rustc_hash::FxHashMap;
use std::rc::Rc;
use syn::visit::Visit;
use verdigris_ops::{FnId, FnKind};

/// What a typed body does, and whom it calls.
#[derive(Default)]
pub(crate) struct TypedBody {
    pub reads: HeapPlaces,
    pub writes: HeapPlaces,
    pub calls: Vec<Inst>,
    /// Whether it formats values by impls that are not named.
    pub formats: bool,
    /// Whether it makes objects.
    pub makes: bool,
}

/// The bodies that have been looked at.
pub(crate) struct Typed {
    /// Whether elidable functions do nothing, as they promise.
    trusting: bool,
    cx: Cx,
    /// The number of functions of the crate itself; the copy adds those that derives stand for, and
    /// the like.
    written: usize,
    bodies: FxHashMap<Inst, Rc<Result<TypedBody, String>>>,
    declared: FxHashMap<Inst, Rc<Declared>>,
    /// What functions that are called, not traced, are instances of.
    called: FxHashMap<FnId, Inst>,
}

impl Typed {
    pub fn new(cx: &Cx, trusting: bool) -> Typed {
        let mut apart = cx.apart();
        apart.native = true;
        // The parts of items have classes that nothing else in the tables goes with; new ones get
        // their numbers behind them.
        while apart.interned.classes.len() < apart.descrs.classes.len() {
            apart.interned.classes.push(ClassSrc::Struct {
                item: StructId::new(0),
                args: Rc::new([]),
                fields: Rc::default(),
            });
        }
        Typed {
            trusting,
            written: cx.krate.fns.len(),
            cx: apart,
            bodies: FxHashMap::default(),
            declared: FxHashMap::default(),
            called: FxHashMap::default(),
        }
    }

    /// What a body does, or what in it is outside of the subset, and where.
    pub fn body(&mut self, inst: Inst) -> Rc<Result<TypedBody, String>> {
        if let Some(known) = self.bodies.get(&inst) {
            return known.clone();
        }
        let found = Rc::new(self.look(inst));
        self.bodies.insert(inst, found.clone());
        found
    }

    /// What the attribute of a function says.
    pub fn declared(&mut self, inst: Inst) -> Rc<Declared> {
        if let Some(known) = self.declared.get(&inst) {
            return known.clone();
        }
        let found = Rc::new(declared(&mut self.cx, inst));
        self.declared.insert(inst, found.clone());
        found
    }

    /// Whether the crate has a function by itself, so that it can be looked at by name.
    pub fn is_written(&self, item: FnItemId) -> bool {
        item.index() < self.written
    }

    /// The name of an instance.
    pub fn name(&mut self, inst: Inst) -> String {
        self.cx.inst_path(inst)
    }

    fn look(&mut self, inst: Inst) -> Result<TypedBody, String> {
        let item = self.cx.krate.fns[inst.item].clone();
        if self.trusting && item.attrs.elidable {
            return Ok(TypedBody::default());
        }
        let beyond = match (item.sig.unsafety, item.sig.asyncness) {
            _ if item.attrs.portal => Some("the interpreter itself"),
            (Some(_), _) => Some("an `unsafe` function"),
            (_, Some(_)) => Some("an `async` function"),
            _ if varies(&item.body) => Some("code that is not in all builds"),
            _ => None,
        };
        if let Some(beyond) = beyond {
            return Err(beyond.to_owned());
        }
        let func = match self.cx.queue.targets.get(&inst) {
            Some(Target::Traced(func)) => *func,
            _ => {
                self.cx.queue.first_caller.push(None);
                self.cx.queue.func_items.push(inst)
            }
        };
        let deeds = self.check(func, inst)?;
        self.resolved(deeds)
    }

    /// Checks a body; a traced function's too, since native code may do more.
    fn check(&mut self, func: FuncId, inst: Inst) -> Result<TypedEffects, String> {
        let known = self.cx.diags.list.len();
        self.cx.diags.has_errors = false;
        let sig = self.cx.signature(inst);
        let checked = check_func(&mut self.cx, func);
        // Who is asked for is looked at when its turn comes.
        self.cx.queue.unchecked.clear();
        let complaints = self.cx.diags.list.split_off(known);
        // Loops are no matter here: nothing is traced.
        let beyond = complaints.into_iter().find(|d| d.code != DiagCode::Loop);
        if let Some(beyond) = beyond {
            return Err(self.shown(&beyond));
        }
        let mut types = sig.params.iter().chain([&sig.ret]);
        if self.cx.diags.has_errors || types.any(has_mistake) {
            let span = self.cx.krate.fns[inst.item].span;
            let path = self.cx.krate.fn_path(inst.item);
            let what = format!("something in `{path}`");
            return Err(self.shown(&Diagnostic::new(DiagCode::Unsupported, span, &[&what])));
        }
        typed_effects::collect(&self.cx, &checked, self.trusting)
    }

    /// A complaint as a reason: the file, the line, the message.
    fn shown(&self, complaint: &Diagnostic) -> String {
        let place = complaint
            .span
            .map(|span| crate::glue::source_locations::place(&self.cx, span));
        format!("{}: {}", place.unwrap_or_default(), complaint.message)
    }

    /// The callees of a body as instances.
    fn resolved(&mut self, deeds: TypedEffects) -> Result<TypedBody, String> {
        let traced = deeds
            .calls
            .iter()
            .map(|&func| self.cx.queue.func_items[func]);
        let mut calls: Vec<Inst> = traced.collect();
        if deeds.others.iter().any(|id| !self.called.contains_key(id)) {
            let targets = self.cx.queue.targets.iter();
            self.called
                .extend(targets.filter_map(|(&inst, target)| match target {
                    Target::Called(id) => Some((*id, inst)),
                    _ => None,
                }));
        }
        for id in &deeds.others {
            match self.called.get(id) {
                Some(&inst) => calls.push(inst),
                // What the translator writes itself keeps its promises.
                None if self.cx.descrs.fns[*id].kind == FnKind::Elidable => {}
                None => {
                    let name = &self.cx.descrs.fns[*id].name;
                    return Err(format!("a call of `{name}`"));
                }
            }
        }
        Ok(TypedBody {
            reads: deeds.reads,
            writes: deeds.writes,
            calls,
            formats: deeds.formats,
            makes: deeds.makes,
        })
    }
}

/// Whether something in a body is there in some builds of the crate only.
fn varies(body: &syn::Block) -> bool {
    struct Varies(bool);
    impl<'ast> Visit<'ast> for Varies {
        fn visit_attribute(&mut self, attr: &'ast syn::Attribute) {
            if let syn::Meta::List(list) = &attr.meta {
                self.0 |= crate::source::cfg::varies(&list.tokens);
            }
        }
    }
    let mut found = Varies(false);
    found.visit_block(body);
    found.0
}

/// The one instance of a function that has no parameters other than lifetimes.
pub(crate) fn only_instance(krate: &Crate, id: FnItemId) -> Option<Inst> {
    let item = &krate.fns[id];
    let owner = item.owner.map(|owner| &krate.impls[owner]);
    let generic = !item.generics.is_empty()
        || item.of_trait.is_some()
        || owner.is_some_and(|owner| !owner.generics.is_empty());
    let inst = Inst {
        item: id,
        subst: SubstId::EMPTY,
    };
    (!generic).then_some(inst)
}
