//! Types of the crate while it is checked.
//!
//! In: types as they are written. Out: types with holes, and instances of generic items. Invariant:
//! rustc has accepted the crate, so that nothing is proved here but what tells candidates apart.

pub(crate) mod adt;
pub(crate) mod foreign;
pub(crate) mod generic_args;
pub(crate) mod generics;
pub(crate) mod infer;
pub(crate) mod instances;
pub(crate) mod lower_sig;
pub(crate) mod lower_ty;
pub(crate) mod objects;
pub(crate) mod substs;
pub(crate) mod traits;
pub(crate) mod ty;
