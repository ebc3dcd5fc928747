//! What one body does by itself: the places it names, and what else it can run.
//!
//! In: the syntax of a function, a constant or a static. Out: a [`Body`]. Invariant: every way from
//! the body to a mutable place is in it. A reference to a field's cell is made by naming the field,
//! and by nothing else, so that a field counts where it is named: as read for `x.f.get()`, as
//! written for `x.f.set(..)`, and as both wherever else it stands, for then a reference to its cell
//! may be kept. Only where a value is moved out, as in `f(x.f)`, there is no cell: cells do not
//! move out of the heap. Items of arrays are the same with `a[i]` and `a.as_slice()`.

use crate::effects::bindings::{Binder, Once};
use crate::effects::index::{Holds, Index, Node, is_tame_extern};
use crate::effects::named::Named;
use crate::effects::survey::is_root;
use crate::effects::{known_struct_types, macros};
use crate::expand::tokens::{MARK, unmarked};
use crate::items::{Crate, Def, FnItemId, ModId, Ns, StructId, TypeKey};
use crate::source::syntax::{name_of, plain};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use syn::visit::{self, Visit};

/// Reading, writing, or both.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    Read,
    Write,
    Both,
}

/// What a body does by itself.
#[derive(Default)]
pub(crate) struct Body {
    pub reads: Named,
    pub writes: Named,
    /// What it may call, or hand to other code that may call it.
    pub calls: BTreeSet<Node>,
    /// The first thing that could do anything.
    pub refusal: Option<String>,
    /// Where it certainly writes to an object that it has not made itself.
    pub sets: Vec<Set>,
    /// The functions that it certainly calls, by their names.
    pub certain: Vec<FnItemId>,
}

/// A write to a cell: `x.field.set(..)`, or to an item of an array.
pub(crate) struct Set {
    pub named: Named,
    pub at: proc_macro2::Span,
}

/// Reads a body.
pub(crate) struct Reader<'a> {
    pub krate: &'a Crate,
    index: &'a Index<'a>,
    module: ModId,
    /// Variables, wherever in the body they are bound.
    bound: FxHashSet<String>,
    /// Those of them that are bound in the whole body: the parameters.
    params: FxHashSet<String>,
    /// Those that are bound in one place.
    once: FxHashSet<String>,
    /// Those of them that are closures: what they do counts where they are written.
    closures: FxHashSet<String>,
    generics: FxHashSet<String>,
    /// Variables whose structs are known.
    known: FxHashMap<String, StructId>,
    /// Variables that name objects made in this body: writes to them are not effects.
    fresh: FxHashSet<String>,
    pub body: Body,
}

impl<'a> Reader<'a> {
    pub fn new(krate: &'a Crate, index: &'a Index<'a>, module: ModId) -> Reader<'a> {
        Reader {
            krate,
            index,
            module,
            bound: FxHashSet::default(),
            params: FxHashSet::default(),
            once: FxHashSet::default(),
            closures: FxHashSet::default(),
            generics: FxHashSet::default(),
            known: FxHashMap::default(),
            fresh: FxHashSet::default(),
            body: Body::default(),
        }
    }

    /// The same where these variables are known to have the fields of these structs.
    pub fn knowing(mut self, known: FxHashMap<String, StructId>) -> Reader<'a> {
        self.known = known;
        self
    }

    /// What a function does.
    pub fn function(mut self, sig: &syn::Signature, block: &syn::Block) -> Body {
        if sig.unsafety.is_some() {
            self.refuse("an `unsafe` function");
        }
        if sig.asyncness.is_some() {
            self.refuse("an `async` function");
        }
        let generics = sig.generics.type_params();
        self.generics = generics.map(|p| name_of(&p.ident)).collect();
        Binder(&mut self.params).visit_signature(sig);
        self.bound.clone_from(&self.params);
        Binder(&mut self.bound).visit_block(block);
        let mut once = Once::default();
        once.visit_block(block);
        self.once = &(&once.seen - &once.again) - &self.params;
        self.closures = &once.closures & &self.once;
        self.visit_signature(sig);
        self.visit_block(block);
        let abroad = self.index.abroad.of_body(self.module, |mentions| {
            sig.inputs.iter().for_each(|arg| mentions.visit_fn_arg(arg));
            mentions.visit_return_type(&sig.output);
            mentions.visit_generics(&sig.generics);
            mentions.visit_block(block);
        });
        if let Some(what) = abroad {
            self.refuse(what);
        }
        self.body
    }

    /// What the value of a constant or static does.
    pub fn value_of(mut self, value: &syn::Expr) -> Body {
        self.bind(value);
        self.visit_expr(value);
        let abroad = &self.index.abroad;
        if let Some(what) = abroad.of_body(self.module, |mentions| mentions.visit_expr(value)) {
            self.refuse(what);
        }
        self.body
    }

    /// Takes note of the variables in an expression that the syntax tree hides, as in a macro.
    pub fn bind(&mut self, value: &syn::Expr) {
        Binder(&mut self.bound).visit_expr(value);
    }

    pub fn bind_pat(&mut self, pat: &syn::Pat) {
        Binder(&mut self.bound).visit_pat(pat);
    }

    pub fn refuse(&mut self, what: impl Into<String>) {
        self.body.refusal.get_or_insert_with(|| what.into());
    }

    /// A field that is named, of an object if there is one.
    fn field(&mut self, member: &syn::Member, access: Access, object: Option<&syn::Expr>) {
        // Heap structs have named fields.
        let syn::Member::Named(name) = member else {
            return;
        };
        let mut named = Named::default();
        let name = name_of(name);
        match object.and_then(|object| self.struct_of(object, &name)) {
            Some((id, _)) => named.own.insert((id, name)),
            None => named.fields.insert(name),
        };
        self.named(&named, access);
    }

    /// The struct of an object, and its field of this name, if both are known.
    fn struct_of(&self, object: &syn::Expr, field: &str) -> Option<(StructId, &'a syn::Field)> {
        let syn::Expr::Path(path) = bare(object) else {
            return None;
        };
        let id = *self.known.get(&name_of(path.path.get_ident()?))?;
        Some((
            id,
            known_struct_types::field(self.krate, self.module, id, field)?,
        ))
    }

    /// Whether an expression is a variable that is certainly no array, and dereferences to none.
    fn is_no_array(&self, e: &syn::Expr) -> bool {
        let syn::Expr::Path(path) = bare(e) else {
            return false;
        };
        let name = path.path.get_ident().map(name_of);
        let id = name.and_then(|name| self.known.get(&name));
        id.is_some_and(|&id| !known_struct_types::dereferences(self.krate, id))
    }

    /// Items of an array.
    fn items(&mut self, access: Access, array: Option<&syn::Expr>) {
        let constant = array.is_some_and(|array| {
            let syn::Expr::Field(e) = bare(array) else {
                return false;
            };
            let syn::Member::Named(name) = &e.member else {
                return false;
            };
            let found = self.struct_of(&e.base, &name_of(name));
            found.is_some_and(|(id, field)| {
                let item = &self.krate.structs[id];
                // A parameter could have the name of a type.
                item.generics.is_empty()
                    && known_struct_types::is_constant_array(self.krate, item.module, &field.ty)
            })
        });
        if !constant {
            let named = Named {
                items: true,
                ..Named::default()
            };
            self.named(&named, access);
        }
    }

    fn named(&mut self, named: &Named, access: Access) {
        if access != Access::Write {
            self.body.reads.join(named);
        }
        if access != Access::Read {
            self.body.writes.join(named);
        }
    }

    /// An expression that is moved, not borrowed: its outermost field or item is no cell.
    fn value(&mut self, e: &syn::Expr) {
        match e {
            syn::Expr::Paren(e) => self.value(&e.expr),
            syn::Expr::Group(e) => self.value(&e.expr),
            syn::Expr::Field(e) => self.value(&e.base),
            syn::Expr::Index(e) => {
                self.value(&e.expr);
                self.value(&e.index);
            }
            e => self.visit_expr(e),
        }
    }

    fn values<'e>(&mut self, list: impl IntoIterator<Item = &'e syn::Expr>) {
        list.into_iter().for_each(|e| self.value(e));
    }

    fn method(&mut self, call: &syn::ExprMethodCall) {
        let name = name_of(&call.method);
        let access = match (name.as_str(), call.args.len()) {
            ("get", 0) => Some(Access::Read),
            ("set", 1) => Some(Access::Write),
            ("replace", 1) => Some(Access::Both),
            _ => None,
        };
        if matches!(access, Some(Access::Write | Access::Both)) {
            self.set(bare(&call.receiver), call.method.span());
        }
        match (access, bare(&call.receiver)) {
            (Some(access), syn::Expr::Field(e)) => {
                self.field(&e.member, access, Some(&e.base));
                self.value(&e.base);
            }
            (Some(access), syn::Expr::Index(e)) => {
                self.items(access, Some(&e.expr));
                self.value(&e.expr);
                self.value(&e.index);
            }
            _ => self.visit_expr(&call.receiver),
        }
        let of_array = matches!(name.as_str(), "as_slice" | "index");
        if of_array && !self.is_no_array(&call.receiver) {
            self.items(Access::Both, Some(&call.receiver));
        }
        let called = (self.index).methods(self.krate, &name, count(&call.args), self.module);
        self.body.calls.extend(called);
        if let Some(generics) = &call.turbofish {
            self.visit_angle_bracketed_generic_arguments(generics);
        }
        self.values(&call.args);
    }

    /// Takes note of a write to a place.
    fn set(&mut self, place: &syn::Expr, at: proc_macro2::Span) {
        let mut named = Named::default();
        let object = match place {
            syn::Expr::Field(e) => {
                if let syn::Member::Named(name) = &e.member {
                    named.fields.insert(name_of(name));
                }
                &e.base
            }
            syn::Expr::Index(e) => {
                named.items = true;
                &e.expr
            }
            _ => return,
        };
        let fresh = matches!(bare(object), syn::Expr::Path(p)
            if p.path.get_ident().is_some_and(|i| self.fresh.contains(&name_of(i))));
        if !fresh {
            self.body.sets.push(Set { named, at });
        }
    }

    fn call(&mut self, call: &syn::ExprCall) {
        match bare(&call.func) {
            syn::Expr::Path(path) => self.path(path, Some(&call.args)),
            _ => self.refuse("a call of a computed value"),
        }
        self.values(&call.args);
    }

    /// A name, called with these arguments or taken as a value.
    fn path(&mut self, path: &syn::ExprPath, called: Option<&Args>) {
        visit::visit_expr_path(self, path);
        // Whose variable it is depends on where the macro is defined.
        if (path.path.get_ident()).is_some_and(|name| name.to_string().contains(MARK)) {
            let name = path.path.get_ident().map(name_of).unwrap_or_default();
            let name = unmarked(&name).to_owned();
            return self.refuse(format!(
                "the name `{name}`, which a macro and its caller both use"
            ));
        }
        let written = plain(&path.path);
        let (Some(first), Some(last)) = (written.segs.first(), written.segs.last()) else {
            return;
        };
        let associated = written.segs.len() > 1 || path.qself.is_some();
        if associated && matches!(last.as_str(), "as_slice" | "index") {
            self.items(Access::Both, None);
        }
        let statics = self.index.statics(self.krate, last);
        if statics == Some(Holds::Anything) {
            return self.refuse(format!("the static `{last}`, which could hold functions"));
        }
        if path.qself.is_some() {
            self.body.calls.extend(self.index.named(last));
            return self.qualified(path);
        }
        let local = written.segs.len() == 1 && self.bound.contains(first);
        if local && called.is_some() && !self.closures.contains(first) {
            return self.refuse(format!("a call of the variable `{first}`"));
        }
        // Something else of this name is hidden by the parameter.
        if written.segs.len() == 1 && !written.global && self.params.contains(first) {
            return;
        }
        let (segs, global) = (&written.segs, written.global);
        let shown = segs.join("::");
        match self.krate.resolve(self.module, global, segs, Ns::Values) {
            // `self` is a module's name, too.
            Some((Def::Mod(_), _)) if local => {}
            // A static by another name.
            Some((Def::Static(_) | Def::Other("a `static`"), _)) if statics.is_none() => {
                self.refuse(format!("the static `{last}`, which could hold functions"));
            }
            Some((def, used)) => {
                // A closure of this name may be what is called.
                if let (Def::Fn(id), Some(_), false) = (&def, called, local) {
                    self.body.certain.push(*id);
                }
                let args = called.and_then(count);
                self.def(&def, (used < segs.len()).then_some(last), args, &shown);
            }
            None if local => {}
            None if statics.is_some() || first == "Self" || self.generics.contains(first) => {
                self.body.calls.extend(self.index.named(last));
            }
            None if is_root(self.krate, self.module, segs) => {}
            None => self.refuse(format!("the name `{shown}`")),
        }
    }

    /// `<T as Trait>::f`, beyond the functions here that are called `f`.
    fn qualified(&mut self, path: &syn::ExprPath) {
        let position = path.qself.as_ref().map_or(0, |q| q.position);
        let segs: Vec<String> = plain(&path.path).segs.into_iter().take(position).collect();
        if segs.is_empty() {
            return;
        }
        let shown = segs.join("::");
        match self.krate.resolve(self.module, false, &segs, Ns::Types) {
            Some((def, _)) => self.def(&def, None, None, &shown),
            None => self.refuse(format!("the trait `{shown}`")),
        }
    }

    /// What a path means, up to its associated item if it ends in one.
    fn def(&mut self, def: &Def, assoc: Option<&String>, called: Option<usize>, shown: &str) {
        let (krate, index) = (self.krate, self.index);
        let key = match def {
            Def::Fn(id) => return self.body.calls.extend([Node::Fn(*id)]),
            Def::Const(id) => return self.body.calls.extend([Node::Const(*id)]),
            Def::Struct(id) => Some(TypeKey::Struct(*id)),
            Def::Enum(id) => Some(TypeKey::Enum(*id)),
            Def::Object(id) => Some(TypeKey::Object(*id)),
            Def::Variant(..) | Def::Prim(_) | Def::Builtin(_) => None,
            // Statics have been looked at by their name.
            Def::Trait(_) | Def::Static(_) | Def::Other("a `static`") => {
                return self
                    .body
                    .calls
                    .extend(assoc.into_iter().flat_map(|n| index.named(n)));
            }
            Def::Alias(id) => {
                let alias = &krate.aliases[*id];
                if !index.is_tame(krate, alias.module, &alias.ty) {
                    self.refuse(format!("the type `{shown}`"));
                }
                match alias_of(krate, alias.module, &alias.ty) {
                    Some(key) => key,
                    None => {
                        return self
                            .body
                            .calls
                            .extend(assoc.into_iter().flat_map(|n| index.named(n)));
                    }
                }
            }
            Def::Extern(path) if is_tame_extern(path) => None,
            Def::Mod(_) | Def::Other(_) | Def::Extern(_) => {
                return self.refuse(format!("the name `{shown}`"));
            }
        };
        if let Some(name) = assoc {
            self.body.calls.extend(index.of_type(key, name, called));
        }
    }
}

type Args = syn::punctuated::Punctuated<syn::Expr, syn::Token![,]>;

/// The number of arguments, if it does not depend on the configuration.
fn count(args: &Args) -> Option<usize> {
    struct Attributes(bool);
    impl<'ast> Visit<'ast> for Attributes {
        fn visit_attribute(&mut self, _: &'ast syn::Attribute) {
            self.0 = true;
        }
    }
    let mut found = Attributes(false);
    args.iter().for_each(|arg| found.visit_expr(arg));
    (!found.0).then_some(args.len())
}

/// The type of this crate that an alias stands for, or none if it is one of the heap's or the
/// standard library's; nothing if it takes more than a name to know.
fn alias_of(krate: &Crate, module: ModId, ty: &syn::Type) -> Option<Option<TypeKey>> {
    let syn::Type::Path(path) = ty else {
        return None;
    };
    let written = plain(&path.path);
    if path.qself.is_some() {
        return None;
    }
    match krate.resolve(module, written.global, &written.segs, Ns::Types)? {
        (Def::Struct(id), used) if used == written.segs.len() => Some(Some(TypeKey::Struct(id))),
        (Def::Enum(id), used) if used == written.segs.len() => Some(Some(TypeKey::Enum(id))),
        (Def::Builtin(_) | Def::Prim(_), used) if used == written.segs.len() => Some(None),
        _ => None,
    }
}

/// Whether an expression is `Gc::new(..)` or makes a `GcArray`.
fn makes_object(e: &syn::Expr) -> bool {
    let syn::Expr::Call(call) = bare(e) else {
        return false;
    };
    matches!(bare(&call.func), syn::Expr::Path(p)
        if p.path.segments.len() == 2 && matches!(&*name_of(&p.path.segments[0].ident), "Gc" | "GcArray"))
}

/// An expression without the parentheses around it.
fn bare(mut e: &syn::Expr) -> &syn::Expr {
    loop {
        e = match e {
            syn::Expr::Paren(inner) => &inner.expr,
            syn::Expr::Group(inner) => &inner.expr,
            e => return e,
        }
    }
}

impl<'ast> Visit<'ast> for Reader<'_> {
    fn visit_expr(&mut self, e: &'ast syn::Expr) {
        use syn::{BinOp::*, Expr::*};
        match e {
            Field(e) => {
                self.field(&e.member, Access::Both, Some(&e.base));
                self.value(&e.base);
            }
            Index(e) => {
                // Arrays of the heap have no ranges of items.
                if !matches!(bare(&e.index), Range(_)) {
                    self.items(Access::Both, Some(&e.expr));
                }
                self.value(&e.expr);
                self.value(&e.index);
            }
            MethodCall(e) => self.method(e),
            Call(e) => self.call(e),
            Path(e) => self.path(e, None),
            Binary(b) => match b.op {
                Add(_) | Sub(_) | Mul(_) | Div(_) | Rem(_) | And(_) | Or(_) | BitXor(_)
                | BitAnd(_) | BitOr(_) | Shl(_) | Shr(_) | AddAssign(_) | SubAssign(_)
                | MulAssign(_) | DivAssign(_) | RemAssign(_) | BitXorAssign(_)
                | BitAndAssign(_) | BitOrAssign(_) | ShlAssign(_) | ShrAssign(_) => {
                    self.values([&*b.left, &*b.right]);
                }
                // Comparisons borrow their operands.
                _ => visit::visit_expr(self, e),
            },
            // What is borrowed to be changed is no place of the heap: those are behind shared
            // references.
            Assign(e) => self.values([&*e.left, &*e.right]),
            Reference(e) if e.mutability.is_some() => self.value(&e.expr),
            Tuple(e) => self.values(&e.elems),
            Array(e) => self.values(&e.elems),
            Unary(e) => self.value(&e.expr),
            Return(e) => self.values(e.expr.as_deref()),
            Cast(c) => {
                self.value(&c.expr);
                self.visit_type(&c.ty);
            }
            Unsafe(_) => self.refuse("`unsafe`"),
            Async(_) | Await(_) => self.refuse("`async`"),
            Yield(_) | TryBlock(_) | Verbatim(_) => self.refuse("unknown syntax"),
            _ => visit::visit_expr(self, e),
        }
    }

    fn visit_field_value(&mut self, field: &'ast syn::FieldValue) {
        self.value(&field.expr);
    }

    fn visit_field_pat(&mut self, field: &'ast syn::FieldPat) {
        self.field(&field.member, Access::Both, None);
        self.visit_pat(&field.pat);
    }

    fn visit_local(&mut self, local: &'ast syn::Local) {
        self.visit_pat(&local.pat);
        let Some(init) = &local.init else { return };
        let by_value = match &local.pat {
            syn::Pat::Type(typed) => &typed.pat,
            pat => pat,
        };
        match by_value {
            syn::Pat::Ident(p) if p.by_ref.is_none() && p.subpat.is_none() => {
                if makes_object(&init.expr) {
                    self.fresh.insert(name_of(&p.ident));
                }
                // The variable is not there yet: in `let n = n(x)` a function is called.
                let name = name_of(&p.ident);
                let hidden = self.once.contains(&name) && self.bound.remove(&name);
                self.value(&init.expr);
                if hidden {
                    self.bound.insert(name);
                }
            }
            _ => self.visit_expr(&init.expr),
        }
        if let Some((_, diverge)) = &init.diverge {
            self.visit_expr(diverge);
        }
    }

    /// Patterns can name constants.
    fn visit_pat_ident(&mut self, pat: &'ast syn::PatIdent) {
        self.body
            .calls
            .extend(self.index.consts(&name_of(&pat.ident)));
        visit::visit_pat_ident(self, pat);
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        let is_known = self.krate.is_known_macro(self.module, mac);
        let Some(args) = macros::arguments(mac).filter(|_| is_known) else {
            let name = macros::name(mac);
            return self.refuse(format!("the macro `{name}!`"));
        };
        for e in &args.exprs {
            self.bind(e);
        }
        if let Some(pat) = &args.pat {
            self.bind_pat(pat);
            self.visit_pat(pat);
        }
        for e in &args.exprs {
            match e {
                // A named argument, or a value that is borrowed.
                syn::Expr::Assign(named) => self.visit_expr(&named.right),
                e => self.visit_expr(e),
            }
        }
    }

    fn visit_item(&mut self, _: &'ast syn::Item) {
        self.refuse("an item inside a function");
    }

    fn visit_type_trait_object(&mut self, _: &'ast syn::TypeTraitObject) {
        self.refuse("`dyn`");
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let written = plain(path);
        let first = written.segs.first().cloned().unwrap_or_default();
        let several = written.segs.len() > 1 || written.global;
        if several
            && !self.generics.contains(&first)
            && let Some(foreign) =
                crate::effects::survey::foreign(self.krate, self.module, &written)
        {
            // Type parameters of an `impl` block look like crates here; they are refused too.
            self.refuse(format!("the name `{foreign}`"));
        }
        visit::visit_path(self, path);
    }

    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}
}
