//! What opaque functions can do to the heap of the guest: an analysis of their source.
//!
//! In: the crate as written, and the opaque functions that traced code calls. Out: their [`Effects`]. Driver: what a function
//! reaches is found by name, and the effects are the union over all of it ([`survey`] looks at the crate as a whole,
//! [`index`] says what names lead to, [`body`] what a body does by itself; [`explain`] tells the author).
//!
//! Invariant: what is not in a summary cannot happen. The argument, for code that rustc accepts:
//!
//! 1. *Places.* What changes in the heap are the `Cell`s in fields of `#[gc]` structs and items of `GcArray`s, and
//!    they change in `Cell::set` and `Cell::replace` alone. Whoever calls these has a reference to the cell, and without
//!    `unsafe` such a reference is made by naming the field or by indexing or slicing an array.
//! 2. *Closed world.* An opaque function is given words. So every reference, closure or trait object that exists while it
//!    runs was made by the code it runs, lay in a static, or is reached by a reference that it is lent. Statics and what
//!    is lent are refused unless their types say that they hold data only. So it is enough to look at the bodies of everything that the function may run, and to count a
//!    field where it is *named*: whoever receives the reference then needs no look.
//! 3. *What may run.* Functions of the crate whose name is written, called or not; closures, where they are written; and
//!    methods of the crate's impls of other crates' traits, always, because operators, drops, formatting and the
//!    standard library call them unseen; those of `FromStr` where something is named `parse`. Of the methods with a name, those count that take as
//!    many arguments and are not private to another module. A derived `Debug` reads the fields; other derives cannot touch a cell.
//! 4. Everything else is refused: the function gets [`Effects::all`], with the reason.
//!
//! A `#[loop_invariant]` function promises that no loop changes what it reads, so it reads nothing. A `#[readonly]` function
//! promises that it writes nothing. What it reaches by name may be more than what it calls, so that a summary does not refute
//! the promise; a cell that its own body sets does, or the body of a function that it calls by its path ([`promise`]).

mod bindings;
pub(crate) mod body;
pub(crate) mod explain;
pub(crate) mod index;
mod macros;
mod promise;
pub(crate) mod survey;

use crate::cx::{ClassSrc, Cx, Target};
use crate::generics::Inst;
use crate::infer::Ty;
use crate::items::{Crate, FnItemId};
use body::{Body, Named, Reader};
use index::{Index, Node};
use std::collections::{BTreeSet, HashMap};
use verdigris_ops::{ClassKind, Descrs, Effects, FnKind, Places};

/// The functions of which it matters what they do: the others promise enough.
const EFFECTS_MATTER: [FnKind; 3] = [FnKind::Opaque, FnKind::Conditional, FnKind::Readonly];

/// Summarises the opaque functions in the table; answers for each function why everything must be assumed of it, if so.
pub(crate) fn summarise(cx: &mut Cx) -> Vec<Option<String>> {
    let krate = &cx.krate;
    let index = Index::new(krate, names_library(cx));
    let refusal = krate.survey.refusal(krate);
    let mut summaries = Summaries {
        krate,
        index: &index,
        bodies: HashMap::new(),
    };
    let mut reasons = vec![None; cx.descrs.fns.len()];
    let mut broken = Vec::new();
    for (&inst, target) in &cx.targets {
        let Target::Called(id) = target else { continue };
        let kind = cx.descrs.fns[*id].kind;
        if !EFFECTS_MATTER.contains(&kind) {
            continue;
        }
        if kind == FnKind::Readonly {
            broken.extend(promise::broken(&mut summaries, &cx.descrs, inst.item));
        }
        if krate.fns[inst.item].attrs.loop_invariant {
            // It promises that nothing a loop does changes its result.
            cx.descrs.fns[*id].effects = Effects::none();
            continue;
        }
        if let Some(reads) = declared(cx, inst) {
            cx.descrs.fns[*id].effects = Effects {
                reads,
                writes: Places::none(),
            };
            continue;
        }
        let summary = match &refusal {
            Some(why) => Err(why.clone()),
            None => lent(krate, &index, inst.item).and_then(|()| summaries.of(inst.item)),
        };
        match summary {
            Ok(sum) => {
                let effects = Effects {
                    reads: places(&cx.descrs, &sum.reads),
                    writes: match kind {
                        // It promises that nobody can notice what it writes.
                        FnKind::Readonly => Places::none(),
                        _ => places(&cx.descrs, &sum.writes),
                    },
                };
                cx.descrs.fns[*id].effects = effects;
            }
            Err(why) => reasons[id.as_u32() as usize] = Some(why),
        }
    }
    broken.into_iter().for_each(|d| cx.report(d));
    reasons
}

/// Whether traced code uses the library.
fn names_library(cx: &Cx) -> bool {
    let krate = &cx.krate;
    cx.targets
        .keys()
        .any(|inst| krate.is_library(krate.fns[inst.item].module))
        || cx.classes.values().any(|class| match class {
            ClassSrc::Struct { item, .. } => krate.is_library(krate.structs[*item].module),
            ClassSrc::Array { .. } => false,
        })
}

/// Whether all that a function is lent by reference is data; else what is not.
fn lent(krate: &Crate, index: &Index<'_>, id: FnItemId) -> Result<(), String> {
    let item = &krate.fns[id];
    for input in &item.sig.inputs {
        if let syn::FnArg::Typed(arg) = input
            && let syn::Type::Reference(reference) = &*arg.ty
            && !index.is_lent_data(krate, item.module, &reference.elem)
        {
            return Err("a reference to what could hold functions or be a cell".to_owned());
        }
    }
    Ok(())
}

/// What `#[readonly(..)]` says that a method reads: these fields of its class, and the items of arrays that they refer to.
fn declared(cx: &Cx, inst: Inst) -> Option<Places> {
    let named = &cx.krate.fns[inst.item].reads;
    let sig = cx.sigs.get(&inst).filter(|_| !named.is_empty())?;
    let Some(Ty::Gc(class)) = sig.params.first() else {
        return None;
    };
    let (mut fields, mut items) = (BTreeSet::new(), BTreeSet::new());
    let all = cx.class_fields(*class);
    for field in all.iter().filter(|f| named.contains(&f.name)) {
        fields.insert(field.id);
        fields.extend(&cx.field_parts[field.id]);
        if let Ty::Array(array) = field.ty {
            items.insert(array);
            items.extend(&cx.item_parts[array]);
        }
    }
    Some(Places::Of { fields, items })
}

/// What a function and everything that it reaches names.
#[derive(Default)]
struct Summary {
    reads: Named,
    writes: Named,
}

struct Summaries<'a> {
    krate: &'a Crate,
    index: &'a Index<'a>,
    bodies: HashMap<Node, Body>,
}

impl Summaries<'_> {
    /// What a body does.
    fn body(&mut self, node: Node) -> &Body {
        let (krate, index) = (self.krate, self.index);
        let body = self.bodies.entry(node);
        body.or_insert_with(|| read(krate, index, node))
    }

    /// The union over everything that a function reaches, or what could do anything.
    fn of(&mut self, root: FnItemId) -> Result<Summary, String> {
        let (krate, index) = (self.krate, self.index);
        let mut sum = Summary::default();
        sum.reads.fields.extend(krate.survey.shown.iter().cloned());
        for (node, _) in self.reach(root) {
            let body = self.body(node);
            if let Some(what) = &body.refusal {
                return Err(match node {
                    Node::Fn(id) if id == root => what.clone(),
                    node => format!("{what} in `{}`", name(krate, index, node)),
                });
            }
            join(&mut sum.reads, &body.reads);
            join(&mut sum.writes, &body.writes);
        }
        Ok(sum)
    }

    /// Everything that a function reaches up to the first that could do anything, each behind who leads to it; nobody does to what is called
    /// unseen.
    fn reach(&mut self, root: FnItemId) -> Vec<(Node, Option<Node>)> {
        let mut reached: BTreeSet<Node> = self.index.callbacks(self.krate);
        reached.insert(Node::Fn(root));
        let mut all = vec![(Node::Fn(root), None)];
        all.extend(
            reached
                .iter()
                .filter(|n| **n != Node::Fn(root))
                .map(|n| (*n, None)),
        );
        let mut next = 0;
        while let Some(&(node, _)) = all.get(next) {
            next += 1;
            let body = self.body(node);
            if body.refusal.is_some() {
                all.truncate(next);
                break;
            }
            let new = body.calls.iter().filter(|n| reached.insert(**n));
            all.extend(new.map(|n| (*n, Some(node))));
        }
        all
    }
}

fn join(all: &mut Named, some: &Named) {
    all.fields.extend(some.fields.iter().cloned());
    all.items |= some.items;
}

/// What one body does.
fn read(krate: &Crate, index: &Index<'_>, node: Node) -> Body {
    let reader = |module| Reader::new(krate, index, module);
    match node {
        Node::Fn(id) => {
            let item = &krate.fns[id];
            // Elidable functions promise that nobody can notice what they do.
            if item.attrs.elidable {
                return Body::default();
            }
            let mut body = reader(item.module).function(&item.sig, &item.body);
            if item.attrs.portal {
                body.refusal = Some("the interpreter itself".to_owned());
            }
            body
        }
        Node::Provided(number) => {
            let item = index.get_provided(number);
            reader(item.module).function(&item.sig, &item.body)
        }
        Node::Const(id) => reader(krate.consts[id].module).value_of(&krate.consts[id].value),
        Node::Static(number) => {
            let item = index.get_static(number);
            reader(item.module).value_of(&item.value)
        }
    }
}

fn name(krate: &Crate, index: &Index<'_>, node: Node) -> String {
    match node {
        Node::Fn(id) => krate.fn_path(id),
        Node::Provided(number) => index.get_provided(number).sig.ident.to_string(),
        Node::Const(id) => krate.consts[id].name.clone(),
        Node::Static(_) => "a static".to_owned(),
    }
}

/// The mutable places of traced code that have these names.
fn places(descrs: &Descrs, named: &Named) -> Places {
    let fields = descrs.fields.iter().filter(|(_, field)| {
        // A field that is several machine values has one name for each, behind a dot or `#`.
        !field.immutable
            && field
                .name
                .split(['.', '#'])
                .any(|part| named.fields.contains(part))
    });
    let mutable = |kind: &ClassKind| {
        matches!(
            kind,
            ClassKind::Array {
                immutable: false,
                ..
            }
        )
    };
    let items = descrs
        .classes
        .iter()
        .filter(|(_, c)| named.items && mutable(&c.kind));
    Places::Of {
        fields: fields.map(|(id, _)| id).collect(),
        items: items.map(|(id, _)| id).collect(),
    }
}
