//! Names that mean the same in every crate: derives and macros of the standard library, attributes
//! of ours. A name alone says nothing, since a crate may have something else of that name: the
//! callers have found out where the name comes from, or refuse otherwise.

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

/// An attribute that is a macro of ours.
pub(crate) struct OurAttribute {
    pub name: &'static str,
    /// It says how a function is called: a function has at most one of these.
    pub exclusive: bool,
    /// The function's body is not traced: only its effects are read off it.
    pub opaque: bool,
    /// The arguments by which it learns that it stands in an `impl` block, if it takes any.
    pub in_impl: Option<&'static str>,
}

/// Each with its name: `exclusive`, `opaque`, and what it takes in an `impl` block.
const fn of(
    name: &'static str,
    exclusive: bool,
    opaque: bool,
    in_impl: Option<&'static str>,
) -> OurAttribute {
    OurAttribute {
        name,
        exclusive,
        opaque,
        in_impl,
    }
}

/// The attributes of ours, in the order in which messages list them.
pub(crate) const OUR_ATTRIBUTES: &[OurAttribute] = &[
    of("portal", true, false, None),
    of("opaque", true, true, Some("Self")),
    of("conditional_call", true, true, None),
    of("readonly", true, true, Some("Self")),
    of("loop_invariant", true, true, Some("Self")),
    of("elidable", true, false, Some("Self")),
    of("elidable_promote", true, false, Some("Self")),
    of("look_inside_iff", true, false, Some("Self::predicate")),
    of("unroll_safe", false, false, None),
    of(ADVICE, false, false, None),
    of("gc", false, false, None),
    of("object", false, false, None),
    of("value", false, false, None),
    of(ROOTED, false, false, None),
];

pub(crate) fn is_our_attribute(name: &str) -> bool {
    OUR_ATTRIBUTES.iter().any(|a| a.name == name)
}

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

/// The attribute with words for the author of a guest program.
pub(crate) const ADVICE: &str = "advice";

/// The attribute that allows references off the heap.
pub(crate) const ROOTED: &str = "rooted_elsewhere";
