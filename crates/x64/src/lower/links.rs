//! What a compilation may look at outside of its trace's operations.

use crate::code::LabelCode;
use crate::trampolines::Handlers;
use std::rc::Rc;
use verdigris_backend::{BackendError, Callees};
use verdigris_ops::Descrs;
use verdigris_trace::{OptimisedTrace, TargetId};

pub(crate) struct Links<'a> {
    pub(crate) trace: &'a OptimisedTrace,
    pub(crate) descrs: &'a Descrs,
    pub(crate) callees: Option<&'a dyn Callees>,
    /// Labels of other traces.
    pub(crate) label: &'a dyn Fn(TargetId) -> Option<Rc<LabelCode>>,
    pub(crate) handlers: &'a Handlers,
    /// Whether guards have to fail once although they hold.
    pub(crate) forced: bool,
    /// Whether records name the first label.
    pub(crate) is_threaded: bool,
}

pub(crate) type Outcome<T = ()> = Result<T, BackendError>;

/// The error for an operation that has no code.
pub(crate) fn unsupported<T>(what: impl std::fmt::Display) -> Outcome<T> {
    Err(BackendError(format!("{what} is not supported")))
}
