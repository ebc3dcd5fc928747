//! Values in functions: where one that holds references goes to Rust's heap though no type says so,
//! as in `vec![..]`, `Box::new(..)`, `list.push(..)`, `.collect::<Vec<_>>()`, and closures in
//! boxes.
//!
//! In: a function as written. Out: complaints. Invariant: a variable is taken for one with
//! references only if its declared type says so, or what it was given: an object that is made, an
//! item of a `RootVec`, the result of a function of the crate, a field. What none of this says is
//! not complained about.

use crate::items::{Assoc, Builtin, Def, FnItem, FnItemId, ModId, Ns, TypeKey};
use crate::off_heap::search::{Search, What};
use crate::off_heap::types::{Params, Types, Written, arguments, is_ours, is_rooted};
use crate::source::syntax::{name_of, plain};
use rustc_hash::FxHashMap;
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{Expr, Pat, Token};

/// What is known of a value.
#[derive(Clone, Copy, Default)]
struct Known {
    /// It has references in it.
    refs: bool,
    /// Of a `Result`, whether its value has, if it is no error.
    inner: Option<bool>,
    /// Iterating over it, or asking it for an item, gives references.
    gives: bool,
    /// It is a container on Rust's heap, of items of a type that is not written.
    open: bool,
    /// The type of the crate that it is, or refers to.
    key: Option<TypeKey>,
}

impl Known {
    /// What is known of the value in an `Option` or `Result`.
    fn unwrapped(self) -> Known {
        Known {
            refs: self.inner.unwrap_or(self.refs),
            inner: None,
            ..self
        }
    }
}

/// Adapters that give what their iterator gives.
const ADAPTERS: &[&str] = &[
    "as_slice",
    "by_ref",
    "chain",
    "cloned",
    "copied",
    "drain",
    "enumerate",
    "filter",
    "fuse",
    "inspect",
    "into_iter",
    "iter",
    "peekable",
    "rev",
    "skip",
    "skip_while",
    "step_by",
    "take",
    "take_while",
    "zip",
];
/// Methods that give an item.
const ITEMS: &[&str] = &["at", "first", "get", "last", "next", "nth", "pop"];
/// Methods that give what is in an `Option` or `Result`.
const INNER: &[&str] = &["expect", "ok", "unwrap", "unwrap_or", "unwrap_or_else"];
/// Methods that put something into a container.
const ADDING: &[&str] = &[
    "append",
    "entry",
    "extend",
    "extend_from_slice",
    "insert",
    "push",
    "push_back",
    "push_front",
    "resize",
];

/// Looks at the types and values of a function.
pub(super) fn function(search: &mut Search<'_>, item: &FnItem) {
    let types = search.types();
    let mut params = Params::open(&item.generics);
    let mut this = None;
    if let Some(owner) = item.owner {
        let block = &types.krate.impls[owner];
        for param in &block.generics.params {
            params.set(&param.name, false);
        }
        params.set("Self", types.holds(item.module, &params, &block.ty));
        this = block.target;
    }
    let mut written = Written::new(types, item.module, &params);
    written.visit_signature(&item.sig);
    written.visit_block(&item.body);
    for span in written.found {
        search.report(item.module, span, What::Type);
    }
    let mut values = Values {
        search,
        types,
        module: item.module,
        params,
        scopes: vec![FxHashMap::default()],
    };
    for input in &item.sig.inputs {
        match input {
            syn::FnArg::Receiver(receiver) => {
                let refs = receiver.reference.is_none() && values.params.holds("Self");
                let known = Known {
                    refs,
                    key: this,
                    ..Known::default()
                };
                values.bind("self", known);
            }
            syn::FnArg::Typed(arg) => {
                let known = values.of_type(&arg.ty);
                values.bind_pat(&arg.pat, known);
            }
        }
    }
    values.visit_block(&item.body);
}

struct Values<'s, 'a> {
    search: &'s mut Search<'a>,
    types: Types<'a>,
    module: ModId,
    params: Params,
    scopes: Vec<FxHashMap<String, Known>>,
}

impl Values<'_, '_> {
    fn bind(&mut self, name: &str, known: Known) {
        let scope = self.scopes.last_mut().expect("a function is a scope");
        scope.insert(name.to_owned(), known);
    }

    /// Gives the names of a pattern what is known of the value; of parts nothing is known but those
    /// of `Some` and `Ok`.
    fn bind_pat(&mut self, pat: &Pat, known: Known) {
        match pat {
            Pat::Ident(pat) => {
                self.bind(&name_of(&pat.ident), known);
                if let Some((_, inner)) = &pat.subpat {
                    self.bind_pat(inner, Known::default());
                }
            }
            Pat::Type(pat) => {
                let known = self.of_type(&pat.ty);
                self.bind_pat(&pat.pat, known);
            }
            Pat::Paren(pat) => self.bind_pat(&pat.pat, known),
            Pat::Reference(pat) => self.bind_pat(&pat.pat, known),
            Pat::TupleStruct(pat) => {
                let inner = match pat.path.get_ident() {
                    Some(name) if name == "Some" || name == "Ok" => known.unwrapped(),
                    _ => Known::default(),
                };
                pat.elems.iter().for_each(|pat| self.bind_pat(pat, inner));
            }
            Pat::Tuple(pat) => self.bind_pats(&pat.elems),
            Pat::Slice(pat) => self.bind_pats(&pat.elems),
            Pat::Or(pat) => self.bind_pats(&pat.cases),
            Pat::Struct(pat) => {
                let fields = pat.fields.iter();
                fields.for_each(|field| self.bind_pat(&field.pat, Known::default()));
            }
            _ => {}
        }
    }

    fn bind_pats(&mut self, pats: &Punctuated<Pat, impl Sized>) {
        pats.iter()
            .for_each(|pat| self.bind_pat(pat, Known::default()));
    }

    fn of_type(&self, ty: &syn::Type) -> Known {
        self.of_type_in(self.module, &self.params, ty)
    }

    fn of_type_in(&self, module: ModId, params: &Params, ty: &syn::Type) -> Known {
        Known {
            refs: self.types.holds(module, params, ty),
            inner: self.types.holds_if_ok(module, params, ty),
            gives: self.types.gives(module, params, ty),
            open: self.is_open(module, ty),
            key: self.types.key(module, ty),
        }
    }

    /// Whether a type is a container with `_` for its items.
    fn is_open(&self, module: ModId, ty: &syn::Type) -> bool {
        let syn::Type::Path(p) = ty else { return false };
        let args = arguments(&p.path);
        args.iter().any(|ty| matches!(ty, syn::Type::Infer(_)))
            && self.types.is_container(module, &p.path)
    }

    fn variable(&self, name: &str) -> Known {
        let scopes = self.scopes.iter().rev();
        let found = scopes.filter_map(|scope| scope.get(name)).next();
        found.copied().unwrap_or_default()
    }

    /// What is known of an expression's value.
    fn of(&mut self, expr: &Expr) -> Known {
        let any = |this: &mut Self, mut list: &mut dyn Iterator<Item = &Expr>| Known {
            refs: (&mut list).any(|expr| this.of(expr).refs),
            ..Known::default()
        };
        match expr {
            Expr::Path(p) => match p.path.get_ident() {
                Some(name) => self.variable(&name_of(name)),
                None => Known::default(),
            },
            Expr::Paren(e) => self.of(&e.expr),
            Expr::Group(e) => self.of(&e.expr),
            Expr::Try(e) => self.of(&e.expr).unwrapped(),
            Expr::Reference(e) => Known {
                refs: false,
                ..self.of(&e.expr)
            },
            Expr::Tuple(e) => any(self, &mut e.elems.iter()),
            Expr::Array(e) => {
                let items = any(self, &mut e.elems.iter());
                Known {
                    gives: items.refs,
                    ..items
                }
            }
            Expr::Call(e) => self.of_call(e),
            Expr::MethodCall(e) => self.of_method(e),
            Expr::Field(e) => self.of_field(e),
            Expr::Struct(e) => {
                let path = syn::Type::Path(syn::TypePath {
                    qself: None,
                    path: e.path.clone(),
                });
                let written = self.of_type(&path);
                let fields = any(self, &mut e.fields.iter().map(|f| &f.expr));
                Known {
                    refs: written.refs || fields.refs && written.key.is_some(),
                    ..written
                }
            }
            Expr::Block(e) => self.of_block(&e.block),
            Expr::Unsafe(e) => self.of_block(&e.block),
            Expr::If(e) => {
                let other = e.else_branch.as_ref().map(|(_, other)| self.of(other));
                let then = self.of_block(&e.then_branch);
                match other {
                    Some(other) if other.refs => other,
                    _ => then,
                }
            }
            _ => Known::default(),
        }
    }

    fn of_block(&mut self, block: &syn::Block) -> Known {
        match block.stmts.as_slice() {
            // What is declared in the block is not known here.
            [syn::Stmt::Expr(expr, None)] => self.of(expr),
            _ => Known::default(),
        }
    }

    fn of_call(&mut self, call: &syn::ExprCall) -> Known {
        let Expr::Path(callee) = &*call.func else {
            return Known::default();
        };
        let plain = plain(&callee.path);
        let found = (self.types.krate).resolve(self.module, plain.global, &plain.segs, Ns::Values);
        let Some((def, used)) = found else {
            return self.of_extern(&callee.path, call);
        };
        let rest = &plain.segs[used..];
        match (def, rest) {
            (Def::Fn(id), []) => self.of_function(id),
            (Def::Builtin(Builtin::Some | Builtin::Ok | Builtin::Err), [])
            | (Def::Struct(_), []) => self.of_parts(call),
            (Def::Variant(id, _), []) if !self.types.is_rooted(TypeKey::Enum(id)) => {
                self.of_parts(call)
            }
            (Def::Builtin(Builtin::Gc | Builtin::GcArray), [name]) => Known {
                refs: matches!(
                    name.as_str(),
                    "new" | "try_new" | "clone" | "from_slice" | "zeroed" | "vacant"
                ),
                ..Known::default()
            },
            (Def::Struct(id), [name]) => self.of_member(TypeKey::Struct(id), name),
            (Def::Enum(id), [name]) => self.of_member(TypeKey::Enum(id), name),
            (Def::Object(id), [name]) => self.of_member(TypeKey::Object(id), name),
            (Def::Extern(path), []) => Known {
                gives: is_ours(&path, "new") && path.contains("::RootVec::"),
                ..self.of_extern(&callee.path, call)
            },
            _ => Known::default(),
        }
    }

    /// A value made of these.
    fn of_parts(&mut self, call: &syn::ExprCall) -> Known {
        Known {
            refs: call.args.iter().any(|arg| self.of(arg).refs),
            ..Known::default()
        }
    }

    /// A call by a path of another crate: of the functions that make containers and cells.
    fn of_extern(&mut self, path: &syn::Path, call: &syn::ExprCall) -> Known {
        let Some((of, name)) = split(path) else {
            return Known::default();
        };
        let makes = matches!(name.as_str(), "new" | "with_capacity" | "default");
        let wraps = name == "new" && self.types.is_wrapper(self.module, &of);
        Known {
            refs: wraps && call.args.iter().any(|arg| self.of(arg).refs),
            open: makes && arguments(&of).is_empty() && self.types.is_container(self.module, &of),
            ..Known::default()
        }
    }

    fn of_member(&self, key: TypeKey, name: &str) -> Known {
        let members = self.types.krate.assoc.get(&(key, name.to_owned()));
        match members.into_iter().flatten().next() {
            Some(Assoc::Fn(id)) => self.of_function(*id),
            _ => Known::default(),
        }
    }

    fn of_function(&self, id: FnItemId) -> Known {
        let item = &self.types.krate.fns[id];
        let syn::ReturnType::Type(_, ty) = &item.sig.output else {
            return Known::default();
        };
        let mut params = Params::open(&item.generics);
        if let Some(owner) = item.owner {
            let block = &self.types.krate.impls[owner];
            for param in &block.generics.params {
                params.set(&param.name, false);
            }
            params.set("Self", self.types.holds(item.module, &params, &block.ty));
        }
        self.of_type_in(item.module, &params, ty)
    }

    fn of_method(&mut self, call: &syn::ExprMethodCall) -> Known {
        let receiver = self.of(&call.receiver);
        let name = name_of(&call.method);
        let name = name.as_str();
        let gives = |gives| Known {
            gives,
            ..Known::default()
        };
        let refs = |refs| Known {
            refs,
            ..Known::default()
        };
        if let Some(key) = receiver.key
            && let member = self.of_member(key, name)
            && (member.refs || member.gives || member.key.is_some())
        {
            return member;
        }
        match (name, call.args.first()) {
            ("map" | "filter_map" | "map_while", Some(f)) => gives(self.of_closure(f, receiver)),
            (name, _) if ADAPTERS.contains(&name) => gives(receiver.gives),
            (name, _) if ITEMS.contains(&name) && receiver.gives => refs(true),
            ("clone", _) => receiver,
            (name, _) if INNER.contains(&name) => receiver.unwrapped(),
            _ => Known::default(),
        }
    }

    /// Whether what a closure makes of an iterator's items has references.
    fn of_closure(&mut self, f: &Expr, from: Known) -> bool {
        match f {
            Expr::Closure(closure) => {
                self.scopes.push(FxHashMap::default());
                for input in &closure.inputs {
                    let known = Known {
                        refs: from.gives,
                        ..Known::default()
                    };
                    self.bind_pat(input, known);
                }
                let refs = self.of(&closure.body).refs;
                self.scopes.pop();
                refs
            }
            Expr::Path(path) => {
                let plain = plain(&path.path);
                let found =
                    (self.types.krate).resolve(self.module, plain.global, &plain.segs, Ns::Values);
                match found {
                    Some((Def::Fn(id), used)) if used == plain.segs.len() => {
                        self.of_function(id).refs
                    }
                    Some((Def::Builtin(Builtin::Gc), _)) => true,
                    Some((Def::Extern(path), _)) => path.ends_with("::Root::get"),
                    _ => false,
                }
            }
            _ => false,
        }
    }

    fn of_field(&mut self, field: &syn::ExprField) -> Known {
        let Some(key) = self.of(&field.base).key else {
            return Known::default();
        };
        let syn::Member::Named(name) = &field.member else {
            return Known::default();
        };
        let fields = self.types.fields(key).into_iter();
        let found = fields
            .filter(|f| f.ident.as_ref() == Some(name))
            .map(|f| &f.ty)
            .next();
        let module = self.types.krate.key_module(key);
        match found {
            Some(ty) => {
                let params = Params::open(self.types.krate.key_generics(key));
                self.of_type_in(module, &params, ty)
            }
            None => Known::default(),
        }
    }

    /// `Box::new(..)` and the like.
    fn boxed(&mut self, call: &syn::ExprCall) {
        let Expr::Path(callee) = &*call.func else {
            return;
        };
        let Some((of, name)) = split(&callee.path) else {
            return;
        };
        let boxes = matches!(name.as_str(), "new" | "pin" | "from")
            && self.types.is_container(self.module, &of);
        let Some(arg) = call.args.first().filter(|_| boxes) else {
            return;
        };
        let mut names = Captured::default();
        match arg {
            Expr::Closure(closure) => names.visit_expr_closure(closure),
            Expr::Async(block) => names.visit_block(&block.block),
            arg => {
                let known = self.of(arg);
                if known.refs {
                    self.complain(call, "this `Box`, `Rc`, `Arc` or collection");
                }
                return;
            }
        }
        let captured = |name: &&String| !names.bound.contains(*name);
        let mut captured = names.mentioned.iter().filter(captured);
        if captured.any(|name| self.variable(name).refs) {
            self.complain(call, "this closure in a `Box`, `Rc` or `Arc`");
        }
    }

    fn complain(&mut self, at: &impl syn::spanned::Spanned, what: &'static str) {
        self.search.report_value(self.module, at, what);
    }

    /// Complains about `.collect()` into a container whose items are references, though its type
    /// does not say so.
    fn collected(&mut self, call: &syn::ExprMethodCall, into: Option<&syn::Type>) {
        if call.method == "collect"
            && into.is_some_and(|ty| self.is_open(self.module, ty))
            && self.of(&call.receiver).gives
        {
            self.complain(&call.method, "what this `collect` makes");
        }
    }
}

impl<'ast> Visit<'ast> for Values<'_, '_> {
    fn visit_block(&mut self, block: &'ast syn::Block) {
        self.scopes.push(FxHashMap::default());
        visit::visit_block(self, block);
        self.scopes.pop();
    }

    fn visit_local(&mut self, local: &'ast syn::Local) {
        let mut known = Known::default();
        if let Some(init) = &local.init {
            visit::visit_local_init(self, init);
            known = self.of(&init.expr);
            if let (Pat::Type(pat), Expr::MethodCall(call)) = (&local.pat, &*init.expr) {
                self.collected(call, Some(&pat.ty));
            }
        }
        self.bind_pat(&local.pat, known);
    }

    fn visit_expr_closure(&mut self, closure: &'ast syn::ExprClosure) {
        self.scopes.push(FxHashMap::default());
        for input in &closure.inputs {
            self.bind_pat(input, Known::default());
        }
        self.visit_expr(&closure.body);
        self.scopes.pop();
    }

    fn visit_expr_for_loop(&mut self, turn: &'ast syn::ExprForLoop) {
        self.visit_expr(&turn.expr);
        let refs = self.of(&turn.expr).gives;
        self.scopes.push(FxHashMap::default());
        let known = Known {
            refs,
            ..Known::default()
        };
        self.bind_pat(&turn.pat, known);
        self.visit_block(&turn.body);
        self.scopes.pop();
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        self.scopes.push(FxHashMap::default());
        self.bind_pat(&arm.pat, Known::default());
        visit::visit_arm(self, arm);
        self.scopes.pop();
    }

    fn visit_expr_let(&mut self, expr: &'ast syn::ExprLet) {
        self.visit_expr(&expr.expr);
        let known = self.of(&expr.expr);
        self.bind_pat(&expr.pat, known);
    }

    fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
        self.boxed(call);
        visit::visit_expr_call(self, call);
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        visit::visit_expr_method_call(self, call);
        let turbofish = call.turbofish.as_ref().and_then(|t| match t.args.first() {
            Some(syn::GenericArgument::Type(ty)) => Some(ty),
            _ => None,
        });
        self.collected(call, turbofish);
        let name = name_of(&call.method);
        if ADDING.contains(&name.as_str()) && self.of(&call.receiver).open {
            let gives = matches!(name.as_str(), "extend" | "extend_from_slice" | "append");
            let holds = |this: &mut Self, arg| {
                let known = this.of(arg);
                known.refs || gives && known.gives
            };
            if call.args.iter().any(|arg| holds(self, arg)) {
                self.complain(&call.method, "what this is added to");
            }
        }
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        let Some(last) = mac.path.segments.last().map(|s| name_of(&s.ident)) else {
            return;
        };
        let list = Punctuated::<Expr, Token![,]>::parse_terminated;
        let repeated = |input: syn::parse::ParseStream<'_>| {
            let item: Expr = input.parse()?;
            input.parse::<Token![;]>()?;
            let len: Expr = input.parse()?;
            Ok(Punctuated::from_iter([item, len]))
        };
        let args = mac.parse_body_with(list);
        let args: Punctuated<Expr, Token![,]> = args
            .or_else(|_| mac.parse_body_with(repeated))
            .unwrap_or_default();
        for arg in &args {
            // The expressions live no longer than this call.
            Values::visit_expr(self, arg);
        }
        if last == "vec" && args.iter().any(|arg| self.of(arg).refs) {
            self.complain(mac, "this `vec!`");
        }
    }

    fn visit_item(&mut self, item: &'ast syn::Item) {
        // Other functions have variables of their own.
        let scopes = std::mem::replace(&mut self.scopes, vec![FxHashMap::default()]);
        if let syn::Item::Fn(item) = item
            && !is_rooted(&item.attrs)
        {
            self.visit_block(&item.block);
        }
        self.scopes = scopes;
    }
}

/// The variables that an expression mentions, and those that it declares.
#[derive(Default)]
struct Captured {
    mentioned: Vec<String>,
    bound: Vec<String>,
}

impl<'ast> Visit<'ast> for Captured {
    fn visit_expr_path(&mut self, path: &'ast syn::ExprPath) {
        self.mentioned.extend(path.path.get_ident().map(name_of));
    }

    fn visit_pat_ident(&mut self, pat: &'ast syn::PatIdent) {
        self.bound.push(name_of(&pat.ident));
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        let list = Punctuated::<Expr, Token![,]>::parse_terminated;
        let args = mac.parse_body_with(list).unwrap_or_default();
        for arg in &args {
            Captured::visit_expr(self, arg);
        }
    }
}

/// A path without its last segment, and that.
fn split(path: &syn::Path) -> Option<(syn::Path, String)> {
    let mut of = path.clone();
    let name = of.segments.pop()?;
    let name = name_of(&name.value().ident);
    of.segments.pop_punct();
    (!of.segments.is_empty()).then_some((of, name))
}
