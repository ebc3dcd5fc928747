//! What only one side calls, and why that is no mistake.
//!
//! In: a callee without a partner. Out: the reason, if there is one. Invariant: a reason is about
//! what the compilers do, never about a function.

use crate::callee::{Callee, Kind, head};
use crate::types::{Token, is_scalar, values};

/// Functions of the library, which is another crate.
pub const LIBRARY: &str = "function of Verdigris' library";
/// What the translator has a text for.
pub const TEXT: &str = "function that the translator has for one of std";
/// Parts of an `index_mut`.
pub const ACCESSOR: &str = "part of an `index_mut` that the translator has taken apart";
/// Functions that an attribute has made of one that is called.
pub const PROMOTING: &str = "function that promotes what the source is given, which is called";
/// Calls of what a variable holds.
pub const VALUE: &str = "function that a variable holds";
/// Calls that rustc repeats.
pub const REPEATED: &str = "guard of an arm with alternatives, which rustc has for each";
/// Calls that traced code does not have.
pub const SKIPPED: &str = "branch that traced code never takes, or closure that nobody calls";
/// Functions that the attribute of the portal names: its macro calls them for rustc to compare the
/// types.
pub const ASKED: &str = "function that the engine asks, named by the portal";
/// Calls behind something that does not go on.
pub const UNREACHABLE: &str = "call that is never reached, which rustc leaves out if it sees that";
/// Functions that rustc has under no such name.
pub const NO_BODY: &str = "function without MIR";

/// Why only rustc calls something.
pub fn only_rustc(callee: &Callee) -> Option<&'static str> {
    match &callee.kind {
        Kind::Pointer => Some("pointer to a function, which has no name"),
        Kind::Path(path) => {
            let path: Vec<&str> = path.iter().map(String::as_str).collect();
            match path.as_slice() {
                [.., name] if PANICS.contains(name) => Some("panic"),
                ["verdigris", "rt", ..] => Some("what a macro of Verdigris stands for"),
                _ => None,
            }
        }
        Kind::Own(of, name) => {
            let of = head(of).and_then(|path| path.last().map(String::as_str));
            let path = callee.this().and_then(|of| head(of));
            if let Some([root, module, ..]) = path
                && (root.as_str(), module.as_str()) == ("verdigris", "rt")
            {
                return Some("what a macro of Verdigris stands for");
            }
            match (of, name.as_str()) {
                (Some("Arguments" | "Argument"), _) => Some("formatting"),
                (Some("Cell"), "new") => Some("`Cell::new`, which is the value"),
                (Some("RangeInclusive"), "new") | (None, "iter") => Some("`for` loop"),
                _ => None,
            }
        }
        Kind::Trait { this, .. } => match callee.trait_name()? {
            "Try" | "FromResidual" => Some("`?`"),
            "Deref" | "DerefMut" => Some("implicit dereference"),
            "IntoIterator" | "Iterator" | "DoubleEndedIterator" if !is_ours(this) => {
                Some("`for` loop")
            }
            "Fn" | "FnMut" | "FnOnce" => Some("call of a closure or of a parameter"),
            name if is_scalar_type(this) && OPERATORS.contains(&name) => {
                Some("operator on a reference to a scalar")
            }
            _ => None,
        },
    }
}

/// Why only the translator calls something.
pub fn only_ours(callee: &Callee) -> Option<&'static str> {
    match &callee.kind {
        Kind::Trait { this, .. }
            if is_scalar_type(this) && callee.trait_name() == Some("Clone") =>
        {
            Some("`clone` of a scalar, which is a copy")
        }
        Kind::Own(of, name) if is_array(of) && name == "len" => {
            Some("length of an array, which rustc knows")
        }
        Kind::Trait { this, .. }
            if is_array(this) && callee.trait_name() == Some("IntoIterator") =>
        {
            Some("`for` loop")
        }
        _ => None,
    }
}

/// Whether a type is one of the crate, as far as its name says it.
fn is_ours(ty: &[Token]) -> bool {
    match head(ty) {
        Some([name]) => !is_scalar(name) && !ITERATORS.contains(&name.as_str()),
        Some([root, ..]) => !matches!(root.as_str(), "std" | "core" | "alloc"),
        Some([]) | None => false,
    }
}

fn is_array(ty: &[Token]) -> bool {
    values(ty).first() == Some(&Token::Mark('['))
}

fn is_scalar_type(ty: &[Token]) -> bool {
    match values(ty).as_slice() {
        [Token::Path(path)] => path.len() == 1 && is_scalar(&path[0]),
        _ => false,
    }
}

/// The iterators of std that are printed without their module.
const ITERATORS: &[&str] = &["Cloned", "Copied", "Enumerate", "Rev", "StepBy"];

/// What the macros that panic call.
const PANICS: &[&str] = &[
    "assert_failed",
    "begin_panic",
    "panic",
    "panic_display",
    "panic_fmt",
    "panic_str_2015",
    "panic_explicit",
    "unreachable_display",
];

/// The traits of operators.
const OPERATORS: &[&str] = &[
    "Add",
    "AddAssign",
    "BitAnd",
    "BitAndAssign",
    "BitOr",
    "BitOrAssign",
    "BitXor",
    "BitXorAssign",
    "Div",
    "DivAssign",
    "Mul",
    "MulAssign",
    "Neg",
    "Not",
    "PartialEq",
    "PartialOrd",
    "Rem",
    "RemAssign",
    "Shl",
    "ShlAssign",
    "Shr",
    "ShrAssign",
    "Sub",
    "SubAssign",
];
