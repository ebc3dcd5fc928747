//! What an interpreter imports with `use verdigris::prelude::*;`.

pub use crate::record_exact_class;
pub use crate::{
    Bytes, HashSecret, Interner, Key, KeyObject, List, Map, Order, Str, StrBuilder, Symbol,
    WeakRef, identity_hash,
};
pub use crate::{
    Cell, FinalQueue, Gc, GcArray, Location, Options, Quasi, Register, Root, RootVec, Stored, Tier,
    Virtualizable, Vm, Weak, Word,
};
pub use crate::{can_enter_jit, merge_point};
pub use crate::{concrete, is_constant, is_virtual, promote, we_are_jitted};
pub use crate::{
    conditional_call, elidable, elidable_promote, gc, look_inside_iff, loop_invariant, object,
    opaque, portal, readonly, rooted_elsewhere, unroll_safe, value,
};
