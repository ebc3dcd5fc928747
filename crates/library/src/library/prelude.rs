//! The data structures and what goes with them, for `use verdigris::library::prelude::*;`.

pub use super::{
    Bytes, HashSecret, Interner, Key, KeyObject, List, Map, Order, Str, StrBuilder, Symbol,
    WeakRef, identity_hash,
};
