//! Objects, their classes, and what defines them. In: objects and names. Out: values. Invariant:
//! attributes are found as CPython finds them.

pub mod assign;
pub mod attribute;
pub mod awaiting;
pub mod counterpart;
pub mod define;
pub mod evaluate;
pub mod finalize;
pub mod import;
pub mod inherit;
pub mod introspect;
pub mod pattern;
pub mod raise;
pub mod refuse;
pub mod scope_names;
pub mod sites;
pub mod special;
pub mod types;
pub mod write;
