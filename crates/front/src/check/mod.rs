//! Checks one function: names, types, and that everything is in the subset.
//!
//! In: a function's syntax and the tables. Out: [`hir`](crate::hir) with the equations between its types solved; then
//! [`finish`](crate::finish) makes the typed form. Invariants: every mistake is reported once, at its place, and
//! checking goes on behind it with [`Ty::Error`]; an expected type that is passed down is one that the result is coerced
//! to afterwards, so it may be relied on.

mod aggregate;
mod array;
mod assign;
mod block;
mod call;
mod closure;
mod compound;
mod control;
mod convert;
mod exact;
mod expr;
mod fields;
mod form;
mod generic;
mod index;
mod iterate;
mod lend;
mod loops;
mod macros;
mod message;
mod method;
mod note;
mod numbers;
mod operator;
mod option;
mod option_changes;
mod option_methods;
mod option_pairs;
mod own;
mod pat;
mod pat_parts;
mod pat_scalar;
mod path;
mod pointer;
mod policies;
mod probe;
mod scalar;
mod scope;
mod table;
mod traits;

pub(crate) use array::MAX_ITEMS;
pub(crate) use expr::{is_comparison, symbol};
pub(crate) use form::{Form, Layer};
pub(crate) use index::Accessors;
pub(crate) use lend::Name;
pub(crate) use message::Message;
pub(crate) use numbers::int_range;
pub(crate) use own::has as has_itself;

use crate::cx::{ByRef, ClassSrc, Cx, Env, Sig};
use crate::diag::{Code, Diagnostic};
use crate::finish;
use crate::generics::SubstId;
use crate::hir::{Expr, Kind};
use crate::infer::{Infer, Ty, VarKind};
use crate::items::FnItemId;
use crate::tast::{self, FuncId, LocalId, LoopId, Span};
use cranelift_entity::{EntityRef, PrimaryMap};
use generic::Pending;
use lend::{Borrowed, Matched, Place, Subject};
use scope::Scope;
use syn::spanned::Spanned;

/// A local variable while types are inferred.
pub(crate) struct LocalInfo {
    pub name: String,
    pub ty: Ty,
    pub span: Span,
    /// Whether its name is a `&mut`.
    pub name_is: Name,
    /// The source declares it with the type of a type parameter.
    pub param: bool,
    /// Its type in Rust, if the source says it.
    pub form: Option<form::Form>,
    /// A pattern binds it to a field, or to a reference to one, whose declared type has no references.
    pub of_field: bool,
}

/// A loop or labelled block that `break` can leave.
struct Frame {
    label: Option<String>,
    id: LoopId,
    kind: FrameKind,
    /// Whether a `break` leaves it.
    left: bool,
}

#[derive(Clone, PartialEq)]
enum FrameKind {
    /// `loop`, with the type of its value.
    Loop(Ty),
    /// `while` and `for`.
    While,
    /// A labelled block, with the type of its value.
    Block(Ty),
}

/// A function being checked.
pub(crate) struct FnCx<'a> {
    pub cx: &'a mut Cx,
    pub env: Env,
    pub infer: Infer,
    pub locals: PrimaryMap<LocalId, LocalInfo>,
    scope: Scope,
    /// What the pattern being checked is matched against.
    matched: Matched,
    /// Inside a pattern for fields whose types have no references.
    in_fields: bool,
    /// The closure around.
    closure: Option<closure::Around>,
    /// How many calls of closures with names there are.
    closure_calls: u32,
    /// Inside a `move` closure: the first local that belongs to it.
    frozen: Option<LocalId>,
    /// Inside an alternative of a pattern: what the alternatives before it bind.
    shared: Option<Vec<(String, LocalId)>>,
    frames: Vec<Frame>,
    next_loop: usize,
    ret: Ty,
    /// Whether the code being checked cannot be reached.
    diverges: bool,
    /// None in constants.
    func: Option<FuncId>,
    portal: bool,
    first_loop: Option<Span>,
    /// The loop with the merge point, and where that is.
    merge: Option<(LoopId, Span)>,
    /// The greens of the merge point.
    greens: Vec<LocalId>,
    /// Whether there is a `merge_point!` in the wrong place.
    stray_merge: bool,
    /// Arrays made before their type is known, with the type of the fill value.
    arrays: Vec<(Ty, Ty, Span)>,
    /// Calls whose callee is found at the end.
    pub pending: Vec<Pending>,
    /// What writes back the items that are lent to the call whose arguments are being checked.
    after: Vec<Expr>,
    notes: note::Notes,
}

/// Checks a traced function.
pub(crate) fn check_func(cx: &mut Cx, id: FuncId) -> tast::Func {
    let inst = cx.func_items[id];
    let item_id = inst.item;
    let item = cx.krate.fns[item_id].clone();
    let known = cx.diags.len();
    let sig = cx.signature(inst);
    let env = cx.fn_env(inst);
    let mut fcx = FnCx::new(cx, env, sig.ret.clone());
    fcx.func = Some(id);
    fcx.portal = item.attrs.portal;
    let (params, mut prologue) = fcx.params(item_id, &sig);
    let body = fcx.block(&item.body, Some(&sig.ret));
    let mut body = fcx.coerce(body, &sig.ret);
    if !prologue.is_empty() {
        let (ty, span) = (body.ty.clone(), body.span);
        prologue.push(body);
        body = Expr::block(prologue, ty, span);
    }
    fcx.check_hints(item_id);
    fcx.solve();
    fcx.hand_over_notes();
    if fcx.merge.is_some() {
        fcx.policies(item_id);
    }
    let lent = params.iter().zip(&sig.by_ref);
    let lent = lent.filter(|p| *p.1 == ByRef::Mut).map(|p| *p.0).collect();
    let name = fcx.cx.inst_path(inst);
    let (locals, body) = finish::finish(&mut fcx, body);
    forget_consequences(&mut fcx.cx.diags, known);
    if inst.subst != SubstId::EMPTY {
        // The source alone does not say for which types it is wrong.
        let diags = &mut fcx.cx.diags[known..];
        for d in diags
            .iter_mut()
            .filter(|d| d.code != Code::EndlessInstances)
        {
            d.notes.push(format!("in `{name}`"));
        }
    }
    tast::Func {
        name,
        params,
        lent,
        ret: finish::plain(&sig.ret),
        locals,
        body,
        span: item.span,
        unroll_safe: item.attrs.unroll_safe,
    }
}

/// A mistake leaves types unknown: of a function with others, unknown types are no mistakes of their own.
fn forget_consequences(diags: &mut Vec<Diagnostic>, known: usize) {
    if diags[known..].iter().any(|d| d.code != Code::Annotate) {
        let of_function = diags.split_off(known);
        diags.extend(of_function.into_iter().filter(|d| d.code != Code::Annotate));
    }
}

/// Checks the value of a constant.
pub(crate) fn check_const(cx: &mut Cx, value: &syn::Expr, env: Env, ty: &Ty) -> tast::Expr {
    let mut fcx = FnCx::new(cx, env, ty.clone());
    let value = fcx.coerced(value, ty);
    fcx.solve();
    finish::finish(&mut fcx, value).1
}

impl<'a> FnCx<'a> {
    fn new(cx: &'a mut Cx, env: Env, ret: Ty) -> FnCx<'a> {
        let infer = Infer::new(cx.known.clone());
        FnCx {
            cx,
            env,
            infer,
            locals: PrimaryMap::new(),
            scope: Scope::default(),
            matched: Matched::default(),
            in_fields: false,
            closure: None,
            closure_calls: 0,
            frozen: None,
            shared: None,
            frames: Vec::new(),
            next_loop: 0,
            ret,
            diverges: false,
            func: None,
            portal: false,
            first_loop: None,
            merge: None,
            greens: Vec::new(),
            stray_merge: false,
            arrays: Vec::new(),
            pending: Vec::new(),
            after: Vec::new(),
            notes: note::Notes::default(),
        }
    }

    /// Declares the parameters; and what takes those apart that are patterns.
    fn params(&mut self, id: FnItemId, sig: &Sig) -> (Vec<LocalId>, Vec<Expr>) {
        let item = self.cx.krate.fns[id].clone();
        let (mut params, mut prologue) = (Vec::new(), Vec::new());
        for (input, (ty, by_ref)) in item
            .sig
            .inputs
            .iter()
            .zip(sig.params.iter().zip(&sig.by_ref))
        {
            let span = self.span(input);
            let (name, pat) = match input {
                syn::FnArg::Receiver(_) => ("self".to_owned(), None),
                syn::FnArg::Typed(arg) => match &*arg.pat {
                    syn::Pat::Ident(p) if p.subpat.is_none() && p.by_ref.is_none() => {
                        (crate::collect::name_of(&p.ident), None)
                    }
                    syn::Pat::Wild(_) => ("_".to_owned(), None),
                    pat => ("_".to_owned(), Some(pat)),
                },
            };
            let local = self.declare(name, ty.clone(), span);
            let mut borrowed = Borrowed::No;
            if *by_ref == ByRef::Mut {
                self.locals[local].name_is = Name::Lent;
                borrowed = Borrowed::Whole;
            }
            self.locals[local].param = match input {
                syn::FnArg::Receiver(_) => item.of_trait.is_some(),
                syn::FnArg::Typed(arg) => self.names_param(&arg.ty),
            };
            self.locals[local].form = match input {
                syn::FnArg::Receiver(receiver) => self.form_of_type(&receiver.ty),
                syn::FnArg::Typed(arg) => self.form_of_type(&arg.ty),
            };
            params.push(local);
            if let Some(pat) = pat {
                let subject = Subject {
                    value: self.read(local, span),
                    place: Some(Place::of(local)),
                    borrowed,
                };
                prologue.push(self.destructure(pat, subject, span));
            }
        }
        (params, prologue)
    }

    /// Whether a type is written as a type parameter.
    fn names_param(&self, ty: &syn::Type) -> bool {
        match ty {
            syn::Type::Reference(r) => self.names_param(&r.elem),
            syn::Type::Path(p) => p.path.get_ident().is_some_and(|ident| {
                let subst = self.cx.substs.get(self.env.subst);
                let of_trait = ident == "Self" && self.env.owner.is_none();
                of_trait || subst.get(&crate::collect::name_of(ident)).is_some()
            }),
            _ => false,
        }
    }

    /// What the function as a whole must be: the portal has its merge point, and nothing else loops.
    fn check_hints(&mut self, id: FnItemId) {
        let item = self.cx.krate.fns[id].clone();
        if item.attrs.portal {
            if self.merge.is_none() && !self.stray_merge {
                self.err(Code::NoMergePoint, item.span, &[&item.name]);
            }
        } else if let Some(at) = self.first_loop
            && !item.attrs.unroll_safe
        {
            let path = self.cx.krate.fn_path(id);
            let d = Diagnostic::new(Code::Loop, item.span, &[&path]);
            self.cx.report(d.at(at, "the loop"));
        }
    }

    /// Settles what is still open at the end: arrays, then defaults.
    fn solve(&mut self) {
        for (array, fill, span) in std::mem::take(&mut self.arrays) {
            match self.infer.shallow(&array) {
                Ty::Array(class) => {
                    if let ClassSrc::Array { item, .. } = &self.cx.classes[class] {
                        let item = item.clone();
                        self.equate(&item, &fill, span);
                    }
                }
                Ty::Var(_) => {
                    let d = Diagnostic::new(Code::Annotate, span, &["array"]);
                    self.cx.report(
                        d.help("write `GcArray::<Item>::new(..)`, or annotate the variable"),
                    );
                    self.equate(&Ty::Error, &array, span);
                }
                Ty::Error => {}
                other => self.mismatch(&other, "GcArray<_>", span),
            }
        }
        self.infer.apply_defaults();
        self.solve_pending();
    }

    fn span(&self, node: &impl Spanned) -> Span {
        self.cx.span(self.env.module, node)
    }

    fn err(&mut self, code: Code, span: Span, words: &[&str]) {
        self.cx.err(code, span, words);
    }

    /// Complains, and answers the expression that stands for the mistake.
    fn bad(&mut self, code: Code, span: Span, words: &[&str]) -> Expr {
        self.err(code, span, words);
        Expr::error(span)
    }

    /// A type as messages show it.
    fn show(&self, ty: &Ty) -> String {
        match self.infer.hole(ty) {
            Some(VarKind::Int) => "{integer}".to_owned(),
            Some(_) => match self.infer.parts(ty) {
                Some((head, args)) => self.show_open(&head, &args),
                None => "_".to_owned(),
            },
            None => self.cx.show(&self.infer.deep(ty)),
        }
    }

    /// A new hole.
    fn hole(&mut self, span: Span) -> Ty {
        self.infer.var(VarKind::General, span)
    }

    fn declare(&mut self, name: String, ty: Ty, span: Span) -> LocalId {
        let local = self.temp(&name, ty, span);
        self.scope.push(&name, local);
        local
    }

    /// A local that the source cannot name.
    fn temp(&mut self, name: &str, ty: Ty, span: Span) -> LocalId {
        self.locals.push(LocalInfo {
            name: crate::expand::tokens::unmarked(name).to_owned(),
            ty,
            span,
            name_is: Name::Value,
            param: false,
            form: None,
            of_field: false,
        })
    }

    fn lookup(&self, name: &str) -> Option<LocalId> {
        self.scope.find_marked(name)
    }

    /// Reads a local.
    fn read(&self, local: LocalId, span: Span) -> Expr {
        self.read_place(&self.place_named(local), span)
    }

    fn new_loop(&mut self) -> LoopId {
        self.next_loop += 1;
        LoopId::new(self.next_loop - 1)
    }

    /// Runs `f` and forgets the names it declares.
    fn scoped<R>(&mut self, f: impl FnOnce(&mut Self) -> R) -> R {
        let mark = self.scope.len();
        let module = self.env.module;
        let result = f(self);
        self.scope.truncate(mark);
        self.env.module = module;
        result
    }

    /// Makes two types equal or complains.
    fn equate(&mut self, expected: &Ty, found: &Ty, span: Span) -> bool {
        let equal = self.infer.unify(expected, found);
        self.settle();
        if !equal {
            let expected = self.show(expected);
            self.mismatch(found, &expected, span);
        }
        equal
    }

    fn mismatch(&mut self, found: &Ty, expected: &str, span: Span) {
        let found = self.show(found);
        self.err(Code::Mismatch, span, &[expected, &found]);
    }

    /// The expression as a value of this type.
    fn coerce(&mut self, expr: Expr, ty: &Ty) -> Expr {
        let found = self.infer.shallow(&expr.ty);
        if matches!(found, Ty::Never | Ty::Error) {
            return expr;
        }
        if let (Ty::Foreign(param), Ty::Foreign(found)) = (self.infer.shallow(ty), &found)
            && found.passes_as(&param)
        {
            return expr;
        }
        let equal = self.infer.unify(ty, &found);
        self.settle();
        if equal {
            return expr;
        }
        let words = [self.show(ty), self.show(&found)];
        let mut d = Diagnostic::new(Code::Mismatch, tail(&expr).span, &[&words[0], &words[1]]);
        match self.infer.shallow(ty) {
            Ty::Object(_) if matches!(found, Ty::Gc(_)) => {
                d = d.help(format!("write `{}::from(..)`", words[0]));
            }
            Ty::Option(inner) if self.infer.shallow(&inner) == found => {
                d = d.help("write `Some(..)`");
            }
            Ty::Result(inner, _) if self.infer.shallow(&inner) == found => {
                d = d.help("write `Ok(..)`");
            }
            _ => {}
        }
        self.cx.report(d);
        Expr::new(Kind::Error, Ty::Error, expr.span)
    }

    /// Checks an expression whose type is known.
    fn coerced(&mut self, expr: &syn::Expr, ty: &Ty) -> Expr {
        let checked = self.expr(expr, Some(ty));
        self.coerce(checked, ty)
    }
}

/// What gives a block its value.
fn tail(expr: &Expr) -> &Expr {
    match &expr.kind {
        Kind::Block(list) => list.last().map_or(expr, tail),
        _ => expr,
    }
}

/// The type of several branches together.
struct Join {
    ty: Option<Ty>,
}

impl Join {
    fn new(expect: Option<&Ty>) -> Join {
        Join {
            ty: expect.cloned(),
        }
    }

    /// Adds a branch.
    fn add(&mut self, fcx: &mut FnCx<'_>, branch: Expr) -> Expr {
        match fcx.infer.shallow(&branch.ty) {
            Ty::Never => branch,
            found => match self.ty.clone() {
                Some(ty) => fcx.coerce(branch, &ty),
                None => {
                    self.ty = Some(found);
                    branch
                }
            },
        }
    }

    /// The common type; `!` if no branch has a value.
    fn finish(self, branches: &[&Expr]) -> Ty {
        match self.ty {
            Some(ty) if branches.iter().any(|b| b.ty != Ty::Never) => ty,
            _ => Ty::Never,
        }
    }
}
