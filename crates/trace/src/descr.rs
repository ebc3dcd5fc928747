//! The descriptor of an operation: a field, class, function or label.
//!
//! The table of operations alone decides what a raw index means ([`Opcode::refers`]).

use crate::table::OpRefers;
use crate::value::TargetId;
use verdigris_ops::{ClassId, DataOp, DescrKind, FieldId, FnId};

#[cfg(doc)]
use crate::table::Opcode;

/// The descriptor of an operation: see [`Opcode::refers`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Descr {
    /// Nothing.
    #[default]
    None,
    /// A field.
    Field(FieldId),
    /// A class.
    Class(ClassId),
    /// A function.
    Fn(FnId),
    /// A label.
    Label(TargetId),
}

impl Descr {
    /// The descriptor of a data operation, from the raw index in jitcode.
    #[inline]
    pub fn of_data(op: DataOp, raw: u32) -> Descr {
        match op.descr_kind() {
            DescrKind::None => Descr::None,
            DescrKind::Field => Descr::Field(FieldId::from_u32(raw)),
            DescrKind::Class | DescrKind::Array => Descr::Class(ClassId::from_u32(raw)),
        }
    }

    /// The descriptor of a raw index, for an operation with this row.
    #[inline]
    pub(crate) fn of_row(refers: OpRefers, raw: u32) -> Descr {
        match refers {
            OpRefers::Nothing => Descr::None,
            OpRefers::Field => Descr::Field(FieldId::from_u32(raw)),
            OpRefers::Struct | OpRefers::Array | OpRefers::Class => {
                Descr::Class(ClassId::from_u32(raw))
            }
            OpRefers::Fn => Descr::Fn(FnId::from_u32(raw)),
            OpRefers::Label => Descr::Label(TargetId::from_u32(raw)),
        }
    }

    /// The raw index, for code that executes operations; 0 for nothing.
    #[inline]
    pub fn raw(self) -> u32 {
        match self {
            Descr::None => 0,
            Descr::Field(field) => field.as_u32(),
            Descr::Class(class) => class.as_u32(),
            Descr::Fn(function) => function.as_u32(),
            Descr::Label(label) => label.as_u32(),
        }
    }

    /// The field.
    ///
    /// # Panics
    /// If it is something else; so do the others. A verified trace refers to what its operations
    /// say.
    #[inline]
    pub fn field(self) -> FieldId {
        match self {
            Descr::Field(field) => field,
            other => other.is_no("field"),
        }
    }

    /// The class.
    #[inline]
    pub fn class(self) -> ClassId {
        match self {
            Descr::Class(class) => class,
            other => other.is_no("class"),
        }
    }

    /// The function.
    #[inline]
    pub fn function(self) -> FnId {
        match self {
            Descr::Fn(function) => function,
            other => other.is_no("function"),
        }
    }

    /// The label.
    #[inline]
    pub fn label(self) -> TargetId {
        match self {
            Descr::Label(label) => label,
            other => other.is_no("label"),
        }
    }

    #[cold]
    fn is_no(self, what: &str) -> ! {
        panic!("{self:?} is no {what}")
    }
}

impl From<FieldId> for Descr {
    fn from(field: FieldId) -> Descr {
        Descr::Field(field)
    }
}

impl From<ClassId> for Descr {
    fn from(class: ClassId) -> Descr {
        Descr::Class(class)
    }
}

impl From<FnId> for Descr {
    fn from(function: FnId) -> Descr {
        Descr::Fn(function)
    }
}

impl From<TargetId> for Descr {
    fn from(label: TargetId) -> Descr {
        Descr::Label(label)
    }
}
