//! The vocabulary that every form of the program shares: the three machine types, the table of data
//! operations with their meaning, and the descriptors (classes, fields, functions) that operations
//! refer to.
//!
//! In: nothing. Out: [`DataOp`], [`Ty`], [`Descrs`] and the constant evaluator [`eval`]. Flow
//! graphs, jitcode and traces each add their own control operations, but an addition is the same
//! [`DataOp::IntAdd`] in all of them, with one name, one type signature, one effect and one
//! meaning.
//!
//! Invariant: [`eval`] is the definition of every pure operation. The blackhole interpreter, the
//! tracer, the optimiser's constant folder, and the oracle all call it; a machine-code backend must
//! agree with it bit by bit.

#![forbid(unsafe_code)]

mod descr;
mod descr_text;
mod effects;
mod eval;
mod heap_slot;
mod held;
mod panic_kind;
mod sabotage;
pub mod serial;
mod table;
pub mod text;

pub use descr::{
    ClassId, ClassInfo, ClassKind, Descrs, FieldId, FieldInfo, FnId, FnInfo, FnKind, MAX_RESULTS,
    Part, Policies, SlotLayout, UNASKED_MAX, UsedBy,
};
pub use effects::{Effects, Places};
pub use eval::eval;
pub use heap_slot::HeapSlot;
pub use held::Held;
pub use panic_kind::PanicKind;
pub use table::{DataOp, DescrKind, Effect, Ty};

/// What is said when an item of an array is read that has no value: by native code and by all that
/// stands for it.
pub const VACANT_SLOT: &str = "a slot of an array is read that has no value";
