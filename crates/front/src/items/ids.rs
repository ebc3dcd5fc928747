//! Identities of items, and what a name may mean.
//!
//! Indices of the tables of [`crate::items::Crate`], and [`Def`]. An
//! index is one of its own table.

pub(crate) use crate::source::syntax::PlainPath;
use cranelift_entity::entity_impl;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident $text:literal)*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
            pub(crate) struct $name(u32);
            entity_impl!($name, $text);
        )*
    };
}

ids! {
    /// A module, or a block with items in it.
    ModId "mod"
    /// A struct.
    StructId "struct"
    /// An enum.
    EnumId "enum"
    /// A function or method.
    FnItemId "fnitem"
    /// A constant.
    ConstId "const"
    /// A type alias.
    AliasId "alias"
    /// An `impl` block.
    ImplId "impl"
    /// A trait.
    TraitId "trait"
}

/// A namespace.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Ns {
    Types,
    Values,
}

/// Names of `verdigris::prelude` and `std` that the translator knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Builtin {
    Gc,
    GcArray,
    Cell,
    Quasi,
    Virtualizable,
    /// An item of an array that may have no value yet; only the library uses it.
    Slot,
    Register,
    Option,
    Some,
    None,
    Result,
    Ok,
    Err,
    Promote,
    /// `rt::at_most`; only the library uses it.
    AtMost,
    Concrete,
    WeAreJitted,
    RecordExactClass,
    IsConstant,
    IsVirtual,
}

impl Builtin {
    /// Whether it is a place in the heap whose content may change.
    pub fn is_place(self) -> bool {
        use Builtin::*;
        matches!(self, Cell | Slot | Quasi | Register | Virtualizable)
    }
}

/// What a name means.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Def {
    Mod(ModId),
    Struct(StructId),
    Enum(EnumId),
    Variant(EnumId, usize),
    /// The thin pointer that `#[object(Name)]` on the enum declares.
    Object(EnumId),
    Fn(FnItemId),
    Const(ConstId),
    /// A `static` that is not `mut`: its value.
    Static(ConstId),
    Alias(AliasId),
    Trait(TraitId),
    /// An item that traced code cannot use: what it is.
    Other(&'static str),
    /// Something in another crate: its path.
    Extern(String),
    Builtin(Builtin),
    /// A primitive type.
    Prim(&'static str),
}

/// What can have inherent methods.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum TypeKey {
    Struct(StructId),
    Enum(EnumId),
    Object(EnumId),
}

/// A trait that the translator knows: one of the crate, or of the standard library by its name.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum TraitKey {
    User(TraitId),
    Std(String),
}
