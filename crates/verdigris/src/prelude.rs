//! The names that every interpreter needs, for `use verdigris::prelude::*;`. Other hints and types
//! are in the crate's root, and [`library::prelude`](crate::library::prelude) has the data
//! structures.

pub use crate::{Cell, Gc, GcArray, Location, Options, Quasi, Register, Root, RootVec, Vm};
pub use crate::{can_enter_jit, merge_point, promote};
pub use crate::{elidable, gc, object, opaque, portal, unroll_safe, value};
