//! The data structure: values, constants, operations, and the trace that owns them.

use crate::resume::{Resume, Snapshot, SnapshotId};
use crate::table::Opcode;
use cranelift_entity::{PrimaryMap, entity_impl};
use smallvec::SmallVec;
use std::fmt;
use verdigris_ops::{ClassId, DataOp, DescrKind, FieldId, FnId, Ty};

/// A value that a trace computes: an input, a label's definition, or an operation's result.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ValRef(u32);
entity_impl!(ValRef, "v");

/// A guard. Unique in one VM: the engine hands them out, so that a guard's code, counters and resume data are found
/// by it across traces. In recorded traces guards have none yet.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GuardId(u32);
entity_impl!(GuardId, "g");

/// A label that a `jump` can go to. Unique in one VM, handed out by the engine.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TargetId(u32);
entity_impl!(TargetId, "L");

/// What an operation refers to: see [`Opcode::refers`].
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
    /// What a data operation refers to, from the raw index that jitcode has.
    pub fn of_data(op: DataOp, raw: u32) -> Descr {
        match op.descr_kind() {
            DescrKind::None => Descr::None,
            DescrKind::Field => Descr::Field(FieldId::from_u32(raw)),
            DescrKind::Class | DescrKind::Array => Descr::Class(ClassId::from_u32(raw)),
        }
    }

    /// The raw index, for those who execute operations; 0 for nothing.
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
    /// If it is something else; so do the others. A verified trace refers to what its operations say.
    pub fn field(self) -> FieldId {
        match self {
            Descr::Field(field) => field,
            other => other.is_no("field"),
        }
    }

    /// The class.
    pub fn class(self) -> ClassId {
        match self {
            Descr::Class(class) => class,
            other => other.is_no("class"),
        }
    }

    /// The function.
    pub fn function(self) -> FnId {
        match self {
            Descr::Fn(function) => function,
            other => other.is_no("function"),
        }
    }

    /// The label.
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

/// A typed constant. References are addresses of objects that the trace's owner keeps alive (the heap does not move).
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
    pub fn ty(self) -> Ty {
        match self {
            Const::Int(_) => Ty::Int,
            Const::Ref(_) => Ty::Ref,
            Const::Float(_) => Ty::Float,
        }
    }

    /// The raw word.
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
pub enum Val {
    /// A computed value.
    Ref(ValRef),
    /// A constant.
    Const(Const),
}

impl Val {
    /// An integer constant.
    pub fn int(v: i64) -> Val {
        Val::Const(Const::Int(v))
    }

    /// The null reference.
    pub const NULL: Val = Val::Const(Const::Ref(0));

    /// The constant, if it is one.
    pub fn as_const(self) -> Option<Const> {
        match self {
            Val::Const(c) => Some(c),
            Val::Ref(_) => None,
        }
    }

    /// The computed value, if it is one.
    pub fn as_ref(self) -> Option<ValRef> {
        match self {
            Val::Ref(v) => Some(v),
            Val::Const(_) => None,
        }
    }
}

impl fmt::Debug for Val {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Val::Ref(v) => write!(f, "{v:?}"),
            Val::Const(c) => write!(f, "{c:?}"),
        }
    }
}

/// One operation.
#[derive(Clone, Debug, PartialEq)]
pub struct Op {
    /// What it does.
    pub opcode: Opcode,
    /// Its arguments.
    pub args: SmallVec<[Val; 3]>,
    /// What it refers to.
    pub descr: Descr,
    /// The value it defines; of a call the first of its results.
    pub result: Option<ValRef>,
    /// The values that a `label` defines, and the further results of a `call`.
    pub defs: Vec<ValRef>,
    /// Guards of a recorded trace: the frames at this point. A jump from a recorded trace to another loop: the frames
    /// at that loop's merge point, so that guards can be put in front of it.
    pub snapshot: Option<SnapshotId>,
    /// Guards of an optimised trace: how to rebuild the frames.
    pub resume: Option<Box<Resume>>,
    /// Guards of an optimised trace: the guard's identity once the engine has registered it.
    pub guard: Option<GuardId>,
}

impl Op {
    /// An operation without descriptor, result and resume information.
    pub fn new(opcode: Opcode, args: &[Val]) -> Op {
        Op {
            opcode,
            args: SmallVec::from_slice(args),
            descr: Descr::None,
            result: None,
            defs: Vec::new(),
            snapshot: None,
            resume: None,
            guard: None,
        }
    }

    /// The same operation, which refers to this.
    pub fn of(self, descr: impl Into<Descr>) -> Op {
        let descr = descr.into();
        Op { descr, ..self }
    }

    /// All values that the operation defines, in order.
    pub fn definitions(&self) -> impl Iterator<Item = ValRef> + '_ {
        self.result.into_iter().chain(self.defs.iter().copied())
    }

    /// The values that a failing guard hands to whoever continues. Empty for other operations.
    pub fn fail_args(&self) -> &[ValRef] {
        self.resume.as_ref().map_or(&[], |r| &r.fail_args)
    }
}

/// A trace.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trace {
    /// The values the trace starts with. A loop's optimised trace starts with a `label` whose `defs` are the inputs; a
    /// bridge's starts with the fail arguments of its guard.
    pub inputs: Vec<ValRef>,
    /// The operations.
    pub ops: Vec<Op>,
    /// The type of every value.
    pub types: PrimaryMap<ValRef, Ty>,
    /// Recorded traces: snapshots that guards refer to.
    pub snapshots: PrimaryMap<SnapshotId, Snapshot>,
}

impl Trace {
    /// A fresh value of this type.
    pub fn value(&mut self, ty: Ty) -> ValRef {
        self.types.push(ty)
    }

    /// The type of an argument.
    pub fn ty(&self, val: Val) -> Ty {
        match val {
            Val::Ref(v) => self.types[v],
            Val::Const(c) => c.ty(),
        }
    }
}
