//! Data structures that the JIT sees through: their source is in the subset of Rust that the
//! translator reads, and it reads it together with the interpreter's. The module [`library`] has
//! the types (feature `code`), [`SOURCES`] the text.
//!
//! The text is what has been compiled. Inside it, paths are relative (`super::`), except those into
//! `verdigris`, which names what an interpreter may name, so that the text means the same wherever
//! it is read from.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

// The expansions of the attributes name `::verdigris`.
#[cfg(feature = "code")]
extern crate self as verdigris;

#[cfg(feature = "code")]
mod hints;
#[cfg(feature = "code")]
pub mod library;
#[cfg(feature = "code")]
#[doc(hidden)]
pub mod rt;

#[cfg(feature = "code")]
pub use hints::{concrete, is_constant, is_virtual, promote, we_are_jitted};
#[cfg(feature = "code")]
pub use verdigris_heap::{Cell, Gc, GcArray, Stored, Word};
#[cfg(feature = "code")]
pub use verdigris_macros::{elidable, gc, object, opaque, readonly, unroll_safe, value};

/// The library's source: path and text of each file, its root first.
pub const SOURCES: &[(&str, &str)] = &[
    ("library/mod.rs", include_str!("library/mod.rs")),
    ("library/builder.rs", include_str!("library/builder.rs")),
    ("library/bytes.rs", include_str!("library/bytes.rs")),
    ("library/float.rs", include_str!("library/float.rs")),
    ("library/identity.rs", include_str!("library/identity.rs")),
    ("library/key.rs", include_str!("library/key.rs")),
    ("library/list.rs", include_str!("library/list.rs")),
    ("library/map.rs", include_str!("library/map.rs")),
    ("library/order.rs", include_str!("library/order.rs")),
    ("library/prelude.rs", include_str!("library/prelude.rs")),
    ("library/text.rs", include_str!("library/text.rs")),
    ("library/symbol.rs", include_str!("library/symbol.rs")),
    ("library/weak.rs", include_str!("library/weak.rs")),
];
