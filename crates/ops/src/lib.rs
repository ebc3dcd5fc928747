//! The vocabulary that every form of the program shares: the machine types, the table of data
//! operations, and the descriptors (classes, fields, functions) that operations refer to.
//!
//! Flow graphs, jitcode and traces each add control operations of their own, but an addition is the
//! same [`DataOp::IntAdd`] in all of them: one name, one signature, one effect, one meaning.
//! [`eval`] defines every pure operation. The blackhole interpreter, the tracer, the constant
//! folders and the oracle all call it; a machine-code backend must agree with it bit by bit.

#![forbid(unsafe_code)]

mod descr;
mod effects;
mod eval;
mod heap_slot;
mod held;
mod ids;
mod panic_kind;
mod sabotage;
pub mod serial;
mod table;
pub mod text;

pub use descr::{
    ClassInfo, ClassKind, Descrs, FieldInfo, FnInfo, MAX_RESULTS, Part, Policies, SlotLayout,
    UNASKED_MAX, UsedBy,
};
pub use effects::{Effects, Places};
pub use eval::eval;
pub use heap_slot::HeapSlot;
pub use held::Held;
pub use ids::{ClassId, FieldId, FnId, FnKind};
pub use panic_kind::PanicKind;
pub use table::{DataOp, DescrKind, Effect, Ty};

/// The panic message for reading an array item that has no value, in native code and in all other
/// forms.
pub const VACANT_SLOT: &str = "a slot of an array is read that has no value";
