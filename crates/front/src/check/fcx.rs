//! A function that is being checked.
//!
//! In: its environment. Out: [`FnCx`], which the parts of the checker share: its locals, holes and
//! loops, and what is asked and said all the time. Invariant: a name that has been declared means
//! its local until its scope ends.

use crate::check::hir::{Expr, Kind};
use crate::check::notes::Notes;
use crate::check::scope::Scope;
use crate::check::terms::*;
use crate::cx::Cx;
use crate::cx::sources::{Env, Form, Layer};
use crate::source::diag::{DiagCode, Diagnostic};
use crate::source::extent::Extent;
use crate::tast::{FuncId, LocalId, LoopId, Span};
use crate::types::infer::{Infer, VarKind};
use crate::types::ty::Ty;
use cranelift_entity::{EntityRef, PrimaryMap};
use std::cell::Cell;
use std::mem::replace;
use std::rc::Rc;

/// A local variable while types are inferred.
pub(crate) struct LocalInfo {
    pub name: String,
    pub ty: Ty,
    pub span: Span,
    /// Whether its name is a `&mut`.
    pub name_is: Name,
    /// The source declares it with the type of a type parameter.
    pub param: bool,
    /// The references around what that parameter stands for, if they are known.
    pub around: Option<Vec<Layer>>,
    /// Its type in Rust, if the source says it.
    pub form: Option<Form>,
    /// A pattern binds it to a field, or to a reference to one, whose declared type has no
    /// references.
    pub of_field: bool,
}

/// A loop or labelled block that `break` can leave.
pub(super) struct Frame {
    pub(super) label: Option<String>,
    pub(super) id: LoopId,
    pub(super) kind: FrameKind,
    /// Whether a `break` leaves it.
    pub(super) left: bool,
}

#[derive(Clone, PartialEq)]
pub(super) enum FrameKind {
    /// `loop`, with the type of its value.
    Loop(Ty),
    /// `while` and `for`.
    While,
    /// A labelled block, with the type of its value.
    Block(Ty),
}

/// What is said of values that traced code does not have.
const CANNOT_BE_MADE: [DiagCode; 7] = [
    DiagCode::BadType,
    DiagCode::Unsupported,
    DiagCode::UnsupportedWithHelp,
    DiagCode::UnsupportedMacro,
    DiagCode::ExternCall,
    DiagCode::TraitMethod,
    DiagCode::NoMethod,
];

/// A function being checked.
pub(crate) struct FnCx<'a> {
    pub cx: &'a mut Cx,
    pub env: Env,
    pub infer: Infer,
    pub locals: PrimaryMap<LocalId, LocalInfo>,
    pub(super) scope: Scope,
    /// What the pattern being checked is matched against.
    pub(super) matched: Matched,
    /// Inside a pattern for fields whose types have no references.
    pub(super) in_fields: bool,
    /// The closure, or function that takes closures, that the code being checked is inlined from.
    pub(super) closure: Option<OwnBody>,
    /// How many calls are inlined: of closures with names, and of functions that take closures.
    pub(super) inlined_calls: u32,
    /// Inside a `move` closure: the first local that belongs to it.
    pub(super) frozen: Option<LocalId>,
    /// The functions that the code being checked is inlined out of.
    pub(super) inlined: Option<Rc<Inlined>>,
    /// Where the user calls what is checked, if that is written in a text of the standard library.
    pub(super) called_at: Option<Span>,
    /// Inside an alternative of a pattern: what the alternatives before it bind.
    pub(super) shared: Option<Vec<(String, LocalId)>>,
    pub(super) frames: Vec<Frame>,
    pub(super) next_loop: usize,
    pub(super) ret: Ty,
    /// Whether the code being checked cannot be reached.
    pub(super) diverges: bool,
    /// None in constants.
    pub(super) func: Option<FuncId>,
    pub(super) portal: bool,
    /// The first loop of the function that has the source being checked.
    pub(super) first_loop: Rc<Cell<Option<Span>>>,
    /// The loop with the merge point, and where that is.
    pub(super) merge: Option<(LoopId, Span)>,
    /// The greens of the merge point.
    pub(super) greens: Vec<LocalId>,
    /// All its variables, and where it names them.
    pub(super) merged: Vec<(LocalId, Span)>,
    /// Whether there is a `merge_point!` in the wrong place.
    pub(super) stray_merge: bool,
    /// Arrays made before their type is known, with the type of the fill value.
    pub(super) arrays: Vec<(Ty, Ty, Span)>,
    /// Calls whose callee is found at the end.
    pub pending: Vec<Pending>,
    /// What writes back the items that are lent to the call whose arguments are being checked.
    pub(super) after: Vec<Expr>,
    pub(super) notes: Notes,
}

impl<'a> FnCx<'a> {
    pub(super) fn new(cx: &'a mut Cx, env: Env, ret: Ty) -> FnCx<'a> {
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
            inlined_calls: 0,
            frozen: None,
            inlined: None,
            called_at: None,
            shared: None,
            frames: Vec::new(),
            next_loop: 0,
            ret,
            diverges: false,
            func: None,
            portal: false,
            first_loop: Rc::default(),
            merge: None,
            greens: Vec::new(),
            merged: Vec::new(),
            stray_merge: false,
            arrays: Vec::new(),
            pending: Vec::new(),
            after: Vec::new(),
            notes: Notes::default(),
        }
    }

    pub(super) fn span(&self, node: &impl Extent) -> Span {
        self.called_at
            .unwrap_or_else(|| self.cx.span(self.env.module, node))
    }

    pub(super) fn err(&mut self, code: DiagCode, span: Span, words: &[&str]) {
        self.cx.err(code, span, words);
    }

    /// Complains, and answers the expression that stands for the mistake.
    pub(super) fn bad(&mut self, code: DiagCode, span: Span, words: &[&str]) -> Expr {
        self.err(code, span, words);
        Expr::error(span)
    }

    /// A type as messages show it.
    pub(super) fn show(&self, ty: &Ty) -> String {
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
    pub(super) fn hole(&mut self, span: Span) -> Ty {
        self.infer.var(VarKind::General, span)
    }

    pub(super) fn declare(&mut self, name: String, ty: Ty, span: Span) -> LocalId {
        let local = self.temp(&name, ty, span);
        self.scope.push(&name, local);
        local
    }

    /// A local that the source cannot name.
    pub(super) fn temp(&mut self, name: &str, ty: Ty, span: Span) -> LocalId {
        self.locals.push(LocalInfo {
            name: crate::expand::tokens::unmarked(name).to_owned(),
            ty,
            span,
            name_is: Name::Value,
            param: false,
            around: None,
            form: None,
            of_field: false,
        })
    }

    pub(super) fn lookup(&self, name: &str) -> Option<LocalId> {
        self.scope.find_marked(name)
    }

    /// Reads a local.
    pub(super) fn read(&self, local: LocalId, span: Span) -> Expr {
        self.read_place(&self.place_named(local), span)
    }

    pub(super) fn new_loop(&mut self) -> LoopId {
        self.next_loop += 1;
        LoopId::new(self.next_loop - 1)
    }

    /// Runs `f` and forgets the names it declares.
    pub(super) fn scoped<R>(&mut self, f: impl FnOnce(&mut Self) -> R) -> R {
        let mark = self.scope.len();
        let module = self.env.module;
        let result = f(self);
        self.scope.truncate(mark);
        self.env.module = module;
        result
    }

    /// What the code being checked depends on.
    pub(super) fn site(&self) -> Site {
        Site {
            scope: self.scope.clone(),
            env: self.env,
            frozen: self.frozen,
            inlined: self.inlined.clone(),
            called_at: self.called_at,
            portal: self.portal,
            first_loop: self.first_loop.clone(),
            quiet: self.notes.quiet,
            guards: self.notes.guards,
            dead: self.notes.dead,
        }
    }

    /// Goes to what is written elsewhere, and answers where the checker was.
    pub(super) fn go_to(&mut self, site: Site) -> Site {
        Site {
            scope: replace(&mut self.scope, site.scope),
            env: replace(&mut self.env, site.env),
            frozen: replace(&mut self.frozen, site.frozen),
            inlined: replace(&mut self.inlined, site.inlined),
            called_at: replace(&mut self.called_at, site.called_at),
            portal: replace(&mut self.portal, site.portal),
            first_loop: replace(&mut self.first_loop, site.first_loop),
            quiet: replace(&mut self.notes.quiet, site.quiet),
            guards: replace(&mut self.notes.guards, site.guards),
            dead: replace(&mut self.notes.dead, site.dead),
        }
    }

    /// Makes two types equal or complains.
    pub(super) fn equate(&mut self, expected: &Ty, found: &Ty, span: Span) -> bool {
        let equal = self.infer.unify(expected, found);
        self.settle();
        if !equal {
            let expected = self.show(expected);
            self.mismatch(found, &expected, span);
        }
        equal
    }

    pub(super) fn mismatch(&mut self, found: &Ty, expected: &str, span: Span) {
        let found = self.show(found);
        self.err(DiagCode::Mismatch, span, &[expected, &found]);
    }

    /// The expression as a value of this type.
    pub(super) fn coerce(&mut self, expr: Expr, ty: &Ty) -> Expr {
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
        let mut d = Diagnostic::new(
            DiagCode::Mismatch,
            tail(&expr).span,
            &[&words[0], &words[1]],
        );
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
            Ty::Foreign(_) if !matches!(found, Ty::Foreign(_)) => {
                d = d.help("traced code has no such reference to what it holds itself: take a `GcArray` or `Gc<Str>` instead, or let a function marked `#[opaque]` make what is borrowed");
            }
            _ => {}
        }
        self.cx.report(d);
        Expr::new(Kind::Error, Ty::Error, expr.span)
    }

    /// Checks an expression whose type is known.
    pub(super) fn coerced(&mut self, expr: &syn::Expr, ty: &Ty) -> Expr {
        let checked = self.expected(expr, ty);
        self.coerce(checked, ty)
    }

    /// Checks an expression of which a type is expected. If there has been a complaint about the
    /// type, as in `let v: Vec<i64> = Vec::new()`, that such a value cannot be made is the same
    /// mistake.
    pub(super) fn expected(&mut self, expr: &syn::Expr, ty: &Ty) -> Expr {
        let known = self.cx.diags.len();
        let checked = self.expr(expr, Some(ty));
        if self.infer.shallow(ty) == Ty::Error {
            let found = self.cx.diags.split_off(known);
            let others = found
                .into_iter()
                .filter(|d| !CANNOT_BE_MADE.contains(&d.code));
            self.cx.diags.extend(others);
        }
        checked
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
pub(super) struct Join {
    pub(super) ty: Option<Ty>,
}

impl Join {
    pub(super) fn new(expect: Option<&Ty>) -> Join {
        Join {
            ty: expect.cloned(),
        }
    }

    /// Adds a branch.
    pub(super) fn add(&mut self, fcx: &mut FnCx<'_>, branch: Expr) -> Expr {
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
    pub(super) fn finish(self, branches: &[&Expr]) -> Ty {
        match self.ty {
            Some(ty) if branches.iter().any(|b| b.ty != Ty::Never) => ty,
            _ => Ty::Never,
        }
    }
}
