//! A function that is being checked.
//!
//! In: its environment. Out: [`FnCx`], which the parts of the checker share: its locals, holes and
//! loops, and what is asked and said all the time. Invariant: a name that has been declared means
//! its local until its scope ends.

use crate::check::hir::{Expr, Kind};
use crate::check::notes::Notes;
use crate::check::terms::*;
use crate::cx::Cx;
use crate::cx::sources::{Env, RefKind, SourceType};
use crate::source::diag::{DiagCode, Diagnostic};
use crate::source::extent::Extent;
use crate::tast::{FuncId, LocalId, LoopId, Span};
use crate::types::infer::{Infer, VarKind};
use crate::types::ty::Ty;
use cranelift_entity::{EntityRef, PrimaryMap};

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
    pub around: Option<Vec<RefKind>>,
    /// Its type in Rust, if the source says it.
    pub form: Option<SourceType>,
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

/// The merge point of the function being checked.
#[derive(Default)]
pub(super) struct PortalCx {
    /// The loop with the merge point, and the merge point.
    pub(super) merge_point: Option<(LoopId, Span)>,
    pub(super) greens: Vec<LocalId>,
    /// All variables of the merge point, and where it names them.
    pub(super) variables: Vec<(LocalId, Span)>,
    /// Whether there is a `merge_point!` in the wrong place.
    pub(super) is_misplaced: bool,
}

/// The pattern being checked.
#[derive(Default)]
pub(super) struct PatCx {
    pub(super) matched: Matched,
    /// Inside a pattern for fields whose types have no references.
    pub(super) in_fields: bool,
    /// In an alternative: what the alternatives before it bind.
    pub(super) alternatives: Option<Vec<(String, LocalId)>>,
}

/// A function being checked.
pub(crate) struct FnCx<'a> {
    pub cx: &'a mut Cx,
    pub site: InlineSite,
    pub infer: Infer,
    pub locals: PrimaryMap<LocalId, LocalInfo>,
    pub(super) pat: PatCx,
    pub(super) portal: PortalCx,
    /// The closure, or function that takes closures, that the code being checked is inlined from.
    pub(super) closure: Option<OwnBody>,
    /// How many calls are inlined: of closures with names, and of functions that take closures.
    pub(super) inlined_calls: u32,
    pub(super) frames: Vec<Frame>,
    pub(super) next_loop: usize,
    pub(super) ret: Ty,
    /// Whether the code being checked cannot be reached.
    pub(super) diverges: bool,
    /// `None` in constants.
    pub(super) func: Option<FuncId>,
    /// Arrays made before their type is known, with the type of the fill value.
    pub(super) arrays: Vec<(Ty, Ty, Span)>,
    /// Calls whose callee is found at the end.
    pub pending: Vec<Pending>,
    /// The writes back to the items that are lent to the call whose arguments are being checked.
    pub(super) after: Vec<Expr>,
    pub(super) notes: Notes,
}

impl<'a> FnCx<'a> {
    pub(super) fn new(cx: &'a mut Cx, env: Env, ret: Ty) -> FnCx<'a> {
        let infer = Infer::new(cx.interned.instances.clone());
        FnCx {
            cx,
            site: InlineSite::new(env),
            infer,
            locals: PrimaryMap::new(),
            pat: PatCx::default(),
            portal: PortalCx::default(),
            closure: None,
            inlined_calls: 0,
            frames: Vec::new(),
            next_loop: 0,
            ret,
            diverges: false,
            func: None,
            arrays: Vec::new(),
            pending: Vec::new(),
            after: Vec::new(),
            notes: Notes::default(),
        }
    }

    pub(super) fn span(&self, node: &impl Extent) -> Span {
        self.site
            .called_at
            .unwrap_or_else(|| self.cx.span(self.site.env.module, node))
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
        self.site.scope.push(&name, local);
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
        self.site.scope.find_marked(name)
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
        let mark = self.site.scope.len();
        let module = self.site.env.module;
        let result = f(self);
        self.site.scope.truncate(mark);
        self.site.env.module = module;
        result
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
        let known = self.cx.diags.list.len();
        let checked = self.expr(expr, Some(ty));
        if self.infer.shallow(ty) == Ty::Error {
            let found = self.cx.diags.list.split_off(known);
            let others = found
                .into_iter()
                .filter(|d| !CANNOT_BE_MADE.contains(&d.code));
            self.cx.diags.list.extend(others);
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
