//! Names that mean the same in every crate: derives and macros of the standard library, attributes
//! of ours. Nothing comes in; lists of names go out. Invariant: a name alone says nothing, since a
//! crate may have something else of that name; who looks here has found out where the name comes
//! from, or refuses otherwise.

/// The derives of the standard library.
pub(crate) const DERIVES: &[&str] = &[
    "Clone",
    "Copy",
    "Debug",
    "Default",
    "Eq",
    "Hash",
    "Ord",
    "PartialEq",
    "PartialOrd",
];

/// The attributes that are macros of ours.
pub(crate) const OUR_ATTRIBUTES: &[&str] = &[
    "conditional_call",
    "elidable",
    "elidable_promote",
    "gc",
    "look_inside_iff",
    "loop_invariant",
    "object",
    "opaque",
    "portal",
    "readonly",
    "rooted_elsewhere",
    "unroll_safe",
    "value",
];

/// Macros of ours, which have to be imported, and whose arguments name variables.
pub(crate) const OUR_MACROS: &[&str] = &["can_enter_jit", "merge_point"];

/// Macros of the standard library whose arguments are expressions, of which some are formatted.
pub(crate) const LIST_MACROS: &[&str] = &[
    "assert",
    "assert_eq",
    "assert_ne",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "eprint",
    "eprintln",
    "format",
    "format_args",
    "panic",
    "print",
    "println",
    "todo",
    "unimplemented",
    "unreachable",
    "vec",
    "write",
    "writeln",
];

/// How the paths of these texts begin; no file of a user does.
pub(crate) const TEXTS_FOLDER: &str = "<verdigris>/";

/// The path of the library's items.
pub(crate) const LIBRARY_PATH: &str = "verdigris::library";

/// The attribute of whoever knows better.
pub(crate) const ROOTED: &str = "rooted_elsewhere";
