//! Identities of classes, fields and functions, and the kinds of functions.

use cranelift_entity::entity_impl;
use serde::{Deserialize, Serialize};

/// A heap class (struct or array).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ClassId(u32);
entity_impl!(ClassId, "class");

/// A field of a struct class.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FieldId(u32);
entity_impl!(FieldId, "field");

/// A function that is called, not traced: opaque, elidable, or the portal itself.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FnId(u32);
entity_impl!(FnId, "fn");

/// The kind of a function, as promised by its author.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum FnKind {
    /// `#[opaque]`: does what its [`Effects`](crate::Effects) allow.
    Opaque,
    /// `#[conditional_call]`: does nothing if its first argument, a truth value, is 0; else what
    /// its [`Effects`](crate::Effects) allow. It has no result.
    Conditional,
    /// `#[elidable]`: same arguments, same result, no visible effect; folds on constants. May
    /// panic.
    Elidable,
    /// `#[readonly]`: same arguments, same result, as long as nothing is written that its
    /// [`Effects`](crate::Effects) read; no visible effect. May panic.
    Readonly,
    /// The library's `as_recorded`: its argument, which a trace takes for a constant, without a
    /// guard: the trace itself asks what follows from it.
    Recorded,
    /// The portal called from traced code. It is inlined as far as the tracer likes, if there is a
    /// [`FnKind::Runner`].
    Portal,
    /// The portal from its merge point on: the arguments are the greens, then the reds. It has no
    /// thunk, and no address if native code cannot begin there.
    Runner,
}
