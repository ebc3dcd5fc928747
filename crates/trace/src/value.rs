//! Values and constants of traces, and the identities of guards and labels.
//!
//! No constant has the type word, so constants fold without a look at the tag of a value.

use cranelift_entity::entity_impl;
use std::fmt;
use verdigris_ops::Ty;

/// A value that a trace computes: an input, a label's definition, or an operation's result.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ValRef(u32);
entity_impl!(ValRef, "v");

/// A guard. Unique in one VM: the engine hands them out, so that a guard's code, counters and
/// resume data are found by it across traces. Guards of recorded traces have none.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GuardId(u32);
entity_impl!(GuardId, "g");

/// A label that a `jump` can go to. Unique in one VM, handed out by the engine.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TargetId(u32);
entity_impl!(TargetId, "L");

/// A typed constant. References are addresses of objects that the trace's owner keeps alive (the
/// heap does not move).
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum Const {
    /// An integer word.
    Int(i64),
    /// The address of an object, 0 for null.
    Ref(u64),
    /// The bit pattern of a double.
    Float(u64),
}

impl Const {
    /// The type.
    #[inline]
    pub fn ty(self) -> Ty {
        match self {
            Const::Int(_) => Ty::Int,
            Const::Ref(_) => Ty::Ref,
            Const::Float(_) => Ty::Float,
        }
    }

    /// The raw word.
    #[inline]
    pub fn word(self) -> u64 {
        match self {
            Const::Int(v) => v as u64,
            Const::Ref(v) | Const::Float(v) => v,
        }
    }

    /// The constant of this type with this raw word.
    ///
    /// # Panics
    /// If the type is [`Ty::Word`]: there are no such constants.
    #[inline]
    pub fn new(ty: Ty, word: u64) -> Const {
        match ty {
            Ty::Int => Const::Int(word as i64),
            Ty::Ref => Const::Ref(word),
            Ty::Float => Const::Float(word),
            Ty::Word => unreachable!("no constant has the type word"),
        }
    }
}

impl fmt::Debug for Const {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Const::Int(v) => write!(f, "{v}"),
            Const::Ref(0) => write!(f, "null"),
            Const::Ref(v) => write!(f, "ref({v:#x})"),
            Const::Float(v) => write!(f, "{:?}", f64::from_bits(*v)),
        }
    }
}

/// An argument: a computed value or a constant.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum Arg {
    /// A computed value.
    Ref(ValRef),
    /// A constant.
    Const(Const),
}

impl Arg {
    /// An integer constant.
    pub fn int(v: i64) -> Arg {
        Arg::Const(Const::Int(v))
    }

    /// The null reference.
    pub const NULL: Arg = Arg::Const(Const::Ref(0));

    /// The constant, if it is one.
    #[inline]
    pub fn as_const(self) -> Option<Const> {
        match self {
            Arg::Const(c) => Some(c),
            Arg::Ref(_) => None,
        }
    }

    /// The computed value, if it is one.
    #[inline]
    pub fn as_ref(self) -> Option<ValRef> {
        match self {
            Arg::Ref(v) => Some(v),
            Arg::Const(_) => None,
        }
    }
}

impl fmt::Debug for Arg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Arg::Ref(v) => write!(f, "{v:?}"),
            Arg::Const(c) => write!(f, "{c:?}"),
        }
    }
}
