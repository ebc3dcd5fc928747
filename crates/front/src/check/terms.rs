//! What the parts of the checker hand each other besides expressions.
//!
//! Places, subjects of patterns, callees, members. None of them knows
//! the function that is being checked.

use crate::check::hir::{Expr, Op};
use crate::check::scope::Scope;
use crate::cx::sources::Env;
use crate::items::*;
use crate::tast::{self, LocalId, LoopId, Span};
use crate::types::generics::{Inst, SubstId};
use crate::types::ty::Ty;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// What a local's name stands for.
#[derive(Clone, Default)]
pub(crate) enum Name {
    /// Its value.
    #[default]
    Value,
    /// A `&mut` to its value: the parameter of a function, or a variable that the source cannot
    /// name.
    Lent,
    /// A `&mut` to another place.
    Alias(Place),
    /// A closure, which has no value.
    Closure(Rc<Named>),
}

/// A local, or a part (of a part ..) of it.
#[derive(Clone)]
pub(crate) struct Place {
    pub local: LocalId,
    /// From the outside in.
    pub path: Vec<Step>,
}

/// From a value to a part of it.
#[derive(Clone)]
pub(crate) struct Step {
    /// The variant, if the value's type has several.
    pub variant: Option<u32>,
    pub field: u32,
    /// The part's type.
    pub ty: Ty,
}

/// What a pattern is matched against.
pub(super) struct Subject {
    pub value: Expr,
    /// Where that is, if it is in a local.
    pub place: Option<Place>,
    pub borrowed: Borrowed,
}

impl Subject {
    /// A value that is in no place.
    pub fn of(value: Expr) -> Subject {
        Subject {
            value,
            place: None,
            borrowed: Borrowed::No,
        }
    }
}

/// What of a matched place is behind a `&mut`, so that names become references to it.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Borrowed {
    /// Nothing: it is matched by value.
    #[default]
    No,
    /// All of it: `&mut x`.
    Whole,
    /// Its fields: `x.as_mut()`.
    Parts,
}

/// What a pattern is matched against while it is checked.
#[derive(Clone, Default)]
pub(super) struct Matched {
    pub place: Option<Place>,
    pub borrowed: Borrowed,
}

impl Place {
    pub fn of(local: LocalId) -> Place {
        let path = Vec::new();
        Place { local, path }
    }

    /// A part of this.
    pub fn part(&self, step: Step) -> Place {
        let mut place = self.clone();
        place.path.push(step);
        place
    }

    /// The final form.
    pub fn finish(&self) -> tast::LocalPlace {
        let step = |s: &Step| (s.variant.unwrap_or(0), s.field);
        tast::LocalPlace {
            local: self.local,
            path: self.path.iter().map(step).collect(),
        }
    }
}

/// A closure with a name, or a function that is passed as one.
pub(crate) struct Named {
    /// A closure, or the path of a function.
    pub callee: syn::Expr,
    /// Where it is written; nothing while it is being checked.
    pub site: Rc<RefCell<Option<InlineSite>>>,
    /// The types of the parameters and of the result, which are the same for all calls.
    pub params: Vec<Ty>,
    pub ret: Ty,
}

/// Where a call is: all of it, and the name of its callee.
#[derive(Clone, Copy)]
pub(crate) struct CallAt {
    pub call: Span,
    pub callee: Span,
}

impl CallAt {
    pub fn new(call: Span, callee: Span) -> CallAt {
        CallAt { call, callee }
    }

    /// A call that is written as a whole, such as an operator.
    pub fn whole(span: Span) -> CallAt {
        CallAt::new(span, span)
    }
}

/// The context of the source that is being checked. An inlined body or closure is checked at its
/// call, but in the context of the place where it is written.
#[derive(Clone)]
pub(crate) struct InlineSite {
    /// The visible names.
    pub scope: Scope,
    pub env: Env,
    /// In a `move` closure: the first local that belongs to it.
    pub frozen: Option<LocalId>,
    /// The functions that this source is inlined out of.
    pub inlined: Option<Rc<Inlined>>,
    /// For source in a text of the standard library: the user's call of it.
    pub called_at: Option<Span>,
    pub in_portal: bool,
    /// The first loop of the function that has this source.
    pub first_loop: Rc<Cell<Option<Span>>>,
    /// Enclosing constructs whose calls are not the source's own.
    pub quiet: u32,
    /// Enclosing guards of arms with alternatives.
    pub guards: u32,
    /// Enclosing blocks that cannot be reached.
    pub dead: u32,
}

impl InlineSite {
    /// At the top level of a function.
    pub fn new(env: Env) -> InlineSite {
        InlineSite {
            scope: Scope::default(),
            env,
            frozen: None,
            inlined: None,
            called_at: None,
            in_portal: false,
            first_loop: Rc::default(),
            quiet: 0,
            guards: 0,
            dead: 0,
        }
    }
}

/// A function that is inlined where it is called, and those around it.
pub(crate) struct Inlined {
    pub item: FnItemId,
    pub outer: Option<Rc<Inlined>>,
}

/// The closure, or function that takes closures, whose body is being checked inside of another
/// function.
#[derive(Clone, Copy)]
pub(super) struct OwnBody {
    /// The block that it is.
    pub block: LoopId,
    /// Whether `return` leaves it.
    pub left: bool,
}

/// What is called.
#[derive(Clone, Copy)]
pub(super) struct Callee<'e> {
    pub item: FnItemId,
    /// What the parameters of its `impl` block stand for.
    pub subst: SubstId,
    /// The implementation by which a trait's function was found.
    pub by: Option<ImplId>,
    /// The path's segment or method's name with the function's own arguments.
    pub turbofish: Option<&'e syn::AngleBracketedGenericArguments>,
}

impl Callee<'_> {
    /// A function outside of `impl` blocks, without arguments of its own.
    pub fn plain(item: FnItemId) -> Callee<'static> {
        Callee {
            item,
            subst: SubstId::EMPTY,
            by: None,
            turbofish: None,
        }
    }
}

/// A call whose callee is not known yet.
pub(crate) struct Pending {
    pub callee: Inst,
    pub at: Span,
    /// What is lent to it.
    pub lent: Vec<tast::LocalPlace>,
    /// Once it is known; none after a complaint.
    pub op: Option<Op>,
}

/// The arguments of a call.
pub(super) type Args<'e> = Vec<&'e syn::Expr>;

/// The generic arguments of a function's name.
pub(super) type Turbofish<'e> = Option<&'e syn::AngleBracketedGenericArguments>;

/// A member of a trait, for a type.
#[derive(Clone, Copy)]
pub(super) struct Member {
    pub assoc: Assoc,
    pub subst: SubstId,
    /// The implementation, whether it has the member itself or the trait provides it.
    pub by: Option<ImplId>,
}

/// What came of looking for one.
pub(super) enum Found {
    One(Member),
    None,
    /// Several would do: their traits.
    Several(Vec<String>),
}

/// Which side is evaluated first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum First {
    Value,
    Place,
    Unknown,
}

/// What a call means.
pub(super) enum Pick {
    /// A method of the type itself, or none that the crate has.
    Own,
    Trait(Member),
    /// That is not clear: what would do.
    Ambiguous(Vec<String>),
}
