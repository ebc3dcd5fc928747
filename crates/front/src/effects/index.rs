//! What names can lead to. In: the crate. Out: an [`Index`]. Invariant: a name leads to every
//! function of the crate that is called so, wherever it stands, since methods are found by types,
//! which are unknown here.

use crate::effects::foreign_crates::ForeignCrates;
use crate::effects::survey::is_root;
use crate::items::tables::{Provided, Static};
use crate::items::{
    Assoc, Builtin, ConstId, Crate, Def, EnumId, FnItem, FnItemId, ModId, Ns, StructId, TraitKey,
    TypeKey,
};
use crate::names::resolve::STD_PRELUDE;
use crate::source::syntax::plain;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Something with a body.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Node {
    /// A function or method.
    Fn(FnItemId),
    /// A provided method: its index in the survey.
    Provided(usize),
    /// A constant.
    Const(ConstId),
    /// A static: its index in the index.
    Static(usize),
}

/// Types of the standard library that hold values of their parameters and call nothing but trait
/// impls of theirs.
const HOLDERS: &[&str] = &[
    "Arc",
    "BTreeMap",
    "BTreeSet",
    "BinaryHeap",
    "Box",
    "BufReader",
    "BufWriter",
    "Cell",
    "Duration",
    "File",
    "HashMap",
    "HashSet",
    "Instant",
    "Mutex",
    "OnceCell",
    "OnceLock",
    "Option",
    "OsString",
    "PathBuf",
    "PhantomData",
    "Rc",
    "RefCell",
    "Result",
    "Root",
    "RwLock",
    "Stderr",
    "Stdin",
    "Stdout",
    "String",
    "SystemTime",
    "Vec",
    "VecDeque",
    "AtomicBool",
    "AtomicI32",
    "AtomicI64",
    "AtomicIsize",
    "AtomicU8",
    "AtomicU16",
    "AtomicU32",
    "AtomicU64",
    "AtomicUsize",
];

/// What a static holds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Holds {
    /// Nothing that could call a function or reach a cell.
    Data,
    /// Maybe that.
    Anything,
}

/// A function by its name.
struct NamedFn {
    node: Node,
    /// The type of its inherent `impl`, if it is in one whose type is understood.
    inherent: Option<TypeKey>,
    /// It is free.
    free: bool,
    of_trait: bool,
    has_self: bool,
    /// How many arguments it takes, `self` included, unless that depends on the configuration.
    inputs: Option<usize>,
    /// The module that keeps it to itself.
    private_in: Option<ModId>,
}

impl NamedFn {
    /// Whether it can be called with this number of arguments, `self` included; true if unknown.
    fn takes(&self, args: Option<usize>) -> bool {
        args.is_none() || self.inputs.is_none() || args == self.inputs
    }
}

/// The number of a function's parameters, if none has an attribute.
fn inputs(sig: &syn::Signature) -> Option<usize> {
    let bare = |input: &syn::FnArg| match input {
        syn::FnArg::Receiver(input) => input.attrs.is_empty(),
        syn::FnArg::Typed(input) => input.attrs.is_empty(),
    };
    sig.inputs.iter().all(bare).then_some(sig.inputs.len())
}

/// What names lead to.
pub(crate) struct Index<'a> {
    fns: FxHashMap<String, Vec<NamedFn>>,
    consts: FxHashMap<String, Vec<Node>>,
    statics: FxHashMap<&'a str, Vec<usize>>,
    all_statics: Vec<&'a Rc<Static>>,
    all_provided: &'a [Rc<Provided>],
    /// The members of impls of `FromStr`.
    parsers: BTreeSet<Node>,
    /// Where other crates come in.
    pub abroad: ForeignCrates,
    /// Structs and enums that statics may hold, as far as has been found out; those being looked at
    /// count.
    holders: RefCell<FxHashSet<Holder>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Holder {
    Struct(StructId),
    Enum(EnumId),
}

/// The only function of the standard library that calls a `FromStr`, so that its impls need not
/// count always.
const PARSES: &str = "parse";

/// Whether a trait of another crate is that of `str::parse`.
fn is_from_str(path: &str) -> bool {
    matches!(path, "std::str::FromStr" | "core::str::FromStr")
}

/// Whether a trait of another crate is that of weak tables, whose methods a collection calls that
/// the program asks for, which may do anything itself.
fn is_for_weak_tables(path: &str) -> bool {
    path == "verdigris::HasWeakEntries"
}

impl<'a> Index<'a> {
    /// The functions of the library have names that others have too, so they count only if traced
    /// code uses it: else what they change is not seen by traced code.
    pub fn new(krate: &'a Crate, library: bool) -> Index<'a> {
        let mut index = Index {
            fns: FxHashMap::default(),
            consts: FxHashMap::default(),
            statics: FxHashMap::default(),
            all_statics: Vec::new(),
            all_provided: &krate.survey.provided,
            parsers: BTreeSet::new(),
            abroad: ForeignCrates::of(krate),
            holders: RefCell::new(FxHashSet::default()),
        };
        index.parsers = index.members_of_others(krate, is_from_str);
        // The methods that traits provide are in the survey.
        let named = |item: &FnItem| {
            let counts = library || !krate.is_library(item.module);
            item.of_trait.is_none() && counts && !krate.is_text(item.module)
        };
        for (id, item) in krate.fns.iter().filter(|f| named(f.1)) {
            let owner = item.owner.map(|o| &krate.impls[o]);
            let of_trait = owner.is_some_and(|o| o.of_trait.is_some());
            index
                .fns
                .entry(item.name.clone())
                .or_default()
                .push(NamedFn {
                    node: Node::Fn(id),
                    inherent: owner.filter(|_| !of_trait).and_then(|o| o.target),
                    free: owner.is_none(),
                    of_trait,
                    has_self: item.sig.receiver().is_some(),
                    inputs: inputs(&item.sig),
                    private_in: krate.survey.private.contains(&id).then_some(item.module),
                });
        }
        for (number, item) in krate.survey.provided.iter().enumerate() {
            let name = crate::source::syntax::name_of(&item.sig.ident);
            index.fns.entry(name).or_default().push(NamedFn {
                node: Node::Provided(number),
                inherent: None,
                free: false,
                of_trait: true,
                has_self: item.sig.receiver().is_some(),
                inputs: inputs(&item.sig),
                private_in: None,
            });
        }
        for (id, item) in &krate.consts {
            let named = index.consts.entry(item.name.clone()).or_default();
            named.push(Node::Const(id));
        }
        for (name, statics) in &krate.survey.statics {
            for item in statics {
                let named = index.statics.entry(name).or_default();
                named.push(index.all_statics.len());
                index.all_statics.push(item);
            }
        }
        index
    }

    /// The members of the crate's impls of those traits of other crates, as far as code that can be
    /// read may call them.
    fn members_of_others(&self, krate: &Crate, wanted: impl Fn(&str) -> bool) -> BTreeSet<Node> {
        let written = krate.impls.values().filter(|b| !krate.is_text(b.module));
        let written = written.filter(|block| !self.abroad.has_members_of(krate, block));
        let of_others = written.filter(|block| {
            block.trait_path.as_ref().is_some_and(|path| {
                let def = krate.resolve(block.module, path.global, &path.segs, Ns::Types);
                match def {
                    Some((Def::Trait(id), _)) => {
                        krate.key_of_trait(id) != TraitKey::User(id) && wanted("")
                    }
                    Some((Def::Extern(path), _)) => wanted(&path),
                    _ => wanted(""),
                }
            })
        });
        let members = of_others.flat_map(|block| &block.members);
        members
            .map(|(_, member)| match member {
                Assoc::Fn(id) => Node::Fn(*id),
                Assoc::Const(id) => Node::Const(*id),
            })
            .collect()
    }

    /// The functions, constants and statics with a name.
    pub fn named(&self, name: &str) -> BTreeSet<Node> {
        let mut nodes = self.fns(name, |_| true);
        let statics = self.statics.get(name).into_iter().flatten();
        nodes.extend(statics.map(|&number| Node::Static(number)));
        nodes.extend(self.consts(name));
        nodes
    }

    /// The methods that `x.name(..)` can call in a module: those with as many parameters as there
    /// are arguments, if their number is known, and of private ones those of the module and of the
    /// modules around it.
    pub fn methods(
        &self,
        krate: &Crate,
        name: &str,
        args: Option<usize>,
        from: ModId,
    ) -> BTreeSet<Node> {
        let around = std::iter::successors(Some(from), |&m| krate.modules[m].parent);
        let around: Vec<ModId> = around.collect();
        self.fns(name, |f| {
            let reachable = f.private_in.is_none_or(|module| around.contains(&module));
            f.has_self && f.takes(args.map(|args| args + 1)) && reachable
        })
    }

    /// What `Type::name` can be: what the type has itself, if it is of this crate, or something of
    /// a trait.
    ///
    /// Called with this number of arguments, if it is known, it is a function with as many
    /// parameters.
    pub fn of_type(
        &self,
        key: Option<TypeKey>,
        name: &str,
        called: Option<usize>,
    ) -> BTreeSet<Node> {
        let mut nodes = self.fns(name, |f| {
            let own = !f.free && (f.inherent.is_none() || f.inherent == key);
            (f.of_trait || (key.is_some() && own)) && f.takes(called)
        });
        nodes.extend(self.consts(name));
        nodes
    }

    /// The functions with a name, as far as they match, and what functions of this name call
    /// unseen.
    fn fns(&self, name: &str, matches: impl Fn(&NamedFn) -> bool) -> BTreeSet<Node> {
        let fns = self.fns.get(name).into_iter().flatten();
        let unseen = self.parsers.iter().filter(|_| name == PARSES);
        fns.filter(|f| matches(f))
            .map(|f| f.node)
            .chain(unseen.copied())
            .collect()
    }

    /// The constants with a name.
    pub fn consts(&self, name: &str) -> impl Iterator<Item = Node> + '_ {
        self.consts.get(name).into_iter().flatten().copied()
    }

    /// What the statics with a name hold, if there are any.
    pub fn statics(&self, krate: &Crate, name: &str) -> Option<Holds> {
        let numbers = self.statics.get(name)?;
        let data = |&number: &usize| {
            let item = self.all_statics[number];
            self.is_data(krate, item.module, &item.ty, true)
        };
        Some(match numbers.iter().all(data) {
            true => Holds::Data,
            false => Holds::Anything,
        })
    }

    pub fn get_static(&self, number: usize) -> &Static {
        self.all_statics[number]
    }

    pub fn get_provided(&self, number: usize) -> &Provided {
        &self.all_provided[number]
    }

    /// The methods of impls of other crates' traits: what code outside the crate can call,
    /// operators and drops included.
    pub fn callbacks(&self, krate: &Crate) -> BTreeSet<Node> {
        self.members_of_others(krate, |path| {
            !is_from_str(path) && !is_for_weak_tables(path)
        })
    }

    /// Whether a type's functions are those of this crate, the standard library, or the heap.
    pub fn is_tame(&self, krate: &Crate, module: ModId, ty: &syn::Type) -> bool {
        let syn::Type::Path(path) = ty else {
            return matches!(
                ty,
                syn::Type::Tuple(_) | syn::Type::Array(_) | syn::Type::Slice(_)
            );
        };
        let written = plain(&path.path);
        match krate.resolve(module, written.global, &written.segs, Ns::Types) {
            Some((Def::Alias(id), _)) => {
                let alias = &krate.aliases[id];
                self.is_tame(krate, alias.module, &alias.ty)
            }
            Some((Def::Extern(path), _)) => is_tame_extern(&path),
            Some((Def::Struct(_) | Def::Enum(_) | Def::Object(_) | Def::Prim(_), _)) => true,
            Some((Def::Builtin(_), _)) => true,
            _ => false,
        }
    }

    /// Whether what has this type is data: it holds no function, no trait object, nothing that
    /// could call one, and no reference to a cell, which would be a way to a place that does not
    /// name it.
    fn is_data(&self, krate: &Crate, module: ModId, ty: &syn::Type, cells: bool) -> bool {
        let data = |ty: &syn::Type| self.is_data(krate, module, ty, cells);
        match ty {
            syn::Type::Paren(t) => data(&t.elem),
            syn::Type::Group(t) => data(&t.elem),
            syn::Type::Array(t) => data(&t.elem),
            syn::Type::Slice(t) => data(&t.elem),
            syn::Type::Tuple(t) => t.elems.iter().all(data),
            syn::Type::Reference(t) => self.is_data(krate, module, &t.elem, false),
            syn::Type::Path(t) if t.qself.is_none() => self.is_data_path(krate, module, t, cells),
            _ => false,
        }
    }

    /// Whether what is lent by reference is data, and no cell of the heap, which would be a place
    /// without its name.
    pub fn is_lent_data(&self, krate: &Crate, module: ModId, ty: &syn::Type) -> bool {
        match ty {
            syn::Type::Slice(t) => self.is_data(krate, module, &t.elem, false),
            syn::Type::Path(path) => {
                let written = plain(&path.path);
                let def = krate.resolve(module, written.global, &written.segs, Ns::Types);
                let own_place = matches!(
                    def,
                    Some((
                        Def::Struct(_) | Def::Enum(_) | Def::Prim(_) | Def::Extern(_),
                        _
                    ))
                );
                own_place && self.is_data(krate, module, ty, true)
            }
            _ => false,
        }
    }

    fn is_data_path(&self, krate: &Crate, module: ModId, t: &syn::TypePath, cells: bool) -> bool {
        let written = plain(&t.path);
        let def = krate.resolve(module, written.global, &written.segs, Ns::Types);
        let args = || {
            type_args(&t.path).all(|arg| match arg {
                syn::GenericArgument::Type(ty) => self.is_data(krate, module, ty, cells),
                syn::GenericArgument::Lifetime(_) => true,
                _ => false,
            })
        };
        match def.map(|(def, _)| def) {
            Some(Def::Prim(_) | Def::Object(_)) => true,
            Some(Def::Builtin(Builtin::Gc | Builtin::GcArray)) => true,
            Some(Def::Builtin(
                Builtin::Cell | Builtin::Quasi | Builtin::Register | Builtin::Virtualizable,
            )) => cells && args(),
            Some(Def::Builtin(Builtin::Option)) => args(),
            Some(Def::Extern(path)) => {
                let name = path.rsplit("::").next().unwrap_or_default();
                HOLDERS.contains(&name) && is_tame_extern(&path) && args()
            }
            Some(Def::Alias(id)) => {
                let alias = &krate.aliases[id];
                alias.generics.is_empty() && self.is_data(krate, alias.module, &alias.ty, cells)
            }
            Some(Def::Struct(_) | Def::Enum(_)) if type_args(&t.path).next().is_some() => false,
            Some(Def::Struct(id)) => {
                let item = &krate.structs[id];
                let fields = item.fields.iter();
                item.generics.is_empty()
                    && self.are_data(krate, Holder::Struct(id), item.module, fields, cells)
            }
            Some(Def::Enum(id)) => {
                let item = &krate.enums[id];
                let fields = item.variants.iter().flat_map(|v| &v.fields);
                self.are_data(krate, Holder::Enum(id), item.module, fields, cells)
            }
            None => is_root(krate, module, &written.segs),
            Some(_) => false,
        }
    }

    fn are_data<'f>(
        &self,
        krate: &Crate,
        holder: Holder,
        module: ModId,
        mut fields: impl Iterator<Item = &'f syn::Field>,
        cells: bool,
    ) -> bool {
        // Behind a reference, a type must be looked at again; what refers to itself by reference is
        // given up.
        if !cells {
            return false;
        }
        if !self.holders.borrow_mut().insert(holder) {
            return true;
        }
        let data = fields.all(|f| self.is_data(krate, module, &f.ty, cells));
        if !data {
            // What was found out on the way may have relied on this one.
            self.holders.borrow_mut().clear();
        }
        data
    }
}

/// The generic arguments of a path.
fn type_args(path: &syn::Path) -> impl Iterator<Item = &syn::GenericArgument> {
    path.segments.iter().flat_map(|s| match &s.arguments {
        syn::PathArguments::AngleBracketed(args) => Some(&args.args).into_iter().flatten(),
        _ => None.into_iter().flatten(),
    })
}

/// Whether a name of another crate means something that comes back through trait impls and closures
/// alone.
pub(crate) fn is_tame_extern(path: &str) -> bool {
    let ours = [
        "ByteBuffer",
        "Weakness",
        "prelude::Root",
        "Root",
        "prelude::Gc",
        "prelude::GcArray",
        "Word::to_word",
        "rt::address_of",
        "rt::weak_attach",
        "rt::weak_attached",
    ];
    let first = path.split("::").next().unwrap_or_default();
    match path.strip_prefix("verdigris::") {
        Some(name) => ours
            .iter()
            .any(|o| name == *o || name.starts_with(&format!("{o}::"))),
        None => {
            first != "verdigris" && crate::effects::survey::is_tame_crate(first)
                || STD_PRELUDE.contains(&first)
        }
    }
}
