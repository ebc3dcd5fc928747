//! What an interpreter imports with `use verdigris::prelude::*;`.

pub use crate::{
    Cell, FinalQueue, Gc, GcArray, Options, Root, RootVec, Vm, Weak, promote, we_are_jitted,
};
pub use crate::{can_enter_jit, merge_point};
pub use crate::{elidable, gc, object, opaque, portal, unroll_safe, value};
