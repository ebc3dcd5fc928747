//! What a call means, as text, and what has been noted of the calls of a function.
//!
//! The checker writes them, [`crate::callees`] reads them.
//! Invariant: equal callees have equal text.

use crate::types::generics::Inst;
use std::fmt::{self, Display, Formatter};

/// What a call means.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Callee {
    /// A function that is no member of anything: its path.
    Path(String),
    /// A member that a type has itself.
    Own {
        /// The type.
        of: String,
        /// The member.
        name: String,
    },
    /// A member of a trait.
    Trait {
        /// For which type.
        this: String,
        /// Whether the implementation is for any type: then references around this one may be
        /// missing.
        any: bool,
        /// The trait, with its arguments if the implementation gives some.
        of_trait: String,
        /// The member.
        name: String,
    },
}

impl Display for Callee {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Callee::Path(path) => write!(f, "{path}"),
            Callee::Own { of, name } => write!(f, "<{of}>::{name}"),
            Callee::Trait {
                this,
                any,
                of_trait,
                name,
            } => {
                let any = if *any { "any " } else { "" };
                write!(f, "<{any}{this} as {of_trait}>::{name}")
            }
        }
    }
}

/// What has been noted of a function.
#[derive(Clone, Default)]
pub(crate) struct Notes {
    pub found: Vec<Noted>,
    /// The names of what is called in branches that are not looked at.
    pub skipped: Vec<String>,
    /// The names of the functions that the portal has for the engine to ask.
    pub asked: Vec<String>,
}

/// A callee, and the instance if it is a function of the crate.
#[derive(Clone)]
pub(crate) struct Noted {
    pub callee: Callee,
    pub called: Option<Inst>,
    /// It is named, not called.
    pub is_value: bool,
    /// It is called in a guard of an arm with alternatives.
    pub in_guard: bool,
    /// It is behind something that does not go on, as `return`.
    pub is_dead: bool,
}
