//! Scopes as data: the names of each piece of code. In, out: what [`super::finder`] finds, and what
//! [`super::scopes`] makes of it.

use crate::bytecode::code;
use ruff_text_size::TextRange;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// How a name is found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    /// A register.
    Local,
    /// A register that holds a shared variable.
    Cell,
    /// A shared variable of the closure.
    Free,
    /// A global or a builtin.
    Global,
    /// The namespace of a class body, and then as a global.
    Name,
}

/// What kind of code a scope is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A module.
    Module,
    /// The body of a class.
    Class,
    /// A function, lambda, or comprehension.
    Function,
}

/// The names of one piece of code.
#[derive(Debug)]
pub struct Scope {
    /// What it is.
    pub kind: Kind,
    /// Whether it has a `yield`.
    pub is_generator: bool,
    /// Whether it is an `async` function, or a comprehension that awaits something.
    pub is_async: bool,
    /// How its names are found.
    pub access: BTreeMap<String, Access>,
    /// Its free variables, in the order of their numbers.
    pub free: Vec<String>,
    /// Whether it has an assignment expression, which can change a variable in the middle of an
    /// expression.
    pub has_walrus: bool,
    /// Variables that may lose their value again.
    pub deleted: BTreeSet<String>,
    /// The scope around it.
    pub(super) parent: Option<usize>,
    /// The class that private names in it belong to.
    pub(super) class_name: Option<String>,
    /// Names that it binds.
    pub(super) bound: BTreeSet<String>,
    /// Names that it uses.
    pub(super) used: BTreeSet<String>,
    /// Names that it declares `global`.
    pub(super) globals: BTreeSet<String>,
    /// Names that it declares `nonlocal`, and where.
    pub(super) nonlocals: BTreeMap<String, TextRange>,
    /// Whether it is a comprehension.
    pub is_comprehension: bool,
}

impl Scope {
    /// What a call of its code makes.
    pub fn made_by_call(&self) -> code::Kind {
        match (self.is_generator, self.is_async) {
            (false, false) => code::Kind::Plain,
            (true, false) => code::Kind::Generator,
            (false, true) => code::Kind::Coroutine,
            (true, true) => code::Kind::AsyncGenerator,
        }
    }
}

/// The scopes of a module.
#[derive(Debug)]
pub struct Scopes {
    /// All of them; the first is the module's.
    pub all: Vec<Scope>,
    /// By the place of a node; `true` for classes.
    pub(super) by_place: HashMap<(TextRange, bool), usize>,
}

impl Scopes {
    /// The scope of the node at this place; `is_class` tells classes from others.
    pub fn of(&self, range: TextRange, is_class: bool) -> usize {
        self.by_place[&(range, is_class)]
    }
}

/// A name as it is known in a class: with the class's name before it if it is private.
pub fn mangled(class: Option<&str>, name: &str) -> String {
    match class.map(|class| class.trim_start_matches('_')) {
        Some(class) if !class.is_empty() && name.starts_with("__") && !name.ends_with("__") => {
            format!("_{class}{name}")
        }
        _ => name.to_string(),
    }
}
